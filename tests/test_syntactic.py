"""Syntactic semigroups against a plain breadth-first closure of the minimal automaton's transformations."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge, UnknownLetter
from automata.minimize import minimize
from semigroups.syntactic import syntactic_semigroup
from tests.strategies import AB, all_words, dfas

ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
STARTS_WITH_A = DFA(AB, [[1, 2], [1, 1], [2, 2]], 0, [False, True, False])
TWO_AS = DFA(Alphabet.of("a"), [[1], [2], [3], [3]], 0, [False, False, True, False])


def least_words(dfa: DFA) -> dict[tuple[int, ...], str]:
    """The transformations of non-empty words with their least words, in length-lexicographic order."""
    minimal = minimize(dfa)
    letters = [(a, tuple(column)) for a, column in zip(minimal.alphabet, minimal.delta.T.tolist(), strict=True)]
    found: dict[tuple[int, ...], str] = {}
    for a, g in letters:
        found.setdefault(g, a)
    queue = list(found)
    for f in queue:
        for a, g in letters:
            h = tuple(g[q] for q in f)
            if h not in found:
                found[h] = found[f] + a
                queue.append(h)
    return found


@given(dfas(max_states=5))
def test_elements_are_the_transformations_with_their_least_words(dfa):
    expected = least_words(dfa)
    syntactic = syntactic_semigroup(dfa, max_elements=5000)
    assert [syntactic.word(s) for s in range(len(syntactic))] == list(expected.values())
    assert [syntactic.image(word) for word in expected.values()] == list(range(len(expected)))
    assert syntactic.accepting.tolist() == [dfa.accepts(word) for word in expected.values()]
    identity = tuple(range(minimize(dfa).n_states))
    assert syntactic.identity == (list(expected).index(identity) if identity in expected else None)
    assert syntactic.image("") == syntactic.identity
    assert syntactic.monoid_size == len({identity, *expected})


@given(dfas(max_states=4))
def test_acceptance_is_read_off_the_image(dfa):
    syntactic = syntactic_semigroup(dfa)
    words = all_words(dfa.alphabet, 6)
    assert syntactic.accepts_batch(words).tolist() == dfa.accepts_batch(words).tolist()
    for word in words[:40]:
        image = syntactic.image(word)
        if image is not None:
            assert bool(syntactic.accepting[image]) == syntactic.accepts(word) == dfa.accepts(word)


def test_letters_that_act_alike_share_an_element():
    syntactic = syntactic_semigroup(DFA(Alphabet.of("abc"), [[1, 1, 0], [1, 1, 1]], 0, [False, True]))
    assert syntactic.semigroup.generators.tolist() == [0, 0, 1]
    assert [syntactic.word(s) for s in range(2)] == ["a", "c"]
    assert (syntactic.identity, syntactic.monoid_size) == (1, 2)


def test_h24_identity_is_not_counted_in_the_semigroup():
    for dfa in (ENDS_WITH_A, STARTS_WITH_A):
        syntactic = syntactic_semigroup(dfa)
        assert (len(syntactic), syntactic.monoid_size, syntactic.identity) == (2, 3, None)


def test_h25_two_as_is_nilpotent_and_not_null():
    syntactic = syntactic_semigroup(TWO_AS)
    semigroup = syntactic.semigroup
    assert [syntactic.word(s) for s in range(len(syntactic))] == ["a", "aa", "aaa"]
    assert np.flatnonzero(semigroup.is_idempotent).tolist() == [2]
    assert semigroup.product(0, 0) == 1  # x·x is not the zero


@pytest.mark.parametrize("accept", [False, True])
def test_h26_trivial_languages(accept):
    syntactic = syntactic_semigroup(DFA(AB, [[0, 0]], 0, [accept]))
    assert (len(syntactic), syntactic.monoid_size, syntactic.identity) == (1, 1, 0)
    assert syntactic.accepts_batch(["", "a", "ba"]).tolist() == [accept] * 3


@pytest.mark.parametrize("accept", [False, True])
def test_h26_empty_alphabet(accept):
    syntactic = syntactic_semigroup(DFA(Alphabet(()), [[]], 0, [accept]))
    assert (len(syntactic), syntactic.monoid_size, syntactic.image("")) == (0, 1, None)
    assert syntactic.accepts("") == accept
    assert syntactic.accepts_batch(["", ""]).tolist() == [accept] * 2


def test_a_state_that_no_word_enters_keeps_the_identity_out():
    """Over {a} the language of the non-empty words: a·a = a is neutral in S, yet not the image of the empty word."""
    syntactic = syntactic_semigroup(DFA(Alphabet.of("a"), [[1], [1]], 0, [False, True]))
    assert (len(syntactic), syntactic.monoid_size, syntactic.identity) == (1, 2, None)


def full_transformations(degree: int) -> DFA:
    """An automaton whose words act as all transformations of its states: a cycle, a swap and a merge."""
    states = np.arange(degree)
    cycle, swap, merge = np.roll(states, -1), states.copy(), states.copy()
    swap[:2], merge[:2] = [1, 0], [0, 0]
    return DFA(Alphabet.of("abc"), np.stack([cycle, swap, merge], axis=1), 0, states == 0)


def test_all_transformations_of_five_states():
    assert len(syntactic_semigroup(full_transformations(5))) == 5**5


def test_the_limit_stops_the_enumeration_in_time():
    """All transformations of 30 states are 30^30: more than any memory holds."""
    with pytest.raises(TooLarge, match="raise max_elements") as caught:
        syntactic_semigroup(full_transformations(30), max_elements=1000)
    assert 1000 < caught.value.reached <= 1003  # at most one row of three letters beyond
    assert caught.value.limit == 1000
    with pytest.raises(TooLarge, match="raise max_cells"):
        syntactic_semigroup(full_transformations(30), max_cells=3000)
    with pytest.raises(TooLarge, match="raise max_cells"):
        syntactic_semigroup(full_transformations(30), max_cells=80)
    assert len(syntactic_semigroup(full_transformations(4), max_elements=4**4)) == 4**4


def test_unknown_letters_are_named():
    with pytest.raises(UnknownLetter, match="'c'"):
        syntactic_semigroup(ENDS_WITH_A).image("abc")


def test_the_enumeration_prints_nothing(capfd):
    syntactic_semigroup(full_transformations(5))
    assert capfd.readouterr() == ("", "")


def test_importing_semigroups_leaves_heavy_libraries_alone():
    code = (
        "import sys, semigroups, semigroups.classify, semigroups.variety; "
        "print([m for m in ('libsemigroups_pybind11', 'networkx', 'sympy', 'torch', 'scipy') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
