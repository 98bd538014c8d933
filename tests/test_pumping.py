from __future__ import annotations

import pytest

from automata.dfa import DFA
from ltl.fragment import LTL_P, LTL_PY, LTL_Y, Fragment
from semigroups.forbidden import forbidden_pattern
from semigroups.pumping import pumping_family
from tests.strategies import AB, small_minimal_dfas


@pytest.mark.parametrize("fragment", [LTL_P, LTL_Y, LTL_PY], ids=lambda fragment: fragment.name)
def test_inside_words_are_inside_for_every_small_automaton(fragment: Fragment) -> None:
    n_families = 0
    for dfa in small_minimal_dfas(AB, 3):
        pattern = forbidden_pattern(dfa, fragment)
        if pattern is None:
            continue
        n_families += 1
        family = pumping_family(pattern)
        pairs = [family.pair(n) for n in range(1, 6)]
        assert dfa.accepts_batch([inside for inside, _ in pairs]).all()
        assert not dfa.accepts_batch([outside for _, outside in pairs]).any()
    # 156 of the 1,054 are locally R-trivial (theory: counted by brute force).
    assert fragment != LTL_PY or n_families == 1054 - 156


def test_global_attention_family_of_ends_with_a() -> None:
    pattern = forbidden_pattern(DFA(AB, [[1, 0], [1, 0]], 0, [False, True]), LTL_P)
    assert pattern is not None
    assert [pumping_family(pattern).pair(n) for n in (1, 3)] == [("aba", "abab"), ("abababa", "abababab")]
