"""Evaluation of a recogniser against an automaton: random words of all lengths, periodic ones, pumping families."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Codes, require_same_alphabet
from automata.dfa import DFA, Recognizer
from automata.errors import ToolkitError
from neural.data import ExampleSampler, distinct, length_bins
from neural.evaluation import BinResult, Cell, Evaluation, FamilyResult, pumping_kind
from neural.judge import verdicts
from neural.periodic_words import periodic_words

if TYPE_CHECKING:
    from semigroups.verdict import Family

TRAINED = range(1, 41)
"""The usual training lengths."""

LONGEST = 500
"""The greatest length that is usually tested."""

_MOST_LETTERS = 10**8  # of all test words; beyond it memory runs out first
_OF_LENGTHS = 10  # of so many lengths about one is tested


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
    them near the boundary (one substitution, insertion, deletion or transposition away from a word of the other
    class), the rest uniform; and `per_class` periodic words of either label. `length_bins` tells the lengths. Of each
    family all pairs are taken that are short enough. `trained` are the training lengths and `seen` the training words
    (`neural.train.trained_words`), which are counted, not left out. Raise `AlphabetMismatch` if recogniser and
    automaton differ in alphabet.

    >>> from automata.alphabet import Alphabet
    >>> ab = Alphabet.of("ab")
    >>> ends_with_a = DFA(ab, [[1, 0], [1, 0]], 0, [False, True])
    >>> empty = DFA(ab, [[0, 0]], 0, [False])
    >>> found = evaluate(empty, ends_with_a, longest=100)
    >>> [result.accuracy for result in found.bins], found.accuracy(["near"], member=False, beyond=40)
    ([0.5, 0.5], 1.0)
    """
    require_same_alphabet(recognizer.alphabet, dfa.alphabet)
    require_feasible(per_class, max(longest, trained[-1] if trained else 0))
    pad = len(dfa.alphabet)
    bins: list[BinResult] = []
    cells: list[Cell] = []
    for number, tested in enumerate(length_bins(dfa, trained, longest, np.random.default_rng([seed, 2]))):
        rng = np.random.default_rng([seed, 1, number])
        uniform, near = ExampleSampler.of(dfa, tested.tested).each_length(rng, per_class)
        words = np.concatenate([uniform.words, near.words])
        labels = np.concatenate([uniform.labels, near.labels])
        right = verdicts(recognizer, words) == labels
        cells += _cells("uniform", uniform.words, uniform.labels, right[: len(uniform)], pad)
        cells += _cells("near", near.words, near.labels, right[len(uniform) :], pad)
        different = distinct(words, pad)
        bins.append(
            BinResult(
                first=tested.first,
                last=tested.last,
                generalises=tested.first > trained[-1],
                words=len(words),
                members=int(labels.sum()),
                distinct=len(different),
                trained=len(different & seen),
                correct=int(right.sum()),
            )
        )
        periodic = periodic_words(pad, tested.tested, per_class, np.random.default_rng([seed, 3, number]))
        labels = dfa.accepts_batch(periodic)
        cells += _cells("periodic", periodic, labels, verdicts(recognizer, periodic) == labels, pad)
    results = []
    for family in families:
        result, found = evaluate_family(recognizer, dfa, family, longest)
        results.append(result)
        cells += found
    kinds = {kind: i for i, kind in enumerate(dict.fromkeys(cell.kind for cell in cells))}
    cells.sort(key=lambda cell: (kinds[cell.kind], not cell.member, cell.length))
    return Evaluation(tuple(bins), tuple(cells), tuple(results), seed)


def require_feasible(per_class: int, longest: int) -> None:
    """Raise `ToolkitError` for less than one word of each class and length, and for more than fit into memory."""
    if per_class < 1:
        raise ToolkitError(f"the number of words of each class and length is 1 or more, not {per_class}")
    letters = 2 * per_class * longest**2 // _OF_LENGTHS
    if letters > _MOST_LETTERS:
        raise ToolkitError(
            f"{per_class:,} members and as many others of the lengths to {longest:,} have about {letters:,} letters, "
            f"more than the limit of {_MOST_LETTERS:,}; test fewer words of each length or shorter ones"
        )


def evaluate_family(
    recognizer: Recognizer, dfa: DFA, family: Family, longest: int = LONGEST
) -> tuple[FamilyResult, tuple[Cell, ...]]:
    """Compare a recogniser with an automaton on the words of all pairs of a family, no word longer than `longest`.

    The automaton, not the family, says which words are in the language.
    """
    pairs = []
    for n in range(1, longest + 1):
        pair = family.pair(n)
        if max(len(word) for word in pair) > longest:
            break
        pairs.append(pair)
    words = dfa.alphabet.encode_batch(word for pair in pairs for word in pair)
    labels = dfa.accepts_batch(words)
    right = verdicts(recognizer, words) == labels
    result = FamilyResult(
        fragment=family.fragment.name,
        pairs=len(pairs),
        pairs_correct=int(right.reshape(-1, 2).all(axis=1).sum()),
        words=len(words),
        correct=int(right.sum()),
    )
    return result, tuple(_cells(pumping_kind(family.fragment.name), words, labels, right, len(dfa.alphabet)))


def _cells(kind: str, words: Codes, labels: NDArray[np.bool_], right: NDArray[np.bool_], pad: int) -> Iterator[Cell]:
    """Count words by label and length."""
    lengths = (words != pad).sum(axis=1)
    for member in (True, False):
        totals = np.bincount(lengths[labels == member])
        corrects = np.bincount(lengths[(labels == member) & right], minlength=len(totals))
        for length in np.flatnonzero(totals).tolist():
            yield Cell(kind, member, length, int(totals[length]), int(corrects[length]))
