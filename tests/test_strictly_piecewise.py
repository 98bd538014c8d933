"""Strictly piecewise languages: closure under deletion and the least k against the definition; evidence for a no."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from semigroups.strictly_piecewise import DeletedLetter, deleted_letter, strictly_piecewise_order
from tests.strategies import AB, ABC, dfas, small_minimal_dfas
from tests.subsequences import is_strictly_piecewise, minimal_forbidden


def is_closed_under_deletion(dfa: DFA) -> bool:
    """True iff no member has a non-member among its deletions: pairs of states of words with and without a letter."""
    found = {(dfa.step(q, letter), q) for q in range(dfa.n_states) for letter in dfa.alphabet}
    waiting = list(found)
    while waiting:
        p, q = waiting.pop()
        for letter in dfa.alphabet:
            pair = (dfa.step(p, letter), dfa.step(q, letter))
            if pair not in found:
                found.add(pair)
                waiting.append(pair)
    return not any(dfa.accept[p] and not dfa.accept[q] for p, q in found)


def test_order_agrees_with_the_definition_on_all_small_automata() -> None:
    counts = dict.fromkeys([None, 0, 1, 2], 0)
    for dfa in small_minimal_dfas():
        order = strictly_piecewise_order(dfa)
        # Each letter of a minimal forbidden subsequence moves the state, so with three states k is at most two.
        assert order == next((k for k in range(3) if is_strictly_piecewise(dfa, k)), None)
        assert (order is not None) == is_closed_under_deletion(dfa)
        counts[order] += 1
    assert all(counts.values()), counts


@given(dfas(max_states=6))
def test_there_is_evidence_exactly_when_no_k_will_do(dfa: DFA) -> None:
    minimal = minimize(dfa)
    evidence = deleted_letter(minimal)
    assert (evidence is None) == is_closed_under_deletion(minimal) == (strictly_piecewise_order(minimal) is not None)
    if evidence is not None:
        assert evidence.check(dfa) is None
        assert dfa.accepts(evidence.inside)
        assert not dfa.accepts(evidence.outside)
        assert len(evidence.inside) == len(evidence.outside) + 1


@given(dfas(ABC, max_states=3))
def test_order_agrees_with_the_definition_over_three_letters(dfa: DFA) -> None:
    minimal = minimize(dfa)
    order = strictly_piecewise_order(minimal)
    assert order == next((k for k in range(3) if is_strictly_piecewise(minimal, k)), None)


@pytest.mark.parametrize(
    ("regex", "alphabet", "expected"),
    [
        ("∅", AB, 0),
        ("[ab]*", AB, 0),
        ("()", AB, 1),
        ("()", Alphabet(()), 0),
        ("∅", Alphabet(()), 0),
        ("b*", AB, 1),
        ("b*a*", AB, 2),
        ("b*a?b*", AB, 2),
        ("a*b*a*", AB, 3),
        ("(a?b?){3}", AB, 5),  # three neighbours out of aa, bb, ba: babaa
        ("b*a", AB, None),
        ("[ab]*a[ab]*", AB, None),
        ("(ab)*", AB, None),
    ],
)
def test_known_languages(regex: str, alphabet: Alphabet, expected: int | None) -> None:
    dfa = regex_to_dfa(regex, alphabet)
    assert strictly_piecewise_order(dfa) == expected
    if expected is not None:
        assert max(map(len, minimal_forbidden(dfa)), default=0) == expected


def test_altered_evidence_is_refused() -> None:
    contains_a = regex_to_dfa("[ab]*a[ab]*", AB)
    evidence = deleted_letter(contains_a)
    assert isinstance(evidence, DeletedLetter)
    assert dataclasses.replace(evidence, letter="b").check(contains_a) == "the automaton rejects b"
    assert dataclasses.replace(evidence, after="a").check(contains_a) == "the automaton accepts a"
    assert dataclasses.replace(evidence, alphabet=ABC).check(contains_a) == "the alphabets differ"
    assert evidence.to_dict() == {"kind": "deleted letter", "before": "", "letter": "a", "after": ""}


def test_words_over_longer_letters() -> None:
    letters = Alphabet(("a", "b0"))
    evidence = deleted_letter(DFA(letters, [[0, 1], [2, 2], [2, 2]], 0, [False, False, True]))
    assert evidence is not None
    assert (evidence.inside, evidence.outside) == (("b0", "a"), ("b0",))


def test_limits_are_kept() -> None:
    dfa = regex_to_dfa("(a?b?){6}", AB)
    with pytest.raises(TooLarge, match="max_pairs"):
        deleted_letter(dfa, max_pairs=10)
    with pytest.raises(TooLarge, match="max_subsequences"):
        strictly_piecewise_order(dfa, max_subsequences=3)
