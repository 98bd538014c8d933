"""Merging states with equal transition rows: definite languages and their order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from automata.dfa import DFA
from automata.minimize import number_by_appearance, row_keys

_WHOLE_ROUNDS = 8  # rounds over all rows before only the rows that change are looked at
_SHRINKING = 16  # a round over all rows pays for itself while it merges one row in sixteen


def definite_order(dfa: DFA) -> int | None:
    """Return the least k such that the last k letters decide membership of all words of length k or more; else None.

    None means that the language is not definite. The automaton must be minimal. Then words of length k lead every
    state to one and the same state, and k is the length of the longest path in the graph on pairs of distinct states;
    merging states with equal rows k times leaves one state. Takes O(n m log n) steps for n states and m letters.

    >>> from automata.alphabet import Alphabet
    >>> definite_order(DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True]))
    1
    >>> definite_order(DFA(Alphabet.of("ab"), [[1, 0], [1, 1]], 0, [False, True])) is None
    True
    """
    labels, rounds = merge_equal_rows(dfa.delta)
    return rounds if not labels.any() else None


def merge_equal_rows(table: NDArray[np.int32]) -> tuple[NDArray[np.int32], int]:
    """Merge states with equal rows, again and again, until all rows differ; return (labels int32[n], rounds).

    `table`, int32[n, k], holds the successor of each state under each letter, -1 where there is none. In one round
    two classes become one iff under every letter both lead to the same class, or both nowhere. Two states end in one
    class, numbered from 0 by its first state, iff no infinite word is read from both without their runs meeting
    (where every state has a successor under the same letters as its partners).
    """
    labels = np.arange(len(table), dtype=np.int32)
    rounds = 0
    while True:
        classes, first = _equal_rows(table)
        before, after = len(table), len(first)
        if after == before:
            return labels, rounds
        rounds += 1
        labels = classes[labels]
        kept = table[first]
        table = np.where(kept < 0, np.int32(-1), classes[kept])
        if rounds >= _WHOLE_ROUNDS and before - after < before // _SHRINKING:
            break
    classes, more = _merge_changed_rows(table)
    return classes[labels], rounds + more


def _equal_rows(table: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """Label equal rows alike, in order of first appearance; return (labels int32[n], first row of each label)."""
    return number_by_appearance(row_keys((column + 1 for column in table.T), len(table), len(table) + 1))


def _merge_changed_rows(table: NDArray[np.int32]) -> tuple[NDArray[np.int32], int]:
    """Do what `merge_equal_rows` does, looking again only at rows in which a class was renamed.

    Of two classes the one with fewer predecessors is renamed, so an entry is renamed at most log2(n k) times.
    """
    rows = [tuple(row) for row in table.tolist()]
    leader = list(range(len(rows)))
    predecessors: list[list[int]] = [[] for _ in rows]
    for state, row in enumerate(rows):
        for target in set(row):
            if target >= 0:
                predecessors[target].append(state)

    def find(state: int) -> int:
        while leader[state] != state:
            leader[state] = leader[leader[state]]
            state = leader[state]
        return state

    class_of_row: dict[tuple[int, ...], int] = {}
    waiting = [
        (state, other) for state, row in enumerate(rows) if (other := class_of_row.setdefault(row, state)) != state
    ]
    rounds = 0
    while waiting:
        rounds += 1
        renamed = []
        for state, other in waiting:
            winner, loser = find(state), find(other)
            if winner == loser:
                continue
            if len(predecessors[winner]) < len(predecessors[loser]):
                winner, loser = loser, winner
            leader[loser] = winner
            renamed.append((winner, loser))
        # All merges of this round are done: now rows may be compared again.
        waiting = []
        for winner, loser in renamed:
            for state in predecessors[loser]:
                if leader[state] != state:
                    continue
                row = tuple(target if target < 0 else find(target) for target in rows[state])
                if row == rows[state]:
                    continue
                rows[state] = row
                other = find(class_of_row.setdefault(row, state))
                if other != state:
                    waiting.append((state, other))
            predecessors[winner].extend(predecessors[loser])
            predecessors[loser] = []
    ends = np.array([find(state) for state in range(len(rows))], dtype=np.int64)
    return number_by_appearance(ends)[0], rounds
