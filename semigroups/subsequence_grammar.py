"""Strictly piecewise languages by their minimal forbidden subsequences, read back as automata."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from automata.alphabet import Alphabet, Word, plain_word
from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.errors import MAX_STATES, NotDefinable, TooLarge, UnknownLetter
from semigroups.pairs import MAX_PAIRS
from semigroups.strictly_piecewise import MAX_SUBSEQUENCES, DeletionTable, Place, deleted_letter


@dataclass(frozen=True)
class SubsequenceGrammar:
    """A strictly piecewise grammar: the words that hold none of the forbidden words as a subsequence.

    >>> no_ab = SubsequenceGrammar(Alphabet.of("ab"), ("ab",))
    >>> [word for word in ("", "ba", "bbaa", "bab") if no_ab.to_dfa().accepts(word)]
    ['', 'ba', 'bbaa']
    """

    alphabet: Alphabet
    forbidden: tuple[Word, ...]

    @property
    def k(self) -> int:
        """Length of the longest forbidden word, 0 if there is none."""
        return max(map(len, self.forbidden), default=0)

    def __str__(self) -> str:
        shown = ", ".join(self.alphabet.show(word) for word in self.forbidden)
        return f"words without the subsequences {shown}" if shown else "all words"

    def to_dfa(self, max_states: int = MAX_STATES) -> DFA:
        """Return an automaton of the language, not always minimal; its states are sets of prefixes of forbidden words.

        Raise `UnknownLetter` for a forbidden word over other letters, `TooLarge` beyond `max_states` states.
        """
        children: list[dict[int, int]] = [{}]
        is_forbidden = [False]
        for word in self.forbidden:
            node = 0
            for code in self.alphabet.encode(word).tolist():
                if code not in children[node]:
                    children[node][code] = len(children)
                    children.append({})
                    is_forbidden.append(False)
                node = children[node][code]
            is_forbidden[node] = True
        sink: frozenset[int] = frozenset()
        start = sink if is_forbidden[0] else frozenset([0])
        number = {start: 0}
        queue = deque([start])
        rows = []
        while queue:
            met = queue.popleft()
            row = []
            for code in range(len(self.alphabet)):
                more = met.union(children[node][code] for node in met if code in children[node])
                after = sink if any(is_forbidden[node] for node in more) else more
                if after not in number:
                    number[after] = len(number)
                    queue.append(after)
                    if len(number) > max_states:
                        raise TooLarge("sets of prefixes of forbidden subsequences", len(number), max_states)
                row.append(number[after])
            rows.append(row)
        return DFA(self.alphabet, rows, 0, [met != sink for met in number])

    def check(self, dfa: DFA) -> str | None:
        """Return None iff the grammar describes the language of the automaton, else the fault in words."""
        if dfa.alphabet != self.alphabet:
            return "the alphabets differ"
        try:
            word = distinguish(self.to_dfa(), dfa)
        except UnknownLetter as error:
            return f"the grammar does not fit the automaton: {error}"
        if word is None:
            return None
        shown = self.alphabet.show(word)
        return f"the {'automaton' if dfa.accepts(word) else 'grammar'} alone accepts {shown}"

    def to_dict(self) -> dict[str, Any]:
        """Return the grammar as plain data for JSON: {"kind", "k", "forbidden"}."""
        return {
            "kind": "strictly piecewise grammar",
            "k": self.k,
            "forbidden": [plain_word(word) for word in self.forbidden],
        }


def subsequence_grammar(
    minimal: DFA, max_pairs: int = MAX_PAIRS, max_subsequences: int = MAX_SUBSEQUENCES
) -> SubsequenceGrammar:
    """Return the minimal forbidden subsequences of a strictly piecewise language, given by its minimal automaton.

    They come shortest first, then in alphabet order. Raise `NotDefinable`, with the evidence, if the language is not
    strictly piecewise, `TooLarge` beyond `max_subsequences` of them or of words looked at.

    >>> no_a_then_b = DFA(Alphabet.of("ab"), [[1, 0], [1, 2], [2, 2]], 0, [True, True, False])
    >>> subsequence_grammar(no_a_then_b).forbidden
    ('ab',)
    """
    evidence = deleted_letter(minimal, max_pairs)
    if evidence is not None:
        raise NotDefinable("the language is not strictly piecewise", evidence)
    table = DeletionTable(minimal)
    if table.start is None:
        return SubsequenceGrammar(minimal.alphabet, (minimal.alphabet.decode([]),))
    forbidden = []
    waiting: deque[tuple[tuple[int, ...], Place]] = deque([((), table.start)])
    looked_at = 0
    while waiting:
        codes, place = waiting.popleft()
        if place[1] is None:
            forbidden.append(minimal.alphabet.decode(codes))
            continue
        looked_at += 1
        if max(looked_at, len(waiting)) > max_subsequences:
            raise TooLarge(
                "forbidden subsequences", max(looked_at, len(waiting)), max_subsequences, "max_subsequences", False
            )
        for code in range(len(minimal.alphabet)):
            after = table.step(place, code)
            if after is not None:
                waiting.append(((*codes, code), after))
    return SubsequenceGrammar(minimal.alphabet, tuple(forbidden))
