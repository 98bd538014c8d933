"""Strictly local languages: the least k against the definition, and evidence for a no."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from semigroups.strictly_local import SuffixSubstitution, strictly_local_order, suffix_substitution
from tests.strategies import AB, ABC, dfas, small_minimal_dfas
from tests.word_classes import is_strictly_local

NO_LETTERS = Alphabet(())


def test_order_agrees_with_the_definition_on_all_small_automata() -> None:
    # With three live states there are three pairs, so a walk has at most two steps and k is at most four.
    counts = dict.fromkeys([None, 1, 2, 3, 4], 0)
    for dfa in small_minimal_dfas():
        order = strictly_local_order(dfa)
        assert order == next((k for k in range(1, 5) if is_strictly_local(dfa, k)), None)
        counts[order] += 1
    assert all(counts[k] for k in (None, 1, 2, 3)), counts


@given(dfas(max_states=5))
def test_order_agrees_with_the_definition_on_random_automata(dfa: DFA) -> None:
    minimal = minimize(dfa)
    order = strictly_local_order(minimal)
    for k in range(1, 5):
        assert is_strictly_local(minimal, k) == (order is not None and order <= k)


@given(dfas(max_states=6), st.integers(0, 5))
def test_there_is_evidence_exactly_when_no_k_will_do(dfa: DFA, n: int) -> None:
    minimal = minimize(dfa)
    evidence = suffix_substitution(minimal)
    assert (evidence is None) == (strictly_local_order(minimal) is not None)
    if evidence is not None:
        assert evidence.check(minimal) is None
        assert evidence.check(dfa) is None
        assert [minimal.accepts(word) for word in evidence.words(n)] == [True, True, False]


@pytest.mark.parametrize(
    ("regex", "alphabet", "expected"),
    [
        ("∅", AB, 2),  # the empty language: no set of letters rejects the empty word
        ("()", AB, 1),
        ("[ab]*", AB, 1),
        ("a*", AB, 1),
        ("∅", NO_LETTERS, 2),
        ("()", NO_LETTERS, 1),
        ("a", AB, 2),  # ##, aa and all b are forbidden
        ("aa", AB, 3),
        ("(ab)*", AB, 2),
        ("[ab]*a", AB, 2),
        ("[ab]*ab", AB, 3),
        ("a[ab]*", AB, 2),
        ("aaa[ab]*", AB, 4),
        ("[ab]*a[ab]*", AB, None),
        ("[ab]*ab[ab]*", AB, None),
        ("(aa)*", AB, None),
        ("[abc]*a[abc]*b[abc]*", ABC, None),
        ("a*ba*", AB, None),
    ],
)
def test_known_languages(regex: str, alphabet: Alphabet, expected: int | None) -> None:
    dfa = regex_to_dfa(regex, alphabet)
    assert strictly_local_order(dfa) == expected
    assert all(is_strictly_local(dfa, k) == (expected is not None and expected <= k) for k in range(1, 5))


def test_altered_evidence_is_refused() -> None:
    contains_a = regex_to_dfa("[ab]*a[ab]*", AB)
    evidence = suffix_substitution(contains_a)
    assert isinstance(evidence, SuffixSubstitution)
    assert evidence.check(contains_a) is None
    for change in ({"loop": ""}, {"loop": "a"}, {"tail": "b"}, {"other_tail": "a"}, {"access": "a"}, {"alphabet": ABC}):
        assert dataclasses.replace(evidence, **change).check(contains_a) is not None
    assert evidence.check(regex_to_dfa("[ab]*a", AB)) is not None
    assert evidence.to_dict() == {
        "kind": "suffix substitution",
        "access": "",
        "other_access": "a",
        "loop": "b",
        "tail": "a",
        "other_tail": "",
    }


def test_words_over_longer_letters() -> None:
    letters = Alphabet(("a", "b0"))
    evidence = suffix_substitution(DFA(letters, [[1, 0], [1, 1]], 0, [False, True]))
    assert evidence is not None
    assert evidence.words(2) == (("b0", "b0", "a"), ("a", "b0", "b0"), ("b0", "b0"))


def test_a_limit_on_pairs_is_kept() -> None:
    chain = DFA(AB, np.stack([np.minimum(np.arange(60) + 1, 59)] * 2, axis=1), 0, np.arange(60) == 58)
    # The words of 58 letters: the empty prefix and the first letter stay apart for 57 more letters.
    assert strictly_local_order(chain) == 59
    with pytest.raises(TooLarge, match="max_pairs"):
        strictly_local_order(chain, max_pairs=1000)


def test_an_automaton_that_is_not_minimal_is_refused() -> None:
    twins = DFA(AB, [[1, 1], [0, 0]], 0, [True, True])
    with pytest.raises(ToolkitError, match="minimize"):
        suffix_substitution(twins)
