"""Words at the boundary of a language: one edit away from a word of the other class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Codes
from automata.dfa import DFA
from automata.errors import MAX_STATES, NoSuchWord, TooLarge, ToolkitError
from automata.minimize import minimize
from automata.sample import no_such_word, ordered_lengths, walk, with_stop

_LOOK_BEYOND = 32  # lengths past the asked ones in which an error looks for words

_USUAL_LENGTH = 40  # up to which a pair of states counts as one against the limit

_LETTERS_WRITTEN = np.array([1, 1, 0, 2])  # by a substitution, an insertion, a deletion, a transposition


@dataclass(frozen=True, eq=False)
class NearSampler:
    """Random members one edit away from a non-member, or the reverse; tables made once, drawn from at will.

    Make one with `NearSampler.of`. An edit substitutes, inserts or deletes one letter or transposes two
    neighbours. A draw takes a length, uniform over those of the asked lengths that have such words; then a
    pair (source, edit), uniform over all the pairs of a word of the other class and an edit that turns it
    into a word of the asked class and of that length; with probability `ends`, if there are such pairs, only
    edits at the first or at the last place of the word are taken. The edited word is the result.

    How it works: source and result share a prefix, on which both runs are in one state q, and a suffix, on
    which the runs are in a pair of states p, r that tells how the edit was made. Counting the suffixes that
    lead p out of the asked class and r into it, then the prefixes that lead to an edit, gives the probability
    of every step.
    """

    alphabet: Alphabet
    lengths: NDArray[np.intp]  # those of the asked lengths that have such words, rising
    ends: float
    start: int
    has_end_edit: NDArray[np.bool_]  # [n_lengths]
    # Before the edit. Nodes: states; states bound to an edit at the last place; start of a word with an edit
    # at an end; after the edit. Choices: letters, then the four kinds of edit.
    thresholds: NDArray[np.float64]  # [max_length + 1, 2 n_states + 2, n_letters + 4]
    successors: NDArray[np.intp]
    # The edit itself: for each kind the pair of states [n_states, n_options] that each choice of letters
    # leads to.
    options: tuple[NDArray[np.intp], ...]
    suffixes: NDArray[np.float64]  # [max_length + 1, n_pairs], logarithms of numbers of words
    # After the edit.
    pair_thresholds: NDArray[np.float64]  # [max_length + 1, n_pairs, n_letters]
    pair_successors: NDArray[np.intp]

    @classmethod
    def of(
        cls,
        dfa: DFA,
        lengths: int | Sequence[int],
        *,
        inside: bool = True,
        ends: float = 0.3,
        max_states: int = MAX_STATES,
    ) -> NearSampler:
        """Make the tables for near-boundary members (`inside`) or non-members of one length or a range.

        Raise `NoSuchWord` if there is none, `TooLarge` if edits lead to more than `max_states` pairs of
        states; words longer than 40, whose tables are longer, leave room for proportionally fewer pairs, and the
        automaton itself may have half as many states; the square of the number of letters counts likewise.
        """
        if not 0 <= ends <= 1:
            raise ToolkitError(f"the share of edits at the ends lies in 0..1, not {ends}")
        wanted = ordered_lengths(lengths)
        dfa = minimize(dfa)
        sampler = cls._of_lengths(dfa, wanted, inside, ends, max_states)
        if len(sampler.lengths):
            return sampler
        beyond = wanted[-1] + _LOOK_BEYOND
        found = cls._of_lengths(dfa, list(range(beyond + 1)), inside, ends, max_states).lengths.tolist()
        what = "word in the language" if inside else "word outside the language"
        raise NoSuchWord(no_such_word(f"{what} that is one edit away from the other class", wanted, found, beyond))

    @classmethod
    def _of_lengths(cls, dfa: DFA, wanted: list[int], inside: bool, ends: float, max_states: int) -> NearSampler:
        n_states, n_letters = dfa.delta.shape
        max_length = wanted[-1]
        limit = max_states * _USUAL_LENGTH
        if (reached := (2 * n_states + 2) * max_length) > limit:
            raise TooLarge(
                f"states times lengths in the tables for words of up to {max_length:,} letters", reached, limit
            )
        if (reached := n_states * n_letters**2) > limit:
            raise TooLarge("states times pairs of letters that an edit may write", reached, limit)
        edited = _edited_states(dfa.delta)
        limit = max_states * _USUAL_LENGTH // max(_USUAL_LENGTH, max_length)
        sources, results, pair_delta = _reachable_pairs(dfa.delta, edited, limit)
        options = tuple(
            np.searchsorted(sources * n_states + results, np.where(p == r, 0, p * n_states + r)) for p, r in edited
        )
        # Suffixes that lead the source out of the asked class and the result into it.
        suffixes = np.empty((max_length + 1, len(sources)))
        suffixes[0] = np.where((dfa.accept[sources] != inside) & (dfa.accept[results] == inside), 0, -np.inf)
        pair_thresholds = np.zeros((max_length + 1, len(sources), n_letters))
        for m in range(1, max_length + 1):
            pair_thresholds[m], suffixes[m] = _normalise(suffixes[m - 1][pair_delta])
        # Ways to make an edit of each kind at once and to end with m letters after it, [m, state, kind].
        edit_ways = np.full((max_length + 1, n_states, 4), -np.inf)
        for kind, pairs in enumerate(options):
            for option in range(pairs.shape[1]):
                np.logaddexp(edit_ways[..., kind], suffixes[:, pairs[:, option]], out=edit_ways[..., kind])
        thresholds, ways, successors = _before_the_edit(dfa, edit_ways)
        possible = np.array([n for n in wanted if ways[n, dfa.start] > -np.inf], dtype=np.intp)
        return cls(
            alphabet=dfa.alphabet,
            lengths=possible,
            ends=ends,
            start=dfa.start,
            has_end_edit=ways[possible, 2 * n_states] > -np.inf,
            thresholds=thresholds,
            successors=with_stop(successors),
            options=options,
            suffixes=suffixes,
            pair_thresholds=pair_thresholds,
            pair_successors=with_stop(pair_delta),
        )

    def draw(self, rng: np.random.Generator, count: int) -> Codes:
        """Draw words independently: codes int32[count, N], N the greatest asked length, padded right."""
        if count < 0:
            raise ToolkitError(f"the number of words to draw is 0 or more, not {count}")
        pad, width = len(self.alphabet), len(self.thresholds) - 1
        n_states = (self.thresholds.shape[1] - 2) // 2
        place = rng.integers(len(self.lengths), size=count)
        at_end = (rng.random(count) < self.ends) & self.has_end_edit[place]
        node = np.where(at_end, 2 * n_states, self.start)
        lengths = self.lengths[place]
        prefix, nodes = walk(self.thresholds, self.successors, node, lengths, width + 1, rng)
        words = np.arange(count)
        when = np.argmax((prefix >= pad) & (prefix < pad + 4), axis=0)
        kind = prefix[when, words] - pad
        node = nodes[when, words]
        state = np.where(node == 2 * n_states, self.start, node % n_states)
        remaining = lengths - when - _LETTERS_WRITTEN[kind]
        pair = np.zeros(count, dtype=np.intp)
        written = np.full((2, count), pad, dtype=np.int32)
        for which, options in enumerate(self.options):
            chosen = np.flatnonzero(kind == which)
            pairs = options[state[chosen]]
            bounds, _ = _normalise(self.suffixes[remaining[chosen, None], pairs])
            option = (bounds <= rng.random(len(chosen))[:, None]).sum(axis=1)
            pair[chosen] = pairs[np.arange(len(chosen)), option]
            written[:, chosen] = self._letters_written(which, option)
        suffix, _ = walk(self.pair_thresholds, self.pair_successors, pair, remaining, width, rng)
        letters = np.concatenate((np.minimum(prefix, pad), written, suffix)).T
        order = np.argsort(letters == pad, axis=1, kind="stable")
        return np.take_along_axis(letters, order, axis=1)[:, :width]

    def _letters_written(self, kind: int, option: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the letters that the edits of a kind write, [2, count]; padding stands for none."""
        pad = len(self.alphabet)
        none = np.full(len(option), pad)
        if kind == 0:
            return np.stack((option % pad, none))
        if kind == 1:
            return np.stack((option, none))
        if kind == 2:
            return np.stack((none, none))
        return np.stack((option % pad, option // pad))


def near_words(
    dfa: DFA,
    rng: np.random.Generator,
    count: int,
    lengths: int | Sequence[int],
    *,
    inside: bool = True,
    ends: float = 0.3,
    max_states: int = MAX_STATES,
) -> Codes:
    """Draw members one edit away from a non-member (`inside`), or the reverse.

    The result is codes int32[count, N], padded right. N is the greatest asked length. The distribution and
    the errors are those of `NearSampler`, which is the one to use for many draws from the same lengths.

    >>> begins_with_a = DFA(Alphabet.of("ab"), [[1, 2], [1, 1], [2, 2]], 0, [False, True, False])
    >>> words = near_words(begins_with_a, np.random.default_rng(0), 4, 5)
    >>> words[:, 0].tolist()
    [0, 0, 0, 0]
    """
    return NearSampler.of(dfa, lengths, inside=inside, ends=ends, max_states=max_states).draw(rng, count)


def _edited_states(delta: NDArray[np.int32]) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return where source and result stand just after an edit, for each kind: tables [n_states, n_options].

    Substitution and transposition have n_letters² options, the letters a, b of the source being replaced by b
    (by b a); an insertion has n_letters options and a deletion as many.
    """
    n_states, n_letters = delta.shape
    here = np.broadcast_to(np.arange(n_states)[:, None], (n_states, n_letters))
    step = delta.astype(np.int64)
    square = (n_states, n_letters, n_letters)
    two_steps = step[step]  # [state, first letter, second letter]
    kinds = [
        (np.broadcast_to(step[:, :, None], square), np.broadcast_to(step[:, None, :], square)),
        (here, step),
        (step, here),
        (two_steps, two_steps.swapaxes(1, 2)),
    ]
    width = (n_letters * n_letters, n_letters, n_letters, n_letters * n_letters)
    return [(p.reshape(n_states, w), r.reshape(n_states, w)) for (p, r), w in zip(kinds, width, strict=True)]


def _reachable_pairs(
    delta: NDArray[np.int32], edited: list[tuple[NDArray[np.int64], NDArray[np.int64]]], limit: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.intp]]:
    """Return the pairs of different states (sources, results) that edits lead to, and their transitions.

    Pair 0 is (0, 0) and stands for all pairs of equal states, which no suffix separates.
    """
    n_states = len(delta)
    step = delta.astype(np.int64)

    def code(p: NDArray[np.int64], r: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.where(p == r, 0, p * n_states + r)

    pairs = np.zeros(1, dtype=np.int64)
    fresh = np.unique(np.concatenate([code(p, r).ravel() for p, r in edited]))
    while len(fresh := np.setdiff1d(fresh, pairs, assume_unique=True)):
        pairs = np.union1d(pairs, fresh)
        if len(pairs) > limit:
            raise TooLarge("pairs of states that one edit can lead to", len(pairs), limit)
        p, r = fresh // n_states, fresh % n_states
        fresh = np.unique(code(step[p], step[r]))
    p, r = pairs // n_states, pairs % n_states
    return p, r, np.searchsorted(pairs, code(step[p], step[r]))


def _before_the_edit(
    dfa: DFA, edit_ways: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
    """Return thresholds [m, node, choice], logarithms of ways [m, node] and successors of the walk to the edit.

    Ways lead from a node with m letters to come, the edit's among them, to a word of the asked class. Nodes
    and choices are those of `NearSampler`.
    """
    n_states, n_letters = dfa.delta.shape
    end_edit, done = 2 * n_states, 2 * n_states + 1
    successors = np.full((2 * n_states + 2, n_letters + 4), done, dtype=np.intp)
    successors[:n_states, :n_letters] = dfa.delta
    successors[n_states:end_edit, :n_letters] = dfa.delta + n_states
    successors[end_edit, :n_letters] = dfa.delta[dfa.start] + n_states
    thresholds = np.zeros((len(edit_ways), *successors.shape))
    ways = np.full((len(edit_ways), len(successors)), -np.inf)
    for m in range(len(edit_ways)):
        choices = np.full(successors.shape, -np.inf)
        if m:
            choices[:, :n_letters] = ways[m - 1][successors[:, :n_letters]]
        for kind, written in enumerate(_LETTERS_WRITTEN):
            if m >= written:
                choices[:n_states, n_letters + kind] = edit_ways[m - written, :, kind]
                choices[end_edit, n_letters + kind] = edit_ways[m - written, dfa.start, kind]
            if m == written:
                choices[n_states:end_edit, n_letters + kind] = edit_ways[0, :, kind]
        thresholds[m], ways[m] = _normalise(choices)
    return thresholds, ways, successors


def _normalise(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Turn logarithms of weights [n, k] into cumulative probabilities [n, k] and logarithms of the sums [n].

    Rows without weight give zeros and -inf. The last choice with a weight gets exactly 1.
    """
    top = weights.max(axis=1, initial=-np.inf)
    some = top > -np.inf
    sums = np.cumsum(np.exp(weights - np.where(some, top, 0)[:, None]), axis=1)
    totals = np.where(some, sums[:, -1] if sums.shape[1] else 0, 1)
    return sums / totals[:, None], top + np.log(totals)
