"""The graph of an automaton: canonical order of states, shortest words along edges, strongly connected components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Word
from automata.dfa import DFA


@dataclass(frozen=True)
class SearchTree:
    """A breadth-first search tree over states, letters tried in alphabet order.

    `order` lists the states reached, the source first, by their least words: shortest, then first in alphabet order.
    `parent[q]` and `letter[q]` give the last edge of that word; both are -1 at the source and where no word leads.
    """

    order: list[int]
    parent: list[int]
    letter: list[int]

    def codes_to(self, target: int) -> list[int] | None:
        """Return the least word from the source to `target` as codes; None if there is none."""
        if target != self.order[0] and self.parent[target] < 0:
            return None
        codes = []
        while target != self.order[0]:
            codes.append(self.letter[target])
            target = self.parent[target]
        return codes[::-1]


def breadth_first(delta: NDArray[np.int32], source: int, avoid: Sequence[bool] | None = None) -> SearchTree:
    """Search the states reachable from `source` along `delta`, int32[n_states, n_letters], never entering `avoid`.

    >>> breadth_first(np.array([[2, 1], [1, 1], [0, 1]], dtype=np.int32), 0).order
    [0, 2, 1]
    """
    rows = delta.tolist()
    parent = [-1] * len(rows)
    letter = [-1] * len(rows)
    seen = [False] * len(rows) if avoid is None else list(avoid)
    seen[source] = True
    order = [source]
    for state in order:  # the list grows while it is read: it is the queue
        for code, target in enumerate(rows[state]):
            if not seen[target]:
                seen[target] = True
                parent[target] = state
                letter[target] = code
                order.append(target)
    return SearchTree(order, parent, letter)


def word_to(dfa: DFA, source: int, target: int) -> Word | None:
    """Return the least word (shortest, then first in alphabet order) leading `source` to `target`, or None.

    >>> from automata.alphabet import Alphabet
    >>> word_to(DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True]), 1, 0)
    'b'
    """
    codes = breadth_first(dfa.delta, source).codes_to(target)
    return None if codes is None else dfa.alphabet.decode(codes)


def strong_components(successors: NDArray[np.int32]) -> NDArray[np.int32]:
    """Label each vertex with the number of its strongly connected component, int32[n].

    `successors`, an integer array [n, k], holds the ends of the k edges that leave each vertex; -1 stands for no edge.
    The numbers follow no order but are the same on every run. Linear in time and memory.

    >>> strong_components(np.array([[1], [0], [-1]], dtype=np.int32)).tolist() in ([0, 0, 1], [1, 1, 0])
    True
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = len(successors)
    present = successors >= 0
    row_ends = np.concatenate(([0], np.cumsum(present.sum(axis=1)))).astype(np.int32)
    targets = successors[present].astype(np.int32)
    graph = csr_array((np.ones(len(targets), dtype=np.int8), targets, row_ends), shape=(n, n))
    return np.asarray(connected_components(graph, directed=True, connection="strong")[1], dtype=np.int32)


def states_reaching(delta: NDArray[np.int32], targets: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the states from which some word, perhaps empty, leads to one of `targets`, bool[n_states]."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    n_states, n_letters = delta.shape
    # Reversed edges, and one more vertex with an edge to each target: one search finds everything.
    goals = np.flatnonzero(targets)
    heads = np.concatenate((np.tile(np.arange(n_states), n_letters), goals))
    tails = np.concatenate((delta.T.ravel(), np.full(len(goals), n_states)))
    graph = csr_array((np.ones(len(heads), dtype=np.int8), (tails, heads)), shape=(n_states + 1, n_states + 1))
    found = breadth_first_order(graph, n_states, directed=True, return_predecessors=False)
    reaching = np.zeros(n_states + 1, dtype=np.bool_)
    reaching[found] = True
    return reaching[:-1]


def live_states(dfa: DFA) -> NDArray[np.bool_]:
    """Mark the states from which some word is accepted, bool[n_states]."""
    return states_reaching(dfa.delta, dfa.accept)


def rejecting_sinks(dfa: DFA) -> NDArray[np.bool_]:
    """Mark the rejecting states that no letter leaves, bool[n_states]; a minimal automaton has at most one."""
    stays = np.all(dfa.delta == np.arange(dfa.n_states)[:, None], axis=1)
    return np.logical_and(stays, ~dfa.accept)
