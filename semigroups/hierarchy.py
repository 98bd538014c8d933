"""The table of classes that are read off the minimal automaton, and that no set of equations defines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from automata.dfa import DFA
from ltl.fragment import LTL_P
from semigroups.forbidden import forbidden_pattern
from semigroups.pairs import MAX_PAIRS
from semigroups.pumping import pumping_family
from semigroups.strictly_local import suffix_substitution
from semigroups.strictly_piecewise import deleted_letter
from semigroups.stutter import stutter
from semigroups.syntactic import MAX_CELLS, MAX_ELEMENTS
from semigroups.tier import OnTier, project_to_tier, tier_violation
from semigroups.verdict import Evidence


@dataclass(frozen=True)
class Limits:
    """How far a decision on an automaton may go: pairs of states; elements of a semigroup, and these times states."""

    max_pairs: int = MAX_PAIRS
    max_elements: int = MAX_ELEMENTS
    max_cells: int = MAX_CELLS


Refute: TypeAlias = Callable[[DFA, Limits], Evidence | None]
"""Returns evidence that the language of a minimal automaton is outside the class, None iff it is inside."""


@dataclass(frozen=True)
class SubregularClass:
    """A class of languages decided on the minimal automaton.

    `implies` names the smallest classes, here or among the varieties, that contain it, and `contains` a variety that it
    contains, if it is the tier-based version of one; `member` and `non_member` are
    examples, as a regular expression and the letters of its alphabet. `refute` raises `TooLarge` past its limits.
    """

    name: str
    description: str
    implies: tuple[str, ...]
    member: tuple[str, str]
    non_member: tuple[str, str]
    refute: Refute
    reference: str
    contains: str | None = None


def _on_tier(minimal: DFA, limits: Limits) -> OnTier | None:
    projection = project_to_tier(minimal)
    found = suffix_substitution(projection, limits.max_pairs)
    return None if found is None else OnTier(projection.alphabet.letters, found)


def _tier_version(variety: str) -> Refute:
    return lambda minimal, limits: tier_violation(minimal, variety, limits.max_elements, limits.max_cells)


def _non_strict_past(minimal: DFA, limits: Limits) -> Evidence | None:
    pattern = forbidden_pattern(minimal, LTL_P, limits.max_pairs)
    return stutter(minimal) if pattern is None else pumping_family(pattern)


HIERARCHY: Mapping[str, SubregularClass] = {
    row.name: row
    for row in (
        SubregularClass(
            "strictly local",
            "the factors of some length k, with the word's ends marked, are all allowed ones",
            ("locally testable", "tier-based strictly local"),
            ("(ab)*", "ab"),
            (".*a.*", "ab"),
            lambda minimal, limits: suffix_substitution(minimal, limits.max_pairs),
            "McNaughton and Papert 1971; Rogers and Pullum 2011",
        ),
        SubregularClass(
            "strictly piecewise",
            "closed under deleting letters: no subsequence of a word is a forbidden one",
            ("piecewise testable",),
            ("a*b*", "ab"),
            (".*a.*", "ab"),
            lambda minimal, limits: deleted_letter(minimal, limits.max_pairs),
            "Haines 1969; Rogers et al. 2010",
        ),
        SubregularClass(
            "tier-based strictly local",
            "strictly local after deleting the letters that change nothing",
            ("tier-based locally testable",),
            ("c*(ac*bc*)*", "abc"),
            (".*ab.*", "abc"),
            _on_tier,
            "Heinz, Rawal and Tanner 2011; Lambert and Rogers 2020",
        ),
        SubregularClass(
            "tier-based locally testable",
            "locally testable after deleting the letters that change nothing",
            ("tier-based locally threshold testable",),
            (".*ac*b.*", "abc"),
            ("b*aa*bb*a*", "ab"),
            _tier_version("locally testable"),
            "Lambert and Rogers 2020",
            "locally testable",
        ),
        SubregularClass(
            "tier-based locally threshold testable",
            "locally threshold testable after deleting the letters that change nothing",
            ("tier-based dot-depth one",),
            ("b*aa*bb*a*", "ab"),
            ("(.*a.*b.*)&(.*c.*)", "abc"),
            _tier_version("locally threshold testable"),
            "Lambert and Rogers 2020",
            "locally threshold testable",
        ),
        SubregularClass(
            "tier-based dot-depth one",
            "of dot-depth one (piecewise locally testable) after deleting the letters that change nothing",
            ("star-free",),
            (".*a.*b.*", "abc"),
            ("(a(ab)*b)*", "ab"),
            _tier_version("dot-depth one"),
            "Lambert and Rogers 2020",
            "dot-depth one",
        ),
        SubregularClass(
            "LTL[O]",
            "in LTL[P] and closed under stuttering: what the past that includes the present defines",
            ("R-trivial",),
            ("b.*", "ab"),
            ("bb.*", "ab"),
            _non_strict_past,
            "proof in the module stutter",
        ),
    )
}
"""The classes by name."""
