"""Maximal subgroups of finite semigroups: the group H-classes, as permutation groups of few points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automata.errors import ToolkitError
from semigroups.group_name import is_commutative, name_group
from semigroups.semigroup import FiniteSemigroup


@dataclass(frozen=True, eq=False)
class MaximalSubgroup:
    """The maximal subgroup around an idempotent e of a finite semigroup: its H-class, with e as the unit.

    `elements` are the numbers of its elements, sorted, int32[order]; `generators` some of them that generate it as a
    group, int32[g]; `permutations[i]` is a permutation of 0..d-1 that the i-th generator acts as, int32[g, d], by a
    faithful action on the right. The trivial group has no generators.
    """

    idempotent: int
    elements: NDArray[np.int32]
    generators: NDArray[np.int32]
    permutations: NDArray[np.int32]

    @property
    def order(self) -> int:
        """Number of elements."""
        return len(self.elements)

    @cached_property
    def permutation_group(self) -> Any:
        """The group as a `sympy.combinatorics.PermutationGroup`."""
        from sympy.combinatorics import Permutation, PermutationGroup

        degree = self.permutations.shape[1]
        rows = self.permutations.tolist() or [list(range(degree))]
        return PermutationGroup([Permutation(row, size=degree) for row in rows])

    @property
    def is_commutative(self) -> bool:
        """True iff xy = yx for all x, y."""
        return is_commutative(self.permutations)

    @property
    def is_solvable(self) -> bool:
        """True iff the derived series ends in the trivial group."""
        return self.is_commutative or bool(self.permutation_group.is_solvable)

    @cached_property
    def name(self) -> str:
        """Isomorphism type such as "C6", "C2 x C2", "S3", "D4", "A5", or "group of order n" where it is not told.

        "1" is the trivial group.
        """
        return name_group(self.permutations, self.order)


def maximal_subgroup(semigroup: FiniteSemigroup, idempotent: int) -> MaximalSubgroup:
    """Return the maximal subgroup around an idempotent.

    Where the elements are transformations the group acts on the image of the idempotent. Otherwise it acts on the left
    ideal Se by multiplication on the right; of the orbits, the smallest are taken that make the action faithful.

    >>> two_cycle = FiniteSemigroup(right=[[1], [0]], left=[[1], [0]], generators=[0])
    >>> group = maximal_subgroup(two_cycle, 1)
    >>> group.name, group.elements.tolist(), group.permutations.tolist()
    ('C2', [0, 1], [[1, 0]])
    """
    if not 0 <= idempotent < len(semigroup) or int(semigroup.product(idempotent, idempotent)) != idempotent:
        raise ToolkitError(f"element {idempotent} is not an idempotent of this semigroup of {len(semigroup)} elements")
    labels = semigroup.h_classes
    elements = np.flatnonzero(labels == labels[idempotent]).astype(np.int32)
    generators = _generators(semigroup, elements, idempotent)
    if not len(generators):
        return MaximalSubgroup(idempotent, elements, generators, np.empty((0, 1), dtype=np.int32))
    if semigroup.transformations is not None:
        points = np.unique(semigroup.transformations.images(np.array([idempotent])))
        images = semigroup.transformations.images(generators)[:, points]
    else:
        points = _faithful_points(semigroup, elements, generators, idempotent)
        images = semigroup.product(points[None, :], generators[:, None])
    return MaximalSubgroup(idempotent, elements, generators, np.searchsorted(points, images).astype(np.int32))


def _generators(semigroup: FiniteSemigroup, elements: NDArray[np.int32], unit: int) -> NDArray[np.int32]:
    """Choose elements, least first, each outside of what those before it generate; at most log2 of the order."""
    generated = np.zeros(len(semigroup), dtype=np.bool_)
    generated[unit] = True
    reached = np.array([unit], dtype=np.int32)
    chosen: list[int] = []

    def fresh(products: NDArray[np.int32]) -> NDArray[np.int32]:
        found = np.unique(products[~generated[products]])
        generated[found] = True
        return found

    while len(reached) < len(elements):
        power = int(elements[np.argmin(generated[elements])])
        chosen.append(power)
        frontier = reached
        while len(more := fresh(semigroup.product(frontier, power))):
            frontier = np.concatenate((frontier, more))  # twice as many powers of the new generator on each round
            power = int(semigroup.product(power, power))
        while len(frontier):
            frontier = fresh(semigroup.product(frontier[:, None], np.array(chosen)))
        reached = elements[generated[elements]]
    return np.array(chosen, dtype=np.int32)


def _faithful_points(
    semigroup: FiniteSemigroup, elements: NDArray[np.int32], generators: NDArray[np.int32], unit: int
) -> NDArray[np.int32]:
    """Return a sorted union of orbits of the group on Se, small ones first, on which only the unit fixes all."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    ideal = semigroup.left_ideal(unit)
    images = np.searchsorted(ideal, semigroup.product(ideal[None, :], generators[:, None]))
    starts = np.tile(np.arange(len(ideal)), len(generators))
    edges = csr_array((np.ones(len(starts), dtype=np.int8), (starts, images.ravel())), shape=(len(ideal),) * 2)
    orbits = np.asarray(connected_components(edges, directed=False)[1])
    sizes = np.bincount(orbits)
    representatives = np.full(len(sizes), len(ideal))
    np.minimum.at(representatives, orbits, np.arange(len(ideal)))
    taken = np.zeros(len(sizes), dtype=np.bool_)
    kernel = elements
    while len(kernel) > 1:
        some = kernel[kernel != unit][0]
        moved = np.unique(orbits[semigroup.product(ideal, some) != ideal])
        orbit = moved[np.lexsort((representatives[moved], sizes[moved]))[0]]
        taken[orbit] = True
        points = ideal[orbits == orbit]
        kernel = kernel[np.all(semigroup.product(points[None, :], kernel[:, None]) == points, axis=1)]
    return np.asarray(ideal[taken[orbits]], dtype=np.int32)
