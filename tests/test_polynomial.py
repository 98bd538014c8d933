"""Left-deterministic polynomials: re-read as languages, compared, and refused when tampered with."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import NotDefinable, TooLarge
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from ltl.compile import formula_to_dfa
from ltl.fragment import LTL_P
from semigroups.certificate import PumpingFamily
from semigroups.forbidden import admits
from semigroups.polynomial import Monomial, Polynomial, polynomial
from tests.strategies import AB, ABC, all_words, dfas, formulas, small_minimal_dfas


def matches(monomial: Monomial, word: str) -> bool:
    """Whether a word is in the monomial, by the definition: some way to cut it (several places at once)."""
    places = {0}
    for letter in word:
        stay = {i for i in places if letter in monomial.loops[i]}
        go = {i + 1 for i in places if i < len(monomial.steps) and monomial.steps[i] == letter}
        places = stay | go
    return len(monomial.steps) in places


def assert_is_the_form_of(form: Polynomial, dfa: DFA) -> None:
    assert form.check(dfa) is None
    for word in all_words(dfa.alphabet, 6 if len(dfa.alphabet) == 2 else 4):
        # Disjoint: no word is in two monomials.
        assert sum(matches(monomial, str(word)) for monomial in form.monomials) == dfa.accepts(word)
    assert form.to_dfa() == minimize(dfa)
    assert regex_to_dfa(str(form), dfa.alphabet) == minimize(dfa)


def test_all_small_automata_have_a_polynomial_iff_global_attention_recognises_them() -> None:
    for dfa in small_minimal_dfas(AB, 3):
        if admits(dfa, LTL_P):
            assert_is_the_form_of(polynomial(dfa), dfa)
        else:
            with pytest.raises(NotDefinable) as error:
                polynomial(dfa)
            assert isinstance(error.value.certificate, PumpingFamily)
            assert error.value.certificate.check(dfa, max_depth=2) is None


@given(formulas(ABC, window=None, max_leaves=14))
def test_languages_of_formulas_with_past(formula) -> None:
    dfa = formula_to_dfa(formula, ABC)
    assert_is_the_form_of(polynomial(dfa), dfa)


@given(dfas(max_states=6))
def test_partially_ordered_automata(dfa: DFA) -> None:
    # Every transition made to lead onward or to stay: a partially ordered automaton, minimal or not.
    onward = DFA(dfa.alphabet, np.maximum(dfa.delta, np.arange(dfa.n_states)[:, None]), 0, dfa.accept)
    assert_is_the_form_of(polynomial(onward), onward)


@pytest.mark.parametrize(
    ("expression", "letters", "text"),
    [
        ("a.*", "ab", "a.*"),
        ("bb.*", "ab", "bb.*"),
        (".*a.*", "ab", "b*a.*"),
        (".*ab.*", "ab", "b*aa*b.*"),
        (".*a.*b.*", "abc", "[bc]*a[ac]*b.*"),
        ("[bcd]*a[abc]*", "abcd", "[bcd]*a[abc]*"),  # LDP-1 of theory.md, a, b0, b1 and one more letter
        ("∅", "ab", "∅"),
        ("ε", "ab", "ε"),
        (".*", "ab", ".*"),
        ("a|ab", "ab", "a|ab"),
        ("a*", "a", "a*"),
    ],
)
def test_well_known_languages(expression: str, letters: str, text: str) -> None:
    dfa = regex_to_dfa(expression, Alphabet.of(letters))
    assert str(polynomial(dfa)) == text
    assert polynomial(dfa).check(dfa) is None


def test_empty_alphabet_and_long_letters() -> None:
    nothing = Alphabet(())
    for accepts in (False, True):
        dfa = DFA(nothing, [[]], 0, [accepts])
        form = polynomial(dfa)
        assert form.check(dfa) is None
        assert len(form.monomials) == accepts
    rdp = DFA(Alphabet(("a", "b0", "b1")), [[1, 2, 0], [1, 1, 2], [2, 2, 2]], 0, [False, True, False])
    form = polynomial(rdp)
    assert form.monomials == (Monomial((("b1",), ("a", "b0")), ("a",)),)
    assert form.check(rdp) is None
    assert regex_to_dfa(str(form), rdp.alphabet) == rdp


def test_plain_data() -> None:
    form = polynomial(regex_to_dfa(".*a.*b.*", ABC))
    assert form.to_dict() == {
        "kind": "polynomial",
        "text": "[bc]*a[ac]*b.*",
        "monomials": [{"loops": [["b", "c"], ["a", "c"], ["a", "b", "c"]], "steps": ["a", "b"]}],
    }


def test_what_is_no_disjoint_union_of_left_deterministic_monomials_is_refused() -> None:
    dfa = regex_to_dfa(".*a.*", AB)
    good = Monomial((("b",), ("a", "b")), ("a",))
    contains_b = Monomial((("a",), ("a", "b")), ("b",))
    assert Polynomial(AB, (good,)).check(dfa) is None
    assert "not left-deterministic" in str(Polynomial(AB, (Monomial((("a", "b"), ("a", "b")), ("a",)),)).check(dfa))
    assert "share a word" in str(Polynomial(AB, (good, good)).check(dfa))
    both = regex_to_dfa(".*a.*|.*b.*", AB)
    assert "share a word" in str(Polynomial(AB, (good, contains_b)).check(both))
    assert "only the automaton has the word a" in str(Polynomial(AB, ()).check(dfa))
    assert "only the polynomial has the word a" in str(Polynomial(AB, (good,)).check(regex_to_dfa("∅", AB)))
    assert "1 sets and 1 letters" in str(Polynomial(AB, (replace(good, loops=(("b",),)),)).check(dfa))
    assert "over" in str(Polynomial(ABC, (good,)).check(dfa))
    assert "does not fit" in str(Polynomial(AB, (Monomial((("c",),), ()),)).check(dfa))


def test_exponentially_many_monomials_are_counted_and_refused() -> None:
    # n states in a row, two letters from each to the next: 2**n ways.
    n = 12
    row = np.minimum(np.arange(n + 2) + 1, n + 1)
    exactly = DFA(AB, np.stack((row, row), axis=1), 0, np.arange(n + 2) == n)
    assert len(polynomial(exactly).monomials) == 2**n
    with pytest.raises(TooLarge, match="max_monomials"):
        polynomial(exactly, max_monomials=2**n - 1)


def test_shortest_monomials_come_first() -> None:
    form = polynomial(regex_to_dfa("(a|b|c){0,3}", ABC))
    assert all(len(m.steps) <= len(after.steps) for m, after in pairwise(form.monomials))
    assert len(form.monomials) == 1 + 3 + 9 + 27


def test_long_chains_are_walked_not_recursed() -> None:
    n = 2000
    delta = np.stack((np.minimum(np.arange(n + 1) + 1, n), np.arange(n + 1)), axis=1)
    form = polynomial(DFA(AB, delta, 0, np.arange(n + 1) == n))
    assert [len(monomial.steps) for monomial in form.monomials] == [n]
