"""Locally testable languages as people write them: sets of prefixes, factors and suffixes, and short words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from automata.alphabet import Alphabet, Word, plain_word
from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.errors import MAX_STATES, UnknownLetter
from automata.regex import regex_to_dfa
from automata.regex_tree import (
    ANY_LETTER,
    Complement,
    Concatenation,
    Intersection,
    Letters,
    Regex,
    Repetition,
    Union,
)


@dataclass(frozen=True)
class FactorClause:
    """A condition on words: begin and end with one of these, contain all of these factors and none of those.

    `prefixes` and `suffixes` are words of length k - 1 and None where any will do; `required` and `excluded` are
    factors of length k.
    """

    prefixes: tuple[Word, ...] | None
    suffixes: tuple[Word, ...] | None
    required: tuple[Word, ...]
    excluded: tuple[Word, ...]

    def holds(self, prefix: Word, suffix: Word, factors: Iterable[Word]) -> bool:
        """True iff a word with this prefix, this suffix and this set of factors satisfies the condition."""
        found = set(factors)
        return (
            (self.prefixes is None or prefix in self.prefixes)
            and (self.suffixes is None or suffix in self.suffixes)
            and found.issuperset(self.required)
            and found.isdisjoint(self.excluded)
        )


@dataclass(frozen=True)
class FactorForm:
    """A locally testable language by what words of length k or more begin and end with and contain, k = `order`.

    A word shorter than k is a member iff it is among `words`, a longer one iff one of the `clauses` holds of its prefix
    and suffix of length k - 1 and its set of factors of length k. `order` is the least such k; `equal_below` is a word
    inside and a word outside the language that are alike in these respects for k - 1 (None for k = 1): equal if shorter
    than k - 1, else with the same prefix, suffix and factors. A language with one clause that requires no factor is
    strictly locally testable. `str` writes the form as a regular expression that `automata.regex.parse_regex` reads.
    """

    alphabet: Alphabet
    order: int
    words: tuple[Word, ...]
    clauses: tuple[FactorClause, ...]
    equal_below: tuple[Word, Word] | None

    def __str__(self) -> str:
        return str(self.regex())

    def describe(self) -> str:
        """Return the form in words, a line for the short words and one for each clause.

        >>> alphabet = Alphabet.of("ab")
        >>> clause = FactorClause(("a",), ("b",), (), ("aa", "bb"))
        >>> print(FactorForm(alphabet, 2, ("",), (clause,), ("ab", "ba")).describe())
        the words ε
        words of length >= 2 that begin with a, end with b, do not contain aa, bb
        """

        def listed(words: Iterable[Word], last: str) -> str:
            shown = [self.alphabet.show(word) for word in words]
            return f" {last} ".join([", ".join(shown[:-1]), shown[-1]]) if last and len(shown) > 1 else ", ".join(shown)

        lines = [f"the words {listed(self.words, '')}"] if self.words else []
        for clause in self.clauses:
            parts = []
            for words, verb, last in (
                (clause.prefixes, "begin with", "or"),
                (clause.suffixes, "end with", "or"),
                (clause.required or None, "contain", "and"),
                (clause.excluded or None, "do not contain", ""),
            ):
                if words is not None:
                    parts.append(f"{verb} {listed(words, last)}")
            lines.append(f"words of length >= {self.order}" + (f" that {', '.join(parts)}" if parts else ""))
        return "\n".join(lines) or "no words"

    def regex(self) -> Regex:
        """Return the form as a generalised regular expression, with intersections and complements."""
        anything: Regex = Repetition(ANY_LETTER, 0, None)
        long: Regex = Repetition(ANY_LETTER, self.order, None)
        choices: list[Regex] = [_spelt(word) for word in self.words]
        for clause in self.clauses:
            parts: list[Regex] = [long]
            if clause.prefixes is not None:
                parts.append(Concatenation((_any_of(clause.prefixes), anything)))
            if clause.suffixes is not None:
                parts.append(Concatenation((anything, _any_of(clause.suffixes))))
            parts.extend(Concatenation((anything, _spelt(factor), anything)) for factor in clause.required)
            if clause.excluded:
                parts.append(Complement(Concatenation((anything, _any_of(clause.excluded), anything))))
            choices.append(Intersection(tuple(parts)))
        return Union(tuple(choices))

    def to_dfa(self, max_states: int = MAX_STATES) -> DFA:
        """Return the minimal automaton of the form, from its regular expression; raise `TooLarge`, `UnknownLetter`."""
        return regex_to_dfa(self.regex(), self.alphabet, max_states)

    def check(self, dfa: DFA, max_states: int = MAX_STATES) -> str | None:
        """Return None iff the form gives the automaton's language and its order is the least, else the first fault.

        Raise `TooLarge` where the automaton of the form passes `max_states` states.
        """
        if dfa.alphabet != self.alphabet:
            return f"the form is over {self.alphabet.letters}, the automaton over {dfa.alphabet.letters}"
        fault = self._fault_in_lengths()
        if fault is not None:
            return fault
        try:
            word = distinguish(self.to_dfa(max_states), dfa)
        except UnknownLetter as error:
            return f"the form does not fit the automaton: {error}"
        if word is not None:
            side = "automaton" if dfa.accepts(word) else "form"
            return f"only the {side} has the word {self.alphabet.show(word)}"
        if self.order == 1:
            return None if self.equal_below is None else "no order is below 1, so there are no words for it"
        if self.equal_below is None:
            return f"nothing shows that order {self.order - 1} is too small"
        inside, outside = self.equal_below
        if not dfa.accepts(inside) or dfa.accepts(outside):
            return "of the words for the order below, the first must be accepted and the second not"
        if profile(inside, self.order - 1) != profile(outside, self.order - 1):
            return f"the words for the order below differ in prefixes, suffixes or factors at order {self.order - 1}"
        return None

    def _fault_in_lengths(self) -> str | None:
        for word in self.words:
            if len(word) >= self.order:
                return f"the word {self.alphabet.show(word)} is not shorter than {self.order}"
        for clause in self.clauses:
            for words, length in (
                (clause.prefixes or (), self.order - 1),
                (clause.suffixes or (), self.order - 1),
                (clause.required + clause.excluded, self.order),
            ):
                for word in words:
                    if len(word) != length:
                        return f"{self.alphabet.show(word)} has {len(word)} letters, not {length}"
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return the form as plain data: {"kind": "factors", "text", "order", "words", "clauses", "equal_below"}."""

        def plain(words: Sequence[Word] | None) -> list[str | list[str]] | None:
            return None if words is None else [plain_word(word) for word in words]

        return {
            "kind": "factors",
            "text": str(self),
            "order": self.order,
            "words": plain(self.words),
            "clauses": [
                {
                    "prefixes": plain(clause.prefixes),
                    "suffixes": plain(clause.suffixes),
                    "required": plain(clause.required),
                    "excluded": plain(clause.excluded),
                }
                for clause in self.clauses
            ],
            "equal_below": plain(self.equal_below),
        }


def profile(word: Word, order: int) -> tuple[Word, Word, frozenset[Word]] | Word:
    """Return what tests of order k = `order` see of a word: all of it if it is shorter than k.

    Otherwise the prefix and the suffix of length k - 1 and the set of factors of length k.

    >>> profile("abab", 2) == profile("ababab", 2), profile("ab", 2) == profile("abab", 2)
    (True, False)
    """
    if len(word) < order:
        return word
    factors = frozenset(word[i : i + order] for i in range(len(word) - order + 1))
    return word[: order - 1], word[len(word) - order + 1 :], factors


def _spelt(word: Word) -> Regex:
    return Concatenation(tuple(Letters((letter,)) for letter in word))


def _any_of(words: Sequence[Word]) -> Regex:
    return Union(tuple(_spelt(word) for word in words))
