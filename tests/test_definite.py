from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.minimize import minimize
from semigroups.definite import _merge_changed_rows, definite_order, merge_equal_rows

AB = Alphabet.of("ab")


@st.composite
def tables(draw: st.DrawFn) -> NDArray[np.int32]:
    """Draw partial transition tables; downward ones merge in many rounds, free ones seldom."""
    n = draw(st.integers(1, 25))
    k = draw(st.integers(0, 3))
    downward = draw(st.booleans())
    rows = [
        [
            draw(st.integers(-1 if draw(st.integers(0, 3)) == 0 else 0, max(0, q - 1) if downward else n - 1))
            for _ in range(k)
        ]
        for q in range(n)
    ]
    return np.array(rows, dtype=np.int32).reshape(n, k)


def merged_naively(table: NDArray[np.int32]) -> tuple[list[int], int]:
    """Compare all rows in every round, one class a row."""
    labels = list(range(len(table)))
    rounds = 0
    while True:
        keys = [tuple(-1 if t < 0 else labels[t] for t in row) for row in table.tolist()]
        places = {key: i for i, key in reversed(list(enumerate(keys)))}
        new = [places[key] for key in keys]
        if new == labels:
            numbers = {label: i for i, label in enumerate(dict.fromkeys(labels))}
            return [numbers[label] for label in labels], rounds
        labels = new
        rounds += 1


@given(tables())
def test_merging_agrees_with_comparing_all_rows_in_every_round(table: NDArray[np.int32]) -> None:
    expected = merged_naively(table)
    labels, rounds = merge_equal_rows(table)
    assert (labels.tolist(), rounds) == expected
    labels, rounds = _merge_changed_rows(table)
    assert (labels.tolist(), rounds) == expected


@given(st.integers(1, 6), st.integers(1, 2), st.integers(0, 2**32 - 1))
def test_order_is_the_least_length_at_which_all_words_lead_all_states_together(n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Half of the tables lead downwards, so that definite languages are common.
    high = np.maximum(1, np.arange(n))[:, None] if rng.random() < 0.5 else n
    dfa = minimize(DFA(Alphabet.of("ab"[:k]), rng.integers(0, high, (n, k)), n - 1, rng.random(n) < 0.5))

    def is_constant(word: tuple[str, ...]) -> bool:
        return len({dfa.run(word, q)[-1] for q in range(dfa.n_states)}) == 1

    # The longest path in the pair graph of n states visits at most n(n-1)/2 pairs, and merging ends after n - 1 rounds.
    letters = dfa.alphabet.letters
    orders = (
        length
        for length in range(dfa.n_states)
        if all(is_constant(word) for word in itertools.product(letters, repeat=length))
    )
    assert definite_order(dfa) == next(orders, None)


def test_long_chain_is_merged_state_by_state() -> None:
    n = 100_000
    onward = np.minimum(np.arange(n) + 1, n - 1)
    one_word = DFA(AB, np.stack((onward, np.full(n, n - 1)), axis=1), 0, np.arange(n) == n - 2)  # {a^(n-2)}
    assert definite_order(one_word) == n - 1


def test_last_letters_of_order_twelve() -> None:
    # The state is the last twelve letters; the letter twelve positions back decides: Y^12 a.
    q = np.arange(4096)
    delta = np.stack((2 * q % 4096 + 1, 2 * q % 4096), axis=1)
    assert definite_order(minimize(DFA(AB, delta, 0, q >= 2048))) == 12


def test_rows_over_many_letters_do_not_overflow() -> None:
    n, k = 1000, 40
    rng = np.random.default_rng(7)
    rows = rng.integers(0, n, (n // 2, k))
    labels, rounds = merge_equal_rows(np.concatenate((rows, rows)).astype(np.int32))
    # Each row stands there twice; as no other two rows are equal, the second round changes nothing.
    assert labels.tolist() == [*range(n // 2), *range(n // 2)]
    assert rounds == 1


def test_trivial_languages_have_order_zero() -> None:
    assert definite_order(DFA(AB, [[0, 0]], 0, [True])) == 0
    assert definite_order(DFA(Alphabet(()), [[]], 0, [True])) == 0
    assert definite_order(DFA(AB, [[1, 1], [1, 1]], 0, [True, False])) == 1  # {ε}
