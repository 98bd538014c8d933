"""Building regular expressions with light simplification and a bound on their size."""

from __future__ import annotations

from automata.alphabet import Alphabet
from automata.errors import TooLarge
from automata.regex_tree import ANY_LETTER, EMPTY, EPSILON, Concatenation, Letters, Regex, Repetition, Union

MAX_SIZE = 1_000_000
"""Symbols that an expression may have unless the caller says otherwise."""


class Simplifier:
    """Makes unions, concatenations and stars over one alphabet, in forms as short as a look at their parts allows.

    An optional expression is always `x?`, never a union with ε. Raise `TooLarge` for an expression of more than
    `max_size` symbols.
    """

    def __init__(self, alphabet: Alphabet, max_size: int = MAX_SIZE) -> None:
        self.alphabet = alphabet
        self.max_size = max_size
        self._sizes: dict[Regex, int] = {}

    def size(self, regex: Regex) -> int:
        """Return the number of letters and operators of an expression made here; a class counts as one letter."""
        return self._sizes.get(regex, 1)

    def letters(self, letters: set[str]) -> Regex:
        """Return the words of one of these letters, written as a negated class where that is shorter."""
        absent = [letter for letter in self.alphabet if letter not in letters]
        if not absent and len(letters) > 1:
            return ANY_LETTER
        if absent and len(absent) + 1 < len(letters):
            return Letters(tuple(absent), others=True)
        return Letters(tuple(letters))

    def union(self, left: Regex, right: Regex) -> Regex:
        """Return left | right, where x | xy+ becomes xy* and x | y+x becomes y*x."""
        for x, other in ((left, right), (right, left)):
            match _factors(other):
                case [Repetition(turn, 1, None), *rest] if rest == _factors(x):
                    return self.concatenation(self.star(turn), x)
                case [*rest, Repetition(turn, 1, None)] if rest == _factors(x):
                    return self.concatenation(x, self.star(turn))
        alternatives = dict.fromkeys([*_alternatives(left), *_alternatives(right)])
        letters: set[str] = set()
        for part in alternatives:
            if isinstance(part, Letters):
                letters |= set(self.alphabet) - set(part.letters) if part.others else set(part.letters)
        parts = [self.letters(letters)] if letters else []
        parts += [part for part in alternatives if not isinstance(part, Letters) and part != EPSILON]
        if not parts:
            return EPSILON if EPSILON in alternatives else EMPTY
        body = parts[0] if len(parts) == 1 else self._made(Union(tuple(parts)))
        return self._optional(body) if EPSILON in alternatives else body

    def concatenation(self, left: Regex, right: Regex) -> Regex:
        """Return left right, where xx* and x*x become x+ and x*x* becomes x*."""
        if EMPTY in (left, right):
            return EMPTY
        before, behind = _factors(left), _factors(right)
        match before, behind:
            case [*_, Repetition(turn, 0, None)], [Repetition(same, 0, None), *_] if turn == same:
                before.pop()
            case _, [Repetition(turn, 0, None), *_] if _ends_with(before, turn):
                del before[-len(_factors(turn)) :]
                behind[0] = self._made(Repetition(turn, 1, None))
            case [*_, Repetition(turn, 0, None)], _ if _begins_with(behind, turn):
                del behind[: len(_factors(turn))]
                before[-1] = self._made(Repetition(turn, 1, None))
        parts = before + behind
        return parts[0] if len(parts) == 1 else self._made(Concatenation(tuple(parts)))

    def star(self, operand: Regex) -> Regex:
        """Return operand*, repetitions inside which it makes void undone."""
        parts: list[Regex] = []
        for part in _alternatives(operand):
            if isinstance(part, Repetition) and part.least <= 1 and part.most is None:
                parts.append(part.operand)
            elif part != EPSILON:
                parts.append(part)
        body: Regex = EMPTY
        for part in parts:
            body = self.union(body, part)
        if body in (EMPTY, EPSILON):
            return EPSILON
        return self._made(Repetition(body, 0, None))

    def _optional(self, operand: Regex) -> Regex:
        if isinstance(operand, Repetition) and operand.least == 0:
            return operand
        if isinstance(operand, Repetition) and (operand.least, operand.most) == (1, None):
            return self._made(Repetition(operand.operand, 0, None))
        return self._made(Repetition(operand, 0, 1))

    def _made(self, regex: Regex) -> Regex:
        size = 1 + sum(self.size(part) for part in regex.operands)
        if size > self.max_size:
            raise TooLarge("the expression of an automaton, in symbols", size, self.max_size, "max_size")
        self._sizes[regex] = size
        return regex


def _factors(regex: Regex) -> list[Regex]:
    return list(regex.parts) if isinstance(regex, Concatenation) else [regex]


def _alternatives(regex: Regex) -> list[Regex]:
    if isinstance(regex, Repetition) and (regex.least, regex.most) == (0, 1):
        return [*_alternatives(regex.operand), EPSILON]
    return list(regex.parts) if isinstance(regex, Union) else [regex]


def _begins_with(factors: list[Regex], regex: Regex) -> bool:
    return factors[: len(_factors(regex))] == _factors(regex)


def _ends_with(factors: list[Regex], regex: Regex) -> bool:
    return factors[-len(_factors(regex)) :] == _factors(regex)
