"""From automata to expressions."""

import numpy as np
import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.elimination import dfa_to_regex
from automata.errors import TooLarge
from automata.minimize import minimize
from automata.regex import print_regex, regex_to_dfa
from automata.regex_simplify import Simplifier
from automata.regex_tree import EMPTY, Union
from tests.regexes import regexes, short_words_of
from tests.strategies import AB, ABC, all_words, dfas


@given(dfas())
def test_the_expression_has_the_language_of_the_automaton(dfa):
    text = print_regex(dfa_to_regex(dfa))
    assert regex_to_dfa(text, dfa.alphabet) == minimize(dfa)


@given(dfas(AB, max_states=3))
def test_the_expression_has_the_words_of_the_automaton_by_definition(dfa):
    expected = {tuple(word) for word in all_words(AB, 5) if dfa.accepts(word)}
    assert short_words_of(dfa_to_regex(dfa), AB, 5) == expected


@given(dfas())
def test_automata_of_one_language_give_one_expression(dfa):
    turned = DFA(dfa.alphabet, dfa.n_states - 1 - dfa.delta[::-1], dfa.n_states - 1 - dfa.start, dfa.accept[::-1])
    assert dfa_to_regex(turned) == dfa_to_regex(dfa)


@pytest.mark.parametrize(
    ("text", "alphabet", "shown"),
    [
        ("a*", Alphabet.of("a"), "a*"),
        ("∅", AB, "∅"),
        ("ε", AB, "ε"),
        (".*", AB, ".*"),
        ("∅", Alphabet(()), "∅"),
        ("ε", Alphabet(()), "ε"),
    ],
)
def test_h17_degenerate_languages(text, alphabet, shown):
    assert print_regex(dfa_to_regex(regex_to_dfa(text, alphabet))) == shown
    assert regex_to_dfa(shown, alphabet) == regex_to_dfa(text, alphabet)


def test_h18_accepting_start():
    dfa = DFA(AB, [[0, 1], [0, 1]], 0, [True, False])
    again = regex_to_dfa(print_regex(dfa_to_regex(dfa)), AB)
    words = all_words(AB, 8)
    assert again.accepts_batch(words).tolist() == [not word.endswith("b") for word in words]
    assert again.accepts_batch(["", "a", "ba", "bba", "b", "ab"]).tolist() == [True] * 4 + [False] * 2


@pytest.mark.parametrize(
    ("text", "most"),
    [
        (".*a", 6),
        (".*ab.*", 8),
        ("(a(ab)*b)*", 10),
        ("(aa)*", 5),
        ("a|b.*", 6),
        ("[^a]*a[ab]*", 11),
        ("(ab|ca)*(b|cc)*", 16),
    ],
)
def test_expressions_stay_about_as_short_as_people_write_them(text, most):
    alphabet = ABC if "c" in text or "^" in text else AB
    assert len(print_regex(dfa_to_regex(regex_to_dfa(text, alphabet)))) <= most


def test_the_size_is_limited():
    rng = np.random.default_rng(0)
    n = 200
    dfa = DFA(AB, rng.integers(0, n, (n, 2)), 0, rng.random(n) < 0.5)
    with pytest.raises(TooLarge, match="raise max_size"):
        dfa_to_regex(dfa, max_size=10_000)


def test_a_long_chain_is_no_trouble():
    assert print_regex(dfa_to_regex(regex_to_dfa("ab" * 5000))) == "ab" * 5000


@given(regexes(ABC, plain=True), regexes(ABC, plain=True))
def test_simplified_forms_mean_the_same(r, s):
    make = Simplifier(ABC)
    x, y = (dfa_to_regex(regex_to_dfa(regex, ABC)) for regex in (r, s))
    starred = make.star(x)
    for result, text in [
        (make.union(x, y), f"({x})|({y})"),
        (make.concatenation(x, y), f"({x})({y})"),
        (starred, f"({x})*"),
        (make.concatenation(x, starred), f"({x})+"),
        (make.concatenation(starred, x), f"({x})+"),
        (make.union(x, make.concatenation(x, make.concatenation(y, make.star(y)))), f"({x})({y})*"),
        (make.union(make.concatenation(make.concatenation(make.star(y), y), x), x), f"({y})*({x})"),
    ]:
        assert regex_to_dfa(result, ABC) == regex_to_dfa(text, ABC)


@pytest.mark.parametrize(
    ("made", "printed"),
    [
        (lambda m, a, b: m.concatenation(a, m.star(a)), "a+"),
        (lambda m, a, b: m.concatenation(m.star(m.concatenation(a, b)), m.concatenation(a, b)), "(ab)+"),
        (lambda m, a, b: m.concatenation(m.star(a), m.star(a)), "a*"),
        (lambda m, a, b: m.union(b, m.concatenation(m.concatenation(a, m.star(a)), b)), "a*b"),
        (lambda m, a, b: m.union(a, b), "[ab]"),
        (lambda m, a, b: m.star(m.star(a)), "a*"),
        (lambda m, a, b: m.star(m.union(m.star(a), b)), "[ab]*"),
        (lambda m, a, b: m.concatenation(a, EMPTY), "∅"),
        (lambda m, a, b: m.star(EMPTY), "ε"),
    ],
)
def test_simplification(made, printed):
    make = Simplifier(ABC)
    assert print_regex(made(make, make.letters({"a"}), make.letters({"b"}))) == printed


def test_classes_are_written_the_shorter_way():
    make = Simplifier(Alphabet.of("abcd"))
    shown = [str(make.letters(set(letters))) for letters in ("a", "ab", "abc", "abcd")]
    assert shown == ["a", "[ab]", "[^d]", "."]
    assert make.union(make.letters(set("ab")), make.letters(set("cd"))) == make.letters(set("abcd"))
    assert make.union(EMPTY, EMPTY) == Union(())
