"""Stable semigroups against sets of transformations, one word length after another."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError
from automata.minimize import minimize
from semigroups.stable import own_semigroup, stable_semigroup
from semigroups.syntactic import syntactic_semigroup
from tests.strategies import AB, dfas
from tests.test_transformations import cycles

Transformation = tuple[int, ...]


def compose(f: Transformation, g: Transformation) -> Transformation:
    return tuple(g[q] for q in f)


def by_length(dfa: DFA) -> tuple[int, set[Transformation], int]:
    """Stability index, h(A^s) and the period, by walking through the sets of transformations."""
    letters = {tuple(column) for column in minimize(dfa).delta.T.tolist()}
    powers: list[set[Transformation]] = [letters]
    while powers[-1] not in powers[:-1]:
        powers.append({compose(f, g) for f in powers[-1] for g in letters})
    begin = powers.index(powers[-1])
    period = len(powers) - 1 - begin

    def at(length: int) -> set[Transformation]:
        place = length - 1
        return powers[place if place < len(powers) else begin + (place - begin) % period]

    index = next(s for s in range(1, 10_000) if at(s) == at(2 * s))
    return index, at(index), period


@given(dfas(max_states=4))
def test_index_period_and_elements(dfa):
    syntactic = syntactic_semigroup(dfa)
    stable = stable_semigroup(syntactic)
    assert syntactic.stable.elements.tolist() == stable.elements.tolist()
    index, members, period = by_length(dfa)
    assert (stable.index, stable.period) == (index, period)
    images = np.stack([syntactic.semigroup.act(syntactic.dfa.delta, q) for q in range(syntactic.dfa.n_states)], axis=1)
    assert {tuple(row) for row in images[stable.elements].tolist()} == members
    assert (np.diff(stable.elements) > 0).all()
    assert set(np.flatnonzero(syntactic.semigroup.is_idempotent).tolist()) <= set(stable.elements.tolist())


@given(dfas(max_states=4))
def test_words_have_the_length_of_the_index(dfa):
    syntactic = syntactic_semigroup(dfa)
    stable = stable_semigroup(syntactic)
    if stable.index <= 6:
        least: dict[int, str] = {}
        for letters in product(syntactic.alphabet, repeat=stable.index):
            least.setdefault(syntactic.image("".join(letters)), "".join(letters))
        assert {element: stable.word(element) for element in stable.elements.tolist()} == least
    for element in set(range(len(syntactic))) - set(stable.elements.tolist()):
        with pytest.raises(ToolkitError, match="not in the stable semigroup"):
            stable.word(element)


@given(dfas(max_states=4))
def test_classes_are_those_of_the_stable_semigroup_alone(dfa):
    syntactic = syntactic_semigroup(dfa)
    semigroup = syntactic.semigroup
    stable = stable_semigroup(syntactic)
    if len(stable) > 60:
        return
    table = semigroup.product(stable.elements[:, None], stable.elements)
    for labels, ideals in ((stable.r_classes, table), (stable.l_classes, table.T)):
        closed = [frozenset([t, *ideal]) for t, ideal in zip(stable.elements.tolist(), ideals.tolist(), strict=True)]
        pairs = set(zip(labels.tolist(), closed, strict=True))
        assert len(pairs) == len(set(labels.tolist())) == len(set(closed))
    both = set(zip(stable.r_classes.tolist(), stable.l_classes.tolist(), strict=True))
    assert len(set(stable.h_classes.tolist())) == len(both)


@given(dfas(max_states=4))
def test_the_stable_semigroup_of_its_own(dfa):
    stable = stable_semigroup(syntactic_semigroup(dfa))
    own, elements = own_semigroup(stable)
    assert sorted(elements.tolist()) == stable.elements.tolist()
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, len(own), (2, 100))
    products = stable.syntactic.semigroup.product(elements[x], elements[y])
    assert elements[own.product(x, y)].tolist() == products.tolist()


def test_even_length_is_trivial_and_parity_is_not():
    even_length = DFA(AB, [[1, 1], [0, 0]], 0, [True, False])
    parity_of_b = DFA(AB, [[0, 1], [1, 0]], 0, [True, False])
    stable = stable_semigroup(syntactic_semigroup(even_length))
    assert (stable.index, stable.period, len(stable)) == (2, 2, 1)
    stable = stable_semigroup(syntactic_semigroup(parity_of_b))
    assert (stable.index, stable.period, len(stable)) == (1, 1, 2)


@pytest.mark.parametrize(("tail", "period", "index"), [(0, 6, 6), (3, 4, 4), (5, 4, 8), (4, 1, 4), (7, 3, 9)])
def test_the_index_over_one_letter(tail, period, index):
    """x^i, i >= 1, with x^(tail + period) = x^tail: the least multiple of the period that is at least the tail."""
    n = tail + period
    delta = [[i + 1 if i + 1 < n else tail] for i in range(n)]
    stable = stable_semigroup(syntactic_semigroup(DFA(Alphabet.of("x"), delta, 0, [i == n - 1 for i in range(n)])))
    assert (stable.index, stable.period, len(stable)) == (index, period, 1)
    assert stable.word(int(stable.elements[0])) == "x" * index


def test_the_empty_alphabet():
    stable = stable_semigroup(syntactic_semigroup(DFA(Alphabet(()), [[]], 0, [True])))
    assert (stable.index, stable.period, stable.elements.tolist()) == (1, 1, [])
    own, elements = own_semigroup(stable)
    assert (len(own), elements.tolist()) == (0, [])


def test_limits():
    delta = cycles([2, 3, 5, 7]).T
    syntactic = syntactic_semigroup(DFA(Alphabet.of("x"), delta, 0, np.arange(17) % 2 == 0))
    assert syntactic.dfa.n_states == 2  # only the states that the start reaches
    turning = syntactic_semigroup(DFA(Alphabet.of("x"), (np.arange(100)[:, None] + 1) % 100, 0, np.arange(100) == 0))
    assert stable_semigroup(turning, max_steps=101).index == 100
    with pytest.raises(TooLarge, match="reached 100, more than the limit of 99; raise max_steps"):
        stable_semigroup(turning, max_steps=99)
    swap_and_merge = DFA(AB, [[1, 0], [0, 0], [2, 2]], 0, [True, False, False])
    with pytest.raises(TooLarge, match="raise max_cells"):
        own_semigroup(stable_semigroup(syntactic_semigroup(swap_and_merge)), max_cells=1)
