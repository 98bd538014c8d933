"""DOT files: exact round trips, drawings by hand, errors."""

import re

import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.dot_format import escape, from_dot, quote, to_dot, unescape
from automata.errors import AlphabetMismatch, FormatError, TooLarge
from tests.hostile import hostile_dfas, texts
from tests.strategies import AB, all_words


def words_of(dfa: DFA, length: int = 4) -> list[str]:
    return [word for word in all_words(dfa.alphabet, length) if dfa.accepts(word)]


@given(hostile_dfas())
def test_round_trip_keeps_everything(dfa):
    text = to_dot(dfa)
    back = from_dot(text)
    assert back == dfa
    assert back.names == dfa.names
    assert to_dot(back) == text


def test_h23_dot_keeps_odd_names_and_letters():
    names = ["q:0", 'q"1', "a b", "é", "two\nlines", "\\"]
    letters = Alphabet(('"', "\\", "->", ",", "a"))
    delta = [[(q * 2 + a) % 6 for a in range(5)] for q in range(6)]
    dfa = DFA(letters, delta, 3, [True, False, True, False, False, True], names)
    back = from_dot(to_dot(dfa).encode("utf-8"))
    assert back == dfa
    assert back.names == tuple(names)
    assert back.n_states == 6


@given(texts)
def test_graphviz_draws_the_text_that_is_escaped(text):
    """Its picture shows the characters themselves, for text that is printable and not all white space."""
    import xml.etree.ElementTree as ElementTree

    import pygraphviz

    assert unescape(escape(text)) == text
    shown = text if text.isprintable() else "a"
    graph = pygraphviz.AGraph(string=f"digraph {{ q [label={quote(escape(f'.{shown}.'))}] }}")
    drawing = ElementTree.fromstring(graph.draw(format="svg", prog="dot"))
    graph.close()
    found = [element.text for element in drawing.iter() if element.tag.endswith("}text")]
    assert found == [f".{shown}."]


@pytest.mark.parametrize(
    "text",
    [
        'digraph { 0 [shape=doublecircle, start=true]; 0 -> 1 [label=a]; 1 -> 0 [label="b"] }',
        """digraph {
            node [shape=circle]; i [shape=point];
            i -> x; x [peripheries=2]; x -> y [label="a"] y -> x [label=<b>]
        }""",
        """digraph {
            init [shape=plaintext, label=""]; p [initial=true accepting=true]
            init -> p; p -> q [label=a] q->p [label=b]
        }""",
        """digraph {
            rankdir=LR; I [label="", style=invis, width=0] I -> 0
            0 [shape=doublecircle] 0->1 [label=a] 1->0 [label=b]
        }""",
        """strict digraph g {
            edge [label="a"]; __start0 [label="" shape="none"]; __start0 -> s [label=""];
            s [shape="doublecircle"]; s -> t; t -> s [label="b"];
        }""",
    ],
)
def test_drawings_by_people_and_other_tools_are_read(text):
    """Each draws (ab)*, partial."""
    assert words_of(from_dot(text), 6) == ["", "ab", "abab", "ababab"]
    assert from_dot(text).alphabet == AB


def test_names_are_labels_or_node_names():
    label = 'label="the\\nend of \\N &amp; \\\\"'
    text = f'digraph {{ q0 [start=true]; "q:1" [{label}, shape=doublecircle]; q0 -> "q:1" [label=a] }}'
    dfa = from_dot(text)
    assert dfa.names == ("q0", "the\nend of q:1 & \\", "sink")
    assert words_of(dfa) == ["a"]
    assert from_dot("digraph { 0 [start=true]; 0 -> 1 [label=a]; 1 -> 1 [label=a] }").names is None


def test_letters_of_an_edge_are_separated_by_commas_or_lines():
    dfa = from_dot(
        'digraph { 0 [start=true]; 0 -> 1 [label="a,b"]; 0 -> 1 [label="c\\nd , \\",\\""]; 1 [shape=doublecircle] }'
    )
    assert dfa.alphabet.letters == (",", "a", "b", "c", "d")
    assert words_of(dfa, 2) == [",", "a", "b", "c", "d"]


def test_nondeterministic_drawings_are_determinised():
    edges = '0 -> 0 [label="a, b"]; 0 -> 1 [label=a]; 1 -> 2 [label="&epsilon;"]'
    text = f"digraph {{ 0 [start=true]; {edges}; 2 [accepting=true] }}"
    assert words_of(from_dot(text), 3) == ["a", "aa", "ba", "aaa", "aba", "baa", "bba"]


def test_epsilon_is_a_letter_where_the_alphabet_says_so():
    text = 'digraph { 0 [start=true]; 0 -> 1 [label="ε"]; 1 [shape=doublecircle] }'
    assert words_of(from_dot(text, alphabet=Alphabet.of("aε"))) == ["ε"]
    assert words_of(from_dot(text, alphabet=AB)) == [""]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("digraph { 0 -> 1 [label=a] }", None, "no start state; mark it by an edge from a node with shape=point"),
        (
            "digraph { 0 [start=true] 1 [start=true] 0 -> 1 [label=a] }",
            None,
            "2 start states, '0' and '1'; expected one",
        ),
        (
            "digraph { i [shape=point]; i -> {a b c d e f g} }",
            None,
            "7 start states, 'a', 'b', 'c', 'd' and 'e'; expected",
        ),
        ("digraph { 0 [start=true]\n0 -> 1 }", 2, "the edge from '0' to '1' has no label"),
        ('digraph { 0 [start=true]\n0 -> 1 [label="a,,b"] }', 2, "the label of an edge: a letter is missing"),
        ('digraph { alphabet="a,a"; 0 [start=true] }', None, "the attribute alphabet: letter 'a' is declared twice"),
        ('digraph { alphabet="a"; 0 [start=true]\n\n0 -> 0 [label=b] }', 3, "unknown letter 'b'; the alphabet is {a}"),
        ("digraph { 0 [start=true] }", None, "declares no alphabet and has no edge with a letter; give the alphabet"),
        ("digraph { }", None, "no start state"),
    ],
)
def test_errors_say_what_is_missing(text, line, problem):
    with pytest.raises(FormatError, match=re.escape(problem)) as caught:
        from_dot(text, "my.dot")
    assert caught.value.line == line
    assert str(caught.value).startswith("my.dot")


def test_size_and_alphabet_are_checked():
    dfa = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
    assert from_dot(to_dot(dfa), alphabet=AB) == dfa
    with pytest.raises(AlphabetMismatch):
        from_dot(to_dot(dfa), alphabet=Alphabet.of("ba"))
    with pytest.raises(TooLarge, match="max_states"):
        from_dot(to_dot(dfa), max_states=1)


def test_edges_between_subgraphs_are_counted_before_they_are_made():
    many = " ".join(f"q{i}" for i in range(6000))
    chain = "{" + many + "} -> {q0 q1}"
    with pytest.raises(TooLarge, match="edges between subgraphs: reached 12,000, more than the limit of 100"):
        from_dot("digraph { " + chain + " [label=a] }", "drawing", AB, 100)
