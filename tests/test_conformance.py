"""Conformance suites: larger automata that differ are always caught, and the parts are what the W-method says."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.equivalence import distinguish, separating_word
from automata.errors import TooLarge, ToolkitError
from automata.minimize import minimize
from neural.conformance import characterising_set, conformance_suite
from tests.strategies import AB, ABC, all_words, dfas, small_minimal_dfas

A = Alphabet.of("a")
ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])


def agrees_on(suite: np.ndarray, left: DFA, right: DFA) -> bool:
    return bool((left.accepts_batch(suite) == right.accepts_batch(suite)).all())


@st.composite
def mutants(draw: st.DrawFn, dfa: DFA, extra: int) -> DFA:
    """Automata near a minimal one: some states copied, then some transitions and acceptances changed."""
    sources = [*range(dfa.n_states), *draw(st.lists(st.integers(0, dfa.n_states - 1), max_size=extra))]
    delta, accept = dfa.delta[sources], dfa.accept[sources]
    for _ in range(draw(st.integers(1, 4))):
        state = draw(st.integers(0, len(sources) - 1))
        if draw(st.booleans()):
            delta[state, draw(st.integers(0, len(dfa.alphabet) - 1))] = draw(st.integers(0, len(sources) - 1))
        else:
            accept[state] ^= True
    return DFA(dfa.alphabet, delta, dfa.start, accept)


@given(st.data(), st.integers(0, 2))
def test_automata_with_few_more_states_that_differ_are_caught(data, extra):
    dfa = minimize(data.draw(dfas(max_states=5)))
    suite = conformance_suite(dfa, extra)
    limit = dfa.n_states + extra
    other = data.draw(st.one_of(mutants(dfa, extra), dfas(dfa.alphabet, max_states=limit)))
    assert other.n_states <= limit
    assert agrees_on(suite, dfa, other) == (distinguish(dfa, other) is None)


@pytest.mark.parametrize("n_states", [1, 2])
def test_all_automata_of_three_states_against_all_of_fewer(n_states):
    small = small_minimal_dfas(AB, 3)
    for dfa in small:
        if dfa.n_states == n_states:
            suite = conformance_suite(dfa, 3 - n_states)
            assert [other for other in small if agrees_on(suite, dfa, other)] == [dfa]


@pytest.mark.parametrize("extra", [0, 1, 2])
@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_an_automaton_that_is_too_large_goes_unnoticed(n, extra):
    """What the suite proves needs its condition: a counter past the suite's words passes it and is wrong later."""
    modulo = DFA(A, [[(q + 1) % n] for q in range(n)], 0, [q == 0 for q in range(n)])
    suite = conformance_suite(modulo, extra)
    longest = suite.shape[1]
    assert suite.shape == (longest + 1, longest)  # all words up to it
    counter = [[min(q + 1, longest + 2)] for q in range(longest + 3)]
    wrong_later = DFA(A, counter, 0, [(q % n == 0) ^ (q == longest + 1) for q in range(longest + 3)])
    assert agrees_on(suite, modulo, wrong_later)
    assert distinguish(modulo, wrong_later) == "a" * (longest + 1)


@given(dfas(max_states=8))
def test_the_characterising_set_tells_all_states_apart(dfa):
    minimal = minimize(dfa)
    words = characterising_set(dfa)
    assert words[0] == ""
    assert len(words) <= max(1, minimal.n_states - 1)
    assert all(len(word) < minimal.n_states for word in words)
    rows = [[bool(minimal.accept[minimal.run(word, state)[-1]]) for word in words] for state in range(minimal.n_states)]
    assert all(one != other for one, other in combinations(rows, 2))
    # Leaving a word out leaves two states together, or nothing: words are there for a reason.
    for i in range(1, len(words)):
        assert len({tuple(row[: i + 1]) for row in rows}) > len({tuple(row[:i]) for row in rows})


@given(dfas(max_states=5), st.integers(0, 1))
def test_the_words_are_those_of_the_definition(dfa, extra):
    minimal = minimize(dfa)
    letters = minimal.alphabet
    access = {}
    for word in all_words(letters, minimal.n_states - 1):
        access.setdefault(minimal.run(word)[-1], word)
    cover = {*access.values(), *(word + letter for word in access.values() for letter in letters)}
    expected = {u + v + w for u in cover for v in all_words(letters, extra) for w in characterising_set(dfa)}
    found = letters.decode_batch(conformance_suite(dfa, extra))
    assert found == sorted(expected, key=lambda word: (len(word), word))


def test_edges():
    everything = DFA(AB, [[0, 0]], 0, [True])
    assert AB.decode_batch(conformance_suite(everything, 0)) == ["", "a", "b"]
    empty = DFA(ABC, [[0, 0, 0], [1, 1, 1]], 0, [False, True])
    assert len(conformance_suite(empty, 1)) == 1 + 3 + 9
    for accept in (True, False):
        no_letters = DFA(Alphabet(()), [[]], 0, [accept])
        assert conformance_suite(no_letters, 7).shape == (1, 0)
        assert characterising_set(no_letters) == ("",)
    even = DFA(A, [[1], [0]], 0, [True, False])
    assert A.decode_batch(conformance_suite(even, 1)) == ["", "a", "aa", "aaa"]
    long_letters = DFA(Alphabet(("open", "shut")), ENDS_WITH_A.delta, 0, ENDS_WITH_A.accept)
    assert len(conformance_suite(long_letters, 1)) == len(conformance_suite(ENDS_WITH_A, 1))


def test_too_many_words_are_refused_before_they_are_built():
    deep = DFA(AB, [[min(q + 1, 20_000), 0] for q in range(20_001)], 0, [q == 20_000 for q in range(20_001)])
    with pytest.raises(TooLarge, match="raise max_words") as caught:
        conformance_suite(deep)
    assert caught.value.option == "max_words"
    with pytest.raises(TooLarge):
        conformance_suite(ENDS_WITH_A, 10**9)
    # Two states, words up to length 2, one test: the transition cover and one letter more make 14 words, some twice.
    assert len(conformance_suite(ENDS_WITH_A, 1, max_words=14)) == 11
    with pytest.raises(TooLarge, match="reached 14, more than the limit of 13"):
        conformance_suite(ENDS_WITH_A, 1, max_words=13)


def test_negative_numbers_of_states_are_refused():
    with pytest.raises(ToolkitError, match="0 or more, not -1"):
        conformance_suite(ENDS_WITH_A, -1)


def test_a_deep_characterising_set():
    n = 200
    chain = DFA(A, [[min(q + 1, n - 1)] for q in range(n)], 0, [q == n - 1 for q in range(n)])
    words = characterising_set(chain)
    assert [len(word) for word in words] == list(range(n - 1))
    assert separating_word(chain, 0, 1) == words[-1]
    suite = conformance_suite(chain, 1)
    assert suite.shape == (n - 1 + 2 + n - 2 + 1, n - 1 + 2 + n - 2)
