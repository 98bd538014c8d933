"""Omega-terms such as (xy)^w x over variables: reading them, and evaluating them in whatever multiplies."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias, TypeVar

from automata.errors import ParseError

T = TypeVar("T")


class Power(NamedTuple):
    """An exponent: the number `shift`, or with `omega` the idempotent power omega plus `shift`, which may be negative.

    Where x^N is idempotent, x^(w+k) is x^N x^k, and x^(w-k) its inverse in the group around x^N.
    """

    omega: bool
    shift: int

    def at(self, exponent: int) -> int:
        """Return the power that this is where the powers with the given positive exponent are idempotent."""
        if not self.omega:
            return self.shift
        return exponent + (self.shift if self.shift >= 0 else self.shift % exponent)

    def __str__(self) -> str:
        if not self.omega:
            return f"^{self.shift}"
        return f"^(w{self.shift:+d})" if self.shift else "^w"


OMEGA = Power(True, 0)

Term: TypeAlias = tuple[str | Power, ...]
"""A term in reverse Polish notation: variables, "1" for the identity, "." for the product, powers of what precedes."""

_EXPONENT = re.compile(
    r"\s*\^\s*(?:(?P<number>\d+)|[wω]|(?P<open>[({])\s*(?:(?P<inner>\d+)|[wω]\s*(?P<shift>[+-]\s*\d+)?)\s*[)}])"
)
_DIGITS = 9  # in a number that stands in an exponent


def read_term(text: str, begin: int, end: int) -> Term:
    """Read text[begin:end] as a term; raise `ParseError` with the place in the text."""
    term: list[str | Power] = []
    started = [False]  # for each open parenthesis: does anything precede in it?
    opened: list[int] = []
    place = begin
    while place < end:
        symbol = text[place]
        place += 1
        if symbol.isspace():
            continue
        if symbol == "(":
            started.append(False)
            opened.append(place - 1)
            continue
        if symbol == ")":
            if not opened:
                raise ParseError(text, place - 1, (), "')' without its '('")
            opened.pop()
            if not started.pop():
                raise ParseError(text, place - 1, ["a variable"])
        elif symbol == "1" or _is_variable(symbol):
            term.append(symbol)
        else:
            hint = "" if symbol not in "wω" else "w is the exponent omega, as in x^w, and no variable"
            raise ParseError(text, place - 1, ["a variable (a letter a-z or A-Z but w)", "'('", "'^w'"], hint=hint)
        place = _read_powers(text, place, end, term)
        if started[-1]:
            term.append(".")
        started[-1] = True
    if opened:
        raise ParseError(text, opened[-1], (), "'(' without its ')'")
    if not started[0]:
        raise ParseError(text, end, ["a variable"], "the term is unfinished")
    return tuple(term)


def _is_variable(symbol: str) -> bool:
    return symbol.isalpha() and symbol.isascii() and symbol != "w"


def _read_powers(text: str, place: int, end: int, term: list[str | Power]) -> int:
    """Read the exponents that stand at a place; return the place behind them."""
    while True:
        here = place
        while here < end and text[here].isspace():
            here += 1
        if here == end or text[here] != "^":
            return place
        found = _EXPONENT.match(text, place, end)
        if found is None or (found["open"] and text[found.end() - 1] != {"(": ")", "{": "}"}[found["open"]]):
            raise ParseError(text, here + 1, ["'w'", "a positive number", "'(w+1)'", "'(w-1)'"], "unreadable exponent")
        number = found["number"] or found["inner"]
        digits = (number or found["shift"] or "").lstrip("+- ")
        if len(digits) > _DIGITS:
            raise ParseError(text, here + 1, (), f"an exponent of more than {_DIGITS} digits")
        if number is not None and int(number) < 1:
            raise ParseError(text, here + 1, ["a positive number"], "an exponent that is not positive")
        shift = int((found["shift"] or "0").replace(" ", ""))
        term.append(Power(True, shift) if number is None else Power(False, int(number)))
        place = found.end()


def evaluate(term: Term, values: Mapping[str, T], multiply: Callable[[T, T], T], power: Callable[[T, Power], T]) -> T:
    """Evaluate a term for given values of its variables, and of "1" where it occurs."""
    stack: list[T] = []
    for symbol in term:
        if isinstance(symbol, Power):
            stack.append(power(stack.pop(), symbol))
        elif symbol == ".":
            factor = stack.pop()
            stack.append(multiply(stack.pop(), factor))
        else:
            stack.append(values[symbol])
    return stack.pop()


def localized(term: Term, unit: str) -> str:
    """Return the text of a term whose variables v become e^w v e^w and whose 1 becomes e^w, `unit` being e.

    >>> localized(read_term("(xy)^w x", 0, 8), "e")
    '(e^w x e^w y e^w)^w x e^w'
    """
    e = f"{unit}^w"

    def spell(factors: list[str]) -> str:
        """Put e^w on both sides of every variable; a power, in parentheses, begins and ends with it already."""
        if not factors:
            return e
        bare = [not factor.startswith("(") for factor in factors]
        pieces = [e] if bare[0] else []
        for i, factor in enumerate(factors):
            pieces.append(factor)
            if bare[i] and (i + 1 == len(factors) or bare[i + 1]):
                pieces.append(e)
        return " ".join(pieces)

    values = {symbol: [symbol] for symbol in term if isinstance(symbol, str)} | {"1": []}
    return spell(evaluate(term, values, lambda x, y: x + y, lambda x, power: [f"({spell(x)}){power}"]))
