"""Finite semigroups against a plain closure of transformations, with all laws read off the full multiplication."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.errors import ToolkitError
from semigroups.semigroup import FiniteSemigroup

Transformation = tuple[int, ...]


def closure(generators: list[Transformation]) -> list[tuple[Transformation, list[int]]]:
    """All products of the generators with their least words, in length-lexicographic order: plain breadth first."""
    found: dict[Transformation, list[int]] = {}
    for a, g in enumerate(generators):
        found.setdefault(g, [a])
    queue = list(found)
    for f in queue:
        for a, g in enumerate(generators):
            h = tuple(g[q] for q in f)
            if h not in found:
                found[h] = [*found[f], a]
                queue.append(h)
    return list(found.items())


def then(f: Transformation, g: Transformation) -> Transformation:
    return tuple(g[q] for q in f)


def build(generators: list[Transformation]) -> tuple[FiniteSemigroup, list[Transformation], list[list[int]]]:
    elements = [f for f, _ in closure(generators)]
    number = {f: i for i, f in enumerate(elements)}
    right = [[number[then(f, g)] for g in generators] for f in elements]
    left = [[number[then(g, f)] for g in generators] for f in elements]
    words = [word for _, word in closure(generators)]
    return FiniteSemigroup(right, left, [number[g] for g in generators]), elements, words


def transformations(degree: int) -> st.SearchStrategy[Transformation]:
    return st.tuples(*[st.integers(0, degree - 1)] * degree)


generating_sets = st.integers(1, 4).flatmap(lambda n: st.lists(transformations(n), min_size=1, max_size=3))


@given(generating_sets)
def test_words_and_products_are_those_of_the_transformations(generators):
    semigroup, elements, words = build(generators)
    number = {f: i for i, f in enumerate(elements)}
    assert [semigroup.word(s) for s in range(len(semigroup))] == words
    assert semigroup.lengths.tolist() == [len(word) for word in words]
    assert [semigroup.image(word) for word in words] == list(range(len(semigroup)))
    everything = np.arange(len(semigroup))
    table = semigroup.product(everything[:, None], everything)
    assert table.tolist() == [[number[then(f, g)] for g in elements] for f in elements]


@given(generating_sets)
def test_idempotents_and_omega_powers(generators):
    semigroup, elements, _ = build(generators)
    assert semigroup.is_idempotent.tolist() == [then(f, f) == f for f in elements]
    for f, omega in zip(elements, semigroup.omega(np.arange(len(elements))).tolist(), strict=True):
        power = f
        while then(power, power) != power:
            power = then(power, f)
        assert elements[omega] == power


def multiplication(elements: list[Transformation]) -> np.ndarray:
    number = {f: i for i, f in enumerate(elements)}
    return np.array([[number[then(f, g)] for g in elements] for f in elements])


@given(generating_sets)
def test_green_classes_are_equal_ideals(generators):
    semigroup, elements, _ = build(generators)
    table = multiplication(elements)
    n = len(elements)
    right = [frozenset([i, *table[i].tolist()]) for i in range(n)]
    left = [frozenset([i, *table[:, i].tolist()]) for i in range(n)]
    both = [right[i] | left[i] | frozenset(table[np.unique(table[:, i])].ravel().tolist()) for i in range(n)]
    for labels, ideals in ((semigroup.r_classes, right), (semigroup.l_classes, left), (semigroup.j_classes, both)):
        classes: dict[frozenset[int], set[int]] = {}
        for i, ideal in enumerate(ideals):
            classes.setdefault(ideal, set()).add(int(labels[i]))
        assert sorted(label for shared in classes.values() for label in shared) == sorted(set(labels.tolist()))
        assert all(len(shared) == 1 for shared in classes.values())
    for i in range(n):
        assert set(semigroup.right_ideal(i).tolist()) == right[i]
        assert set(semigroup.left_ideal(i).tolist()) == left[i]
    for e in np.flatnonzero(table.diagonal() == np.arange(n)).tolist():
        assert semigroup.local_monoid(e).tolist() == np.unique(table[table[e], e]).tolist()


@given(generating_sets)
def test_edges_between_j_classes(generators):
    """Distinct classes at the ends of a generator's edges; their closure is the inclusion of ideals."""
    semigroup, elements, _ = build(generators)
    labels = semigroup.j_classes
    ends = {
        (int(labels[s]), int(labels[t]))
        for graph in (semigroup.right, semigroup.left)
        for s in range(len(elements))
        for t in graph[s]
    }
    assert [tuple(edge) for edge in semigroup.j_edges.tolist()] == sorted((c, d) for c, d in ends if c != d)
    table = multiplication(elements)
    products = [{s, *table[s].tolist()} for s in range(len(table))]
    below = [set().union(*(products[t] for t in {s, *table[:, s].tolist()})) for s in range(len(table))]
    reached = {(c, c) for c in labels.tolist()} | ends
    while new := {(c, e) for c, d in reached for other, e in ends if d == other} - reached:
        reached |= new
    assert reached == {(int(labels[s]), int(labels[t])) for s in range(len(table)) for t in below[s]}


@given(generating_sets)
def test_the_left_graph_follows_from_the_right_one(generators):
    semigroup, _, _ = build(generators)
    derived = FiniteSemigroup(semigroup.right, None, semigroup.generators)
    assert derived.left.tolist() == semigroup.left.tolist()


@given(generating_sets)
def test_every_idempotent_is_below_a_top_one(generators):
    """For every idempotent f there are a top idempotent e and s, t with s e t = f; no top one is below another."""
    semigroup, elements, _ = build(generators)
    table = multiplication(elements)
    tops = semigroup.top_idempotents.tolist()
    below = {e: set(table[np.unique(table[:, e])].ravel().tolist()) for e in tops}
    for f in np.flatnonzero(semigroup.is_idempotent).tolist():
        assert any(f in below[e] for e in tops)
    assert all(f not in below[e] for e, f in permutations(tops, 2))


def test_a_long_monogenic_semigroup_needs_no_table():
    """x, x², ... with x^(n+1) = x^n: one chain of n words, n letters long."""
    n = 1000
    step = np.minimum(np.arange(1, n + 1), n - 1)[:, None]
    semigroup = FiniteSemigroup(step, step, [0])
    assert semigroup.product(10, 20) == 31  # x^11 x^21 = x^32
    assert set(semigroup.omega(np.arange(n)).tolist()) == {n - 1}
    assert semigroup.is_idempotent.tolist() == [False] * (n - 1) + [True]


def test_the_action_follows_words():
    semigroup, elements, _ = build([(1, 2, 2), (0, 0, 1)])
    delta = np.array([[1, 0], [2, 0], [2, 1]], dtype=np.int32)
    assert semigroup.act(delta, 1).tolist() == [f[1] for f in elements]


def test_the_empty_semigroup():
    empty = FiniteSemigroup([], [], [])
    assert len(empty) == 0
    for array in (
        empty.omega([]),
        empty.r_classes,
        empty.l_classes,
        empty.j_classes,
        empty.h_classes,
        empty.is_idempotent,
        empty.top_idempotents,
        empty.lengths,
        empty.product([], []),
    ):
        assert array.tolist() == []
    with pytest.raises(ToolkitError, match="empty word"):
        empty.image([])


@pytest.mark.parametrize(
    ("right", "left", "generators", "problem"),
    [
        ([[0], [0]], [[0], [0]], [0], "not a product of generators"),
        ([[0], [1]], [[0], [1]], [0], "must be generated"),
        ([[1], [3]], [[1], [1]], [0], "entries that are elements"),
        ([[1], [1]], [[1], [1]], [2], "generator is not an element"),
        ([[1], [1]], [[1]], [0], "one shape"),
        ([[0], [0]], [[0], [0]], [1], "numbered by their least words"),
    ],
)
def test_what_is_not_a_semigroup_is_refused(right, left, generators, problem):
    with pytest.raises(ToolkitError, match=problem):
        FiniteSemigroup(right, left, generators)


def test_arrays_cannot_be_changed():
    semigroup, _, _ = build([(1, 0)])
    with pytest.raises(ValueError, match="read-only"):
        semigroup.right[0, 0] = 0
