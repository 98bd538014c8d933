"""Printing expressions: the text is read back as the same language, and no parentheses are to spare."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.errors import ParseError
from automata.regex import parse_regex, print_regex, regex_to_dfa
from automata.regex_print import print_letter
from automata.regex_tree import Concatenation, Letters, Union
from tests.regexes import regexes
from tests.strategies import ABC

ODD = Alphabet(("a", "b0", "*", "'", "\\", " ", "ε", "^", "-", "]", "\n", "{2}"))


@given(st.sampled_from([ABC, ODD]).flatmap(lambda x: st.tuples(st.just(x), regexes(x))))
@example((ODD, Letters(ODD.letters[1:])))
def test_printing_and_reading_gives_the_same_language(case):
    alphabet, regex = case
    text = print_regex(regex)
    again = parse_regex(text, alphabet)
    assert regex_to_dfa(again, alphabet) == regex_to_dfa(regex, alphabet)
    assert print_regex(again) == text


@given(regexes(ABC))
def test_without_any_one_pair_of_parentheses_the_text_means_something_else(regex):
    text = print_regex(regex)
    opened = []
    for i, sign in enumerate(text):
        if sign == "(":
            opened.append(i)
        elif sign == ")":
            start = opened.pop()
            bare = text[:start] + text[start + 1 : i] + text[i + 1 :]
            try:
                assert parse_regex(bare, ABC) != parse_regex(text, ABC)
            except ParseError:
                continue


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("((a)|((b)))", "a|b"),
        ("(a|b)c", "(a|b)c"),
        ("(a)(bc)*", "a(bc)*"),
        ("((a*)*)", "a**"),
        ("~(a)", "~a"),
        ("~(a*)", "~a*"),
        ("(~a)*", "(~a)*"),
        ("~(ab)", "~(ab)"),
        ("(ab)&(c|a)", "ab&(c|a)"),
        ("(a&b)|c", "a&b|c"),
        ("", "ε"),
        ("a|", "a|ε"),
        ("[ba]", "[ab]"),
        ("[^cb]", "[^bc]"),
        ("[a]", "a"),
        ("a{0,}b{1,}c{0,1}", "a*b+c?"),
        ("a{2,2}b{2,}c{2,3}", "a{2}b{2,}c{2,3}"),
    ],
)
def test_the_printed_form(text, printed):
    assert print_regex(parse_regex(text, ABC)) == printed


@pytest.mark.parametrize(
    ("letter", "printed"),
    [("a", "a"), ("é", "é"), ("b0", "'b0'"), ("*", "'*'"), ("'", "'\\''"), ("\\", "'\\\\'"), (" ", "' '")],
)
def test_letters_are_quoted_only_if_they_must_be(letter, printed):
    assert print_letter(letter) == printed


@given(st.text(min_size=1, max_size=3))
def test_every_letter_survives(letter):
    alphabet = Alphabet((letter, "other"))
    for regex in (Letters((letter,)), Letters((letter, "other")), Letters((letter,), others=True)):
        assert parse_regex(print_regex(regex), alphabet) == regex


def test_long_and_deep_expressions_are_printed():
    a = Letters(("a",))
    flat = Concatenation((a,) * 100_000)
    assert print_regex(flat) == "a" * 100_000
    deep = a
    for _ in range(5000):
        deep = Union((a, Concatenation((a, deep))))
    text = print_regex(deep)
    assert text == "a|a(" * 4999 + "a|aa" + ")" * 4999
    assert re.fullmatch(r"[a|()]+", text)
