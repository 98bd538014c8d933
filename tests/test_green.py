"""Green's relations against equal ideals, and on semigroups whose structure is known."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy.combinatorics import Permutation, PermutationGroup
from sympy.combinatorics.named_groups import (
    AbelianGroup,
    AlternatingGroup,
    CyclicGroup,
    DihedralGroup,
    SymmetricGroup,
)
from sympy.functions.combinatorial.numbers import stirling

from automata.dfa import DFA
from automata.errors import ToolkitError
from semigroups.green import covers, green_structure
from semigroups.group_name import name_group
from semigroups.semigroup import FiniteSemigroup
from semigroups.subgroup import maximal_subgroup
from semigroups.syntactic import syntactic_semigroup
from semigroups.transformations import transformation_semigroup
from tests.strategies import AB
from tests.test_transformations import catalan, cycles, full_transformations, plain_closure

few_transformations = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), min_size=n, max_size=n), min_size=1, max_size=3)
)


def multiplication(rows: list[list[int]]) -> np.ndarray:
    elements, _, _ = plain_closure(np.array(rows))
    number = {f: i for i, f in enumerate(elements)}
    return np.array([[number[tuple(g[p] for p in f)] for g in elements] for f in elements])


def ideals(table: np.ndarray) -> list[set[int]]:
    """S¹sS¹ for every s."""
    one_sided = [{s, *table[s].tolist()} for s in range(len(table))]
    return [set().union(*(one_sided[t] | {t} for t in {s, *table[:, s].tolist()})) for s in range(len(table))]


@given(few_transformations)
def test_egg_boxes_are_the_classes_of_equal_ideals(rows):
    table = multiplication(rows)
    n = len(table)
    right = [frozenset({s, *table[s].tolist()}) for s in range(n)]
    left = [frozenset({s, *table[:, s].tolist()}) for s in range(n)]
    both = [frozenset(ideal) for ideal in ideals(table)]
    green = green_structure(transformation_semigroup(rows))
    seen: list[int] = []
    for number, d in enumerate(green):
        assert d.number == number
        assert len({both[s] for s in d.elements.tolist()}) == 1
        for row in d.cells:
            assert len({right[s] for s in row.ravel().tolist()}) == 1
        for column in d.cells.swapaxes(0, 1):
            assert len({left[s] for s in column.ravel().tolist()}) == 1
        assert len({right[s] for s in d.elements.tolist()}) == d.n_rows
        assert len({left[s] for s in d.elements.tolist()}) == d.n_columns
        assert d.cells[:, 0].min(axis=1).tolist() == sorted(d.cells[:, 0].min(axis=1).tolist()) or d.n_columns > 1
        assert (np.diff(d.cells.min(axis=(1, 2))) > 0).all()
        assert (np.diff(d.cells.min(axis=(0, 2))) > 0).all()
        assert (np.diff(d.cells, axis=2) > 0).all()
        idempotents = {s for s in d.elements.tolist() if table[s, s] == s}
        assert set(d.idempotents[d.idempotents >= 0].tolist()) == idempotents
        for i, j in zip(*np.nonzero(d.idempotents >= 0), strict=True):
            assert d.idempotents[i, j] in d.cells[i, j]
        regular = {any(table[table[s, x], s] == s for x in range(n)) for s in d.elements.tolist()}
        assert regular == {d.is_regular} == {bool(green.is_regular[number])}
        assert (green.d_class_of[d.elements] == number).all()
        seen += d.elements.tolist()
    assert sorted(seen) == list(range(n))
    assert len({both[s] for s in range(n)}) == len(green)


@given(few_transformations)
def test_the_order_of_d_classes(rows):
    table = multiplication(rows)
    below = ideals(table)
    green = green_structure(transformation_semigroup(rows))
    least = [int(d.elements[0]) for d in green]
    strictly = {(d, e) for d, s in enumerate(least) for e, t in enumerate(least) if d != e and t in below[s]}
    assert all(d < e for d, e in strictly)
    hasse = strictly - {(d, e) for d, f in strictly for g, e in strictly if f == g}
    assert covers(green) == sorted(hasse)
    assert {tuple(edge) for edge in green.edges.tolist()} <= strictly
    for e, level in enumerate(green.levels.tolist()):
        assert level == max((green.levels[d] + 1 for d, lower in hasse if lower == e), default=0)
    assert [*zip(green.levels.tolist(), least, strict=True)] == sorted(zip(green.levels.tolist(), least, strict=True))


def orders_of(group: PermutationGroup) -> Counter[int]:
    return Counter(element.order() for element in group.elements)


@given(few_transformations)
def test_maximal_subgroups_are_the_group_h_classes(rows):
    table = multiplication(rows)
    semigroup = transformation_semigroup(rows)
    for e in np.flatnonzero(table.diagonal() == np.arange(len(table))).tolist():
        units = {s for s in range(len(table)) if table[e, s] == table[s, e] == s and e in table[s] and e in table[:, s]}
        group = maximal_subgroup(semigroup, e)
        assert set(group.elements.tolist()) == units
        orders: Counter[int] = Counter()
        for s in units:
            power, order = s, 1
            while power != e:
                power, order = table[power, s], order + 1
            orders[order] += 1
        assert orders_of(group.permutation_group) == orders
        assert group.is_commutative == all(table[s, t] == table[t, s] for s, t in product(units, repeat=2))
        assert group.is_solvable  # at most four points
        if group.is_commutative:
            parts = [int(part[1:]) for part in group.name.split(" x ")] if group.name != "1" else []
            assert orders == orders_of(AbelianGroup(*parts)) if parts else orders == {1: 1}
            assert all(larger % smaller == 0 for smaller, larger in pairwise(parts))


@pytest.mark.parametrize("degree", [2, 3, 4, 5])
def test_full_transformation_monoids(degree):
    """Rank r: kernels by rows, images by columns, the group S_r, C(n, r) r^(n-r) idempotents [Clifford & Preston]."""
    green = green_structure(transformation_semigroup(full_transformations(degree)))
    assert len(green) == degree
    for d, rank in zip(green, range(degree, 0, -1), strict=True):
        assert (d.n_rows, d.n_columns, d.h_size) == (stirling(degree, rank), comb(degree, rank), factorial(rank))
        assert int((d.idempotents >= 0).sum()) == comb(degree, rank) * rank ** (degree - rank)
        assert d.group is not None
        assert d.group.name == {1: "1", 2: "C2"}.get(rank, f"S{rank}")
        assert d.group.permutations.shape[1] in (1, rank)  # it acts on the points of its image
        assert d.group.is_solvable == (rank < 5)
    assert covers(green) == [(i, i + 1) for i in range(degree - 1)]


def test_the_brandt_semigroup():
    """(ab)* has the syntactic semigroup B2: a, b, ab, ba and 0, with trivial groups at ab and ba."""
    syntactic = syntactic_semigroup(DFA(AB, [[1, 2], [2, 0], [2, 2]], 0, [True, False, False]))
    top, zero = green_structure(syntactic.semigroup)
    assert [[syntactic.word(s) for s in row.ravel()] for row in top.cells] == [["a", "ab"], ["ba", "b"]]
    assert (top.idempotents >= 0).tolist() == [[False, True], [True, False]]
    assert [syntactic.word(s) for s in zero.elements.tolist()] == ["aa"]
    assert top.group is not None
    assert top.group.name == "1"


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 3), (3, 1), (2, 3)])
def test_rectangular_bands(rows, columns):
    """(i, j)(k, l) = (i, l): one D-class, every element an idempotent."""
    pairs = [*product(range(rows), range(columns))]
    right = [[pairs.index((i, t)) for _, t in pairs] for i, _ in pairs]
    left = [[pairs.index((k, j)) for k, _ in pairs] for _, j in pairs]
    (d,) = green_structure(FiniteSemigroup(right, left, range(len(pairs))))
    assert d.cells.tolist() == [[[pairs.index((i, j))] for j in range(columns)] for i in range(rows)]
    assert d.idempotents.tolist() == d.cells[:, :, 0].tolist()


@pytest.mark.parametrize(("index", "period"), [(1, 1), (1, 6), (4, 1), (3, 4), (2, 12)])
def test_monogenic_semigroups(index, period):
    """x, x², ... with x^(index + period) = x^index: a chain of null D-classes over a cyclic group."""
    n = index + period - 1
    step = [[i + 1 if i + 1 < n else index - 1] for i in range(n)]
    *chain, bottom = green_structure(FiniteSemigroup(step, step, [0]))
    assert [d.elements.tolist() for d in chain] == [[i] for i in range(index - 1)]
    assert not any(d.is_regular or d.group for d in chain)
    assert bottom.elements.tolist() == list(range(index - 1, n))
    assert bottom.group is not None
    assert bottom.group.name == (f"C{period}" if period > 1 else "1")


@pytest.mark.parametrize("degree", [4, 8])
def test_catalan_monoids_are_j_trivial(degree):
    green = green_structure(transformation_semigroup(catalan(degree)))
    assert len(green) == comb(2 * degree, degree) // (degree + 1)
    assert int(green.levels[-1]) == degree * (degree - 1) // 2  # each generator moves one point by one


def test_a_large_cyclic_group_acts_on_few_points():
    semigroup = transformation_semigroup(cycles([3, 4, 5, 7]))
    (d,) = green_structure(semigroup)
    assert d.group is not None
    assert (d.group.name, d.group.order, d.group.permutations.shape[1]) == ("C420", 420, 3 + 4 + 5 + 7)


def test_the_empty_semigroup_has_no_d_classes():
    green = green_structure(FiniteSemigroup([], [], []))
    assert (len(green), list(green), covers(green)) == (0, [], [])


def test_what_is_not_an_idempotent_has_no_subgroup():
    semigroup = transformation_semigroup(full_transformations(3))
    for element in (0, -1, 27):
        with pytest.raises(ToolkitError, match=f"element {element} is not an idempotent"):
            maximal_subgroup(semigroup, element)
    with pytest.raises(IndexError, match="D-class 3, of 3"):
        green_structure(semigroup)[3]


def permutations_of(group: PermutationGroup) -> np.ndarray:
    return np.array([generator.array_form for generator in group.generators], dtype=np.int32)


def regular(elements: list[np.ndarray], modulus: int) -> PermutationGroup:
    """The group that matrices generate modulo a number, acting on itself."""
    identity = np.eye(len(elements[0]), dtype=int)
    listed = [identity]
    for matrix in listed:  # the list grows while it is read
        for generator in elements:
            new = matrix @ generator % modulus
            if not any(np.array_equal(new, old) for old in listed):
                listed.append(new)
    index = {matrix.tobytes(): i for i, matrix in enumerate(listed)}
    return PermutationGroup(
        [Permutation([index[(matrix @ g % modulus).astype(int).tobytes()] for matrix in listed]) for g in elements]
    )


QUATERNIONS = regular([np.array([[0, 2], [1, 0]]), np.array([[1, 1], [1, 2]])], 3)
SL_2_3 = regular([np.array([[1, 1], [0, 1]]), np.array([[1, 0], [1, 1]])], 3)
AFFINE_7 = PermutationGroup([Permutation([(i + 1) % 7 for i in range(7)]), Permutation([2 * i % 7 for i in range(7)])])
DICYCLIC_3 = PermutationGroup([Permutation(6)(0, 1, 2), Permutation(6)(0, 1)(3, 4, 5, 6)])
TIMES_2 = Permutation(20)(10, 11)


def with_swap(group: PermutationGroup) -> PermutationGroup:
    """The direct product with C2."""
    size = group.degree
    swap = Permutation([*range(size), size + 1, size])
    return PermutationGroup([*(Permutation(g.array_form, size=size + 2) for g in group.generators), swap])


@pytest.mark.parametrize(
    ("group", "name"),
    [
        (CyclicGroup(2), "C2"),
        (CyclicGroup(60), "C60"),
        (AbelianGroup(2, 3), "C6"),
        (AbelianGroup(2, 2), "C2 x C2"),
        (AbelianGroup(2, 4, 9), "C2 x C36"),
        (AbelianGroup(6, 10, 15), "C30 x C30"),
        (SymmetricGroup(3), "S3"),
        (regular([np.array([[1, 1], [0, 1]]), np.array([[0, 1], [1, 0]])], 2), "S3"),
        (SymmetricGroup(4), "S4"),
        (SymmetricGroup(6), "S6"),
        (AlternatingGroup(4), "A4"),
        (AlternatingGroup(6), "A6"),
        (DihedralGroup(4), "D4"),
        (DihedralGroup(5), "D5"),
        (DihedralGroup(6), "D6"),
        (with_swap(SymmetricGroup(3)), "D6"),
        (DihedralGroup(30), "D30"),
        (QUATERNIONS, "Q8"),
        (DICYCLIC_3, "Dic3"),
        (AFFINE_7, "C7 : C3"),
        (SL_2_3, "SL(2,3)"),
        (with_swap(AlternatingGroup(4)), "C2 x A4"),
        (with_swap(DihedralGroup(4)), "group of order 16"),
        (with_swap(QUATERNIONS), "group of order 16"),
        (with_swap(SymmetricGroup(4)), "group of order 48"),
        (with_swap(AlternatingGroup(5)), "group of order 120"),
        (with_swap(SymmetricGroup(5)), "group of order 240"),
    ],
)
def test_names_of_groups(group, name):
    assert name_group(permutations_of(group), group.order()) == name


@pytest.mark.parametrize("group", [SymmetricGroup(4), AlternatingGroup(4), AlternatingGroup(5), AFFINE_7, SL_2_3])
def test_names_do_not_depend_on_the_action(group):
    """The same group acting on itself has the same name."""
    elements = list(group.elements)
    index = {element: i for i, element in enumerate(elements)}
    rows = [[index[element * generator] for element in elements] for generator in group.generators]
    assert name_group(np.array(rows, dtype=np.int32), group.order()) == name_group(
        permutations_of(group), group.order()
    )


@given(few_transformations)
def test_subgroups_of_abstract_semigroups_are_those_of_transformations(rows):
    semigroup = transformation_semigroup(rows)
    abstract = FiniteSemigroup(semigroup.right, semigroup.left, semigroup.generators)
    for e in np.flatnonzero(semigroup.is_idempotent).tolist():
        group, other = maximal_subgroup(semigroup, e), maximal_subgroup(abstract, e)
        assert group.generators.tolist() == other.generators.tolist()
        assert orders_of(group.permutation_group) == orders_of(other.permutation_group)


def test_abstract_groups_act_on_small_orbits():
    """The units of T5 act on the five constants, those of S5 alone only on themselves."""
    whole, alone = (transformation_semigroup(full_transformations(5)[:k]) for k in (3, 2))
    abstract = [FiniteSemigroup(s.right, s.left, s.generators) for s in (whole, alone)]
    unit = int(green_structure(whole)[0].idempotents[0, 0])
    assert maximal_subgroup(abstract[0], unit).permutations.shape[1] == 5
    assert maximal_subgroup(abstract[0], unit).name == "S5"
    (unit,) = np.flatnonzero(alone.is_idempotent).tolist()
    assert maximal_subgroup(abstract[1], unit).permutations.shape[1] == 120
    assert maximal_subgroup(alone, unit).name == "S5"
