"""Syntactic semigroups: what the non-empty words do to the states of a minimal automaton."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Codes, Word
from automata.dfa import DFA
from automata.errors import TooLarge
from automata.minimize import minimize
from semigroups.semigroup import FiniteSemigroup

MAX_ELEMENTS = 100_000
"""Elements that a syntactic semigroup may have unless the caller says otherwise."""

MAX_CELLS = 100_000_000
"""Images of single states (elements times states) that the enumeration may store: about half a gigabyte."""


@dataclass(frozen=True, eq=False)
class SyntacticSemigroup:
    """The syntactic semigroup S of a language: the images of the non-empty words, and the part that is accepted.

    `semigroup` is S with the letters as its generators, so that words over the generators are words over the
    alphabet; `accepting[s]` tells whether the words with image s are in the language, bool[n]. `dfa` is the minimal
    automaton. The identity is not adjoined: `identity` is the element that acts as the empty word does, None where no
    non-empty word acts so. The syntactic monoid M is S with the empty word's image added in that case.
    """

    dfa: DFA
    semigroup: FiniteSemigroup
    accepting: NDArray[np.bool_]
    identity: int | None

    @property
    def alphabet(self) -> Alphabet:
        """The declared letters, in order."""
        return self.dfa.alphabet

    def __len__(self) -> int:
        return len(self.semigroup)

    @property
    def monoid_size(self) -> int:
        """Number of elements of the syntactic monoid."""
        return len(self) + (self.identity is None)

    def word(self, element: int) -> Word:
        """Return the least word (shortest, then first in alphabet order) whose image is the element."""
        return self.alphabet.decode(self.semigroup.word(element))

    def image(self, word: Sequence[str]) -> int | None:
        """Return the element that a word has as its image; None for the empty word where S has no identity."""
        codes = self.alphabet.encode(word).tolist()
        return self.semigroup.image(codes) if codes else self.identity

    @cached_property
    def _cayley_automaton(self) -> DFA:
        """The right Cayley graph of S with the empty word as one more state, the start."""
        delta = np.vstack((self.semigroup.right, self.semigroup.generators[None, :]))
        return DFA(self.alphabet, delta, len(self), np.append(self.accepting, self.dfa.accept[self.dfa.start]))

    def accepts(self, word: Sequence[str]) -> bool:
        """True iff the word's image is accepted."""
        return self._cayley_automaton.accepts(word)

    def accepts_batch(self, words: Codes | Iterable[Sequence[str]]) -> NDArray[np.bool_]:
        """Tell for each of B words whether its image is accepted, bool[B]."""
        return self._cayley_automaton.accepts_batch(words)


def syntactic_semigroup(dfa: DFA, max_elements: int = MAX_ELEMENTS, max_cells: int = MAX_CELLS) -> SyntacticSemigroup:
    """Return the syntactic semigroup of the language of an automaton.

    The transformations of the minimal automaton's states are enumerated by libsemigroups (Froidure and Pin 1997), which
    stops as soon as a limit is passed, `max_elements` or, for elements times states, `max_cells`; then
    `TooLarge` is raised.

    >>> from automata.alphabet import Alphabet
    >>> ends_with_a = syntactic_semigroup(DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True]))
    >>> len(ends_with_a), ends_with_a.monoid_size, [ends_with_a.word(s) for s in range(2)]
    (2, 3, ['a', 'b'])
    """
    minimal = minimize(dfa)
    n_letters = len(minimal.alphabet)
    if not n_letters:
        empty = np.empty((0, 0), dtype=np.int32)
        return SyntacticSemigroup(minimal, FiniteSemigroup(empty, empty, []), np.empty(0, dtype=np.bool_), None)
    right, left, generators = _enumerate(minimal, max_elements, max_cells)
    semigroup = FiniteSemigroup(right, left, generators)
    ends = semigroup.act(minimal.delta, minimal.start)
    accepting = minimal.accept[ends]
    accepting.flags.writeable = False
    # An element that multiplies as the identity does fix every state but perhaps the start.
    neutral = np.all(semigroup.right == generators, axis=1) & np.all(semigroup.left == generators, axis=1)
    identities = np.flatnonzero(neutral & (ends == minimal.start))
    return SyntacticSemigroup(minimal, semigroup, accepting, int(identities[0]) if len(identities) else None)


def _enumerate(
    minimal: DFA, max_elements: int, max_cells: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], list[int]]:
    """Enumerate the transformations that the letters generate; return both Cayley graphs and the generators."""
    n_states, n_letters = minimal.delta.shape
    if n_states * n_letters > max_cells:
        raise TooLarge("syntactic semigroup, elements times states", n_states * n_letters, max_cells, "max_cells")
    from libsemigroups_pybind11 import FroidurePin, ReportGuard, Transf

    silence = ReportGuard(False)  # the library prints its progress while no guard lives
    enumeration = FroidurePin([Transf(column) for column in minimal.delta.T.tolist()])
    enumeration.batch_size(1)
    enumeration.enumerate(min(max_elements, max_cells // n_states) + 1)
    size = enumeration.current_size()
    if size > max_elements:
        raise TooLarge("syntactic semigroup", size, max_elements, "max_elements")
    if size * n_states > max_cells:
        raise TooLarge("syntactic semigroup, elements times states", size * n_states, max_cells, "max_cells")
    enumeration.run()
    right, left = (
        np.fromiter(
            (graph.target(s, a) for s in range(size) for a in range(n_letters)), dtype=np.int32, count=size * n_letters
        ).reshape(size, n_letters)
        for graph in (enumeration.right_cayley_graph(), enumeration.left_cayley_graph())
    )
    generators = [int(enumeration.position_of_generator(a)) for a in range(n_letters)]
    del silence
    return right, left, generators
