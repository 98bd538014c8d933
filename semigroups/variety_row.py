"""A class of regular languages that equations on syntactic semigroups define: one row of the table of varieties."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from automata.dfa import DFA
from semigroups.circuit import NonSolvableGroup
from semigroups.equation import Equation, Violation
from semigroups.refute import Failure
from semigroups.satisfies import MAX_ASSIGNMENTS, ReadOn, spell_failure
from semigroups.syntactic import SyntacticSemigroup

Refute: TypeAlias = Callable[[SyntacticSemigroup, int], Failure | NonSolvableGroup | None]
"""Decides a class within a number of assignments, or raises `TooLarge`; None for a member."""


@dataclass(frozen=True)
class Variety:
    """A class of languages defined by omega-equations on syntactic semigroups.

    A language belongs iff all `equations` hold for all elements of what `read_on` names: "S", the semigroup of
    non-empty words; "M", the monoid; "local", each of the monoids eSe for an idempotent e of S; "stable", the stable
    semigroup. "solvable" alone has no equations here. `implies` names the smallest classes of the table that contain
    this one; `fragment` the fragment of temporal logic that defines exactly its languages, if there is one. `member`
    and `non_member` are examples, as a regular expression and the letters of its alphabet. `refute` decides on Cayley
    graphs.
    """

    name: str
    description: str
    equations: tuple[Equation, ...]
    read_on: ReadOn
    implies: tuple[str, ...]
    fragment: str | None
    member: tuple[str, str]
    non_member: tuple[str, str]
    refute: Refute
    reference: str

    def violation(
        self, syntactic: SyntacticSemigroup, max_assignments: int = MAX_ASSIGNMENTS
    ) -> Violation | NonSolvableGroup | None:
        """Return None if the language belongs, else evidence against it.

        Raise `TooLarge` when more than `max_assignments` assignments are needed, which only rows about two idempotents
        or the stable semigroup can, or when the stability index is too large.
        """
        found = self.refute(syntactic, max_assignments)
        if found is None or isinstance(found, NonSolvableGroup):
            return found
        number, elements = found
        return spell_failure(syntactic, self.equations[number], elements, self.read_on)

    @property
    def laws(self) -> tuple[Equation, ...]:
        """The equations that evidence is about: on local monoids those that say the same about S."""
        return tuple(equation.localize() if self.read_on == "local" else equation for equation in self.equations)

    def check(self, evidence: Violation | NonSolvableGroup, dfa: DFA) -> str | None:
        """Return None iff evidence shows that the language of an automaton is not in this class, else the fault.

        Other than `evidence.check`, which works on the automaton alone, this compares what the evidence is about: a
        word for the identity breaks y x^w = x^w on M for all but the trivial languages, and says nothing about S.
        """
        if isinstance(evidence, NonSolvableGroup):
            return evidence.check(dfa) if not self.equations else f"the evidence is not about {self.name}"
        if evidence.equation not in self.laws:
            return f"{evidence.equation} is no equation of {self.name}"
        if evidence.read_on != ("S" if self.read_on == "local" else self.read_on):
            return f"the equations of {self.name} are not read on {evidence.read_on}"
        return evidence.check(dfa)


def linear(decide: Callable[[SyntacticSemigroup], Failure | None]) -> Refute:
    """Return a decision that needs no limit in the form of one that has a limit."""
    return lambda syntactic, _: decide(syntactic)


def row(
    name: str,
    description: str,
    equations: str,
    read_on: ReadOn,
    implies: str,
    fragment: str | None,
    member: tuple[str, str],
    non_member: tuple[str, str],
    decide: Refute,
    reference: str,
) -> Variety:
    """Return a row whose equations, and names of larger classes, are given with "; " between them."""
    laws = tuple(Equation.parse(text) for text in equations.split("; ") if text)
    above = tuple(larger for larger in implies.split("; ") if larger)
    return Variety(name, description, laws, read_on, above, fragment, member, non_member, decide, reference)
