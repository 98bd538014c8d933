"""Omega-equations such as (xy)^w x = (xy)^w, and the evidence that a language breaks one."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Word, concatenate, plain_word
from automata.dfa import DFA
from automata.equivalence import separating_word
from automata.errors import ParseError, ToolkitError
from automata.graph import word_to
from automata.minimize import minimize

T = TypeVar("T")
Action = NDArray[np.int32]  # where a word leads each state of an automaton

_SPELLED = 1000  # letters up to which the sides of an equation are written out as words


@dataclass(frozen=True)
class Equation:
    """An equation between two omega-terms over variables.

    A term is made of variables (one letter each), juxtaposition, parentheses and the omega power `^w`, the one
    idempotent among the powers of an element. Terms are kept in reverse Polish notation, "." for the product.

    >>> Equation.parse("(xy)^w x = (xy)^w").left
    ('x', 'y', '.', 'w', 'x', '.')
    """

    text: str
    left: tuple[str, ...]
    right: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Equation:
        """Read an equation; raise `ParseError` with the place."""
        middle = text.find("=")
        if middle < 0:
            raise ParseError(text, len(text), ["'='"], "an equation has two sides")
        return cls(text, _reverse_polish(text, 0, middle), _reverse_polish(text, middle + 1, len(text)))

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """Variables in the order in which they first appear."""
        return tuple(dict.fromkeys(s for s in self.left + self.right if s not in (".", "w")))

    def __str__(self) -> str:
        return self.text


def evaluate(
    term: tuple[str, ...], values: Mapping[str, T], multiply: Callable[[T, T], T], omega: Callable[[T], T]
) -> T:
    """Evaluate a term for given values of its variables, in whatever multiplies and has omega powers."""
    stack: list[T] = []
    for symbol in term:
        if symbol == ".":
            factor = stack.pop()
            stack.append(multiply(stack.pop(), factor))
        elif symbol == "w":
            stack.append(omega(stack.pop()))
        else:
            stack.append(values[symbol])
    return stack.pop()


def _reverse_polish(text: str, begin: int, end: int) -> tuple[str, ...]:
    """Read text[begin:end] as a term."""
    term: list[str] = []
    started = [False]  # for each open parenthesis: does anything precede in it?
    place = begin
    while place < end:
        symbol = text[place]
        place += 1
        if symbol.isspace():
            continue
        if symbol == "(":
            started.append(False)
            continue
        if symbol == ")":
            if len(started) == 1 or not started.pop():
                raise ParseError(text, place - 1, ["a variable"])
        elif symbol.isalpha() and symbol.isascii() and symbol != "w":
            term.append(symbol)
        else:
            raise ParseError(text, place - 1, ["a variable", "'('", "'^w'"])
        while text.startswith("^w", place, end):
            term.append("w")
            place += 2
        if started[-1]:
            term.append(".")
        started[-1] = True
    if len(started) > 1 or not started[0]:
        raise ParseError(text, end, ["')'" if len(started) > 1 else "a variable"], "the term is unfinished")
    return tuple(term)


@dataclass(frozen=True)
class Violation:
    """Evidence that the syntactic semigroup of a language breaks an equation.

    `assignment` gives each variable of the equation a non-empty word; with `exponent` in the place of every omega, the
    two sides become the words `left` and `right`. Exactly one of before·left·after and before·right·after is in the
    language, although the equation would have them stand or fall together.
    """

    equation: Equation
    alphabet: Alphabet
    assignment: tuple[tuple[str, Word], ...]
    exponent: int
    before: Word
    after: Word

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
        lengths = {variable: len(word) for variable, word in self.assignment}
        sides = (self.equation.left, self.equation.right)
        return max(evaluate(side, lengths, operator.add, lambda n: n * self.exponent) for side in sides)

    def _spell(self, term: tuple[str, ...]) -> Word:
        return evaluate(term, dict(self.assignment), concatenate, lambda word: word * self.exponent)

    def check(self, dfa: DFA) -> str | None:
        """Return None if the evidence holds for the language of `dfa`, else what is wrong with it.

        Works on the minimal automaton alone: the words are those of the assignment, every omega power taken is
        idempotent (its square moves no state otherwise), and the automaton tells the two words apart.
        """
        if dfa.alphabet != self.alphabet:
            return "the alphabets differ"
        words = dict(self.assignment)
        if sorted(words) != sorted(self.equation.variables):
            return f"the assignment must give words to {', '.join(self.equation.variables)}"
        if not all(words.values()) or self.exponent < 1:
            return "words must be non-empty and the exponent positive"
        minimal = minimize(dfa)
        faults: list[str] = []

        def raise_to_exponent(action: Action) -> Action:
            power = _power(action, self.exponent)
            if not np.array_equal(power[power], power):
                faults.append(f"the {self.exponent}-th power of some omega term is not idempotent")
            return power

        values = {variable: _action(minimal, word) for variable, word in words.items()}
        left = evaluate(self.equation.left, values, _compose, raise_to_exponent)
        right = evaluate(self.equation.right, values, _compose, raise_to_exponent)
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
        exponent give them.
        """
        spelled = self.length <= _SPELLED
        return {
            "equation": self.equation.text,
            "assignment": {variable: plain_word(word) for variable, word in self.assignment},
            "exponent": self.exponent,
            "left": plain_word(self.left) if spelled else None,
            "right": plain_word(self.right) if spelled else None,
            "before": plain_word(self.before),
            "after": plain_word(self.after),
        }


def violation(minimal: DFA, equation: Equation, assignment: Mapping[str, Word]) -> Violation | None:
    """Return the evidence that an assignment breaks an equation in a minimal automaton, None if it does not break it.

    The exponent serves all omegas at once; the context reaches the first state (breadth first) that the two sides
    lead apart and then takes the least separating word.
    """
    exponents = [1]

    def omega(action: Action) -> Action:
        exponent, power = 1, action
        while not np.array_equal(power[power], power):
            exponent, power = exponent + 1, action[power]
        exponents.append(exponent)
        return power

    values = {variable: _action(minimal, assignment[variable]) for variable in equation.variables}
    left = evaluate(equation.left, values, _compose, omega)
    right = evaluate(equation.right, values, _compose, omega)
    apart = np.flatnonzero(left != right)
    if not len(apart):
        return None
    state = int(apart[0])
    before = word_to(minimal, minimal.start, state)
    after = separating_word(minimal, int(left[state]), int(right[state]))
    if before is None or after is None:
        raise ToolkitError("the automaton is not minimal; minimize it first")
    words = tuple((variable, assignment[variable]) for variable in equation.variables)
    return Violation(equation, minimal.alphabet, words, math.lcm(*exponents), before, after)


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
