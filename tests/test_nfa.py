"""The subset construction, against walking all paths of the nondeterministic automaton."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.errors import TooLarge, ToolkitError
from automata.minimize import minimize
from automata.nfa import NFA, determinize, edges_of
from tests.strategies import AB, all_words, dfas

WORDS = all_words(AB, 6)


@st.composite
def nfas(draw):
    n_states = draw(st.integers(1, 5))
    state = st.integers(0, n_states - 1)
    edges = draw(st.lists(st.tuples(state, st.integers(0, len(AB)), state), max_size=12))
    return NFA(
        AB,
        edges,
        draw(st.lists(state, max_size=2)),
        draw(st.lists(st.booleans(), min_size=n_states, max_size=n_states)),
    )


def accepts(nfa, word):
    """Follow single edges from the set of states and letters read so far, until nothing new turns up."""
    reached = {(state, 0) for state in nfa.starts.tolist()}
    while True:
        more = {
            (target, read + (code < 2))
            for source, code, target in nfa.edges.tolist()
            for read in range(len(word) + 1)
            if (source, read) in reached and (code == 2 or (read < len(word) and "ab"[code] == word[read]))
        }
        if more <= reached:
            return any(nfa.accept[state] for state, read in reached if read == len(word))
        reached |= more


@given(nfas())
def test_determinize_keeps_the_language(nfa):
    dfa = determinize(nfa)
    assert dfa.accepts_batch(WORDS).tolist() == [accepts(nfa, word) for word in WORDS]


@given(dfas(AB))
def test_a_deterministic_automaton_is_its_own_subset_automaton(dfa):
    again = determinize(NFA(AB, edges_of(dfa), [dfa.start], dfa.accept))
    assert again.n_states <= dfa.n_states
    assert minimize(again) == minimize(dfa)


def test_no_start_and_no_letters():
    assert determinize(NFA(AB, [], [], [True])).accepts_batch(["", "a"]).tolist() == [False, False]
    assert determinize(NFA(Alphabet(()), [(0, 0, 1)], [0], [False, True])).accepts("")


def nth_from_the_end(n):
    """The words whose n-th letter from the end is a; the minimal automaton has 2^n states."""
    edges = [(0, 0, 0), (0, 1, 0), (0, 0, 1), *((i, code, i + 1) for i in range(1, n) for code in (0, 1))]
    return NFA(AB, edges, [0], np.arange(n + 1) == n)


def test_the_number_of_sets_is_exact_and_limited():
    assert determinize(nth_from_the_end(8), max_states=256).n_states == 2**8
    with pytest.raises(TooLarge, match="in states: reached 256, more than the limit of 255"):
        determinize(nth_from_the_end(8), max_states=255)


def test_the_members_of_all_sets_are_limited_too():
    n = 200
    silent_chain = [(i, 2, i + 1) for i in range(n - 1)]
    rounds = [(i, 0, (i + 1) % n) for i in range(n)]
    with pytest.raises(TooLarge, match="members of its state sets"):
        determinize(NFA(AB, silent_chain + rounds, [0], np.ones(n, dtype=bool)), max_states=5)


@pytest.mark.parametrize(
    ("edges", "starts", "message"),
    [
        ([(0, 0, 1)], [0], "state outside 0..0"),
        ([], [1], "state outside 0..0"),
        ([(0, 3, 0)], [0], "code outside 0..2"),
    ],
)
def test_impossible_tables_are_refused(edges, starts, message):
    with pytest.raises(ToolkitError, match=message):
        NFA(AB, edges, starts, [True])
