"""Strictly local languages: membership is a matter of allowed factors of one length, the edges included.

For k >= 1 a language is strictly k-local (strictly k-testable) iff for some set of words of length k over the letters
and an edge marker #, a word w is a member iff every factor of length k of #^(k-1) w #^(k-1) is in the set. For k = 1
there are no markers and the members are the words over some of the letters; the empty language needs k = 2.

McNaughton & Papert, Counter-free automata, 1971; Rogers & Pullum, Aural pattern recognition experiments and the
subregular hierarchy, 2011 (suffix substitution).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Word, plain_word
from automata.dfa import DFA
from automata.equivalence import separating_word
from automata.errors import ToolkitError
from automata.graph import breadth_first, live_states, word_to
from automata.minimize import minimize
from semigroups.distinct_pairs import UNBOUNDED, longest_walks
from semigroups.loops import walk_to_common_loop
from semigroups.pairs import MAX_PAIRS


@dataclass(frozen=True)
class SuffixSubstitution:
    """Evidence that a language is strictly k-local for no k: members whose suffixes cannot be exchanged.

    For every n the words access loop^n tail and other_access loop^n other_tail are members, and access loop^n
    other_tail is not. A strictly k-local language holds u x z' with u x z and u' x z' whenever x has k - 1 letters or
    more, so it would hold the third word for n >= k - 1.
    """

    alphabet: Alphabet
    access: Word
    other_access: Word
    loop: Word
    tail: Word
    other_tail: Word

    def words(self, n: int) -> tuple[Word, Word, Word]:
        """Return the two members and the non-member for n."""
        middle = self.loop * n
        return (
            self._join(self.access, middle, self.tail),
            self._join(self.other_access, middle, self.other_tail),
            self._join(self.access, middle, self.other_tail),
        )

    def __str__(self) -> str:
        first, second, mixed = map(self.alphabet.show, self.words(1))
        return f"{first} and {second} are in the language, {mixed} is not, and so on with more turns of the loop"

    def _join(self, *words: Word) -> Word:
        return self.alphabet.decode(np.concatenate([self.alphabet.encode(word) for word in words]))

    def check(self, dfa: DFA) -> str | None:
        """Return None iff the evidence holds for the language of the automaton, else the fault in words.

        Both states that the access words reach in the minimal automaton must be fixed by the loop; then the three
        words of every n behave as those of n = 0.
        """
        if dfa.alphabet != self.alphabet:
            return "the alphabets differ"
        if not self.loop:
            return "the loop must be non-empty"
        minimal = minimize(dfa)
        for name, access in (("access", self.access), ("other_access", self.other_access)):
            state = minimal.run(access)[-1]
            if minimal.run(self.loop, state)[-1] != state:
                return f"the loop moves the state that {name} reaches"
        for word, expected in zip(self.words(0), (True, True, False), strict=True):
            if minimal.accepts(word) != expected:
                shown = self.alphabet.show(word)
                return f"the automaton {'rejects' if expected else 'accepts'} {shown}"
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return the evidence as plain data for JSON; words as strings or lists."""
        return {
            "kind": "suffix substitution",
            "access": plain_word(self.access),
            "other_access": plain_word(self.other_access),
            "loop": plain_word(self.loop),
            "tail": plain_word(self.tail),
            "other_tail": plain_word(self.other_tail),
        }


def strictly_local_order(minimal: DFA, max_pairs: int = MAX_PAIRS) -> int | None:
    """Return the least k >= 1 such that the language of a minimal automaton is strictly k-local; None if none is.

    Let u x z and u' x z' be members, p and q the states after u and u'. All prefixes of members lead to live states,
    and u x z' is a member for all such z' iff p.x = q.x. So for k >= 2 (and for k = 1 if there are members) the
    language is strictly k-local iff no word of k - 1 letters keeps two distinct live states live and distinct: k is
    two more than the greatest length of a word that does. Raise `TooLarge` beyond `max_pairs` pairs of live states.

    >>> strictly_local_order(DFA(Alphabet.of("ab"), [[1, 2], [2, 0], [2, 2]], 0, [True, False, False]))  # (ab)*
    2
    >>> strictly_local_order(DFA(Alphabet.of("ab"), [[1, 0], [1, 1]], 0, [False, True])) is None  # contains a
    True
    """
    table = live_part(minimal)
    if len(table) < 2:
        return 1 if len(table) else 2
    walks = longest_walks(table, max_pairs)[np.triu_indices(len(table), 1)]
    return None if bool((walks == UNBOUNDED).any()) else int(walks.max()) + 2


def suffix_substitution(minimal: DFA, max_pairs: int = MAX_PAIRS) -> SuffixSubstitution | None:
    """Return evidence that the language of a minimal automaton is not strictly local, None iff it is.

    The access words and tails are least words. Raise `TooLarge` as `strictly_local_order` does, and `ToolkitError`
    where two states found cannot be reached or told apart, since then the automaton is not minimal.

    >>> evidence = suffix_substitution(DFA(Alphabet.of("ab"), [[1, 0], [1, 1]], 0, [False, True]))
    >>> evidence.words(3)
    ('bbba', 'abbb', 'bbb')
    """
    live = np.flatnonzero(live_states(minimal))
    table = live_part(minimal)
    walks = longest_walks(table, max_pairs)
    endless = np.triu(walks == UNBOUNDED, 1)
    if not endless.any():
        return None
    start = divmod(int(endless.argmax()), len(table))
    codes, left, right = walk_to_common_loop(table, start, lambda p, q: int(walks[p, q]) == UNBOUNDED)
    p, q = sorted((int(live[left]), int(live[right])))
    other_tail = separating_word(minimal, p, q)
    if other_tail is not None and minimal.accept[minimal.run(other_tail, p)[-1]]:
        p, q = q, p
    access, other_access = word_to(minimal, minimal.start, p), word_to(minimal, minimal.start, q)
    if access is None or other_access is None or other_tail is None:
        raise ToolkitError(
            f"states {p} and {q}: one is out of reach or both are equivalent; minimize the automaton first"
        )
    loop = minimal.alphabet.decode(codes)
    return SuffixSubstitution(minimal.alphabet, access, other_access, loop, _least_accepted(minimal, p), other_tail)


def live_part(dfa: DFA) -> NDArray[np.int32]:
    """Return the transitions between live states, renumbered in order, int32[n_live, n_letters]; -1 leads to none."""
    live = live_states(dfa)
    number = np.where(live, np.cumsum(live) - 1, -1).astype(np.int32)
    return number[dfa.delta[live]]


def _least_accepted(dfa: DFA, state: int) -> Word:
    """Return the least word accepted from a live state."""
    tree = breadth_first(dfa.delta, state)
    end = next(q for q in tree.order if dfa.accept[q])
    return dfa.alphabet.decode(tree.codes_to(end) or [])
