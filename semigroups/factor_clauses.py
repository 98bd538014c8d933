"""Few clauses over prefixes, factors and suffixes, from a list of what is seen of the words inside and outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Word
from semigroups.factors import FactorClause

_Bits: TypeAlias = NDArray[np.bool_]


def factor_clauses(
    long: Mapping[tuple[tuple[int, ...], tuple[int, ...], int], bool],
    numbers: Sequence[int],
    order: int,
    alphabet: Alphabet,
) -> tuple[FactorClause, ...]:
    """Return clauses of which one holds exactly for what `long` calls True.

    `long` maps what is seen of a word, its prefix and its suffix as codes and its factors as bits, to whether it is
    inside; bit i stands for the factor whose codes are the digits of `numbers[i]` to the base of the alphabet's size.
    A clause is made of what is seen of one word, by dropping conditions, until all is covered; then superfluous clauses
    go. There are few of them, not always as few as can be.
    """
    edges = sorted({edge for prefix, suffix, _ in long for edge in (prefix, suffix)})
    place = {edge: i for i, edge in enumerate(edges)}
    accepted = np.array(list(long.values()), dtype=np.bool_)
    factor_bits = [[seen >> i & 1 for i in range(len(numbers))] for _, _, seen in long]
    table = _Table(
        np.array([place[prefix] for prefix, _, _ in long], dtype=np.intp),
        np.array([place[suffix] for _, suffix, _ in long], dtype=np.intp),
        np.array(factor_bits, dtype=np.bool_).reshape(len(long), len(numbers)),
    )
    inside, outside = table.rows(accepted), table.rows(~accepted)
    chosen: list[_Clause] = []
    covered = np.zeros(len(inside.prefixes), dtype=np.bool_)
    while not covered.all():
        clause = _expanded(inside, outside, int(covered.argmin()), covered)
        chosen.append(clause)
        covered |= clause.covers(inside)
    counts = sum((clause.covers(inside).astype(np.int64) for clause in chosen), np.zeros(len(covered), dtype=np.int64))
    kept = []
    for clause in reversed(chosen):
        if (counts[clause.covers(inside)] > 1).all():
            counts -= clause.covers(inside)
        else:
            kept.append(clause)
    factors = [_factor(number, order, alphabet) for number in numbers]
    return tuple(
        FactorClause(
            None if clause.prefixes is None else tuple(alphabet.decode(edges[i]) for i in sorted(clause.prefixes)),
            None if clause.suffixes is None else tuple(alphabet.decode(edges[i]) for i in sorted(clause.suffixes)),
            tuple(factors[i] for i in np.flatnonzero(clause.required)),
            tuple(factors[i] for i in np.flatnonzero(clause.excluded)),
        )
        for clause in reversed(kept)
    )


@dataclass(frozen=True)
class _Table:
    """Profiles of long words: numbers of prefixes and suffixes, int[n], and which factors occur, bool[n, factors]."""

    prefixes: NDArray[np.intp]
    suffixes: NDArray[np.intp]
    factors: _Bits

    def rows(self, wanted: _Bits) -> _Table:
        return _Table(self.prefixes[wanted], self.suffixes[wanted], self.factors[wanted])


@dataclass(frozen=True)
class _Clause:
    """A clause over numbers: prefixes and suffixes allowed (None: any), factors required, factors excluded (marked)."""

    prefixes: frozenset[int] | None
    suffixes: frozenset[int] | None
    required: _Bits
    excluded: _Bits

    @property
    def size(self) -> int:
        return (
            (self.prefixes is not None)
            + (self.suffixes is not None)
            + int(self.required.sum())
            + int(self.excluded.sum())
        )

    def covers(self, table: _Table) -> _Bits:
        """Mark the profiles of which the clause holds, bool[n]."""
        held = np.all(table.factors[:, self.required], axis=1) & ~np.any(table.factors[:, self.excluded], axis=1)
        if self.prefixes is not None:
            held &= np.isin(table.prefixes, sorted(self.prefixes))
        if self.suffixes is not None:
            held &= np.isin(table.suffixes, sorted(self.suffixes))
        return np.asarray(held, dtype=np.bool_)


def _expanded(inside: _Table, outside: _Table, row: int, covered: _Bits) -> _Clause:
    """Return a clause that holds of the profile in this row of `inside` and of none of `outside`, with few conditions.

    Conditions are dropped one by one as long as every profile outside breaks one that is left. In which order, makes a
    difference: of four orders the clause that covers most profiles not yet covered is taken, then the smallest.
    """
    prefix, suffix, present = int(inside.prefixes[row]), int(inside.suffixes[row]), inside.factors[row]
    # Conditions: the prefix, the suffix, and for each factor that it occurs or does not.
    broken = np.concatenate(
        ((outside.prefixes != prefix)[:, None], (outside.suffixes != suffix)[:, None], outside.factors != present),
        axis=1,
    )
    edges, required, excluded = [0, 1], (2 + np.flatnonzero(present)).tolist(), (2 + np.flatnonzero(~present)).tolist()
    found: list[tuple[int, int, _Clause]] = []
    for conditions in (
        [*excluded, *edges, *required],
        [*required, *edges, *excluded],
        [*edges, *excluded, *required],
        [*edges, *required, *excluded],
    ):
        kept = _needed(broken, conditions)
        clause = _Clause(
            frozenset([prefix]) if kept[0] else None,
            frozenset([suffix]) if kept[1] else None,
            kept[2:] & present,
            kept[2:] & ~present,
        )
        clause = _widened(clause, inside, outside)
        key = (-int((clause.covers(inside) & ~covered).sum()), clause.size)
        found.append((*key, clause))
    return min(found, key=lambda item: item[:2])[2]


def _needed(broken: _Bits, conditions: Sequence[int]) -> _Bits:
    """Mark the conditions that are left, bool[conditions], when those are dropped in order that can be."""
    counts = broken.sum(axis=1)
    kept = np.ones(broken.shape[1], dtype=np.bool_)
    for condition in conditions:
        if not (counts[broken[:, condition]] == 1).any():
            counts = counts - broken[:, condition]
            kept[condition] = False
    return kept


def _widened(clause: _Clause, inside: _Table, outside: _Table) -> _Clause:
    """Allow every further prefix and suffix with which the clause holds of no profile outside."""
    for name in ("prefixes", "suffixes"):
        allowed: frozenset[int] | None = getattr(clause, name)
        if allowed is None:
            continue
        free = _Clause(
            None if name == "prefixes" else clause.prefixes,
            None if name == "suffixes" else clause.suffixes,
            clause.required,
            clause.excluded,
        )
        good = set(getattr(inside, name)[free.covers(inside)].tolist())
        bad = set(getattr(outside, name)[free.covers(outside)].tolist())
        wider = allowed | (good - bad)
        clause = _Clause(
            wider if name == "prefixes" else clause.prefixes,
            wider if name == "suffixes" else clause.suffixes,
            clause.required,
            clause.excluded,
        )
    return clause


def _factor(number: int, order: int, alphabet: Alphabet) -> Word:
    codes = []
    for _ in range(order):
        number, code = divmod(number, len(alphabet))
        codes.append(code)
    return alphabet.decode(reversed(codes))
