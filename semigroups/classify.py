"""Verdicts: a language against a fragment of temporal logic, and against every fragment and variety at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NoReturn

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError, join_words
from automata.minimize import minimize
from ltl.fragment import LTL_P, LTL_PY, LTL_Y, Fragment
from semigroups.certificate import Definition
from semigroups.definite import definite_order
from semigroups.equation import Violation
from semigroups.forbidden import admits, forbidden_pattern
from semigroups.pairs import MAX_PAIRS
from semigroups.pumping import pumping_family
from semigroups.syntactic import MAX_CELLS, MAX_ELEMENTS, SyntacticSemigroup, syntactic_semigroup
from semigroups.synthesize import MAX_CASES, synthesize
from semigroups.variety import VARIETIES
from semigroups.verdict import Verdict

FRAGMENTS: tuple[Fragment, ...] = (LTL_P, LTL_Y, LTL_PY)
"""The fragments that `classify` decides."""


@dataclass(frozen=True)
class Membership:
    """Whether a language belongs to a variety of `VARIETIES`, with the evidence if it does not.

    `holds` is None, or False without a `violation`, only where `bound` says that the syntactic semigroup is too large.
    """

    variety: str
    holds: bool | None
    violation: Violation | None = None
    bound: str | None = None

    def __bool__(self) -> NoReturn:
        raise TypeError("a membership may be undecided and is not a truth value; read its `holds`: True, False or None")


@dataclass(frozen=True)
class Classification:
    """Every verdict about one language: by fragment of temporal logic, and by variety.

    `dfa` is the minimal automaton. `definite_order` is the number of last letters that decide membership of longer
    words, None if no number does. `semigroup_size` and `monoid_size` count the elements of the syntactic semigroup and
    monoid, None if there are too many.
    """

    dfa: DFA
    verdicts: tuple[Verdict, ...]
    varieties: tuple[Membership, ...]
    definite_order: int | None
    semigroup_size: int | None
    monoid_size: int | None

    @property
    def alphabet(self) -> Alphabet:
        """The declared letters, in order."""
        return self.dfa.alphabet

    def verdict(self, fragment: Fragment) -> Verdict:
        """Return the verdict on one of `FRAGMENTS`; raise `ToolkitError` for another."""
        for verdict in self.verdicts:
            if verdict.fragment == fragment:
                return verdict
        known = join_words([verdict.fragment.name for verdict in self.verdicts], "and")
        raise ToolkitError(f"a classification has verdicts on {known}, not on {fragment.name}")

    def membership(self, variety: str) -> Membership:
        """Return the answer for one of `VARIETIES` by name; raise `ToolkitError` for another."""
        for membership in self.varieties:
            if membership.variety == variety:
                return membership
        known = join_words([membership.variety for membership in self.varieties], "and")
        raise ToolkitError(f"there is no variety named {variety!r}; there are {known}")

    def to_dict(self) -> dict[str, Any]:
        """Return the classification as plain data for JSON; words as strings or lists of letters."""
        return {
            "alphabet": list(self.alphabet),
            "states": self.dfa.n_states,
            "fragments": {verdict.fragment.name: verdict.to_dict() for verdict in self.verdicts},
            "varieties": {membership.variety: membership.holds for membership in self.varieties},
            "violations": {
                membership.variety: membership.violation.to_dict()
                for membership in self.varieties
                if membership.violation is not None
            },
            "bounds": {m.variety: m.bound for m in self.varieties if m.bound is not None},
            "definite order": self.definite_order,
            "semigroup": self.semigroup_size,
            "monoid": self.monoid_size,
        }


def decide(
    dfa: DFA,
    fragment: Fragment,
    *,
    certify: bool = True,
    max_pairs: int = MAX_PAIRS,
    max_cases: int = MAX_CASES,
) -> Verdict:
    """Decide whether LTL[P], LTL[Y] or LTL[P,Y] defines the language of an automaton, minimal or not.

    With `certify` the verdict carries its certificate, whose `check` tests it without this code. A limit reached
    gives a verdict that says so: `max_pairs` pairs of states looked at by the decision, `max_cases` suffixes by the
    synthesis of the formula. Raise `ToolkitError` for another fragment.

    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> decide(ends_with_a, LTL_Y).holds, decide(ends_with_a, LTL_P).certificate.pair(1)
    (True, ('aba', 'abab'))
    """
    minimal = minimize(dfa)
    try:
        if not certify:
            return Verdict(fragment, admits(minimal, fragment, max_pairs))
        pattern = forbidden_pattern(minimal, fragment, max_pairs)
    except TooLarge as error:
        return Verdict(fragment, None, bound=str(error))
    if pattern is not None:
        return Verdict(fragment, False, pumping_family(pattern))
    try:
        return Verdict(fragment, True, Definition(fragment, synthesize(minimal, fragment, max_cases)))
    except TooLarge as error:
        return Verdict(fragment, True, bound=str(error))


def classify(
    dfa: DFA,
    *,
    certify: bool = True,
    max_elements: int = MAX_ELEMENTS,
    max_cells: int = MAX_CELLS,
    max_pairs: int = MAX_PAIRS,
    max_cases: int = MAX_CASES,
) -> Classification:
    """Classify the language of an automaton: a verdict for each of `FRAGMENTS`, an answer for each of `VARIETIES`.

    The fragments are decided on the minimal automaton, with the limits of `decide`; the varieties on the syntactic
    semigroup, with the limits of `syntactic_semigroup`. Where it is larger, the varieties that the fragments' verdicts
    imply are answered without evidence and the others are left open; `bound` says why. The other way round, a fragment
    left open for a limit is answered, without certificate, by the variety that is the same class.

    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> [verdict.holds for verdict in classify(ends_with_a).verdicts]
    [False, True, True]
    """
    minimal = minimize(dfa)
    verdicts = tuple(
        decide(minimal, fragment, certify=certify, max_pairs=max_pairs, max_cases=max_cases) for fragment in FRAGMENTS
    )
    syntactic: SyntacticSemigroup | None = None
    try:
        syntactic = syntactic_semigroup(minimal, max_elements, max_cells)
        varieties = tuple(_membership(name, syntactic) for name in VARIETIES)
    except TooLarge as error:
        varieties = tuple(Membership(name, _implied(name, verdicts), bound=str(error)) for name in VARIETIES)
    answers = {membership.variety: membership.holds for membership in varieties}
    return Classification(
        minimal,
        tuple(v if v.holds is not None else replace(v, holds=answers[_SAME_CLASS[v.fragment]]) for v in verdicts),
        varieties,
        definite_order(minimal),
        None if syntactic is None else len(syntactic),
        None if syntactic is None else syntactic.monoid_size,
    )


_SAME_CLASS = {LTL_P: "R-trivial", LTL_Y: "definite", LTL_PY: "locally R-trivial"}


def _membership(name: str, syntactic: SyntacticSemigroup) -> Membership:
    found = VARIETIES[name].violation(syntactic)
    return Membership(name, found is None, found)


# For each variety a fragment that defines no more than its languages, and one that defines all of them.
_BETWEEN: dict[str, tuple[Fragment | None, Fragment | None]] = {
    "star-free": (LTL_PY, None),
    "R-trivial": (LTL_P, LTL_P),
    "L-trivial": (LTL_Y, None),
    "piecewise testable": (None, LTL_P),
    "definite": (LTL_Y, LTL_Y),
    "reverse definite": (None, LTL_P),
    "finite or cofinite": (None, LTL_P),
    "locally testable": (LTL_Y, LTL_PY),
    "locally R-trivial": (LTL_PY, LTL_PY),
}


def _implied(name: str, verdicts: tuple[Verdict, ...]) -> bool | None:
    """Return what the verdicts on the fragments say about a variety, None if they leave it open."""
    holds = {verdict.fragment: verdict.holds for verdict in verdicts}
    inside, outside = _BETWEEN[name]
    if inside is not None and holds[inside]:
        return True
    if outside is not None and holds[outside] is False:
        return False
    return None
