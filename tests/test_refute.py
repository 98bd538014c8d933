"""Decisions on Cayley graphs: factors, regular elements, and evidence in least elements."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from automata.minimize import minimize
from automata.regex import regex_to_dfa
from semigroups.refute import left_factor, refute_aperiodic, regular, right_factor
from semigroups.syntactic import syntactic_semigroup
from tests.strategies import AB, dfas


@given(dfas(max_states=4).map(minimize).filter(lambda dfa: len(syntactic_semigroup(dfa)) <= 60))
def test_factors_and_regular_elements_by_definition(dfa):
    semigroup = syntactic_semigroup(dfa).semigroup
    n = len(semigroup)
    table = semigroup.product(np.arange(n)[:, None], np.arange(n))
    by_definition = [any(table[table[s, x], s] == s for x in range(n)) for s in range(n)]
    assert regular(semigroup).tolist() == by_definition
    for s in range(0, n, 7):
        for t in range(0, n, 5):
            right, left = np.flatnonzero(table[s] == t), np.flatnonzero(table[:, s] == t)
            if len(right):
                assert right_factor(semigroup, s, t) == right[0]
            if len(left):
                assert left_factor(semigroup, s, t) == left[0]


@given(dfas(max_states=5).map(minimize))
def test_the_least_element_outside_of_aperiodic_behaviour(dfa):
    syntactic = syntactic_semigroup(dfa)
    semigroup = syntactic.semigroup
    failing = [x for x in range(len(semigroup)) if semigroup.product(semigroup.omega(x), x) != semigroup.omega(x)]
    found = refute_aperiodic(syntactic)
    assert found == ((0, {"x": failing[0]}) if failing else None)


def test_one_r_class_is_not_enough_for_a_group_language():
    """The words that begin with a: no letter permutes the states, and every element but the identity is idempotent."""
    syntactic = syntactic_semigroup(regex_to_dfa("a.*", AB))
    assert syntactic.semigroup.is_idempotent.all()
    assert refute_aperiodic(syntactic) is None
