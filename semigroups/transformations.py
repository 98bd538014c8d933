"""The semigroup that transformations of n points generate, enumerated breadth first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from automata.errors import TooLarge, ToolkitError
from semigroups.packing import Packing
from semigroups.row_numbers import RowNumbers
from semigroups.semigroup import Elements, FiniteSemigroup

MAX_ELEMENTS = 1_000_000
"""Elements that a semigroup may have unless the caller says otherwise."""

MAX_CELLS = 100_000_000
"""Images of single points (elements times points) that an enumeration may store: about half a gigabyte."""

_BLOCK_CELLS = 1 << 22  # images computed at once
_NARROW = (500, 16)  # after so many word lengths with fewer elements each, one element at a time is faster


def transformation_semigroup(
    generators: ArrayLike,
    max_elements: int = MAX_ELEMENTS,
    max_cells: int = MAX_CELLS,
    what: str = "transformation semigroup",
) -> FiniteSemigroup:
    """Return the semigroup that k transformations of n points generate, acting on the right.

    `generators[a, p]` is where generator a leads point p, int[k, n]. Raises `TooLarge` once there are more than
    `max_elements` elements, or elements times points (or generators, if more) pass `max_cells`; `what` names the
    semigroup in the message.

    >>> len(transformation_semigroup([[1, 2, 0], [1, 0, 2], [0, 0, 2]]))
    27
    """
    tables = np.array(generators, dtype=np.int32)
    if tables.ndim != 2 or (tables.size and not 0 <= tables.min() <= tables.max() < tables.shape[1]):
        raise ToolkitError("transformations of n points are rows of n numbers from 0 to n - 1, all of one length")
    if not len(tables):
        return FiniteSemigroup([], [], [])
    n_generators, n_points = tables.shape
    if tables.size > max_cells:
        raise TooLarge(f"{what}, generators times points", tables.size, max_cells, "max_cells")
    limits = _Limits(what, max(n_generators, n_points), max_elements, max_cells)
    packing = Packing(n_points)
    n_places = packing.n_indices
    numbers = RowNumbers(packing.width) if n_places is None else RowNumbers(packing.width, packing.index, n_places)
    images = numbers.add(packing.pack(tables))
    limits.check(len(numbers))
    distinct = tables if len(numbers) == n_generators else tables[np.unique(images, return_index=True)[1]]
    right = _by_lengths(packing, numbers, distinct, limits)
    if right is None:
        elements, right = _one_by_one(distinct, limits)
        numbers.add(packing.pack(elements[len(numbers) :]))
    if len(distinct) < n_generators:
        right = right[:, images]  # the distinct generators are the first elements, in order
    return FiniteSemigroup(right, None, images, _Packed(packing, numbers))


@dataclass(frozen=True)
class _Limits:
    """What an enumeration may reach; `width` cells an element."""

    what: str
    width: int
    max_elements: int
    max_cells: int

    def check(self, n_elements: int) -> None:
        """Raise `TooLarge` where so many elements, found in order, are too many."""
        if n_elements > self.max_elements:
            raise TooLarge(self.what, self.max_elements + 1, self.max_elements, "max_elements")
        if n_elements * self.width > self.max_cells:
            reached = (self.max_cells // self.width + 1) * self.width
            raise TooLarge(f"{self.what}, elements times points", reached, self.max_cells, "max_cells")


@dataclass(frozen=True, eq=False)
class _Packed:
    """The elements as packed rows, in the order of their numbers."""

    packing: Packing
    numbers: RowNumbers

    @property
    def cost(self) -> int:
        """Gathers that one product takes, about."""
        return self.packing.n_points + 10

    def images(self, elements: Elements) -> NDArray[np.integer[Any]]:
        """Return where elements lead the points, unsigned[m, n]."""
        return self.packing.unpack(self.numbers.rows[elements])

    def multiply(self, x: Elements, y: Elements) -> NDArray[np.int32]:
        """Multiply two arrays int[m] of elements by composition."""
        result = np.empty(len(x), dtype=np.int32)
        block = max(1, _BLOCK_CELLS // max(1, self.packing.n_points))
        for begin in range(0, len(x), block):
            part = slice(begin, begin + block)
            images = np.take_along_axis(self.images(y[part]), self.images(x[part]).astype(np.intp), axis=1)
            result[part] = self.numbers.find(self.packing.pack(images))
        return result


def _by_lengths(
    packing: Packing, numbers: RowNumbers, generators: NDArray[np.int32], limits: _Limits
) -> NDArray[np.int32] | None:
    """Number all products, one word length after another; return the right Cayley graph.

    None, with the numbers found so far, where word lengths have so few elements that numpy does not pay.
    """
    tables = packing.tables(generators)
    block = max(1, _BLOCK_CELLS // (max(1, packing.n_points) * len(tables)))
    graph = []
    begin, end, length = 0, len(numbers), 1
    while begin < end:
        for first in range(begin, end, block):
            products = packing.products(numbers.rows[first : min(first + block, end)], tables)
            graph.append(numbers.add(products).reshape(-1, len(tables)))
            limits.check(len(numbers))
        begin, end, length = end, len(numbers), length + 1
        if length == _NARROW[0] and end < _NARROW[0] * _NARROW[1] and packing.n_points <= 256:
            return None
    return np.concatenate(graph)


def _one_by_one(generators: NDArray[np.int32], limits: _Limits) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Number all products of distinct transformations of at most 256 points one at a time.

    Return them, uint8[n, points], and the right Cayley graph.
    """
    tables = [bytes(row) + bytes(256 - len(row)) for row in generators.tolist()]
    n_points = generators.shape[1]
    elements = [table[:n_points] for table in tables]
    known = {element: number for number, element in enumerate(elements)}
    graph = []
    for element in elements:  # the list grows while it is read
        for table in tables:
            product = element.translate(table)
            number = known.setdefault(product, len(elements))
            if number == len(elements):
                elements.append(product)
                limits.check(len(elements))
            graph.append(number)
    images = np.frombuffer(b"".join(elements), dtype=np.uint8).reshape(-1, n_points)
    return images, np.array(graph, dtype=np.int32).reshape(-1, len(tables))
