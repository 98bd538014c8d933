"""Closure under stuttering: against words, against formulas with the non-strict past, and the evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.equivalence import distinguish
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from ltl.compile import formula_to_dfa
from ltl.formula import FALSE, TRUE, Formula, Letter, disjunction, once
from ltl.fragment import LTL_P
from semigroups.forbidden import admits
from semigroups.stutter import stutter
from tests.strategies import AB, ABC, all_words, dfas, small_minimal_dfas


def non_strict(alphabet: Alphabet) -> st.SearchStrategy[Formula]:
    """Formulas over letters, Boolean operators and O."""
    return st.recursive(
        st.sampled_from([Letter(a) for a in alphabet]),
        lambda f: st.builds(once, f) | st.builds(lambda x: ~x, f) | st.builds(lambda x, y: x & y, f, f),
        max_leaves=8,
    )


@given(dfas(ABC, max_states=5))
def test_evidence_is_checked_and_its_absence_means_closure(dfa):
    found = stutter(minimize(dfa))
    if found is not None:
        assert found.check(dfa) is None
        once_, twice = found.words
        assert len(twice) == len(once_) + 1
        assert dfa.accepts(once_) != dfa.accepts(twice)
        assert replace(found, letter=twice[:2]).check(dfa) is not None
    else:
        for word in all_words(ABC, 5):
            for i in range(len(word)):
                assert dfa.accepts(word) == dfa.accepts(word[: i + 1] + word[i:])


@given(non_strict(ABC))
def test_the_non_strict_past_defines_only_languages_of_the_class(formula):
    dfa = formula_to_dfa(formula, ABC)
    assert admits(dfa, LTL_P)
    assert stutter(dfa) is None


def defined(dfa) -> Formula:
    """The formula of the proof in the module, with O alone."""
    order = sorted(range(dfa.n_states), key=lambda q: sum(reaches(dfa, p, q) for p in range(dfa.n_states)))
    visited = {dfa.start: TRUE}
    for q in order:
        if q == dfa.start:
            continue
        ways = []
        for p in range(dfa.n_states):
            for code, a in enumerate(dfa.alphabet):
                if p == q or dfa.delta[p, code] != q:
                    continue
                others = [
                    Letter(b) & visited[p]
                    for other, b in enumerate(dfa.alphabet)
                    if b != a and dfa.delta[p, other] != p
                ]
                ways.append(Letter(a) & visited[p] & ~once(disjunction(others)))
        visited[q] = once(disjunction(ways))
    ends = []
    for q in range(dfa.n_states):
        if dfa.accept[q]:
            later = disjunction([visited[int(r)] for r in dfa.delta[q] if r != q])
            ends.append(visited[q] & ~later)
    return disjunction(ends) if ends else FALSE


def reaches(dfa, p, q) -> bool:
    seen, waiting = {p}, [p]
    for state in waiting:
        for target in dfa.delta[state].tolist():
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return q in seen


def test_all_languages_of_the_class_are_defined_by_the_formula_of_the_proof():
    members = [dfa for dfa in small_minimal_dfas(AB, 3) if admits(dfa, LTL_P) and stutter(dfa) is None]
    assert len(members) > 20
    for dfa in members:
        assert distinguish(formula_to_dfa(defined(dfa), AB), dfa) is None


@pytest.mark.parametrize(
    ("text", "closed"), [("bb.*", False), ("b.*", True), (".*a.*b.*", True), ("", True), ("a", False)]
)
def test_known_languages(text, closed):
    assert (stutter(regex_to_dfa(text, Alphabet.of("ab"))) is None) == closed
