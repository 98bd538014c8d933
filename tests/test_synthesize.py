from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import NotDefinable, TooLarge, ToolkitError
from automata.minimize import minimize
from ltl.compile import formula_to_dfa
from ltl.formula import FALSE, TRUE, Formula, depth, size
from ltl.fragment import LTL_P, LTL_PY, LTL_S, LTL_Y, Fragment, fragment_of
from ltl.semantics import holds_batch
from ltl.syntax import parse_formula
from semigroups.certificate import PumpingFamily
from semigroups.forbidden import admits
from semigroups.synthesize import define
from tests.strategies import AB, ABC, all_words, dfas, formulas, small_minimal_dfas

FRAGMENTS = [LTL_P, LTL_Y, LTL_PY]
LOGIC = {
    LTL_P: lambda alphabet: formulas(alphabet, window=None, max_leaves=15),
    LTL_Y: lambda alphabet: formulas(alphabet, past=False, max_leaves=15),
    LTL_PY: lambda alphabet: formulas(alphabet, max_leaves=15),
}


def assert_defines(formula: Formula, dfa: DFA, fragment: Fragment) -> None:
    assert fragment_of(formula) <= fragment
    assert formula_to_dfa(formula, dfa.alphabet) == dfa


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
def test_every_small_automaton_of_the_fragment_is_defined(fragment: Fragment) -> None:
    words = all_words(AB, 8)
    n_defined = 0
    for dfa in small_minimal_dfas(AB, 3):
        if admits(dfa, fragment):
            n_defined += 1
            formula = define(dfa, fragment)
            assert_defines(formula, dfa, fragment)
            assert holds_batch(formula, words, AB).tolist() == dfa.accepts_batch(words).tolist()
        else:
            with pytest.raises(NotDefinable, match="pumping family") as error:
                define(dfa, fragment)
            assert isinstance(error.value.certificate, PumpingFamily)
            assert error.value.certificate.check(dfa, max_depth=2) is None
    assert fragment != LTL_PY or n_defined == 156  # counted by the semigroup equations


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
@pytest.mark.parametrize("alphabet", [AB, ABC], ids=["ab", "abc"])
@given(data=st.data())
def test_languages_of_formulas_are_defined_again(fragment: Fragment, alphabet: Alphabet, data: st.DataObject) -> None:
    dfa = formula_to_dfa(data.draw(LOGIC[fragment](alphabet)), alphabet)
    assert_defines(define(dfa, fragment), dfa, fragment)


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
@given(dfa=dfas(max_states=6).map(minimize))
def test_random_automata_are_defined_or_refused(fragment: Fragment, dfa: DFA) -> None:
    if admits(dfa, fragment):
        assert_defines(define(dfa, fragment), dfa, fragment)
    else:
        with pytest.raises(NotDefinable):
            define(dfa, fragment)


@given(st.integers(2, 14), st.integers(2, 3), st.floats(0, 0.7), st.integers(0, 2**32 - 1))
def test_components_with_many_states_and_exits_are_defined(n: int, k: int, missing: float, seed: int) -> None:
    # States carry the last two letters and a level that some steps raise: components that are left at many states.
    rng = np.random.default_rng(seed)
    levels = max(1, n // 4)
    last, level = np.divmod(np.arange(k * k * levels), levels)
    onward = (last[:, None] % k) * k + np.arange(k)
    raised = np.minimum(level[:, None] + (rng.random((len(last), k)) < missing / 2), levels - 1)
    delta = onward * levels + raised
    dfa = minimize(DFA(Alphabet.of("abc"[:k]), delta, 0, rng.random(len(last)) < 0.5))
    assert_defines(define(dfa, LTL_PY), dfa, LTL_PY)


@pytest.mark.parametrize(
    ("rows", "accepting", "fragment", "text"),
    [
        ([[1, 0], [1, 0]], {1}, LTL_Y, "Y a"),  # ends with a
        ([[1, 0], [1, 2], [1, 0]], {2}, LTL_Y, "Y (b & Y a)"),  # ends with ab
        ([[1, 2], [1, 1], [2, 2]], {1}, LTL_P, "P (a & !P true)"),  # begins with a
        ([[1, 0], [1, 2], [2, 2]], {2}, LTL_P, "P (b & P a)"),  # contains ab
        ([[0, 1], [0, 2], [2, 2]], {0, 1}, LTL_PY, "!P (b & Y b)"),  # no bb
        ([[1, 1], [1, 1]], {0}, LTL_P, "!P true"),  # the empty word
        ([[1, 1], [1, 1]], {0}, LTL_Y, "!Y true"),
        ([[1, 1], [2, 2], [3, 3], [3, 3]], {2}, LTL_Y, "Y Y !Y true"),  # two letters
        ([[0, 0]], {0}, LTL_PY, "true"),
        ([[0, 0]], set(), LTL_PY, "false"),
    ],
)
def test_well_known_languages_get_the_formula_one_would_write(
    rows: list[list[int]], accepting: set[int], fragment: Fragment, text: str
) -> None:
    dfa = DFA(AB, rows, 0, [q in accepting for q in range(len(rows))])
    formula = define(dfa, fragment)
    assert formula is parse_formula(text)
    assert_defines(formula, dfa, fragment)


def test_the_hybrid_takes_the_smallest_formula_there_is() -> None:
    for dfa in small_minimal_dfas(AB, 3):
        smaller = [size(define(dfa, fragment)) for fragment in (LTL_P, LTL_Y) if admits(dfa, fragment)]
        if smaller:
            assert size(define(dfa, LTL_PY)) <= min(smaller)


def test_contains_ab_over_three_letters() -> None:
    dfa = DFA(ABC, [[1, 0, 0], [1, 2, 0], [2, 2, 2]], 0, [False, False, True])
    assert define(dfa, LTL_PY) is parse_formula("P (b & Y a)")


def test_multi_character_letters_and_the_empty_alphabet() -> None:
    alphabet = Alphabet(("a", "b0", "b1"))
    dfa = DFA(alphabet, [[1, 2, 0], [1, 1, 2], [2, 2, 2]], 0, [False, True, False])
    for fragment in (LTL_P, LTL_PY):
        assert_defines(define(dfa, fragment), dfa, fragment)
    nothing = Alphabet(())
    for fragment in FRAGMENTS:
        assert define(DFA(nothing, [[]], 0, [True]), fragment) is TRUE
        assert define(DFA(nothing, [[]], 0, [False]), fragment) is FALSE


def test_long_chains_share_their_subformulas() -> None:
    # At least n letters a: level q is entered by an a at level q - 1, so two subformulas a level and nothing else.
    n = 300
    delta = np.stack((np.minimum(np.arange(n + 1) + 1, n), np.arange(n + 1)), axis=1)
    chain = DFA(AB, delta, 0, np.arange(n + 1) == n)
    for fragment in (LTL_P, LTL_PY):
        formula = define(chain, fragment)
        assert size(formula) == 2 * n
        assert depth(formula) == n
        assert_defines(formula, chain, fragment)


def test_definite_languages_of_order_twelve() -> None:
    q = np.arange(4096)
    delta = np.stack((2 * q % 4096 + 1, 2 * q % 4096), axis=1)  # a is bit 1
    twelfth = minimize(DFA(AB, delta, 0, q >= 2048))
    assert define(twelfth, LTL_Y) is parse_formula("Y^12 a")
    random = minimize(DFA(AB, delta, 0, np.random.default_rng(0).random(4096) < 0.5))
    formula = define(random, LTL_Y)
    assert depth(formula) == 12
    batch = np.random.default_rng(1).integers(0, 2, (20_000, 20))
    assert holds_batch(formula, batch, AB).tolist() == random.accepts_batch(batch).tolist()


def test_formulas_beyond_the_limit_are_refused() -> None:
    q = np.arange(256)
    dfa = minimize(
        DFA(AB, np.stack((2 * q % 256, 2 * q % 256 + 1), axis=1), 0, np.random.default_rng(0).random(256) < 0.5)
    )
    with pytest.raises(TooLarge, match="max_cases"):
        define(dfa, LTL_Y, max_cases=50)
    assert_defines(define(dfa, LTL_Y, max_cases=255), dfa, LTL_Y)  # a suffix of up to 7 letters each


def test_other_fragments_are_refused() -> None:
    with pytest.raises(ToolkitError, match=r"not LTL\[S\]"):
        define(DFA(AB, [[0, 0]], 0, [True]), LTL_S)
