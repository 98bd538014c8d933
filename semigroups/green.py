"""Green's relations of a finite semigroup: D-classes as values, listed from the top of the J-order down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from semigroups.semigroup import FiniteSemigroup
from semigroups.subgroup import MaximalSubgroup, maximal_subgroup


@dataclass(frozen=True, eq=False)
class DClass:
    """A D-class of a finite semigroup: its egg-box, rows the R-classes, columns the L-classes, cells the H-classes.

    `cells[i, j]` are the elements of one H-class, sorted, int32[rows, columns, h]; all H-classes of a D-class have one
    size h. Rows and columns are ordered by their least elements. `idempotents[i, j]` is the idempotent of a cell that
    is a group, -1 in the others, int32[rows, columns]. `number` is the place in the list of D-classes.
    """

    semigroup: FiniteSemigroup
    number: int
    cells: NDArray[np.int32]
    idempotents: NDArray[np.int32]

    def __len__(self) -> int:
        return int(self.cells.size)

    @property
    def n_rows(self) -> int:
        """Number of R-classes."""
        return int(self.cells.shape[0])

    @property
    def n_columns(self) -> int:
        """Number of L-classes."""
        return int(self.cells.shape[1])

    @property
    def h_size(self) -> int:
        """Number of elements of each H-class."""
        return int(self.cells.shape[2])

    @property
    def elements(self) -> NDArray[np.int32]:
        """All elements, sorted, int32[m]."""
        return np.sort(self.cells, axis=None)

    @property
    def is_regular(self) -> bool:
        """True iff some element, and then each, has an x with s x s = s: there is an idempotent."""
        return bool(np.any(self.idempotents >= 0))

    @cached_property
    def group(self) -> MaximalSubgroup | None:
        """The maximal subgroup around the least idempotent, isomorphic to all others; None if not regular."""
        found = self.idempotents[self.idempotents >= 0]
        return maximal_subgroup(self.semigroup, int(found.min())) if len(found) else None


@dataclass(frozen=True, eq=False)
class GreenStructure:
    """The D-classes of a finite semigroup, numbered from the top: no class comes before one that is above it.

    `d_class_of[s]` is the number of the D-class of each element, int32[n]; `levels[d]` is the length of the longest
    chain of classes above D-class d, int32[m], and `is_regular[d]` tells whether it holds an idempotent, bool[m].
    D-classes are numbered by level, then by their least elements. A semigroup may have as many D-classes as elements,
    so each one becomes a value when it is asked for.
    """

    semigroup: FiniteSemigroup
    d_class_of: NDArray[np.int32]
    levels: NDArray[np.int32]
    is_regular: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.levels)

    def __iter__(self) -> Iterator[DClass]:
        return map(self.__getitem__, range(len(self)))

    @cached_property
    def _members(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Elements by D-class, and where each class begins in that list."""
        order = np.argsort(self.d_class_of, kind="stable")
        return order, np.searchsorted(self.d_class_of[order], np.arange(len(self) + 1))

    def __getitem__(self, number: int) -> DClass:
        if not 0 <= number < len(self):
            raise IndexError(f"D-class {number}, of {len(self)} numbered from 0")
        order, begins = self._members
        elements = order[begins[number] : begins[number + 1]]
        rows, row_of = _by_least_element(self.semigroup.r_classes[elements])
        columns, column_of = _by_least_element(self.semigroup.l_classes[elements])
        cells = elements[np.lexsort((column_of, row_of))].astype(np.int32).reshape(rows, columns, -1)
        idempotents = np.max(np.where(self.semigroup.is_idempotent[cells], cells, np.int32(-1)), axis=2)
        return DClass(self.semigroup, number, cells, idempotents)

    @cached_property
    def edges(self) -> NDArray[np.int32]:
        """Pairs (d, e) of D-classes where a generator leads from d down to e, sorted, int32[p, 2].

        The J-order is the reflexive and transitive closure.
        """
        number = np.empty(len(self), dtype=np.int32)
        number[self.semigroup.j_classes] = self.d_class_of
        edges = number[self.semigroup.j_edges]
        return edges[np.lexsort((edges[:, 1], edges[:, 0]))]


def green_structure(semigroup: FiniteSemigroup) -> GreenStructure:
    """Return the D-classes of a finite semigroup, top down.

    R- and L-classes are the components of the Cayley graphs; D, the join of both, is J as in all finite semigroups.

    >>> left_zero = FiniteSemigroup(right=[[0, 0], [1, 1]], left=[[0, 1], [0, 1]], generators=[0, 1])
    >>> green = green_structure(left_zero)
    >>> [(d.n_rows, d.n_columns, d.h_size, d.group.name) for d in green]
    [(2, 1, 1, '1')]
    """
    labels = semigroup.j_classes
    least = np.unique(labels, return_index=True)[1]
    levels = _levels(semigroup.j_edges, len(least))
    order = np.lexsort((least, levels))
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    d_class_of = number[labels]
    regular = np.zeros(len(order), dtype=np.bool_)
    regular[d_class_of[semigroup.is_idempotent]] = True
    for array in (d_class_of, regular):
        array.flags.writeable = False
    return GreenStructure(semigroup, d_class_of, levels[order], regular)


def covers(green: GreenStructure) -> list[tuple[int, int]]:
    """Return the pairs (d, e) of D-classes where e is next below d in the J-order, sorted: the Hasse diagram.

    Takes m bits for each of m D-classes.
    """
    successors: list[list[int]] = [[] for _ in range(len(green))]
    for upper, lower in green.edges.tolist():
        successors[upper].append(lower)
    below = [0] * len(green)  # the D-classes strictly below each one, as bits
    found = []
    for upper in range(len(green) - 1, -1, -1):
        for lower in successors[upper]:  # ascending, so that what lies between comes first
            if not below[upper] >> lower & 1:
                found.append((upper, lower))
                below[upper] |= below[lower] | 1 << lower
    return sorted(found)


def _by_least_element(labels: NDArray[np.int32]) -> tuple[int, NDArray[np.intp]]:
    """Count the labels and renumber them by first appearance."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return len(first), np.argsort(np.argsort(first))[inverse]


def _levels(edges: NDArray[np.int32], n_classes: int) -> NDArray[np.int32]:
    """Return the length of the longest path to each vertex of an acyclic graph, int32[n], peeling off the sources."""
    above = np.bincount(edges[:, 1], minlength=n_classes)
    begins = np.searchsorted(edges[:, 0], np.arange(n_classes + 1))
    levels = np.zeros(n_classes, dtype=np.int32)
    frontier = np.flatnonzero(above == 0)
    level = 0
    while len(frontier):
        levels[frontier] = level
        counts = begins[frontier + 1] - begins[frontier]
        ends = np.cumsum(counts)
        leaving = np.repeat(begins[frontier] - ends + counts, counts) + np.arange(int(ends[-1]))
        targets, times = np.unique(edges[leaving, 1], return_counts=True)
        above[targets] -= times
        frontier = targets[above[targets] == 0]
        level += 1
    return levels
