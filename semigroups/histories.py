"""Histories: left-infinite words, and which of them the operators Y<=k tell apart.

A history is what a position far from the start of a word sees behind it. Colour the positions of histories by the
coarsest colouring in which the colour of a position fixes its letter and the set of colours of the k positions before
it. Two histories are k-equivalent iff the last k positions of both have the same set of colours: iff, for every depth
d, no formula of LTL[Y<=k] of depth d tells their long suffixes apart. For k = 1 that is equality.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Word
from automata.errors import ToolkitError
from automata.minimize import number_by_appearance


@dataclass(frozen=True)
class History:
    """The left-infinite word ... loop loop loop tail; the loop is not empty."""

    loop: Word
    tail: Word

    def __post_init__(self) -> None:
        if not len(self.loop):
            raise ToolkitError("the loop of a history is empty; give a word of at least one letter")


def colours(histories: Sequence[History], window: int, alphabet: Alphabet) -> list[NDArray[np.intp]]:
    """Return the colours of the positions of each history, intp[|loop| + |tail|]: one turn of the loop, then the tail.

    All turns of a loop have the colours of the one shown. The colours are numbers, shared by all the histories given.
    Raise `UnknownLetter`, and `ToolkitError` for a window less than 1.

    >>> ab = Alphabet.of("ab")
    >>> [found.tolist() for found in colours([History("aab", ""), History("aab", "b")], 2, ab)]
    [[0, 0, 1], [0, 0, 1, 2]]
    """
    if window < 1:
        raise ToolkitError(f"a window of {window} positions sees nothing; the least is 1")
    letters, before, sizes = [], [], []
    first = 0
    for history in histories:
        loop, tail = alphabet.encode(history.loop), alphabet.encode(history.tail)
        size = len(loop) + len(tail)
        places = np.arange(size)[:, None] - np.arange(1, window + 1)
        # The turn shown follows another one, and sees its end.
        before.append(first + np.where(places < 0, places % len(loop), places))
        letters.append(np.concatenate((loop, tail)))
        sizes.append(size)
        first += size
    if not histories:
        return []
    seen, colour = np.concatenate(before), number_by_appearance(np.concatenate(letters).astype(np.int64))[0]
    n_colours = 0
    while int(colour.max()) + 1 > n_colours:
        n_colours = int(colour.max()) + 1
        window_sets = np.sort(colour[seen], axis=1)
        repeated = np.zeros(window_sets.shape, dtype=np.bool_)
        repeated[:, 1:] = window_sets[:, 1:] == window_sets[:, :-1]
        window_sets = np.sort(np.where(repeated, np.int32(n_colours), window_sets), axis=1)
        rows = np.column_stack((colour, window_sets))
        colour = number_by_appearance(np.unique(rows, axis=0, return_inverse=True)[1].ravel().astype(np.int64))[0]
    return np.split(colour.astype(np.intp), np.cumsum(sizes)[:-1])


def are_equivalent(left: History, right: History, window: int, alphabet: Alphabet) -> bool:
    """True iff the two histories are k-equivalent for k = `window`. Raise what `colours` raises.

    >>> ab = Alphabet.of("ab")
    >>> [are_equivalent(History("ab", ""), History("ba", ""), k, ab) for k in (1, 2, 3)]
    [False, True, True]
    """
    last = []
    for history, colour in zip((left, right), colours((left, right), window, alphabet), strict=True):
        places = np.arange(len(colour) - window, len(colour))
        last.append(set(colour[np.where(places < 0, places % len(history.loop), places)].tolist()))
    return last[0] == last[1]
