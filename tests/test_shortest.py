from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.minimize import minimize
from ltl.fragment import LTL_P, LTL_PY, LTL_Y, Fragment
from semigroups.certificate import PumpingFamily
from semigroups.forbidden import admits, forbidden_pattern
from semigroups.pumping import pumping_family
from semigroups.shortest import shortest_family
from tests.strategies import AB, all_words, dfas, small_minimal_dfas

FRAGMENTS = [LTL_P, LTL_Y, LTL_PY]


def key(family: PumpingFamily) -> tuple[object, ...]:
    inside, outside = family.pair(1)
    return len(inside) + len(outside), len(inside), inside, outside


def least_key_of_all(dfa: DFA, fragment: Fragment, longest: int) -> tuple[object, ...]:
    """The least key of all families whose words have at most so many letters, from the definition of a family."""
    words = all_words(AB, longest)
    ends = {word: [dfa.run(word, q)[-1] for q in range(dfa.n_states)] for word in words}
    keys = []
    for p, q in product(range(dfa.n_states), repeat=2):
        if p == q:
            continue
        access = next((w for w in words if ends[w][0] == p), None)
        other = next((w for w in words if ends[w][0] == q), None)
        separating = next((w for w in words if dfa.accept[ends[w][p]] and not dfa.accept[ends[w][q]]), None)
        loop = next((w for w in words[1:] if ends[w][p] == p and ends[w][q] == q), None)
        there = next((w for w in words if ends[w][p] == q), None)
        back = next((w for w in words if ends[w][q] == p), None)
        has_y, has_p = fragment.window is not None, fragment.past
        needed = [access, separating, *([loop] if has_y else []), *([there, back] if has_p else [other])]
        if None in needed or access is None or separating is None:
            continue
        family = PumpingFamily(
            fragment,
            AB,
            access,
            separating,
            other_access=None if has_p else other,
            loop=loop if has_y else None,
            there=there if has_p else None,
            back=back if has_p else None,
        )
        keys.append(key(family))
    return min(keys)


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
def test_least_of_all_families_for_small_automata(fragment: Fragment) -> None:
    # Of two states and three: all words from one pair of states to another have fewer than nine letters.
    for dfa in small_minimal_dfas(AB, 3)[::13]:
        family = shortest_family(dfa, fragment)
        if admits(dfa, fragment):
            assert family is None
        else:
            assert family is not None
            assert key(family) == least_key_of_all(dfa, fragment, 8)
            assert family.check(dfa, max_depth=2) is None


def is_family(dfa: DFA, fragment: Fragment, words: tuple[str, ...]) -> PumpingFamily | None:
    names = {LTL_P: ("there", "back"), LTL_Y: ("other_access", "loop"), LTL_PY: ("loop", "there", "back")}[fragment]
    family = PumpingFamily(fragment, AB, words[0], words[1], **dict(zip(names, words[2:], strict=True)))
    return family if family.check(dfa, max_depth=1) is None else None


@pytest.mark.parametrize("fragment", [LTL_P, LTL_Y], ids=lambda fragment: fragment.name)
def test_no_words_of_two_letters_make_a_shorter_family(fragment: Fragment) -> None:
    # All choices of the four words, with no thought of states at all.
    for dfa in small_minimal_dfas(AB, 3)[5::200]:
        best = shortest_family(dfa, fragment)
        if best is None:
            continue
        for words in product(all_words(AB, 2), repeat=4):
            family = is_family(dfa, fragment, words)
            assert family is None or key(family) >= key(best)


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
@given(dfa=dfas(max_states=7).map(minimize))
def test_never_longer_than_the_first_pattern_found(fragment: Fragment, dfa: DFA) -> None:
    pattern, family = forbidden_pattern(dfa, fragment), shortest_family(dfa, fragment)
    assert (pattern is None) == (family is None)
    if pattern is not None and family is not None:
        assert sum(map(len, family.pair(1))) <= sum(map(len, pumping_family(pattern).pair(1)))
        assert family.check(dfa, max_depth=2) is None


def test_ends_with_a_against_global_attention() -> None:
    # Theory: (ab)^n a against (ab)^n; with equal ends and the shortest first pair, aba against abab.
    family = shortest_family(DFA(AB, [[1, 0], [1, 0]], 0, [False, True]), LTL_P)
    assert family is not None
    assert family.pair(1) == ("aba", "abab")


def test_larger_automata_keep_the_pattern_found_first() -> None:
    rng = np.random.default_rng(0)
    dfa = minimize(DFA(Alphabet.of("ab"), rng.integers(0, 30, (30, 2)), 0, rng.random(30) < 0.5))
    for fragment in FRAGMENTS:
        pattern = forbidden_pattern(dfa, fragment)
        assert pattern is not None
        assert shortest_family(dfa, fragment, max_searched=dfa.n_states - 1) == pumping_family(pattern)
        shorter = shortest_family(dfa, fragment)
        assert shorter is not None
        assert key(shorter) <= key(pumping_family(pattern))
