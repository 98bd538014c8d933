"""From regular expressions to automata: the definitions of the operators, named cases, depth and limits."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.errors import TooLarge, UnknownLetter
from automata.graph import live_states
from automata.minimize import minimize
from automata.operations import complement, concatenation, intersection, star, union
from automata.regex import regex_to_dfa
from automata.regex_tree import Complement, Concatenation, Intersection, Letters, Repetition, Union
from tests.regexes import regexes, short_words_of
from tests.strategies import AB, ABC, all_words

LONG_LETTERS = Alphabet(("a", "b0", "b1"))


def accepted(text, alphabet, max_length):
    words = all_words(alphabet, max_length)
    inside = regex_to_dfa(text, alphabet).accepts_batch(words)
    return {word for word, yes in zip(words, inside.tolist(), strict=True) if yes}


def sizes(dfa):
    """Total and live states of a minimal automaton."""
    return dfa.n_states, int(live_states(dfa).sum())


@given(st.sampled_from([AB, ABC, LONG_LETTERS]).flatmap(lambda x: st.tuples(st.just(x), regexes(x))))
def test_the_automaton_accepts_the_words_that_the_operators_are_defined_to_give(case):
    alphabet, regex = case
    expected = short_words_of(regex, alphabet, 4)
    dfa = regex_to_dfa(regex, alphabet)
    every = {tuple(word) for word in short_words_of(Complement(Union(())), alphabet, 4)}
    assert {word for word in every if dfa.accepts(word)} == expected
    assert dfa == minimize(dfa)


@given(regexes(AB), regexes(AB))
def test_expressions_and_operations_on_automata_agree(r, s):
    x, y = regex_to_dfa(r, AB), regex_to_dfa(s, AB)
    assert regex_to_dfa(Union((r, s)), AB) == union(x, y)
    assert regex_to_dfa(Intersection((r, s)), AB) == intersection(x, y)
    assert regex_to_dfa(Concatenation((r, s)), AB) == concatenation(x, y)
    assert regex_to_dfa(Complement(r), AB) == complement(x)
    assert regex_to_dfa(Repetition(r, 0, None), AB) == star(x)
    assert regex_to_dfa(Repetition(r, 2, None), AB) == concatenation(x, concatenation(x, star(x)))


@given(regexes(AB, max_leaves=5))
def test_large_parts_give_the_same_language_as_small_ones(r):
    """Written out forty times a part is large enough to be minimised apart."""
    many = Union((Repetition(Concatenation((r, Letters(("a",)))), 0, 40), Letters(("b",))))
    count = regex_to_dfa(Concatenation((r, Letters(("a",)))), AB)
    expected = DFA(AB, [[1, 1], [1, 1]], 0, [True, False])
    for _ in range(40):
        expected = union(concatenation(expected, count), regex_to_dfa("ε", AB))
    expected = union(expected, regex_to_dfa("b", AB))
    assert regex_to_dfa(Concatenation((many, Letters(("b",)))), AB) == concatenation(expected, regex_to_dfa("b", AB))


def test_h10_star_binds_tighter_than_union():
    assert accepted("ba*|a", AB, 3) == {"a", "b", "ba", "baa"}
    assert sizes(regex_to_dfa("ba*|a", AB)) == (4, 3)


def test_h11_nested_star():
    assert accepted("(ab*)*", AB, 4) == {word for word in all_words(AB, 4) if not word.startswith("b")}
    assert sizes(regex_to_dfa("(ab*)*", AB)) == (3, 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", {""}),
        ("()", {""}),
        ("ε", {""}),
        ("∅", set()),
        ("a|", {"a", ""}),
        ("|a", {"a", ""}),
        ("(a|)b", {"ab", "b"}),
        ("a{0}", {""}),
        ("(a?)*", {"", "a", "aa", "aaa"}),
        ("∅*", {""}),
        ("a∅", set()),
    ],
)
def test_h12_empty_word_and_empty_language(text, words):
    assert accepted(text, AB, 3) == words


def test_h13_character_classes():
    letters = Alphabet.of("qrst")
    assert distinguish(regex_to_dfa("[qrst]*", letters), regex_to_dfa("[qr]*", letters)) == "s"
    assert accepted("[^a]", ABC, 2) == {"b", "c"}
    assert accepted(".", ABC, 2) == {"a", "b", "c"}


def test_h14_union_of_loops():
    dfa = regex_to_dfa("(cd(abcde)*)|(a(aaa)*)", Alphabet.of("abcde"))
    assert [n for n in range(8) if dfa.accepts("a" * n)] == [1, 4, 7]
    assert sizes(dfa) == (11, 10)


def test_h16_optional_ends_of_a_loop():
    dfa = regex_to_dfa("z+[zwx]w?", Alphabet.of("zwx"))
    assert dfa.accepts("zzz")
    assert sizes(dfa) == (6, 5)


def test_the_empty_alphabet_has_one_word():
    nothing = Alphabet(())
    for text, inside in [("", True), ("∅", False), (".", False), (".*", True), ("~∅", True), ("~ε", False)]:
        assert regex_to_dfa(text, nothing).accepts("") == inside


def test_letters_outside_the_alphabet_are_refused_in_expressions_that_are_values():
    with pytest.raises(UnknownLetter, match="unknown letter 'c'"):
        regex_to_dfa(Letters(("c",)), AB)


def test_the_order_of_the_alphabet_decides_the_numbers_of_states():
    assert regex_to_dfa("ab", AB) == DFA(AB, [[1, 2], [2, 3], [2, 2], [2, 2]], 0, [False, False, False, True])


def test_many_letters_cost_no_more_than_those_told_apart():
    alphabet = Alphabet(tuple(f"x{i}" for i in range(3000)))
    dfa = regex_to_dfa(".{300}'x7'.*", alphabet)
    assert dfa.n_states == 303
    assert dfa.delta.shape == (303, 3000)
    assert dfa.accepts(["x1"] * 300 + ["x7"])


DEEP = 5000


@pytest.mark.parametrize(
    ("text", "equal"),
    [
        ("(" * DEEP + "a" + ")" * DEEP, "a"),
        ("~" * DEEP + "a", "a"),
        ("a" + "*" * DEEP, "a*"),
        ("a" + "?" * DEEP, "a?"),
        ("(a" * DEEP + ")*" * DEEP, "a*"),
        ("a|(" * DEEP + "a" + ")" * DEEP, "a"),
        ("a&(" * DEEP + "a" + ")" * DEEP, "a"),
        ("a(" * DEEP + "a" + ")" * DEEP, f"a{{{DEEP + 1}}}"),
        ("(" * DEEP + "a" + "){1}" * DEEP, "a"),
        ("(" * DEEP + "a" + "){0,1}" * DEEP, "a?"),
        # The complement of a* is the words with a b; all but a+ are sequences of these; and (a+)* is a* again.
        ("~(" * DEEP + "a" + ")*" * DEEP, "a+"),
        ("|".join("a" * DEEP), "a"),
        ("&".join("a" * DEEP), "a"),
    ],
)
def test_five_thousand_nested_operators(text, equal):
    started = time.process_time()
    dfa = regex_to_dfa(text, AB)
    assert time.process_time() - started < 30
    assert dfa == regex_to_dfa(equal, AB)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a{1000000000}", "repetitions written out"),
        ("(" * DEEP + "a" + "){2}" * DEEP, "repetitions written out"),
        (".*a.{40}", "subset construction, in states"),
        ("~(a" * 500 + ")" * 500, "automata of an expression and its parts"),
        (".{60}&.{61}&.{62}&.{63}", "automata of an expression and its parts"),
    ],
)
def test_what_grows_too_large_is_refused_at_the_limit(text, what):
    limits = {"~(a" * 500 + ")" * 500: 5000, ".{60}&.{61}&.{62}&.{63}": 200}
    with pytest.raises(TooLarge, match=what) as caught:
        regex_to_dfa(text, AB, max_states=limits.get(text, 100_000))
    assert caught.value.reached > caught.value.limit


def test_a_higher_limit_lets_it_pass():
    assert regex_to_dfa(".*a.{10}", AB, max_states=10_000).n_states == 2**11


def test_finite_languages_of_thousands_of_words():
    rng = np.random.default_rng(0)
    words = ["".join(letters) for letters in rng.choice(list("abc"), (2000, 9)).tolist()]
    dfa = regex_to_dfa("|".join(words), ABC)
    others = ["".join(letters) for letters in rng.choice(list("abc"), (2000, 9)).tolist()]
    assert dfa.accepts_batch(words).all()
    assert dfa.accepts_batch(others).tolist() == [word in set(words) for word in others]
