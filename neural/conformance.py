"""Test suites that show an automaton right if it is not much larger than the one it is meant to be: the W-method."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Codes, Word
from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError
from automata.graph import breadth_first
from automata.minimize import minimize
from neural.prefixes import count_words_up_to, numbered_words

MAX_WORDS = 200_000
"""Words that a suite may have, those that occur twice counted twice, unless the caller says otherwise."""


def conformance_suite(dfa: DFA, extra_states: int = 1, max_words: int = MAX_WORDS) -> Codes:
    """Return words that tell the language of an automaton from that of every other with few more states.

    Let n be the number of states of the minimal automaton. An automaton with at most n + `extra_states` states that
    judges all these words as `dfa` does accepts the same language. The words are (transition cover) (letters^<=m)
    (characterising set), m being `extra_states`: codes [B, N], padded right, each word once, by length and then in
    alphabet order. [Chow 1978, "Testing software design modeled by finite-state machines"; Vasilevskii 1973, "Failure
    diagnosis of automata"]

    Raise `TooLarge`, before anything is built, if (access words) x (letters^<=m+1) x (characterising set) are more than
    `max_words`.

    >>> from automata.alphabet import Alphabet
    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> ends_with_a.alphabet.decode_batch(conformance_suite(ends_with_a, 0))
    ['', 'a', 'b', 'aa', 'ab']
    """
    if extra_states < 0:
        raise ToolkitError(f"the number of extra states is 0 or more, not {extra_states}")
    dfa = minimize(dfa)
    n_letters = len(dfa.alphabet)
    middles = count_words_up_to(n_letters, extra_states + 1, max_words)
    # Each test of a characterising set has two outcomes, so n states take at least log2(n) tests.
    _check_size(dfa.n_states * middles * max(1, (dfa.n_states - 1).bit_length()), max_words)
    tests = _characterising_codes(dfa)
    _check_size(dfa.n_states * middles * len(tests), max_words)
    pad = n_letters
    words = _joined(_access_codes(dfa), _short_words(n_letters, extra_states + 1), pad)
    return _joined(words, _batch(tests, pad), pad)


def characterising_set(dfa: DFA) -> tuple[Word, ...]:
    """Return words that tell all states of the minimal automaton apart, the empty word first.

    For any two states of `minimize(dfa)` one of the words leads just one of them to acceptance. There are at most as
    many words as states, and none is longer than that. Each word splits what the words before it leave together.

    >>> from automata.alphabet import Alphabet
    >>> characterising_set(DFA(Alphabet.of("ab"), [[0, 1], [2, 1], [2, 2]], 0, [False, False, True]))
    ('', 'a')
    """
    return tuple(dfa.alphabet.decode(codes) for codes in _characterising_codes(minimize(dfa)))


def sorted_words(words: Codes, pad: int) -> Codes:
    """Return the different rows of a batch [B, N], padded right, by length and then in alphabet order.

    >>> sorted_words(np.array([[1, 0], [2, 1], [1, 2]]), 2).tolist()
    [[1, 2], [1, 0]]
    """
    # Letters move to the left, padding to the right.
    words = np.take_along_axis(words, np.argsort(words == pad, axis=1, kind="stable"), axis=1)
    lengths = (words != pad).sum(axis=1)
    words = words[:, : int(lengths.max(initial=0))]
    words = words[np.lexsort((*words.T[::-1], lengths))]
    new = np.ones(len(words), dtype=np.bool_)
    new[1:] = (words[1:] != words[:-1]).any(axis=1)
    return words[new]


def _characterising_codes(dfa: DFA) -> list[list[int]]:
    """Return the characterising set of a minimal automaton.

    When no letter before a word found splits any more, states left together have successors left together, and such
    states accept the same words [Moore 1956].
    """
    found: list[list[int]] = [[]]
    accepted: list[NDArray[np.bool_]] = [dfa.accept]  # of each word, by which states
    labels = dfa.accept.astype(np.int64)
    count = len(np.unique(labels))
    for word, by in zip(found, accepted, strict=True):  # the lists grow while they are read: they are the queue
        for code in range(len(dfa.alphabet)):
            if count == dfa.n_states:
                return found
            longer = by[dfa.delta[:, code]]
            values, split = np.unique(2 * labels + longer, return_inverse=True)
            if len(values) > count:
                count, labels = len(values), split
                found.append([code, *word])
                accepted.append(longer)
    return found


def _access_codes(dfa: DFA) -> Codes:
    """Return the least word to each state of a minimal automaton, as a batch."""
    tree = breadth_first(dfa.delta, dfa.start)
    words: list[list[int]] = []
    place = {}
    for state in tree.order:
        place[state] = len(words)
        words.append([] if state == dfa.start else [*words[place[tree.parent[state]]], tree.letter[state]])
    return _batch(words, len(dfa.alphabet))


def _short_words(n_letters: int, longest: int) -> Codes:
    """Return all words up to a length, as a batch."""
    longest = longest if n_letters else 0
    parts = [numbered_words(n_letters, length, 0, n_letters**length) for length in range(longest + 1)]
    return np.concatenate([np.pad(p, ((0, 0), (0, longest - p.shape[1])), constant_values=n_letters) for p in parts])


def _batch(words: list[list[int]], pad: int) -> Codes:
    batch = np.full((len(words), max(map(len, words))), pad, dtype=np.int32)
    for row, word in zip(batch, words, strict=True):
        row[: len(word)] = word
    return batch


def _joined(left: Codes, right: Codes, pad: int) -> Codes:
    """Return all uv, u a row of `left` and v one of `right`, each once, by length and then in alphabet order."""
    n_left, n_right = len(left), len(right)
    width = left.shape[1] + right.shape[1]
    small = np.min_scalar_type(pad)
    both = np.empty((n_left, n_right, width), dtype=small)
    both[:, :, : left.shape[1]] = left[:, None]
    both[:, :, left.shape[1] :] = right[None]
    return sorted_words(both.reshape(n_left * n_right, width), pad)


def _check_size(reached: int, limit: int) -> None:
    if reached > limit:
        raise TooLarge("words of the test suite", reached, limit, "max_words")
