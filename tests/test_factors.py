"""Locally testable languages as prefixes, factors and suffixes: re-read, compared, refused when tampered with."""

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
from ltl.fragment import LTL_PY
from semigroups.certificate import PumpingFamily
from semigroups.factor_search import factor_form
from semigroups.factors import FactorClause, FactorForm, profile
from semigroups.forbidden import admits
from tests.strategies import AB, ABC, all_words, small_minimal_dfas, transformations


def is_locally_testable(dfa: DFA) -> bool:
    """Whether every local monoid eSe of the syntactic semigroup is a semilattice, from the definition."""
    elements = sorted(transformations(dfa))

    def times(f: tuple[int, ...], g: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(g[q] for q in f)

    for e in elements:
        if times(e, e) != e:
            continue
        local = {times(times(e, s), e) for s in elements}
        if any(times(s, s) != s for s in local) or any(times(s, t) != times(t, s) for s in local for t in local):
            return False
    return True


def classes_agree(dfa: DFA, order: int, longest: int) -> bool:
    """Whether words up to a length that are alike at an order are all inside or all outside."""
    answers: dict[object, bool] = {}
    return all(
        answers.setdefault((len(w) < order, profile(w, order)), dfa.accepts(w)) == dfa.accepts(w)
        for w in all_words(dfa.alphabet, longest)
    )


def says(form: FactorForm, word: str) -> bool:
    """Membership read off the form, without its regular expression."""
    if len(word) < form.order:
        return word in form.words
    prefix, suffix, factors = profile(word, form.order)
    return any(clause.holds(prefix, suffix, factors) for clause in form.clauses)


def assert_is_the_form_of(form: FactorForm, dfa: DFA, longest: int) -> None:
    assert form.check(dfa) is None
    assert form.to_dfa() == minimize(dfa)
    assert regex_to_dfa(str(form), dfa.alphabet) == minimize(dfa)
    for word in all_words(dfa.alphabet, longest):
        assert says(form, str(word)) == dfa.accepts(word)


def test_all_small_automata_have_a_form_iff_their_local_monoids_are_semilattices() -> None:
    orders = set()
    for dfa in small_minimal_dfas(AB, 3):
        if is_locally_testable(dfa):
            form = factor_form(dfa)
            orders.add(form.order)
            assert_is_the_form_of(form, dfa, 5)
        elif not admits(dfa, LTL_PY):
            with pytest.raises(NotDefinable) as error:
                factor_form(dfa)
            assert isinstance(error.value.certificate, PumpingFamily)
        else:
            with pytest.raises(TooLarge):
                factor_form(dfa, max_order=5, max_steps=3000)
    assert orders >= {1, 2, 3}


@st.composite
def languages_of_tests(draw: st.DrawFn) -> DFA:
    """Languages made of prefixes, suffixes and factors of length two, hence testable at order three at most."""
    tests = st.builds(
        lambda kind, word: {"prefix": f"{word}.*", "suffix": f".*{word}", "factor": f".*{word}.*"}[kind],
        st.sampled_from(["prefix", "suffix", "factor"]),
        st.text("ab", min_size=1, max_size=2),
    )
    expression = draw(
        st.recursive(
            tests,
            lambda inner: st.one_of(
                inner.map(lambda r: f"~({r})"),
                st.tuples(inner, inner).map(lambda rs: f"({rs[0]})&({rs[1]})"),
                st.tuples(inner, inner).map(lambda rs: f"(({rs[0]})|({rs[1]}))"),
            ),
            max_leaves=5,
        )
    )
    return regex_to_dfa(expression, AB)


@given(languages_of_tests())
def test_boolean_combinations_of_tests(dfa: DFA) -> None:
    form = factor_form(dfa)
    assert form.order <= 3
    assert_is_the_form_of(form, dfa, 7)
    assert classes_agree(dfa, form.order, 8)


@given(languages_of_tests())
def test_the_order_is_the_least(dfa: DFA) -> None:
    form = factor_form(dfa)
    if form.order > 1:
        assert form.equal_below is not None
        inside, outside = form.equal_below
        assert profile(inside, form.order - 1) == profile(outside, form.order - 1)
        assert dfa.accepts(inside)
        assert not dfa.accepts(outside)


@pytest.mark.parametrize(
    ("expression", "letters", "order", "lines"),
    [
        # Rows of the table in theory.md that are locally testable.
        (".*a", "ab", 2, ["the words a", "words of length >= 2 that end with a"]),
        (".*ab", "ab", 3, ["the words ab", "words of length >= 3 that end with ab"]),
        ("a.*", "ab", 2, ["the words a", "words of length >= 2 that begin with a"]),
        (".*a.*", "ab", 1, ["words of length >= 1 that contain a"]),
        (".*ab.*", "ab", 2, ["words of length >= 2 that contain ab"]),
        (".*ab.*", "abc", 2, ["words of length >= 2 that contain ab"]),
        (
            "(ab)*",
            "ab",
            2,
            ["the words ε", "words of length >= 2 that begin with a, end with b, do not contain aa, bb"],
        ),
        ("a.*b", "ab", 2, ["words of length >= 2 that begin with a, end with b"]),
        ("∅", "ab", 1, ["no words"]),
        ("ε", "ab", 1, ["the words ε"]),
        (".*", "ab", 1, ["the words ε", "words of length >= 1"]),
        (
            "~(.*aa.*)&~(.*bb.*)",
            "ab",
            2,
            ["the words ε, a, b", "words of length >= 2 that do not contain aa, bb"],
        ),
    ],
)
def test_well_known_languages(expression: str, letters: str, order: int, lines: list[str]) -> None:
    dfa = regex_to_dfa(expression, Alphabet.of(letters))
    form = factor_form(dfa)
    assert form.order == order
    assert form.describe().split("\n") == lines
    assert form.check(dfa) is None


def test_many_letters_and_factors_of_which_few_count() -> None:
    letters = Alphabet.of("abcdefgh")
    dfa = regex_to_dfa("~(.*abc.*)&~(.*fgh.*)", letters)
    form = factor_form(dfa)
    assert form.order == 3
    assert form.check(dfa) is None
    assert [clause.excluded for clause in form.clauses] == [("abc", "fgh")]


def test_recoverable_dyck_words_of_depth_one() -> None:
    # RDP-1 of theory.md: locally testable, over {a, b0, b1}.
    letters = Alphabet(("a", "b0", "b1"))
    dfa = DFA(letters, [[1, 2, 0], [1, 1, 2], [2, 2, 2]], 0, [False, True, False])
    form = factor_form(dfa)
    assert form.check(dfa) is None
    assert all(isinstance(factor, tuple) for clause in form.clauses for factor in clause.required + clause.excluded)


def test_languages_that_no_order_decides_are_refused() -> None:
    first_a_then_b = regex_to_dfa(".*a.*b.*", ABC)  # in LTL[P], not locally testable
    with pytest.raises(TooLarge, match="max_order"):
        factor_form(first_a_then_b, max_order=2)
    with pytest.raises(TooLarge, match="max_steps"):
        factor_form(first_a_then_b, max_steps=500)
    with pytest.raises(NotDefinable, match="not locally testable"):
        factor_form(regex_to_dfa("(aa)*", AB))


def test_empty_alphabet() -> None:
    for accepts in (False, True):
        dfa = DFA(Alphabet(()), [[]], 0, [accepts])
        form = factor_form(dfa)
        assert form.check(dfa) is None
        assert form.words == (("",) if accepts else ())


def test_plain_data() -> None:
    form = factor_form(regex_to_dfa("(ab)*", AB))
    assert form.equal_below is not None
    assert form.to_dict() == {
        "kind": "factors",
        "text": str(form),
        "order": 2,
        "words": [""],
        "clauses": [{"prefixes": ["a"], "suffixes": ["b"], "required": [], "excluded": ["aa", "bb"]}],
        "equal_below": list(form.equal_below),
    }


def test_what_is_not_the_form_is_refused() -> None:
    dfa = regex_to_dfa("(ab)*", AB)
    form = factor_form(dfa)
    assert form.check(dfa) is None
    clause = FactorClause(("a",), ("b",), (), ("aa",))
    assert "only the form has the word abb" in str(replace(form, clauses=(clause,)).check(dfa))
    assert "only the automaton has the word ε" in str(replace(form, words=()).check(dfa))
    assert "not shorter than 2" in str(replace(form, words=("", "ab")).check(dfa))
    assert "letters, not 2" in str(replace(form, clauses=(replace(clause, excluded=("a",)),)).check(dfa))
    assert "letters, not 1" in str(replace(form, clauses=(replace(clause, prefixes=("ab",)),)).check(dfa))
    assert "nothing shows" in str(replace(form, equal_below=None).check(dfa))
    assert "first must be accepted" in str(replace(form, equal_below=("a", "ab")).check(dfa))
    assert "differ" in str(replace(form, equal_below=("ab", "aa")).check(dfa))
    assert "over" in str(form.check(regex_to_dfa("(ab)*", ABC)))
    assert "does not fit" in str(replace(form, words=("c",)).check(dfa))
    order_one = factor_form(regex_to_dfa(".*a.*", AB))
    assert "no order is below 1" in str(replace(order_one, equal_below=("a", "")).check(regex_to_dfa(".*a.*", AB)))


@pytest.mark.parametrize("seed", range(5))
def test_definite_languages_are_locally_testable(seed: int) -> None:
    # The last four letters decide: suffixes of length k - 1 = 4 do, so order five is enough.
    q = np.arange(16)
    delta = np.stack((2 * q % 16, 2 * q % 16 + 1), axis=1)
    dfa = minimize(DFA(AB, delta, 0, np.random.default_rng(seed).random(16) < 0.5))
    form = factor_form(dfa)
    assert form.order <= 5
    assert_is_the_form_of(form, dfa, 7)
