"""The command that compiles a language into the weights of a transformer: program."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from automata.errors import MAX_STATES, NotDefinable
from lookback.inputs import read_language, split_kind
from lookback.options import (
    AlphabetOption,
    AttentionOption,
    JsonOption,
    LanguageArgument,
    MaxCasesOption,
    MaxStatesOption,
    WindowOption,
    given,
    print_json,
    printable,
    read_alphabet,
    read_pattern,
)
from lookback.workers import use_one_thread

if TYPE_CHECKING:
    from automata.alphabet import Alphabet


def program(
    language: LanguageArgument,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="New or empty folder of the model.", show_default=False)
    ],
    attention: AttentionOption = "hybrid",
    window: WindowOption = None,
    positions: Annotated[
        Literal["none", "periodic-sinusoidal"],
        typer.Option("--positions", help="With periodic sinusoids, predicates MOD are there too."),
    ] = "none",
    score: Annotated[
        float | None,
        typer.Option(
            "--score", metavar="C", help="Score of a position at which a head's operand holds; 30 if left out."
        ),
    ] = None,
    alphabet: AlphabetOption = None,
    as_json: JsonOption = False,
    max_states: MaxStatesOption = MAX_STATES,
    max_cases: MaxCasesOption = None,
    max_weights: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Weights that the model may have; 100,000,000 if left out.")
    ] = None,
) -> None:
    """Compile a language into a transformer that recognises it exactly, without training.

    A formula of the attention's logic is compiled as it is written; any other language through the formula that its
    verdict gives. The exit status is 1 if the attention cannot recognise the language: the certificate is printed and
    nothing is written. `lookback evaluate` and `lookback verify` judge the model like a trained one.
    """
    use_one_thread()
    from ltl.syntax import parse_formula
    from neural.program_folder import save_program
    from neural.program_weights import LOGIT
    from neural.realise import realise

    dfa = read_language(language, read_alphabet(alphabet), max_states)
    kind, body = split_kind(language)
    formula = parse_formula(body, dfa.alphabet) if kind == "ltl" else None
    pattern = read_pattern(attention, window)
    limits = given(score=score, max_cases=max_cases, max_weights=max_weights)
    try:
        found = realise(dfa, pattern, formula, periodic=positions != "none", **limits)
    except NotDefinable as error:
        _refuse(error, dfa.alphabet, as_json)
        raise typer.Exit(1) from None
    facts = save_program(out, found, dfa)
    shape = found.model.config
    if as_json:
        print_json(
            {
                "directory": str(out),
                "attention": pattern.name,
                "positions": shape.positions.name,
                "transformer": shape.sizes(),
                "weights": found.model.n_weights,
                **asdict(facts),
            }
        )
        return
    sizes = f"layers {shape.layers}, heads {shape.heads}, width {shape.width}, feed-forward {shape.feedforward}"
    told = "no positions" if shape.positions.kind == "none" else f"{shape.positions.name} positions"
    print(f"{pattern.name} attention, {told}: {sizes}, {found.model.n_weights:,} weights")
    print(f"formula: {printable(facts.formula)}")
    print(f"exact in single precision for {facts.reach}")
    margin = f"least margin {facts.margin:.3f}, without rounding {LOGIT:g}"
    print(f"self-check: {facts.checked:,} words, all right; {margin}")
    print(f"written to {printable(str(out))}; judge it with: lookback verify {printable(str(out))}")


def _refuse(error: NotDefinable, alphabet: Alphabet, as_json: bool) -> None:
    """Print a refusal with its certificate."""
    from semigroups.verdict import Verdict

    verdict = error.certificate
    assert isinstance(verdict, Verdict)
    if as_json:
        print_json({"error": str(error), "fragment": verdict.fragment.name, **verdict.to_dict()})
        return
    from lookback.display import show, verdict_view

    print(error, flush=True)
    show(verdict_view(verdict, alphabet))
