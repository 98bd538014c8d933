"""The table of classes read off the automaton: examples, inclusions, evidence; forms of languages."""

from __future__ import annotations

import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge
from automata.operations import complement
from automata.regex import regex_to_dfa
from semigroups.classify import classify
from semigroups.hierarchy import HIERARCHY, Limits
from semigroups.variety import VARIETIES
from tests.strategies import AB, dfas, small_minimal_dfas


@pytest.mark.parametrize("row", HIERARCHY.values(), ids=lambda row: row.name)
def test_every_row_has_a_member_and_a_non_member(row):
    inside, outside = (regex_to_dfa(text, Alphabet.of(letters)) for text, letters in (row.member, row.non_member))
    assert row.refute(inside, Limits()) is None
    evidence = row.refute(outside, Limits())
    assert evidence is not None
    assert evidence.check(outside) is None
    assert evidence.check(inside) is not None
    assert str(evidence)
    assert isinstance(evidence.to_dict(), dict)
    assert set(row.implies) <= {*HIERARCHY, *VARIETIES}
    assert row.reference
    assert row.description


def assert_inclusions(dfa: DFA) -> None:
    found = {m.name: m.holds for m in classify(dfa, certify=False, windows=()).memberships}
    for name, row in HIERARCHY.items():
        if found[name]:
            assert all(found[larger] for larger in row.implies), (name, dfa)
        if row.contains is not None and found[row.contains]:
            assert found[name], (name, dfa)


def test_inclusions_on_small_automata():
    for dfa in small_minimal_dfas(AB, 3)[::11]:
        assert_inclusions(dfa)


@given(dfas(max_states=4))
def test_inclusions_on_random_automata(dfa):
    assert_inclusions(dfa)


@given(dfas(max_states=4))
def test_tier_based_classes_are_closed_under_complement(dfa):
    this, other = (classify(d, certify=False, windows=()) for d in (dfa, complement(dfa)))
    for name, row in HIERARCHY.items():
        if row.contains is not None:
            assert this.membership(name).holds == other.membership(name).holds


def test_limits_are_kept():
    wide = regex_to_dfa(".*a.{6}", AB)
    with pytest.raises(TooLarge, match="max_elements"):
        HIERARCHY["tier-based locally testable"].refute(wide, Limits(max_elements=10))
    found = classify(wide, certify=False, windows=(), max_elements=10)
    assert found.membership("tier-based locally testable").holds is True  # since it is locally testable
