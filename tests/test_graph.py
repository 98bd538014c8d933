"""Orders, shortest words and components of the transition graph."""

import networkx as nx
import numpy as np
from hypothesis import given

from automata.dfa import DFA
from automata.graph import breadth_first, live_states, rejecting_sinks, states_reaching, strong_components, word_to
from tests.strategies import AB, all_words, dfas


@given(dfas(max_states=5))
def test_words_to_states_are_the_first_in_length_lexicographic_order(dfa):
    first = {}
    for word in all_words(dfa.alphabet, 4):  # some word shorter than the number of states reaches what is reachable
        first.setdefault(dfa.run(word)[-1], word)
    tree = breadth_first(dfa.delta, dfa.start)
    assert tree.order == list(first)
    assert [word_to(dfa, dfa.start, q) for q in range(dfa.n_states)] == [first.get(q) for q in range(dfa.n_states)]


@given(dfas(max_states=8))
def test_components_and_reachability_agree_with_networkx(dfa):
    graph = nx.DiGraph([(p, q) for p in range(dfa.n_states) for q in dfa.delta[p].tolist()])
    labels = strong_components(dfa.delta)
    found = {frozenset(np.flatnonzero(labels == label).tolist()) for label in labels}
    assert found == {frozenset(component) for component in nx.strongly_connected_components(graph)}
    goals = set(np.flatnonzero(dfa.accept).tolist())
    reaching = [bool(goals & ({p} | nx.descendants(graph, p))) for p in range(dfa.n_states)]
    assert states_reaching(dfa.delta, dfa.accept).tolist() == reaching


def test_missing_edges_and_barred_states_are_not_followed():
    successors = np.array([[1, -1], [0, 2], [-1, -1]], dtype=np.int32)
    labels = strong_components(successors).tolist()
    assert labels[0] == labels[1] != labels[2]
    assert breadth_first(np.array([[1], [2], [0]], dtype=np.int32), 0, avoid=[False, False, True]).order == [
        0,
        1,
    ]


@given(dfas(AB, max_states=4))
def test_live_states_are_those_from_which_a_short_word_is_accepted(dfa):
    words = all_words(AB, 4)
    expected = [any(DFA(AB, dfa.delta, q, dfa.accept).accepts_batch(words)) for q in range(dfa.n_states)]
    assert live_states(dfa).tolist() == expected


@given(dfas(max_states=4))
def test_rejecting_sinks_are_left_by_no_word_and_reject(dfa):
    stuck = [all(dfa.run(word, q)[-1] == q for word in all_words(dfa.alphabet, 1)) for q in range(dfa.n_states)]
    assert rejecting_sinks(dfa).tolist() == [stays and not dfa.accept[q] for q, stays in enumerate(stuck)]
