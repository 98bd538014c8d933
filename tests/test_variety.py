"""Varieties: decisions on Cayley graphs against the equations evaluated for all elements, and their evidence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.minimize import minimize
from automata.operations import complement, reversal
from automata.regex import regex_to_dfa
from semigroups import variety
from semigroups.equation import Equation, evaluate
from semigroups.syntactic import SyntacticSemigroup, syntactic_semigroup
from semigroups.variety import VARIETIES
from tests.strategies import AB, ABC, all_words, dfas, small_minimal_dfas

CLASSES = list(VARIETIES)


def monoid_table(syntactic: SyntacticSemigroup) -> np.ndarray:
    """Multiplication of the syntactic monoid from the actions of words on states, the identity last if adjoined."""
    dfa = syntactic.dfa
    actions = []
    for element in range(len(syntactic)):
        states = np.arange(dfa.n_states)
        for letter in syntactic.word(element):
            states = dfa.delta[states, dfa.alphabet.index[letter]]
        actions.append(tuple(states.tolist()))
    if syntactic.identity is None:
        actions.append(tuple(range(dfa.n_states)))
    number = {action: i for i, action in enumerate(actions)}
    return np.array([[number[tuple(g[q] for q in f)] for g in actions] for f in actions])


def omega_powers(table: np.ndarray) -> np.ndarray:
    powers = np.arange(len(table))
    for element in range(len(table)):
        while table[powers[element], powers[element]] != powers[element]:
            powers[element] = table[powers[element], element]
    return powers


def holds(equation: Equation, table: np.ndarray, size: int) -> bool:
    """True iff the equation holds for all elements 0..size-1, by evaluating it for all of them at once."""
    omega = omega_powers(table)
    values = dict(zip(equation.variables, np.ix_(*[np.arange(size)] * len(equation.variables)), strict=True))
    left, right = (
        evaluate(side, values, lambda x, y: table[x, y], lambda x: omega[x]) for side in (equation.left, equation.right)
    )
    return bool(np.all(left == right))


def assert_decided_as_by_evaluation(dfa: DFA) -> None:
    syntactic = syntactic_semigroup(dfa)
    table = monoid_table(syntactic)
    for row in VARIETIES.values():
        size = len(syntactic) if row.read_on == "S" else len(table)
        truth = [holds(equation, table, size) for equation in row.equations]
        found = row.violation(syntactic)
        assert (found is None) == all(truth), (row.name, dfa)
        if found is not None:
            assert not truth[row.equations.index(found.equation)]
            assert found.check(dfa) is None
            words = [found.before + side + found.after for side in (found.left, found.right)]
            assert dfa.accepts(words[0]) != dfa.accepts(words[1])


def test_decisions_are_those_of_the_equations_on_small_automata():
    for dfa in small_minimal_dfas(AB, 3)[::3]:
        assert_decided_as_by_evaluation(dfa)


@given(dfas(AB, max_states=4).filter(lambda dfa: len(syntactic_semigroup(dfa)) <= 60))
def test_decisions_are_those_of_the_equations_on_random_automata(dfa):
    assert_decided_as_by_evaluation(dfa)


def members(dfa: DFA) -> list[str]:
    syntactic = syntactic_semigroup(dfa)
    return [name for name, row in VARIETIES.items() if row.violation(syntactic) is None]


@given(dfas(max_states=4))
def test_varieties_are_closed_under_complement_and_duals_change_sides_under_reversal(dfa):
    dual = {"R-trivial": "L-trivial", "L-trivial": "R-trivial"}
    dual |= {"definite": "reverse definite", "reverse definite": "definite"}
    classes = members(dfa)
    assert members(complement(dfa)) == classes
    swapped = {dual.get(name, name) for name in classes if name != "locally R-trivial"}
    assert {name for name in members(reversal(dfa)) if name != "locally R-trivial"} == swapped


@given(dfas(max_states=4))
def test_inclusions_between_the_varieties(dfa):
    classes = set(members(dfa))
    for small, large in [
        ("R-trivial", "star-free"),
        ("L-trivial", "star-free"),
        ("locally R-trivial", "star-free"),
        ("R-trivial", "locally R-trivial"),
        ("locally testable", "locally R-trivial"),
        ("definite", "locally testable"),
        ("reverse definite", "locally testable"),
        ("definite", "L-trivial"),
        ("reverse definite", "R-trivial"),
    ]:
        assert small not in classes or large in classes
    assert ("piecewise testable" in classes) == ({"R-trivial", "L-trivial"} <= classes)
    assert ("finite or cofinite" in classes) == ({"definite", "reverse definite"} <= classes)


def test_predicates_and_rows_agree():
    predicates = {
        "star-free": variety.is_aperiodic,
        "R-trivial": variety.is_r_trivial,
        "L-trivial": variety.is_l_trivial,
        "piecewise testable": variety.is_j_trivial,
        "definite": variety.is_definite,
        "reverse definite": variety.is_reverse_definite,
        "finite or cofinite": variety.is_nilpotent,
        "locally testable": variety.is_locally_testable,
        "locally R-trivial": variety.is_locally_r_trivial,
    }
    assert list(predicates) == sorted(predicates, key=CLASSES.index)
    assert set(predicates) == set(CLASSES)
    for dfa in small_minimal_dfas(AB, 2):
        semigroup = syntactic_semigroup(dfa).semigroup
        assert [predicates[name](semigroup) for name in CLASSES] == [name in members(dfa) for name in CLASSES]


def test_locally_testable_is_what_prefix_suffix_and_factors_of_one_length_tell():
    """By definition: for some k, membership of words of length k or more depends on their prefix and suffix of length
    k - 1 and their set of factors of length k. With up to three states over two letters, k = 3 and the words up to
    length 10 are enough to see it."""
    words = [word for word in all_words(AB, 10) if len(word) >= 3]
    kinds: dict[object, int] = {}
    kind = [
        kinds.setdefault((word[:2], word[-2:], frozenset(word[i : i + 3] for i in range(len(word) - 2))), len(kinds))
        for word in words
    ]
    batch = AB.encode_batch(words)
    for dfa in small_minimal_dfas(AB, 3):
        accepted = dfa.accepts_batch(batch)
        share = np.bincount(kind, weights=accepted) / np.bincount(kind)
        told = bool(np.all((share == 0) | (share == 1)))
        assert variety.is_locally_testable(syntactic_semigroup(dfa).semigroup) == told


@pytest.mark.parametrize("pattern", ["c*a.*", ".*ac*"])
def test_local_monoids_of_idempotents_that_do_not_commute(pattern):
    """The letter c is neutral, so S = {c, a, b} is its own local monoid: c with two left zeros, or right zeros."""
    dfa = regex_to_dfa(pattern, ABC)
    assert_decided_as_by_evaluation(dfa)
    found = VARIETIES["locally testable"].violation(syntactic_semigroup(dfa))
    assert dict(found.assignment) == {"x": "c", "y": "a", "z": "b"}


def test_h11_nested_star():
    classes = set(members(regex_to_dfa("(ab*)*", AB)))
    assert "reverse definite" in classes
    assert "definite" not in classes


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        (".*a", {"definite", "L-trivial", "locally testable"}, {"R-trivial", "reverse definite"}),
        ("a.*", {"reverse definite", "R-trivial", "locally testable"}, {"L-trivial", "definite"}),
    ],
)
def test_h24_one_letter_at_an_end(pattern, inside, outside):
    classes = set(members(regex_to_dfa(pattern, AB)))
    assert inside <= classes
    assert not outside & classes


def test_h25_two_as():
    assert {"finite or cofinite", "definite", "reverse definite"} <= set(members(regex_to_dfa("aa", Alphabet.of("a"))))


@pytest.mark.parametrize("alphabet", ["", "ab"])
@pytest.mark.parametrize("accept", [False, True])
def test_h26_trivial_languages_are_in_every_class(alphabet, accept):
    assert members(DFA(Alphabet.of(alphabet), [[0] * len(alphabet)], 0, [accept])) == CLASSES


def test_evidence_in_shortest_words():
    """Ends with a: ab and ba generate one right ideal; y = a moves the state that (ba)^w leaves."""
    syntactic = syntactic_semigroup(regex_to_dfa(".*a", AB))
    found = VARIETIES["R-trivial"].violation(syntactic)
    assert dict(found.assignment) == {"x": "b", "y": "a"}
    assert (found.exponent, found.left, found.right) == (1, "bab", "ba")
    assert VARIETIES["reverse definite"].violation(syntactic).check(syntactic.dfa) is None


def test_evidence_against_a_long_cycle():
    """A cycle of 1,000 states: one group, no omega power but the identity."""
    n = 1000
    states = np.arange(n)
    cycle = minimize(DFA(Alphabet.of("a"), ((states + 1) % n)[:, None], 0, states == 0))
    found = VARIETIES["star-free"].violation(syntactic_semigroup(cycle))
    assert (dict(found.assignment), found.exponent) == ({"x": "a"}, n)
    assert found.check(cycle) is None
