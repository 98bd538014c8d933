"""Walks of two runs that stay distinct, against all words up to a length."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from automata.errors import TooLarge
from semigroups.distinct_pairs import UNBOUNDED, longest_paths, longest_walks


@st.composite
def tables(draw: st.DrawFn) -> NDArray[np.int32]:
    n, k = draw(st.integers(0, 5)), draw(st.integers(0, 2))
    entries = draw(st.lists(st.integers(-1, n - 1), min_size=n * k, max_size=n * k))
    return np.array(entries, dtype=np.int32).reshape(n, k)


def keeps_apart(table: NDArray[np.int32], p: int, q: int, word: tuple[int, ...]) -> bool:
    for code in word:
        p, q = int(table[p, code]), int(table[q, code])
        if p < 0 or q < 0 or p == q:
            return False
    return True


@given(tables())
def test_walks_agree_with_all_words(table: NDArray[np.int32]) -> None:
    n, k = table.shape
    walks = longest_walks(table)
    assert np.array_equal(walks, walks.T)
    # Five states have ten pairs: a walk of ten steps meets some pair twice and can go on for ever.
    for p in range(n):
        for q in range(p):
            lengths = [m for m in range(11) if any(keeps_apart(table, p, q, w) for w in product(range(k), repeat=m))]
            assert walks[p, q] == (UNBOUNDED if len(lengths) == 11 else lengths[-1])


def test_longest_paths_of_a_small_graph() -> None:
    # 0 -> 1 -> 2, 0 -> 2 twice, 3 -> 3, 4 -> 3, 5 alone.
    sources, targets = np.array([[0, 1, 0, 0, 3, 4], [1, 2, 2, 2, 3, 3]], dtype=np.int32)
    assert longest_paths(6, sources, targets).tolist() == [2, 1, 0, UNBOUNDED, UNBOUNDED, 0]


def test_a_limit_on_pairs_is_kept() -> None:
    with pytest.raises(TooLarge, match="max_pairs"):
        longest_walks(np.zeros((10, 1), dtype=np.int32), max_pairs=44)
