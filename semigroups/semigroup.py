"""Finite semigroups as Cayley graphs: products, idempotents, omega powers, Green's classes, local monoids.

Nothing here builds a multiplication table: a semigroup of 100,000 elements has two graphs of 100,000 rows, and
products follow the word of one factor through the graph of the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from automata.errors import ToolkitError
from automata.graph import strong_components

Elements: TypeAlias = NDArray[np.integer[Any]]
"""Elements of a semigroup as their numbers, any shape."""


@dataclass(frozen=True, eq=False)
class FiniteSemigroup:
    """A finite semigroup given by its Cayley graphs over k generators; n elements, numbered from 0.

    `right[s, a]` is s·a and `left[s, a]` is a·s, both int32[n, k]; `generators[a]` is the element that generator a is,
    int32[k], where two generators may be the same element. Elements are numbered by their least words over the
    generators (shortest, then by generator number), so element 0 is the first generator. Arrays are copied and made
    read-only; shapes, range and numbering are checked, associativity is the maker's promise. The empty semigroup
    (n = k = 0) is allowed.

    >>> left_zero = FiniteSemigroup(right=[[0, 0], [1, 1]], left=[[0, 1], [0, 1]], generators=[0, 1])
    >>> left_zero.product([0, 1], [1, 1]).tolist()
    [0, 1]
    """

    right: NDArray[np.int32]
    left: NDArray[np.int32]
    generators: NDArray[np.int32]

    def __init__(self, right: ArrayLike, left: ArrayLike, generators: ArrayLike) -> None:
        images = np.array(generators, dtype=np.int32)
        shape = (-1, len(images)) if len(images) else (0, 0)
        tables = [np.array(table, dtype=np.int32).reshape(shape) for table in (right, left)]
        for table in tables:
            if table.shape != tables[0].shape or (table.size and not 0 <= table.min() <= table.max() < len(table)):
                raise ToolkitError("the Cayley graphs must be two tables of one shape, with entries that are elements")
        if images.size and not 0 <= images.min() <= images.max() < len(tables[0]):
            raise ToolkitError("a generator is not an element")
        for name, array in zip(("right", "left", "generators"), (*tables, images), strict=True):
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        prefix = self._last_edges[0]
        if not bool(np.all(prefix[1:] >= prefix[:-1])) or not bool(np.all(prefix < np.arange(len(self)))):
            raise ToolkitError("elements must be generated, and numbered by their least words over the generators")

    def __len__(self) -> int:
        return len(self.right)

    @cached_property
    def _last_edges(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Least word of each element as (prefix, last letter); the prefix of a generator is -1."""
        n, k = self.right.shape
        arrivals = np.concatenate((self.generators, self.right.ravel()))
        elements, first = np.unique(arrivals, return_index=True)
        if len(elements) != n:
            raise ToolkitError("some element is not a product of generators")
        row, letter = np.divmod(first.astype(np.int32), np.int32(k))
        return (row - np.int32(1)).astype(np.int32), letter

    @cached_property
    def _levels(self) -> list[slice]:
        """Elements by the length of their least words, from length 1."""
        prefix = self._last_edges[0]
        levels, begin, end = [], 0, int(np.searchsorted(prefix, 0))
        while begin < end:
            levels.append(slice(begin, end))
            begin, end = end, int(np.searchsorted(prefix, end))
        return levels

    @cached_property
    def lengths(self) -> NDArray[np.int32]:
        """Length of the least word of each element, int32[n]."""
        lengths = np.zeros(len(self), dtype=np.int32)
        for length, level in enumerate(self._levels, start=1):
            lengths[level] = length
        return lengths

    @cached_property
    def _first_edges(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Least word of each element as (suffix, first letter); the suffix of a generator is -1."""
        prefix, last = self._last_edges
        suffix = np.full(len(self), -1, dtype=np.int32)
        first = last.copy()
        for i, level in enumerate(self._levels[1:]):
            first[level] = first[prefix[level]]
            if i == 0:
                suffix[level] = self.generators[last[level]]
            else:
                suffix[level] = self.right[suffix[prefix[level]], last[level]]
        return suffix, first

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
        for i, level in enumerate(self._levels):
            before = ends[level] if i == 0 else ends[prefix[level]]
            ends[level] = delta[before, last[level]]
        return ends

    def product(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.int32]:
        """Multiply arrays of elements, broadcast as numpy does.

        Each pair follows the word of its shorter factor: as many gathers as the longest such word has letters.
        """
        left_factor, right_factor = np.broadcast_arrays(np.asarray(x, dtype=np.int32), np.asarray(y, dtype=np.int32))
        s, t = left_factor.ravel(), right_factor.ravel()
        result = np.empty(len(s), dtype=np.int32)
        from_left = self.lengths[t] <= self.lengths[s]
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
        power = np.asarray(x, dtype=np.int32)
        for _ in range(len(self).bit_length()):
            power = self.product(power, power)
        return np.asarray(self._idempotent_of_class[self.h_classes[power]], dtype=np.int32)

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
        """J-class of each element (equal ideals; in finite semigroups J = D), as labels."""
        return strong_components(self.two_sided) if len(self) else np.empty(0, dtype=np.int32)

    @cached_property
    def h_classes(self) -> NDArray[np.int32]:
        """H-class of each element (both R and L), as labels."""
        pairs = self.r_classes.astype(np.int64) * max(1, len(self)) + self.l_classes
        return np.asarray(np.unique(pairs, return_inverse=True)[1], dtype=np.int32)

    @property
    def two_sided(self) -> NDArray[np.int32]:
        """Both Cayley graphs side by side, int32[n, 2k]: what one generator on either side makes of each element."""
        return np.hstack((self.right, self.left))

    def right_ideal(self, element: int) -> NDArray[np.int32]:
        """Return the elements of sS with s itself, sorted."""
        return _reachable(self.right, np.array([element]))

    def left_ideal(self, element: int) -> NDArray[np.int32]:
        """Return the elements of Ss with s itself, sorted."""
        return _reachable(self.left, np.array([element]))

    def local_monoid(self, idempotent: int) -> NDArray[np.int32]:
        """Return the elements of eSe for an idempotent e, sorted: the meet of the ideals eS and Se."""
        return np.intersect1d(self.right_ideal(idempotent), self.left_ideal(idempotent), assume_unique=True)

    @cached_property
    def top_idempotents(self) -> NDArray[np.int32]:
        """Idempotents whose local monoids tell about all: the first of each maximal J-class that holds any.

        If e is J-below f then e is conjugate to an idempotent under f, so eSe embeds in fSf; what holds in the local
        monoids of these, and passes to submonoids and isomorphic copies, holds in every local monoid.
        """
        if not len(self):
            return np.empty(0, dtype=np.int32)
        labels = self.j_classes
        idempotents = np.flatnonzero(self.is_idempotent)
        regular = np.zeros(len(self), dtype=np.bool_)
        regular[labels[idempotents]] = True
        inside = np.flatnonzero(regular[labels])
        below = self.two_sided[inside]
        covered = np.zeros(len(self), dtype=np.bool_)
        covered[_reachable(self.two_sided, np.unique(below[labels[below] != labels[inside, None]]))] = True
        uncovered = idempotents[~covered[idempotents]]
        return np.sort(uncovered[np.unique(labels[uncovered], return_index=True)[1]]).astype(np.int32)


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


def _reachable(graph: NDArray[np.int32], sources: Elements) -> NDArray[np.int32]:
    """Return the vertices reachable from some source, the sources among them, sorted."""
    seen = np.zeros(len(graph), dtype=np.bool_)
    frontier = np.unique(sources)
    seen[frontier] = True
    while len(frontier):
        targets = np.unique(graph[frontier])
        frontier = targets[~seen[targets]]
        seen[frontier] = True
    return np.flatnonzero(seen).astype(np.int32)
