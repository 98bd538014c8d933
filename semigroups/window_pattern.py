"""What a window of k >= 2 positions cannot keep apart, found in the minimal automaton.

Take letters B and some of them, N, the spaced ones; call the others free. Let X(B,N) be the left-infinite words over B
in which the k positions before a free letter hold all letters of B and the k positions before a spaced letter all
but that letter. (So a spaced letter comes back after k + 1 positions exactly.) In such words the colour of a position
is its letter (`semigroups.histories`). docs/windows.md proves, for k >= 1:

- Structure. Different histories are k-equivalent iff they are fz and gz for some f, g in one X(B,N) and a word z such
  that for j = k, k - 1, ..., k - |z| (not below 1) the last j positions of f and of g hold the same letters.
- LTL[Y<=k] defines a language iff it is definite and no two such histories lead to different acceptance.
- LTL[P,Y<=k] defines a language iff it is locally R-trivial and there are no such f, g, z, with f and g of the form
  xxx...t and yyy...t', states p, q in one strongly connected component of the minimal automaton, p.x = p, q.y = q, and
  exactly one of p.tz, q.t'z accepting.

What comes after f depends on the recency of each letter of B alone: how many positions ago it came last, k + 1 for
more than k. So both are questions about the finite graph of pairs (recencies, state).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from math import perm

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Word
from automata.dfa import DFA
from automata.equivalence import separating_word
from automata.errors import TooLarge, ToolkitError
from automata.graph import strong_components, word_to
from ltl.fragment import Fragment
from semigroups.window_family import WindowFamily

MAX_RECENCIES = 5_000_000
"""Pairs (recencies, state), over all sets of letters, that a search may look at unless the caller says otherwise."""


def find_window_family(dfa: DFA, fragment: Fragment, max_recencies: int = MAX_RECENCIES) -> WindowFamily | None:
    """Return a family that shows the language outside LTL[Y<=k] or LTL[P,Y<=k], k >= 2; None iff there is none.

    The automaton must be minimal and its language in LTL[Y] or LTL[P,Y], respectively. Small sets of letters are tried
    first. Raise `TooLarge` when more than `max_recencies` pairs would be looked at.

    >>> from automata.alphabet import Alphabet
    >>> no_factor_bb = DFA(Alphabet.of("ab"), [[0, 1], [0, 2], [2, 2]], 0, [True, True, False])
    >>> find_window_family(no_factor_bb, Fragment(past=True, window=2)) is None
    True
    >>> family = find_window_family(no_factor_bb, Fragment(past=True, window=3))
    >>> (family.loop, family.tail), (family.other_loop, family.other_tail), family.separating
    (('ba', ''), ('ab', ''), 'b')
    """
    window = fragment.window or 1
    blocks = strong_components(dfa.delta) if fragment.past else np.zeros(dfa.n_states, dtype=np.int32)
    larger = np.flatnonzero(np.bincount(blocks) > 1)  # a block of one state has no way out by letters on its loops
    splits = _splits(dfa, window)
    cases = 0
    for codes, spaced in _letter_sets(dfa, window):
        cases += len(codes) * perm(window, len(codes) - 1) * dfa.n_states
        if cases > max_recencies:
            raise TooLarge(f"pairs of recencies and states, window {window}", cases, max_recencies, "max_recencies")
        graph = _Graph(dfa, window, codes, spaced)
        for block in larger:
            confusion = graph.confusion(blocks == block, splits)
            if confusion is not None:
                return _family(fragment, graph, confusion, splits)
    return None


def _letter_sets(dfa: DFA, window: int) -> Iterator[tuple[tuple[int, ...], NDArray[np.bool_]]]:
    """Yield B, as codes, with N, bool[|B|]; of letters that all states treat alike the first stands for all."""
    kinds = np.sort(np.unique(dfa.delta, axis=1, return_index=True)[1]).tolist() if len(dfa.alphabet) else []
    for size in range(2, min(len(kinds), window + 1) + 1):
        for codes in combinations(kinds, size):
            for number in range(2**size):
                spaced = np.array([number >> place & 1 for place in range(size)], dtype=np.bool_)
                if spaced.all() == (size == window + 1):  # otherwise X(B,N) is empty
                    yield codes, spaced


@lru_cache(maxsize=8)
def _recencies(window: int, size: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return all recencies of so many letters, int32[v, size], and those that each letter leads to, int32[v, size].

    They are different numbers from 1 to k + 1, one of them 1. Where a letter's is k + 1 no other letter may follow
    (another would be forgotten then); -1 stands there.
    """
    rows = [row for row in permutations(range(1, window + 2), size) if 1 in row]
    number = {row: i for i, row in enumerate(rows)}
    after = [
        [number.get(tuple(1 if j == i else recency + 1 for j, recency in enumerate(row)), -1) for i in range(size)]
        for row in rows
    ]
    return np.array(rows, dtype=np.int32), np.array(after, dtype=np.int32)


def _splits(dfa: DFA, window: int) -> list[NDArray[np.intp]]:
    """Label states for each m < k, intp[n]: alike iff no word of length m (any length for m = k - 1) splits them."""
    labels = [dfa.accept.astype(np.intp)]
    for _ in range(window - 2):
        labels.append(np.unique(labels[-1][dfa.delta], axis=0, return_inverse=True)[1].ravel())
    return [*labels, np.arange(dfa.n_states)]


class _Graph:
    """The pairs of a history in X(B,N), by its recencies v, and a state s: the node v * n_states + s."""

    def __init__(self, dfa: DFA, window: int, codes: tuple[int, ...], spaced: NDArray[np.bool_]) -> None:
        self.dfa = dfa
        self.window = window
        self.codes = codes
        self.recency, after = _recencies(window, len(codes))
        # A spaced letter follows when, and only when, it is the one that the window lacks.
        is_full: NDArray[np.bool_] = np.all(self.recency <= window, axis=1)
        allowed = np.where(spaced, self.recency == window + 1, is_full[:, None])
        n = dfa.n_states
        targets = after[:, None, :] * n + dfa.delta[:, codes][None, :, :]
        self.successors = np.where((allowed & (after >= 0))[:, None, :], targets, -1).reshape(-1, len(codes))

    def confusion(self, inside: NDArray[np.bool_], splits: list[NDArray[np.intp]]) -> _Confusion | None:
        """Return two nodes that are alike before some word that splits their states, or None if there are none.

        The histories must come from loops through the states marked in `inside`, bool[n_states]. Short tails come
        before short words.
        """
        n = self.dfa.n_states
        marked = np.tile(inside, len(self.recency))
        kept = marked[:, None] & (self.successors >= 0) & marked[self.successors]
        components = strong_components(np.where(kept, self.successors, -1))
        on_loop = np.bincount(components)[components] > 1  # a loop has all letters of B, so two nodes at least
        distance = self._distances(on_loop)
        nodes = np.flatnonzero(distance >= 0)
        nodes = nodes[np.argsort(distance[nodes], kind="stable")]
        best: tuple[int, int, int, int] | None = None
        for length, labels in enumerate(splits):
            least = self.window - length
            seen = np.where(self.recency > self.window, self.recency, np.maximum(self.recency, least))
            groups = np.unique(seen, axis=0, return_inverse=True)[1].ravel()[nodes // n]
            kinds, first = np.unique(np.stack((groups, labels[nodes % n]), axis=1), axis=0, return_index=True)
            pairs = np.flatnonzero(kinds[1:, 0] == kinds[:-1, 0])
            if len(pairs):
                ends = np.stack((nodes[first[pairs]], nodes[first[pairs + 1]]))
                tails = distance[ends].sum(axis=0)
                nearest = int(np.argmin(tails))
                found = (int(tails[nearest]), length, *ends[:, nearest].tolist())
                best = found if best is None else min(best, found)
        return None if best is None else _Confusion(*best[1:], distance, on_loop)

    def _distances(self, sources: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return the least number of letters from a source to each node, -1 where none lead."""
        distance = np.where(sources, np.int32(0), np.int32(-1))
        frontier = np.flatnonzero(sources)
        steps = 0
        while len(frontier):
            steps += 1
            reached = np.unique(self.successors[frontier])
            frontier = reached[(reached >= 0) & (distance[reached] < 0)]
            distance[frontier] = steps
        return distance

    def history(self, confusion: _Confusion, node: int) -> tuple[int, Word, Word]:
        """Return a state, a loop through it and a least tail from it that end in a node."""
        distance = confusion.distance
        tail: list[int] = []
        while distance[node]:
            before = np.argwhere((self.successors == node) & (distance == distance[node] - 1)[:, None])
            node, letter = before[0].tolist()
            tail.append(self.codes[letter])
        came: dict[int, tuple[int, int]] = {}
        waiting = [node]
        for here in waiting:  # the list grows while it is read, until a least cycle through the node is closed
            if node in came:
                break
            for letter, target in enumerate(self.successors[here].tolist()):
                if target >= 0 and confusion.on_loop[target] and target not in came:
                    came[target] = here, letter
                    waiting.append(target)
        here, letter = came[node]
        loop = [self.codes[letter]]
        while here != node:
            here, letter = came[here]
            loop.append(self.codes[letter])
        decode = self.dfa.alphabet.decode
        return node % self.dfa.n_states, decode(loop[::-1]), decode(tail[::-1])


@dataclass(frozen=True)
class _Confusion:
    """Two nodes alike before every word of a length, one of which splits their states.

    `distance` tells how far each node is from the loops that are allowed, and `on_loop` marks the nodes on them.
    """

    length: int
    left: int
    right: int
    distance: NDArray[np.int32]
    on_loop: NDArray[np.bool_]


def _family(fragment: Fragment, graph: _Graph, confusion: _Confusion, splits: list[NDArray[np.intp]]) -> WindowFamily:
    """Spell out two nodes as a family."""
    dfa = graph.dfa
    inside, outside = confusion.left, confusion.right
    word = _separating(dfa, inside % dfa.n_states, outside % dfa.n_states, splits, confusion.length)
    if not dfa.accept[dfa.run(word, inside % dfa.n_states)[-1]]:
        inside, outside = outside, inside
    p, loop, tail = graph.history(confusion, inside)
    q, other_loop, other_tail = graph.history(confusion, outside)
    access, other_access = word_to(dfa, dfa.start, p), word_to(dfa, dfa.start, q)
    if access is None or other_access is None:
        raise ToolkitError(f"one of the states {p} and {q} is out of reach; minimize the automaton first")
    there, back = (word_to(dfa, p, q), word_to(dfa, q, p)) if fragment.past else (None, None)
    local = None if fragment.past else other_access
    return WindowFamily(fragment, dfa.alphabet, access, loop, tail, other_loop, other_tail, word, local, there, back)


def _separating(dfa: DFA, p: int, q: int, splits: list[NDArray[np.intp]], length: int) -> Word:
    """Return the first word of this length that splits two states; the least of all where the length is k - 1."""
    if length == len(splits) - 1:
        found = separating_word(dfa, p, q)
        if found is None:
            raise ToolkitError(f"states {p} and {q} are equivalent; minimize the automaton first")
        return found
    codes = []
    for labels in splits[:length][::-1]:
        code = int(np.argmax(labels[dfa.delta[p]] != labels[dfa.delta[q]]))
        codes.append(code)
        p, q = int(dfa.delta[p, code]), int(dfa.delta[q, code])
    return dfa.alphabet.decode(codes)
