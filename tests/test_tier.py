"""Tiers: salient letters, projections, tier-based classes against all tiers tried in turn."""

from __future__ import annotations

import dataclasses
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from semigroups.factor_grammar import FactorGrammar
from semigroups.strictly_local import SuffixSubstitution
from semigroups.syntactic import syntactic_semigroup
from semigroups.tier import (
    project_to_tier,
    salient,
    tier_strictly_local_evidence,
    tier_strictly_local_order,
    tier_violation,
)
from semigroups.variety import VARIETIES
from tests.strategies import ABC, all_words, dfas
from tests.word_classes import is_strictly_local, is_testable


@st.composite
def with_neutral_letters(draw: st.DrawFn) -> DFA:
    """Minimal automata over three letters, one of which often moves no state."""
    dfa = draw(dfas(ABC, max_states=3))
    delta = dfa.delta.copy()
    for code in draw(st.sets(st.integers(0, 2), max_size=2)):
        delta[:, code] = np.arange(dfa.n_states)
    return minimize(DFA(ABC, delta, dfa.start, dfa.accept))


def is_neutral(dfa: DFA, letter: str) -> bool:
    """True iff inserting the letter changes no membership; words shorter than the states are many tell all apart."""
    contexts = all_words(dfa.alphabet, dfa.n_states - 1)
    return all(
        dfa.accepts(f"{left}{letter}{right}") == dfa.accepts(f"{left}{right}")
        for left in contexts
        for right in contexts
    )


def over(dfa: DFA, letters: tuple[str, ...]) -> DFA:
    """Return an automaton of the members over some of the letters."""
    columns = [dfa.alphabet.index[letter] for letter in letters]
    return DFA(Alphabet(letters), dfa.delta[:, columns], dfa.start, dfa.accept)


def possible_tiers(dfa: DFA) -> list[tuple[str, ...]]:
    """Return all sets of letters that leave out neutral letters alone."""
    must = [letter for letter in dfa.alphabet if not is_neutral(dfa, letter)]
    return [
        letters
        for size in range(len(dfa.alphabet) + 1)
        for letters in combinations(dfa.alphabet.letters, size)
        if set(must) <= set(letters)
    ]


@given(with_neutral_letters())
def test_salient_letters_are_those_that_are_not_neutral(dfa: DFA) -> None:
    assert salient(dfa).tolist() == [not is_neutral(dfa, letter) for letter in dfa.alphabet]
    projection = project_to_tier(dfa)
    assert minimize(projection) == projection
    for word in all_words(ABC, 4):
        assert dfa.accepts(word) == projection.accepts([letter for letter in word if letter in projection.alphabet])


@settings(max_examples=60)
@given(with_neutral_letters())
def test_no_tier_does_better_than_that_of_the_salient_letters(dfa: DFA) -> None:
    def least(test, largest):
        return min(
            (k for t in possible_tiers(dfa) for k in range(1, largest) if test(over(dfa, t), k)),
            default=None,
        )

    assert tier_strictly_local_order(dfa) == least(is_strictly_local, 5)
    if tier_violation(dfa, "locally testable") is not None:
        assert least(is_testable, 3) is None


@given(with_neutral_letters())
def test_evidence_is_about_the_projection(dfa: DFA) -> None:
    evidence = tier_strictly_local_evidence(dfa)
    assert evidence.check(dfa) is None
    is_member = tier_strictly_local_order(dfa) is not None
    assert isinstance(evidence.evidence, FactorGrammar if is_member else SuffixSubstitution)
    for name in VARIETIES:
        against = tier_violation(dfa, name)
        assert against is None or against.check(dfa) is None


@pytest.mark.parametrize(
    ("regex", "alphabet", "tier", "order"),
    [
        ("∅", ABC, (), 2),
        ("[abc]*", ABC, (), 1),
        ("∅", Alphabet(()), (), 2),
        ("[bc]*", ABC, ("a",), 1),
        ("[abc]*a[abc]*", ABC, ("a",), 2),
        ("[abc]*a[abc]*b[abc]*", ABC, ("a", "b"), None),
        ("(c*ac*bc*)*", ABC, ("a", "b", "c"), None),  # the empty word is in, c is not
        ("c*(ac*bc*)*", ABC, ("a", "b"), 2),
        ("([bc]*a[bc]*a)*[bc]*", ABC, ("a",), None),
    ],
)
def test_known_languages(regex: str, alphabet: Alphabet, tier: tuple[str, ...], order: int | None) -> None:
    dfa = regex_to_dfa(regex, alphabet)
    assert project_to_tier(dfa).alphabet.letters == tier
    assert tier_strictly_local_order(dfa) == order
    assert tier_strictly_local_evidence(dfa).check(dfa) is None


def test_wrong_tiers_are_refused() -> None:
    dfa = regex_to_dfa("c*(ac*bc*)*", ABC)
    evidence = tier_strictly_local_evidence(dfa)
    assert evidence.to_dict()["tier"] == ["a", "b"]
    assert evidence.to_dict()["evidence"]["k"] == 2
    for tier, fault in [
        (("a",), "letter 'b' is salient"),
        (("a", "b", "c"), "letter 'c' is neutral"),
        (("b", "a"), "the tier must hold letters of the alphabet, in their order"),
        (("a", "d"), "the tier must hold letters of the alphabet, in their order"),
    ]:
        assert dataclasses.replace(evidence, tier=tier).check(dfa) == fault
    other = regex_to_dfa("c*((ac*){2}bc*)*", ABC)
    assert "alone accepts" in str(evidence.check(other))


def alternating_ab() -> DFA:
    return regex_to_dfa("c*(ac*bc*)*", ABC)


def test_locally_testable_on_the_tier_alone() -> None:
    alternating = alternating_ab()
    assert tier_violation(alternating, "locally testable") is None
    plain = VARIETIES["locally testable"].violation(syntactic_semigroup(alternating))
    assert plain is not None
    assert plain.check(alternating) is None


def test_counting_a_factor_on_the_tier_is_not_locally_testable_there() -> None:
    once = regex_to_dfa("c*(bc*)*(ac*)+(bc*)+(ac*)*", ABC)  # ab exactly once when all c are deleted
    against = tier_violation(once, "locally testable")
    assert against is not None
    assert against.tier == ("a", "b")
    assert against.check(once) is None
    assert against.check(alternating_ab()) is not None
