"""Enumeration of transformation semigroups against a plain closure, libsemigroups, and known sizes."""

from __future__ import annotations

from math import comb, lcm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.errors import TooLarge, ToolkitError
from semigroups.cayley import first_edges, last_edges
from semigroups.packing import Packing
from semigroups.row_numbers import RowNumbers
from semigroups.semigroup import FiniteSemigroup
from semigroups.transformations import transformation_semigroup


def full_transformations(degree: int) -> np.ndarray:
    """A cycle, a swap and a merge: they generate all degree^degree transformations."""
    points = np.arange(degree)
    cycle, swap, merge = np.roll(points, -1), points.copy(), points.copy()
    swap[:2], merge[:2] = [1, 0], [0, 0]
    return np.stack([cycle, swap, merge])


def catalan(degree: int) -> np.ndarray:
    """The order-preserving, extensive maps: the identity and the maps that move one point up by one."""
    points = np.arange(degree)
    return np.stack([points, *(np.where(points == j, j + 1, points) for j in range(degree - 1))])


def cycles(lengths: list[int]) -> np.ndarray:
    """One permutation with cycles of the given lengths."""
    begins = np.cumsum([0, *lengths])
    turns = [begin + (np.arange(length) + 1) % length for begin, length in zip(begins, lengths, strict=False)]
    return np.concatenate(turns)[None, :]


def plain_closure(generators: np.ndarray) -> tuple[list[tuple[int, ...]], list[list[int]], list[list[int]]]:
    """All products by least words, the right and the left Cayley graph."""
    letters = [tuple(row) for row in generators.tolist()]
    elements = list(dict.fromkeys(letters))
    known = set(elements)
    for f in elements:  # the list grows while it is read
        for g in letters:
            h = tuple(g[p] for p in f)
            if h not in known:
                known.add(h)
                elements.append(h)
    number = {f: i for i, f in enumerate(elements)}
    right = [[number[tuple(g[p] for p in f)] for g in letters] for f in elements]
    left = [[number[tuple(f[p] for p in g)] for g in letters] for f in elements]
    return elements, right, left


def assert_equal(semigroup: FiniteSemigroup, generators: np.ndarray) -> None:
    elements, right, left = plain_closure(generators)
    assert semigroup.right.tolist() == right
    assert semigroup.left.tolist() == left
    assert [elements[g] for g in semigroup.generators.tolist()] == [tuple(row) for row in generators.tolist()]


few_transformations = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), min_size=n, max_size=n), min_size=1, max_size=4)
)


@given(few_transformations)
def test_both_graphs_are_those_of_the_closure(rows):
    assert_equal(transformation_semigroup(rows), np.array(rows))


@pytest.mark.parametrize(
    "n_points", [1, 2, 3, 5, 8, 9, 13, 16, 17, 33, 65, 300, 5000, 70_000], ids=lambda n: f"{n} points"
)
def test_any_number_of_points(n_points):
    """Images take one to seventeen bits here, so that chunks and rows of every width occur; each semigroup is small."""
    points = np.arange(n_points)
    idempotent = np.where(points % 3 == 0, points, points - points % 3)
    constant = np.full(n_points, n_points - 1)
    swap = points.copy()
    swap[[0, -1]] = [n_points - 1, 0]
    generators = np.stack([idempotent, swap, swap, constant, points][: 2 if n_points > 1000 else 5])
    assert_equal(transformation_semigroup(generators), generators)


@given(st.integers(1, 70), st.integers(0, 2**32 - 1))
def test_packing_keeps_images_and_multiplies(n_points, seed):
    rng = np.random.default_rng(seed)
    images, generators = rng.integers(0, n_points, (5, n_points)), rng.integers(0, n_points, (3, n_points))
    packing = Packing(n_points)
    rows = packing.pack(images)
    assert rows.shape == (5, packing.width)
    assert packing.unpack(rows).tolist() == images.tolist()
    products = packing.unpack(packing.products(rows, packing.tables(generators)))
    assert products.tolist() == [g[f].tolist() for f in images for g in generators]
    if packing.n_indices is not None:
        weights = [(1 << (n_points - 1).bit_length() * p) if n_points > 1 else 1 << p for p in range(n_points)]
        assert packing.index(rows).tolist() == (images @ weights).tolist()


@given(st.lists(st.lists(st.lists(st.integers(0, 6), min_size=2, max_size=2), max_size=40), max_size=6))
def test_rows_are_numbered_by_first_appearance(batches):
    numbers = RowNumbers(width=2)
    expected: dict[tuple[int, ...], int] = {}
    for batch in batches:
        rows = np.array(batch, dtype=np.uint64).reshape(-1, 2)
        assert numbers.add(rows).tolist() == [expected.setdefault(tuple(row), len(expected)) for row in batch]
        assert numbers.rows.tolist() == [list(row) for row in expected]
        assert numbers.find(rows).tolist() == [expected[tuple(row)] for row in batch]


def test_many_rows_in_a_table_that_grows():
    rng = np.random.default_rng(0)
    numbers = RowNumbers(width=1)
    expected: dict[int, int] = {}
    for size in (1, 5, 3000, 40_000, 7, 100_000):
        batch = rng.integers(0, 60_000, size).astype(np.uint64) << np.uint64(40)
        wanted = [expected.setdefault(row, len(expected)) for row in batch.tolist()]
        assert numbers.add(batch[:, None]).tolist() == wanted
    assert numbers.rows.ravel().tolist() == list(expected)
    with pytest.raises(KeyError):
        numbers.find(np.array([[1]], dtype=np.uint64))


@pytest.mark.parametrize("degree", [1, 2, 3, 4, 5, 6])
def test_all_transformations(degree):
    generators = full_transformations(degree) if degree > 1 else np.array([[0]])
    semigroup = transformation_semigroup(generators)
    assert len(semigroup) == degree**degree
    idempotents = sum(comb(degree, k) * k ** (degree - k) for k in range(1, degree + 1))
    assert int(semigroup.is_idempotent.sum()) == idempotents


@pytest.mark.parametrize("degree", [2, 5, 8, 10])
def test_catalan_monoids_have_the_catalan_numbers(degree):
    assert len(transformation_semigroup(catalan(degree))) == comb(2 * degree, degree) // (degree + 1)


@pytest.mark.parametrize("seed", range(6))
def test_libsemigroups_numbers_the_same_elements(seed):
    from libsemigroups_pybind11 import FroidurePin, ReportGuard, Transf

    rng = np.random.default_rng(seed)
    generators = rng.integers(0, 5, (3, 5)) if seed else full_transformations(5)
    silence = ReportGuard(False)
    peer = FroidurePin([Transf(row) for row in generators.tolist()])
    peer.run()
    del silence
    semigroup = transformation_semigroup(generators)
    assert len(semigroup) == peer.size()
    assert int(semigroup.is_idempotent.sum()) == peer.number_of_idempotents()
    for graph, other in ((semigroup.right, peer.right_cayley_graph()), (semigroup.left, peer.left_cayley_graph())):
        assert graph.tolist() == [[other.target(s, a) for a in range(3)] for s in range(peer.size())]
    assert semigroup.lengths.tolist() == [peer.length(s) for s in range(peer.size())]


def test_few_elements_of_each_length():
    """A permutation of order 30,030 has one power of each length; with a constant and the identity there are two."""
    lengths = [2, 3, 5, 7, 11, 13]
    order = lcm(*lengths)
    cyclic = transformation_semigroup(cycles(lengths))
    powers = np.arange(order)
    assert cyclic.right.ravel().tolist() == cyclic.left.ravel().tolist() == ((powers + 1) % order).tolist()
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, order, (2, 500))  # element i is the power i + 1
    assert cyclic.product(x, y).tolist() == ((x + y + 1) % order).tolist()
    assert np.flatnonzero(cyclic.is_idempotent).tolist() == [order - 1]
    identity = np.arange(sum(lengths))
    semigroup = transformation_semigroup(np.vstack([cycles(lengths), identity, 0 * identity]))
    assert len(semigroup) == order + lengths[0]  # the constants on the orbit of 0
    assert len(np.unique(semigroup.j_classes)) == 2


@given(few_transformations, st.randoms(use_true_random=False))
def test_products_by_words_and_by_composition_agree(rows, random):
    semigroup = transformation_semigroup(rows)
    plain = FiniteSemigroup(semigroup.right, semigroup.left, semigroup.generators)
    x, y = (np.array([random.randrange(len(semigroup)) for _ in range(20)], dtype=np.int32) for _ in range(2))
    assert semigroup.transformations is not None
    assert semigroup.transformations.multiply(x, y).tolist() == plain.product(x, y).tolist()


@given(few_transformations)
def test_edges_spell_the_least_words(rows):
    semigroup = transformation_semigroup(rows)
    prefix, last = last_edges(semigroup.right, semigroup.generators)
    suffix, first = first_edges(semigroup.left, semigroup.lengths, last)
    words: list[list[int]] = []
    for p, a in zip(prefix.tolist(), last.tolist(), strict=True):
        words.append([*(words[p] if p >= 0 else []), a])
    assert words == sorted(words, key=lambda word: (len(word), word))
    assert [[a, *(words[s] if s >= 0 else [])] for s, a in zip(suffix.tolist(), first.tolist(), strict=True)] == words


def test_no_generators_and_no_points():
    assert len(transformation_semigroup(np.empty((0, 3), dtype=int))) == 0
    assert len(transformation_semigroup(np.empty((2, 0), dtype=int))) == 1


@pytest.mark.parametrize("rows", [[[0, 2]], [[-1, 0]], [0, 1]])
def test_what_is_not_a_transformation_is_refused(rows):
    with pytest.raises(ToolkitError, match="rows of n numbers from 0 to n - 1"):
        transformation_semigroup(rows)


def test_limits_are_exact():
    assert len(transformation_semigroup(full_transformations(4), max_elements=256, max_cells=1024)) == 256
    for limits in ({"max_elements": 255}, {"max_cells": 1023}):
        with pytest.raises(TooLarge, match=f"raise {next(iter(limits))}") as caught:
            transformation_semigroup(full_transformations(4), **limits)
        assert (caught.value.reached, caught.value.limit) in {(256, 255), (1024, 1023)}
    with pytest.raises(TooLarge, match="raise max_elements"):
        transformation_semigroup(cycles([2, 3, 5, 7, 11, 13]), max_elements=30_029)
    with pytest.raises(TooLarge, match="generators times points"):
        transformation_semigroup(full_transformations(4), max_cells=11)
    with pytest.raises(TooLarge, match="reached 2, more than the limit of 1"):
        transformation_semigroup(full_transformations(4), max_elements=1)
