"""Equations with two idempotents: counting factors, dot-depth one, and the limits of the search."""

from __future__ import annotations

import numpy as np
import pytest

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from semigroups.equation import Equation
from semigroups.syntactic import syntactic_semigroup
from semigroups.variety import VARIETIES
from tests.equation_tables import holds, is_dot_depth_one, table_of
from tests.strategies import AB, ABC

THRESHOLD, DOT_DEPTH = VARIETIES["locally threshold testable"], VARIETIES["dot-depth one"]


def random_automata(seed: int, count: int) -> list[DFA]:
    """Automata of 4 to 6 states, most edges of which go to a sink, so that semigroups have several top idempotents."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        n = int(rng.integers(4, 7))
        delta = np.where(rng.random((n, 2)) < 0.3, n - 1, rng.integers(0, n, (n, 2)))
        delta[n - 1] = n - 1
        dfa = minimize(DFA(AB, delta, 0, rng.integers(0, 2, n)))
        if dfa.n_states >= 4 and len(syntactic_semigroup(dfa)) <= 25:
            found.append(dfa)
    return found


def test_both_rows_against_full_tables_on_random_automata():
    answers = set()
    for dfa in random_automata(0, 60):
        syntactic, table = syntactic_semigroup(dfa), table_of(dfa)
        threshold, depth = THRESHOLD.violation(syntactic), DOT_DEPTH.violation(syntactic)
        assert (threshold is None) == all(holds(table, equation, "S") for equation in THRESHOLD.equations)
        assert (depth is None) == is_dot_depth_one(table)
        assert all(found is None or found.check(dfa) is None for found in (threshold, depth))
        answers.add((threshold is None, depth is None))
    assert {(True, True), (False, False)} <= answers


@pytest.mark.parametrize("count", [1, 2, 3])
def test_counting_factors_to_a_threshold(count):
    """At least so many ab: counted up to a threshold, and one occurrence is a matter of locally testable languages."""
    at_least = regex_to_dfa(".*" + "ab.*" * count, ABC)
    syntactic = syntactic_semigroup(at_least)
    assert THRESHOLD.violation(syntactic) is None
    assert (VARIETIES["locally testable"].violation(syntactic) is None) == (count == 1)


def test_the_order_of_two_factors_is_not_counted():
    """First bab, then cac: of dot-depth one, and no count of factors tells it from first cac, then bab."""
    ordered = regex_to_dfa(".*bab.*cac.*", ABC)
    syntactic = syntactic_semigroup(ordered)
    found = THRESHOLD.violation(syntactic)
    assert found.check(ordered) is None
    assert DOT_DEPTH.violation(syntactic) is None


def test_what_lies_between_two_idempotents():
    """From c to d by a, back by e, there by b: each local monoid commutes, and yet a and b cannot be swapped."""
    dfa = regex_to_dfa("c+ad+ec+bd+", Alphabet.of("abcde"))
    found = THRESHOLD.violation(syntactic_semigroup(dfa))
    assert dict(found.assignment) == {"e": "c", "x": "cad", "f": "d", "y": "dec", "z": "cbd"}
    assert found.check(dfa) is None
    assert not holds(table_of(dfa), THRESHOLD.equations[1], "S")
    assert DOT_DEPTH.violation(syntactic_semigroup(dfa)) is None
    assert is_dot_depth_one(table_of(dfa))


def test_dot_depth_between_two_idempotents():
    """Rounds by a and a, then one of a and b, then rounds by b and b; or rounds by a and e, then by e and b."""
    letters = Alphabet.of("abcde")
    for pattern, one in (("c+(ad+ac+)*ad+bc+(bd+bc+)*", False), ("c+(ad+ec+)*ad+ec+bd+(ec+bd+)*", True)):
        dfa = regex_to_dfa(pattern, letters)
        assert is_dot_depth_one(table_of(dfa)) == one
        found = DOT_DEPTH.violation(syntactic_semigroup(dfa))
        assert (found is None) == one
        assert found is None or found.check(dfa) is None


def test_limits():
    counted = syntactic_semigroup(regex_to_dfa(".*ab.*ab.*", AB))
    with pytest.raises(TooLarge, match="raise max_assignments"):
        THRESHOLD.violation(counted, max_assignments=3)
    rounds = syntactic_semigroup(regex_to_dfa("c+(ad+ec+)*ad+ec+bd+(ec+bd+)*", Alphabet.of("abcde")))
    with pytest.raises(TooLarge, match="raise max_assignments"):
        DOT_DEPTH.violation(rounds, max_assignments=3)


def test_equations_are_those_of_the_rows():
    """The written equations are about e and f under omega alone, which the evaluation takes from the idempotents."""
    for row in (THRESHOLD, DOT_DEPTH):
        assert row.equations[-1].idempotent_variables == {"e", "f"}
    assert Equation.parse(DOT_DEPTH.equations[0].text) == DOT_DEPTH.equations[0]
