"""One window for all Y<=k of a formula: the same truth at every position, and no other window left."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.errors import TooLarge, ToolkitError
from ltl.formula import FALSE, TRUE, Letter, Yesterday, depth, size, subformulas
from ltl.semantics import truth_batch
from ltl.syntax import parse_formula
from ltl.to_window import to_window
from tests.strategies import AB, ABC, all_words, formulas

WORDS = AB.encode_batch(all_words(AB, 8))


def windows(formula):
    return {f.window for f in subformulas(formula) if isinstance(f, Yesterday)}


@pytest.mark.parametrize("window", [1, 2, 3, 4])
@pytest.mark.parametrize("further", range(9))
def test_wider_windows_unfold(window, further):
    formula = Yesterday(Letter("a"), window + further)
    rewritten = to_window(formula, window)
    assert windows(rewritten) == {window}
    assert np.array_equal(truth_batch(rewritten, WORDS, AB), truth_batch(formula, WORDS, AB))
    wide = window + further
    assert depth(rewritten) == wide // window + wide % window
    assert size(rewritten) <= 2 + 2 * (wide // window) + 8 * (wide % window)


@given(formulas(ABC, window=2, widest=5, since=True, modulus=3), st.integers(1, 2))
def test_any_formula_keeps_its_truth_at_every_position(formula, window):
    rewritten = to_window(formula, window)
    assert windows(rewritten) <= {window}
    words = ABC.encode_batch(all_words(ABC, 5))
    assert np.array_equal(truth_batch(rewritten, words, ABC), truth_batch(formula, words, ABC))


@given(formulas(AB, widest=4, max_leaves=5), st.integers(1, 4), st.integers(0, 2))
def test_remainders_narrow_a_window(formula, window, more):
    rewritten = to_window(formula, window, window + more)
    assert windows(rewritten) <= {window}
    assert np.array_equal(truth_batch(rewritten, WORDS, AB), truth_batch(formula, WORDS, AB))


@pytest.mark.parametrize("f", [TRUE, FALSE, Letter("a")])
def test_formulas_without_windows_stay(f):
    assert to_window(f, 3) is f


def test_a_narrower_window_is_refused():
    with pytest.raises(ToolkitError, match="Y<=3 does not define Y<=2"):
        to_window(parse_formula("P (a & Y<=2 b)"), 3)
    with pytest.raises(ToolkitError, match="a modulus of 2 does not tell the 3 positions"):
        to_window(parse_formula("Y a"), 3, 2)


@pytest.mark.parametrize(("text", "window", "modulus"), [("Y<=1000000000000 a", 1, None), ("Y<=999 a", 1000, 10**6)])
def test_what_would_never_end_is_refused(text, window, modulus):
    with pytest.raises(TooLarge, match="max_unfolded"):
        to_window(parse_formula(text), window, modulus)
