"""Alphabets: declared, ordered, finite sets of letters, and the words over them as arrays of codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from automata.errors import AlphabetMismatch, ToolkitError, UnknownLetter

Word: TypeAlias = str | tuple[str, ...]
"""A word as people see it: a string where every letter is one character, a tuple of letters otherwise."""

Codes: TypeAlias = NDArray[np.integer[Any]]
"""Letters as their places in the alphabet, from 0: one word [N], or a batch of words [B, N]."""


@dataclass(frozen=True)
class Alphabet:
    """An ordered set of letters; a letter is a non-empty string, often but not always one character.

    The order is part of the value: it orders words (by length, then letter by letter) and so decides which of several
    shortest witnesses is reported. The empty alphabet is allowed; its only word is the empty word.

    In a batch, words of different lengths are padded with the code `len(alphabet)`, which reads nothing, on any side.

    >>> ab = Alphabet.of("ab")
    >>> ab.encode("abba").tolist()
    [0, 1, 1, 0]
    >>> ab.encode_batch(["a", "bab", ""]).tolist()
    [[0, 2, 2], [1, 0, 1], [2, 2, 2]]
    >>> Alphabet(("a", "b0")).decode([1, 0])
    ('b0', 'a')
    """

    letters: tuple[str, ...]

    def __post_init__(self) -> None:
        for letter in self.letters:
            if not isinstance(letter, str) or not letter:
                raise ToolkitError(f"a letter must be a non-empty string, not {letter!r}")
        if len(set(self.letters)) != len(self.letters):
            twice = next(a for i, a in enumerate(self.letters) if a in self.letters[:i])
            raise ToolkitError(f"letter {twice!r} is declared twice")

    @classmethod
    def of(cls, letters: Iterable[str]) -> Alphabet:
        """Make an alphabet of the letters in the order given; a string gives its characters."""
        return cls(tuple(letters))

    def __len__(self) -> int:
        return len(self.letters)

    def __iter__(self) -> Iterator[str]:
        return iter(self.letters)

    def __contains__(self, letter: object) -> bool:
        return letter in self.index

    @cached_property
    def index(self) -> dict[str, int]:
        """Code of each letter."""
        return {letter: code for code, letter in enumerate(self.letters)}

    @cached_property
    def is_single_character(self) -> bool:
        """True iff every letter is one character, so that words are written as plain strings."""
        return all(len(letter) == 1 for letter in self.letters)

    def encode(self, word: Sequence[str]) -> NDArray[np.int32]:
        """Turn a word into codes, int32[N]; raise `UnknownLetter` with the place.

        A string over an alphabet with longer letters is split at white space: "a b0 a".
        """
        if isinstance(word, str) and not self.is_single_character:
            word = word.split()
        index = self.index
        try:
            return np.fromiter((index[letter] for letter in word), dtype=np.int32, count=len(word))
        except KeyError:
            place = next(i for i, letter in enumerate(word) if letter not in index)
            raise UnknownLetter(word[place], self.letters, place) from None

    def decode(self, codes: Iterable[int] | Codes) -> Word:
        """Turn codes into a word, leaving padding out: a string if letters are single characters, else a tuple."""
        pad = len(self)
        letters = [self.letters[code] for code in codes if code != pad]
        return "".join(letters) if self.is_single_character else tuple(letters)

    def encode_batch(self, words: Iterable[Sequence[str]]) -> NDArray[np.int32]:
        """Turn B words into codes, int32[B, N], N the greatest length, padded right with `len(self)`."""
        rows = [self.encode(word) for word in words]
        width = max((len(row) for row in rows), default=0)
        batch = np.full((len(rows), width), len(self), dtype=np.int32)
        for i, row in enumerate(rows):
            batch[i, : len(row)] = row
        return batch

    def decode_batch(self, batch: Codes) -> list[Word]:
        """Turn a batch of codes [B, N] back into B words."""
        return [self.decode(row) for row in batch.tolist()]

    def as_batch(self, words: Codes | Iterable[Sequence[str]]) -> Codes:
        """Return a batch as codes [B, N]: an array is checked, words are encoded."""
        if not isinstance(words, np.ndarray):
            return self.encode_batch(words)
        if words.ndim != 2 or words.dtype.kind not in "iu":
            raise ToolkitError(f"a batch is an integer array [B, N], not {words.dtype} {list(words.shape)}")
        if words.size and not (int(words.min()) >= 0 and int(words.max()) <= len(self)):
            raise ToolkitError(
                f"a batch holds codes 0..{len(self)} (the last is padding), found {words.min()}..{words.max()}"
            )
        return words

    def show(self, word: Sequence[str]) -> str:
        """Write a word for people: letters side by side, or spaced if any is longer; the empty word is ε."""
        return ("" if self.is_single_character else " ").join(word) or "ε"


def require_same_alphabet(left: Alphabet, right: Alphabet) -> None:
    """Raise `AlphabetMismatch` unless both alphabets are the same, order included."""
    if left != right:
        raise AlphabetMismatch(left.letters, right.letters)


def concatenate(*words: Word) -> Word:
    """Join one or more words over one alphabet into one.

    >>> concatenate("ab", "", "c"), concatenate(("b0",), ("a", "b0"))
    ('abc', ('b0', 'a', 'b0'))
    """
    if isinstance(words[0], str):
        return "".join(word for word in words if isinstance(word, str))
    return tuple(letter for word in words for letter in word)


def plain_word(word: Word) -> str | list[str]:
    """Return a word as plain data for JSON: a string as it is, a tuple as a list of letters.

    >>> plain_word("ab"), plain_word(("a", "b0"))
    ('ab', ['a', 'b0'])
    """
    return word if isinstance(word, str) else list(word)
