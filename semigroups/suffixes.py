"""Definite languages as people write them: a finite set of words, and the suffixes that make any word a member."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Word, plain_word
from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.errors import MAX_STATES, NotDefinable, TooLarge, UnknownLetter
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from automata.regex_tree import ANY_LETTER, Concatenation, Letters, Regex, Repetition, Union
from ltl.fragment import LTL_Y
from semigroups.definite import definite_order
from semigroups.forbidden import forbidden_pattern
from semigroups.pumping import pumping_family

MAX_SUFFIXES = 100_000
"""Suffixes that may be looked at unless the caller says otherwise."""


@dataclass(frozen=True)
class SuffixForm:
    """The definite language of the words that are among `words` or end with one of `suffixes`, F + A*X.

    X = `suffixes` holds the shortest suffixes that make every word with them a member, F = `words` the other members;
    both are finite and in order (length, then alphabet order), and the language determines them. `order` is the least
    k such that the last k letters decide membership of all words of length k or more: no suffix is longer and every
    word is shorter. `str` writes the form as a regular expression, which `automata.regex.parse_regex` reads.

    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> print(suffix_form(ends_with_a))
    .*a
    """

    alphabet: Alphabet
    order: int
    suffixes: tuple[Word, ...]
    words: tuple[Word, ...]

    def __str__(self) -> str:
        return str(self.regex())

    def regex(self) -> Regex:
        """Return the form as a regular expression."""
        parts: list[Regex] = [_spelt(word) for word in self.words]
        if self.suffixes:
            anything: list[Regex] = [Repetition(ANY_LETTER, 0, None)] if len(self.alphabet) else []
            endings: list[Regex] = [_spelt(suffix) for suffix in self.suffixes if len(suffix)]
            parts.append(Concatenation((*anything, *([Union(tuple(endings))] if endings else []))))
        return Union(tuple(parts))

    def to_dfa(self, max_states: int = MAX_STATES) -> DFA:
        """Return the minimal automaton of the form, from its regular expression; raise `TooLarge`, `UnknownLetter`."""
        return regex_to_dfa(self.regex(), self.alphabet, max_states)

    def check(self, dfa: DFA, max_states: int = MAX_STATES) -> str | None:
        """Return None iff this is the form of the automaton's language, else the first fault in words.

        The languages are compared; no suffix may be longer than it need be or end with another one, no word may end
        with a suffix, and the order must be the least.
        """
        if dfa.alphabet != self.alphabet:
            return f"the form is over {self.alphabet.letters}, the automaton over {dfa.alphabet.letters}"
        try:
            word = distinguish(self.to_dfa(max_states), dfa)
        except UnknownLetter as error:
            return f"the form does not fit the automaton: {error}"
        if word is not None:
            side = "automaton" if dfa.accepts(word) else "form"
            return f"only the {side} has the word {self.alphabet.show(word)}"
        known = set(self.suffixes)
        for listed, what in ((self.suffixes, "suffix"), (self.words, "word")):
            if len(set(listed)) < len(listed):
                return f"a {what} is listed twice"
            for member in listed:
                for i in range(what == "suffix", len(member) + 1):
                    if member[i:] in known:
                        return f"the {what} {self.alphabet.show(member)} ends with {self.alphabet.show(member[i:])}"
        minimal = minimize(dfa)
        for suffix in self.suffixes:
            if len(suffix) and minimal.accept[_ends(minimal, suffix[1:])].all():
                return f"the suffix {self.alphabet.show(suffix)} is longer than it need be"
        order = definite_order(minimal)
        if order != self.order:
            return f"the order of the language is {order}, not {self.order}"
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return the form as plain data: {"kind": "suffixes", "text", "order", "suffixes", "words"}."""
        return {
            "kind": "suffixes",
            "text": str(self),
            "order": self.order,
            "suffixes": [plain_word(suffix) for suffix in self.suffixes],
            "words": [plain_word(word) for word in self.words],
        }


def suffix_form(dfa: DFA, max_suffixes: int = MAX_SUFFIXES) -> SuffixForm:
    """Return the language of an automaton as a finite set of words and one of suffixes.

    Words are read backwards, from the empty one, as long as they decide nothing. Raise `NotDefinable`, with a
    `PumpingFamily` for LTL[Y], if the language is not definite; `TooLarge` beyond `max_suffixes` suffixes looked at,
    as there may be exponentially more than states.
    """
    minimal = minimize(dfa)
    order = definite_order(minimal)
    if order is None:
        pattern = forbidden_pattern(minimal, LTL_Y)
        evidence = None if pattern is None else pumping_family(pattern)
        raise NotDefinable("the language is not definite: no number of last letters decides membership", evidence)
    # accepting[q] tells whether reading the suffix from state q ends in acceptance.
    level: list[tuple[tuple[int, ...], NDArray[np.bool_]]] = [((), minimal.accept)]
    suffixes: list[Word] = []
    words: list[Word] = []
    looked_at = 0
    while level:
        longer: list[tuple[tuple[int, ...], NDArray[np.bool_]]] = []
        for codes, accepting in level:
            looked_at += 1
            if looked_at > max_suffixes:
                raise TooLarge("suffixes of a definite language", looked_at, max_suffixes, "max_suffixes", False)
            if accepting.all():
                suffixes.append(minimal.alphabet.decode(codes))
            elif accepting.any():
                if accepting[minimal.start]:
                    words.append(minimal.alphabet.decode(codes))
                longer.extend(((code, *codes), accepting[column]) for code, column in enumerate(minimal.delta.T))
        level = sorted(longer, key=lambda item: item[0])
    return SuffixForm(dfa.alphabet, order, tuple(suffixes), tuple(words))


def _ends(dfa: DFA, word: Word) -> NDArray[np.intp]:
    """Return the state that the word leads each state to, intp[n_states]."""
    ends = np.arange(dfa.n_states)
    for code in dfa.alphabet.encode(word).tolist():
        ends = dfa.delta[ends, code]
    return ends


def _spelt(word: Word) -> Regex:
    return Concatenation(tuple(Letters((letter,)) for letter in word))
