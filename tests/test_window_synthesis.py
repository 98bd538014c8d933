from __future__ import annotations

import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError
from automata.minimize import minimize
from ltl.compile import formula_to_dfa
from ltl.depth_types import definable_at_depth, same_type
from ltl.formula import Formula, depth
from ltl.fragment import LTL_P, LTL_PY, LTL_Y, Fragment, fragment_of
from ltl.semantics import holds, truth_batch
from semigroups.certificate import Definition
from semigroups.consistent import Labelled, Search, consistent_formula
from semigroups.dated_blocks import dated_formula
from semigroups.definite import definite_order
from semigroups.forbidden import admits
from semigroups.formula_pool import FormulaPool
from semigroups.learned import learned_formula, telling_words
from semigroups.letter_classes import merge_letters, split_letters
from semigroups.observed import Observed, SampleTypes
from semigroups.window_synthesis import synthesize_window
from tests.strategies import AB, ABC, dfas, formulas, small_minimal_dfas

NO_BB = DFA(AB, [[0, 1], [0, 2], [2, 2]], 0, [True, True, False])
ALTERNATING = DFA(AB, [[1, 2], [2, 0], [2, 2]], 0, [True, False, False])  # (ab)*
FIRST_A_LAST_B = DFA(AB, [[1, 2], [1, 3], [2, 2], [1, 3]], 0, [False, False, False, True])  # a.*b
CONTAINS_AB = DFA(ABC, [[1, 0, 0], [1, 2, 0], [2, 2, 2]], 0, [False, False, True])
ENDS_IN_B = DFA(AB, [[0, 1], [0, 1]], 0, [False, True])


def definable_shallowly(dfa: DFA, fragment: Fragment) -> bool:
    """Ask the reference: depths up to 2, where its automata are small."""
    return any(definable_at_depth(dfa, fragment, d, 50_000) for d in range(3))


@pytest.mark.parametrize("past", [True, False])
def test_all_small_automata_with_a_window_of_two(past: bool) -> None:
    fragment = Fragment(past, 2)
    n_found = 0
    for dfa in small_minimal_dfas():
        if not admits(dfa, LTL_PY if past else LTL_Y) or admits(dfa, LTL_P):
            continue
        formula = synthesize_window(dfa, fragment)
        assert (formula is not None) == definable_shallowly(dfa, fragment)
        if formula is not None:
            assert Definition(fragment, formula).check(dfa) is None
            n_found += 1
    assert n_found > 0


@pytest.mark.parametrize("window", [3, 4])
@pytest.mark.parametrize("past", [True, False])
def test_some_small_automata_with_wider_windows(window: int, past: bool) -> None:
    fragment = Fragment(past, window)
    inside = [dfa for dfa in small_minimal_dfas() if admits(dfa, LTL_PY if past else LTL_Y)]
    for dfa in inside[:: 30 if past else 6]:
        formula = synthesize_window(dfa, fragment)
        assert (formula is not None) == definable_shallowly(dfa, fragment)
        assert formula is None or Definition(fragment, formula).check(dfa) is None


def test_without_past_the_depth_is_the_least() -> None:
    for dfa in [dfa for dfa in small_minimal_dfas() if definite_order(dfa) is not None]:
        formula = synthesize_window(dfa, Fragment(False, 2))
        if formula is not None and depth(formula):
            assert not definable_at_depth(dfa, Fragment(False, 2), depth(formula) - 1)


@settings(max_examples=25)
@given(formulas(ABC, window=2, widest=2, max_leaves=5), st.data())
def test_languages_of_random_formulas_are_found_again(formula: Formula, data: st.DataObject) -> None:
    dfa = formula_to_dfa(formula, ABC)
    if dfa.n_states <= 6:
        found = synthesize_window(dfa, Fragment(True, 2))
        assert found is not None
        assert Definition(Fragment(True, 2), found).check(dfa) is None


@settings(max_examples=25)
@given(formulas(AB, past=False, window=3, widest=3, max_leaves=5))
def test_definite_languages_of_random_formulas_are_found_again(formula: Formula) -> None:
    dfa = formula_to_dfa(formula, AB)
    if dfa.n_states <= 12:
        found = synthesize_window(dfa, Fragment(False, 3))
        assert found is not None
        assert Definition(Fragment(False, 3), found).check(dfa) is None
        assert depth(found) <= depth(formula)


@pytest.mark.parametrize(
    ("dfa", "window", "is_inside"),
    [
        (NO_BB, 2, True),
        (NO_BB, 3, False),
        (ALTERNATING, 2, False),  # (ab)^n against (ab)^n a: the window shows both letters
        (FIRST_A_LAST_B, 2, False),
        (ENDS_IN_B, 2, False),  # (ab)^n against (ab)^n a
        (CONTAINS_AB, 2, True),  # over three letters
    ],
)
def test_known_languages(dfa: DFA, window: int, is_inside: bool) -> None:
    formula = synthesize_window(minimize(dfa), Fragment(True, window))
    assert (formula is not None) == is_inside
    if formula is not None:
        assert formula_to_dfa(formula, dfa.alphabet) == minimize(dfa)


def test_letters_that_do_the_same_cost_nothing() -> None:
    wide = Alphabet.of("abcdefghijklmnopqrstuvwxyz")
    delta = [[0] * 26, [0] * 26, [2] * 26]
    for state, target in ((0, 1), (1, 2)):
        for code in (1, 7, 20):
            delta[state][code] = target
    dfa = DFA(wide, delta, 0, [True, True, False])  # no two neighbours among b, h, u
    formula = synthesize_window(dfa, Fragment(True, 2))
    assert formula is not None
    assert formula_to_dfa(formula, wide) == dfa


@given(formulas(Alphabet.of("ab"), window=2), st.text(alphabet="abcd", max_size=8))
def test_splitting_letters_reads_classes(formula: Formula, word: str) -> None:
    four = Alphabet.of("abcd")
    split = split_letters(formula, {"a": [0, 2, 3], "b": [1]}, four)
    merged = word.replace("c", "a").replace("d", "a")
    assert holds(split, word, four) == holds(formula, merged, AB)
    one = split_letters(formula, {"a": [0, 1]}, AB) if "b" not in str(formula) else formula
    plain = "".join(letter for letter in word if letter in "ab")
    if one is not formula:
        assert holds(one, plain, AB) == holds(formula, "a" * len(plain), AB)


@given(dfas(AB, 5), st.lists(st.integers(0, 1), max_size=8))
def test_merged_letters_lead_to_the_same_states(dfa: DFA, word: list[int]) -> None:
    merged, classes = merge_letters(dfa)
    first = {code: letter for letter, codes in classes.items() for code in codes}
    letters = [first[code] for code in word]
    assert merged.accepts(letters) == dfa.accepts(letters) == dfa.accepts(dfa.alphabet.decode(word))


@pytest.mark.parametrize("fragment", [Fragment(True, 2), Fragment(False, 3), LTL_P])
def test_the_pool_tells_the_truth_and_repeats_none(fragment: Fragment) -> None:
    words = [*product(range(2), repeat=4), (0, 1, 1, 0, 1, 1, 0)]
    observed = Observed(words)
    pool = FormulaPool(observed, fragment, AB, 2, 30_000)
    while pool.grow():
        pass
    assert 50 < len(pool) <= pool.max_formulas
    rows = pool.truth()
    n = len(observed)
    lengths = np.array([len(word) for word in observed.words])
    for i in range(0, len(pool), 7):
        formula = pool.formula(2 * i)
        values = truth_batch(formula, observed.batch(AB), AB)
        assert (rows[i, n:] == values[np.arange(n), lengths]).all()
        assert (rows[i, 1:n] == values[np.arange(1, n), lengths[1:] - 1]).all()
        assert fragment_of(formula) <= fragment
        assert depth(formula) <= pool.depths[i] <= 2
    assert not rows[:, n].any()
    assert len(np.unique(rows, axis=0)) == len(pool)


@pytest.mark.parametrize("fragment", [Fragment(True, 2), Fragment(False, 2), LTL_P])
def test_types_of_a_sample_are_those_of_the_reference(fragment: Fragment) -> None:
    observed = Observed(product(range(2), repeat=4))
    types = SampleTypes(observed, fragment)
    words = [AB.decode(word) for word in observed.words]
    for d in range(4):
        ends = types.ends(d)
        for i, j in product(range(0, len(words), 3), repeat=2):
            assert (ends[i] == ends[j]) == same_type(words[i], words[j], fragment, d, AB)


@given(st.lists(st.booleans(), min_size=31, max_size=31))
def test_any_labels_that_types_tell_apart_are_fitted(labels: list[bool]) -> None:
    observed = Observed(product(range(2), repeat=4))
    inside = np.array(labels)
    types = SampleTypes(observed, Fragment(False, 2))
    d = types.least_depth(inside, ~inside, 4)
    assert d is not None  # two steps of two letters reach back to the start of every word, and one more sees it
    search = Search(Fragment(False, 2), AB, d, 2000, 31)
    formula = consistent_formula(search, observed, Labelled(inside, ~inside), d, list(observed.words[:3]))
    assert formula is not None
    assert depth(formula) <= d
    assert [holds(formula, AB.decode(word), AB) for word in observed.words] == labels


def test_dates_alone_serve_random_languages() -> None:
    for dfa in small_minimal_dfas():
        if admits(dfa, LTL_PY) and definable_shallowly(dfa, Fragment(True, 2)):
            formula = dated_formula(dfa, 2)
            assert formula is not None
            assert Definition(Fragment(True, 2), formula).check(dfa) is None


def test_dates_find_nothing_where_there_is_nothing() -> None:
    assert dated_formula(NO_BB, 3) is None
    assert dated_formula(ALTERNATING, 2) is None


def test_limits() -> None:
    with pytest.raises(ToolkitError, match=r"LTL\[Y<=k\]"):
        synthesize_window(NO_BB, LTL_PY)
    with pytest.raises(ToolkitError, match="MOD"):
        synthesize_window(NO_BB, Fragment(True, None, modular=True))
    assert synthesize_window(NO_BB, Fragment(False, 2)) is None  # not definite
    # The fifth letter from the end needs to look back five positions at the very least: depth 3.
    q = np.arange(32)
    fifth = minimize(DFA(AB, np.stack((2 * q % 32, (2 * q + 1) % 32), axis=1), 0, q >= 16))
    assert synthesize_window(fifth, Fragment(False, 2), max_depth=2) is None
    search = Search(Fragment(True, 2), AB, 4, 100, 1)
    with pytest.raises(TooLarge, match="max_rounds"):
        learned_formula(NO_BB, search, telling_words(NO_BB, 8, 2000))


def test_constant_languages_and_the_empty_alphabet() -> None:
    for alphabet in (AB, Alphabet(())):
        for accepting in (False, True):
            dfa = DFA(alphabet, [[0] * len(alphabet)], 0, [accepting])
            for past in (False, True):
                formula = synthesize_window(dfa, Fragment(past, 2))
                assert formula is not None
                assert Definition(Fragment(past, 2), formula).check(dfa) is None


def test_the_same_on_every_run() -> None:
    program = (
        "from tests.strategies import small_minimal_dfas\n"
        "from semigroups.window_synthesis import synthesize_window\n"
        "from ltl.fragment import Fragment\n"
        "for dfa in small_minimal_dfas()[::60]:\n"
        "    print(synthesize_window(dfa, Fragment(True, 2)))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert b"P" in outputs.pop()


def test_a_date_is_told_where_windows_are_too_wide() -> None:
    # Whether the third letter of a word is a: a date, while a window of four shows two letters in any order.
    third = minimize(DFA(AB, [[1, 1], [2, 2], [3, 4], [3, 3], [4, 4]], 0, [False, False, False, True, False]))
    formula = dated_formula(third, 4)
    assert formula is not None
    assert formula_to_dfa(formula, AB) == third
