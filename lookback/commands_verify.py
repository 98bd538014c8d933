"""Commands that compare a network with automata: verify with its language's, extract with one learned from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from automata.alphabet import plain_word
from automata.errors import ToolkitError
from lookback.options import JsonOption, ModelArgument, SeedOption, print_json, printable, write_text
from lookback.workers import use_one_thread

if TYPE_CHECKING:
    from neural.agreement import Agreement

_LongestOption = Annotated[
    int, typer.Option("--longest", min=0, max=10_000, metavar="N", help="Greatest length of a random word.")
]
_ConfidenceOption = Annotated[
    float, typer.Option("--confidence", metavar="P", help="Confidence of the bound on the share of errors.")
]


def verify(
    directory: ModelArgument,
    budget: Annotated[
        int,
        typer.Option("--budget", min=1, metavar="N", help="Words to compare exhaustively, shortest first, at most."),
    ] = 2**17 - 1,
    extra_states: Annotated[
        int,
        typer.Option(
            "--extra-states", min=0, metavar="M", help="States, besides the language's, that the test suite allows for."
        ),
    ] = 1,
    max_words: Annotated[int, typer.Option(min=1, metavar="N", help="Words that the test suite may have.")] = 200_000,
    samples: Annotated[int, typer.Option("--samples", min=1, metavar="N", help="Random words to compare.")] = 10_000,
    longest: _LongestOption = 100,
    confidence: _ConfidenceOption = 0.99,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Compare a network with its language: all short words, a conformance test suite, random words.

    Each answer says what it proves. The exit status is 0 if no word was found on which they differ, 1 if one was.
    """
    use_one_thread()
    import numpy as np

    from lookback.progress import show_words
    from neural.judge import reach_of
    from neural.prefixes import count_words_up_to
    from neural.program_folder import SavedProgram
    from neural.saved import load_model
    from neural.verify import budgeted_length, verify_by_samples, verify_by_suite, verify_exhaustively

    saved = load_model(directory)
    model, dfa = saved.model, saved.dfa
    reach = reach_of(model)
    length = budgeted_length(len(dfa.alphabet), budget, reach)
    lengths = range((longest if reach is None else min(longest, reach)) + 1)
    with show_words("short words", count_words_up_to(len(dfa.alphabet), length)) as tell:
        exhaustive = verify_exhaustively(model, dfa, length=length, budget=budget, tell=tell)
    suite: Agreement | ToolkitError
    try:
        with show_words("words of the test suite") as tell:
            suite = verify_by_suite(model, dfa, extra_states, max_words=max_words, tell=tell)
    except ToolkitError as error:  # the suite is too large, or has words that are too long for learned positions
        suite = error
    with show_words("random words", samples) as tell:
        sampled = verify_by_samples(model, dfa, np.random.default_rng(seed), lengths, samples, confidence, tell=tell)
    checks = {"exhaustive": exhaustive, "conformance": suite, "sampled": sampled}
    agree = all(isinstance(check, ToolkitError) or check.disagreement is None for check in checks.values())
    if as_json:
        print_json(
            {
                "directory": str(directory),
                "agree": agree,
                "proved": saved.origin.facts.reach if isinstance(saved.origin, SavedProgram) else None,
                "checks": {
                    name: {"not compared": str(check)} if isinstance(check, ToolkitError) else check.to_dict()
                    for name, check in checks.items()
                },
            }
        )
    else:
        from lookback.display import show
        from lookback.verify_views import agreement_table

        show(agreement_table(checks))
        print("no disagreement was found" if agree else "the network does not recognise its language")
        if agree and isinstance(saved.origin, SavedProgram):
            print(f"its weights are proved to be exact for {saved.origin.facts.reach}")
    if not agree:
        raise typer.Exit(1)


def extract(
    directory: ModelArgument,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the learned automaton, as JSON.")
    ] = None,
    max_rounds: Annotated[int, typer.Option(min=1, metavar="N", help="Hypotheses to try.")] = 100,
    max_states: Annotated[int, typer.Option(min=1, metavar="N", help="States that a hypothesis may have.")] = 100,
    max_queries: Annotated[int, typer.Option(min=1, metavar="N", help="Different words to ask.")] = 100_000,
    extra_states: Annotated[
        int,
        typer.Option(
            "--extra-states",
            min=0,
            max=100,
            metavar="M",
            help="States, besides the hypothesis's, that a test suite allows for.",
        ),
    ] = 1,
    samples: Annotated[
        int, typer.Option("--samples", min=1, metavar="N", help="Fresh random words on which to compare at the end.")
    ] = 10_000,
    longest: _LongestOption = 100,
    confidence: _ConfidenceOption = 0.99,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Learn an automaton from a network, and classify it: the language that the network really learned.

    Learning ends when no counterexample is found any more, or at a bound: a network need not behave like any automaton.
    The exit status is 0 however it ends.
    """
    use_one_thread()
    import numpy as np

    from automata.equivalence import distinguish
    from automata.formats import to_json
    from lookback.progress import show_progress
    from neural.extract import LearningBounds
    from neural.extract import extract as extract_dfa
    from neural.saved import load_model
    from semigroups.classify import classify

    saved = load_model(directory)
    bounds = LearningBounds(max_rounds, max_states, max_queries, extra_states, longest)
    with show_progress(["learning"], max_rounds) as tell:
        found = extract_dfa(
            saved.model,
            np.random.default_rng(seed),
            reference=saved.dfa,
            bounds=bounds,
            count=samples,
            confidence=confidence,
            tell=lambda round_, states, asked: tell(0, round_, f"{states} states, {asked:,} words asked"),
        )
    if out is not None:
        write_text(out, to_json(found.dfa))
    window = saved.model.config.pattern.window
    windows = () if window is None else (window,)
    language, learned = (classify(dfa, windows=windows) for dfa in (saved.dfa, found.dfa))
    word = distinguish(found.dfa, saved.dfa)
    if as_json:
        from lookback.record import classification_json

        print_json(
            {
                "directory": str(directory),
                **found.to_dict(),
                "automaton": json.loads(to_json(found.dfa)),
                "equal": word is None,
                "distinguishing word": None if word is None else plain_word(word),
                "learned": classification_json(learned),
                "language": classification_json(language),
            }
        )
        return
    from lookback.display import show
    from lookback.verify_views import comparison_table, extraction_view

    show(extraction_view(found, saved.dfa, word))
    show(comparison_table(language, learned, saved.model.config))
    if out is not None:
        name = printable(str(out))
        print(f"the learned automaton is in {name}; more about it with: lookback classify {name}")
