"""Verdicts, certificates and evaluations as the terminal shows them (rich).

Letters may be any text. None of it is read as rich's markup, and what cannot be printed (line breaks, control
characters) is shown escaped.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from automata.alphabet import Alphabet, Word, concatenate
from lookback.options import printable
from lookback.record import architecture_rows
from ltl.formula import depth, size
from ltl.fragment import Fragment
from ltl.printing import print_formula
from neural.pattern import AttentionPattern
from semigroups.certificate import Definition, PumpingFamily
from semigroups.classify import Classification, Membership
from semigroups.depth import LeastDepth
from semigroups.equation import Violation
from semigroups.forms import Forms
from semigroups.modular_family import ModularFamily
from semigroups.tier import OnTier
from semigroups.verdict import Evidence, Verdict
from semigroups.window_family import WindowFamily

if TYPE_CHECKING:
    from automata.catalogue import Language

_MEANING = (
    "A no is proved by its rows, which go on for ever: a transformer whose attention has that logic is, however deep, "
    "wrong on one word of some row (at fixed precision).\n"
)

_PAIRS = 3  # pairs of a pumping family that are shown
_LONG_FORMULA = 2000  # characters beyond which a formula is described and not shown
_SPELLED = 10_000  # letters up to which the sides of a broken equation are spelled
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


def classification_view(
    classification: Classification, forms: Forms, depths: Mapping[Fragment, LeastDepth]
) -> RenderableType:
    """Everything known of a language: size, architectures, certificates and least depths, forms, classes, orders."""
    dfa = classification.dfa
    letters = ", ".join(dfa.alphabet) if len(dfa.alphabet) else "no letters"
    sizes = [("alphabet", letters), ("minimal automaton", _counted(dfa.n_states, "state"))]
    if classification.monoid_size is not None:
        sizes.append(("syntactic monoid", _counted(classification.monoid_size, "element")))
    if classification.circuit is not None:
        sizes.append(("circuit class", classification.circuit.name))
    return Group(
        Text(printable_lines(f"{name}  {value}" for name, value in sizes), overflow="fold"),
        architecture_table(classification),
        *(verdict_view(v, dfa.alphabet, depths.get(v.fragment)) for v in classification.verdicts),
        Text(_MEANING, overflow="fold"),
        *form_views(forms),
        class_table(classification),
        order_table(classification),
    )


def printable_lines(lines: Iterable[str]) -> str:
    """Return lines one below the other, each with what cannot be printed escaped."""
    return "\n".join(map(printable, lines))


def architecture_table(classification: Classification) -> Table:
    """The architectures, whether each can recognise the language, and the class of languages that decides it.

    Those whose class is open have no row; the foot names them.
    """
    table = plain_table("architecture", "recognises it", "languages", "known by")
    rows = architecture_rows(classification)
    for row in rows:
        if row.status != "open":
            table.add_row(row.name, yes_no(row.prediction(classification)), row.logic, row.status)
    open_rows = ", ".join(row.name for row in rows if row.status == "open")
    table.caption = f"open: {open_rows}\n"
    table.caption_justify = "left"
    return table


def verdict_view(verdict: Verdict, alphabet: Alphabet, depth_bounds: LeastDepth | None = None) -> RenderableType:
    """One fragment's verdict with its certificate: the formula, or pumping pairs and what they prove."""
    name = verdict.fragment.name
    certificate = verdict.certificate
    if isinstance(certificate, Definition):
        formula = certificate.formula
        text = print_formula(formula)
        measure = f"depth {depth(formula)}{_remark(depth_bounds)}, size {size(formula)}"
        if len(text) > _LONG_FORMULA:
            text = f"(a formula of {len(text):,} characters; --json prints it)"
        return Group(
            Text(f"{name}: yes, by a formula of {measure}"),
            Padding(Text(printable(text), overflow="fold"), (0, 0, 1, 2)),
        )
    if isinstance(certificate, PumpingFamily | WindowFamily | ModularFamily):
        moduli = " and moduli up to n" if isinstance(certificate, ModularFamily) else ""
        table = plain_table("n", "in the language", "not in it")
        for n in range(1, _PAIRS + 1):
            inside, outside = certificate.pair(n)
            table.add_row(str(n), show_word(inside, alphabet), show_word(outside, alphabet))
        return Group(Text(f"{name}: no; no formula of depth n{moduli} tells the two words of row n apart"), table)
    return Text(f"{name}: {yes_no(verdict.holds)}, without a certificate: {verdict.bound}\n", overflow="fold")


def _remark(bounds: LeastDepth | None) -> str:
    """Say what is known of the least depth besides that of a formula."""
    if bounds is None:
        return ""
    if bounds.formula is None:
        return f" ({bounds.at_most} would do)"
    return " (the least)" if bounds.exact is not None else f" (at least {bounds.at_least})"


def form_views(forms: Forms) -> list[RenderableType]:
    """The forms in which people know the language, a paragraph each."""
    shown = [(name, str(form)) for name, form in forms.found]
    shown += [(name, f"(too large: {bound})") for name, bound in forms.bounds]
    return [
        Group(Text(f"as {name}:"), Padding(Text(printable(_short(text)), overflow="fold"), (0, 0, 1, 2)))
        for name, text in shown
    ]


def _short(text: str) -> str:
    return text if len(text) <= _LONG_FORMULA else f"({len(text):,} characters; --json prints them)"


def class_table(classification: Classification) -> Table:
    """The classes of languages, whether this one belongs, and the evidence where it does not."""
    table = plain_table("class", "member", "evidence")
    for membership in classification.memberships:
        evidence = Text(printable(_reason(membership)), overflow="fold")
        table.add_row(membership.name, yes_no(membership.holds), evidence)
    return table


def order_table(classification: Classification) -> Table:
    """The least number of letters that tests of each kind need to decide the language, where there is one."""
    table = plain_table("test", "least number of letters")
    for order in classification.orders:
        if order.least is not None or order.bound is not None:
            table.add_row(order.name, Text(str(order.least) if order.bound is None else order.bound, overflow="fold"))
    return table


def _reason(membership: Membership) -> str:
    evidence = membership.evidence
    if evidence is None:
        if membership.bound is None:
            return ""
        return membership.bound if membership.holds is None else "follows from the other answers"
    return " ".join(_plain_evidence(evidence).splitlines())


def _plain_evidence(evidence: Evidence) -> str:
    """Say in one line what evidence says."""
    if isinstance(evidence, Violation):
        words = ", ".join(f"{name} = {show_word(word, evidence.alphabet).plain}" for name, word in evidence.assignment)
        return f"{evidence.equation.text} fails for {words}"
    if isinstance(evidence, PumpingFamily):
        inside, outside = (show_word(word, evidence.alphabet).plain for word in evidence.pair(1))
        return f"no formula of depth 1 tells {inside}, inside, from {outside}, outside; and so on"
    if isinstance(evidence, OnTier):
        letters = ", ".join(evidence.tier) if evidence.tier else "no letter"
        return f"on the tier of {letters}: {_plain_evidence(evidence.evidence)}"
    return str(evidence)


def violation_view(violation: Violation) -> RenderableType:
    """Words for the variables with which an equation fails, and the context that tells its sides apart."""
    alphabet = violation.alphabet
    table = plain_table("variable", "word")
    for name, word in violation.assignment:
        table.add_row(name, show_word(word, alphabet))
    sides = [violation.left, violation.right] if violation.length <= _SPELLED else None
    lines = [f"no: {violation.equation.text} fails, with exponent {violation.exponent} for ^w"]
    if sides is not None:
        lines += [
            f"{name}: {show_word(concatenate(violation.before, side, violation.after), alphabet).plain}"
            for name, side in zip(("left side in context", "right side in context"), sides, strict=True)
        ]
        lines.append("exactly one of the two words is in the language")
    return Group(Text(printable_lines(lines), overflow="fold"), table)


def catalogue_table(entries: Iterable[Language]) -> Table:
    """The languages of the catalogue: name, alphabet, what it is, source."""
    table = plain_table("name", "alphabet", "language", "source")
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


def plain_table(*columns: str) -> Table:
    """Return a table without rows that has these columns."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table
