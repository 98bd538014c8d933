"""Walks of two runs that stay distinct: how long one word can be read from two states without their meeting."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from automata.errors import TooLarge
from semigroups.pairs import MAX_PAIRS

UNBOUNDED = -1
"""Stands for the length of the longest walk where walks of every length exist."""


def longest_walks(table: NDArray[np.int32], max_pairs: int = MAX_PAIRS) -> NDArray[np.int32]:
    """Return for each pair p < q of states the greatest length of a word that keeps them apart, int32[n, n].

    `table`, int32[n, k], holds successors, -1 where there is none. A word keeps p and q apart iff it can be read from
    both and its prefixes, itself included, lead them to distinct states. Entry [p, q] (and [q, p]) is the length of the
    longest such word and `UNBOUNDED` where there is none; entry [p, p] is `UNBOUNDED` too and means nothing. Takes k
    times the number of pairs; raise `TooLarge` if there are more pairs than `max_pairs`.

    >>> longest_walks(np.array([[1, 2], [2, 2], [2, -1]], dtype=np.int32)).tolist()
    [[-1, 1, 1], [1, -1, 0], [1, 0, -1]]
    """
    n = len(table)
    n_pairs = n * (n - 1) // 2
    if n_pairs > max_pairs:
        raise TooLarge("pairs of states", n_pairs, max_pairs, "max_pairs")
    left, right = (ends.astype(np.int32) for ends in np.triu_indices(n, 1))
    first = np.arange(n, dtype=np.int64) * (2 * n - np.arange(n, dtype=np.int64) - 1) // 2
    sources, targets = [np.empty(0, dtype=np.int32)], [np.empty(0, dtype=np.int32)]
    for column in np.unique(table, axis=1).T if table.shape[1] else ():
        s, t = column[left], column[right]
        low, high = np.minimum(s, t), np.maximum(s, t)
        kept = np.flatnonzero((low >= 0) & (low != high)).astype(np.int32)
        low, high = low[kept], high[kept]
        sources.append(kept)
        targets.append((first[low] + (high - low - 1)).astype(np.int32))
    lengths = longest_paths(n_pairs, np.concatenate(sources), np.concatenate(targets))
    square = np.full((n, n), UNBOUNDED, dtype=np.int32)
    square[left, right] = square[right, left] = lengths
    return square


def longest_paths(n: int, sources: NDArray[np.int32], targets: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the length of the longest path from each of n vertices, int32[n], `UNBOUNDED` where a cycle is reached.

    Vertices are taken off layer by layer, those without successors first.
    """
    waiting = np.bincount(sources, minlength=n)
    order = np.argsort(targets, kind="stable")
    sources = sources[order]
    ends = np.searchsorted(targets[order], np.arange(n + 1))
    lengths = np.full(n, UNBOUNDED, dtype=np.int32)
    layer = np.flatnonzero(waiting == 0)
    length = 0
    while len(layer):
        lengths[layer] = length
        length += 1
        counts = ends[layer + 1] - ends[layer]
        shift = np.repeat(ends[layer] - np.cumsum(counts) + counts, counts)
        before, removed = np.unique(sources[shift + np.arange(len(shift))], return_counts=True)
        waiting[before] -= removed
        layer = before[waiting[before] == 0]
    return lengths
