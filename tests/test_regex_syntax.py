"""The notation of regular expressions: precedence, letters, and what is said about mistakes."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.errors import ParseError, TooLarge, ToolkitError
from automata.regex import parse_regex, regex_to_dfa
from automata.regex_tree import (
    ANY_LETTER,
    EMPTY,
    EPSILON,
    Complement,
    Concatenation,
    Intersection,
    Letters,
    Repetition,
    Union,
)
from tests.strategies import ABC, all_words

A, B, C = (Letters((letter,)) for letter in "abc")
ODD = Alphabet(("a", "b0", "*", " ", "'", "\\", "ε", "\n", "-", "\\a"))


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("ba*|a", Union((Concatenation((B, Repetition(A, 0, None))), A))),
        ("~a*b", Concatenation((Complement(Repetition(A, 0, None)), B))),
        ("a~b", Concatenation((A, Complement(B)))),
        ("~~a", Complement(Complement(A))),
        ("(~a)*", Repetition(Complement(A), 0, None)),
        ("ab&c|a", Union((Intersection((Concatenation((A, B)), C)), A))),
        ("a|b&c", Union((A, Intersection((B, C))))),
        ("a&b&c", Intersection((A, B, C))),
        ("a*?", Repetition(Repetition(A, 0, None), 0, 1)),
        ("a{2}+", Repetition(Repetition(A, 2, 2), 1, None)),
        (" a { 2 , 3 } \n b ", Concatenation((Repetition(A, 2, 3), B))),
        ("a{2,}", Repetition(A, 2, None)),
        ("[cab]", Letters(("a", "b", "c"))),
        ("[a-c]", Letters(("a", "b", "c"))),
        ("[^ab]", Letters(("a", "b"), others=True)),
        (".", ANY_LETTER),
        ("'a'b", Concatenation((A, B))),
        ("", EPSILON),
        ("()", EPSILON),
        ("ε", EPSILON),
        ("∅", EMPTY),
        ("a|", Union((A, EPSILON))),
        ("|a", Union((EPSILON, A))),
        ("|", Union((EPSILON, EPSILON))),
    ],
)
def test_precedence_and_signs(text, tree):
    assert parse_regex(text, ABC) == tree


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("'b0'", ("b0",)),
        ("\\*", ("*",)),
        ("'*'*", ("*", "*")),
        ("[\\*'b0']a", ("b0", "a")),
        ("' '", (" ",)),
        ("\\ ", (" ",)),
        ("\\'", ("'",)),
        ("'\\''", ("'",)),
        ("'\\\\'", ("\\",)),
        ("'\\\\a'", ("\\a",)),
        ("'ε'ε", ("ε",)),
        ("[\\ε]", ("ε",)),
        ("'\n'", ("\n",)),
        ("-", ("-",)),
        ("[\\-a]", ("-",)),
        ("[^a'*']", ("-",)),
        ("a'b0'a", ("a", "b0", "a")),
    ],
)
def test_letters_that_are_operators_or_long_are_quoted_or_escaped(text, word):
    dfa = regex_to_dfa(text, ODD)
    assert dfa.accepts(word)
    assert not dfa.accepts((*word, "a"))


# Position from 0, what is said, and what could have stood there.
MISTAKES = [
    ("(ab", 0, "'(' is never closed", ()),
    ("((a)", 0, "'(' is never closed", ()),
    ("(a(b", 2, "'(' is never closed", ()),
    ("a)", 1, "')' without '('", ()),
    ("a(b))c", 4, "')' without '('", ()),
    ("[ab", 0, "'[' is never closed", ()),
    ("a]", 1, "']' without '['", ()),
    ("(]", 1, "']' without '['", ()),
    ("a}", 1, "'}' without '{'", ()),
    ("a{1", 1, "'{' is never closed", ("bounds such as {2}, {2,} or {2,5}",)),
    ("a'bc", 1, "a quote is never closed", ()),
    ("''", 0, "an empty letter", ()),
    ("ab\\", 2, "the expression ends too early", ("a character after the backslash",)),
    ("a\\d", 1, "'\\\\d' means nothing", ()),
    ("'a\\d'", 2, "'\\\\d' means nothing", ()),
    ("*a", 0, "nothing before '*' to repeat", ("an expression",)),
    ("a|*", 2, "nothing before '*' to repeat", ("an expression",)),
    ("a(+b)", 2, "nothing before '+' to repeat", ("an expression",)),
    ("{2}", 0, "nothing before '{2}' to repeat", ("an expression",)),
    ("~", 1, "the expression ends too early", ("an expression",)),
    ("a&", 2, "the expression ends too early", ("an expression",)),
    ("&a", 0, "unexpected '&'", ("an expression",)),
    ("a&&b", 2, "unexpected '&'", ("an expression",)),
    ("~|a", 1, "unexpected '|'", ("an expression",)),
    ("a|(b&)", 5, "unexpected ')'", ("an expression",)),
    ("[]", 1, "an empty class", ("a letter",)),
    ("[^]", 2, "an empty class", ("a letter",)),
    ("[a-]", 3, "unexpected ']'", ("the last letter of the range",)),
    ("[-a]", 1, "unexpected '-' in a class", ("a letter",)),
    ("[a-b-c]", 4, "unexpected '-' in a class", ("a letter", "']'")),
    ("[a.]", 2, "unexpected '.' in a class", ("a letter", "']'")),
    ("[a*]", 2, "unexpected '*' in a class", ("a letter", "']'")),
    ("[a^]", 2, "unexpected '^' in a class", ("a letter", "']'")),
    ("[c-a]", 1, "the range c-a is empty", ()),
    ("['ab'-c]", 1, "a range between letters of several characters", ()),
    ("^a", 0, "unexpected '^'", ()),
    ("a$", 1, "unexpected '$'", ()),
    ("a{3,1}", 4, "the upper bound 1 is below the lower bound 3", ()),
    ("a{x}", 2, "bad bounds '{x}'", ("bounds such as {2}, {2,} or {2,5}",)),
    ("a{}", 2, "bad bounds '{}'", ("bounds such as {2}, {2,} or {2,5}",)),
    ("a{,3}", 2, "bad bounds '{,3}'", ("bounds such as {2}, {2,} or {2,5}",)),
    ("a{1,2,3}", 5, "bad bounds '{1,2,3}'", ("bounds such as {2}, {2,} or {2,5}",)),
    ("a{1234567890123456789}", 2, "a bound of more than 18 digits", ()),
    ("abd", 2, "letter 'd' is not in the alphabet {a, b, c}", ()),
    ("a[bd]", 3, "letter 'd' is not in the alphabet {a, b, c}", ()),
    ("[a-d]", 1, "letter 'd' is not in the alphabet {a, b, c}", ()),
    ("d'ee'f", 0, "letter 'd' is not in the alphabet {a, b, c}", ()),
    ("a\n\nb(c", 4, "'(' is never closed", ()),
]


@pytest.mark.parametrize(("text", "position", "problem", "expected"), MISTAKES)
def test_a_mistake_is_named_with_its_place(text, position, problem, expected):
    with pytest.raises(ParseError) as caught:
        parse_regex(text, ABC)
    assert (caught.value.position, caught.value.problem, caught.value.expected) == (position, problem, expected)


@pytest.mark.parametrize(
    ("text", "alphabet", "hint"),
    [
        ("b0", ODD, "quoted: 'b0'"),
        ("a{,3}", ABC, "write {0,3}"),
        ("a{3,1}", ABC, "write {1,3}"),
        ("[a*]", ABC, "write it in quotes, '*', or after a backslash"),
        ("a|*", ABC, "write it in quotes, '*', or after a backslash"),
        ("^a", ABC, "no anchors"),
        ("a&", ABC, "the empty word is written ε or ()"),
        ("[]", ABC, "the empty language is written ∅"),
        ("(a", ABC, "add ')'"),
        ("a.", None, "declare the alphabet"),
    ],
)
def test_hints_say_how_to_mend_it(text, alphabet, hint):
    with pytest.raises(ParseError) as caught:
        parse_regex(text, alphabet)
    assert hint in caught.value.hint


@pytest.mark.parametrize(("text", "position"), [("a.", 1), ("b~a", 1), ("b[^a]", 2)])
def test_without_an_alphabet_its_use_is_refused_where_it_stands(text, position):
    with pytest.raises(ParseError, match="depends on the alphabet") as caught:
        parse_regex(text)
    assert caught.value.position == position


@pytest.mark.parametrize("text", ["", "∅", "()*"])
def test_no_alphabet_is_inferred_from_no_letters(text):
    with pytest.raises(ToolkitError, match="mentions no letter; declare the alphabet"):
        regex_to_dfa(text)


def test_the_inferred_alphabet_is_in_code_point_order():
    assert regex_to_dfa("b|a'b0'[x-z]").alphabet.letters == ("a", "b", "b0", "x", "y", "z")


@given(st.text(alphabet="ab|&~*+?.()[]{}^$'\\-ε∅ 12,", max_size=12))
@example("[a")
@example("(a]")
@example("[(]")
def test_any_text_is_read_or_refused_with_a_place_inside_it(text):
    try:
        regex_to_dfa(text, ABC, max_states=10_000)
        place = 0
    except ParseError as error:
        place = error.position
    except TooLarge as error:
        place = 0 if error.limit >= 10_000 and "{" in text else -1
    assert 0 <= place <= len(text)


def both_notations():
    """Texts that Python's `re` reads in the same way."""
    atoms = st.sampled_from(["a", "b", "c", ".", "[ab]", "[^a]", "[a-b]", "()"])
    signs = st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,}", "{0,2}"])

    def extend(inner):
        group = inner.map("({})".format)
        factors = st.lists(st.builds("{}{}".format, st.one_of(atoms, group), signs), max_size=3).map("".join)
        return st.lists(factors, min_size=1, max_size=3).map("|".join)

    return st.recursive(st.builds("{}{}".format, atoms, signs), extend, max_leaves=8)


@given(both_notations())
@example("ba*|a")
@example("(a|)b{0,2}|")
def test_plain_expressions_mean_what_python_says(text):
    words = all_words(ABC, 4)
    expected = [re.fullmatch(text, word) is not None for word in words]
    assert regex_to_dfa(text, ABC).accepts_batch(words).tolist() == expected
