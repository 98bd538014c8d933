"""Strictly piecewise grammars: minimal forbidden subsequences, read back and compared."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import NotDefinable, TooLarge
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from semigroups.strictly_piecewise import DeletedLetter, strictly_piecewise_order
from semigroups.subsequence_grammar import SubsequenceGrammar, subsequence_grammar
from tests.strategies import AB, ABC, all_words, dfas, small_minimal_dfas, words
from tests.subsequences import minimal_forbidden, subsequences


@given(st.lists(words(ABC, 4), max_size=4))
def test_grammars_mean_what_they_say(forbidden: list[str]) -> None:
    grammar = SubsequenceGrammar(ABC, tuple(forbidden))
    dfa = grammar.to_dfa()
    for word in all_words(ABC, 5):
        assert dfa.accepts(word) == subsequences(word, 4).isdisjoint(forbidden)


@given(st.lists(words(ABC, 4), max_size=4))
def test_minimal_forbidden_subsequences_of_a_grammar_are_found_again(forbidden: list[str]) -> None:
    minimal = minimize(SubsequenceGrammar(ABC, tuple(forbidden)).to_dfa())
    grammar = subsequence_grammar(minimal)
    least = {f for f in forbidden if not any(g != f and g in subsequences(f, 4) for g in forbidden)}
    assert set(grammar.forbidden) == least
    assert list(grammar.forbidden) == sorted(grammar.forbidden, key=lambda word: (len(word), word))
    assert grammar.check(minimal) is None
    assert grammar.k == strictly_piecewise_order(minimal)


def test_grammars_of_all_small_automata() -> None:
    n_seen = 0
    for dfa in small_minimal_dfas():
        if strictly_piecewise_order(dfa) is not None:
            n_seen += 1
            grammar = subsequence_grammar(dfa)
            assert grammar.check(dfa) is None
            assert set(grammar.forbidden) == minimal_forbidden(dfa)
    assert n_seen > 10


@given(dfas(max_states=5))
def test_other_languages_have_no_grammar(dfa: DFA) -> None:
    minimal = minimize(dfa)
    if strictly_piecewise_order(minimal) is not None:
        assert subsequence_grammar(minimal).check(dfa) is None
    else:
        with pytest.raises(NotDefinable) as caught:
            subsequence_grammar(minimal)
        assert isinstance(caught.value.certificate, DeletedLetter)
        assert caught.value.certificate.check(dfa) is None


@pytest.mark.parametrize(
    ("regex", "alphabet", "forbidden"),
    [
        ("∅", AB, ("",)),
        ("()", AB, ("a", "b")),
        ("()", Alphabet(()), ()),
        ("[ab]*", AB, ()),
        ("b*a*", AB, ("ab",)),
        ("a*b*a*", AB, ("bab",)),
        ("b?", ABC, ("a", "c", "bb")),
    ],
)
def test_known_grammars(regex: str, alphabet: Alphabet, forbidden: tuple[str, ...]) -> None:
    dfa = regex_to_dfa(regex, alphabet)
    grammar = subsequence_grammar(dfa)
    assert grammar.forbidden == forbidden
    assert grammar.check(dfa) is None


def test_wrong_grammars_are_refused() -> None:
    dfa = regex_to_dfa("b*a*", AB)
    grammar = subsequence_grammar(dfa)
    assert dataclasses.replace(grammar, forbidden=()).check(dfa) == "the grammar alone accepts ab"
    assert dataclasses.replace(grammar, forbidden=("ab", "bba")).check(dfa) == "the automaton alone accepts bba"
    assert "unknown letter" in str(dataclasses.replace(grammar, forbidden=("c",)).check(dfa))
    assert dataclasses.replace(grammar, alphabet=ABC).check(dfa) == "the alphabets differ"
    assert grammar.to_dict() == {"kind": "strictly piecewise grammar", "k": 2, "forbidden": ["ab"]}


def test_limits_are_kept() -> None:
    dfa = regex_to_dfa("(a?b?){6}", AB)
    with pytest.raises(TooLarge, match="max_subsequences"):
        subsequence_grammar(dfa, max_subsequences=3)
    with pytest.raises(TooLarge, match="max_states"):
        SubsequenceGrammar(AB, ("abababab",)).to_dfa(max_states=4)
