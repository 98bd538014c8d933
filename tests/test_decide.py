"""Verdicts of all fragments: none stays open on small automata, and every certificate checks."""

from __future__ import annotations

import pytest
from hypothesis import given

from automata.errors import ToolkitError
from ltl.fragment import LTL_S, LTL_S_MOD, Fragment
from semigroups.certificate import Definition
from semigroups.classify import fragments
from semigroups.decide import decide
from tests.strategies import AB, dfas, small_minimal_dfas


@pytest.mark.parametrize("fragment", fragments((2, 3, 4)), ids=lambda fragment: fragment.name)
def test_no_verdict_stays_open_on_automata_with_three_states(fragment):
    """All 1,054 minimal automata over two letters; the formulas checked for all, the families for every fifth."""
    for number, dfa in enumerate(small_minimal_dfas(AB, 3)):
        verdict = decide(dfa, fragment)
        assert verdict.holds is not None
        assert isinstance(verdict.certificate, Definition) == verdict.holds
        assert verdict.certificate.fragment == fragment
        if verdict.holds or number % 5 == 0:
            assert verdict.certificate.check(dfa) is None


@given(dfas(max_states=4))
def test_certificates_change_no_answer_and_answers_keep_to_the_order_of_fragments(dfa):
    holds = {}
    for fragment in fragments((2, 3)):
        holds[fragment] = decide(dfa, fragment, certify=False).holds
        assert decide(dfa, fragment).holds == holds[fragment]
    for smaller, inside in holds.items():
        for larger, outside in holds.items():
            assert not (smaller <= larger and inside) or outside


@pytest.mark.parametrize("fragment", [LTL_S, LTL_S_MOD, Fragment(False, None)], ids=lambda fragment: fragment.name)
def test_other_fragments_are_refused(fragment):
    with pytest.raises(ToolkitError):
        decide(small_minimal_dfas(AB, 2)[0], fragment)
