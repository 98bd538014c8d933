from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from automata.dfa import DFA
from automata.errors import TooLarge
from automata.minimize import minimize
from ltl.compile import formula_to_dfa
from ltl.fragment import LTL_Y, fragment_of
from semigroups.blocks import BlockFormulas
from semigroups.definite import definite_order
from tests.strategies import AB


@st.composite
def cut_automata(draw: st.DrawFn) -> tuple[DFA, NDArray[np.int32]]:
    """Draw automata cut into blocks: letters lead to lower states of the block, its first state, or a later block.

    Then two states of a block meet or leave it; the cut need not be into components, nor into single states.
    """
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    blocks = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    n = len(blocks)
    rows = []
    for state in range(n):
        first = int(np.searchsorted(blocks, blocks[state]))
        later = range(first + sizes[blocks[state]], n)
        targets = st.sampled_from([*range(first, max(first + 1, state)), *later])
        rows.append([draw(targets), draw(targets)])
    accept = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    return DFA(AB, rows, draw(st.integers(0, sizes[0] - 1)), accept), blocks


@given(cut_automata(), st.booleans())
def test_any_cut_into_blocks_that_no_run_re_enters_will_do(
    case: tuple[DFA, NDArray[np.int32]], with_yesterday: bool
) -> None:
    dfa, blocks = case
    formula = BlockFormulas(dfa, blocks, with_yesterday, 10_000).language()
    assert formula_to_dfa(formula, AB) == minimize(dfa)


def test_one_block_of_all_states_uses_yesterday_alone() -> None:
    q = np.arange(64)
    dfa = minimize(
        DFA(AB, np.stack((2 * q % 64, 2 * q % 64 + 1), axis=1), 5, np.random.default_rng(3).random(64) < 0.5)
    )
    assert definite_order(dfa) == 6
    formula = BlockFormulas(dfa, np.zeros(dfa.n_states, dtype=np.int32), True, 1000).language()
    assert fragment_of(formula) <= LTL_Y
    assert formula_to_dfa(formula, AB) == dfa


def test_the_limit_counts_cases() -> None:
    # The letter two back: the cases are its two states apart, seen from zero and from one letter later.
    q = np.arange(4)
    dfa = DFA(AB, np.stack((2 * q % 4 + 1, 2 * q % 4), axis=1), 0, q >= 2)
    whole = np.zeros(4, dtype=np.int32)
    assert BlockFormulas(dfa, whole, True, 2).language() is not None
    with pytest.raises(TooLarge, match="reached 2, more than the limit of 1; raise max_cases"):
        BlockFormulas(dfa, whole, True, 1).language()
