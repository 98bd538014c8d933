"""Automata as networkx graphs, for its algorithms and for whatever reads networkx."""

from __future__ import annotations

from reprlib import repr as show_short
from typing import TYPE_CHECKING, Any

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.edge_list import Edge, EdgeList, settle_alphabet, to_dfa
from automata.errors import MAX_STATES, FormatError, ToolkitError

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(dfa: DFA) -> nx.MultiDiGraph[int]:
    """Return a `networkx.MultiDiGraph` with the states 0, 1, ... as nodes and one edge for each transition.

    The attributes are: of the graph, `alphabet`, a tuple of letters; of a node, `start` and `accepting`,
    booleans, and `name` where the states have names; of an edge, `letter`, which is also its key.

    >>> graph = to_networkx(DFA(Alphabet.of("ab"), [[1, 0], [1, 1]], 0, [False, True]))
    >>> sorted(graph.edges(keys=True))
    [(0, 0, 'b'), (0, 1, 'a'), (1, 1, 'a'), (1, 1, 'b')]
    """
    import networkx as nx

    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(alphabet=dfa.alphabet.letters)
    for q in range(dfa.n_states):
        name = {} if dfa.names is None else {"name": dfa.names[q]}
        graph.add_node(q, start=q == dfa.start, accepting=bool(dfa.accept[q]), **name)
    for q, row in enumerate(dfa.delta.tolist()):
        for letter, target in zip(dfa.alphabet, row, strict=True):
            graph.add_edge(q, target, key=letter, letter=letter)
    return graph


def from_networkx(
    graph: nx.MultiDiGraph[Any],
    source: str = "networkx graph",
    alphabet: Alphabet | None = None,
    max_states: int = MAX_STATES,
) -> DFA:
    """Read an automaton from a directed networkx graph with the attributes of `to_networkx`.

    Nodes may be any values; states are numbered in the order of the graph. `start` and `accepting` are false
    where they are missing, exactly one node has `start`. States are named by `name`, if every node has one.
    An edge without `letter`, or with None, reads the empty word. The alphabet is the graph's, else the one
    given, else the letters that occur, sorted by code point. Missing transitions lead to a rejecting sink,
    added as the last state; nondeterministic automata are determinised, without names. Raise `FormatError`
    naming the node or edge.
    """
    if not graph.is_directed():
        raise FormatError(source, None, "an undirected graph; expected a directed one")
    place = {node: q for q, node in enumerate(graph.nodes)}
    starts = [node for node, is_start in graph.nodes(data="start", default=False) if is_start]
    if len(starts) != 1:
        raise FormatError(source, None, f"{len(starts)} nodes have the attribute start; expected one")
    edges = []
    for tail, head, letter in graph.edges(data="letter"):
        if letter is not None and not isinstance(letter, str):
            edge = f"the edge from {show_short(tail)} to {show_short(head)}"
            raise FormatError(source, None, f"{edge} has the letter {show_short(letter)}; expected a string")
        edges.append(Edge(place[tail], letter, place[head]))
    names = [name for _, name in graph.nodes(data="name") if isinstance(name, str)]
    letters = graph.graph.get("alphabet")
    try:
        declared = None if letters is None else Alphabet(tuple(letters))
    except (ToolkitError, TypeError) as error:
        raise FormatError(source, None, f"the attribute alphabet: {error}") from None
    listed = EdgeList(
        n_states=len(place),
        edges=tuple(edges),
        start=place[starts[0]],
        accepting=frozenset(place[node] for node, accepts in graph.nodes(data="accepting") if accepts),
        names=tuple(names) if len(names) == len(place) else None,
    )
    return to_dfa(listed, settle_alphabet(declared, alphabet, edges, source), source, max_states)
