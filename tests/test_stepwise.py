"""Compilation step by step: the same automata as all at once, where that is possible, and in far fewer states."""

from __future__ import annotations

import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.errors import TooLarge, UnknownLetter
from automata.regex import regex_to_dfa
from ltl.compile import dfa_at_once
from ltl.formula import FALSE, TRUE, Letter, Mod, Past, Yesterday, conjunction, yesterday_power
from ltl.semantics import holds_batch
from ltl.stepwise import stepwise_dfa
from ltl.syntax import parse_formula
from tests.strategies import AB, ABC, all_words, formulas


@given(formulas(AB, past=True, window=1, widest=4, since=True, modulus=4, max_leaves=12))
def test_both_ways_give_the_same_automaton(formula):
    dfa = stepwise_dfa(formula, AB, 100_000)
    assert dfa == dfa_at_once(formula, AB, 1_000_000)
    words = all_words(AB, 6)
    assert dfa.accepts_batch(words).tolist() == holds_batch(formula, words, AB).tolist()


@pytest.mark.parametrize(
    ("text", "states"),
    [("Y^10 a", 1024), ("Y<=200 a", 201), ("MOD(3,700)", 700), ("P a & Y b", 3), ("Y (a & MOD(1,2) & MOD(0,3))", 7)],
)
def test_known_sizes(text, states):
    """The last k letters; how long ago; the length; no a yet, a b just now, neither; a just now at 3 modulo 6."""
    assert stepwise_dfa(parse_formula(text, AB), AB, 2000).n_states == states


def test_many_subformulas_that_say_the_same_take_few_states():
    """Each of 40 formulas is P a in disguise; together they have 40 bits of memory, and the language two states."""
    parts = [Past(Letter("a") & (Past(Letter("b")) | ~yesterday_power(Letter("b"), i) | TRUE)) for i in range(1, 15)]
    dfa = stepwise_dfa(conjunction(parts), AB, 40_000)
    assert dfa == regex_to_dfa(".*a.*", AB)


def test_constants_the_empty_alphabet_and_unknown_letters():
    empty = Alphabet.of("")
    assert stepwise_dfa(TRUE, AB, 10).accept.tolist() == [True]
    assert stepwise_dfa(Past(FALSE), AB, 10).accept.tolist() == [False]
    assert stepwise_dfa(~Yesterday(TRUE) & Mod(1, 5), empty, 10).accept.tolist() == [True]
    with pytest.raises(UnknownLetter):
        stepwise_dfa(Past(Letter("z")), ABC, 10)


@pytest.mark.parametrize("text", ["Y^12 a", "MOD(0,5000)", "Y<=5000 a"])
def test_a_limit_on_states(text):
    with pytest.raises(TooLarge, match="1,000"):
        stepwise_dfa(parse_formula(text, AB), AB, 1000)
