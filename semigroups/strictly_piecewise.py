"""Strictly piecewise languages: closed under deleting letters, so given by forbidden subsequences.

A language is strictly k-piecewise iff membership of a word is a matter of its subsequences of length k or less: some
set of them is forbidden. By Haines (1969) every language closed under deleting letters has finitely many minimal
forbidden subsequences, so strictly piecewise for some k is the same as closed under deletion. Rogers et al., On
languages piecewise testable in the strict sense, 2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from automata.alphabet import Alphabet, Word, concatenate, plain_word
from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError
from automata.graph import live_states, word_to
from semigroups.pairs import MAX_PAIRS

MAX_SUBSEQUENCES = 100_000
"""Forbidden subsequences, or words looked at to find them, unless the caller says otherwise."""


Place: TypeAlias = tuple[int, frozenset[int] | None]
"""The state after a word and the states after it with one letter deleted; None for these once the word is forbidden."""


class DeletionTable:
    """Steps along the words that may go on to a minimal forbidden subsequence of a strictly piecewise language.

    A word w outside the language is one iff all words that deleting a letter of w leaves are inside. So a prefix of w
    is at no state at which it also is without some letter, and none of its deletions is dead. Only the empty language
    has no `start`.
    """

    def __init__(self, minimal: DFA) -> None:
        self._rows = minimal.delta.tolist()
        self._is_dead = (~live_states(minimal)).tolist()
        self.start: Place | None = None if self._is_dead[minimal.start] else (minimal.start, frozenset())

    def step(self, place: Place, code: int) -> Place | None:
        """Return the place after one more letter, None where no minimal forbidden subsequence goes on so."""
        state, deleted = place
        if deleted is None:
            return None
        after = self._rows[state][code]
        shorter = frozenset(self._rows[other][code] for other in deleted) | {state}
        if after in shorter or any(self._is_dead[other] for other in shorter):
            return None
        return (after, None) if self._is_dead[after] else (after, shorter)


@dataclass(frozen=True)
class DeletedLetter:
    """Evidence that a language is not strictly piecewise: before letter after is a member, before after is not."""

    alphabet: Alphabet
    before: Word
    letter: str
    after: Word

    @property
    def inside(self) -> Word:
        """The member."""
        return concatenate(self.before, self.alphabet.decode(self.alphabet.encode([self.letter])), self.after)

    @property
    def outside(self) -> Word:
        """The member without the letter."""
        return concatenate(self.before, self.after)

    def __str__(self) -> str:
        return f"{self.alphabet.show(self.inside)} is in the language, {self.alphabet.show(self.outside)} is not"

    def check(self, dfa: DFA) -> str | None:
        """Return None iff the evidence holds for the language of the automaton, else the fault in words."""
        if dfa.alphabet != self.alphabet:
            return "the alphabets differ"
        if not dfa.accepts(self.inside):
            return f"the automaton rejects {self.alphabet.show(self.inside)}"
        if dfa.accepts(self.outside):
            return f"the automaton accepts {self.alphabet.show(self.outside)}"
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return the evidence as plain data for JSON; words as strings or lists."""
        return {
            "kind": "deleted letter",
            "before": plain_word(self.before),
            "letter": self.letter,
            "after": plain_word(self.after),
        }


def deleted_letter(minimal: DFA, max_pairs: int = MAX_PAIRS) -> DeletedLetter | None:
    """Return evidence that the language of a minimal automaton is not strictly piecewise, None iff it is.

    The language is closed under deletion iff for all states q and letters a every word accepted from q.a is accepted
    from q; the pairs of states reached from the pairs (q.a, q) decide. `after` is as short as any can be. Raise
    `TooLarge` if the automaton has more than `max_pairs` ordered pairs of states.

    >>> deleted_letter(DFA(Alphabet.of("ab"), [[1, 0], [1, 1]], 0, [False, True]))  # contains a
    DeletedLetter(alphabet=Alphabet(letters=('a', 'b')), before='', letter='a', after='')
    >>> deleted_letter(DFA(Alphabet.of("ab"), [[1, 0], [1, 1]], 0, [True, False])) is None  # no a
    True
    """
    found = _pair_apart(minimal, max_pairs)
    if found is None:
        return None
    state, code, after = found
    before = word_to(minimal, minimal.start, state)
    if before is None:
        raise ToolkitError(f"state {state} is out of reach; minimize the automaton first")
    return DeletedLetter(minimal.alphabet, before, minimal.alphabet.letters[code], minimal.alphabet.decode(after))


def strictly_piecewise_order(
    minimal: DFA, max_pairs: int = MAX_PAIRS, max_subsequences: int = MAX_SUBSEQUENCES
) -> int | None:
    """Return the least k such that the language of a minimal automaton is strictly k-piecewise; None if none is.

    It is the length of the longest minimal forbidden subsequence, 0 where nothing or even the empty word is forbidden.
    Raise `TooLarge` beyond `max_pairs` ordered pairs of states, or `max_subsequences` places
    (see `DeletionTable`) that the search meets.

    >>> strictly_piecewise_order(DFA(Alphabet.of("ab"), [[1, 0], [1, 1]], 0, [True, False]))
    1
    """
    if _pair_apart(minimal, max_pairs) is not None:
        return None
    codes = np.unique(minimal.delta, axis=1, return_index=True)[1].tolist() if len(minimal.alphabet) else []
    table = DeletionTable(minimal)
    level = {table.start: None} if table.start is not None else {}
    order = length = seen = 0
    while level:
        length += 1
        steps = [after for place in level for code in codes if (after := table.step(place, code)) is not None]
        level = {after: None for after in steps if after[1] is not None}
        if len(level) < len(dict.fromkeys(steps)):
            order = length
        seen += len(level)
        if seen > max_subsequences:
            raise TooLarge("words without forbidden parts", seen, max_subsequences, "max_subsequences", False)
    return order


def _pair_apart(minimal: DFA, max_pairs: int) -> tuple[int, int, list[int]] | None:
    """Return (q, a, codes of a word accepted from q.a and rejected from q), the word least in length; None if none is.

    Breadth-first search over ordered pairs of states from the pairs (q.a, q), level by level.
    """
    n, n_letters = minimal.delta.shape
    if n * n > max_pairs:
        raise TooLarge("ordered pairs of states", n * n, max_pairs, "max_pairs")
    if not n_letters:
        return None
    columns = np.unique(minimal.delta, axis=1, return_index=True)[1]
    table = minimal.delta[:, np.sort(columns)].astype(np.int64)
    codes = np.sort(columns).tolist()
    came_from = np.full(n * n, -2, dtype=np.int64)  # the pair before; -1 for a first pair, -2 for one not reached
    by_letter = np.zeros(n * n, dtype=np.int32)
    states = np.arange(n)
    level, first = np.unique((table * n + states[:, None]).T.ravel(), return_index=True)
    came_from[level] = -1
    by_letter[level] = first // n
    while len(level):
        p, q = np.divmod(level, n)
        apart = np.flatnonzero(minimal.accept[p] & ~minimal.accept[q])
        if len(apart):
            pair = int(level[apart[0]])
            word = []
            while came_from[pair] >= 0:
                word.append(codes[by_letter[pair]])
                pair = int(came_from[pair])
            return pair % n, codes[by_letter[pair]], word[::-1]
        targets = (table[p] * n + table[q]).T.ravel()
        reached, first = np.unique(targets, return_index=True)
        fresh = came_from[reached] == -2
        reached, first = reached[fresh], first[fresh]
        came_from[reached] = level[first % len(level)]
        by_letter[reached] = first // len(level)
        level = reached
    return None
