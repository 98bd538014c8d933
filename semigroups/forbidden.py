"""Forbidden patterns: membership in LTL[P], LTL[Y] and LTL[P,Y], read off the minimal automaton.

A regular language is outside the fragment iff its minimal automaton has two states p != q such that

- LTL[P]: p and q lie in one strongly connected component (the syntactic monoid is not R-trivial) [P1];
- LTL[Y]: one non-empty word u fixes both, p.u = p and q.u = q (the language is not definite) [P2];
- LTL[P,Y]: both at once (the syntactic semigroup is not locally R-trivial) [P2, CPP].

No semigroup is built. [P1] Li & Cotterell, arXiv 2505.23623; [P2] Li & Cotterell, arXiv 2605.00768;
[CPP] Cohen, Perrin & Pin, On the expressive power of temporal logic, 1993.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Word
from automata.dfa import DFA
from automata.equivalence import separating_word
from automata.errors import ToolkitError
from automata.graph import strong_components, word_to
from ltl.fragment import LTL_P, LTL_PY, LTL_Y, Fragment
from semigroups.definite import definite_order, merge_equal_rows
from semigroups.loops import least_common_loop, walk_to_common_loop
from semigroups.pairs import MAX_PAIRS, cyclic_pairs

_FEW_CELLS = 100_000  # squares of the blocks' sizes up to which all pairs are soon looked at


@dataclass(frozen=True)
class ForbiddenPattern:
    """Two states of a minimal automaton that no formula of the fragment can keep apart, with words as evidence.

    `access_p` and `access_q` lead from the start to p and to q; after `separating` p accepts and q does not.
    `there` leads p to q and `back` leads q to p (None for LTL[Y]); the non-empty `loop` leads p to p and q to q (None
    for LTL[P]).
    """

    fragment: Fragment
    alphabet: Alphabet
    p: int
    q: int
    access_p: Word
    access_q: Word
    separating: Word
    loop: Word | None = None
    there: Word | None = None
    back: Word | None = None


def admits(dfa: DFA, fragment: Fragment, max_pairs: int = MAX_PAIRS) -> bool:
    """True iff some formula of the fragment, LTL[P], LTL[Y] or LTL[P,Y], defines the language of a minimal automaton.

    With n states and k letters LTL[P] takes O(n k) steps, LTL[Y] O(n k log n), and LTL[P,Y] at worst k times the pairs
    of states that share a strongly connected component. Raise `ToolkitError` for another fragment and `TooLarge` when
    LTL[P,Y] would look at more than `max_pairs` pairs.

    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> [admits(ends_with_a, fragment) for fragment in (LTL_P, LTL_Y, LTL_PY)]
    [False, True, True]
    """
    _require_supported(fragment)
    if fragment == LTL_P:
        return len(np.unique(strong_components(dfa.delta))) == dfa.n_states
    if fragment == LTL_Y:
        return definite_order(dfa) is not None
    return not _Quotient(dfa, fragment).has_common_loop(max_pairs)


def forbidden_pattern(dfa: DFA, fragment: Fragment, max_pairs: int = MAX_PAIRS) -> ForbiddenPattern | None:
    """Return the fragment's forbidden pattern in a minimal automaton, or None iff `admits(dfa, fragment)`.

    The words are short: access and separating words, ways there and back are least; the loop is least among all words
    that fix two states where `least_common_loop` finds it, otherwise some loop. Raise what `admits` raises, and
    `ToolkitError` where a state found cannot be reached or told apart, since then the automaton is not minimal.

    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> pattern = forbidden_pattern(ends_with_a, LTL_P)
    >>> pattern.p, pattern.q, pattern.there, pattern.back, pattern.separating
    (1, 0, 'b', 'a', '')
    """
    _require_supported(fragment)
    if fragment == LTL_P:
        found = _first_cycle(dfa)
        loop: Word | None = None
    else:
        found, loop = _common_loop(dfa, fragment, max_pairs)
    if found is None:
        return None
    p, q = found
    separating = separating_word(dfa, p, q)
    if separating is not None and dfa.accept[dfa.run(separating, q)[-1]]:
        p, q = q, p
    access_p, access_q = word_to(dfa, dfa.start, p), word_to(dfa, dfa.start, q)
    if access_p is None or access_q is None or separating is None:
        raise ToolkitError(
            f"states {p} and {q}: one is out of reach or both are equivalent; minimize the automaton first"
        )
    there = back = None
    if fragment.past:
        there, back = word_to(dfa, p, q), word_to(dfa, q, p)
    return ForbiddenPattern(fragment, dfa.alphabet, p, q, access_p, access_q, separating, loop, there, back)


def _require_supported(fragment: Fragment) -> None:
    if fragment not in (LTL_P, LTL_Y, LTL_PY):
        raise ToolkitError(f"forbidden patterns decide LTL[P], LTL[Y] and LTL[P,Y], not {fragment.name}")


def _first_cycle(dfa: DFA) -> tuple[int, int] | None:
    """Return the first state that shares its component with another, and the first such neighbour of it."""
    components = strong_components(dfa.delta)
    inside = (components[dfa.delta] == components[:, None]) & (dfa.delta != np.arange(dfa.n_states)[:, None])
    if not inside.any():
        return None
    p, code = divmod(int(inside.argmax()), len(dfa.alphabet))
    return p, int(dfa.delta[p, code])


def _common_loop(dfa: DFA, fragment: Fragment, max_pairs: int) -> tuple[tuple[int, int] | None, Word | None]:
    """Return states p < q and a non-empty word that fixes both, in one component if the fragment has P."""
    quotient = _Quotient(dfa, fragment)
    found = quotient.common_loop(max_pairs)
    if found is None:
        return None, None
    codes, left, right = found
    ends = []
    for state in (int(quotient.first[left]), int(quotient.first[right])):
        # The loop fixes the class of the state; going round, the run settles on one state of the class.
        here, previous = state, -1
        while here != previous:
            previous = here
            for code in codes:
                here = int(dfa.delta[here, code])
        ends.append(here)
    return (min(ends), max(ends)), dfa.alphabet.decode(codes)


class _Quotient:
    """The automaton cut into blocks, with states merged that no word fixes together.

    The blocks are the strongly connected components if the fragment has P, else there is one. Transitions out of a
    block are dropped (-1). Two states with equal rows are on no common loop and enter the same pairs, so merging them
    keeps every cycle of the pair graph and adds none.
    """

    def __init__(self, dfa: DFA, fragment: Fragment) -> None:
        blocks = strong_components(dfa.delta) if fragment.past else np.zeros(dfa.n_states, dtype=np.int32)
        inner = np.where(blocks[dfa.delta] == blocks[:, None], dfa.delta, np.int32(-1))
        labels, _ = merge_equal_rows(inner)
        self.first = np.unique(labels, return_index=True)[1]
        rows = inner[self.first]
        self.table: NDArray[np.int32] = np.where(rows < 0, np.int32(-1), labels[rows])
        self.blocks: NDArray[np.int32] = blocks[self.first]
        self.is_complete = not fragment.past

    def has_common_loop(self, max_pairs: int) -> bool:
        """True iff `common_loop` finds one; where there are few pairs, they are looked at without words."""
        sizes = np.unique(self.blocks, return_counts=True)[1]
        if self.is_complete or int((sizes * sizes).sum()) > min(2 * max_pairs, _FEW_CELLS):
            return self.common_loop(max_pairs) is not None
        return len(cyclic_pairs(self.table, self.blocks, max_pairs)) > 0

    def common_loop(self, max_pairs: int) -> tuple[list[int], int, int] | None:
        """Return (codes of a non-empty word u, P, Q), P != Q classes of one block, both fixed by u; None if none is."""
        n = len(self.table)
        if len(np.unique(self.blocks)) == n:
            return None
        codes = least_common_loop(self.table, self.blocks)
        if codes is not None:
            return codes, *self._fixed_pair(codes)
        if self.is_complete:
            # Classes that differ have rows that differ: from every pair a letter leads to a pair of distinct classes.
            return walk_to_common_loop(self.table, (0, 1), lambda p, q: p != q)
        pairs = cyclic_pairs(self.table, self.blocks, max_pairs)
        if not len(pairs):
            return None

        def lies_on_cycle(p: int, q: int) -> bool:
            number = min(p, q) * n + max(p, q)
            place = int(np.searchsorted(pairs, number))
            return place < len(pairs) and int(pairs[place]) == number

        return walk_to_common_loop(self.table, divmod(int(pairs[0]), n), lies_on_cycle)

    def _fixed_pair(self, codes: list[int]) -> tuple[int, int]:
        states = np.arange(len(self.table), dtype=np.int32)
        images = states
        for code in codes:
            images = np.where(images < 0, np.int32(-1), self.table[images, code])
        fixed = np.flatnonzero(images == states)
        blocks = self.blocks[fixed]
        twice = np.isin(blocks, np.unique(blocks)[np.unique(blocks, return_counts=True)[1] > 1])
        left = int(fixed[twice][0])
        right = int(fixed[(blocks == self.blocks[left]) & (fixed > left)][0])
        return left, right
