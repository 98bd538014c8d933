"""Hash-consed formulas: identity, walks, sugar, and depth without recursion."""

import copy
import gc
import pickle
import sys
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.errors import ToolkitError
from ltl.formula import (
    FALSE,
    FIRST,
    MAX_MODULUS,
    MAX_WINDOW,
    TRUE,
    And,
    Formula,
    Letter,
    Mod,
    Not,
    Or,
    Past,
    Since,
    Top,
    Yesterday,
    conjunction,
    depth,
    disjunction,
    historically,
    iff,
    implies,
    once,
    size,
    subformulas,
    weak_yesterday,
    yesterday_power,
)
from tests.strategies import ABC, formulas

A, B = Letter("a"), Letter("b")
EVERYTHING = formulas(ABC, since=True, modulus=4)


def rebuilt(f: Formula) -> Formula:
    """The same formula, built anew by the constructors (recursive: for small formulas)."""
    match f:
        case Top():
            return Top()
        case Letter(letter):
            return Letter(str(letter.encode(), "utf-8"))
        case Mod(residue, modulus):
            return Mod(residue + modulus, np.int64(modulus))
        case Yesterday(operand, window):
            return Yesterday(rebuilt(operand), window)
    return type(f)(*map(rebuilt, f.operands))


@given(EVERYTHING)
def test_building_a_formula_twice_gives_one_object(f):
    assert rebuilt(f) is f


@given(EVERYTHING)
def test_copies_and_pickles_are_the_object_itself(f):
    assert copy.copy(f) is f
    assert copy.deepcopy([f])[0] is f
    assert pickle.loads(pickle.dumps(f)) is f


def test_windows_are_one_whether_default_keyword_or_numpy():
    assert Yesterday(A) is Yesterday(A, 1) is Yesterday(operand=A, window=np.int64(1))
    assert type(Yesterday(A, np.int64(7)).window) is int


def test_residues_are_kept_reduced():
    for residue in (-11, -4, 3, 10, np.int64(10), 7 * 10**30 + 3):
        f = Mod(residue, 7)
        assert f is Mod(3, np.int8(7))
        assert (type(f.residue), f.residue, type(f.modulus), f.modulus) == (int, 3, int, 7)
    assert Mod(5, 1) is Mod(0, 1)
    assert Mod(-1, MAX_MODULUS).residue == MAX_MODULUS - 1


def test_residues_are_no_temporal_operators():
    f = Mod(1, 2)
    assert (depth(f), size(f), f.operands, subformulas(f)) == (0, 1, (), (f,))
    assert depth(Past(f & Yesterday(f))) == 2


def test_unlike_formulas_are_unlike_objects():
    nodes = [A, B, TRUE, ~A, A & B, B & A, A | B, Past(A), Yesterday(A), Yesterday(A, 2), Since(A, B), Since(B, A)]
    nodes += [Mod(0, 1), Mod(0, 2), Mod(1, 2), Mod(1, 3), Mod(2, 3)]
    assert len(set(nodes)) == len(nodes)
    assert all((f == g) == (f is g) for f in nodes for g in nodes)


def test_formulas_are_immutable():
    with pytest.raises(AttributeError):
        A.letter = "b"
    assert A is Letter("a")


def test_unused_formulas_are_forgotten():
    f = Past(Letter("a letter of this test alone"))
    seen = weakref.ref(f)
    del f
    gc.collect()
    assert seen() is None


@pytest.mark.parametrize("n", [5_000, 50_000])
def test_h08_depth_is_no_limit(n):
    f = Past(A)
    for i in range(n):
        f = ~f if i % 2 else Since(B, f)
    g = Past(A)
    for i in range(n):
        g = ~g if i % 2 else Since(B, g)
    assert n > sys.getrecursionlimit()
    assert f is g
    assert f == g
    assert hash(f) == hash(g)
    assert size(f) == n + 3
    assert depth(f) == n // 2 + 1
    assert pickle.loads(pickle.dumps(f)) is f
    seen = weakref.ref(f)
    del f, g
    gc.collect()
    assert seen() is None


@given(EVERYTHING)
def test_subformulas_are_all_and_only_those_each_once_operands_first(f):
    order = subformulas(f)
    place = {g: i for i, g in enumerate(order)}
    assert len(place) == len(order) == size(f)
    assert order[-1] is f
    assert all(place[operand] < place[g] for g in order for operand in g.operands)
    used = {operand for g in order for operand in g.operands}
    assert used | {f} == set(order)


def test_subformulas_stand_left_before_right():
    assert subformulas((B & A) | Past(A)) == (B, A, B & A, Past(A), (B & A) | Past(A))


def test_size_counts_shared_subformulas_once():
    f = A
    for _ in range(100):
        f = f & f
    assert size(f) == 101


@given(EVERYTHING)
def test_depth_is_the_deepest_nesting(f):
    def nesting(g: Formula) -> int:
        return isinstance(g, Past | Yesterday | Since) + max(map(nesting, g.operands), default=0)

    assert depth(f) == nesting(f)


def test_operators_build_the_core():
    assert ~A is Not(A)
    assert A & B is And(A, B)
    assert A | B is Or(A, B)
    for build in (lambda: A & "b", lambda: "b" | A):
        with pytest.raises(TypeError):
            build()


def test_sugar_is_what_it_stands_for():
    assert FALSE is Not(TRUE)
    assert FIRST is Not(Past(TRUE))
    assert implies(A, B) is Or(Not(A), B)
    assert iff(A, B) is And(implies(A, B), implies(B, A))
    assert once(A) is Or(A, Past(A))
    assert historically(A) is Not(Past(Not(A)))
    assert weak_yesterday(A) is Not(Yesterday(Not(A)))
    assert weak_yesterday(A, 3) is Not(Yesterday(Not(A), 3))
    assert yesterday_power(A, 0) is A
    assert yesterday_power(A, 3) is Yesterday(Yesterday(Yesterday(A)))


@given(st.lists(st.sampled_from([TRUE, FALSE, A, B, Past(A)]), max_size=6))
def test_conjunctions_and_disjunctions_drop_what_is_neutral(operands):
    for build, node, neutral in ((conjunction, And, TRUE), (disjunction, Or, FALSE)):
        kept = [f for f in operands if f is not neutral]
        expected = kept[0] if kept else neutral
        for f in kept[1:]:
            expected = node(expected, f)
        assert build(operands) is expected


@pytest.mark.parametrize(
    ("build", "complaint"),
    [
        (lambda: Past("a"), "an operand must be a formula, not 'a'"),
        (lambda: And(A, None), "an operand must be a formula, not None"),
        (lambda: Letter(""), "a letter must be a non-empty string"),
        (lambda: Letter(1), "a letter must be a non-empty string"),
        (lambda: Yesterday(A, 0), "a window of 0 positions sees nothing"),
        (lambda: Yesterday(A, 1.5), "a window is a whole number"),
        (lambda: Yesterday(A, MAX_WINDOW + 1), "a window has at most"),
        (lambda: yesterday_power(A, -1), "n >= 0"),
        (lambda: Mod(1, 0), "a modulus is at least 1 and at most .*, not 0"),
        (lambda: Mod(1, -2), "a modulus is at least 1 and at most .*, not -2"),
        (lambda: Mod(1, MAX_MODULUS + 1), "a modulus is at least 1 and at most 1,000,"),
        (lambda: Mod(1.5, 2), "MOD takes whole numbers, not 1.5 and 2"),
        (lambda: Mod(1, "2"), "MOD takes whole numbers, not 1 and '2'"),
    ],
)
def test_mistakes_are_named(build, complaint):
    with pytest.raises(ToolkitError, match=complaint):
        build()


def test_representation_is_an_expression_that_stays_small():
    f = A
    for _ in range(60):
        f = Past(f) & ~f
    assert len(repr(f)) < 2_000
    assert repr(Past(A) & ~B) == "parse_formula('P a & !b')"
    assert str(Past(A)) == "P a"
    assert repr(Mod(1, 2)) == "parse_formula('MOD(1,2)')"
    assert Past(A)._repr_latex_() == r"$\mathrm{P}\, a$"
