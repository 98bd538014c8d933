"""Deterministic finite automata: one immutable value over numpy tables."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from automata.alphabet import Alphabet, Codes
from automata.errors import ToolkitError

_BLOCK = 4096  # words read side by side by `accepts_batch`: their states and letters stay in cache


class Recognizer(Protocol):
    """Whatever accepts or rejects every word over an alphabet: automaton, formula, semigroup, network."""

    @property
    def alphabet(self) -> Alphabet:
        """The declared letters, in order."""
        ...

    def accepts(self, word: Sequence[str]) -> bool:
        """True iff the word is in the language."""
        ...

    def accepts_batch(self, words: Codes | Iterable[Sequence[str]]) -> NDArray[np.bool_]:
        """Tell for each of B words whether it is in the language, bool[B]."""
        ...


@dataclass(frozen=True, eq=False)
class DFA:
    """A complete deterministic finite automaton.

    `delta[q, a]` is the state reached from state q by the letter with code a, int32[n_states, n_letters]; `start` the
    initial state; `accept[q]` tells whether q accepts, bool[n_states]. The arrays are copied, checked and made
    read-only. There is at least one state. `names`, where given, label the states in files and pictures only.

    Two automata are `==` iff alphabet, tables and start are identical, names apart; whether they accept the same
    language is `automata.equivalence.distinguish(a, b) is None`. Minimal automata of one language are `==`.

    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> ends_with_a.accepts("bba"), ends_with_a.accepts("")
    (True, False)
    >>> ends_with_a.accepts_batch(["a", "ab", ""]).tolist()
    [True, False, False]
    """

    alphabet: Alphabet
    delta: NDArray[np.int32]
    start: int
    accept: NDArray[np.bool_]
    names: tuple[str, ...] | None = field(default=None, repr=False)

    def __init__(
        self,
        alphabet: Alphabet,
        delta: ArrayLike,
        start: int,
        accept: ArrayLike,
        names: Sequence[str] | None = None,
    ) -> None:
        accepting = np.array(accept, dtype=np.bool_)
        n_states = len(accepting)
        table = np.array(delta, dtype=np.int32).reshape(n_states, -1 if len(alphabet) and n_states else 0)
        if not n_states:
            raise ToolkitError("an automaton needs at least one state")
        if table.shape != (n_states, len(alphabet)):
            raise ToolkitError(
                f"the transition table of {n_states} states over {len(alphabet)} letters has shape {list(table.shape)}"
            )
        if table.size and not (int(table.min()) >= 0 and int(table.max()) < n_states):
            raise ToolkitError(f"a transition leads to a state outside 0..{n_states - 1}")
        if not 0 <= start < n_states:
            raise ToolkitError(f"the start state {start} is outside 0..{n_states - 1}")
        if names is not None and len(names) != n_states:
            raise ToolkitError(f"{len(names)} names for {n_states} states")
        table.flags.writeable = False
        accepting.flags.writeable = False
        object.__setattr__(self, "alphabet", alphabet)
        object.__setattr__(self, "delta", table)
        object.__setattr__(self, "start", int(start))
        object.__setattr__(self, "accept", accepting)
        object.__setattr__(self, "names", None if names is None else tuple(names))

    @property
    def n_states(self) -> int:
        """Number of states."""
        return len(self.accept)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DFA):
            return NotImplemented
        return (
            self.alphabet == other.alphabet
            and self.start == other.start
            and np.array_equal(self.accept, other.accept)
            and np.array_equal(self.delta, other.delta)
        )

    def __hash__(self) -> int:
        return hash((self.alphabet, self.start, self._digest))

    @cached_property
    def _digest(self) -> bytes:
        return hashlib.sha256(self.delta.tobytes() + self.accept.tobytes()).digest()

    def __repr__(self) -> str:
        accepting = np.flatnonzero(self.accept).tolist()
        return f"DFA({self.alphabet!r}, {self.delta.tolist()}, start={self.start}, accepting={accepting})"

    def step(self, state: int, letter: str) -> int:
        """Return the state reached from `state` by one letter."""
        return int(self.delta[state, self.alphabet.encode([letter])[0]])

    def run(self, word: Sequence[str], state: int | None = None) -> list[int]:
        """Return the N+1 states visited while reading a word from `state`, by default from the start."""
        states = [self.start if state is None else state]
        for code in self.alphabet.encode(word).tolist():
            states.append(int(self.delta[states[-1], code]))
        return states

    def accepts(self, word: Sequence[str]) -> bool:
        """True iff the run over the word from the start ends in an accepting state."""
        return bool(self.accept[self.run(word)[-1]])

    def end_states(self, words: Codes | Iterable[Sequence[str]]) -> NDArray[np.intp]:
        """Return the last state of the run over each of B words, intp[B].

        One gather a column over blocks of words; padding, on any side, leaves the state as it is.
        """
        batch = self.alphabet.as_batch(words)
        n_words, width = batch.shape
        stride = len(self.alphabet) + 1
        # States are kept multiplied by the stride, so that state + code is the index of the next one.
        table = np.empty((self.n_states, stride), dtype=np.intp)
        table[:, :-1] = self.delta
        table[:, -1] = np.arange(self.n_states)
        flat = (table * stride).ravel()
        ends = np.empty(n_words, dtype=np.intp)
        for first in range(0, n_words, _BLOCK):
            columns = np.ascontiguousarray(batch[first : first + _BLOCK].T).astype(np.intp)
            place = np.full(columns.shape[1], self.start * stride, dtype=np.intp)
            for i in range(width):
                columns[i] += place
                np.take(flat, columns[i], out=place, mode="clip")
            ends[first : first + _BLOCK] = place
        return ends // stride

    def accepts_batch(self, words: Codes | Iterable[Sequence[str]]) -> NDArray[np.bool_]:
        """Tell for each of B words, given as words or as codes [B, N], whether it is accepted, bool[B]."""
        return self.accept[self.end_states(words)]
