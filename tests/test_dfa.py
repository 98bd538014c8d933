"""The automaton as a value, and reading words one by one and in batches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import ToolkitError, UnknownLetter
from tests.strategies import AB, ABC, all_words, dfas, words

ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])


@given(dfas(alphabet=ABC), st.lists(words(ABC), max_size=8))
def test_batch_reads_as_single_words_do(dfa, batch):
    assert dfa.accepts_batch(batch).tolist() == [dfa.accepts(word) for word in batch]
    assert dfa.end_states(batch).tolist() == [dfa.run(word)[-1] for word in batch]


@given(dfas(alphabet=AB), words(AB), st.lists(st.sampled_from([0, 1]), min_size=1, max_size=3), st.randoms())
def test_padding_reads_nothing_wherever_it_stands(dfa, word, gaps, random):
    codes = [*dfa.alphabet.encode(word).tolist()]
    for _ in gaps:
        codes.insert(random.randint(0, len(codes)), len(AB))
    assert dfa.accepts_batch(np.array([codes])).tolist() == [dfa.accepts(word)]


def test_run_and_step_follow_the_table():
    assert ENDS_WITH_A.run("aba") == [0, 1, 0, 1]
    assert ENDS_WITH_A.run("b", state=1) == [1, 0]
    assert ENDS_WITH_A.step(0, "a") == 1
    with pytest.raises(UnknownLetter):
        ENDS_WITH_A.step(0, "c")


def test_many_blocks_of_words_read_as_words_do():
    batch = np.random.default_rng(0).integers(0, 3, (10_000, 7))
    assert (ENDS_WITH_A.accepts_batch(batch) == [ENDS_WITH_A.accepts(w) for w in AB.decode_batch(batch)]).all()


def test_automata_are_values():
    twin = DFA(AB, ENDS_WITH_A.delta, 0, ENDS_WITH_A.accept, names=["p", "q"])
    assert twin == ENDS_WITH_A
    assert hash(twin) == hash(ENDS_WITH_A)
    assert twin != DFA(Alphabet.of("ba"), ENDS_WITH_A.delta, 0, ENDS_WITH_A.accept)
    assert DFA(AB, [[1, 0], [1, 0]], 1, [False, True]) != ENDS_WITH_A
    with pytest.raises(ValueError, match="read-only"):
        ENDS_WITH_A.delta[0, 0] = 0


def test_arrays_are_copied_at_the_door():
    table = np.array([[1, 0], [1, 0]])
    dfa = DFA(AB, table, 0, [False, True])
    table[:] = 0
    assert dfa == ENDS_WITH_A


@pytest.mark.parametrize(
    ("delta", "start", "accept", "message"),
    [
        ([[1, 0], [2, 0]], 0, [False, True], "outside 0..1"),
        ([[-1, 0], [1, 0]], 0, [False, True], "outside 0..1"),
        ([[1, 0], [1, 0]], 2, [False, True], "start state 2"),
        ([[0], [1]], 0, [False, True], r"shape \[2, 1\]"),
        ([], 0, [], "at least one state"),
    ],
)
def test_malformed_tables_are_refused(delta, start, accept, message):
    with pytest.raises(ToolkitError, match=message):
        DFA(AB, delta, start, accept)


def test_wrong_number_of_names_is_refused():
    with pytest.raises(ToolkitError, match="1 names for 2 states"):
        DFA(AB, [[1, 0], [1, 0]], 0, [False, True], names=["p"])


def test_empty_alphabet_reads_the_empty_word():
    only_empty = DFA(Alphabet.of(""), np.empty((1, 0)), 0, [True])
    assert only_empty.accepts("")
    assert only_empty.accepts_batch(["", ""]).tolist() == [True, True]


def test_empty_batches_and_empty_words():
    assert ENDS_WITH_A.accepts_batch([]).tolist() == []
    assert ENDS_WITH_A.accepts_batch([""]).tolist() == [False]
    assert [w for w in all_words(AB, 2) if ENDS_WITH_A.accepts(w)] == ["a", "aa", "ba"]
