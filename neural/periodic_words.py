"""Periodic words: a short word over and over between two other short ones, for tests that random words rarely make."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from automata.alphabet import Codes

_LONGEST_PERIOD = 3
_LONGEST_END = 2


def periodic_words(n_letters: int, lengths: Iterable[int], count: int, rng: np.random.Generator) -> Codes:
    """Draw `count` words of each length over the letters 0..n_letters-1: codes int32[count * n_lengths, N].

    Each is v u u u ... w with a random u of one to three letters (the last u cut off where the length asks for it) and
    random v and w of at most two: the shape of the pumping families, without knowing any. A word of fewer letters than
    v and w have is the beginning of one. Padding is on the right.

    >>> words = periodic_words(2, [3, 12], 2, np.random.default_rng(0))
    >>> words.shape, (words == 2).sum(axis=1).tolist()
    ((4, 12), [9, 9, 0, 0])
    """
    wanted = np.repeat(np.fromiter(lengths, dtype=np.int64), count)
    if n_letters == 0:
        wanted = wanted[wanted == 0]
    n_words, longest = len(wanted), int(wanted.max(initial=0))
    loop, before, after = (
        rng.integers(max(1, n_letters), size=(n_words, most), dtype=np.int32)
        for most in (_LONGEST_PERIOD, _LONGEST_END, _LONGEST_END)
    )
    period = rng.integers(1, _LONGEST_PERIOD + 1, size=(n_words, 1))
    n_before, n_after = (rng.integers(_LONGEST_END + 1, size=(n_words, 1)) for _ in range(2))
    place = np.arange(longest)[None, :]
    words = np.take_along_axis(loop, (place - n_before) % period, axis=1)
    if longest:
        from_end = wanted[:, None] - 1 - place  # 0 at the last letter
        words = np.where(from_end < n_after, np.take_along_axis(after, np.clip(from_end, 0, 1), axis=1), words)
        words = np.where(place < n_before, np.take_along_axis(before, np.minimum(place, 1), axis=1), words)
        words = np.where(from_end < 0, n_letters, words)
    return words.astype(np.int32)
