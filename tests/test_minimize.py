"""Minimal automata: against Nerode's definition, and on the shapes that break minimisers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import automata.minimize
from automata.dfa import DFA
from automata.minimize import equivalent_states, minimize, number_by_appearance, row_keys
from tests.strategies import AB, all_words, dfas, small_minimal_dfas


def residuals(dfa: DFA, length: int) -> list[tuple[bool, ...]]:
    """For each state, which words up to a length it accepts."""
    tests = all_words(dfa.alphabet, length)
    return [tuple(bool(dfa.accept[dfa.run(w, q)[-1]]) for w in tests) for q in range(dfa.n_states)]


@given(dfas(max_states=6))
def test_the_minimal_automaton_has_one_state_a_residual_and_keeps_the_language(dfa):
    small = minimize(dfa)
    reached = {dfa.run(word)[-1] for word in all_words(dfa.alphabet, 5)}
    rows = residuals(dfa, 4)  # words shorter than the number of states separate what can be separated
    assert small.n_states == len({rows[q] for q in reached})
    words = all_words(dfa.alphabet, 6)
    assert np.array_equal(small.accepts_batch(words), dfa.accepts_batch(words))
    assert minimize(small) == small


@given(dfas(max_states=6), st.randoms())
def test_renaming_states_changes_nothing(dfa, random):
    rename = list(range(dfa.n_states))
    random.shuffle(rename)
    delta = np.empty_like(dfa.delta)
    accept = np.empty_like(dfa.accept)
    delta[rename] = np.array(rename)[dfa.delta]
    accept[rename] = dfa.accept
    assert minimize(DFA(dfa.alphabet, delta, rename[dfa.start], accept)) == minimize(dfa)


@given(dfas(max_states=8))
def test_hopcroft_alone_finds_the_partition_that_moore_finds(dfa):
    by_moore = equivalent_states(dfa.delta, dfa.accept)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(automata.minimize, "_MOORE_ROUNDS", 0)
        by_hopcroft = equivalent_states(dfa.delta, dfa.accept)
    assert np.array_equal(by_moore[:, None] == by_moore, by_hopcroft[:, None] == by_hopcroft)


def test_there_are_1054_minimal_automata_with_three_states_over_two_letters():
    """2, 24 and 1,028 languages have minimal automata of 1, 2 and 3 states (Domaratzki, Kisman & Shallit 2002)."""
    sizes = [dfa.n_states for dfa in small_minimal_dfas(AB, 3)]
    assert [sizes.count(n) for n in (1, 2, 3)] == [2, 24, 1028]


@pytest.mark.parametrize("n", [10, 200, 5000])
def test_a_chain_is_minimal_and_two_copies_of_it_merge(n):
    """{w : |w| >= n}: all states differ, the first two only on words of length n - 1."""
    step = np.minimum(np.arange(n + 1) + 1, n)
    chain = DFA(AB, np.stack([step, step], axis=1), 0, np.arange(n + 1) == n)
    assert minimize(chain).n_states == n + 1
    twice = np.concatenate([step + n + 1, step])
    doubled = DFA(AB, np.stack([twice, twice], axis=1), 0, np.concatenate([chain.accept, chain.accept]))
    assert minimize(doubled) == minimize(chain)


def test_h15_dead_state_and_unreachable_states():
    alphabet = AB.of("01")
    dfa = DFA(alphabet, [[0, 0], [3, 0], [4, 0], [4, 1], [3, 2]], 3, [False, True, False, False, True])
    assert minimize(dfa).n_states == 5
    assert [w for w in all_words(alphabet, 3) if dfa.accepts(w)] == [
        "0",
        "1",
        "000",
        "001",
        "010",
        "100",
        "101",
    ]


@given(st.integers(0, 6), st.sampled_from([2, 3, 2**31, 2**60]), st.data())
def test_keys_are_equal_iff_rows_are_also_where_they_must_be_shortened(n_columns, base, data):
    entry = st.sampled_from([0, 1, base - 1])
    rows = data.draw(st.lists(st.tuples(*[entry] * n_columns), min_size=1, max_size=6))
    keys = row_keys(np.array(rows, dtype=np.int64).reshape(len(rows), n_columns).T, len(rows), base).tolist()
    assert [a == b for a in keys for b in keys] == [a == b for a in rows for b in rows]


@given(st.lists(st.integers(-3, 3), max_size=8))
def test_numbers_follow_the_first_appearance(labels):
    numbers, places = number_by_appearance(np.array(labels, dtype=np.int64))
    distinct = list(dict.fromkeys(labels))
    assert numbers.tolist() == [distinct.index(label) for label in labels]
    assert places.tolist() == [labels.index(label) for label in distinct]
