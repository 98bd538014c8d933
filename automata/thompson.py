"""From expressions to automata with silent moves, by Thompson's construction (1968), without recursion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count, islice, pairwise

import numpy as np

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.graph import rejecting_sinks
from automata.nfa import NFA, edges_of
from automata.regex_tree import Concatenation, Letters, Regex, Repetition, Union

Edge = tuple[int, int, int]


def thompson(
    regex: Regex,
    alphabet: Alphabet,
    codes: Mapping[Letters, Sequence[int]],
    automata: Mapping[Regex, DFA],
) -> NFA:
    """Return an automaton of the expression with silent moves, linear in its size with repetitions written out.

    `codes` gives the codes of each `Letters`; a subexpression in `automata`, among them every complement and
    intersection, is taken from there as a minimal automaton. The automaton starts in state 0 and accepts in 1.
    """
    silent = len(alphabet)
    edges: list[Edge] = []
    fresh = count(2)
    # For each subexpression: the two states that its words lead from and to. Unless these are one state, nothing made
    # for it enters the first or leaves the second.
    stack = [(regex, 0, 1)]
    while stack:
        node, source, target = stack.pop()
        if node in automata:
            edges += _embedded(automata[node], list(islice(fresh, automata[node].n_states)), source, target)
            continue
        match node:
            case Letters():
                edges += [(source, code, target) for code in codes[node]]
            case Union(parts):
                stack += [(part, source, target) for part in parts]
            case Concatenation(()) | Repetition(_, _, 0):
                edges.append((source, silent, target))
            case Concatenation(parts):
                points = [source, *islice(fresh, len(parts) - 1), target]
                stack += [(part, p, q) for part, (p, q) in zip(parts, pairwise(points), strict=True)]
            case Repetition(operand, least, None):
                points = [source, *islice(fresh, max(least - 1, 0))]
                enter = next(fresh)
                leave = next(fresh) if least else enter
                stack += [(operand, p, q) for p, q in pairwise(points)]
                stack.append((operand, enter, leave))
                edges += [(points[-1], silent, enter), (leave, silent, enter), (leave, silent, target)]
            case Repetition(operand, least, int(most)):
                points = [source, *islice(fresh, most - 1), target]
                stack += [(operand, p, q) for p, q in pairwise(points)]
                edges += [(point, silent, target) for point in points[least:most]]
    accept = np.zeros(next(fresh), dtype=np.bool_)
    accept[1] = True
    return NFA(alphabet, np.array(edges, dtype=np.int32).reshape(-1, 3), [0], accept)


def _embedded(dfa: DFA, states: Sequence[int], source: int, target: int) -> list[Edge]:
    """Return the edges of a copy of a minimal automaton, its sink left out, and those that lead in and out."""
    silent = len(dfa.alphabet)
    rows = edges_of(dfa)
    rows = rows[~rejecting_sinks(dfa)[rows[:, 2]]]
    edges = [(states[p], code, states[q]) for p, code, q in rows.tolist()]
    edges.append((source, silent, states[dfa.start]))
    edges += [(states[q], silent, target) for q in np.flatnonzero(dfa.accept).tolist()]
    return edges
