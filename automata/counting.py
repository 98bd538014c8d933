"""How many words a language has: its rational generating function and its growth rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automata.dfa import DFA
from automata.errors import TooLarge
from automata.graph import live_states, strong_components
from automata.minimize import minimize
from automata.sample import word_counts

MAX_SYMBOLIC_STATES = 200
"""States up to which exact algebra is tried unless the caller says otherwise: it takes seconds there."""


@dataclass(frozen=True)
class GrowthRate:
    """The growth rate of a language, lim sup of the n-th root of its number of words of length n.

    `exact` is a sympy number, `approximate` the same as a float. It is 0 for a finite language, 1 for an
    infinite one whose counts are bounded by a polynomial, and else an algebraic integer above 1.
    """

    exact: Any
    approximate: float


def generating_function(dfa: DFA, max_states: int = MAX_SYMBOLIC_STATES) -> Any:
    """Return the sum of (number of members of length n) z^n as a reduced rational function in sympy.

    The variable is the symbol z. With A the transition matrix of the n live states of the minimal automaton
    it is the entry of (I - zA)^-1 from the start, summed over accepting states. Its denominator divides det(I
    - zA), read off the characteristic polynomial; by Cramer's rule the numerator has a degree below n, so
    that n exact counts settle it. Raise `TooLarge` if there are more than `max_states` live states.

    >>> from automata.alphabet import Alphabet
    >>> generating_function(DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True]))
    -z/(2*z - 1)
    """
    from sympy import Poly, Symbol, cancel

    z = Symbol("z")
    matrix = _transition_matrix(dfa, max_states)
    denominator = Poly(list(reversed(_characteristic_polynomial(matrix))), z)
    counts = Poly(list(reversed(word_counts(dfa, len(matrix)))), z)
    numerator = (denominator * counts).rem(Poly(z ** max(len(matrix), 1), z))
    return cancel(numerator.as_expr() / denominator.as_expr())


def growth_rate(dfa: DFA, max_states: int = MAX_SYMBOLIC_STATES) -> GrowthRate:
    """Return the growth rate: the greatest spectral radius of a strongly connected component of live states.

    By Perron and Frobenius this is the greatest real root of the component's characteristic polynomial. Raise
    `TooLarge` if there are more than `max_states` live states.

    >>> from automata.alphabet import Alphabet
    >>> no_bb = DFA(Alphabet.of("ab"), [[0, 1], [0, 2], [2, 2]], 0, [True, True, False])
    >>> growth_rate(no_bb).exact
    1/2 + sqrt(5)/2
    """
    from sympy import Integer, Poly, Symbol

    matrix = _transition_matrix(dfa, max_states)
    best = GrowthRate(Integer(0), 0.0)
    for component in _components(matrix):
        block = matrix[np.ix_(component, component)]
        if not block.any():
            continue
        if int(block.sum()) == len(block):  # a single cycle
            roots = [Integer(1)]
        else:
            roots = Poly(_characteristic_polynomial(block), Symbol("z")).real_roots(multiple=True)
        root = roots[-1]
        approximate = float(root)
        if approximate > best.approximate:
            best = GrowthRate(root, approximate)
    return best


def _transition_matrix(dfa: DFA, max_states: int) -> NDArray[np.int64]:
    """Count the letters from state to state of the minimal automaton without its dead state, int64[n, n]."""
    dfa = minimize(dfa)
    live = live_states(dfa)
    n_live = int(live.sum())
    if n_live > max_states:
        raise TooLarge("live states for exact algebra", n_live, max_states)
    place = np.cumsum(live) - 1
    sources = np.repeat(np.arange(dfa.n_states), len(dfa.alphabet))
    targets = dfa.delta.ravel()
    kept = live[sources] & live[targets]
    matrix = np.zeros((n_live, n_live), dtype=np.int64)
    np.add.at(matrix, (place[sources[kept]], place[targets[kept]]), 1)
    return matrix


def _components(matrix: NDArray[np.int64]) -> list[NDArray[np.intp]]:
    """List the strongly connected components of the graph of the non-zero entries."""
    if not len(matrix):
        return []
    edges = np.where(matrix > 0, np.arange(len(matrix)), -1).astype(np.int32)
    label = strong_components(edges)
    return [np.flatnonzero(label == number) for number in range(int(label.max()) + 1)]


def _characteristic_polynomial(matrix: NDArray[np.int64]) -> list[int]:
    """Return the coefficients of det(xI - matrix), exactly, that of the highest power first."""
    from sympy import ZZ
    from sympy.polys.densearith import dup_mul
    from sympy.polys.matrices import DomainMatrix

    product = [ZZ(1)]
    for component in _components(matrix):
        block = matrix[np.ix_(component, component)].tolist()
        rows = DomainMatrix([[ZZ(x) for x in row] for row in block], (len(block), len(block)), ZZ)
        product = dup_mul(product, rows.charpoly(), ZZ)
    return [int(coefficient) for coefficient in product]
