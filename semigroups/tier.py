"""The tier of a language: its salient letters; tier-based classes are plain classes of the projection.

A letter is neutral iff inserting or deleting it changes no word's membership, that is, iff it fixes every state of the
minimal automaton; the other letters are salient. For a tier T, a set of letters, a language is T-tier-based C iff it is
the inverse image, under deleting the letters outside T, of a language over T in the class C; it is tier-based C iff it
is so for some T. (Heinz, Rawal & Tanner 2011 for C strictly local; Lambert & Rogers, Tier-based strictly local
stringsets: perspectives from model and automata theory, 2020; Lambert, Relativized adjacency, 2023.)

The tier need not be searched for. Let L be T-tier-based C. Letters outside T are neutral, so T holds the salient
letters, Q. With K the language over T, the projection of L to Q is K cut down to words over Q. Where C is closed under
cutting down to words over fewer letters, the projection is in C over Q, and L is its inverse image, as the letters
outside Q are neutral. So L is tier-based C iff its projection to the salient letters is in C, with the same k. The
closure holds for strictly k-local languages (leave out factors with other letters), for k-testable ones, with
thresholds or without (words over fewer letters have their factors there), and for every variety of languages over
non-empty words (their syntactic semigroup divides that of the whole).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.minimize import minimize
from semigroups.factor_grammar import MAX_FACTORS, factor_grammar
from semigroups.pairs import MAX_PAIRS
from semigroups.strictly_local import strictly_local_order, suffix_substitution
from semigroups.syntactic import MAX_CELLS, MAX_ELEMENTS, syntactic_semigroup
from semigroups.variety import VARIETIES


class Evidence(Protocol):
    """Evidence about the language of an automaton, for or against a class."""

    def check(self, dfa: DFA) -> str | None:
        """Return None iff the evidence holds for the language of the automaton, else the fault in words."""

    def to_dict(self) -> dict[str, Any]:
        """Return the evidence as plain data for JSON."""


@dataclass(frozen=True)
class OnTier:
    """Evidence about the projection of a language to its tier, for or against the tier-based class.

    `tier` holds the salient letters in the order of the alphabet; `evidence` is about the language of the members over
    the tier alone.
    """

    tier: tuple[str, ...]
    evidence: Evidence

    def check(self, dfa: DFA) -> str | None:
        """Return None iff the tier holds just the salient letters and the evidence holds for the projection.

        Letter by letter, the minimal automaton must have a state that the letter moves for those in the tier, and none
        for the others. Over the tier, an automaton reads as before.
        """
        minimal = minimize(dfa)
        order = [letter for letter in dfa.alphabet if letter in self.tier]
        if order != list(self.tier):
            return "the tier must hold letters of the alphabet, in their order"
        for letter in dfa.alphabet:
            moves = any(minimal.step(state, letter) != state for state in range(minimal.n_states))
            if moves != (letter in self.tier):
                return f"letter {letter!r} is {'salient' if moves else 'neutral'}"
        columns = [dfa.alphabet.index[letter] for letter in self.tier]
        return self.evidence.check(DFA(Alphabet(self.tier), dfa.delta[:, columns], dfa.start, dfa.accept))

    def to_dict(self) -> dict[str, Any]:
        """Return the evidence as plain data for JSON: {"kind", "tier", "evidence"}."""
        return {"kind": "on tier", "tier": list(self.tier), "evidence": self.evidence.to_dict()}


def salient(minimal: DFA) -> NDArray[np.bool_]:
    """Mark the letters that move some state of a minimal automaton, bool[n_letters].

    >>> salient(DFA(Alphabet.of("abc"), [[1, 0, 0], [1, 1, 1]], 0, [False, True])).tolist()  # contains a
    [True, False, False]
    """
    return np.asarray((minimal.delta != np.arange(minimal.n_states)[:, None]).any(axis=0), dtype=np.bool_)


def project_to_tier(minimal: DFA) -> DFA:
    """Return the minimal automaton of the members over the salient letters, over these letters alone.

    The states are those of the given minimal automaton: letters that move none neither reach nor tell apart any.

    >>> project_to_tier(DFA(Alphabet.of("abc"), [[1, 0, 0], [1, 1, 1]], 0, [False, True]))
    DFA(Alphabet(letters=('a',)), [[1], [1]], start=0, accepting=[1])
    """
    kept = np.flatnonzero(salient(minimal))
    letters = tuple(minimal.alphabet.letters[code] for code in kept)
    return DFA(Alphabet(letters), minimal.delta[:, kept], minimal.start, minimal.accept)


def tier_strictly_local_order(minimal: DFA, max_pairs: int = MAX_PAIRS) -> int | None:
    """Return the least k such that the language of a minimal automaton is tier-based strictly k-local; None if none is.

    The tier is that of the salient letters. Raise `TooLarge` as `strictly_local_order` does.

    >>> tier_strictly_local_order(DFA(Alphabet.of("abc"), [[1, 0, 0], [1, 1, 1]], 0, [False, True]))  # contains a
    2
    """
    return strictly_local_order(project_to_tier(minimal), max_pairs)


def tier_strictly_local_evidence(minimal: DFA, max_pairs: int = MAX_PAIRS, max_factors: int = MAX_FACTORS) -> OnTier:
    """Return a grammar over the tier if the language is tier-based strictly local, else members that exclude it.

    Raise `TooLarge` as `factor_grammar` does.
    """
    projection = project_to_tier(minimal)
    against = suffix_substitution(projection, max_pairs)
    if against is not None:
        return OnTier(projection.alphabet.letters, against)
    return OnTier(projection.alphabet.letters, factor_grammar(projection, max_pairs, max_factors))


def tier_violation(
    minimal: DFA, variety: str, max_elements: int = MAX_ELEMENTS, max_cells: int = MAX_CELLS
) -> OnTier | None:
    """Return evidence that a language is not tier-based in a variety, a name in `VARIETIES`; None iff it is.

    Tier-based locally testable, locally threshold testable and piecewise-locally testable (dot-depth one) are so
    decided on the syntactic semigroup of the projection. Raise `TooLarge` as `syntactic_semigroup` does.

    >>> a_then_b = DFA(Alphabet.of("abc"), [[1, 0, 0], [1, 2, 1], [2, 2, 2]], 0, [False, False, True])
    >>> tier_violation(a_then_b, "locally testable") is None  # contains ab when all c are deleted
    True
    """
    projection = project_to_tier(minimal)
    against = VARIETIES[variety].violation(syntactic_semigroup(projection, max_elements, max_cells))
    return None if against is None else OnTier(projection.alphabet.letters, against)
