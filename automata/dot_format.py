"""Automata in the DOT language, so that Graphviz can draw them and other tools' drawings can be read."""

from __future__ import annotations

import html
import re
from reprlib import repr as show_short

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.dot_syntax import DotEdge, DotGraph, parse_dot
from automata.edge_list import Edge, EdgeList, settle_alphabet, to_dfa
from automata.errors import MAX_STATES, FormatError, join_words
from automata.file_text import decode_text
from automata.labels import read_letters, read_name, show_letters, show_name

EPSILON = "ε"
"""The label of an edge that reads the empty word, unless the alphabet declares it as a letter."""

_MARK_SHAPES = ("point", "none", "plaintext", "plain")
_ACCEPTING_SHAPES = ("doublecircle", "doubleoctagon", "tripleoctagon")
_ESCAPE = re.compile(r"\\(.)|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]*);", re.DOTALL)


def to_dot(dfa: DFA) -> str:
    r"""Write an automaton as a DOT digraph.

    Nodes 0, 1, ... are the states, labelled with their names where they have some; accepting states are
    double circles, an edge from an invisible point marks the start. All letters from one state to another
    share an edge with the label "a, b" (see `automata.labels` for letters that are not plain); the graph's
    attribute `alphabet` lists the letters in order. `from_dot` gives the same automaton, the same names and
    the same text again.

    >>> print(to_dot(DFA(Alphabet.of("ab"), [[1, 0], [1, 1]], 0, [False, True])), end="")
    digraph {
      alphabet="a, b";
      rankdir=LR;
      node [shape=circle];
      0;
      1 [shape=doublecircle];
      start [shape=point, style=invis];
      start -> 0;
      0 -> 1 [label="a"];
      0 -> 0 [label="b"];
      1 -> 1 [label="a, b"];
    }
    """
    lines = [f"alphabet={quote(escape(show_letters(dfa.alphabet)))}", "rankdir=LR", "node [shape=circle]"]
    for q in range(dfa.n_states):
        attributes = [] if dfa.names is None else [f"label={quote(escape(show_name(dfa.names[q])))}"]
        if dfa.accept[q]:
            attributes.append("shape=doublecircle")
        lines.append(f"{q} [{', '.join(attributes)}]" if attributes else str(q))
    lines += ["start [shape=point, style=invis]", f"start -> {dfa.start}"]
    for (source, target), letters in merge_edges(dfa).items():
        lines.append(f"{source} -> {target} [label={quote(escape(show_letters(letters)))}]")
    return "digraph {\n" + "".join(f"  {line};\n" for line in lines) + "}\n"


def merge_edges(dfa: DFA) -> dict[tuple[int, int], list[str]]:
    """Return for each pair of states with a transition its letters, in alphabet order; pairs by source, then letter."""
    merged: dict[tuple[int, int], list[str]] = {}
    for source, row in enumerate(dfa.delta.tolist()):
        for letter, target in zip(dfa.alphabet, row, strict=True):
            merged.setdefault((source, target), []).append(letter)
    return merged


def escape(text: str) -> str:
    r"""Return the label by which Graphviz draws `text`: it reads \n, \N and &amp; in labels."""
    return text.replace("\\", "\\\\").replace("&", "&amp;")


def quote(label: str) -> str:
    """Return a label in which each backslash is escaped as a quoted DOT string."""
    return '"' + label.replace('"', '\\"') + '"'


def unescape(label: str, node: str = "") -> str:
    r"""Return the text that Graphviz draws for a label: the inverse of `escape`; \N is the name of the node."""

    def character(found: re.Match[str]) -> str:
        if found[1] is None:
            return html.unescape(found[0])
        return {"N": node, "n": "\n", "l": "\n", "r": "\n"}.get(found[1], found[1])

    return _ESCAPE.sub(character, label)


def from_dot(
    text: str | bytes,
    source: str = "DOT text",
    alphabet: Alphabet | None = None,
    max_states: int = MAX_STATES,
) -> DFA:
    """Read an automaton from a DOT digraph, written by `to_dot` or drawn by people.

    Every node is a state, in the order of first mention, named by its label or else its node name (not named
    at all if those are 0, 1, 2, ... without labels). Accepting are double circles and nodes with
    peripheries=2 or accepting=true. The start is the target of the unlabelled edge from a node without
    incoming edges that is a point, has no shape or an empty label, or is invisible; or else the node with
    start=true or initial=true. The label of an edge lists letters, "a, b"; "ε" is the empty word unless the
    alphabet has it. The alphabet is the graph's attribute `alphabet`, else the one given, else the letters
    that occur, sorted by code point. Missing transitions lead to a rejecting sink, added as the last state;
    nondeterministic automata are determinised, without names.

    Raise `FormatError`, with the line where there is one; `AlphabetMismatch` if the graph declares another
    alphabet than the one given; `TooLarge` past `max_states` states.
    """
    graph = parse_dot(decode_text(text, source), source, max_states)
    start, states = _split_start(graph, source)
    place = {name: q for q, name in enumerate(states)}
    labels = {name: graph.nodes[name].get("label", "\\N") for name in states}
    unnamed = all(label == "\\N" for label in labels.values()) and states == list(map(str, range(len(states))))
    declared = _declared_alphabet(graph, source)
    known = declared if declared is not None else alphabet
    silent = known is None or EPSILON not in known
    edges = [
        Edge(place[edge.tail], None if silent and letter == EPSILON else letter, place[edge.head], edge.line)
        for edge in graph.edges
        if edge.tail in place
        for letter in _edge_letters(edge, source)
    ]
    listed = EdgeList(
        n_states=len(states),
        edges=tuple(edges),
        start=place[start],
        accepting=frozenset(place[name] for name in states if _accepts(graph.nodes[name])),
        names=None if unnamed else tuple(read_name(unescape(labels[name], name)) for name in states),
    )
    return to_dfa(listed, settle_alphabet(declared, alphabet, edges, source), source, max_states)


def _split_start(graph: DotGraph, source: str) -> tuple[str, list[str]]:
    """Return the node that is the start state, and all nodes but those that only point to it."""
    entered = {edge.head for edge in graph.edges}
    labelled = {edge.tail for edge in graph.edges if edge.attributes.get("label", "").strip()}
    arrows = [edge for edge in graph.edges if edge.tail not in labelled | entered and _is_mark(graph.nodes[edge.tail])]
    marks = {edge.tail for edge in arrows}
    states = [name for name in graph.nodes if name not in marks]
    starts = list(dict.fromkeys(edge.head for edge in arrows)) or [
        name for name in states if "true" in (graph.nodes[name].get("start"), graph.nodes[name].get("initial"))
    ]
    if len(starts) == 1:
        return starts[0], states
    if starts:
        raise FormatError(
            source,
            None,
            f"{len(starts)} start states, {join_words(map(show_short, starts[:5]), 'and')}; expected one",
        )
    problem = "no start state; mark it by an edge from a node with shape=point, or by the attribute start=true"
    raise FormatError(source, None, problem)


def _is_mark(attributes: dict[str, str]) -> bool:
    """True iff a node looks like the tail of the arrow that marks the start."""
    shape, label = attributes.get("shape"), attributes.get("label")
    return shape in _MARK_SHAPES or label == "" or "invis" in attributes.get("style", "")


def _accepts(attributes: dict[str, str]) -> bool:
    """True iff a node is drawn, or marked, as an accepting state."""
    return (
        attributes.get("shape") in _ACCEPTING_SHAPES
        or attributes.get("peripheries") == "2"
        or attributes.get("accepting") == "true"
    )


def _declared_alphabet(graph: DotGraph, source: str) -> Alphabet | None:
    text = graph.attributes.get("alphabet")
    if text is None:
        return None
    try:
        return Alphabet(tuple(read_letters(unescape(text))))
    except ValueError as error:
        raise FormatError(source, None, f"the attribute alphabet: {error}") from None


def _edge_letters(edge: DotEdge, source: str) -> list[str]:
    try:
        letters = read_letters(unescape(edge.attributes.get("label", "")))
    except ValueError as error:
        raise FormatError(source, edge.line, f"the label of an edge: {error}") from None
    if not letters:
        problem = f"the edge from {show_short(edge.tail)} to {show_short(edge.head)} has no label"
        raise FormatError(source, edge.line, f'{problem}; expected its letters, as in label="a, b"')
    return letters
