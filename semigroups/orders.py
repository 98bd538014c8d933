"""How long the prefixes and suffixes must be that decide membership: reverse definite, generalised definite languages.

A language is reverse definite of order k iff words with the same prefix of length k (or the same word, if shorter) are
all inside or all outside, and generalised definite of order k iff words with the same prefix and the same suffix of
length k (or the same word, if shorter) are; prefix and suffix may overlap. For suffixes alone see
`semigroups.definite`. Brzozowski, Canonical regular expressions and minimal state graphs for definite events, 1962;
Ginzburg, About some properties of definite, reverse-definite and related automata, 1966.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from automata.dfa import DFA
from automata.errors import TooLarge
from semigroups.distinct_pairs import UNBOUNDED, longest_paths, longest_walks
from semigroups.pairs import MAX_PAIRS

_ENDLESS = np.iinfo(np.int32).max  # stands for lengths without bound where lengths are compared


def reverse_definite_order(minimal: DFA) -> int | None:
    """Return the least k such that the first k letters decide membership in a minimal automaton's language; else None.

    None means that the language is not reverse definite. The first k letters decide iff every word of length k leads to
    a state that no letter leaves; k is one more than the length of the longest word that leads to any other state.

    >>> from automata.alphabet import Alphabet
    >>> a_first = DFA(Alphabet.of("ab"), [[1, 2], [1, 1], [2, 2]], 0, [False, True, False])
    >>> reverse_definite_order(a_first)
    1
    """
    moved = (minimal.delta != np.arange(minimal.n_states)[:, None]).any(axis=1)
    order = int(_greatest_depths(minimal)[moved].max(initial=-1)) + 1
    return None if order > _ENDLESS else order


def generalised_definite_order(minimal: DFA, max_pairs: int = MAX_PAIRS) -> int | None:
    """Return the least k such that the first and last k letters decide membership; None if none do.

    The automaton must be minimal. Words with the same prefix u of length k and the same suffix of length k stay alike
    when letters are added to both, so k will do iff such words lead to one state. Of words u v this says

    - where v has k letters or more: after u no two states can be reached that a word of length k keeps apart;
    - where the suffix begins inside of u = y s, s not empty, v as long as y: s v leads from any state r that can be
      reached after u to where it leads after y, namely where u v does.

    The least k of the first condition, k', is one more than the greatest length such that words of this length lead to
    a state before two that a word of this length keeps apart. The second can fail for k >= k' only if y is shorter than
    k', since y and s then lead past the first k' letters of u; and only for k < 2k', as the rest of s v is then long
    enough to merge. It is tried for these y by following the states r and those after y and r. Raise `TooLarge` beyond
    `max_pairs` pairs of states, or of such triples.

    >>> from automata.alphabet import Alphabet
    >>> a_to_b = DFA(Alphabet.of("ab"), [[1, 2], [1, 3], [2, 2], [1, 3]], 0, [False, False, False, True])
    >>> generalised_definite_order(a_to_b)
    1
    """
    walks = longest_walks(minimal.delta, max_pairs)
    walks[walks == UNBOUNDED] = _ENDLESS
    np.fill_diagonal(walks, -1)
    reach = _reachable(minimal.delta)
    depths = _greatest_depths(minimal)
    deepest = reach[depths == _ENDLESS].astype(np.float32)
    together = np.where(deepest.T @ deepest > 0, np.int32(_ENDLESS), np.int32(-1))  # depth of a state that reaches both
    if int(np.minimum(together, walks).max()) == _ENDLESS:
        return None
    for state in np.argsort(-depths, kind="stable")[len(deepest) :]:
        after = np.flatnonzero(reach[state])
        block = np.ix_(after, after)
        together[block] = np.maximum(together[block], depths[state])
    order = int(np.minimum(together, walks).max()) + 1
    starts = np.array([minimal.start])
    separate = order
    for length in range(separate):
        order = max(order, length + _longest_overlap(minimal.delta, walks, reach, starts, length, max_pairs) + 1)
        starts = np.unique(minimal.delta[starts])
    return order


def _longest_overlap(
    delta: NDArray[np.int32],
    walks: NDArray[np.int32],
    reach: NDArray[np.bool_],
    starts: NDArray[np.int32],
    length: int,
    max_pairs: int,
) -> int:
    """Return the greatest length of a word s that shows the second condition to fail for words y of a length; else 0.

    `starts` are the states after words y. With p the state after y s, some state r that p reaches has r.s kept apart
    from p by a word as long as y. As p is reached from every state on the way, so is r.
    """
    n = len(delta)
    after_y = np.repeat(starts, n).astype(np.int64)
    r = np.tile(np.arange(n, dtype=np.int64), len(starts))
    after_r = r
    longest = steps = 0
    while True:
        kept = reach[after_y, r] & (walks[after_y, after_r] >= length)
        triples = np.unique((r[kept] * n + after_y[kept]) * n + after_r[kept])
        if not len(triples):
            return longest
        if len(triples) > max_pairs:
            raise TooLarge("triples of states", len(triples), max_pairs, "max_pairs")
        longest = steps
        steps += 1
        rest, after_r = np.divmod(triples, n)
        r, after_y = np.divmod(rest, n)
        r = np.repeat(r, delta.shape[1])
        after_y, after_r = (delta[states].ravel().astype(np.int64) for states in (after_y, after_r))


def _greatest_depths(minimal: DFA) -> NDArray[np.int32]:
    """Return the length of the longest word that leads to each state, int32[n], `_ENDLESS` where they have no bound."""
    n, n_letters = minimal.delta.shape
    origins = np.repeat(np.arange(n, dtype=np.int32), n_letters)
    depths = longest_paths(n, minimal.delta.ravel(), origins)
    return np.where(depths == UNBOUNDED, np.int32(_ENDLESS), depths)


def _reachable(delta: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Mark the states [p, q] such that some word, perhaps empty, leads p to q, bool[n, n]."""
    reach = np.eye(len(delta), dtype=np.bool_)
    reach[np.arange(len(delta))[:, None], delta] = True
    while True:
        more = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if np.array_equal(more, reach):
            return reach
        reach = more
