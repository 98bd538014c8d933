"""The least order of local testability against the definition, for words of every length."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from semigroups.strictly_local import strictly_local_order
from semigroups.syntactic import syntactic_semigroup
from semigroups.testability import local_testability_order
from tests.strategies import AB, ABC, all_words, dfas, small_minimal_dfas
from tests.word_classes import factor_classes, is_testable, padded_factors


def order_of(dfa: DFA) -> int | None:
    return local_testability_order(syntactic_semigroup(dfa))


def test_all_small_automata() -> None:
    counts: dict[int | None, int] = {}
    for i, dfa in enumerate(small_minimal_dfas()):
        order = order_of(dfa)
        counts[order] = counts.get(order, 0) + 1
        # The definition takes long for three letters, so every eighth automaton has to do there.
        tried = (1, 2, 3) if i % 8 == 0 else (1, 2)
        assert all(is_testable(dfa, k) == (order is not None and order <= k) for k in tried)
    assert all(counts.get(k) for k in (None, 1, 2, 3)), counts


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_oracle_follows_the_definition(k: int) -> None:
    # Two words are in one class of the oracle iff their marked forms have the same factors.
    table = factor_classes(AB.letters, k)
    factors_of: dict[int, frozenset[str]] = {}
    for word in all_words(AB, 8):
        of_word = 0
        for code in AB.encode(word):
            of_word = int(table[of_word, code])
        assert factors_of.setdefault(of_word, padded_factors(word, k)) == padded_factors(word, k)
    assert len(set(factors_of.values())) == len(factors_of)


@st.composite
def combinations_of_factors(draw: st.DrawFn) -> DFA:
    """Languages of words with or without some factors, prefixes and suffixes: locally testable."""
    words = st.text("ab", min_size=1, max_size=3)
    parts = [
        draw(st.sampled_from(["[ab]*{}[ab]*", "{}[ab]*", "[ab]*{}", "~([ab]*{}[ab]*)"])).format(draw(words))
        for _ in range(draw(st.integers(1, 3)))
    ]
    return regex_to_dfa(draw(st.sampled_from(["|", "&"])).join(f"({part})" for part in parts), AB)


@settings(max_examples=60)
@given(st.one_of(dfas(AB, max_states=5), combinations_of_factors()))
def test_order_agrees_with_the_definition(dfa: DFA) -> None:
    order = order_of(dfa)
    for k in range(1, 4):
        assert is_testable(minimize(dfa), k) == (order is not None and order <= k)


@given(combinations_of_factors())
def test_languages_of_factors_have_an_order(dfa: DFA) -> None:
    order = order_of(dfa)
    assert order is not None
    assert order <= 4  # prefixes and suffixes of length three, factors of length three


@settings(max_examples=30)
@given(dfas(ABC, max_states=4))
def test_three_letters(dfa: DFA) -> None:
    order = order_of(dfa)
    for k in (1, 2):
        assert is_testable(minimize(dfa), k) == (order is not None and order <= k)


@given(dfas(max_states=6))
def test_strictly_local_languages_are_testable_at_their_order(dfa: DFA) -> None:
    strict = strictly_local_order(minimize(dfa))
    if strict is not None and dfa.alphabet.letters:
        order = order_of(dfa)
        assert order is not None
        assert order <= strict


@pytest.mark.parametrize(
    ("regex", "alphabet", "expected"),
    [
        ("∅", AB, 1),
        ("[ab]*", AB, 1),
        ("()", Alphabet(()), 1),
        ("()", AB, 1),
        ("[ab]*a[ab]*", AB, 1),
        ("[abc]*ab[abc]*", ABC, 2),
        ("[ab]*abb[ab]*", AB, 3),
        ("a[ab]*", AB, 2),
        ("aab[ab]*", AB, 4),
        ("[ab]*aab", AB, 4),
        ("a", AB, 2),
        ("aaaa", AB, 5),
        ("(ab)*", AB, 2),
        ("[abc]*a[abc]*b[abc]*", ABC, None),
        ("a*ba*", AB, None),
        ("(aa)*", AB, None),
    ],
)
def test_known_orders(regex: str, alphabet: Alphabet, expected: int | None) -> None:
    dfa = regex_to_dfa(regex, alphabet)
    assert order_of(dfa) == expected
    # The definition keeps sets of factors, of which there must not be too many.
    tried = [k for k in (1, 2, 3) if len(alphabet) ** k <= 9]
    assert all(is_testable(dfa, k) == (expected is not None and expected <= k) for k in tried)


def test_a_limit_on_steps_is_kept() -> None:
    syntactic = syntactic_semigroup(regex_to_dfa("[ab]*abbabb[ab]*", AB))
    assert local_testability_order(syntactic) == 6
    with pytest.raises(TooLarge, match="max_nodes"):
        local_testability_order(syntactic, max_nodes=50)
