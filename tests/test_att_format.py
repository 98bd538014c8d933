"""AT&T text: the language is kept, files by OpenFst and by hand are read, errors name the line."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.att_format import from_att, read_symbols, to_att
from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.errors import FormatError, TooLarge, ToolkitError
from automata.minimize import minimize
from tests.hostile import hostile_dfas, letters
from tests.strategies import AB, all_words, dfas


def words_of(dfa: DFA, length: int = 4) -> list[str]:
    return [word for word in all_words(dfa.alphabet, length) if dfa.accepts(word)]


@given(dfas(max_states=8))
def test_round_trip_keeps_the_language(dfa):
    assert distinguish(from_att(to_att(dfa), dfa.alphabet), dfa) is None


@given(hostile_dfas(alphabets=letters().filter(lambda found: not re.search("[ \t\r\n]", "".join(found)))))
def test_round_trip_with_nasty_letters(dfa):
    assert distinguish(from_att(to_att(dfa), dfa.alphabet), dfa) is None


@pytest.mark.parametrize("letter", [" ", "a b", "\t", "a\n", "\r"])
def test_a_letter_with_a_separator_cannot_be_written(letter):
    with pytest.raises(ToolkitError, match=f"letter {re.escape(repr(letter))} holds a space"):
        to_att(DFA(Alphabet((letter,)), [[0]], 0, [True]))


@given(dfas(max_states=8))
def test_written_files_are_as_the_format_asks(dfa):
    """The start is first, no line is repeated, and every state lies on a path to a final one."""
    lines = [line.split("\t") for line in to_att(dfa).splitlines()]
    assert len({tuple(line) for line in lines}) == len(lines)
    if lines:
        assert lines[0][0] == str(dfa.start)
    accepting_from = {
        q for q in range(dfa.n_states) if any(dfa.accept[dfa.run(w, q)[-1]] for w in all_words(dfa.alphabet, 7))
    }
    assert {int(field) for line in lines for field in line[:2] if len(line) > 1} <= accepting_from
    assert {int(line[0]) for line in lines if len(line) == 1} <= set(range(dfa.n_states))


@pytest.mark.parametrize(
    ("dfa", "text"),
    [
        (DFA(AB, [[0, 0]], 0, [False]), ""),
        (DFA(AB, [[1, 1], [1, 1]], 0, [True, False]), "0\n"),
        (DFA(AB, [[0, 0], [0, 0]], 1, [False, True]), "1\n"),
        (DFA(AB, [[0, 0]], 0, [True]), "0\t0\ta\ta\n0\t0\tb\tb\n0\n"),
        (DFA(AB, [[2, 2], [1, 1], [2, 2]], 0, [True, True, False]), "0\n1\t1\ta\ta\n1\t1\tb\tb\n1\n"),
        (DFA(Alphabet(()), [[]], 0, [True]), "0\n"),
        (DFA(Alphabet(()), [[]], 0, [False]), ""),
    ],
)
def test_a_start_without_transitions(dfa, text):
    assert to_att(dfa) == text
    assert distinguish(from_att(text, dfa.alphabet), dfa) is None


def test_h16_a_partial_chain_keeps_its_three_words():
    a = Alphabet.of("a")
    dfa = from_att("0\t1\ta\ta\n1\t2\ta\ta\n2\t3\ta\ta\n1\n2\n3\n", a)
    assert words_of(dfa, 6) == ["a", "aa", "aaa"]
    assert minimize(dfa).n_states == 5


def test_states_are_any_integers_and_keep_their_names():
    text = "7 -3 a a\r\n-3\t1000000000000 \tb b 0.0\n\n1000000000000"
    dfa = from_att(text, AB)
    assert dfa.names == ("-3", "7", "1000000000000", "sink")
    assert (dfa.start, words_of(dfa)) == (1, ["ab"])
    assert from_att("0 1 a a\n1", AB).names is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("\n \t\n", []),
        ("0 Infinity\n", []),
        ("0 inf\n", []),
        ("0\n", [""]),
        ("5 0\n", [""]),
        ("0 1 a\n1\n", ["a"]),
        ("0 1 a a 0\n1 0.000\n", ["a"]),
        ("0 1 a a\n0 2 a a\n2 2 b b\n1\n2\n", ["a", "ab", "abb", "abbb"]),
        ("0 1 <eps> <eps>\n1 1 b b\n1\n", ["", "b", "bb", "bbb", "bbbb"]),
        ("0 1 @0@ @0@\n1 2 a a\n1\n", [""]),
        ("0 1 a a\n0 1 a a\n1\n", ["a"]),
    ],
)
def test_files_as_other_tools_write_them(text, words):
    assert words_of(from_att(text, AB)) == words


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from(["a", "b", "<eps>"])), max_size=8))
def test_nondeterministic_files_mean_what_their_paths_spell(arcs):
    """Against a search for an accepting path, word by word."""
    text = "".join(f"{p} {q} {letter} {letter}\n" for p, q, letter in arcs) + "3\n"
    dfa = from_att(text, AB)
    start = arcs[0][0] if arcs else 3

    def reach(word: str) -> set[int]:
        found = {(start, 0)}
        while True:
            more = found | {
                (q, i + (letter != "<eps>"))
                for (state, i), (p, q, letter) in product(found, arcs)
                if p == state and (letter == "<eps>" or word[i : i + 1] == letter)
            }
            if more == found:
                return {state for state, i in found if i == len(word)}
            found = more

    assert words_of(dfa, 3) == [word for word in all_words(AB, 3) if 3 in reach(word)]


def test_epsilon_is_a_letter_where_the_alphabet_says_so():
    dfa = from_att("0 1 <eps> <eps>\n1\n", Alphabet(("<eps>",)))
    assert dfa.accepts(("<eps>",))
    assert not dfa.accepts(())


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("0 1 a a\nx 1 a a\n", 2, "expected a state, an integer of up to 18 digits, found 'x'"),
        ("0 1.5 a a\n", 1, "found '1.5'"),
        ("0 ٣ a a\n", 1, "found '٣'"),
        ("0 " + "9" * 5000 + " a a\n", 1, "an integer of up to 18 digits"),
        ("0 1 a a 0 0\n", 1, "6 fields; expected"),
        ("0 1 a b\n", 1, "reads 'a' and writes 'b', as a transducer does"),
        ("0 1 a a\n\n0 1 c c\n", 3, "unknown letter 'c'; the alphabet is {a, b}"),
        ("0 1 a a 0.5\n", 1, "weight '0.5'; expected an automaton without weights"),
        ("0 0.5\n", 1, "weight '0.5'"),
        ("0 .\n", 1, "weight '.'"),
        (b"0 1 a a\n1 2 \xff \xff\n", 2, "byte 0xff is not UTF-8"),
    ],
)
def test_errors_name_the_line(text, line, problem):
    with pytest.raises(FormatError, match=re.escape(problem)) as caught:
        from_att(text, AB, "my.att")
    assert caught.value.line == line
    assert str(caught.value).startswith(f"my.att, line {line}: ")
    assert len(str(caught.value)) < 200


def test_size_is_checked_before_the_table_is_made():
    with pytest.raises(TooLarge, match="states of"):
        from_att("0 1 a a\n1\n", AB, max_states=1)
    wide = Alphabet(tuple(map(str, range(10_000))))
    with pytest.raises(TooLarge, match="states times letters"):
        from_att("".join(f"{q} {q + 1} 0 0\n" for q in range(50)), wide, max_states=100)


def test_symbol_table():
    assert read_symbols("<EPS>\t0\na\t97\r\nb 98\n\n") == AB
    assert read_symbols(b"") == Alphabet(())


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a\n", 1, "expected `symbol number`, found 'a'"),
        ("a b\n", 1, "found 'a b'"),
        ("<EPS> 0\na 1 2\n", 2, "found 'a 1 2'"),
        ("a 1\na 2\n", 2, "symbol 'a' is given twice"),
        ("a 1\nb 1\n", 2, "number 1 is given twice"),
    ],
)
def test_errors_in_a_symbol_table_name_the_line(text, line, problem):
    with pytest.raises(FormatError, match=re.escape(problem)) as caught:
        read_symbols(text)
    assert caught.value.line == line
