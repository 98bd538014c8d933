"""Labelled words straight from an automaton: balanced batches for training, fixed numbers for each length for tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Codes
from automata.dfa import DFA
from automata.errors import NoSuchWord, ToolkitError
from automata.near import NearSampler
from automata.sample import WordSampler, lengths_with_words

_STEP = 7  # beyond the training lengths, of so many lengths one is tested


@dataclass(frozen=True, eq=False)
class Examples:
    """Words as codes [B, N], padded right, and whether the automaton accepts each, bool[B]."""

    words: Codes
    labels: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True, eq=False)
class ClassSampler:
    """Random words of one class, members or non-members, of some lengths; lengths are uniform over those it has.

    A share `near` of the words is near the boundary (see `NearSampler`), the rest uniform; all are uniform where the
    class has no words near the boundary.
    """

    uniform: WordSampler
    boundary: NearSampler | None
    near: float

    @classmethod
    def of(cls, dfa: DFA, lengths: Sequence[int], near: float, ends: float, *, inside: bool) -> ClassSampler:
        """Make the tables; raise `NoSuchWord` if the class has no word of these lengths."""
        uniform = WordSampler.of(dfa, lengths, inside=inside, by="lengths")
        try:
            boundary = NearSampler.of(dfa, lengths, inside=inside, ends=ends) if near else None
        except NoSuchWord:
            boundary = None
        return cls(uniform, boundary, near)

    def draw_batches(self, rng: np.random.Generator, count: int, size: int) -> Codes:
        """Draw `count` batches of `size` words: codes [count, size, N]."""
        n_near = 0 if self.boundary is None else round(size * self.near)
        parts = [self.uniform.draw(rng, count * (size - n_near))]
        if self.boundary is not None:
            parts.append(self.boundary.draw(rng, count * n_near))
        return np.concatenate([part.reshape(count, -1, part.shape[1]) for part in parts], axis=1)

    def draw_each_length(self, rng: np.random.Generator, count: int) -> tuple[Codes, Codes]:
        """Draw `count` words of each length that the class has: uniform ones, and ones near the boundary."""
        lengths = [int(n) for n, words in zip(self.uniform.lengths, self.uniform.counts, strict=True) if words]
        near_lengths = set() if self.boundary is None else set(self.boundary.lengths.tolist())
        n_near = {length: round(count * self.near) * (length in near_lengths) for length in lengths}
        uniform = _draw_quotas(self.uniform, rng, {length: count - n_near[length] for length in lengths})
        if self.boundary is None:
            return uniform, uniform[:0]
        return uniform, _draw_quotas(self.boundary, rng, n_near)


@dataclass(frozen=True, eq=False)
class ExampleSampler:
    """Random labelled words of some lengths, members and non-members in equal numbers, labelled by the automaton.

    Make one with `ExampleSampler.of` and draw from it at will. `members` or `others` is None where that class has no
    word of these lengths. Words may be drawn more than once; `distinct` counts them.
    """

    dfa: DFA
    members: ClassSampler | None
    others: ClassSampler | None

    @classmethod
    def of(cls, dfa: DFA, lengths: Sequence[int], near: float = 0.5, ends: float = 0.3) -> ExampleSampler:
        """Make the tables for some lengths; raise `NoSuchWord` if there is no word at all (no letters).

        Of each class a share `near` are uniform words of the other class changed by one edit that flips the label, a
        share `ends` of the edits made at an end of the word.
        """
        if not 0 <= near <= 1:
            raise ToolkitError(f"the share of words near the boundary lies in 0..1, not {near}")
        found: list[ClassSampler | None] = []
        problems = []
        for inside in (True, False):
            try:
                found.append(ClassSampler.of(dfa, lengths, near, ends, inside=inside))
            except NoSuchWord as error:
                found.append(None)
                problems.append(error)
        if len(problems) == 2:
            raise problems[0]
        return cls(dfa, *found)

    def batches(self, rng: np.random.Generator, count: int, size: int) -> Iterator[Examples]:
        """Draw `count` batches of `size` words, half of them members; raise `NoSuchWord` if one class is empty."""
        members, others = self.both_classes()
        halves = [(members, size // 2), (others, size - size // 2)]
        drawn = np.concatenate([part.draw_batches(rng, count, share) for part, share in halves], axis=1)
        return (self._labelled(words) for words in drawn)

    def both_classes(self) -> tuple[ClassSampler, ClassSampler]:
        """Return the samplers of members and of non-members; raise `NoSuchWord` if one class is empty."""
        if self.members is None or self.others is None:
            lacking = "member" if self.members is None else "non-member"
            raise NoSuchWord(
                f"the language has no {lacking} of the training lengths, so there is nothing to tell apart; "
                "training needs words of both classes: choose other lengths or another language"
            )
        return self.members, self.others

    def each_length(self, rng: np.random.Generator, per_class: int) -> tuple[Examples, Examples]:
        """Draw `per_class` members and as many non-members of each length, as far as the length has such words.

        The first examples are uniform words, the second ones words near the boundary.
        """
        classes = [part for part in (self.members, self.others) if part is not None]
        uniform, near = zip(*(part.draw_each_length(rng, per_class) for part in classes), strict=True)
        return self._labelled(np.concatenate(uniform)), self._labelled(np.concatenate(near))

    def _labelled(self, words: Codes) -> Examples:
        return Examples(words, self.dfa.accepts_batch(words))


def distinct(words: Codes, pad: int) -> frozenset[bytes]:
    """Return the different words of a batch [B, N] as the bytes of their codes, padding left out."""
    return frozenset(row[row != pad].astype(np.int32).tobytes() for row in words)


@dataclass(frozen=True)
class LengthBin:
    """The lengths `first`..`last`, of which `tested`, in rising order, are tested."""

    first: int
    last: int
    tested: tuple[int, ...]


def length_bins(dfa: DFA, trained: range, longest: int, rng: np.random.Generator) -> tuple[LengthBin, ...]:
    """Return the bins of lengths for tests: the training lengths, then lengths strictly above their maximum.

    The first bin tests every training length. Each of the others ends at a multiple of a hundred or at `longest`. It
    tests its last length and of every seven before one at random, so that no rhythm of the language falls through, and
    its greatest lengths with a member and with a non-member.

    >>> from automata.alphabet import Alphabet
    >>> even = DFA(Alphabet.of("a"), [[1], [0]], 0, [True, False])
    >>> for bin in length_bins(even, range(1, 41), 250, np.random.default_rng(0)):
    ...     print(bin.first, bin.last, bin.tested[-2:])
    1 40 (39, 40)
    41 100 (99, 100)
    101 200 (199, 200)
    201 250 (249, 250)
    """
    if not trained:
        raise ToolkitError(f"the range of training lengths {trained} is empty; range(1, 41) means 1 to 40")
    maximum = trained[-1]
    edges = [maximum, *range(maximum // 100 * 100 + 100, longest, 100), longest] if longest > maximum else []
    with_words = [np.array(lengths_with_words(dfa, longest, inside=inside)) for inside in (True, False)]
    bins = [LengthBin(trained[0], maximum, tuple(trained))]
    for before, last in pairwise(edges):
        tested = {last}
        for end in range(last - 1, before, -_STEP):
            tested.add(int(rng.integers(max(before, end - _STEP) + 1, end + 1)))
        for lengths in with_words:
            tested.update(lengths[(lengths > before) & (lengths <= last)][-1:].tolist())
        bins.append(LengthBin(before + 1, last, tuple(sorted(tested))))
    return tuple(bins)


def _draw_quotas(sampler: WordSampler | NearSampler, rng: np.random.Generator, quotas: dict[int, int]) -> Codes:
    """Draw until every length has its quota of words; drop what is drawn beyond it."""
    wanted = np.zeros(max(quotas) + 1, dtype=np.int64)
    for length, quota in quotas.items():
        wanted[length] = quota
    kept = [sampler.draw(rng, 0)]
    while wanted.any():
        words = sampler.draw(rng, 2 * int(wanted.max()) * len(sampler.lengths))
        lengths = (words != len(sampler.alphabet)).sum(axis=1)
        order = np.argsort(lengths, kind="stable")
        rank = np.empty(len(words), dtype=np.int64)  # place of each word among those of its length
        rank[order] = np.arange(len(words)) - np.searchsorted(lengths[order], lengths[order])
        chosen = rank < wanted[lengths]
        kept.append(words[chosen])
        wanted -= np.bincount(lengths[chosen], minlength=len(wanted))
    return np.concatenate(kept)
