"""Words of a language by length: exact counts, uniform random words inside and outside, words in order."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Codes, Word
from automata.dfa import DFA
from automata.errors import BYTES_PER_STATE, MAX_STATES, NoSuchWord, TooLarge, ToolkitError
from automata.minimize import minimize

By: TypeAlias = Literal["words", "lengths"]
"""How a length is drawn: every word equally likely, or every length that has words equally likely."""

_LOOK_BEYOND = (10, 1000)  # lengths past the asked ones in which an error looks for words, at least and at most


def word_counts(dfa: DFA, max_length: int, *, inside: bool = True) -> list[int]:
    """Count the members (`inside`) or the non-members of each length 0..max_length, exactly.

    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> word_counts(ends_with_a, 4), word_counts(ends_with_a, 4, inside=False)
    ([0, 1, 2, 4, 8], [1, 1, 2, 4, 8])
    """
    if max_length < 0:
        raise ToolkitError(f"a length is 0 or more, not {max_length}")
    from_states = _counts_from_states(dfa.delta, dfa.accept == inside, max_length)
    return [int(counts[dfa.start]) for counts in from_states]


def count_words(dfa: DFA, lengths: int | Sequence[int], *, inside: bool = True) -> int:
    """Count the distinct members (`inside`) or non-members of the lengths, exactly.

    This is the most that sets of different words drawn from these lengths can hold together.

    >>> everything = DFA(Alphabet.of("ab"), [[0, 0]], 0, [True])
    >>> count_words(everything, range(4))
    15
    """
    wanted = ordered_lengths(lengths)
    counts = word_counts(dfa, wanted[-1], inside=inside)
    return sum(counts[length] for length in wanted)


@dataclass(frozen=True, eq=False)
class WordSampler:
    """Uniform random members or non-members of some lengths, the tables made once and drawn from at will.

    Make one with `WordSampler.of`. `lengths` are the asked lengths in rising order and `counts` the exact
    number of words of each. The probability of each letter is the ratio of two exact counts, rounded once to
    a float64.
    """

    alphabet: Alphabet
    lengths: NDArray[np.intp]
    counts: tuple[int, ...]
    by: By
    start: int
    length_thresholds: NDArray[np.float64]  # [n_lengths]
    thresholds: NDArray[np.float64]  # [max_length + 1, n_states, n_letters]
    successors: NDArray[np.intp]  # [n_states, n_letters + 1]: the last choice stops

    @classmethod
    def of(
        cls,
        dfa: DFA,
        lengths: int | Sequence[int],
        *,
        inside: bool = True,
        by: By = "words",
        max_states: int = MAX_STATES,
    ) -> WordSampler:
        """Make the tables for the members (`inside`) or the non-members of one length or a range of lengths.

        `by="words"` makes all words of these lengths equally likely; `by="lengths"` all lengths that have a
        word, then all words of the length. Raise `NoSuchWord` if there is none, `TooLarge` if counts and tables
        for so many lengths take more than 1,024 bytes for each of `max_states` states.
        """
        if by not in ("words", "lengths"):
            raise ToolkitError(f"by is 'words' or 'lengths', not {by!r}")
        wanted = ordered_lengths(lengths)
        dfa = minimize(dfa)
        from_states = _limited_counts(dfa, inside, wanted[-1], max_states)
        counts = tuple(int(from_states[length][dfa.start]) for length in wanted)
        if not any(counts):
            raise NoSuchWord(_no_such_word(dfa, wanted, inside))
        weights = np.array(counts if by == "words" else [int(count > 0) for count in counts], dtype=object)
        thresholds = np.zeros((wanted[-1] + 1, dfa.n_states, len(dfa.alphabet)))
        for length in range(1, wanted[-1] + 1):
            thresholds[length] = _exact_thresholds(from_states[length - 1][dfa.delta])
        return cls(
            alphabet=dfa.alphabet,
            lengths=np.array(wanted, dtype=np.intp),
            counts=counts,
            by=by,
            start=dfa.start,
            length_thresholds=_exact_thresholds(weights[None])[0],
            thresholds=thresholds,
            successors=with_stop(dfa.delta),
        )

    @property
    def n_words(self) -> int:
        """Number of distinct words that can be drawn."""
        return sum(self.counts)

    def draw(self, rng: np.random.Generator, count: int) -> Codes:
        """Draw words independently: codes int32[count, N], N the greatest asked length, padded right."""
        if count < 0:
            raise ToolkitError(f"the number of words to draw is 0 or more, not {count}")
        places = np.searchsorted(self.length_thresholds, rng.random(count), side="right")
        start = np.full(count, self.start, dtype=np.intp)
        steps = int(self.lengths[-1])
        letters, _ = walk(self.thresholds, self.successors, start, self.lengths[places], steps, rng)
        return np.ascontiguousarray(letters.T)


def sample_words(
    dfa: DFA,
    rng: np.random.Generator,
    count: int,
    lengths: int | Sequence[int],
    *,
    inside: bool = True,
    by: By = "words",
    max_states: int = MAX_STATES,
) -> Codes:
    """Draw uniform random members (`inside`) or non-members: codes int32[count, N], padded right.

    N is the greatest asked length; the arguments are those of `WordSampler.of`, which is the one to use for
    many draws from the same lengths. Raise `NoSuchWord` if there is no such word, `TooLarge` past the limit.

    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> words = sample_words(ends_with_a, np.random.default_rng(0), 3, range(2, 5))
    >>> words.shape, ends_with_a.accepts_batch(words).tolist()
    ((3, 4), [True, True, True])
    """
    return WordSampler.of(dfa, lengths, inside=inside, by=by, max_states=max_states).draw(rng, count)


def enumerate_words(dfa: DFA) -> Iterator[Word]:
    """Yield the members one by one, by length and then in alphabet order; stop after the last one.

    The time between two words is polynomial in the number of states and the length of the words.

    >>> from itertools import islice
    >>> list(islice(enumerate_words(DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])), 4))
    ['a', 'aa', 'ba', 'aaa']
    """
    dfa = minimize(dfa)
    # alive[r][q]: some word of length r leads from q to acceptance.
    alive = [dfa.accept.tolist()]
    rows = dfa.delta.tolist()
    last_found = -1
    # A longer word, cut at repeated states, gives one that is longer by no more than the number of states.
    while len(alive) - 1 - last_found <= dfa.n_states:
        if alive[-1][dfa.start]:
            last_found = len(alive) - 1
            for codes in _codes_of_length(rows, alive, dfa.start):
                yield dfa.alphabet.decode(codes)
        alive.append(np.array(alive[-1], dtype=np.bool_)[dfa.delta].any(axis=1).tolist())


def _codes_of_length(rows: list[list[int]], alive: list[list[bool]], start: int) -> Iterator[list[int]]:
    """Yield the words of length len(alive) - 1 in alphabet order, entering live prefixes only."""
    length = len(alive) - 1
    codes: list[int] = []
    states = [start]
    code = 0  # the next letter to try after the prefix `codes`
    while True:
        if len(codes) == length:
            yield codes
        else:
            here, live = rows[states[-1]], alive[length - len(codes) - 1]
            while code < len(here) and not live[here[code]]:
                code += 1
            if code < len(here):
                codes.append(code)
                states.append(here[code])
                code = 0
                continue
        if not codes:
            return
        code = codes.pop() + 1
        states.pop()


def ordered_lengths(lengths: int | Sequence[int]) -> list[int]:
    """Return the asked lengths in rising order, each once; raise `ToolkitError` if there is none or one is negative."""
    wanted = sorted(set(lengths)) if isinstance(lengths, Sequence) else [operator.index(lengths)]
    if not wanted:
        raise ToolkitError(f"the range of lengths {lengths} is empty; range(1, 41) means 1 to 40")
    if wanted[0] < 0:
        raise ToolkitError(f"a length is 0 or more, not {wanted[0]}")
    return wanted


def walk(
    thresholds: NDArray[np.float64],
    successors: NDArray[np.intp],
    nodes: NDArray[np.intp],
    remaining: NDArray[np.intp],
    steps: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """Walk B random paths side by side; return the choices and the nodes before them, both [steps, B].

    A path at node q with m letters to go (`remaining`, one less after each step, never below 0) makes choice
    c with probability thresholds[m, q, c] - thresholds[m, q, c - 1] and goes to successors[q, c]. A row of
    zeros makes the last choice, n_choices, for certain.
    """
    n_nodes, n_choices = thresholds.shape[1:]
    rows = thresholds.reshape(len(thresholds) * n_nodes, n_choices)
    flat = successors.ravel()
    choices = np.empty((steps, len(nodes)), dtype=np.int32)
    visited = np.empty((steps, len(nodes)), dtype=np.intp)
    for step in range(steps):
        visited[step] = nodes
        row = np.maximum(remaining - step, 0) * n_nodes + nodes
        choice = (rows[row] <= rng.random(len(nodes))[:, None]).sum(axis=1)
        choices[step] = choice
        nodes = flat[nodes * (n_choices + 1) + choice]
    return choices, visited


def with_stop(delta: NDArray[Any]) -> NDArray[np.intp]:
    """Add to a transition table the choice of `walk` that stays where it is."""
    return np.column_stack((delta, np.arange(len(delta)))).astype(np.intp)


def _counts_from_states(
    delta: NDArray[np.int32], accept: NDArray[np.bool_], max_length: int
) -> Iterator[NDArray[np.object_]]:
    """Count, length by length, the words that lead each state to acceptance: Python integers [n_states]."""
    counts = accept.astype(np.int64).astype(object)
    yield counts
    for _ in range(max_length):
        counts = counts[delta].sum(axis=1)
        yield counts


def _limited_counts(dfa: DFA, inside: bool, max_length: int, max_states: int) -> list[NDArray[np.object_]]:
    """Count as `_counts_from_states` does; raise `TooLarge` before counts and tables take too many bytes."""
    limit = BYTES_PER_STATE * max_states
    # Of each state and length: a probability for each letter, a Python integer and the pointer to it.
    taken = (max_length + 1) * dfa.n_states * (8 * len(dfa.alphabet) + 40)
    found = []
    for counts in _counts_from_states(dfa.delta, dfa.accept == inside, max_length):
        taken += sum(count.bit_length() for count in counts) // 8
        if taken > limit:
            raise TooLarge(f"bytes of the tables for words of up to {max_length:,} letters", taken, limit)
        found.append(counts)
    return found


def _exact_thresholds(weights: NDArray[np.object_]) -> NDArray[np.float64]:
    """Turn integer weights [n, k] into cumulative probabilities, each rounded once.

    Rows without weight give zeros. Elsewhere the last choice with a weight gets exactly 1 and a choice
    without one repeats its predecessor: a number drawn from [0, 1) never picks it.
    """
    sums = np.cumsum(weights, axis=1)
    totals = weights.sum(axis=1)
    return np.asarray(sums / np.where(totals == 0, 1, totals)[:, None], dtype=np.float64)


def lengths_with_words(dfa: DFA, max_length: int, *, inside: bool = True) -> list[int]:
    """Return the lengths 0..max_length that have a member (`inside`) or a non-member."""
    alive = dfa.accept == inside
    found = []
    for length in range(max_length + 1):
        if alive[dfa.start]:
            found.append(length)
        alive = alive[dfa.delta].any(axis=1)
    return found


def _no_such_word(dfa: DFA, wanted: Sequence[int], inside: bool) -> str:
    """Say that there is no word of the lengths, and which lengths near them have some."""
    least, greatest = _LOOK_BEYOND
    beyond = wanted[-1] + min(max(dfa.n_states, least), greatest)  # some longer word is no farther than n_states
    return no_such_word(
        "word in the language" if inside else "word outside the language",
        wanted,
        lengths_with_words(dfa, beyond, inside=inside),
        beyond,
    )


def no_such_word(what: str, wanted: Sequence[int], found: Sequence[int], beyond: int) -> str:
    """Say that there is no `what` of the wanted lengths, while those `found` up to `beyond` have some."""
    asked = f"length {wanted[0]}" if len(wanted) == 1 else f"lengths {wanted[0]} to {wanted[-1]}"
    if not found:
        return f"there is no {what} of {asked}, nor of any length up to {beyond}"
    distance = [min(abs(length - other) for other in (wanted[0], wanted[-1])) for length in found]
    nearest = sorted(sorted(range(len(found)), key=lambda i: distance[i])[:4])
    listed = ", ".join(str(found[i]) for i in nearest)
    return f"there is no {what} of {asked}; lengths near it that have some: {listed}"
