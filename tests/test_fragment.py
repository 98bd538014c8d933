"""Fragments: names, the order by what operators define, and the least fragment of a formula."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.errors import ParseError, ToolkitError
from ltl.compile import formula_to_dfa
from ltl.depth_types import definable_at_depth
from ltl.formula import TRUE, Letter, Mod, Past, Since, Yesterday, yesterday_power
from ltl.fragment import (
    LTL_P,
    LTL_P_MOD,
    LTL_PY,
    LTL_PY_MOD,
    LTL_S,
    LTL_S_MOD,
    LTL_Y,
    LTL_Y_MOD,
    Fragment,
    fragment_of,
    parse_fragment,
)
from tests.strategies import AB, formulas

A, B = Letter("a"), Letter("b")
NONE = Fragment(past=False, window=None)
SMALL = [Fragment(past, window) for past, window in product([False, True], [None, 1, 2, 3])] + [LTL_S]
ONLY_MOD = Fragment(past=False, window=None, modular=True)
MODULAR = [ONLY_MOD, LTL_P_MOD, LTL_Y_MOD, LTL_PY_MOD, LTL_S_MOD]
fragments = st.sampled_from(SMALL + MODULAR)


@pytest.mark.parametrize(
    ("fragment", "name"),
    [
        (LTL_P, "LTL[P]"),
        (LTL_Y, "LTL[Y]"),
        (LTL_PY, "LTL[P,Y]"),
        (LTL_S, "LTL[S]"),
        (NONE, "LTL[]"),
        (LTL_P_MOD, "LTL[P,MOD]"),
        (LTL_Y_MOD, "LTL[Y,MOD]"),
        (LTL_PY_MOD, "LTL[P,Y,MOD]"),
        (LTL_S_MOD, "LTL[S,MOD]"),
        (ONLY_MOD, "LTL[MOD]"),
        (Fragment(past=False, window=2), "LTL[Y<=2]"),
        (Fragment(past=True, window=12), "LTL[P,Y<=12]"),
    ],
)
def test_names_are_those_of_the_literature_and_are_read_back(fragment, name):
    assert fragment.name == str(fragment) == name
    assert parse_fragment(name) == fragment


def test_names_are_read_with_spaces_and_in_any_order():
    assert parse_fragment(" LTL [ Y≤2 , P ] ") == Fragment(past=True, window=2)
    assert parse_fragment("LTL[Y<=3,Y<=2]") == Fragment(past=False, window=2)
    assert parse_fragment("LTL[P,S]") == LTL_S
    assert parse_fragment("LTL[ MOD , Y, P]") == LTL_PY_MOD
    assert parse_fragment("LTL[Y<=3,MOD]") == LTL_Y_MOD
    assert parse_fragment("LTL[MOD,S]") == LTL_S_MOD


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("LTL", 0),
        ("LTL[P", 0),
        ("LTL[Q]", 4),
        ("LTL[P,Y<=0]", 6),
        ("LTL[P,,Y]", 6),
        ("LTL[P,Y<2]", 6),
        ("LTL[P,MODY]", 6),
    ],
)
def test_other_names_are_refused_where_they_go_wrong(text, position):
    with pytest.raises(ParseError) as caught:
        parse_fragment(text)
    assert caught.value.position == position


@pytest.mark.parametrize("window", [0, -1, 1.5, "2"])
def test_windows_are_whole_and_positive(window):
    with pytest.raises(ToolkitError, match="window"):
        Fragment(past=False, window=window)


def test_since_brings_the_others():
    assert Fragment(past=False, window=None, since=True) == Fragment(past=True, window=3, since=True) == LTL_S
    assert all(fragment <= LTL_S for fragment in SMALL)


def test_modular_predicates_make_all_windows_equal():
    """Against the definition: with MOD(r,m) for some m >= k, Y<=k defines Y at the same depth, else at no small one."""
    assert Fragment(False, 3, modular=True) == LTL_Y_MOD == Fragment(False, 1, modular=True)
    assert Fragment(True, 2, modular=True) == LTL_PY_MOD
    last = formula_to_dfa(Yesterday(A), AB)
    for past, k, m in product([False, True], [2, 3, 4], [1, 2, 3, 4]):
        assert definable_at_depth(last, Fragment(past, k), 1, modulus=m) == (m >= k)
    for k, m in [(2, 1), (3, 1), (3, 2)]:
        assert not definable_at_depth(last, Fragment(False, k), 3, modulus=m)


@pytest.mark.parametrize("plain", [LTL_P, LTL_Y, LTL_PY, LTL_S], ids=lambda f: f.name)
def test_modular_predicates_add_to_every_fragment(plain):
    modular = Fragment(plain.past, plain.window, plain.since, modular=True)
    assert plain < modular
    assert not modular <= LTL_S
    assert modular <= LTL_S_MOD
    assert modular > ONLY_MOD
    assert [f for f in (LTL_P, LTL_Y, LTL_PY, LTL_S) if f <= plain] == [
        f for f in (LTL_P, LTL_Y, LTL_PY, LTL_S) if f <= modular
    ]
    even = formula_to_dfa(Mod(1, 2), AB)
    if not plain.since:
        assert definable_at_depth(even, modular, 0, modulus=2)
        assert not definable_at_depth(even, plain, 2)


@given(fragments, fragments, fragments)
def test_the_order_is_a_partial_order(f, g, h):
    assert f <= f
    assert not (f <= g and g <= f) or f == g
    assert not (f <= g and g <= h) or f <= h
    assert (f < g) == (f <= g and f != g)


def test_global_and_local_do_not_compare():
    assert not LTL_P <= LTL_Y
    assert not LTL_Y <= LTL_P
    assert LTL_P < LTL_PY
    assert LTL_Y < LTL_PY
    assert LTL_PY < LTL_S


@pytest.mark.parametrize("larger", [f for f in SMALL if f.window != 3 and not f.since], ids=lambda f: f.name)
def test_the_order_is_that_of_what_operators_define(larger):
    """P, Y and Y<=2 applied to a letter are definable in a fragment iff the order says so [by depth-2 types]."""
    for operator, least in [(Past, LTL_P), (Yesterday, LTL_Y), (lambda f: Yesterday(f, 2), Fragment(False, 2))]:
        assert definable_at_depth(formula_to_dfa(operator(A), AB), larger, 2) == (least <= larger)


@pytest.mark.parametrize(
    ("formula", "name"),
    [
        (A & ~TRUE, "LTL[]"),
        (Past(A) & Past(~Past(B)), "LTL[P]"),
        (yesterday_power(A, 3), "LTL[Y]"),
        (Yesterday(A, 3), "LTL[Y<=3]"),
        (Yesterday(A, 3) & Yesterday(B, 2), "LTL[Y<=2]"),
        (Past(Yesterday(A, 2)), "LTL[P,Y<=2]"),
        (Since(A, B), "LTL[S]"),
        (Since(A, B) & Yesterday(A, 2), "LTL[S]"),
        (Mod(1, 2) & A, "LTL[MOD]"),
        (Past(A & Mod(0, 3)), "LTL[P,MOD]"),
        (Yesterday(A, 3) & Mod(0, 3), "LTL[Y,MOD]"),
        (Past(Yesterday(Mod(0, 2), 2)), "LTL[P,Y,MOD]"),
        (Since(A, ~Mod(0, 1)), "LTL[S,MOD]"),
    ],
)
def test_fragment_of_is_the_least(formula, name):
    assert fragment_of(formula).name == name


@given(formulas(AB, since=True, modulus=2), fragments)
def test_fragment_of_is_that_of_all_subformulas_together(f, g):
    inner = fragment_of(f)
    assert inner <= fragment_of(Past(f))
    assert fragment_of(Past(f)) >= LTL_P
    assert (inner <= g and g >= LTL_P) == (fragment_of(Past(f)) <= g)


def test_h08_fragment_of_deep_formulas():
    f = Yesterday(A, 2)
    for _ in range(5_000):
        f = Past(~f)
    assert fragment_of(f).name == "LTL[P,Y<=2]"
