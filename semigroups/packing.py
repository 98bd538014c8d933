"""Transformations of n points packed into rows of 64-bit words.

As many points as fit into twelve bits share a chunk, so that a generator acts on a chunk by one look-up in a table that
fits into the fastest cache; four chunks (two, where there are more than 65,536 points) make a word.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from semigroups.row_numbers import Rows

_CHUNK_BITS = 12
_FEW_BITS = 21  # images that a table with a place for every transformation may take


class Packing:
    """How the images of n points fill a row of `width` words: point p is a digit of chunk p // d.

    >>> packing = Packing(3)
    >>> packing.unpack(packing.pack(np.array([[2, 0, 0], [1, 2, 0]]))).tolist()
    [[2, 0, 0], [1, 2, 0]]
    """

    def __init__(self, n_points: int) -> None:
        self.n_points = n_points
        self._bits = max(1, (n_points - 1).bit_length())
        self._digits = max(1, min(_CHUNK_BITS // self._bits, n_points))
        self._kind = np.dtype(np.uint16 if self._bits <= 16 else np.uint32)
        self._n_chunks = max(1, -(-n_points // self._digits))
        self.width = -(-self._n_chunks * self._kind.itemsize // 8)

    @property
    def n_indices(self) -> int | None:
        """Number of indices of rows, None where there would be too many."""
        bits = self._bits * self.n_points
        return 1 << bits if bits <= _FEW_BITS else None

    def index(self, rows: Rows) -> NDArray[np.intp]:
        """Return the digits of each row, of one word, as one number."""
        words = rows[:, 0].view(np.int64)
        used = self._digits * self._bits
        chunk = (1 << used) - 1
        index = words & chunk
        for i in range(1, self._n_chunks):
            index |= (words >> (8 * self._kind.itemsize - used) * i) & (chunk << used * i)
        return index

    def pack(self, images: NDArray[np.integer[Any]]) -> Rows:
        """Pack transformations int[m, n] as rows uint64[m, width]."""
        chunks = self._empty_chunks(len(images))
        for digit in range(self._digits):
            points = images[:, digit :: self._digits].astype(self._kind)
            chunks[:, : points.shape[1]] |= points << self._kind.type(digit * self._bits)
        return chunks.view(np.uint64)

    def unpack(self, rows: Rows) -> NDArray[Any]:
        """Return the images of the points under rows, uint16 or uint32[m, n]."""
        chunks = np.ascontiguousarray(rows).view(self._kind)[:, : self._n_chunks]
        shifts = (np.arange(self._digits) * self._bits).astype(self._kind)
        images = (chunks[:, :, None] >> shifts) & self._kind.type((1 << self._bits) - 1)
        return images.reshape(len(rows), -1)[:, : self.n_points]

    def tables(self, generators: NDArray[np.integer[Any]]) -> NDArray[Any]:
        """Return what each of k transformations int[k, n] makes of each value of a full chunk, [k, values]."""
        digits = np.zeros((len(generators), 1 << self._bits), dtype=self._kind)
        digits[:, : self.n_points] = generators
        tables = digits
        for _ in range(self._digits - 1):  # one more digit below those that the tables have
            shifted = tables << self._kind.type(self._bits)
            tables = (shifted[:, :, None] | digits[:, None, :]).reshape(len(generators), -1)
        return tables

    def products(self, rows: Rows, tables: NDArray[Any]) -> Rows:
        """Multiply each of m rows by each of k generators on the right, uint64[m * k, width], rows outermost."""
        chunks = np.ascontiguousarray(rows).view(self._kind)
        results = self._empty_chunks(len(rows) * len(tables)).reshape(len(rows), len(tables), -1)
        for chunk in range(self._n_chunks):
            values = chunks[:, chunk].astype(np.intp)
            digits = min(self._digits, self.n_points - chunk * self._digits)
            used = self._kind.type((1 << self._bits * digits) - 1)
            results[:, :, chunk] = tables.take(values, axis=1).T & used
        return results.reshape(len(rows) * len(tables), -1).view(np.uint64)

    def _empty_chunks(self, n_rows: int) -> NDArray[Any]:
        return np.zeros((n_rows, self.width * 8 // self._kind.itemsize), dtype=self._kind)
