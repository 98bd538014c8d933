"""Strictly local grammars: minimal forbidden factors, read back and compared."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import NotDefinable, TooLarge
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from semigroups.factor_grammar import Factor, FactorGrammar, factor_grammar
from semigroups.strictly_local import SuffixSubstitution, strictly_local_order
from tests.strategies import AB, ABC, all_words, dfas, small_minimal_dfas


def marked(factor: Factor) -> str:
    return "#" * factor.at_start + "".join(factor.letters) + "#" * factor.at_end


def minimal_forbidden(dfa: DFA, longest: int) -> set[str]:
    """Find the minimal forbidden factors from the members up to a length, by listing all factors."""
    members = [f"#{word}#" for word in all_words(dfa.alphabet, longest + 2 * dfa.n_states) if dfa.accepts(word)]
    allowed = {m[i:j] for m in members for i in range(len(m)) for j in range(i + 1, len(m) + 1)}
    candidates = {
        "#" * start + "".join(word) + "#" * end
        for word in all_words(dfa.alphabet, longest)
        for start in (0, 1)
        for end in (0, 1)
    } - {""}
    forbidden = candidates - allowed
    return {f for f in forbidden if f[1:] not in forbidden and f[:-1] not in forbidden}


def test_grammars_of_all_small_automata() -> None:
    n_seen = 0
    for dfa in small_minimal_dfas():
        order = strictly_local_order(dfa)
        if order is None:
            continue
        n_seen += 1
        grammar = factor_grammar(dfa)
        assert grammar.check(dfa) is None
        assert grammar.k == order
        # The least k is the length of the longest minimal forbidden factor, apart from the two ends of the scale.
        longest = max((factor.length for factor in grammar.forbidden), default=1)
        assert longest == order or not dfa.accept.any()
        if n_seen % 5 == 0:  # members of length n + 2 states hold every allowed factor of n letters
            assert {marked(factor) for factor in grammar.forbidden} == minimal_forbidden(dfa, 3)
    assert n_seen > 50


@given(dfas(max_states=6))
def test_every_strictly_local_language_is_read_back(dfa: DFA) -> None:
    minimal = minimize(dfa)
    if strictly_local_order(minimal) is None:
        with pytest.raises(NotDefinable) as caught:
            factor_grammar(minimal)
        assert isinstance(caught.value.certificate, SuffixSubstitution)
        assert caught.value.certificate.check(minimal) is None
    else:
        assert factor_grammar(minimal).check(dfa) is None


@pytest.mark.parametrize(
    ("regex", "alphabet", "k", "forbidden"),
    [
        ("∅", AB, 2, {"#"}),
        ("()", AB, 1, {"a", "b"}),
        ("()", Alphabet(()), 1, set()),
        ("[ab]*", AB, 1, set()),
        ("[ab]*a", AB, 2, {"##", "b#"}),
        ("aa", AB, 3, None),
        ("[abc]*(ab|c)", ABC, 3, {"##", "a#", "bb#", "cb#", "#b#"}),
    ],
)
def test_known_grammars(regex: str, alphabet: Alphabet, k: int, forbidden: set[str] | None) -> None:
    dfa = regex_to_dfa(regex, alphabet)
    grammar = factor_grammar(dfa)
    assert grammar.check(dfa) is None
    assert grammar.k == k
    expected = minimal_forbidden(dfa, 4) if forbidden is None else forbidden
    assert {marked(factor) for factor in grammar.forbidden} == expected


def test_wrong_grammars_are_refused() -> None:
    dfa = regex_to_dfa("(ab)*", AB)
    grammar = factor_grammar(dfa)
    for i in range(len(grammar.forbidden)):
        fewer = grammar.forbidden[:i] + grammar.forbidden[i + 1 :]
        assert "grammar alone accepts" in str(dataclasses.replace(grammar, forbidden=fewer).check(dfa))
    more = (*grammar.forbidden, Factor("ba"))
    assert dataclasses.replace(grammar, forbidden=more).check(dfa) == "the automaton alone accepts abab"
    assert "k must be at least 1" in str(dataclasses.replace(grammar, k=0).check(dfa))
    assert "k is 1" in str(dataclasses.replace(grammar, k=1).check(dfa))
    assert "unknown letter" in str(dataclasses.replace(grammar, forbidden=(Factor("c"),)).check(dfa))
    assert dataclasses.replace(grammar, alphabet=ABC).check(dfa) == "the alphabets differ"
    assert FactorGrammar(AB, 1, (Factor("", True),)).check(dfa) is not None


def test_plain_data() -> None:
    grammar = factor_grammar(regex_to_dfa("[ab]*a", AB))
    assert grammar.to_dict() == {
        "kind": "strictly local grammar",
        "k": 2,
        "forbidden": [
            {"letters": "", "at_start": True, "at_end": True},
            {"letters": "b", "at_start": False, "at_end": True},
        ],
    }


def test_a_limit_on_factors_is_kept() -> None:
    with pytest.raises(TooLarge, match="max_factors"):
        factor_grammar(regex_to_dfa("[ab]{12}", AB), max_factors=100)
