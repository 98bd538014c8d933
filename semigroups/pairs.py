"""The graph on pairs of states within a block: which pairs lie on cycles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from automata.errors import TooLarge
from automata.graph import strong_components

MAX_PAIRS = 20_000_000
"""Pairs of states that a decision may look at unless the caller says otherwise: one block of 6,300 states.

Over two letters they take up to about 110 bytes each, and up to about 30 more for each further letter."""

_SHRINKING = 8  # stripping dead ends pays for itself while a round drops one pair in eight


def cyclic_pairs(table: NDArray[np.int32], blocks: NDArray[np.int32], max_pairs: int = MAX_PAIRS) -> NDArray[np.int64]:
    """Return the pairs (p, q), p < q, that lie on cycles of the pair graph, as sorted numbers p * n + q, int64[...].

    The vertices of the pair graph are the unordered pairs of distinct states with one label in `blocks`, int32[n].
    `table`, int32[n, k], holds successors, -1 where there is none, and never leads to another block. A letter that
    leads p and q to two distinct states gives an edge. Raise `TooLarge` when there are more pairs than `max_pairs`.

    A pair is on a cycle iff some non-empty word maps it onto itself, so iff some word fixes both its states.

    >>> swap = np.array([[1], [0]], dtype=np.int32)
    >>> cyclic_pairs(swap, np.array([0, 0], dtype=np.int32)).tolist()
    [1]
    """
    n = len(table)
    # States of a block stand side by side; each is paired with the later ones of its block.
    order = np.argsort(blocks, kind="stable").astype(np.int32)
    sizes = np.unique(blocks, return_counts=True)[1].astype(np.int64)
    n_pairs = int((sizes * (sizes - 1) // 2).sum())
    if n_pairs > max_pairs:
        raise TooLarge("pairs of states in one block", n_pairs, max_pairs, "max_pairs")
    ends = np.repeat(np.cumsum(sizes), sizes)
    partners = (ends - 1 - np.arange(n)).astype(np.int64)
    first = np.cumsum(partners) - partners  # number of the pair of each state with the next one in its block
    left = np.repeat(np.arange(n, dtype=np.int32), partners)
    right = (np.arange(n_pairs, dtype=np.int64) - np.repeat(first - np.arange(n) - 1, partners)).astype(np.int32)
    rank = np.empty(n, dtype=np.int32)
    rank[order] = np.arange(n, dtype=np.int32)
    ranked = table[order]
    ranked = np.where(ranked < 0, np.int32(-1), rank[ranked])

    successors = np.empty((n_pairs, table.shape[1]), dtype=np.int32)
    for code in range(table.shape[1]):
        column = np.ascontiguousarray(ranked[:, code])
        s, t = column[left], column[right]
        low, high = np.minimum(s, t), np.maximum(s, t)
        number = first[low] + (high - low - 1)
        successors[:, code] = np.where((low >= 0) & (low != high), number, -1)
    cyclic = _on_cycles(successors)
    left, right = order[left[cyclic]], order[right[cyclic]]
    return np.sort(np.minimum(left, right).astype(np.int64) * n + np.maximum(left, right))


def _on_cycles(successors: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the vertices that lie on cycles, by number.

    Vertices without successors are dropped while many go; the strong components of the rest give the answer.
    """
    alive = np.arange(len(successors))
    while len(alive):
        kept = (successors >= 0).any(axis=1)
        n_kept = int(kept.sum())
        if n_kept < len(alive):
            rank = np.full(len(alive) + 1, -1, dtype=np.int32)  # the last place stands for no successor
            rank[:-1][kept] = np.arange(n_kept, dtype=np.int32)
            successors = rank[successors[kept]]
            before, alive = len(alive), alive[kept]
            if before - n_kept >= before // _SHRINKING:
                continue
        labels = strong_components(successors)
        on_cycle = np.bincount(labels)[labels] > 1
        on_cycle |= (successors == np.arange(len(alive), dtype=np.int32)[:, None]).any(axis=1)
        return alive[on_cycle]
    return alive
