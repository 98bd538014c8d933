from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError
from automata.minimize import minimize
from ltl.fragment import LTL_P, LTL_PY, LTL_S, LTL_Y, Fragment
from semigroups import forbidden
from semigroups.forbidden import ForbiddenPattern, admits, forbidden_pattern
from tests.strategies import AB, dfas, small_minimal_dfas, transformations

FRAGMENTS = [LTL_P, LTL_Y, LTL_PY]


def end(dfa: DFA, state: int, word: object) -> int:
    return dfa.run(word, state)[-1]  # type: ignore[arg-type]


def is_admitted(dfa: DFA, fragment: Fragment) -> bool:
    """Look for the pattern among all transformations that words make, by definition."""
    maps = transformations(dfa)
    for p in range(dfa.n_states):
        for q in range(p):
            cyclic = any(f[p] == q for f in maps) and any(f[q] == p for f in maps)
            fixed = any(f[p] == p and f[q] == q for f in maps)
            if (cyclic or not fragment.past) and (fixed or fragment.window is None):
                return False
    return True


def assert_pattern(dfa: DFA, fragment: Fragment, pattern: ForbiddenPattern) -> None:
    p, q = pattern.p, pattern.q
    assert pattern.fragment == fragment
    assert p != q
    assert end(dfa, dfa.start, pattern.access_p) == p
    assert end(dfa, dfa.start, pattern.access_q) == q
    assert dfa.accept[end(dfa, p, pattern.separating)]
    assert not dfa.accept[end(dfa, q, pattern.separating)]
    assert (pattern.there is None) == (pattern.back is None) == (not fragment.past)
    assert (pattern.loop is None) == (fragment.window is None)
    if pattern.there is not None and pattern.back is not None:
        assert end(dfa, p, pattern.there) == q
        assert end(dfa, q, pattern.back) == p
    if pattern.loop is not None:
        assert pattern.loop
        assert end(dfa, p, pattern.loop) == p
        assert end(dfa, q, pattern.loop) == q


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
def test_all_small_automata_by_definition(fragment: Fragment) -> None:
    for dfa in small_minimal_dfas(AB, 3):
        pattern = forbidden_pattern(dfa, fragment)
        assert admits(dfa, fragment) == (pattern is None) == is_admitted(dfa, fragment)
        if pattern is not None:
            assert_pattern(dfa, fragment, pattern)


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
@pytest.mark.parametrize("quick", [True, False], ids=["all", "without the word search"])
@given(dfa=dfas(max_states=6))
def test_random_automata_by_definition(fragment: Fragment, quick: bool, dfa: DFA) -> None:
    minimal = minimize(dfa)
    with pytest.MonkeyPatch.context() as patch:
        if not quick:  # so that the pair graph and the walk must find everything
            patch.setattr(forbidden, "least_common_loop", lambda table, blocks: None)
        pattern = forbidden_pattern(minimal, fragment)
        assert admits(minimal, fragment) == (pattern is None) == is_admitted(minimal, fragment)
    if pattern is not None:
        assert_pattern(minimal, fragment, pattern)


@given(st.integers(2, 40), st.integers(1, 3), st.floats(0, 0.8), st.integers(0, 2**32 - 1))
def test_deep_partial_automata_by_their_witnesses(n: int, k: int, missing: float, seed: int) -> None:
    # Cycles with shortcuts and a sink: one large component, seldom a common loop.
    rng = np.random.default_rng(seed)
    delta = np.full((n + 1, k), n)
    delta[np.arange(n), rng.integers(0, k, n)] = (np.arange(n) + 1) % n
    extra = rng.random((n, k)) > missing
    delta[:n][extra] = rng.integers(0, n, (n, k))[extra]
    dfa = minimize(DFA(Alphabet.of("abc"[:k]), delta, 0, np.append(rng.random(n) < 0.5, False)))
    for fragment in FRAGMENTS:
        pattern = forbidden_pattern(dfa, fragment)
        assert admits(dfa, fragment) == (pattern is None)
        if pattern is not None:
            assert_pattern(dfa, fragment, pattern)
    assert admits(dfa, LTL_PY) >= (admits(dfa, LTL_P) or admits(dfa, LTL_Y))


def test_words_of_the_pattern_of_a_known_language() -> None:
    # (a(ab)*b)*, Dyck words of depth 2: depths 0, 1, 2 and a sink; ab fixes depths 0 and 1, and no single letter does.
    dyck = DFA(AB, [[1, 2], [3, 0], [2, 2], [2, 1]], 0, [True, False, False, False])
    pattern = forbidden_pattern(dyck, LTL_PY)
    assert pattern is not None
    assert (pattern.p, pattern.q, pattern.access_p, pattern.access_q) == (0, 1, "", "a")
    assert (pattern.loop, pattern.there, pattern.back, pattern.separating) == ("ab", "a", "b", "")


def test_one_component_without_a_common_loop_is_admitted_however_deep() -> None:
    # Round the cycle a^(n-1) b pairs of states live up to n steps; the cycle (a^(m-1) b)^2 without a primitive
    # root keeps states m apart together for ever.
    n = 400
    delta = np.full((n + 1, 2), n)
    letters = np.zeros(n, dtype=np.intp)
    letters[-1] = 1
    delta[np.arange(n), letters] = (np.arange(n) + 1) % n
    accept = np.arange(n + 1) == 0
    once = DFA(AB, delta, 0, accept)
    assert minimize(once).n_states == n + 1
    assert admits(once, LTL_PY)
    assert not admits(once, LTL_Y)
    assert not admits(once, LTL_P)
    twice = delta.copy()
    twice[n // 2 - 1] = [n, n // 2]
    pattern = forbidden_pattern(DFA(AB, twice, 0, accept), LTL_PY)
    assert pattern is not None
    assert abs(pattern.p - pattern.q) == n // 2
    assert pattern.loop is not None
    assert len(pattern.loop) == n


def test_large_automata_are_decided_without_pairs() -> None:
    n = 100_000
    rng = np.random.default_rng(1)
    dfa = minimize(DFA(AB, rng.integers(0, n, (n, 2)), 0, rng.random(n) < 0.5))
    assert dfa.n_states > n // 2
    for fragment in FRAGMENTS:
        assert not admits(dfa, fragment)
    upward = np.minimum(np.arange(n)[:, None] + [0, 1], n - 1)  # at least n - 1 times b
    assert [admits(DFA(AB, upward, 0, np.arange(n) == n - 1), f) for f in FRAGMENTS] == [True, False, True]


def test_limit_on_pairs_names_its_option() -> None:
    n = 50
    delta = np.full((n + 1, 2), n)
    delta[np.arange(n), (np.arange(n) % 7 == 0).astype(np.intp)] = (np.arange(n) + 1) % n
    dfa = minimize(DFA(AB, delta, 0, np.arange(n + 1) == 0))
    with pytest.raises(TooLarge, match="raise max_pairs"):
        admits(dfa, LTL_PY, max_pairs=100)
    assert admits(dfa, LTL_PY)


def test_other_fragments_are_refused_by_name() -> None:
    dfa = DFA(AB, [[0, 0]], 0, [True])
    for fragment in (LTL_S, Fragment(past=True, window=2)):
        with pytest.raises(ToolkitError, match=r"decide LTL\[P\], LTL\[Y\] and LTL\[P,Y\], not"):
            admits(dfa, fragment)
        with pytest.raises(ToolkitError, match="not LTL"):
            forbidden_pattern(dfa, fragment)


def test_automata_that_are_not_minimal_are_refused_where_it_shows() -> None:
    equivalent = DFA(AB, [[1, 0], [1, 0]], 0, [True, True])
    with pytest.raises(ToolkitError, match="minimize the automaton first"):
        forbidden_pattern(equivalent, LTL_P)
    unreachable = DFA(AB, [[0, 0], [2, 2], [1, 1]], 0, [True, False, True])
    with pytest.raises(ToolkitError, match="minimize the automaton first"):
        forbidden_pattern(unreachable, LTL_P)


def test_empty_alphabet_and_trivial_languages_are_in_every_fragment() -> None:
    for dfa in (DFA(Alphabet(()), [[]], 0, [True]), DFA(AB, [[0, 0]], 0, [False])):
        assert [admits(dfa, fragment) for fragment in FRAGMENTS] == [True, True, True]
        assert [forbidden_pattern(dfa, fragment) for fragment in FRAGMENTS] == [None, None, None]
