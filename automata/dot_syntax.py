"""Text in the DOT language to a graph: nodes, edges and their attributes, as Graphviz would understand it.

Lark parses it by Graphviz's published grammar. Graphviz's own parser is not used: it tells Python neither
line nor cause, gives a truncated graph for a correct one when its stack is full, and refuses strings of more
than 16 kB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from automata.errors import MAX_STATES, FormatError, TooLarge, join_words

if TYPE_CHECKING:
    from lark import Lark, Token, Tree, UnexpectedInput

_TERMINALS = {
    "$END": "the end of the file",
    "WORD": "a name",
    "DIGRAPH": "'digraph'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "LSQB": "'['",
    "RSQB": "']'",
    "EQUAL": "'='",
    "ARROW": "'->'",
}
"""The terminals that an error names as expected; all others are optional wherever they may stand."""


@dataclass(frozen=True)
class DotEdge:
    """An edge, the line it stands on and its attributes."""

    tail: str
    head: str
    line: int
    attributes: dict[str, str]


@dataclass(frozen=True)
class DotGraph:
    """A directed graph with its attributes; nodes in the order of their first mention."""

    attributes: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    edges: list[DotEdge] = field(default_factory=list)


@dataclass(frozen=True)
class _Scope:
    """A graph or subgraph that is being read: the defaults in force, the nodes mentioned in it."""

    node_defaults: dict[str, str] = field(default_factory=dict)
    edge_defaults: dict[str, str] = field(default_factory=dict)
    members: dict[str, Token] = field(default_factory=dict)


def parse_dot(text: str, source: str, max_states: int = MAX_STATES) -> DotGraph:
    """Return the directed graph that a DOT text describes.

    Default attributes, subgraphs, edges between subgraphs, chains of edges, ports (left out) and `strict` are
    understood. An HTML-like string counts as the text in it. Raise `FormatError` with the line, and
    `TooLarge` if edges between whole subgraphs, of which a short text can make many, are more than `max_states`.

    >>> parse_dot("digraph { node [shape=circle]; 0 -> 1 -> 0 }", "text").nodes
    {'0': {'shape': 'circle'}, '1': {'shape': 'circle'}}
    """
    from lark import UnexpectedInput

    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        raise _syntax_error(error, text, source) from None
    reading = _Reading(source, max_states)
    reading.visit(tree)
    return reading.graph


@cache
def _parser() -> Lark:
    from lark import Lark

    grammar = Path(__file__).with_name("dot.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=False)


class _Reading:
    """The graph as it grows; each method reads the rule of its name, given what the parts of the rule came to."""

    def __init__(self, source: str, max_states: int) -> None:
        self.source = source
        self.max_states = max_states
        self.multiplied = 0  # edges between subgraphs
        self.graph = DotGraph()
        self.scopes = [_Scope()]
        self.single_edges: dict[tuple[str, str], DotEdge] | None = None  # in a strict graph

    def visit(self, tree: Tree[Token]) -> None:
        """Read a syntax tree in the order of its text, parts first; the stack is ours, so depth is no problem."""
        visits: list[tuple[Tree[Token], Iterator[Any], list[Any]]] = [(tree, iter(tree.children), [])]
        while visits:
            rule, parts, values = visits[-1]
            part = next(parts, None)
            if part is None:
                visits.pop()
                value = getattr(self, rule.data)(values)
                if visits:
                    visits[-1][2].append(value)
            elif isinstance(part, str):
                values.append(part)
            else:
                visits.append((part, iter(part.children), []))

    def nothing(self, values: list[Any]) -> None:
        """Read a rule that does not matter here."""

    start = name = statements = port = nothing

    def strict(self, values: list[Token]) -> None:
        if values:
            self.single_edges = {}

    def kind(self, values: list[Token]) -> None:
        if values[0].lower() != "digraph":
            problem = "an undirected graph; expected 'digraph', for the transitions of an automaton have a direction"
            raise FormatError(self.source, values[0].line, problem)

    def id(self, values: list[Token]) -> Token:
        return values[0]

    def quoted(self, values: list[Token]) -> Token:
        r"""Read "a" + "b": the backslash of \" goes, and an escaped line end; all else stays, as in Graphviz."""
        text = "".join(value[1:-1] for value in values)
        return values[0].update(value=re.sub(r'\\(?:(\\|")|\r?\n)', _unescape, text))

    def html(self, values: list[Token]) -> Token:
        """Read <text> as the quoted string that shows the same text."""
        return values[0].update(value=values[0][1:-1].replace("\\", "\\\\"))

    def vertex(self, values: list[Any]) -> Token:
        token: Token = values[0]
        scope = self.scopes[-1]
        self.graph.nodes.setdefault(str(token), dict(scope.node_defaults))
        scope.members.setdefault(str(token), token)
        return token

    def node(self, values: list[Any]) -> None:
        self.graph.nodes[str(values[0])].update(values[1])

    def attribute(self, values: list[Token]) -> tuple[str, str]:
        return str(values[0]), str(values[1]) if len(values) > 1 else "true"

    def attributes(self, values: list[tuple[str, str]]) -> dict[str, str]:
        return dict(values)

    def endpoint(self, values: list[Any]) -> list[Token]:
        return values[0] if isinstance(values[0], list) else values

    def operator(self, values: list[Token]) -> None:
        if values[0] != "->":
            raise FormatError(self.source, values[0].line, "found '--'; the edges of a digraph are written '->'")

    def edge(self, values: list[Any]) -> None:
        attributes = values.pop()
        for tails, heads in pairwise(values[::2]):
            if (count := len(tails) * len(heads)) > 1:
                self.multiplied += count
            if self.multiplied > self.max_states:
                raise TooLarge(f"{self.source}: edges between subgraphs", self.multiplied, self.max_states)
            for tail, head in product(tails, heads):
                self.add_edge(tail, head, attributes)

    def add_edge(self, tail: Token, head: Token, attributes: dict[str, str]) -> None:
        ends = (str(tail), str(head))
        if self.single_edges is not None and ends in self.single_edges:
            self.single_edges[ends].attributes.update(attributes)
            return
        edge = DotEdge(*ends, tail.line or 1, self.scopes[-1].edge_defaults | attributes)
        self.graph.edges.append(edge)
        if self.single_edges is not None:
            self.single_edges[ends] = edge

    def defaults(self, values: list[Any]) -> None:
        kind, attributes = values[0].lower(), values[1]
        if kind == "node":
            self.scopes[-1].node_defaults.update(attributes)
        elif kind == "edge":
            self.scopes[-1].edge_defaults.update(attributes)
        elif len(self.scopes) == 1:
            self.graph.attributes.update(attributes)

    def assignment(self, values: list[Token]) -> None:
        if len(self.scopes) == 1:
            self.graph.attributes[str(values[0])] = str(values[1])

    def open(self, _: list[Any]) -> None:
        outer = self.scopes[-1]
        self.scopes.append(_Scope(dict(outer.node_defaults), dict(outer.edge_defaults)))

    def subgraph(self, _: list[Any]) -> list[Token]:
        members = self.scopes.pop().members
        for name, token in members.items():
            self.scopes[-1].members.setdefault(name, token)
        return list(members.values())


def _unescape(found: re.Match[str]) -> str:
    return {"\\": "\\\\", '"': '"'}.get(found.group(1), "")


def _syntax_error(error: UnexpectedInput, text: str, source: str) -> FormatError:
    """Tell where the text stops being DOT, and what could have stood there."""
    from lark import UnexpectedCharacters, UnexpectedToken

    place = error.pos_in_stream
    expected: set[str] = set()
    if isinstance(error, UnexpectedCharacters):
        expected = error.allowed or set()
    elif isinstance(error, UnexpectedToken):
        expected = error.accepts or set()
        if error.token.type == "$END":
            place = None
    if place is None or place < 0:
        place = len(text.rstrip())
        found = "the end of the file"
    else:
        found = repr(text[place : place + 20].split("\n")[0])
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    likely = join_words(sorted({_TERMINALS[name] for name in expected if name in _TERMINALS}), "or")
    hint = f"; expected {likely}" if likely else ""
    return FormatError(source, line, f"not DOT: unexpected {found} at column {column}{hint}")
