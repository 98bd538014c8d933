"""Languages of LTL[P] as left-deterministic polynomials: disjoint unions of monomials S0* a1 S1* ... an Sn*."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.errors import MAX_STATES, NotDefinable, TooLarge, UnknownLetter
from automata.graph import live_states
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from automata.regex_tree import Concatenation, Letters, Regex, Repetition, Union
from ltl.fragment import LTL_P
from semigroups.forbidden import forbidden_pattern
from semigroups.pumping import pumping_family

MAX_MONOMIALS = 10_000
"""Monomials that a polynomial may have unless the caller says otherwise."""


@dataclass(frozen=True)
class Monomial:
    """The language S0* a1 S1* ... an Sn* of sets of letters Si = `loops[i]` and letters ai = `steps[i-1]`.

    There is one set more than there are letters; the letters of a set are in the order of the alphabet.
    """

    loops: tuple[tuple[str, ...], ...]
    steps: tuple[str, ...]

    @property
    def is_left_deterministic(self) -> bool:
        """True iff a(i+1) is not in Si for any i, so that reading left to right there is never a choice."""
        return all(step not in loop for step, loop in zip(self.steps, self.loops, strict=False))

    def regex(self, alphabet: Alphabet) -> Regex:
        """Return the monomial as a regular expression over the alphabet."""
        parts: list[Regex] = []
        for i, loop in enumerate(self.loops):
            parts.extend([Letters((self.steps[i - 1],))] if i else [])
            if loop:
                everything = set(loop) == set(alphabet) and len(alphabet) > 1
                parts.append(Repetition(Letters((), others=True) if everything else Letters(loop), 0, None))
        return Concatenation(tuple(parts))


@dataclass(frozen=True)
class Polynomial:
    """A language as a disjoint union of left-deterministic monomials; of none, it is empty.

    A language is such a union iff LTL[P] defines it [P1]: Li & Cotterell, arXiv 2505.23623. `str` writes it as a
    regular expression, which `automata.regex.parse_regex` reads.

    >>> begins_with_a = DFA(Alphabet.of("ab"), [[1, 2], [1, 1], [2, 2]], 0, [False, True, False])
    >>> print(polynomial(begins_with_a))
    a.*
    """

    alphabet: Alphabet
    monomials: tuple[Monomial, ...]

    def __str__(self) -> str:
        return str(self.regex())

    def regex(self) -> Regex:
        """Return the union of the monomials as a regular expression."""
        return Union(tuple(monomial.regex(self.alphabet) for monomial in self.monomials))

    def to_dfa(self, max_states: int = MAX_STATES) -> DFA:
        """Return the minimal automaton of the union, from its regular expression; raise `TooLarge`, `UnknownLetter`."""
        return regex_to_dfa(self.regex(), self.alphabet, max_states)

    def check(self, dfa: DFA, max_states: int = MAX_STATES) -> str | None:
        """Return None iff this is a disjoint union of left-deterministic monomials for the automaton's language.

        Otherwise return the first fault in words. Raise `TooLarge` beyond `max_states` states.
        """
        if dfa.alphabet != self.alphabet:
            return f"the polynomial is over {self.alphabet.letters}, the automaton over {dfa.alphabet.letters}"
        for number, monomial in enumerate(self.monomials, 1):
            if len(monomial.loops) != len(monomial.steps) + 1:
                return f"monomial {number} has {len(monomial.loops)} sets and {len(monomial.steps)} letters"
            if not monomial.is_left_deterministic:
                return f"monomial {number} is not left-deterministic"
        try:
            word = distinguish(self.to_dfa(max_states), dfa)
        except UnknownLetter as error:
            return f"the polynomial does not fit the automaton: {error}"
        if word is not None:
            side = "automaton" if dfa.accepts(word) else "polynomial"
            return f"only the {side} has the word {self.alphabet.show(word)}"
        return self._overlap(max_states)

    def _overlap(self, max_states: int) -> str | None:
        """Say which two monomials share a word, if any do: read all of them side by side."""
        start = tuple((number, 0) for number in range(len(self.monomials)))
        seen = {start}
        waiting = [start]
        for places in waiting:
            ends = [number for number, place in places if place == len(self.monomials[number].steps)]
            if len(ends) > 1:
                return f"monomials {ends[0] + 1} and {ends[1] + 1} share a word"
            following: dict[str, list[tuple[int, int]]] = {}
            for number, place in places:
                monomial = self.monomials[number]
                for letter in monomial.loops[place]:
                    following.setdefault(letter, []).append((number, place))
                if place < len(monomial.steps):
                    following.setdefault(monomial.steps[place], []).append((number, place + 1))
            for reached in map(tuple, following.values()):
                # A place alone meets no other monomial any more.
                if len(reached) > 1 and reached not in seen:
                    if len(seen) >= max_states:
                        raise TooLarge("monomials read side by side", len(seen) + 1, max_states)
                    seen.add(reached)
                    waiting.append(reached)
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return the polynomial as plain data: {"kind": "polynomial", "text", "monomials": [{"loops", "steps"}]}."""
        monomials = [
            {"loops": [list(loop) for loop in monomial.loops], "steps": list(monomial.steps)}
            for monomial in self.monomials
        ]
        return {"kind": "polynomial", "text": str(self), "monomials": monomials}


def polynomial(dfa: DFA, max_monomials: int = MAX_MONOMIALS) -> Polynomial:
    """Return the language of an automaton as a disjoint union of left-deterministic monomials, shortest first.

    The monomials are the ways through the minimal automaton that stay nowhere twice apart from loops: state by state,
    the letters that stay and the letter that leaves. A word takes one way only, so they are disjoint. Raise
    `NotDefinable`, with a `PumpingFamily` for LTL[P], if a way could return; `TooLarge` beyond `max_monomials`, as
    there may be exponentially more ways than states.
    """
    minimal = minimize(dfa)
    pattern = forbidden_pattern(minimal, LTL_P)
    if pattern is not None:
        raise NotDefinable("the language is no left-deterministic polynomial", pumping_family(pattern))
    found: list[Monomial] = []
    for monomial in _ways(minimal):
        if len(found) == max_monomials:
            raise TooLarge("monomials of a polynomial", len(found) + 1, max_monomials, "max_monomials", False)
        found.append(monomial)
    code = dfa.alphabet.index

    def order(monomial: Monomial) -> tuple[int, list[int]]:
        return len(monomial.steps), [code[step] for step in monomial.steps]

    return Polynomial(dfa.alphabet, tuple(sorted(found, key=order)))


def _ways(dfa: DFA) -> Iterator[Monomial]:
    """Yield the monomial of each way from the start to an accepting state of a partially ordered automaton."""
    alive = live_states(dfa)
    stays = dfa.delta == np.arange(dfa.n_states)[:, None]
    loops = [tuple(letter for code, letter in enumerate(dfa.alphabet) if row[code]) for row in stays]
    leaves = [
        [
            (dfa.alphabet.letters[code], int(dfa.delta[q, code]))
            for code in np.flatnonzero(~stays[q] & alive[dfa.delta[q]])
        ]
        for q in range(dfa.n_states)
    ]
    # Each entry of the stack: a state and the steps of the way to it, as linked pairs, latest first.
    stack: list[tuple[int, tuple[Any, ...] | None]] = [(dfa.start, None)] if alive[dfa.start] else []
    while stack:
        state, way = stack.pop()
        if dfa.accept[state]:
            steps, sets = [], [loops[state]]
            link = way
            while link is not None:
                link, source, letter = link
                steps.append(letter)
                sets.append(loops[source])
            yield Monomial(tuple(reversed(sets)), tuple(reversed(steps)))
        for letter, target in reversed(leaves[state]):
            stack.append((target, (way, state, letter)))
