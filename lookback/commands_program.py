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
    JsonOption,
    LanguageArgument,
    MaxCasesOption,
    MaxStatesOption,
    given,
    print_json,
    printable,
    read_alphabet,
)
from lookback.workers import use_one_thread
from neural.pattern import AttentionPattern, Kind

if TYPE_CHECKING:
    from automata.alphabet import Alphabet
    from neural.program import Program


def program(
    language: LanguageArgument,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="New or empty folder of the model.", show_default=False)
    ],
    attention: Annotated[Kind, typer.Option("--attention", help="Which heads there are.")] = "hybrid",
    window: Annotated[
        int | None,
        typer.Option("--window", min=1, metavar="K", help="Positions that a local head sees; 1 if left out."),
    ] = None,
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
    from neural.realise import realise

    dfa = read_language(language, read_alphabet(alphabet), max_states)
    kind, body = split_kind(language)
    formula = parse_formula(body, dfa.alphabet) if kind == "ltl" else None
    pattern = AttentionPattern(attention, 1 if window is None and attention != "global" else window)
    limits = given(score=score, max_cases=max_cases, max_weights=max_weights)
    try:
        found = realise(dfa, pattern, formula, periodic=positions != "none", **limits)
    except NotDefinable as error:
        _refuse(error, dfa.alphabet, as_json)
        raise typer.Exit(1) from None
    save_program(out, found, dfa)
    if as_json:
        print_json({"directory": str(out), **_facts(found)})
        return
    shape = found.model.config
    sizes = f"layers {shape.layers}, heads {shape.heads}, width {shape.width}, feed-forward {shape.feedforward}"
    reach = "words of every length" if found.longest is None else f"words of up to {found.longest:,} letters"
    told = "no positions" if shape.positions.kind == "none" else f"{shape.positions.name} positions"
    print(f"{pattern.name} attention, {told}: {sizes}, {_weights(found):,} weights")
    print(f"formula: {printable(str(found.formula))}")
    print(f"exact in single precision for {reach}")
    print(f"self-check: {found.checked:,} words, all right; least margin {found.margin:.3f}, without rounding 10")
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


def _facts(found: Program) -> dict[str, object]:
    """Return what is told of a program as plain values."""
    shape = asdict(found.model.config)
    del shape["pattern"], shape["positions"]
    return {
        "attention": found.model.config.pattern.name,
        "positions": found.model.config.positions.name,
        "transformer": shape,
        "weights": _weights(found),
        "formula": str(found.formula),
        "computed": str(found.computed),
        "score": found.score,
        "longest": found.longest,
        "margin": found.margin,
        "checked": found.checked,
    }


def _weights(found: Program) -> int:
    return sum(weight.numel() for weight in found.model.parameters())
