"""Equations by definition: all assignments, on full multiplication tables of what words do to the states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from automata.dfa import DFA
from semigroups.equation import Equation
from semigroups.omega_term import Power, evaluate
from tests.strategies import transformations


@dataclass(frozen=True)
class Table:
    """Multiplication of S = elements 0..size-1 of a minimal automaton, and of M, whose identity is `identity`.

    `stable` are the elements of the stable semigroup, found by walking the sets of actions of words of one length.
    """

    products: np.ndarray
    size: int
    identity: int
    stable: np.ndarray

    @property
    def idempotents(self) -> list[int]:
        return [e for e in range(self.size) if self.products[e, e] == e]

    def power(self, x: int, power: Power) -> int:
        """By following the powers x, xx, xxx, ...; the inverse of a group element is looked for among them."""
        powers = [x]
        while len(powers) < 2 * len(self.products) + max(power.shift, 0):
            powers.append(int(self.products[powers[-1], x]))
        if not power.omega:
            return powers[power.shift - 1]
        (omega,) = {p for p in powers if self.products[p, p] == p}
        if power.shift >= 0:
            return reduce(lambda p, _: int(self.products[p, x]), range(power.shift), omega)
        back = [p for p in powers if self.products[omega, p] == p]
        return next(p for p in back if reduce(lambda q, _: self.products[q, x], range(-power.shift), p) == omega)


def table_of(minimal: DFA) -> Table:
    """List what words do to the states, by closure."""
    actions = sorted(transformations(minimal))
    identity = tuple(range(minimal.n_states))
    size = len(actions)
    if identity not in actions:
        actions.append(identity)
    number = {action: i for i, action in enumerate(actions)}
    products = np.array([[number[tuple(g[q] for q in f)] for g in actions] for f in actions])
    letters = {number[tuple(column)] for column in minimal.delta.T.tolist()}
    by_length = [frozenset(letters)]
    while True:
        index = len(by_length)
        double = by_length[-1]
        for _ in range(index):
            double = frozenset(int(products[x, a]) for x in double for a in letters)
        if double == by_length[-1]:
            break
        by_length.append(frozenset(int(products[x, a]) for x in by_length[-1] for a in letters))
    return Table(products, size, number[identity], np.array(sorted(by_length[-1]), dtype=int))


def holds(table: Table, equation: Equation, read_on: str) -> bool:
    """True iff all assignments fulfil the equation, evaluated at once.

    Variables that occur under ^w alone take idempotents: x^w is all that counts.
    """
    if read_on == "S":
        return _holds(table, equation, np.arange(table.size), None)
    if read_on == "M":
        return _holds(table, equation, np.arange(len(table.products)), table.identity)
    if read_on == "stable":
        return _holds(table, equation, table.stable, None)
    local = [(np.unique(table.products[table.products[e, : table.size], e]), e) for e in table.idempotents]
    return all(_holds(table, equation, elements, e) for elements, e in local)


def _holds(table: Table, equation: Equation, elements: np.ndarray, unit: int | None) -> bool:
    powers = {
        symbol: np.array([table.power(x, symbol) for x in range(len(table.products))])
        for symbol in {*equation.left, *equation.right}
        if isinstance(symbol, Power)
    }
    idempotent = elements[table.products[elements, elements] == elements]
    only = [v for v in equation.variables if all(_under_omega(side, v) for side in (equation.left, equation.right))]
    domains = [idempotent if v in only else elements for v in equation.variables]
    values = dict(zip(equation.variables, np.ix_(*domains), strict=True)) | {"1": np.array(unit or 0)}
    left, right = (
        evaluate(side, values, lambda x, y: table.products[x, y], lambda x, power: powers[power][x])
        for side in (equation.left, equation.right)
    )
    return bool(np.all(left == right))


def _under_omega(side: tuple[str | Power, ...], variable: str) -> bool:
    after = [side[i + 1] if i + 1 < len(side) else "" for i, symbol in enumerate(side) if symbol == variable]
    return all(symbol == Power(True, 0) for symbol in after)


def is_dot_depth_one(table: Table) -> bool:
    """True iff Knast's equation holds: (exfy)^w ex ft (ezft)^w = (exfy)^w (ezft)^w, e and f idempotent.

    Both sides are products of two factors, one made of x and y, one made of z and t: all pairs (x, y) give a set of
    first factors, all pairs (z, t) a set of second ones, and each of the first is tried with each of the second.
    """
    products, everything = table.products, np.arange(table.size)
    omega = np.array([table.power(x, Power(True, 0)) for x in range(len(products))])
    for e in table.idempotents:
        for f in table.idempotents:
            there = products[products[e, everything], f]
            round_trips = products[there[:, None], everything]
            loops = omega[round_trips]
            starts = np.unique(np.stack([loops, products[loops, there[:, None]]], axis=-1).reshape(-1, 2), axis=0)
            back = products[f, everything]
            ends = np.unique(np.stack([loops, products[back[None, :], loops]], axis=-1).reshape(-1, 2), axis=0)
            short, long = starts[:, 0], starts[:, 1]
            if not np.array_equal(products[long[:, None], ends[:, 1]], products[short[:, None], ends[:, 0]]):
                return False
    return True


def is_solvable(table: Table) -> bool:
    """True iff every maximal subgroup of M is solvable, by its derived series."""
    for e in table.idempotents:
        omega = [x for x in range(table.size) if table.power(x, Power(True, 0)) == e]
        group = {x for x in omega if table.products[e, x] == x}
        while len(group) > 1:
            inverse = {x: table.power(x, Power(True, -1)) for x in group}
            derived = {e}
            fresh = {
                int(table.products[table.products[inverse[x], inverse[y]], table.products[x, y]])
                for x in group
                for y in group
            }
            while fresh - derived:
                derived |= fresh
                fresh = {int(table.products[x, y]) for x in derived for y in derived}
            if derived == group:
                return False
            group = derived
    return True
