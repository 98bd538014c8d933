"""Nondeterministic finite automata with silent moves, and the subset construction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import MAX_STATES, TooLarge, ToolkitError

_MEMBERS_PER_STATE = 32  # state sets are bounded by their number and, at this rate, by their members in all


@dataclass(frozen=True, eq=False)
class NFA:
    """A nondeterministic finite automaton with any number of start states and silent moves.

    `edges`, int32[m, 3], holds the rows (source, code of the letter, target); the code `len(alphabet)`, which
    reads nothing, marks a silent move. `starts`, int32[s], lists the start states and `accept`, bool[n_states],
    marks the accepting ones. A word is accepted iff some path from a start state to an accepting state spells it.

    >>> edges = [(0, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 2)]
    >>> ends_with_ab = NFA(Alphabet.of("ab"), edges, starts=[0], accept=[False, False, True])
    >>> determinize(ends_with_ab).accepts("aab")
    True
    """

    alphabet: Alphabet
    edges: NDArray[np.int32]
    starts: NDArray[np.int32]
    accept: NDArray[np.bool_]

    def __init__(self, alphabet: Alphabet, edges: ArrayLike, starts: ArrayLike, accept: ArrayLike) -> None:
        accepting = np.array(accept, dtype=np.bool_)
        table = np.array(edges, dtype=np.int32).reshape(-1, 3)
        initial = np.array(starts, dtype=np.int32)
        states = np.concatenate((table[:, 0], table[:, 2], initial))
        if np.any((states < 0) | (states >= len(accepting))):
            raise ToolkitError(f"an edge or start names a state outside 0..{len(accepting) - 1}")
        if np.any((table[:, 1] < 0) | (table[:, 1] > len(alphabet))):
            raise ToolkitError(f"an edge carries a code outside 0..{len(alphabet)} (the last reads nothing)")
        for array in (table, initial, accepting):
            array.flags.writeable = False
        object.__setattr__(self, "alphabet", alphabet)
        object.__setattr__(self, "edges", table)
        object.__setattr__(self, "starts", initial)
        object.__setattr__(self, "accept", accepting)

    @property
    def n_states(self) -> int:
        """Number of states."""
        return len(self.accept)


def edges_of(dfa: DFA) -> NDArray[np.int32]:
    """Return the transitions of a deterministic automaton as rows (source, code, target), int32[m, 3]."""
    sources, codes = np.indices(dfa.delta.shape, dtype=np.int32)
    return np.stack((sources.ravel(), codes.ravel(), dfa.delta.ravel()), axis=1)


def determinize(nfa: NFA, max_states: int = MAX_STATES) -> DFA:
    """Return a deterministic automaton of the language, by the subset construction (Rabin and Scott 1959).

    Only reachable sets are built, in breadth-first order; the result is complete, not yet minimal. Raise
    `TooLarge` beyond `max_states` sets, or where the sets hold more than 32 `max_states` members in all.
    """
    groups = _letter_groups(nfa)
    moves, silent = _adjacency(nfa, groups)
    accept = nfa.accept.tolist()
    by_kernel: dict[tuple[int, ...], int] = {}  # sets as they are reached, before silent moves
    by_closure: dict[tuple[int, ...], int] = {}
    closures: list[tuple[int, ...]] = []
    members = 0

    def number(kernel: tuple[int, ...]) -> int:
        nonlocal members
        state = by_kernel.get(kernel)
        if state is None:
            closure = _closure(kernel, silent)
            members += len(closure)
            state = by_closure.setdefault(closure, len(closures))
            by_kernel[kernel] = state
            if state == len(closures):
                closures.append(closure)
            if len(closures) > max_states:
                raise TooLarge("the subset construction, in states", len(closures), max_states)
            if members > _MEMBERS_PER_STATE * max_states:
                limit = _MEMBERS_PER_STATE * max_states
                raise TooLarge("the subset construction, in members of its state sets", members, limit)
        return state

    number(tuple(sorted(set(nfa.starts.tolist()))))
    n_groups = len(groups)
    rows: list[list[int]] = []
    accepting: list[bool] = []
    for closure in closures:  # the list grows while it is read: it is the queue
        reached: list[set[int]] = [set() for _ in range(n_groups)]
        for state in closure:
            for group, target in moves[state]:
                reached[group].add(target)
        rows.append([number(tuple(sorted(targets))) for targets in reached])
        accepting.append(any(accept[state] for state in closure))
    table = np.empty((len(rows), len(nfa.alphabet)), dtype=np.int32)
    grouped = np.array(rows, dtype=np.int32).reshape(len(rows), n_groups)
    for group, codes in enumerate(groups):
        table[:, codes] = grouped[:, [group]]
    return DFA(nfa.alphabet, table, 0, accepting)


def _letter_groups(nfa: NFA) -> list[list[int]]:
    """Group the letters that label the same moves, so that each group is followed once."""
    by_letter = nfa.edges[np.lexsort((nfa.edges[:, 2], nfa.edges[:, 0], nfa.edges[:, 1]))]
    ends = np.searchsorted(by_letter[:, 1], np.arange(len(nfa.alphabet) + 1))
    groups: dict[bytes, list[int]] = {}
    for code in range(len(nfa.alphabet)):
        same = by_letter[ends[code] : ends[code + 1], ::2].tobytes()
        groups.setdefault(same, []).append(code)
    return list(groups.values())


def _adjacency(nfa: NFA, groups: Sequence[Sequence[int]]) -> tuple[list[list[tuple[int, int]]], dict[int, list[int]]]:
    """List for each state its moves (letter group, target), and its silent successors where it has any."""
    group_of = {codes[0]: group for group, codes in enumerate(groups)}  # one letter stands for its group
    moves: list[list[tuple[int, int]]] = [[] for _ in range(nfa.n_states)]
    silent: dict[int, list[int]] = {}
    for source, code, target in nfa.edges.tolist():
        if code == len(nfa.alphabet):
            silent.setdefault(source, []).append(target)
        elif code in group_of:
            moves[source].append((group_of[code], target))
    return moves, silent


def _closure(kernel: tuple[int, ...], silent: dict[int, list[int]]) -> tuple[int, ...]:
    """Return the states reached from a sorted set by silent moves, the set included, sorted."""
    stack = [state for state in kernel if state in silent]
    if not stack:
        return kernel
    found = set(kernel)
    while stack:
        for target in silent[stack.pop()]:
            if target not in found:
                found.add(target)
                if target in silent:
                    stack.append(target)
    return tuple(sorted(found))
