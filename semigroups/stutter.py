"""Languages that cannot count repetitions of a letter: closure under stuttering, and LTL with P non-strict.

Let `O f` be `f | P f`, the past that includes the present. Over letters, Boolean operators and O a formula cannot tell
`u a v` from `u a a v`: by induction, every position has the same truth in both words, the doubled letter twice.
Conversely, LTL[P] and closure under stuttering together are enough, so

    L is in LTL[O]  iff  L is in LTL[P] and u a v and u a a v are in L together, for all words u, v and letters a.

Proof. The minimal automaton is partially ordered, and q.a.a = q.a for all q, a. Define, in topological order,
visited(start) = true and, for the other states, visited(q) = O of the disjunction over all transitions p -a-> q,
p != q, of (a & visited(p) & !O of the disjunction over letters b != a with p.b != p of (b & visited(p))). It holds at
position n iff the run has reached q after the n-th letter. Indeed if the run leaves p by the letter a at n, then p was
reached before n, since p.a != p while states entered by a are fixed by a; and no other letter has led out of p up to n.
Conversely let the disjunct hold at n: p is reached by n, hence before n as above, and no letter but a leads out of p
until n; so the first a since then led from p to q. A word ends in q iff visited(q) holds and visited(r) fails for all
transitions q -a-> r, r != q.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from automata.alphabet import Alphabet, Word, concatenate, plain_word
from automata.dfa import DFA
from automata.equivalence import separating_word
from automata.errors import ToolkitError
from automata.graph import word_to


@dataclass(frozen=True)
class Stutter:
    """Evidence that a language is not closed under stuttering.

    Exactly one of before·letter·after and before·letter·letter·after is in it.
    """

    alphabet: Alphabet
    before: Word
    letter: Word
    after: Word

    @property
    def words(self) -> tuple[Word, Word]:
        """The word with the letter once, and the word with it twice."""
        once = concatenate(self.before, self.letter)
        return concatenate(once, self.after), concatenate(once, self.letter, self.after)

    def __str__(self) -> str:
        once, twice = map(self.alphabet.show, self.words)
        return f"one of {once} and {twice} is in the language, the other is not"

    def check(self, dfa: DFA) -> str | None:
        """Return None iff the automaton accepts exactly one of the two words, else the fault."""
        if dfa.alphabet != self.alphabet:
            return "the alphabets differ"
        if len(self.letter) != 1:
            return "one letter is repeated, not a word"
        once, twice = self.words
        return "the automaton does not tell the two words apart" if dfa.accepts(once) == dfa.accepts(twice) else None

    def to_dict(self) -> dict[str, Any]:
        """Return the evidence as plain values for JSON."""
        once, twice = map(plain_word, self.words)
        return {"kind": "stutter", "letter": plain_word(self.letter), "once": once, "twice": twice}


def stutter(minimal: DFA) -> Stutter | None:
    """Return evidence that the language of a minimal automaton is not closed under stuttering, None if it is.

    >>> from automata.regex import regex_to_dfa
    >>> stutter(regex_to_dfa("bb.*", Alphabet.of("ab"))).words
    ('b', 'bb')
    >>> stutter(regex_to_dfa(".*ab.*", Alphabet.of("ab"))) is None
    True
    """
    codes = np.arange(len(minimal.alphabet))
    moved = minimal.delta[minimal.delta, codes] != minimal.delta
    if not moved.any():
        return None
    state, code = divmod(int(moved.argmax()), len(codes))
    once = int(minimal.delta[state, code])
    before = word_to(minimal, minimal.start, state)
    after = separating_word(minimal, once, int(minimal.delta[once, code]))
    if before is None or after is None:
        raise ToolkitError("the automaton is not minimal; minimize it first")
    return Stutter(minimal.alphabet, before, minimal.alphabet.decode([code]), after)
