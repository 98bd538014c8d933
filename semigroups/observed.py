"""Observed words: a sample closed under prefixes, where formulas hold in it, and the types of its places.

A formula of the past says the same of a position in all words that share the letters up to there. So every word of
the sample stands for two places: its end position and, if it is not empty, its last position.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet
from ltl.fragment import Fragment

CodeWord: TypeAlias = tuple[int, ...]
"""A word as the codes of its letters."""


class Observed:
    """A sample of words and their prefixes, shorter words first.

    `words[i]` is the i-th word, `parent[i]` the number of the word without its last letter, `letter[i]` the code of
    that letter; for the empty word, number 0, they are 0 and -1.
    """

    def __init__(self, words: Iterable[CodeWord]) -> None:
        closed = {()} | {word[:n] for word in words for n in range(1, len(word) + 1)}
        self.words = sorted(closed, key=lambda word: (len(word), word))
        number = {word: i for i, word in enumerate(self.words)}
        self.parent = np.array([number[word[:-1]] for word in self.words], dtype=np.intp)
        self.letter = np.array([word[-1] if word else -1 for word in self.words], dtype=np.intp)

    def __len__(self) -> int:
        return len(self.words)

    def batch(self, alphabet: Alphabet) -> NDArray[np.int32]:
        """Return the words as a batch of codes [w, N]."""
        batch = np.full((len(self), len(self.words[-1])), len(alphabet), dtype=np.int32)
        for row, word in zip(batch, self.words, strict=True):
            row[: len(word)] = word
        return batch

    def seen_before(self, held: NDArray[np.bool_], window: int | None) -> NDArray[np.bool_]:
        """Return where f was seen before the end of each word, bool[..., w], from where f holds at last positions.

        `held`, bool[..., w], is False for the empty word. f is looked for at the last `window` positions, or at all.
        """
        longest = len(self.words[-1])
        width = longest if window is None else min(window, longest)
        seen, reach, back = held.copy(), 1, self.parent  # seen at the last `reach` positions; `back` goes as far
        while 2 * reach <= width:
            seen |= seen[..., back]
            back = back[back]
            reach *= 2
        if reach < width:
            rest = np.arange(len(self))
            for _ in range(width - reach):
                rest = self.parent[rest]
            seen |= seen[..., rest]
        return seen


class SampleTypes:
    """The depth-d types of the places of a sample, for d = 0, 1, ..., computed as far as they are asked for."""

    def __init__(self, observed: Observed, fragment: Fragment) -> None:
        self.observed = observed
        self.fragment = fragment
        self._positions: list[list[int]] = [observed.letter.tolist()]
        self._ends: list[list[int]] = [[0] * len(observed)]
        self._seen: list[list[tuple[frozenset[int], frozenset[int]]]] = [[]]

    def ends(self, depth: int) -> list[int]:
        """Return the number of the depth-d type of each word: equal numbers mean equal types."""
        self._deepen(depth)
        return self._ends[depth]

    def seen(self, depth: int) -> list[tuple[frozenset[int], frozenset[int]]]:
        """Return, for a depth of 1 at least, what the type of each word is made of.

        These are the numbers of the types of its positions, of depth less by one: of all, if there is P, and of those
        in the window.
        """
        self._deepen(depth)
        return self._seen[depth]

    def examples(self, depth: int) -> dict[int, int]:
        """Return for the number of each depth-d type of positions the first word whose last position has it."""
        self._deepen(depth)
        found: dict[int, int] = {}
        for word, kind in enumerate(self._positions[depth]):
            found.setdefault(kind, word)
        return found

    def least_depth(self, inside: NDArray[np.bool_], outside: NDArray[np.bool_], max_depth: int) -> int | None:
        """Return the least depth, up to a limit, whose types tell all words marked inside from all outside; else None.

        No formula of less depth tells them apart.
        """
        for depth in range(max_depth + 1):
            kinds = np.array(self.ends(depth))
            if not len(np.intersect1d(kinds[inside], kinds[outside])):
                return depth
        return None

    def _deepen(self, depth: int) -> None:
        parent, letter = self.observed.parent.tolist(), self.observed.letter.tolist()
        window = self.fragment.window or 0
        while len(self._ends) <= depth:
            here = self._positions[-1]
            earlier: list[frozenset[int]] = [frozenset()]
            recent: list[tuple[int, ...]] = [()]
            for i in range(1, len(parent)):
                before = earlier[parent[i]]
                earlier.append(before | {here[i]} if self.fragment.past and here[i] not in before else before)
                recent.append((*recent[parent[i]], here[i])[-window:] if window else ())
            seen = [(before, frozenset(last)) for before, last in zip(earlier, recent, strict=True)]
            of_words: dict[tuple[frozenset[int], frozenset[int]], int] = {}
            of_positions: dict[tuple[int, int], int] = {}
            ends = [of_words.setdefault(what, len(of_words)) for what in seen]
            pairs = [(letter[i], ends[parent[i]]) for i in range(len(parent))]
            self._positions.append([of_positions.setdefault(pair, len(of_positions)) for pair in pairs])
            self._ends.append(ends)
            self._seen.append(seen)
