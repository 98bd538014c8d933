"""Fragments: names, the order by what operators define, and the least fragment of a formula."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.errors import ParseError, ToolkitError
from ltl.compile import formula_to_dfa
from ltl.depth_types import definable_at_depth
from ltl.formula import TRUE, Letter, Past, Since, Yesterday, yesterday_power
from ltl.fragment import LTL_P, LTL_PY, LTL_S, LTL_Y, Fragment, fragment_of, parse_fragment
from tests.strategies import AB, formulas

A, B = Letter("a"), Letter("b")
NONE = Fragment(past=False, window=None)
SMALL = [Fragment(past, window) for past, window in product([False, True], [None, 1, 2, 3])] + [LTL_S]
fragments = st.sampled_from(SMALL)


@pytest.mark.parametrize(
    ("fragment", "name"),
    [
        (LTL_P, "LTL[P]"),
        (LTL_Y, "LTL[Y]"),
        (LTL_PY, "LTL[P,Y]"),
        (LTL_S, "LTL[S]"),
        (NONE, "LTL[]"),
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


@pytest.mark.parametrize(
    ("text", "position"),
    [("", 0), ("LTL", 0), ("LTL[P", 0), ("LTL[Q]", 4), ("LTL[P,Y<=0]", 6), ("LTL[P,,Y]", 6), ("LTL[P,Y<2]", 6)],
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
    ],
)
def test_fragment_of_is_the_least(formula, name):
    assert fragment_of(formula).name == name


@given(formulas(AB, since=True), fragments)
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
