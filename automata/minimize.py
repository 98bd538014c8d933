"""The minimal automaton of a language, with canonical numbering of its states."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automata.dfa import DFA
from automata.graph import breadth_first

_MOORE_ROUNDS = 64  # enough for all but automata whose states differ only on long words


def minimize(dfa: DFA) -> DFA:
    """Return the minimal complete automaton of the language, its states numbered breadth first.

    State q is the q-th residual language in the order of least access words (length, then alphabet order), so that
    two automata accept the same language over the same alphabet iff their minimal automata are `==`. Names are
    dropped. Moore's refinement, vectorised, does shallow automata; Hopcroft's algorithm finishes deep ones in
    O(n k log n) steps.

    >>> from automata.alphabet import Alphabet
    >>> ab = Alphabet.of("ab")
    >>> minimize(DFA(ab, [[1, 2], [1, 2], [1, 2], [0, 0]], 0, [False, True, False, True]))
    DFA(Alphabet(letters=('a', 'b')), [[1, 0], [1, 0]], start=0, accepting=[1])
    """
    order = np.array(breadth_first(dfa.delta, dfa.start).order, dtype=np.int32)
    place = np.zeros(dfa.n_states, dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    delta = place[dfa.delta[order]]
    accept = dfa.accept[order]
    classes = equivalent_states(delta, accept)
    # Reachable states stand in breadth-first order, so numbering classes by first appearance is canonical.
    label, members = number_by_appearance(classes)
    return DFA(dfa.alphabet, label[delta[members]], 0, accept[members])


def equivalent_states(delta: NDArray[np.int32], outputs: NDArray[np.bool_ | np.integer[Any]]) -> NDArray[np.int64]:
    """Label the states so that two have one label iff every word leads both to states of equal output, int64[n_states].

    With acceptance for outputs these are the states that accept the same words (Nerode).
    """
    labels = outputs.astype(np.int64)
    count = len(np.unique(labels))
    labels = np.unique(labels, return_inverse=True)[1]
    for _ in range(_MOORE_ROUNDS):
        labels = _moore_round(delta, labels, count)
        before, count = count, int(labels.max()) + 1
        if count in (before, len(labels)):
            return labels
    return _hopcroft(delta, labels)


def _moore_round(delta: NDArray[np.int32], labels: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Split classes by the classes of their successors under every letter."""
    successors = (labels[column] for column in delta.T)
    return np.unique(row_keys(chain([labels], successors), len(labels), count), return_inverse=True)[1]


def row_keys(columns: Iterable[NDArray[np.integer[Any]]], n_rows: int, base: int) -> NDArray[np.int64]:
    """Give equal keys to equal rows of a table and different ones to different rows, int64[n_rows].

    The table comes column by column; its entries are 0..base-1, and n_rows * base is at most 2**63, as it is for the
    successors of states numbered in 32 bits.
    """
    keys = np.zeros(n_rows, dtype=np.int64)
    size = 1
    for column in columns:
        if size > np.iinfo(np.int64).max // base:  # the next column would not fit: shorten the keys
            keys = np.unique(keys, return_inverse=True)[1]
            size = n_rows
        keys = keys * base + column
        size *= base
    return keys


def number_by_appearance(labels: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """Number labels in the order of their first appearance; return (numbers int32[n], first place of each).

    >>> number_by_appearance(np.array([7, 3, 7, 5]))
    (array([0, 1, 0, 2], dtype=int32), array([0, 1, 3]))
    """
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return rank[inverse], np.sort(first)


def _hopcroft(delta: NDArray[np.int32], labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Refine a partition until stable, by Hopcroft's "process the smaller half" (1971)."""
    n_states, n_letters = delta.shape
    predecessors = []
    for code in range(n_letters):
        column = delta[:, code]
        by_target = np.argsort(column, kind="stable")
        ends = np.searchsorted(column[by_target], np.arange(n_states + 1))
        predecessors.append((by_target.tolist(), ends.tolist()))
    label: list[int] = labels.tolist()
    # A block is a slice of `elements`; states found to be hit are swapped to its front, up to `middle`.
    elements: list[int] = np.argsort(labels, kind="stable").tolist()
    place = [0] * n_states
    for i, state in enumerate(elements):
        place[state] = i
    sizes = np.bincount(labels)
    end: list[int] = np.cumsum(sizes).tolist()
    first: list[int] = (np.cumsum(sizes) - sizes).tolist()
    middle = first.copy()
    waiting = [(block, code) for block in range(len(first)) for code in range(n_letters)]
    while waiting:
        splitter, code = waiting.pop()
        sources, ends = predecessors[code]
        hits = [
            source
            for state in elements[first[splitter] : end[splitter]]
            for source in sources[ends[state] : ends[state + 1]]
        ]
        touched = []
        for state in hits:
            block = label[state]
            front = middle[block]
            if front == first[block]:
                touched.append(block)
            here, other = place[state], elements[front]
            elements[front], elements[here] = state, other
            place[state], place[other] = front, here
            middle[block] = front + 1
        for block in touched:
            split = middle[block]
            middle[block] = first[block]
            if split == end[block]:
                continue
            new = len(first)
            # The smaller half becomes the new block. If (block, code) waits, both halves now wait; if it does not,
            # the smaller half is enough.
            if split - first[block] <= end[block] - split:
                first.append(first[block])
                end.append(split)
                first[block] = middle[block] = split
            else:
                first.append(split)
                end.append(end[block])
                end[block] = split
            middle.append(first[new])
            for state in elements[first[new] : end[new]]:
                label[state] = new
            waiting.extend((new, letter) for letter in range(n_letters))
    return np.array(label, dtype=np.int64)
