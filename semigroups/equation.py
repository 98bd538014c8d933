"""Omega-equations such as (xy)^w x = (xy)^w, and the evidence that a language breaks one."""

from __future__ import annotations

import math
import operator
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Word, concatenate, plain_word
from automata.dfa import DFA
from automata.equivalence import separating_word
from automata.errors import ParseError, TooLarge, ToolkitError
from automata.graph import word_to
from automata.minimize import minimize
from semigroups.omega_term import Power, Term, evaluate, localized, read_term
from semigroups.syntactic import MAX_CELLS

Action: TypeAlias = NDArray[np.int32]  # where a word leads each state of an automaton

WordsFor: TypeAlias = Literal["S", "M", "stable"]
"""Which words variables stand for: non-empty words, all words, or non-empty ones of lengths that an index divides."""

_SPELLED = 1000  # letters up to which the sides of an equation are written out as words


@dataclass(frozen=True)
class Equation:
    """An equation between two omega-terms over variables.

    A term is made of variables (one letter each, but not w), juxtaposition, parentheses, the constant 1 for the
    identity of a monoid, and powers: `x^w`, also `x^ω`, the one idempotent among the powers of x; `x^(w+1)` or
    `x^{w-1}`, which is x^w x or the inverse of that in the group around x^w; `x^3`. Terms are kept in reverse Polish
    notation.

    >>> [str(symbol) for symbol in Equation.parse("(xy)^w x = (xy)^w").left]
    ['x', 'y', '.', '^w', 'x', '.']
    """

    text: str
    left: Term
    right: Term

    @classmethod
    def parse(cls, text: str) -> Equation:
        """Read an equation; raise `ParseError` with the place."""
        middle = text.find("=")
        if middle < 0:
            raise ParseError(text, len(text), ["'='"], "an equation has two sides")
        again = text.find("=", middle + 1)
        if again >= 0:
            raise ParseError(text, again, (), "a second '='", "an equation has two sides; ask for one after the other")
        return cls(text, read_term(text, 0, middle), read_term(text, middle + 1, len(text)))

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """Variables in the order in which they first appear."""
        symbols = (s for s in self.left + self.right if isinstance(s, str) and s not in (".", "1"))
        return tuple(dict.fromkeys(symbols))

    @cached_property
    def has_identity(self) -> bool:
        """True iff the constant 1 occurs, so that the equation is about monoids."""
        return "1" in self.left + self.right

    @cached_property
    def idempotent_variables(self) -> frozenset[str]:
        """The variables that occur under ^w alone, so that only the idempotents among their values count."""
        apart: set[str] = set()
        for side in (self.left, self.right):
            for symbol, following in zip(side, (*side[1:], "."), strict=True):
                if isinstance(symbol, str) and following != Power(True, 0):
                    apart.add(symbol)
        return frozenset(self.variables) - apart

    def localize(self) -> Equation:
        """Return the equation that holds iff this one holds in the local monoids eSe of all idempotents e.

        Each variable v becomes e^w v e^w and 1 becomes e^w, where e is the first letter from e on that is free.

        >>> Equation.parse("xy = yx").localize().text
        'e^w x e^w y e^w = e^w y e^w x e^w'
        """
        return self._local

    @cached_property
    def _local(self) -> Equation:
        letters = string.ascii_lowercase[4:] + string.ascii_lowercase[:4] + string.ascii_uppercase
        free = [letter for letter in letters if letter != "w" and letter not in self.variables]
        if not free:
            raise ToolkitError("all letters are variables; an equation in local monoids needs one more")
        return Equation.parse(f"{localized(self.left, free[0])} = {localized(self.right, free[0])}")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Violation:
    """Evidence that the syntactic semigroup of a language breaks an equation.

    `assignment` gives each variable of the equation a word: non-empty where the equation is read on the semigroup S,
    also empty where it is read on the monoid M (`read_on`), and of a length that the stability index `index` divides
    where it is read on the stable semigroup. With `exponent` in the place of every omega, the two sides become the
    words `left` and `right`. Exactly one of before·left·after and before·right·after is in the language, although the
    equation would have them stand or fall together.
    """

    equation: Equation
    alphabet: Alphabet
    assignment: tuple[tuple[str, Word], ...]
    exponent: int
    before: Word
    after: Word
    read_on: WordsFor = "S"
    index: int | None = None

    @cached_property
    def left(self) -> Word:
        """The word that the left side becomes."""
        return self._spell(self.equation.left)

    @cached_property
    def right(self) -> Word:
        """The word that the right side becomes."""
        return self._spell(self.equation.right)

    @cached_property
    def length(self) -> int:
        """The length of the longer of the two words, which may be far too long to spell."""
        lengths = {variable: len(word) for variable, word in self.assignment} | {"1": 0}
        sides = (self.equation.left, self.equation.right)
        return max(evaluate(side, lengths, operator.add, lambda n, p: n * p.at(self.exponent)) for side in sides)

    def _spell(self, term: Term) -> Word:
        words = dict(self.assignment) | {"1": self.alphabet.decode([])}
        return evaluate(term, words, concatenate, lambda word, power: word * power.at(self.exponent))

    def check(self, dfa: DFA, max_cells: int = MAX_CELLS) -> str | None:
        """Return None if the evidence holds for the language of `dfa`, else what is wrong with it.

        Works on the minimal automaton alone: the words are those of the assignment, every omega power taken is
        idempotent (its square moves no state otherwise), and the automaton tells the two words apart. A stability
        index is believed when words of that length and of twice that length do the same to the states; where that
        takes more than `max_cells` images of single states, raise `TooLarge`.
        """
        if dfa.alphabet != self.alphabet:
            return "the alphabets differ"
        words = dict(self.assignment)
        if sorted(words) != sorted(self.equation.variables):
            return f"the assignment must give words to {', '.join(self.equation.variables)}"
        if self.exponent < 1:
            return "the exponent must be positive"
        if self.read_on != "M" and (self.equation.has_identity or not all(words.values())):
            return "words must be non-empty where the equation is not read on the monoid"
        minimal = minimize(dfa)
        if (self.read_on == "stable") != (self.index is not None):
            return "a stability index is needed on the stable semigroup, and only there"
        if self.index is not None:
            if self.index < 1 or any(len(word) % self.index for word in words.values()):
                return f"the lengths of the words must be multiples of the stability index {self.index}"
            if not _is_stable(minimal, self.index, max_cells):
                return f"words of length {self.index} and of twice that length do not do the same to the states"
        faults: list[str] = []

        def raise_to(action: Action, power: Power) -> Action:
            if power.omega:
                omega = _power(action, self.exponent)
                if not np.array_equal(omega[omega], omega):
                    faults.append(f"the {self.exponent}-th power of some omega term is not idempotent")
            return _power(action, power.at(self.exponent))

        values = {variable: _action(minimal, word) for variable, word in (*words.items(), ("1", ""))}
        left = evaluate(self.equation.left, values, _compose, raise_to)
        right = evaluate(self.equation.right, values, _compose, raise_to)
        if faults:
            return faults[0]
        state = minimal.run(self.before)[-1]
        after = _action(minimal, self.after)
        if minimal.accept[after[left[state]]] == minimal.accept[after[right[state]]]:
            return "the automaton does not tell the two words apart"
        return None

    def to_dict(self) -> dict[str, object]:
        """Return the evidence as plain values for JSON; words as strings or lists.

        The two sides, `left` and `right`, are None where one has more than 1,000 letters; the assignment and the
        exponent give them. "stability index" is there only where the equation is read on the stable semigroup.
        """
        spelled = self.length <= _SPELLED
        plain: dict[str, object] = {
            "equation": self.equation.text,
            "read on": self.read_on,
            "assignment": {variable: plain_word(word) for variable, word in self.assignment},
            "exponent": self.exponent,
            "left": plain_word(self.left) if spelled else None,
            "right": plain_word(self.right) if spelled else None,
            "before": plain_word(self.before),
            "after": plain_word(self.after),
        }
        return plain if self.index is None else {**plain, "stability index": self.index}


def violation(
    minimal: DFA,
    equation: Equation,
    assignment: Mapping[str, Word],
    read_on: WordsFor = "S",
    index: int | None = None,
) -> Violation | None:
    """Return the evidence that an assignment breaks an equation in a minimal automaton, None if it does not break it.

    The exponent serves all omegas at once; the context reaches the first state (breadth first) that the two sides
    lead apart and then takes the least separating word.
    """
    exponents = [1]

    def raise_to(action: Action, power: Power) -> Action:
        if not power.omega:
            return _power(action, power.shift)
        exponent, omega = 1, action
        while not np.array_equal(omega[omega], omega):
            exponent, omega = exponent + 1, action[omega]
        exponents.append(exponent)
        return _power(action, power.at(exponent))

    values = {v: _action(minimal, assignment[v]) for v in equation.variables} | {"1": _action(minimal, "")}
    left = evaluate(equation.left, values, _compose, raise_to)
    right = evaluate(equation.right, values, _compose, raise_to)
    apart = np.flatnonzero(left != right)
    if not len(apart):
        return None
    state = int(apart[0])
    before = word_to(minimal, minimal.start, state)
    after = separating_word(minimal, int(left[state]), int(right[state]))
    if before is None or after is None:
        raise ToolkitError("the automaton is not minimal; minimize it first")
    words = tuple((variable, assignment[variable]) for variable in equation.variables)
    return Violation(equation, minimal.alphabet, words, math.lcm(*exponents), before, after, read_on, index)


def _is_stable(minimal: DFA, index: int, max_cells: int) -> bool:
    """True iff the words of length `index` and those of twice that length act alike on the states."""
    identity = np.arange(minimal.n_states, dtype=np.int32)
    actions = identity[None, :]
    stages: list[set[bytes]] = []
    for _ in range(2):
        for _ in range(index):
            images = np.moveaxis(minimal.delta[actions], 2, 1).reshape(-1, minimal.n_states)
            distinct = sorted({row.tobytes() for row in images})
            if len(distinct) * minimal.n_states > max_cells:
                raise TooLarge(
                    "words of one length, actions times states",
                    len(distinct) * minimal.n_states,
                    max_cells,
                    "max_cells",
                )
            actions = np.frombuffer(b"".join(distinct), dtype=np.int32).reshape(-1, minimal.n_states)
        stages.append(set(distinct))
    return stages[0] == stages[1]


def _action(dfa: DFA, word: Word) -> Action:
    """Return where a word leads each state."""
    states = np.arange(dfa.n_states, dtype=np.int32)
    for code in dfa.alphabet.encode(word).tolist():
        states = dfa.delta[states, code]
    return states


def _compose(first: Action, second: Action) -> Action:
    return second[first]


def _power(action: Action, exponent: int) -> Action:
    """Return the action of a word repeated `exponent` times, by repeated squaring."""
    result = np.arange(len(action), dtype=np.int32)
    for bit in bin(exponent)[2:]:
        result = result[result]
        if bit == "1":
            result = action[result]
    return result
