"""Strictly local languages by their minimal forbidden factors, read back as automata."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Word, plain_word
from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.errors import NotDefinable, TooLarge, UnknownLetter
from automata.graph import live_states
from semigroups.pairs import MAX_PAIRS
from semigroups.strictly_local import strictly_local_order, suffix_substitution

MAX_FACTORS = 10_000
"""Forbidden factors, or words looked at to find them, unless the caller says otherwise."""


@dataclass(frozen=True)
class Factor:
    """A factor of a word with edge markers: the letters, and whether they stand at its start and at its end.

    With no letters, one edge alone stands for a marker, and both for the two markers around the empty word.
    """

    letters: Word
    at_start: bool = False
    at_end: bool = False

    @property
    def length(self) -> int:
        """Number of letters and markers."""
        return len(self.letters) + self.at_start + self.at_end


@dataclass(frozen=True)
class FactorGrammar:
    """A strictly k-local grammar: the words w such that #^(k-1) w #^(k-1) holds none of the forbidden factors.

    Forbidden factors have at most k letters and markers; where k = 1 there are no markers.

    >>> no_bb = FactorGrammar(Alphabet.of("ab"), 2, (Factor("bb"), Factor("b", at_end=True)))
    >>> [word for word in ("", "a", "b", "aba", "abba") if no_bb.to_dfa().accepts(word)]
    ['', 'a', 'aba']
    """

    alphabet: Alphabet
    k: int
    forbidden: tuple[Factor, ...]

    def __str__(self) -> str:
        """Say what is forbidden, ⋊ and ⋉ being the edges of the word."""
        shown = [
            "⋊" * factor.at_start + (self.alphabet.show(factor.letters) if factor.letters else "") + "⋉" * factor.at_end
            for factor in self.forbidden
        ]
        return f"words without {', '.join(shown)}" if shown else "all words"

    def to_dfa(self) -> DFA:
        """Return an automaton of the language, not always minimal: Aho and Corasick's, the marker as one more letter.

        Raise `UnknownLetter` for a factor over other letters.
        """
        marker = len(self.alphabet)
        goto = _matcher([_with_markers(self.alphabet, factor) for factor in self.forbidden], marker + 1)
        sink = len(goto)
        table = np.vstack((goto, np.full(marker + 1, sink, dtype=np.int32)))
        table[table < 0] = sink
        has_markers = self.k > 1
        start = int(table[0, marker]) if has_markers else 0
        accept = (table[:, marker] if has_markers else np.arange(sink + 1)) != sink
        return DFA(self.alphabet, table[:, :marker], start, accept)

    def check(self, dfa: DFA) -> str | None:
        """Return None iff the grammar is well-formed and describes the language of the automaton, else the fault."""
        if dfa.alphabet != self.alphabet:
            return "the alphabets differ"
        if self.k < 1:
            return f"k must be at least 1, not {self.k}"
        for factor in self.forbidden:
            if not 1 <= factor.length <= self.k or (self.k == 1 and not factor.letters):
                return f"a forbidden factor has {factor.length} letters and markers; k is {self.k}"
        try:
            word = distinguish(self.to_dfa(), dfa)
        except UnknownLetter as error:
            return f"the grammar does not fit the automaton: {error}"
        if word is None:
            return None
        shown = self.alphabet.show(word)
        return f"the {'automaton' if dfa.accepts(word) else 'grammar'} alone accepts {shown}"

    def to_dict(self) -> dict[str, Any]:
        """Return the grammar as plain data for JSON: {"kind", "k", "forbidden"}, each factor with its edges."""
        return {
            "kind": "strictly local grammar",
            "k": self.k,
            "forbidden": [
                {"letters": plain_word(factor.letters), "at_start": factor.at_start, "at_end": factor.at_end}
                for factor in self.forbidden
            ],
        }


def factor_grammar(minimal: DFA, max_pairs: int = MAX_PAIRS, max_factors: int = MAX_FACTORS) -> FactorGrammar:
    """Return the grammar of a strictly local language, given by its minimal automaton: least k, minimal factors.

    A factor is forbidden if no member, marked at both edges, holds it, and minimal if it holds no other such factor; a
    member is then any word without minimal forbidden factors. They come shortest first. Raise `NotDefinable`, with the
    evidence, if the language is not strictly local, `TooLarge` beyond `max_factors` factors or words looked at.

    >>> grammar = factor_grammar(DFA(Alphabet.of("ab"), [[1, 2], [2, 0], [2, 2]], 0, [True, False, False]))  # (ab)*
    >>> [(factor.letters, factor.at_start, factor.at_end) for factor in grammar.forbidden]
    [('a', False, True), ('aa', False, False), ('b', True, False), ('bb', False, False)]
    """
    k = strictly_local_order(minimal, max_pairs)
    if k is None:
        raise NotDefinable("the language is not strictly local", suffix_substitution(minimal, max_pairs))
    decode = minimal.alphabet.decode
    found = sorted(
        _minimal_forbidden(minimal, max_factors),
        key=lambda item: (len(item[0]) + item[1] + item[2], item[0], item[1], item[2]),
    )
    return FactorGrammar(minimal.alphabet, k, tuple(Factor(decode(codes), start, end) for codes, start, end in found))


def _minimal_forbidden(minimal: DFA, max_factors: int) -> list[tuple[tuple[int, ...], bool, bool]]:
    """Return the minimal forbidden factors as (codes, at start, at end).

    A factor b w c of two symbols or more is one iff b w and w c are allowed and b w c is not. The search walks along
    the words w with the two sets of live states, those after b w and those after w; where they are equal, or the first
    is empty, no longer w has a minimal factor with this b.
    """
    live = live_states(minimal)
    everywhere = frozenset(np.flatnonzero(live).tolist())
    if not everywhere:
        return [((), True, False)]
    accepting = frozenset(np.flatnonzero(minimal.accept).tolist())
    rows = minimal.delta.tolist()
    letters = range(len(minimal.alphabet))

    def after(states: frozenset[int], code: int) -> frozenset[int]:
        return frozenset(rows[state][code] for state in states) & everywhere

    first = {code: after(everywhere, code) for code in letters}
    found: list[tuple[tuple[int, ...], bool, bool]] = [((code,), False, False) for code in letters if not first[code]]
    waiting: deque[tuple[tuple[int, ...], bool, frozenset[int], frozenset[int]]] = deque(
        ((code,), False, states, everywhere) for code, states in first.items() if states
    )
    waiting.append(((), True, frozenset([minimal.start]), everywhere))
    looked_at = 0
    while waiting:
        codes, at_start, narrow, wide = waiting.popleft()
        if narrow == wide:
            continue
        looked_at += 1
        if max(looked_at, len(found)) > max_factors:
            raise TooLarge("forbidden factors", max(looked_at, len(found)), max_factors, "max_factors", False)
        if wide & accepting and not narrow & accepting:
            found.append((codes, at_start, True))
        for code in letters:
            wider = after(wide, code)
            if not wider:
                continue
            narrower = after(narrow, code)
            if narrower:
                waiting.append(((*codes, code), at_start, narrower, wider))
            else:
                found.append(((*codes, code), at_start, False))
    return found


def _with_markers(alphabet: Alphabet, factor: Factor) -> list[int]:
    marker, codes = len(alphabet), alphabet.encode(factor.letters).tolist()
    return [marker] * factor.at_start + [int(code) for code in codes] + [marker] * factor.at_end


def _matcher(patterns: list[list[int]], n_symbols: int) -> NDArray[np.int32]:
    """Return Aho and Corasick's automaton of the texts without the patterns, int32[n, n_symbols], -1 on a match.

    State 0 is the start; a state is the longest suffix read that is a proper prefix of a pattern.
    """
    children: list[dict[int, int]] = [{}]
    is_match = [False]
    for pattern in patterns:
        node = 0
        for code in pattern:
            if code not in children[node]:
                children[node][code] = len(children)
                children.append({})
                is_match.append(False)
            node = children[node][code]
        is_match[node] = True
    goto = np.zeros((len(children), n_symbols), dtype=np.int32)
    fallback = [0] * len(children)
    queue = deque([0])
    while queue:
        node = queue.popleft()
        is_match[node] |= is_match[fallback[node]]
        if node:
            goto[node] = goto[fallback[node]]
        for code, child in children[node].items():
            fallback[child] = int(goto[node, code]) if node else 0
            goto[node, code] = child
            queue.append(child)
    matching = np.array(is_match)
    goto[matching[goto]] = -1
    goto[matching] = -1
    return goto
