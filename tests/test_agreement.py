"""Every pair of independent routes to an answer: words read by formula, automaton, semigroup; classes decided twice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from automata.dfa import DFA
from automata.minimize import minimize
from ltl.compile import formula_to_dfa
from ltl.fragment import LTL_P, LTL_PY, LTL_Y
from ltl.semantics import holds, holds_batch
from semigroups.forbidden import admits
from semigroups.syntactic import syntactic_semigroup
from semigroups.variety import VARIETIES
from tests.strategies import AB, ABC, all_words, dfas, formulas, small_minimal_dfas

EQUATIONS = {LTL_P: VARIETIES["R-trivial"], LTL_Y: VARIETIES["definite"], LTL_PY: VARIETIES["locally R-trivial"]}
WORDS = all_words(AB, 8)
BATCH = AB.encode_batch(WORDS)


@given(formulas(AB, since=True))
def test_semantics_automaton_and_semigroup_accept_the_same_words(formula):
    dfa = formula_to_dfa(formula, AB)
    by_semantics = holds_batch(formula, WORDS, AB)
    assert by_semantics.tolist() == dfa.accepts_batch(BATCH).tolist()
    assert by_semantics.tolist() == syntactic_semigroup(dfa).accepts_batch(BATCH).tolist()


@given(formulas(ABC))
def test_three_letters(formula):
    words = all_words(ABC, 5)
    dfa = formula_to_dfa(formula, ABC)
    by_semantics = holds_batch(formula, words, ABC).tolist()
    assert by_semantics == dfa.accepts_batch(words).tolist() == syntactic_semigroup(dfa).accepts_batch(words).tolist()


@given(formulas(AB, since=True))
def test_one_word_at_a_time_is_as_in_a_batch(formula):
    dfa = formula_to_dfa(formula, AB)
    syntactic = syntactic_semigroup(dfa)
    words = all_words(AB, 4)
    alone = [(holds(formula, word, AB), dfa.accepts(word), syntactic.accepts(word)) for word in words]
    together = zip(
        holds_batch(formula, words, AB).tolist(),
        dfa.accepts_batch(words).tolist(),
        syntactic.accepts_batch(words).tolist(),
        strict=True,
    )
    assert alone == list(together)


@given(dfas(max_states=6))
def test_minimal_and_given_automaton_and_semigroup_accept_the_same_words(dfa):
    words = all_words(dfa.alphabet, 8 if len(dfa.alphabet) == 2 else 5)
    by_automaton = dfa.accepts_batch(words).tolist()
    assert by_automaton == minimize(dfa).accepts_batch(words).tolist()
    if len(dfa.alphabet) == 2:
        assert by_automaton == syntactic_semigroup(dfa).accepts_batch(words).tolist()


def assert_routes_agree(dfa: DFA) -> None:
    syntactic = syntactic_semigroup(dfa)
    for fragment, variety in EQUATIONS.items():
        assert admits(dfa, fragment) == (variety.violation(syntactic) is None), (fragment.name, dfa)


def test_forbidden_patterns_agree_with_equations_on_all_small_automata():
    for dfa in small_minimal_dfas(AB, 3):
        assert_routes_agree(dfa)


@pytest.mark.parametrize("n_states", [4, 5, 6])
def test_forbidden_patterns_agree_with_equations_on_random_automata(n_states):
    """Half of them with random targets, half drawn to the next states, where the classes are not all empty."""
    rng = np.random.default_rng(n_states)
    members = dict.fromkeys(EQUATIONS, 0)
    for trial in range(120):
        delta = rng.integers(0, n_states, (n_states, 2))
        if trial % 2:
            delta = np.minimum(n_states - 1, np.arange(n_states)[:, None] + rng.integers(-1, 3, (n_states, 2))).clip(0)
        dfa = minimize(DFA(AB, delta, 0, rng.integers(0, 2, n_states)))
        assert_routes_agree(dfa)
        for fragment in EQUATIONS:
            members[fragment] += admits(dfa, fragment)
    assert all(0 < count < 120 for count in members.values()), members
