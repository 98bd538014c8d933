from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from automata.errors import TooLarge
from semigroups.pairs import cyclic_pairs


def pairs_on_cycles(table: NDArray[np.int32], blocks: NDArray[np.int32]) -> set[tuple[int, int]]:
    """Build the pair graph as networkx sees it."""
    graph: nx.DiGraph[frozenset[int]] = nx.DiGraph()
    n, k = table.shape
    for p in range(n):
        for q in range(p + 1, n):
            if blocks[p] != blocks[q]:
                continue
            graph.add_node(frozenset((p, q)))
            for code in range(k):
                s, t = int(table[p, code]), int(table[q, code])
                if s >= 0 and t >= 0 and s != t:
                    graph.add_edge(frozenset((p, q)), frozenset((s, t)))
    found = set()
    for component in nx.strongly_connected_components(graph):
        for pair in component:
            if len(component) > 1 or graph.has_edge(pair, pair):
                p, q = sorted(pair)
                found.add((p, q))
    return found


@given(st.integers(1, 12), st.integers(0, 3), st.integers(1, 3), st.floats(0, 0.9), st.integers(0, 2**32 - 1))
def test_pairs_on_cycles_are_those_of_networkx(n: int, k: int, n_blocks: int, missing: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    blocks = rng.integers(0, n_blocks, n).astype(np.int32)
    table = rng.integers(0, n, (n, k)).astype(np.int32)
    table[(rng.random((n, k)) < missing) | (blocks[table] != blocks[:, None])] = -1
    found = cyclic_pairs(table, blocks)
    assert found.tolist() == sorted(p * n + q for p, q in pairs_on_cycles(table, blocks))


def test_long_paths_of_pairs_are_no_cycles() -> None:
    # Round the cycle a^599 b every pair of states comes to the b within 600 steps and ends there; in a^600 none ends.
    n = 600
    onward = (np.arange(n, dtype=np.int32) + 1) % n
    word = np.stack((onward, np.full(n, -1, dtype=np.int32)), axis=1)
    word[-1] = [-1, 0]
    one_block = np.zeros(n, dtype=np.int32)
    assert cyclic_pairs(word, one_block).tolist() == []
    assert len(cyclic_pairs(onward[:, None], one_block)) == n * (n - 1) // 2


def test_too_many_pairs_are_refused_before_they_are_built() -> None:
    table = np.zeros((1_000_000, 2), dtype=np.int32)
    with pytest.raises(TooLarge, match="max_pairs") as error:
        cyclic_pairs(table, np.zeros(1_000_000, dtype=np.int32))
    assert error.value.reached == 1_000_000 * 999_999 // 2
    small = np.zeros((4, 1), dtype=np.int32)
    with pytest.raises(TooLarge):
        cyclic_pairs(small, np.zeros(4, dtype=np.int32), max_pairs=5)
    assert cyclic_pairs(small, np.zeros(4, dtype=np.int32), max_pairs=6).tolist() == []
