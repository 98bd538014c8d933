"""Finite semigroups as Cayley graphs: products, idempotents, omega powers, Green's classes, local monoids.

Nothing here builds a multiplication table: a semigroup of a million elements has two graphs of a million rows, and
products follow the word of one factor through the graph of the other, or compose the transformations they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from automata.errors import ToolkitError
from automata.graph import strong_components
from semigroups.cayley import first_edges, last_edges, left_graph, level_bounds

Elements: TypeAlias = NDArray[np.integer[Any]]
"""Elements of a semigroup as their numbers, any shape."""

Number = TypeVar("Number", np.int32, np.int64)


class Transformations(Protocol):
    """Elements of a semigroup as transformations of points, all different: another way to multiply."""

    @property
    def cost(self) -> int:
        """Steps in a Cayley graph that take as long as one product."""
        ...

    def images(self, elements: Elements) -> NDArray[np.integer[Any]]:
        """Return where m elements lead each of p points, int[m, p]."""
        ...

    def multiply(self, x: Elements, y: Elements) -> NDArray[np.int32]:
        """Multiply two arrays int[m] of elements, which act on the right."""
        ...


@dataclass(frozen=True, eq=False)
class FiniteSemigroup:
    """A finite semigroup given by its Cayley graphs over k generators; n elements, numbered from 0.

    `right[s, a]` is s·a and `left[s, a]` is a·s, both int32[n, k]; `generators[a]` is the element that generator a is,
    int32[k], where two generators may be the same element. Elements are numbered by their least words over the
    generators (shortest, then by generator number), so element 0 is the first generator. Arrays are copied and made
    read-only; shapes, range and numbering are checked, associativity is the maker's promise. Without a left graph it is
    derived from the right one. `transformations`, if given, are what the elements are; `product` uses them where words
    are long. The empty semigroup (n = k = 0) is allowed.

    >>> left_zero = FiniteSemigroup(right=[[0, 0], [1, 1]], left=[[0, 1], [0, 1]], generators=[0, 1])
    >>> left_zero.product([0, 1], [1, 1]).tolist()
    [0, 1]
    """

    right: NDArray[np.int32]
    left: NDArray[np.int32]
    generators: NDArray[np.int32]
    transformations: Transformations | None = field(default=None, repr=False)
    _last_edges: tuple[NDArray[np.int32], NDArray[np.int32]] = field(init=False, repr=False)

    def __init__(
        self,
        right: ArrayLike,
        left: ArrayLike | None,
        generators: ArrayLike,
        transformations: Transformations | None = None,
    ) -> None:
        images = np.array(generators, dtype=np.int32)
        shape = (-1, len(images)) if len(images) else (0, 0)
        tables = [np.array(table, dtype=np.int32).reshape(shape) for table in (right, left) if table is not None]
        for table in tables:
            if table.shape != tables[0].shape or (table.size and not 0 <= table.min() <= table.max() < len(table)):
                raise ToolkitError("the Cayley graphs must be two tables of one shape, with entries that are elements")
        if images.size and not 0 <= images.min() <= images.max() < len(tables[0]):
            raise ToolkitError("a generator is not an element")
        edges = last_edges(tables[0], images)
        if left is None:
            tables.append(left_graph(tables[0], images, edges))
        for array in (*tables, images, *edges):
            array.flags.writeable = False
        object.__setattr__(self, "right", tables[0])
        object.__setattr__(self, "left", tables[1])
        object.__setattr__(self, "generators", images)
        object.__setattr__(self, "transformations", transformations)
        object.__setattr__(self, "_last_edges", edges)

    def __len__(self) -> int:
        return len(self.right)

    @cached_property
    def lengths(self) -> NDArray[np.int32]:
        """Length of the least word of each element, int32[n]."""
        counts = np.diff(level_bounds(self._last_edges[0]))
        return np.repeat(np.arange(1, len(counts) + 1, dtype=np.int32), counts)

    @cached_property
    def _first_edges(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Least word of each element as (suffix, first letter); the suffix of a generator is -1."""
        return first_edges(self.left, self.lengths, self._last_edges[1])

    def word(self, element: int) -> list[int]:
        """Return the least word over the generators (shortest, then in generator order) of an element."""
        prefix, last = self._last_edges
        codes = []
        while element >= 0:
            codes.append(int(last[element]))
            element = int(prefix[element])
        return codes[::-1]

    def image(self, codes: Iterable[int]) -> int:
        """Return the product of a non-empty sequence of generators."""
        element = -1
        for code in codes:
            element = int(self.right[element, code] if element >= 0 else self.generators[code])
        if element < 0:
            raise ToolkitError("the empty word has no image in a semigroup")
        return element

    def act(self, delta: NDArray[np.int32], point: int) -> NDArray[np.int32]:
        """Return where each element leads a point, int32[n], if generator a leads point p to delta[p, a]."""
        prefix, last = self._last_edges
        ends = np.full(len(self), point, dtype=np.int32)
        for i, (begin, end) in enumerate(pairwise(level_bounds(prefix))):
            before = ends[prefix[begin:end]] if i else point
            ends[begin:end] = delta[before, last[begin:end]]
        return ends

    def product(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.int32]:
        """Multiply arrays of elements, broadcast as numpy does.

        Each pair follows the word of its shorter factor: as many gathers as the longest such word has letters; or it is
        composed, where that is less work.
        """
        left_factor, right_factor = np.broadcast_arrays(np.asarray(x, dtype=np.int32), np.asarray(y, dtype=np.int32))
        s, t = left_factor.ravel(), right_factor.ravel()
        steps = np.minimum(self.lengths[s], self.lengths[t])
        if self.transformations is not None and int(steps.sum(dtype=np.int64)) > self.transformations.cost * len(steps):
            return self.transformations.multiply(s, t).reshape(left_factor.shape)
        result = np.empty(len(s), dtype=np.int32)
        from_left = self.lengths[t] == steps
        suffix, first = self._first_edges
        prefix, last = self._last_edges
        result[from_left] = _follow(self.right, s[from_left], t[from_left], first, suffix)
        result[~from_left] = _follow(self.left, t[~from_left], s[~from_left], last, prefix)
        return result.reshape(left_factor.shape)

    @cached_property
    def is_idempotent(self) -> NDArray[np.bool_]:
        """Mark the elements e with e·e = e, bool[n]."""
        everything = np.arange(len(self), dtype=np.int32)
        return np.equal(self.product(everything, everything), everything)

    @cached_property
    def _idempotent_of_class(self) -> NDArray[np.int32]:
        """The one idempotent of each H-class that is a group, -1 for the others."""
        by_class = np.full(len(self), -1, dtype=np.int32)
        idempotents = np.flatnonzero(self.is_idempotent)
        by_class[self.h_classes[idempotents]] = idempotents
        return by_class

    def omega(self, x: ArrayLike) -> NDArray[np.int32]:
        """Return the idempotent power of each of an array of elements.

        Squaring leads into the maximal subgroup of the powers, an H-class, whose one idempotent is the answer.
        """
        power = np.array(x, dtype=np.int32).ravel()
        result = np.empty_like(power)
        waiting = np.arange(len(power))
        while len(waiting):
            found = self._idempotent_of_class[self.h_classes[power]]
            result[waiting] = found
            waiting, power = waiting[found < 0], power[found < 0]
            power = self.product(power, power)
        return result.reshape(np.shape(x))

    @cached_property
    def r_classes(self) -> NDArray[np.int32]:
        """R-class of each element (equal right ideals), as labels: the components of the right Cayley graph."""
        return strong_components(self.right) if len(self) else np.empty(0, dtype=np.int32)

    @cached_property
    def l_classes(self) -> NDArray[np.int32]:
        """L-class of each element (equal left ideals), as labels: the components of the left Cayley graph."""
        return strong_components(self.left) if len(self) else np.empty(0, dtype=np.int32)

    @cached_property
    def j_classes(self) -> NDArray[np.int32]:
        """J-class of each element (equal ideals), as labels.

        In finite semigroups J is D, the join of R and L: the components of the graph that joins R- and L-classes
        that meet.
        """
        if not len(self):
            return np.empty(0, dtype=np.int32)
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        n_rows = int(self.r_classes.max()) + 1
        size = n_rows + int(self.l_classes.max()) + 1
        some = np.unique(self.h_classes, return_index=True)[1]
        ends = (self.r_classes[some], self.l_classes[some] + n_rows)
        meets = csr_array((np.ones(len(some), dtype=np.int8), ends), shape=(size, size))
        return np.asarray(connected_components(meets, directed=False)[1][self.r_classes], dtype=np.int32)

    @cached_property
    def h_classes(self) -> NDArray[np.int32]:
        """H-class of each element (both R and L), as labels."""
        pairs = self.r_classes.astype(np.int64) * max(1, len(self)) + self.l_classes
        return np.asarray(np.unique(pairs, return_inverse=True)[1], dtype=np.int32)

    @cached_property
    def j_edges(self) -> NDArray[np.int32]:
        """Pairs of distinct J-classes (c, d) where a generator leads from c down to d, sorted, int32[p, 2].

        The order of the J-classes is the reflexive and transitive closure.
        """
        labels = self.j_classes
        keys = [np.empty(0, dtype=np.int64)]
        for graph in (self.right, self.left):
            for column in graph.T:
                targets = labels[column]
                leaving = targets != labels
                keys.append(_distinct(labels[leaving].astype(np.int64) * len(self) + targets[leaving]))
        return np.stack(np.divmod(_distinct(np.concatenate(keys)), max(1, len(self))), axis=1).astype(np.int32)

    def right_ideal(self, element: int) -> NDArray[np.int32]:
        """Return the elements of sS with s itself, sorted."""
        return _reachable(self.right, np.array([element]))

    def left_ideal(self, element: int) -> NDArray[np.int32]:
        """Return the elements of Ss with s itself, sorted."""
        return _reachable(self.left, np.array([element]))

    def local_monoid(self, idempotent: int) -> NDArray[np.int32]:
        """Return the elements of eSe for an idempotent e, sorted: the meet of the ideals eS and Se."""
        if idempotent not in self._local_monoids:
            ideals = self.right_ideal(idempotent), self.left_ideal(idempotent)
            found = np.intersect1d(*ideals, assume_unique=True)
            if idempotent not in self.top_idempotents:
                return found
            found.flags.writeable = False
            self._local_monoids[idempotent] = found
        return self._local_monoids[idempotent]

    @cached_property
    def _local_monoids(self) -> dict[int, NDArray[np.int32]]:
        """Local monoids of top idempotents, which several decisions look at, once they are known."""
        return {}

    @cached_property
    def top_idempotents(self) -> NDArray[np.int32]:
        """Idempotents whose local monoids tell about all: the first of each maximal J-class that holds any.

        If e is J-below f then e is conjugate to an idempotent under f, so eSe embeds in fSf; what holds in the local
        monoids of these, and passes to submonoids and isomorphic copies, holds in every local monoid.
        """
        if not len(self):
            return np.empty(0, dtype=np.int32)
        idempotents = np.flatnonzero(self.is_idempotent)
        classes, first = np.unique(self.j_classes[idempotents], return_index=True)
        edges = self.j_edges
        covered = _reached_from(edges, edges[np.isin(edges[:, 0], classes), 1], int(self.j_classes.max()) + 1)
        return np.sort(idempotents[first[~covered[classes]]]).astype(np.int32)


def _follow(
    graph: NDArray[np.int32],
    source: Elements,
    word: Elements,
    letter: NDArray[np.int32],
    rest: NDArray[np.int32],
) -> NDArray[np.int32]:
    """Walk from each source along the word of each element, which its letter and the rest of it spell."""
    place = np.array(source, dtype=np.int32)
    walking = np.arange(len(place))
    left_over = np.array(word, dtype=np.int32)
    while len(walking):
        place[walking] = graph[place[walking], letter[left_over]]
        left_over = rest[left_over]
        going = left_over >= 0
        walking, left_over = walking[going], left_over[going]
    return place


def _distinct(keys: NDArray[Number]) -> NDArray[Number]:
    """Sort numbers in place and return the distinct ones; for millions that is faster than numpy's `unique`."""
    keys.sort()
    distinct: NDArray[Number] = keys[np.diff(keys, prepend=keys[:1] - 1) != 0]
    return distinct


def _reached_from(edges: NDArray[np.int32], sources: NDArray[np.int32], n: int) -> NDArray[np.bool_]:
    """Mark the vertices 0..n-1 that some path along edges int32[p, 2], perhaps empty, joins to some source, bool[n]."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    # One more vertex with an edge to each source: one search finds everything.
    tails = np.concatenate((edges[:, 0], np.full(len(sources), n)))
    heads = np.concatenate((edges[:, 1], sources))
    graph = csr_array((np.ones(len(tails), dtype=np.int32), (tails, heads)), shape=(n + 1, n + 1))
    reached = np.zeros(n + 1, dtype=np.bool_)
    reached[breadth_first_order(graph, n, return_predecessors=False)] = True
    return reached[:-1]


def _reachable(graph: NDArray[np.int32], sources: Elements) -> NDArray[np.int32]:
    """Return the vertices reachable from some source, the sources among them, sorted."""
    seen = np.zeros(len(graph), dtype=np.bool_)
    frontier = sources
    while len(frontier):
        seen[frontier] = True
        targets = graph[frontier].ravel()
        frontier = _distinct(targets[~seen[targets]])
    return np.flatnonzero(seen).astype(np.int32)
