"""Words that fix two states at once."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

_MAX_WORDS = 4_000
_MAX_CELLS = 40_000_000  # words tried times states, where that is fewer


def least_common_loop(table: NDArray[np.int32], blocks: NDArray[np.int32]) -> list[int] | None:
    """Return the least non-empty word that fixes two states of one block, as codes; None if no word tried does.

    `table`, int32[n, k], holds successors, -1 where there is none; `blocks`, int32[n], labels the states. Words are
    tried in order (length, then alphabet order), at most 4,000 of them and 40 million images of states; a word is not
    continued if an earlier one maps all states alike, so for a small automaton the search is often complete.

    >>> least_common_loop(np.array([[1, 0], [0, 1]], dtype=np.int32), np.array([0, 0], dtype=np.int32))
    [1]
    """
    n, n_letters = table.shape
    states = np.arange(n, dtype=np.int32)
    columns = [np.append(table[:, code], np.int32(-1)) for code in range(n_letters)]  # -1 leads to -1
    seen: set[bytes] = set()
    queue: deque[tuple[list[int], NDArray[np.int32]]] = deque([([], states)])
    words = min(_MAX_WORDS, max(_MAX_CELLS // (n + 1), n_letters))
    while queue:
        word, images = queue.popleft()
        for code, column in enumerate(columns):
            if not words:
                return None
            words -= 1
            reached = column[images]
            fixed = blocks[reached == states]
            if len(fixed) > 1 and len(np.unique(fixed)) < len(fixed):
                return [*word, code]
            key = hashlib.blake2b(reached.tobytes(), digest_size=16).digest()
            if key not in seen:
                seen.add(key)
                queue.append(([*word, code], reached))
    return None


def walk_to_common_loop(
    table: NDArray[np.int32], pair: tuple[int, int], follow: Callable[[int, int], bool]
) -> tuple[list[int], int, int]:
    """Walk along pairs of distinct states until the walk closes; return (codes of u, p, q) with p.u = p and q.u = q.

    From each pair the first letter is taken that leads to a pair of distinct states which `follow` allows; from every
    pair reached there must be one. The walk may come back to a pair with its states swapped; u then goes round twice.
    """
    rows = table.tolist()
    step_of: dict[tuple[int, int], int] = {}
    letters: list[int] = []
    while True:
        p, q = pair
        if pair in step_of:
            return letters[step_of[pair] :], p, q
        if (q, p) in step_of:
            return letters[step_of[q, p] :] * 2, p, q
        step_of[pair] = len(letters)
        code, pair = next(
            (code, (s, t))
            for code, (s, t) in enumerate(zip(rows[p], rows[q], strict=True))
            if s >= 0 and t >= 0 and s != t and follow(s, t)
        )
        letters.append(code)
