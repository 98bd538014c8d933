"""Cayley graphs of finite semigroups: least words along their edges, and the left graph from the right one.

A right Cayley graph is int32[n, k] with s·a at [s, a]; elements are numbered by their least words over the k
generators (shortest, then by generator number).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from automata.errors import ToolkitError


def last_edges(right: NDArray[np.int32], generators: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the least word of each element as (prefix, last letter), int32[n] each; the prefix of a generator is -1.

    Checks that elements are generated, and numbered by their least words; raises `ToolkitError` otherwise.
    """
    n, k = right.shape
    arrivals = np.concatenate((generators, right.ravel()))
    first = np.full(n, -1, dtype=np.int64)
    first[arrivals[::-1]] = np.arange(len(arrivals) - 1, -1, -1)  # of several arrivals the first is written last
    if n and first.min() < 0:
        raise ToolkitError("some element is not a product of generators")
    if np.any(first[1:] < first[:-1]) or np.any(first >= np.arange(n) * k + k):
        raise ToolkitError("elements must be generated, and numbered by their least words over the generators")
    row, letter = np.divmod(first, max(1, k))
    return (row - 1).astype(np.int32), letter.astype(np.int32)


def first_edges(
    left: NDArray[np.int32], lengths: NDArray[np.int32], last: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the least word of each element as (suffix, first letter), int32[n] each; the suffix of a generator is -1.

    `left[s, a]` is a·s; `lengths` and `last` are the lengths and the last letters of the least words. Of the edges that
    lead to s from elements one letter shorter, the one with the least letter, and then the least source, spells the
    beginning of the least word.
    """
    n, k = left.shape
    suffix = np.full(n, -1, dtype=np.int32)
    first = last.copy()
    for letter in range(k - 1, -1, -1):
        sources = np.flatnonzero(lengths[left[:, letter]] == lengths + 1)[::-1]  # the least source is written last
        targets = left[sources, letter]
        suffix[targets] = sources
        first[targets] = letter
    return suffix, first


def level_bounds(prefix: NDArray[np.int32]) -> list[int]:
    """Return where each length of least words begins among the elements, and the number of elements at the end."""
    children = np.cumsum(np.bincount(prefix + 1, minlength=len(prefix) + 1)).tolist()  # [s]: words with a prefix < s
    bounds = [0]
    while bounds[-1] < len(prefix):
        bounds.append(children[bounds[-1]])
    return bounds


def left_graph(
    right: NDArray[np.int32], generators: NDArray[np.int32], edges: tuple[NDArray[np.int32], NDArray[np.int32]]
) -> NDArray[np.int32]:
    """Return the left Cayley graph, a word length after the other: where s = p·b, a·s = (a·p)·b.

    `edges` are the `last_edges`.

    >>> cycle, generator = np.array([[1], [2], [0]], dtype=np.int32), np.array([0], dtype=np.int32)
    >>> left_graph(cycle, generator, last_edges(cycle, generator)).tolist()
    [[1], [2], [0]]
    """
    prefix, last = edges
    bounds = level_bounds(prefix)
    left = np.empty_like(right)
    if len(bounds) * 16 > len(right):  # few elements of each length: lists are faster
        rows, before = right.tolist(), [generators.tolist()]
        for p, b in zip(prefix.tolist(), last.tolist(), strict=True):
            before.append([rows[s][b] for s in before[p + 1]])
        return np.array(before[1:], dtype=np.int32).reshape(right.shape)
    for i, (begin, end) in enumerate(pairwise(bounds)):
        before_last = left[prefix[begin:end]] if i else generators[None, :]
        left[begin:end] = right[before_last, last[begin:end, None]]
    return left
