"""Orders of reverse and generalised definiteness against the definitions, for words of every length."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge
from automata.minimize import minimize
from automata.operations import reversal
from automata.regex import regex_to_dfa
from semigroups.definite import definite_order
from semigroups.orders import generalised_definite_order, reverse_definite_order
from semigroups.syntactic import syntactic_semigroup
from semigroups.variety import VARIETIES
from tests.strategies import AB, ABC, dfas, small_minimal_dfas
from tests.word_classes import is_decided_by, last


def is_reverse_definite(dfa: DFA, k: int) -> bool:
    return is_decided_by(dfa, "", lambda word, letter: (word + letter)[:k])


def is_generalised_definite(dfa: DFA, k: int) -> bool:
    # Shorter words are their own prefix and are told apart by it, as the prefix of a longer word has k letters. With
    # the length kept up to k a prefix of k letters may stand for itself.
    return is_decided_by(
        dfa,
        ("", "", 0),
        lambda c, letter: ((c[0] + letter)[:k], last(c[1] + letter, k), min(c[2] + 1, k)),
    )


@st.composite
def sums_of_ends(draw: st.DrawFn) -> DFA:
    """Languages of words that begin and end as drawn, with a few words more or fewer: generalised definite."""
    ends = draw(st.lists(st.tuples(*[st.text("ab", max_size=3)] * 2), max_size=2))
    words = draw(st.lists(st.text("ab", max_size=4), max_size=2))
    parts = [f"{left}[ab]*{right}" for left, right in ends] + [word or "()" for word in words]
    return regex_to_dfa("|".join(parts) or "∅", AB)


def test_orders_of_all_small_automata() -> None:
    reverse, general = set(), set()
    for dfa in small_minimal_dfas():
        found = reverse_definite_order(dfa)
        assert found == next((k for k in range(3) if is_reverse_definite(dfa, k)), None)
        reverse.add(found)
        found = generalised_definite_order(dfa)
        assert found == next((k for k in range(4) if is_generalised_definite(dfa, k)), None)
        general.add(found)
    assert reverse == {None, 0, 1, 2}
    assert {None, 0, 1, 2} <= general


@given(st.one_of(dfas(max_states=5), sums_of_ends()))
def test_generalised_order_agrees_with_the_definition(dfa: DFA) -> None:
    minimal = minimize(dfa)
    order = generalised_definite_order(minimal)
    for k in range(5):
        assert is_generalised_definite(minimal, k) == (order is not None and order <= k)


@given(dfas(max_states=6))
def test_reverse_order_is_the_definite_order_of_the_reversal(dfa: DFA) -> None:
    minimal = minimize(dfa)
    assert reverse_definite_order(minimal) == definite_order(reversal(minimal))


@given(st.one_of(dfas(max_states=5), sums_of_ends()))
def test_generalised_order_is_that_of_the_reversal_and_least_of_all(dfa: DFA) -> None:
    minimal = minimize(dfa)
    order = generalised_definite_order(minimal)
    assert order == generalised_definite_order(reversal(minimal))
    for other in (definite_order(minimal), reverse_definite_order(minimal)):
        assert other is None or (order is not None and order <= other)


@given(dfas(max_states=6))
def test_there_is_an_order_exactly_in_the_variety(dfa: DFA) -> None:
    minimal = minimize(dfa)
    syntactic = syntactic_semigroup(minimal)
    for name, order in [
        ("reverse definite", reverse_definite_order(minimal)),
        ("generalised definite", generalised_definite_order(minimal)),
    ]:
        assert (order is None) == (VARIETIES[name].violation(syntactic) is not None)


@pytest.mark.parametrize(
    ("regex", "alphabet", "reverse", "general"),
    [
        ("∅", AB, 0, 0),
        ("[ab]*", AB, 0, 0),
        ("()", Alphabet(()), 0, 0),
        ("()", AB, 1, 1),
        ("a[ab]*", AB, 1, 1),
        ("aab[ab]*", AB, 3, 3),
        ("[ab]*a", AB, None, 1),
        ("[ab]*aab", AB, None, 3),
        ("a[ab]*b", AB, None, 1),
        ("ab[ab]*ba", AB, None, 4),  # aba is not in it, ababa is
        ("ab[ab]*ba|aba", AB, None, 2),
        ("aaa", AB, 4, 4),  # aaaa begins and ends alike
        ("[ab]*a[ab]*", AB, None, None),
        ("(aa)*", AB, None, None),
        ("(ab)*", AB, None, None),
    ],
)
def test_known_orders(regex: str, alphabet: Alphabet, reverse: int | None, general: int | None) -> None:
    dfa = regex_to_dfa(regex, alphabet)
    assert reverse_definite_order(dfa) == reverse
    assert generalised_definite_order(dfa) == general
    assert all(is_generalised_definite(dfa, k) == (general is not None and general <= k) for k in range(5))


def test_long_words() -> None:
    n = 100
    delta = np.stack([np.minimum(np.arange(n) + 1, n - 1), np.full(n, n - 1)], axis=1)
    one_word = DFA(AB, delta, 0, np.arange(n) == n - 2)  # a^(n-2)
    assert reverse_definite_order(one_word) == n - 1
    # Longer words of a alone have the same ends unless these are all of the word.
    assert generalised_definite_order(one_word) == n - 1
    with pytest.raises(TooLarge, match="max_pairs"):
        generalised_definite_order(one_word, max_pairs=100)


def test_three_letters() -> None:
    dfa = regex_to_dfa("ab[abc]*c|ca", ABC)
    assert reverse_definite_order(dfa) is None
    assert generalised_definite_order(dfa) == next(k for k in range(4) if is_generalised_definite(dfa, k))
