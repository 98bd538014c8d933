"""Numbers for rows of 64-bit words, by first appearance: a hash table that takes whole batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Rows: TypeAlias = NDArray[np.uint64]
"""Rows of packed values, uint64[m, width]."""


_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio; its powers spread the bits of a row


class RowNumbers:
    """A numbering of distinct rows by first appearance, from 0.

    Open addressing with linear probing, at most half full; a batch takes as many numpy passes as its unluckiest row
    takes probes. Rows are compared in full, so the answer does not depend on the hash. Where `index` is given, rows to
    distinct numbers below `n_places`, it takes the place of the hash, and one probe is enough.

    >>> numbers = RowNumbers(width=1)
    >>> numbers.add(np.array([[7], [5], [7]], dtype=np.uint64)).tolist(), len(numbers)
    ([0, 1, 0], 2)
    >>> numbers.add(np.array([[9], [5]], dtype=np.uint64)).tolist()
    [2, 1]
    """

    def __init__(
        self, width: int, index: Callable[[Rows], NDArray[np.intp]] | None = None, n_places: int = 1024
    ) -> None:
        self._index = index
        self._rows: Rows = np.empty((1024, width), dtype=np.uint64)
        self._size = 0
        self._slots = np.zeros(n_places, dtype=np.int32)  # one more than the number of a row; 0 is free
        self._multipliers = np.multiply.accumulate(np.full(width, _ODD))

    def __len__(self) -> int:
        return self._size

    @property
    def rows(self) -> Rows:
        """The rows in the order of their numbers, valid until the next batch."""
        return self._rows[: self._size]

    def add(self, batch: Rows) -> NDArray[np.int32]:
        """Return the number of each row of a batch, int32[b]; new rows get the next numbers in their order."""
        begin, end = self._size, self._size + len(batch)
        self._make_room(end)
        rows, slots = self._rows, self._slots
        rows[begin:end] = batch  # a new row stands for itself until the batch is numbered
        own = np.arange(begin, end, dtype=np.int32)
        places = self._places(batch)
        result = _claim(slots, places, own)
        waiting = np.empty(0, dtype=np.intp) if self._index is not None else _differ(rows, result, batch)
        while len(waiting):
            places[waiting] = (places[waiting] + 1) & (len(slots) - 1)
            result[waiting] = _claim(slots, places[waiting], own[waiting])
            waiting = waiting[_differ(rows, result[waiting], batch[waiting])]
        new = (result == own).nonzero()[0]
        self._size = begin + len(new)
        if begin < self._size < end:
            number = np.empty(len(batch), dtype=np.int32)
            number[new] = own[: len(new)]
            late = (result >= begin).nonzero()[0]
            result[late] = number[result[late] - begin]
            slots[places[new]] = own[: len(new)] + 1
            rows[begin : self._size] = batch[new]
        return result

    def find(self, batch: Rows) -> NDArray[np.int32]:
        """Return the number of each row of a batch of known rows, int32[b]."""
        places = self._places(batch)
        result = self._slots[places] - 1
        waiting = _differ(self._rows, result, batch)
        while len(waiting):
            if np.any(result[waiting] < 0):
                raise KeyError("a row that has no number")
            places[waiting] = (places[waiting] + 1) & (len(self._slots) - 1)
            result[waiting] = self._slots[places[waiting]] - 1
            waiting = waiting[_differ(self._rows, result[waiting], batch[waiting])]
        return result

    def _places(self, rows: Rows) -> NDArray[np.intp]:
        """Return the places where rows are looked for first: the high bits of a polynomial in its words."""
        if self._index is not None:
            return self._index(rows)
        mixed = rows[:, 0] * self._multipliers[0]
        for column in range(1, rows.shape[1]):
            mixed += rows[:, column] * self._multipliers[column]
        mixed ^= mixed >> np.uint64(29)
        mixed *= self._multipliers[0]
        return np.asarray(mixed >> np.uint64(65 - len(self._slots).bit_length()), dtype=np.intp)

    def _make_room(self, size: int) -> None:
        """Grow the rows by half and the table twofold, or more, so that `size` rows fill at most half of the table."""
        if size > len(self._rows):
            grown = np.empty((max(size, 3 * len(self._rows) // 2), self._rows.shape[1]), dtype=np.uint64)
            grown[: self._size] = self.rows
            self._rows = grown
        if self._index is None and 2 * size > len(self._slots):
            self._slots = np.zeros(1 << (2 * size - 1).bit_length(), dtype=np.int32)
            waiting = np.arange(self._size, dtype=np.int32)
            places = self._places(self.rows)
            while len(waiting):
                free = self._slots[places] == 0
                self._slots[places[free]] = waiting[free] + 1
                other = np.flatnonzero(self._slots[places] != waiting + 1)
                waiting, places = waiting[other], (places[other] + 1) & (len(self._slots) - 1)


def _claim(slots: NDArray[np.int32], places: NDArray[np.intp], own: NDArray[np.int32]) -> NDArray[np.int32]:
    """Put numbers into the places that are free; return what number stands in each place then."""
    found = slots[places]
    free = (found == 0).nonzero()[0][::-1]  # where several want one place the first comes last and stays
    if len(free):
        slots[places[free]] = own[free] + 1
        found = slots[places]
    found -= 1
    return found


def _differ(known: Rows, numbers: NDArray[np.int32], rows: Rows) -> NDArray[np.intp]:
    """Return the places where the known row with that number is not the row; -1 is the number of none."""
    unequal = numbers < 0
    for column in range(rows.shape[1]):
        unequal |= known[numbers, column] != rows[:, column]
    return unequal.nonzero()[0]
