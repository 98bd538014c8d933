"""Separating words, inclusion, emptiness and finiteness, against all words of bounded length."""

import numpy as np
import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.equivalence import distinguish, includes, is_empty, is_finite, separating_word
from automata.errors import AlphabetMismatch
from automata.minimize import minimize
from tests.strategies import AB, all_words, dfas

# Languages of automata with m and n states differ, if at all, on a word shorter than m + n - 1.
WORDS = all_words(AB, 8)
pairs = given(dfas(AB, max_states=5), dfas(AB, max_states=5))


@pairs
def test_distinguish_finds_the_first_word_on_which_two_languages_differ(left, right):
    differ = left.accepts_batch(WORDS) != right.accepts_batch(WORDS)
    expected = WORDS[int(np.argmax(differ))] if differ.any() else None
    assert distinguish(left, right) == expected
    assert (minimize(left) == minimize(right)) == (expected is None)


@given(dfas(AB, max_states=6))
def test_separating_words_of_states_are_first_too(dfa):
    for p in range(dfa.n_states):
        for q in range(dfa.n_states):
            words = (w for w in WORDS if dfa.accept[dfa.run(w, p)[-1]] != dfa.accept[dfa.run(w, q)[-1]])
            assert separating_word(dfa, p, q) == next(words, None)


@given(dfas(AB, max_states=3), dfas(AB, max_states=3))
def test_inclusion_and_emptiness(left, right):
    in_left, in_right = left.accepts_batch(WORDS), right.accepts_batch(WORDS)
    # A word of the difference shorter than the number of pairs of states exists if any does.
    assert includes(left, right) == (not (in_right & ~in_left).any())
    assert is_empty(left) == (not in_left.any())


@given(dfas(max_states=4))
def test_a_language_is_finite_iff_no_word_of_length_n_to_2n_is_in_it(dfa):
    n = dfa.n_states
    long_words = [w for w in all_words(dfa.alphabet, 2 * n - 1) if len(w) >= n]
    assert is_finite(dfa) == (not dfa.accepts_batch(long_words).any())


def test_other_alphabets_are_refused_even_if_only_the_order_differs():
    left = DFA(Alphabet.of("ab"), [[0, 0]], 0, [True])
    right = DFA(Alphabet.of("ba"), [[0, 0]], 0, [True])
    for compare in (distinguish, includes):
        with pytest.raises(AlphabetMismatch, match=r"\{a, b\} and \{b, a\}"):
            compare(left, right)


def test_empty_word_language_is_not_the_empty_language():
    epsilon = DFA(AB, [[1, 1], [1, 1]], 0, [True, False])
    nothing = DFA(AB, [[0, 0]], 0, [False])
    assert distinguish(epsilon, nothing) == ""
    assert (is_empty(nothing), is_empty(epsilon), is_finite(nothing), is_finite(epsilon)) == (
        True,
        False,
        True,
        True,
    )
