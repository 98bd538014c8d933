"""Periodic words: lengths as asked, a short period between short ends, everything drawn that there is."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neural.periodic_words import periodic_words


def has_shape(word: list[int]) -> bool:
    """True iff the word is v u u u .. w with |u| <= 3 and |v|, |w| <= 2, by trying all of them."""
    for before in range(3):
        for after in range(3):
            middle = word[before : len(word) - after]
            if any(all(middle[i] == middle[i - period] for i in range(period, len(middle))) for period in (1, 2, 3)):
                return True
    return False


@given(st.integers(1, 4), st.lists(st.integers(0, 30), min_size=1, max_size=5), st.integers(0, 4), st.integers(0, 99))
def test_words_have_the_lengths_and_the_shape_asked_for(n_letters, lengths, count, seed):
    words = periodic_words(n_letters, lengths, count, np.random.default_rng(seed))
    assert (words != n_letters).sum(axis=1).tolist() == [length for length in lengths for _ in range(count)]
    for row in words.tolist():
        word = [letter for letter in row if letter != n_letters]
        assert row[: len(word)] == word
        assert set(word) <= set(range(n_letters))
        assert has_shape(word)


def test_all_short_periods_and_ends_are_drawn():
    words = {tuple(row) for row in periodic_words(2, [8], 20_000, np.random.default_rng(0)).tolist()}
    assert words == {tuple(word) for word in np.ndindex(*[2] * 8) if has_shape(list(word))}


def test_without_letters_there_is_only_the_empty_word():
    assert periodic_words(0, [0, 3], 2, np.random.default_rng(0)).shape == (2, 0)
