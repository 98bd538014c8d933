"""Comparisons of networks with automata as the terminal shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from automata.alphabet import Word
from automata.dfa import DFA
from automata.errors import ToolkitError
from lookback.display import plain_table, show_word, yes_no
from lookback.options import printable
from neural.agreement import Agreement
from neural.architectures import network_name, prediction
from semigroups.classify import Classification

if TYPE_CHECKING:
    from neural.extract import Extraction
    from neural.transformer import TransformerConfig

_NAMES = {"exhaustive": "all short words", "conformance": "a test suite", "sampled": "random words"}

_ENDS = {
    "stable": "no counterexample was found any more",
    "rounds": "ended at the bound of rounds (--max-rounds): the network may not behave like an automaton",
    "states": "ended at the bound of states (--max-states): the network may not behave like an automaton",
    "queries": "ended at the bound of words (--max-queries): the network may not behave like an automaton",
    "length": "ended where the learner would have asked for a word beyond the network's learned positions",
}


def agreement_table(checks: Mapping[str, Agreement | ToolkitError]) -> Table:
    """The words on which a network was compared with its language, by scope, and what came of it."""
    table = plain_table("compared on", "result")
    for scope, check in checks.items():
        result = f"not compared: {check}" if isinstance(check, ToolkitError) else str(check)
        table.add_row(_NAMES[scope], Text(printable(result), overflow="fold"))
    return table


def extraction_view(found: Extraction, language: DFA, word: Word | None) -> RenderableType:
    """How learning went and ended, and whether the learned language is the network's own; `word` is in one alone."""
    states = f"{found.dfa.n_states:,} state{'' if found.dfa.n_states == 1 else 's'}"
    rounds = f"{found.rounds:,} round{'' if found.rounds == 1 else 's'}"
    compared = [] if found.suite is None else [Agreement(found.suite, None)]
    compared.append(found.agreement)
    if word is None:
        conclusion = "the learned automaton accepts exactly the language"
    else:
        owner = "the language" if language.accepts(word) else "that of the learned automaton"
        shown = show_word(word, language.alphabet).plain
        conclusion = f"the learned automaton has another language: {shown} is in {owner} alone"
    return Group(
        _text(f"learned {states} in {rounds}, {found.queries:,} words asked: {_ENDS[found.end]}"),
        _text("compared with the learned automaton, the network"),
        *(Padding(_text(str(agreement)), (0, 0, 0, 2)) for agreement in compared),
        _text(conclusion),
    )


def comparison_table(language: Classification, learned: Classification, shape: TransformerConfig) -> Table:
    """The classification of a language beside that of a learned automaton; the classes where they differ."""
    table = plain_table("", "language", "learned automaton")
    both = (language, learned)
    table.add_row("states", *(f"{c.dfa.n_states:,}" for c in both))
    predictions = (prediction(shape.pattern, shape.positions, c.verdicts) for c in both)
    table.add_row(f"recognised by {network_name(shape.pattern, shape.positions)}", *map(yes_no, predictions))
    for verdicts in zip(language.verdicts, learned.verdicts, strict=True):
        table.add_row(verdicts[0].fragment.name, *(yes_no(verdict.holds) for verdict in verdicts))
    for memberships in zip(language.memberships, learned.memberships, strict=True):
        if {membership.holds for membership in memberships} == {True, False}:
            table.add_row(memberships[0].name, *(yes_no(membership.holds) for membership in memberships))
    return table


def _text(line: str) -> Text:
    return Text(printable(line), overflow="fold")
