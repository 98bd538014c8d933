"""Generating functions against exact counts, growth rates against theory and against long counts."""

import math

import numpy as np
import pytest
import sympy
from hypothesis import assume, given

from automata.alphabet import Alphabet
from automata.counting import generating_function, growth_rate
from automata.dfa import DFA
from automata.equivalence import is_finite
from automata.errors import TooLarge
from automata.sample import word_counts
from tests.strategies import AB, dfas

Z = sympy.Symbol("z")
NO_BB = DFA(AB, [[0, 1], [0, 2], [2, 2]], 0, [True, True, False])
A_STAR_B_STAR = DFA(AB, [[0, 1], [2, 1], [2, 2]], 0, [True, True, False])
NOTHING = DFA(AB, [[0, 0]], 0, [False])
EVEN_LENGTH = DFA(AB, [[1, 1], [0, 0]], 0, [True, False])
BINARY_WORDS_OF_THREE = DFA(AB, [[1, 1], [2, 2], [3, 3], [4, 4], [4, 4]], 0, np.arange(5) == 3)


def coefficients(function, n):
    """Expand a rational function by long division, without sympy's series."""
    numerator, denominator = (sympy.Poly(part, Z).all_coeffs()[::-1] for part in sympy.fraction(function))
    series = []
    for i in range(n):
        top = numerator[i] if i < len(numerator) else 0
        known = sum(denominator[j] * series[i - j] for j in range(1, min(i, len(denominator) - 1) + 1))
        series.append((top - known) / denominator[0])
    return series


@given(dfas())
def test_series_is_the_counts(dfa):
    assert coefficients(generating_function(dfa), 40) == word_counts(dfa, 39)


@pytest.mark.parametrize(
    ("dfa", "function"),
    [
        (NO_BB, (1 + Z) / (1 - Z - Z**2)),
        (A_STAR_B_STAR, 1 / (1 - Z) ** 2),
        (EVEN_LENGTH, 1 / (1 - 4 * Z**2)),
        (BINARY_WORDS_OF_THREE, 8 * Z**3),
        (NOTHING, sympy.Integer(0)),
        (DFA(Alphabet(()), [[]], 0, [True]), sympy.Integer(1)),
    ],
)
def test_known_generating_functions(dfa, function):
    assert sympy.simplify(generating_function(dfa) - function) == 0


@pytest.mark.parametrize(
    ("dfa", "rate"),
    [
        (NO_BB, sympy.GoldenRatio),
        (A_STAR_B_STAR, 1),
        (EVEN_LENGTH, 2),
        (BINARY_WORDS_OF_THREE, 0),
        (NOTHING, 0),
        (DFA(Alphabet(()), [[]], 0, [True]), 0),
    ],
)
def test_known_growth_rates(dfa, rate):
    assert sympy.simplify(growth_rate(dfa).exact - rate) == 0
    assert growth_rate(dfa).approximate == pytest.approx(float(rate))


@given(dfas())
def test_growth_rate_is_that_of_the_counts(dfa):
    rate = growth_rate(dfa).approximate
    if is_finite(dfa):
        assert rate == 0
    else:
        # Where there are words, counts lie below c n^5 rate^n, and along some period above rate^n / c (6
        # states).
        counts = word_counts(dfa, 3000)
        assert abs(max(math.log(counts[n]) / n for n in range(2900, 3001) if counts[n]) - math.log(rate)) < 0.02


@given(dfas())
def test_growth_rate_is_the_spectral_radius(dfa):
    function = generating_function(dfa)
    assume(not function.is_polynomial(Z))
    # A pole of order m comes out of floats with an error of the m-th root of theirs.
    poles = np.roots([float(c) for c in sympy.Poly(sympy.fraction(function)[1], Z).all_coeffs()])
    assert growth_rate(dfa).approximate == pytest.approx(1 / min(abs(poles)), rel=0.02)


def test_too_many_states_for_algebra():
    n = 30
    chain = DFA(AB, [[min(q + 1, n), n + 1] for q in range(n + 1)] + [[n + 1] * 2], 0, np.arange(n + 2) == n)
    for count in (generating_function, growth_rate):
        with pytest.raises(TooLarge, match="reached 31, more than the limit of 20"):
            count(chain, max_states=20)
