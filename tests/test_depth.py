"""Least temporal depth: against all words, published depths, and tampered evidence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import ToolkitError
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from ltl.compile import formula_to_dfa
from ltl.depth_types import definable_at_depth
from ltl.formula import TRUE, Letter, Past, depth, yesterday_power
from ltl.fragment import LTL_P, LTL_PY, LTL_Y, Fragment
from ltl.syntax import parse_formula
from semigroups.depth import least_depth
from semigroups.forbidden import admits
from semigroups.synthesize import synthesize
from tests.strategies import AB, ABC, formulas, small_minimal_dfas

FRAGMENTS = [LTL_P, LTL_Y, LTL_PY]


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
def test_small_automata_have_their_least_depth(fragment: Fragment) -> None:
    depths = set()
    for dfa in small_minimal_dfas(AB, 3)[::2]:
        if not admits(dfa, fragment):
            continue
        found = least_depth(dfa, fragment, synthesize(dfa, fragment))
        assert found.check(dfa) is None
        assert found.exact is not None
        depths.add(found.exact)
        assert definable_at_depth(dfa, fragment, found.exact)
        assert not any(definable_at_depth(dfa, fragment, d) for d in range(found.exact))
    assert depths == {0, 1, 2}  # theory: no depth beyond two is needed with three states


@given(formulas(AB, past=False, widest=1, max_leaves=15))
def test_the_order_of_definiteness_is_the_depth(formula) -> None:
    dfa = formula_to_dfa(formula, AB)
    found = least_depth(dfa, LTL_Y, formula)
    assert found.check(dfa) is None
    assert found.exact is not None
    assert found.exact <= depth(formula)
    assert definable_at_depth(dfa, LTL_Y, found.exact)
    assert found.exact == 0 or not definable_at_depth(dfa, LTL_Y, found.exact - 1)


@pytest.mark.parametrize(
    ("expression", "letters", "fragment", "formula", "least"),
    [
        (".*a", "ab", LTL_Y, "Y a", 1),
        (".*ab", "ab", LTL_Y, "Y (b & Y a)", 2),
        (".*a.*", "ab", LTL_P, "P a", 1),
        ("a.*", "ab", LTL_P, "P (a & !P true)", 2),
        (".*ab.*", "ab", LTL_P, "P (b & P a)", 2),
        (".*ab.*", "abc", LTL_PY, "P (b & Y a)", 2),
        (".*", "ab", LTL_PY, "P P P a | !P P P a", 0),
        ("∅", "ab", LTL_P, "P a & !P a", 0),
        ("ε", "ab", LTL_P, "!P true", 1),
        (".*a.*b.*c.*", "abc", LTL_P, "P (c & P (b & P a))", 3),  # words of three letters in order
    ],
)
def test_well_known_languages(expression: str, letters: str, fragment: Fragment, formula: str, least: int) -> None:
    alphabet = Alphabet.of(letters)
    dfa = regex_to_dfa(expression, alphabet)
    found = least_depth(dfa, fragment, parse_formula(formula, alphabet))
    assert found.exact == least
    assert found.check(dfa) is None


def test_windows_are_searched_too() -> None:
    # For windows of two the depth of "ends with ab" is not its order.
    formula = parse_formula("Y<=2 (a & P b)", AB)
    dfa = formula_to_dfa(formula, AB)
    found = least_depth(dfa, Fragment(past=True, window=2), formula)
    assert found.check(dfa) is None
    assert found.at_most <= 2


def test_where_the_search_is_cut_the_bounds_stay_apart() -> None:
    formula = parse_formula("P (c & P (b & P a))", ABC)
    dfa = formula_to_dfa(formula, ABC)
    found = least_depth(dfa, LTL_P, formula, max_types=30)
    assert found.at_least < 3
    assert found.at_most == 3
    assert found.exact is None
    assert found.check(dfa) is None


def test_long_suffixes_need_no_search() -> None:
    formula = yesterday_power(Letter("a"), 11)
    dfa = formula_to_dfa(formula, AB)
    found = least_depth(dfa, LTL_Y, formula)
    assert found.exact == 11
    assert found.formula is formula
    assert found.equal_below is not None
    inside, outside = found.equal_below
    assert inside[-10:] == outside[-10:]
    assert found.check(dfa) is None


def test_plain_data() -> None:
    dfa = regex_to_dfa(".*a", AB)
    found = least_depth(dfa, LTL_Y, parse_formula("Y a", AB))
    assert found.equal_below is not None
    assert found.to_dict() == {
        "kind": "depth",
        "at_least": 1,
        "at_most": 1,
        "equal_below": list(found.equal_below),
        "formula": "Y a",
    }


def test_false_claims_are_refused() -> None:
    dfa = regex_to_dfa(".*ab.*", AB)
    formula = parse_formula("P (b & P a)", AB)
    found = least_depth(dfa, LTL_P, formula)
    assert found.check(dfa) is None
    assert "nothing shows" in str(replace(found, equal_below=None).check(dfa))
    assert "tells the words apart" in str(replace(found, equal_below=("ab", "a")).check(dfa))
    assert "first must be accepted" in str(replace(found, equal_below=("ba", "ab")).check(dfa))
    assert "no depth is" in str(replace(found, at_least=3).check(dfa))
    assert "has depth 1" in str(replace(found, formula=Past(Letter("a"))).check(dfa))
    assert "is in LTL[Y]" in str(replace(found, formula=parse_formula("Y Y a", AB)).check(dfa))
    assert "differ on" in str(replace(found, formula=parse_formula("P (a & P b)", AB)).check(dfa))
    assert "does not fit" in str(replace(found, formula=parse_formula("P P c")).check(dfa))
    too_small = replace(found, at_least=1, at_most=1, equal_below=("ab", "a"), formula=None)
    assert "of depth 1 defines" in str(too_small.check(dfa))
    assert "over" in str(found.check(regex_to_dfa(".*ab.*", ABC)))


def test_a_formula_outside_the_fragment_is_refused() -> None:
    with pytest.raises(ToolkitError, match=r"in LTL\[Y\], not in LTL\[P\]"):
        least_depth(regex_to_dfa(".*a", AB), LTL_P, parse_formula("Y a", AB))


def test_empty_alphabet() -> None:
    dfa = DFA(Alphabet(()), [[]], 0, [True])
    for fragment in FRAGMENTS:
        assert least_depth(dfa, fragment, TRUE).exact == 0


def test_random_definite_languages() -> None:
    q = np.arange(64)
    delta = np.stack((2 * q % 64, 2 * q % 64 + 1), axis=1)
    dfa = minimize(DFA(AB, delta, 0, np.random.default_rng(0).random(64) < 0.5))
    found = least_depth(dfa, LTL_Y, synthesize(dfa, LTL_Y))
    assert found.exact == 6
    assert found.check(dfa) is None
