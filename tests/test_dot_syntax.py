"""The DOT parser, against Graphviz's own."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.dot_format import to_dot
from automata.dot_syntax import parse_dot
from automata.errors import FormatError
from tests.hostile import hostile_dfas

NAMES = st.sampled_from(
    ["a", "b", "c", "1", "-.5", '"q:0"', '"x \\" y"', '"a\\\\"', '"l1\\\nl2"', '"a" + "b"', "é", "nodes", "a:n"]
)
VALUES = st.sampled_from(["x", "2.5", '"a, b"', '"\\"q\\\\n"', "<html>", '"<html>"', '""', '"é\nü"'])
LISTS = st.lists(st.tuples(st.sampled_from(["shape", "label"]), VALUES), max_size=2).map(
    lambda pairs: "".join(f"[{key} = {value};]" for key, value in pairs)
)


def statements(blocks: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    ends = NAMES | blocks
    return st.one_of(
        st.builds("{} {}".format, NAMES, LISTS),
        st.builds("{} -> {} {}".format, ends, ends, LISTS),
        st.builds("{}->{}->{} {}".format, ends, ends, ends, LISTS),
        st.builds("{} {}".format, st.sampled_from(["node", "edge", "NODE"]), LISTS.filter(bool)),
        st.sampled_from(["k=v", "graph [k=v]", "// nothing\n a", "/* no\nthing */ b", "\n# nothing\n c"]),
        blocks,
    )


BLOCKS = st.recursive(
    st.builds("{{ {} }}".format, NAMES),
    lambda inner: st.lists(statements(inner), min_size=1, max_size=3).map(
        lambda found: "subgraph { " + "; ".join(found) + " }"
    ),
    max_leaves=3,
)
GRAPHS = st.builds(
    "{} {{ {} }}".format,
    st.sampled_from(["digraph", "strict digraph g", 'DiGraph "g"', "digraph 7"]),
    st.lists(statements(BLOCKS), max_size=6).map("\n".join),
)


def by_graphviz(text: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    import pygraphviz

    graph = pygraphviz.AGraph(string=text)
    # Once it has drawn a picture, Graphviz gives the nodes of later graphs the label \N, which says the same as none.
    labels = {"\\N": "", None: ""}
    nodes = [
        (str(node), node.attr["shape"] or "", labels.get(node.attr["label"], node.attr["label"]))
        for node in graph.nodes()
    ]
    edges = [(str(e[0]), str(e[1]), e.attr["label"] or "") for e in graph.edges()]
    graph.close()
    return nodes, sorted(edges)


def by_us(text: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    graph = parse_dot(text, "text")
    nodes = [(name, of.get("shape", ""), of.get("label", "")) for name, of in graph.nodes.items()]
    return nodes, sorted((edge.tail, edge.head, edge.attributes.get("label", "")) for edge in graph.edges)


@given(GRAPHS)
def test_graphs_mean_what_they_mean_to_graphviz(text):
    assert by_us(text) == by_graphviz(text)


@given(hostile_dfas())
def test_written_automata_mean_the_same_to_graphviz(dfa):
    assert by_us(to_dot(dfa)) == by_graphviz(to_dot(dfa))


def test_depth_and_length_are_no_problem():
    deep = "digraph {" + "subgraph {" * 5000 + "a" + "}" * 5001
    assert list(parse_dot(deep, "text").nodes) == ["a"]
    chain = "digraph {" + "->".join(f"q{i}" for i in range(5001)) + "}"
    assert len(parse_dot(chain, "text").edges) == 5000
    name = "x" * 100_000
    assert list(parse_dot(f'digraph {{ "{name}" }}', "text").nodes) == [name]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("", 1, "not DOT: unexpected the end of the file at column 1; expected 'digraph'"),
        ("digraph {\n a -> \n}", 3, "unexpected '}' at column 1; expected '{' or a name"),
        ("digraph {\n a -> b\n", 2, "unexpected the end of the file at column 8"),
        ("digraph { a }\n}", 2, "unexpected '}' at column 1; expected the end of the file"),
        ('digraph {\n "a }', 2, "unexpected '\"a }' at column 2"),
        ("digraph {\n /* a }", 2, "unexpected '/* a }' at column 2"),
        ("digraph {\n a [label=<<b>x</b>>] }", 2, "unexpected '<<b>x</b>>] }' at column 11"),
        ("digraph { a \x00 }", 1, "unexpected"),
        ("graph { a -- b }", 1, "an undirected graph; expected 'digraph'"),
        ("digraph { a\n -- b }", 2, "found '--'; the edges of a digraph are written '->'"),
    ],
)
def test_errors_name_the_line(text, line, problem):
    with pytest.raises(FormatError, match=re.escape(problem)) as caught:
        parse_dot(text, "my.dot")
    assert caught.value.line == line
