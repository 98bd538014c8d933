"""Definite languages as words and suffixes: re-read, compared, and refused when tampered with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import NotDefinable, TooLarge
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from ltl.compile import formula_to_dfa
from ltl.fragment import LTL_Y
from semigroups.certificate import PumpingFamily
from semigroups.forbidden import admits
from semigroups.suffixes import SuffixForm, suffix_form
from tests.strategies import AB, ABC, all_words, formulas, small_minimal_dfas


def assert_is_the_form_of(form: SuffixForm, dfa: DFA, longest: int) -> None:
    assert form.check(dfa) is None
    assert form.to_dfa() == minimize(dfa)
    assert regex_to_dfa(str(form), dfa.alphabet) == minimize(dfa)
    for word in all_words(dfa.alphabet, longest):
        assert (word in form.words or word.endswith(form.suffixes)) == dfa.accepts(word)


def test_all_small_automata_have_a_form_iff_they_are_definite() -> None:
    n_definite = 0
    for dfa in small_minimal_dfas(AB, 3):
        if admits(dfa, LTL_Y):
            n_definite += 1
            assert_is_the_form_of(suffix_form(dfa), dfa, 6)
        else:
            with pytest.raises(NotDefinable) as error:
                suffix_form(dfa)
            assert isinstance(error.value.certificate, PumpingFamily)
            assert error.value.certificate.check(dfa, max_depth=2) is None
    assert n_definite


@pytest.mark.parametrize("alphabet", [AB, ABC], ids=["ab", "abc"])
@given(data=st.data())
def test_languages_of_formulas_with_yesterday(alphabet: Alphabet, data: st.DataObject) -> None:
    dfa = formula_to_dfa(data.draw(formulas(alphabet, past=False, widest=1)), alphabet)
    assert_is_the_form_of(suffix_form(dfa), dfa, 5)


@given(st.sets(st.text("ab", max_size=4), max_size=6), st.sets(st.text("ab", max_size=3), max_size=4))
def test_any_words_and_suffixes_make_a_definite_language(suffixes: set[str], words: set[str]) -> None:
    members = [word for word in all_words(AB, 7) if word in words or word.endswith(tuple(suffixes))]
    parts = [word or "ε" for word in sorted(words)] + [f".*{suffix}" for suffix in sorted(suffixes)]
    dfa = regex_to_dfa("|".join(parts) or "∅", AB)
    form = suffix_form(dfa)
    assert [word for word in all_words(AB, 7) if dfa.accepts(word)] == members
    assert_is_the_form_of(form, dfa, 7)
    assert all(len(word) < form.order for word in form.words)
    assert all(len(suffix) <= form.order for suffix in form.suffixes)


@pytest.mark.parametrize(
    ("expression", "order", "suffixes", "words"),
    [
        (".*a", 1, ("a",), ()),
        (".*ab", 2, ("ab",), ()),
        (".*(a|ab)", 2, ("a", "ab"), ()),
        (".*ab|b|ε", 2, ("ab",), ("", "b")),
        ("∅", 0, (), ()),
        (".*", 0, ("",), ()),
        ("ε", 1, (), ("",)),
        (".+", 1, ("a", "b"), ()),
        ("aab|aba", 4, (), ("aab", "aba")),
    ],
)
def test_well_known_languages(expression: str, order: int, suffixes: tuple[str, ...], words: tuple[str, ...]) -> None:
    dfa = regex_to_dfa(expression, AB)
    form = suffix_form(dfa)
    assert (form.order, form.suffixes, form.words) == (order, suffixes, words)
    assert form.check(dfa) is None


def test_empty_alphabet_and_long_letters() -> None:
    for accepts in (False, True):
        dfa = DFA(Alphabet(()), [[]], 0, [accepts])
        assert suffix_form(dfa).check(dfa) is None
    letters = Alphabet(("a", "b0"))
    dfa = DFA(letters, [[1, 0], [1, 2], [1, 0]], 0, [False, False, True])
    form = suffix_form(dfa)
    assert form.suffixes == (("a", "b0"),)
    assert form.check(dfa) is None
    assert form.to_dict()["suffixes"] == [["a", "b0"]]


def test_plain_data() -> None:
    form = suffix_form(regex_to_dfa(".*ab|b", AB))
    assert form.to_dict() == {
        "kind": "suffixes",
        "text": "b|.*ab",
        "order": 2,
        "suffixes": ["ab"],
        "words": ["b"],
    }


def test_what_is_not_the_form_is_refused() -> None:
    dfa = regex_to_dfa(".*a|b", AB)
    form = suffix_form(dfa)
    assert form.check(dfa) is None
    assert "only the automaton has the word b" in str(replace(form, words=()).check(dfa))
    assert "only the form has the word ε" in str(replace(form, words=("", "b")).check(dfa))
    assert "ends with a" in str(replace(form, suffixes=("a", "ba")).check(dfa))
    assert "ends with a" in str(replace(form, words=("a", "b")).check(dfa))
    assert "twice" in str(replace(form, words=("b", "b")).check(dfa))
    assert "longer than it need be" in str(replace(form, suffixes=("aa", "ba"), words=("a", "b")).check(dfa))
    assert "order" in str(replace(form, order=1).check(dfa))
    assert "over" in str(form.check(regex_to_dfa(".*a", ABC)))
    assert "does not fit" in str(replace(form, words=("c",)).check(dfa))


def test_forms_beyond_the_limit_are_refused() -> None:
    q = np.arange(256)
    delta = np.stack((2 * q % 256, 2 * q % 256 + 1), axis=1)
    random = minimize(DFA(AB, delta, 0, np.random.default_rng(0).random(256) < 0.5))
    with pytest.raises(TooLarge, match="max_suffixes"):
        suffix_form(random, max_suffixes=100)
    form = suffix_form(random)
    assert form.order == 8
    assert form.check(random) is None
