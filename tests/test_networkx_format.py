"""networkx graphs: exact round trips, partial and nondeterministic graphs, errors."""

import networkx as nx
import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import AlphabetMismatch, FormatError, TooLarge
from automata.networkx_format import from_networkx, to_networkx
from tests.hostile import hostile_dfas
from tests.strategies import AB, all_words

ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])


@given(hostile_dfas())
def test_round_trip_keeps_everything(dfa):
    graph = to_networkx(dfa)
    assert graph.number_of_edges() == dfa.n_states * len(dfa.alphabet)
    back = from_networkx(graph)
    assert back == dfa
    assert back.names == dfa.names


def test_partial_and_nondeterministic_graphs():
    graph = nx.MultiDiGraph()
    graph.add_node("p", start=True)
    graph.add_node("q", accepting=True)
    graph.add_edge("p", "q", letter="b")
    assert [w for w in all_words(AB, 3) if from_networkx(graph, alphabet=AB).accepts(w)] == ["b"]
    graph.add_edge("p", "p", letter="a")
    graph.add_edge("p", "q", letter="a")
    graph.add_edge("q", "p")
    accepted = [word for word in all_words(AB, 3) if from_networkx(graph).accepts(word)]
    assert accepted == [word for word in all_words(AB, 3) if word]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda graph: graph.nodes[0].pop("start"), "0 nodes have the attribute start; expected one"),
        (lambda graph: graph.nodes[1].update(start=True), "2 nodes have the attribute start"),
        (lambda graph: graph.add_edge(0, 1, letter=3), "the edge from 0 to 1 has the letter 3; expected a string"),
        (lambda graph: graph.add_edge(0, 1, letter="c"), "unknown letter 'c'; the alphabet is {a, b}"),
        (lambda graph: graph.graph.update(alphabet=("a", "a")), "the attribute alphabet: letter 'a' is declared twice"),
        (lambda graph: graph.graph.update(alphabet=7), "the attribute alphabet: "),
        (lambda graph: graph.clear(), "0 nodes have the attribute start"),
    ],
)
def test_errors(change, problem):
    graph = to_networkx(ENDS_WITH_A)
    change(graph)
    with pytest.raises(FormatError, match=problem):
        from_networkx(graph)


def test_direction_size_and_alphabet_are_checked():
    with pytest.raises(FormatError, match="undirected"):
        from_networkx(nx.MultiGraph(to_networkx(ENDS_WITH_A)))
    with pytest.raises(AlphabetMismatch):
        from_networkx(to_networkx(ENDS_WITH_A), alphabet=Alphabet.of("ba"))
    with pytest.raises(TooLarge):
        from_networkx(to_networkx(ENDS_WITH_A), max_states=1)
