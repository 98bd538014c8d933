"""Verdicts, certificates and evaluations as the terminal shows them (rich), and the JSON of a classification.

Letters may be any text. None of it is read as rich's markup, and what cannot be printed (line breaks, control
characters) is shown escaped.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from automata.alphabet import Alphabet, Word
from lookback.options import printable
from ltl.formula import depth, size
from ltl.printing import print_formula
from neural.pattern import AttentionPattern
from semigroups.certificate import Definition, PumpingFamily
from semigroups.classify import Classification, Membership
from semigroups.verdict import Verdict

if TYPE_CHECKING:
    from automata.catalogue import Language
    from lookback.demo import Outcome
    from neural.evaluate import Evaluation

PATTERNS = (AttentionPattern("global"), AttentionPattern("local", 1), AttentionPattern("hybrid", 1))
"""The attention patterns of the table of architectures."""

_PAIRS = 3  # pairs of a pumping family that are shown
_LONG_FORMULA = 2000  # characters beyond which a formula is described and not shown
_LONG_WORD = 60  # letters beyond which the middle of a word is left out


def show(view: RenderableType) -> None:
    """Print a view on standard output; where that is no terminal, without blanks at the ends of lines."""
    console = Console(highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        console.print(view)
        return
    with console.capture() as captured:
        console.print(view)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def show_word(word: Word, alphabet: Alphabet) -> Text:
    """Return a word for people; of a long one only both ends and the length.

    >>> show_word("ab" * 50, Alphabet.of("ab")).plain
    'abababababababababababab ... abababababababababababab (100 letters)'
    """
    if len(word) <= _LONG_WORD:
        return Text(printable(alphabet.show(word)), overflow="fold")
    end = _LONG_WORD * 2 // 5
    text = f"{alphabet.show(word[:end])} ... {alphabet.show(word[-end:])} ({len(word)} letters)"
    return Text(printable(text), overflow="fold")


def architectures(classification: Classification) -> dict[str, bool | None]:
    """Tell for each attention pattern whether it can recognise the language."""
    return {pattern.name: pattern.prediction(classification.verdicts) for pattern in PATTERNS}


def classification_json(classification: Classification) -> dict[str, Any]:
    """Return a classification and the architectures read off it as plain values for JSON."""
    plain = classification.to_dict()
    varieties = plain.pop("varieties")
    return {**plain, "architectures": architectures(classification), "varieties": varieties}


def classification_view(classification: Classification) -> RenderableType:
    """Everything that a classification says: size, architectures, certificates, varieties."""
    dfa = classification.dfa
    letters = ", ".join(dfa.alphabet) if len(dfa.alphabet) else "no letters"
    return Group(
        Text(
            f"alphabet  {printable(letters)}\nminimal automaton  {_counted(dfa.n_states, 'state')}",
            overflow="fold",
        ),
        architecture_table(classification),
        *(verdict_view(verdict, dfa.alphabet) for verdict in classification.verdicts),
        variety_table(classification),
    )


def architecture_table(classification: Classification) -> Table:
    """The attention patterns, whether each can recognise the language, and the logic that decides it."""
    table = _table("attention", "recognises it", "logic")
    for pattern in PATTERNS:
        answer = pattern.prediction(classification.verdicts)
        table.add_row(pattern_name(pattern), yes_no(answer), pattern.fragment.name)
    return table


def verdict_view(verdict: Verdict, alphabet: Alphabet) -> RenderableType:
    """One fragment's verdict with its certificate: the formula, or pumping pairs and what they prove."""
    name = verdict.fragment.name
    certificate = verdict.certificate
    if isinstance(certificate, Definition):
        formula = certificate.formula
        text = print_formula(formula)
        measure = f"depth {depth(formula)}, size {size(formula)}"
        if len(text) > _LONG_FORMULA:
            text = f"(a formula of {len(text):,} characters; --json prints it)"
        return Group(
            Text(f"{name}: yes, by a formula of {measure}"),
            Padding(Text(printable(text), overflow="fold"), (0, 0, 1, 2)),
        )
    if isinstance(certificate, PumpingFamily):
        table = _table("n", "in the language", "not in it")
        for n in range(1, _PAIRS + 1):
            inside, outside = certificate.pair(n)
            table.add_row(str(n), show_word(inside, alphabet), show_word(outside, alphabet))
        return Group(
            Text(
                f"{name}: no. No formula of {name} with temporal depth up to n tells the two words of row n "
                "apart, and the rows go on for ever; so whatever the depth of a transformer with this attention "
                "(at fixed precision), it is wrong on one word of some row."
            ),
            table,
        )
    return Text(f"{name}: {yes_no(verdict.holds)}, without a certificate: {verdict.bound}", overflow="fold")


def variety_table(classification: Classification) -> Table:
    """The varieties of languages, whether this one belongs, and words that break the equation where it does not."""
    table = _table("variety", "member", "evidence")
    for membership in classification.varieties:
        table.add_row(
            membership.variety, yes_no(membership.holds), Text(printable(_evidence(membership)), overflow="fold")
        )
    bounds = [membership.bound for membership in classification.varieties if membership.bound is not None]
    if bounds:
        table.caption = bounds[0]
        table.caption_justify = "left"
    return table


def _evidence(membership: Membership) -> str:
    found = membership.violation
    if found is None and membership.bound is not None:
        return "not computed" if membership.holds is None else "follows from the verdicts above"
    if found is None:
        return ""
    words = ", ".join(f"{name} = {show_word(word, found.alphabet).plain}" for name, word in found.assignment)
    return f"{found.equation.text} fails for {words}"


def catalogue_table(entries: Iterable[Language]) -> Table:
    """The languages of the catalogue: name, alphabet, what it is, source."""
    table = _table("name", "alphabet", "language", "source")
    for entry in entries:
        letters = Text(printable(" ".join(entry.dfa.alphabet)), no_wrap=True)
        name = Text(f"@{entry.name}", no_wrap=True)
        table.add_row(name, letters, Text(printable(entry.description)), Text(entry.source))
    return table


def pattern_name(pattern: AttentionPattern) -> str:
    """Name a pattern for people: local, window 1."""
    return pattern.kind if pattern.window is None else f"{pattern.kind}, window {pattern.window}"


def yes_no(holds: bool | None) -> str:
    """Say whether something holds; None is undecided."""
    return "undecided" if holds is None else "yes" if holds else "no"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def _table(*columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def outcome_table(outcomes: Sequence[Outcome]) -> Table:
    """What theory predicts of trained networks and what tests say of them, a column for each network."""
    table = _table("", *(pattern_name(outcome.pattern) for outcome in outcomes))
    table.add_row("can recognise it", *(yes_no(outcome.predicted) for outcome in outcomes))
    first = outcomes[0].evaluation
    for i, tested in enumerate(first.bins):
        results = [outcome.evaluation.bins[i] for outcome in outcomes]
        table.add_row(f"right, lengths {tested.first}-{tested.last}", *(_share(r.correct, r.words) for r in results))
    table.add_row("N*", *(_perfect_length(outcome.evaluation) for outcome in outcomes))
    for i, family in enumerate(first.families):
        found = [outcome.evaluation.families[i] for outcome in outcomes]
        table.add_row(f"right, pumping {family.fragment}", *(_share(r.correct, r.words) for r in found))
    table.add_row("steps of training", *(str(outcome.steps) for outcome in outcomes))
    fewest, most = first.fewest_words, first.most_words
    table.caption = (
        "N*: the greatest tested length up to which no word was judged wrong. "
        f"{most if fewest == most else f'{fewest} to {most}'} words of each tested length."
    )
    table.caption_justify = "left"
    return table


def _share(correct: int, words: int) -> str:
    """Write a share in percent, rounded down, so that 100 % means all."""
    return f"{1000 * correct // words / 10:.1f} %" if words else "no words"


def _perfect_length(evaluation: Evaluation) -> str:
    if evaluation.perfect_length is None:
        return "none"
    everything = evaluation.perfect_length == evaluation.tested_lengths[-1]
    return f"{evaluation.perfect_length}{' (all)' if everything else ''}"
