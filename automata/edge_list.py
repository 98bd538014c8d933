"""From a list of labelled edges, as files give it, to a complete deterministic automaton."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from reprlib import repr as show_short

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, require_same_alphabet
from automata.dfa import DFA
from automata.errors import MAX_STATES, FormatError, TooLarge, show_alphabet
from automata.nfa import NFA, determinize

_ENTRIES_PER_STATE = 256  # a table may hold this many entries for each state that is allowed


@dataclass(frozen=True)
class Edge:
    """One transition of a file: states by number, the letter (None is the empty word), the line it stands on."""

    source: int
    letter: str | None
    target: int
    line: int | None = None


@dataclass(frozen=True)
class EdgeList:
    """An automaton as a file describes it, perhaps partial or nondeterministic; `names` may label its states."""

    n_states: int
    edges: tuple[Edge, ...]
    start: int
    accepting: frozenset[int]
    names: tuple[str, ...] | None = None


def to_dfa(listed: EdgeList, alphabet: Alphabet, source: str, max_states: int = MAX_STATES) -> DFA:
    """Return a complete DFA for an edge list.

    The states keep their order and names; where edges are missing a rejecting sink is added as the last
    state. An edge list with two edges of one state and letter to different states, or with edges that read
    the empty word, is determinised by subsets, and its names are lost. Raise `FormatError` with the line for
    a letter outside the alphabet, `TooLarge` past `max_states` states.
    """
    n_letters = len(alphabet)
    check_size(listed.n_states, n_letters, source, max_states)
    index: dict[str | None, int] = {None: n_letters} | dict(alphabet.index)
    for edge in listed.edges:
        if edge.letter not in index:
            problem = f"unknown letter {show_short(edge.letter)}; the alphabet is {show_alphabet(alphabet.letters)}"
            raise FormatError(source, edge.line, problem)
    rows = np.array([(edge.source, index[edge.letter], edge.target) for edge in listed.edges], dtype=np.int32)
    rows = rows.reshape(-1, 3)
    accept = np.zeros(listed.n_states, dtype=np.bool_)
    accept[sorted(listed.accepting)] = True
    table = np.full((listed.n_states, n_letters + 1), -1, dtype=np.int32)
    table[rows[:, 0], rows[:, 1]] = rows[:, 2]
    # Of several edges for one state and letter the table holds one; the others then differ from it.
    if np.any(table[:, n_letters] >= 0) or np.any(table[rows[:, 0], rows[:, 1]] != rows[:, 2]):
        return determinize(NFA(alphabet, rows, [listed.start], accept), max_states)
    return complete_with_sink(alphabet, table[:, :n_letters], listed.start, accept, listed.names)


def complete_with_sink(
    alphabet: Alphabet,
    table: NDArray[np.int32],
    start: int,
    accept: NDArray[np.bool_],
    names: Sequence[str] | None,
) -> DFA:
    """Return a DFA from a table, int32[n_states, n_letters], in which -1 marks a missing transition.

    Missing transitions lead to a rejecting sink, added as the last state under the name "sink" (primed while
    taken); there is none where nothing is missing.
    """
    missing = table < 0
    if not missing.any():
        return DFA(alphabet, table, start, accept, names)
    n_states = len(table)
    sink_row = np.full((1, len(alphabet)), n_states, dtype=np.int32)
    completed = np.concatenate((np.where(missing, np.int32(n_states), table), sink_row))
    if names is not None:
        taken = set(names)
        sink = next(name for i in range(n_states + 1) if (name := "sink" + "'" * i) not in taken)
        names = (*names, sink)
    return DFA(alphabet, completed, start, np.append(accept, False), names)


def check_size(n_states: int, n_letters: int, source: str, max_states: int) -> None:
    """Raise `TooLarge` unless so many states, and a table of states by letters, may be built."""
    if n_states > max_states:
        raise TooLarge(f"states of {source}", n_states, max_states)
    if n_states * n_letters > _ENTRIES_PER_STATE * max_states:
        raise TooLarge(f"states times letters of {source}", n_states * n_letters, _ENTRIES_PER_STATE * max_states)


def settle_alphabet(declared: Alphabet | None, given: Alphabet | None, edges: Iterable[Edge], source: str) -> Alphabet:
    """Return the alphabet that a file declares, else the one given, else the letters of its edges by code point.

    Raise `AlphabetMismatch` if the file declares another alphabet than the one given, `FormatError` if
    nothing tells.
    """
    if declared is not None and given is not None:
        require_same_alphabet(declared, given)
    for known in (declared, given):
        if known is not None:
            return known
    letters = sorted({edge.letter for edge in edges if edge.letter is not None})
    if not letters:
        raise FormatError(source, None, "declares no alphabet and has no edge with a letter; give the alphabet")
    return Alphabet(tuple(letters))
