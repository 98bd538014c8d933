"""Evaluation of a recogniser against an automaton: accuracy by length, N*, accuracy on pumping families."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from automata.alphabet import require_same_alphabet
from automata.dfa import DFA, Recognizer
from automata.errors import ToolkitError
from neural.data import ExampleSampler, distinct, length_bins

if TYPE_CHECKING:
    from semigroups.verdict import Family

TRAINED = range(1, 41)
"""The usual training lengths."""

LONGEST = 500
"""The greatest length that is usually tested."""

_PAIRS = 50  # pairs of a pumping family that are tested, spread evenly over all that are short enough


@dataclass(frozen=True)
class BinResult:
    """How many test words of the lengths `first`..`last` were judged right.

    `members` of the `words` are in the language; `distinct` of them are different; `trained` of these also occurred in
    training. `generalises` tells that all lengths lie strictly above the training lengths.
    """

    first: int
    last: int
    generalises: bool
    words: int
    members: int
    distinct: int
    trained: int
    correct: int

    @property
    def accuracy(self) -> float:
        """Share of the words judged as the automaton does, 0..1."""
        return self.correct / self.words

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the accuracy as plain values."""
        return {**asdict(self), "accuracy": self.accuracy}


@dataclass(frozen=True)
class FamilyResult:
    """How the words of a pumping family against `fragment` were judged, for tested n from 1 to `last_n`.

    Each of the `pairs` has one word on either side of the language's boundary; `pairs_correct` had both judged right.
    """

    fragment: str
    last_n: int
    pairs: int
    pairs_correct: int
    words: int
    correct: int

    @property
    def accuracy(self) -> float | None:
        """Share of the words judged as the automaton does; None if even the first pair is too long."""
        return self.correct / self.words if self.words else None

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the accuracy as plain values."""
        return {**asdict(self), "accuracy": self.accuracy}


@dataclass(frozen=True)
class Evaluation:
    """What tests say of a recogniser: it was right on these words, which proves nothing about others.

    `perfect_length` is N*, the greatest tested length such that all words of it and of every smaller tested length
    were judged right; None if the least tested length was not. `fewest_words` and `most_words` bound the number of
    words of one tested length.
    """

    bins: tuple[BinResult, ...]
    perfect_length: int | None
    tested_lengths: tuple[int, ...]
    fewest_words: int
    most_words: int
    families: tuple[FamilyResult, ...]
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values for JSON."""
        return {
            "seed": self.seed,
            "bins": [result.to_dict() for result in self.bins],
            "perfect_length": self.perfect_length,
            "tested_lengths": list(self.tested_lengths),
            "fewest_words": self.fewest_words,
            "most_words": self.most_words,
            "families": [result.to_dict() for result in self.families],
        }


def evaluate(
    recognizer: Recognizer,
    dfa: DFA,
    *,
    trained: range = TRAINED,
    seen: frozenset[bytes] = frozenset(),
    families: Iterable[Family] = (),
    per_class: int = 10,
    longest: int = LONGEST,
    seed: int = 0,
) -> Evaluation:
    """Compare a recogniser with an automaton on words of all bins of lengths and on pumping families.

    Of every tested length `per_class` members and as many non-members are drawn, as far as there are any, half of
    them near the boundary; `length_bins` tells the lengths. `trained` are the training lengths and `seen` the training
    words (`neural.train.trained_words`), which are counted, not left out. Raise `AlphabetMismatch` if recogniser and
    automaton differ in alphabet.

    >>> from automata.alphabet import Alphabet
    >>> ab = Alphabet.of("ab")
    >>> ends_with_a = DFA(ab, [[1, 0], [1, 0]], 0, [False, True])
    >>> empty = DFA(ab, [[0, 0]], 0, [False])
    >>> [result.accuracy for result in evaluate(empty, ends_with_a, longest=100).bins]
    [0.5, 0.5]
    """
    require_same_alphabet(recognizer.alphabet, dfa.alphabet)
    if per_class < 1:
        raise ToolkitError(f"the number of words of each class and length is 1 or more, not {per_class}")
    pad = len(dfa.alphabet)
    bins = []
    totals = np.zeros(max(longest, trained[-1] if trained else 0) + 1, dtype=np.int64)
    wrongs = np.zeros_like(totals)
    for number, tested in enumerate(length_bins(dfa, trained, longest, np.random.default_rng([seed, 2]))):
        rng = np.random.default_rng([seed, 1, number])
        examples = ExampleSampler.of(dfa, tested.tested).each_length(rng, per_class)
        right = recognizer.accepts_batch(examples.words) == examples.labels
        lengths = (examples.words != pad).sum(axis=1)
        totals += np.bincount(lengths, minlength=len(totals))
        wrongs += np.bincount(lengths[~right], minlength=len(totals))
        different = distinct(examples.words, pad)
        bins.append(
            BinResult(
                first=tested.first,
                last=tested.last,
                generalises=tested.first > trained[-1],
                words=len(examples),
                members=int(examples.labels.sum()),
                distinct=len(different),
                trained=len(different & seen),
                correct=int(right.sum()),
            )
        )
    tested_lengths = np.flatnonzero(totals)
    failed = tested_lengths[wrongs[tested_lengths] > 0]
    perfect = tested_lengths if not len(failed) else tested_lengths[tested_lengths < failed[0]]
    return Evaluation(
        bins=tuple(bins),
        perfect_length=int(perfect[-1]) if len(perfect) else None,
        tested_lengths=tuple(tested_lengths.tolist()),
        fewest_words=int(totals[tested_lengths].min()),
        most_words=int(totals.max()),
        families=tuple(evaluate_family(recognizer, dfa, family, longest) for family in families),
        seed=seed,
    )


def evaluate_family(recognizer: Recognizer, dfa: DFA, family: Family, longest: int = LONGEST) -> FamilyResult:
    """Compare a recogniser with an automaton on both words of pairs of a family, no word longer than `longest`.

    Up to fifty pairs are tested, spread evenly over n from 1 to the greatest that is short enough. The automaton, not
    the family, says which words are in the language.
    """
    pairs = []
    for n in range(1, longest + 1):
        pair = family.pair(n)
        if max(len(word) for word in pair) > longest:
            break
        pairs.append(pair)
    chosen = np.unique(np.linspace(0, len(pairs) - 1, min(_PAIRS, len(pairs))).round().astype(int)).tolist()
    words = dfa.alphabet.encode_batch(word for i in chosen for word in pairs[i])
    right = recognizer.accepts_batch(words) == dfa.accepts_batch(words)
    return FamilyResult(
        fragment=family.fragment.name,
        last_n=len(pairs),
        pairs=len(chosen),
        pairs_correct=int(right.reshape(-1, 2).all(axis=1).sum()),
        words=len(words),
        correct=int(right.sum()),
    )
