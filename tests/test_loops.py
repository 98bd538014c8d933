from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from semigroups.loops import least_common_loop, walk_to_common_loop


@st.composite
def cases(draw: st.DrawFn) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Draw tables whose transitions stay in the block of their state or are missing."""
    n = draw(st.integers(1, 5))
    k = draw(st.integers(1, 2))
    blocks = [draw(st.integers(0, 1)) for _ in range(n)]
    rows = [
        [draw(st.sampled_from([-1, *(r for r in range(n) if blocks[r] == blocks[q])])) for _ in range(k)]
        for q in range(n)
    ]
    return np.array(rows, dtype=np.int32), np.array(blocks, dtype=np.int32)


def image(table: NDArray[np.int32], state: int, word: tuple[int, ...] | list[int]) -> int:
    for code in word:
        state = int(table[state, code]) if state >= 0 else -1
    return state


def fixes_two_of_one_block(
    table: NDArray[np.int32], blocks: NDArray[np.int32], word: tuple[int, ...] | list[int]
) -> bool:
    fixed = [int(blocks[q]) for q in range(len(table)) if image(table, q, word) == q]
    return len(set(fixed)) < len(fixed)


@given(cases())
def test_least_loop_is_the_first_of_all_words(case: tuple[NDArray[np.int32], NDArray[np.int32]]) -> None:
    table, blocks = case
    k = table.shape[1]
    # A shortest common loop passes no pair of states twice, so it has at most n(n-1) letters; 10 is enough to compare.
    words = (word for length in range(1, 11) for word in itertools.product(range(k), repeat=length))
    expected = next((list(word) for word in words if fixes_two_of_one_block(table, blocks, word)), None)
    found = least_common_loop(table, blocks)
    if expected is not None:
        assert found == expected
    elif found is not None:
        assert len(found) > 10
        assert fixes_two_of_one_block(table, blocks, found)


@given(st.integers(2, 6), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_walks_close_in_a_common_loop(n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(0, n, (n, k)).astype(np.int32)
    table[:, 0] = rng.permutation(n)  # from every pair of distinct states the first letter leads to another
    codes, p, q = walk_to_common_loop(table, (0, 1), lambda s, t: s != t)
    assert codes
    assert p != q
    assert image(table, p, codes) == p
    assert image(table, q, codes) == q


def test_walk_that_comes_back_swapped_goes_round_twice() -> None:
    swap = np.array([[1], [0]], dtype=np.int32)
    assert walk_to_common_loop(swap, (0, 1), lambda s, t: s != t) == ([0, 0], 1, 0)
