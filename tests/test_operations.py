"""Operations on automata, against their definitions on all short words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.equivalence import is_finite
from automata.errors import AlphabetMismatch, TooLarge, ToolkitError, UnknownLetter
from automata.graph import live_states
from automata.minimize import minimize
from automata.operations import (
    complement,
    complete,
    concatenation,
    difference,
    intersection,
    left_quotient,
    reversal,
    right_quotient,
    star,
    symmetric_difference,
    union,
)
from tests.strategies import AB, all_words, dfas, words

LONG = all_words(AB, 8)
SHORT = all_words(AB, 4)
pairs = given(dfas(AB, max_states=4), dfas(AB, max_states=4))
EPSILON = DFA(AB, [[1, 1], [1, 1]], 0, [True, False])
NOTHING = DFA(AB, [[0, 0]], 0, [False])


def language(dfa, among):
    return {word for word, inside in zip(among, dfa.accepts_batch(among).tolist(), strict=True) if inside}


@pairs
def test_boolean_operations_are_those_on_sets_of_words_and_minimal(left, right):
    x, y = language(left, LONG), language(right, LONG)
    for result, expected in [
        (union(left, right), x | y),
        (intersection(left, right), x & y),
        (difference(left, right), x - y),
        (symmetric_difference(left, right), x ^ y),
        (complement(left), set(LONG) - x),
    ]:
        assert language(result, LONG) == expected
        assert result == minimize(result)


@pairs
def test_boolean_laws(left, right):
    assert complement(union(left, right)) == intersection(complement(left), complement(right))
    assert complement(complement(left)) == minimize(left)
    assert symmetric_difference(left, right) == difference(union(left, right), intersection(left, right))
    assert union(left, complement(left)) == complement(NOTHING)


@pairs
def test_rational_operations_are_those_on_sets_of_words(left, right):
    x, y = language(left, SHORT), language(right, SHORT)
    assert language(concatenation(left, right), SHORT) == {u + v for u in x for v in y} & set(SHORT)
    powers = {""}
    for _ in SHORT[-1]:
        powers |= {u + v for u in powers for v in x} & set(SHORT)
    assert language(star(left), SHORT) == powers
    assert language(reversal(left), SHORT) == {word[::-1] for word in x}


@given(*[dfas(AB, max_states=3)] * 3)
def test_rational_laws(x, y, z):
    assert concatenation(concatenation(x, y), z) == concatenation(x, concatenation(y, z))
    assert concatenation(x, union(y, z)) == union(concatenation(x, y), concatenation(x, z))
    assert concatenation(x, EPSILON) == minimize(x)
    assert concatenation(NOTHING, x) == NOTHING
    assert star(star(x)) == star(x)
    assert star(union(x, y)) == star(concatenation(star(x), star(y)))
    assert reversal(reversal(x)) == minimize(x)
    assert reversal(concatenation(x, y)) == concatenation(reversal(y), reversal(x))


@given(dfas(AB, max_states=3), dfas(AB, max_states=3))
def test_quotients_are_those_on_sets_of_words(dfa, by):
    # Two automata have at most 9 pairs of states, so of the words u that will do one is shorter than 9.
    heads = language(by, LONG)
    left, right = left_quotient(dfa, by), right_quotient(dfa, by)
    for w in SHORT:
        assert left.accepts(w) == any(dfa.accepts_batch([u + w for u in heads]))
        assert right.accepts(w) == any(dfa.accepts_batch([w + u for u in heads]))
    assert left == reversal(right_quotient(reversal(dfa), reversal(by)))


@given(*[dfas(AB, max_states=3)] * 3)
def test_quotients_are_the_residuals_of_concatenation(x, y, z):
    """Concatenation and quotients of complements are a Galois connection."""
    outside = complement(left_quotient(complement(z), x))  # the greatest Y with xY inside z
    assert (difference(concatenation(x, y), z) == NOTHING) == (difference(y, outside) == NOTHING)
    outside = complement(right_quotient(complement(z), y))  # the greatest X with Xy inside z
    assert (difference(concatenation(x, y), z) == NOTHING) == (difference(x, outside) == NOTHING)


@given(dfas(AB), words(AB, max_size=6))
def test_quotients_by_a_word_are_quotients_by_the_language_of_that_word(dfa, word):
    alone = complete(AB, [(i, letter, i + 1) for i, letter in enumerate(word)], 0, [len(word)])
    assert left_quotient(dfa, word) == left_quotient(dfa, alone)
    assert right_quotient(dfa, word) == right_quotient(dfa, alone)
    for end in SHORT:
        assert left_quotient(dfa, word).accepts(end) == dfa.accepts(word + end)
        assert right_quotient(dfa, word).accepts(end) == dfa.accepts(end + word)


@given(dfas(AB))
def test_quotients_by_nothing_and_by_the_empty_word(dfa):
    for quotient in (left_quotient, right_quotient):
        assert quotient(dfa, NOTHING) == NOTHING
        assert quotient(dfa, EPSILON) == quotient(dfa, "") == minimize(dfa)


@given(st.integers(1, 5), st.data())
def test_completion_accepts_the_words_with_a_run(n_states, data):
    state = st.integers(0, n_states - 1)
    delta = data.draw(st.dictionaries(st.tuples(state, st.sampled_from("ab")), state))
    accepting = data.draw(st.sets(state))
    dfa = complete(AB, [(p, letter, q) for (p, letter), q in delta.items()], 0, accepting)
    for word in SHORT:
        at = 0
        for letter in word:
            at = delta.get((at, letter))
        assert dfa.accepts(word) == (at in accepting)


def test_completion_keeps_names_and_adds_a_sink_only_if_needed():
    total = complete(AB, [("p", "a", "q"), ("p", "b", "p"), ("q", "a", "q"), ("q", "b", "q")], "p", ["q"])
    assert total.names == ("p", "q")
    partial = complete(AB, [("sink", "a", "sink'")], "sink", ["r"])
    assert partial.names == ("sink", "sink'", "r", "sink''")
    assert complete(Alphabet(()), [], 7, [7]).n_states == 1


def test_completion_refuses_what_is_not_deterministic_or_not_in_the_alphabet():
    with pytest.raises(ToolkitError, match="state 'p' has two transitions by letter 'a'"):
        complete(AB, [("p", "a", "q"), ("p", "a", "p")], "p", [])
    with pytest.raises(UnknownLetter, match="unknown letter 'c'"):
        complete(AB, [("p", "c", "q")], "p", [])
    assert complete(AB, [("p", "a", "q")] * 2, "p", []).n_states == 3


def test_h16_minimising_a_partial_chain_keeps_three_words():
    chain = minimize(complete(Alphabet.of("a"), [(i, "a", i + 1) for i in range(3)], 0, [1, 2, 3]))
    assert (chain.n_states, int(live_states(chain).sum()), is_finite(chain)) == (5, 4, True)
    assert language(chain, ["a" * n for n in range(8)]) == {"a", "aa", "aaa"}


def test_h19_star_of_a_partial_automaton():
    starred = star(complete(Alphabet.of("a"), [("p", "a", "q")], "p", ["q"]))
    assert starred.n_states == 1
    assert starred.accepts_batch(["", "a", "aaa"]).all()


@pytest.mark.parametrize(
    "operation", [union, intersection, difference, symmetric_difference, concatenation, left_quotient, right_quotient]
)
def test_two_alphabets_are_refused_even_if_only_the_order_differs(operation):
    with pytest.raises(AlphabetMismatch):
        operation(NOTHING, DFA(Alphabet.of("ba"), [[0, 0]], 0, [False]))


def cycle(n):
    """The words whose length is a multiple of n."""
    return DFA(AB, np.repeat((np.arange(n) + 1) % n, 2), 0, np.arange(n) == 0)


def test_products_explore_reachable_pairs_only_and_stop_at_the_limit():
    assert intersection(cycle(2000), cycle(2000), max_states=2000).n_states == 2000
    assert intersection(cycle(8), cycle(9)) == cycle(72)
    with pytest.raises(TooLarge, match="in pairs of states"):
        union(cycle(8), cycle(9), max_states=71)


def test_determinising_operations_stop_at_the_limit():
    tenth_from_the_front = complete(
        AB, [(i, x, min(i + 1, 11)) for i in range(12) for x in "ab" if i != 10 or x == "a"], 0, [11]
    )
    assert reversal(tenth_from_the_front).n_states == 2**11
    with pytest.raises(TooLarge, match="subset construction"):
        reversal(tenth_from_the_front, max_states=1000)
