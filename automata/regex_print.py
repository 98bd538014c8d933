"""Writing regular expressions: text that parses to the same language, with parentheses only where they are needed."""

from __future__ import annotations

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

RESERVED = frozenset("|&~*+?.()[]{}^$'\\-ε∅")
"""Characters with a meaning of their own; as letters they are quoted or escaped."""

_SIGNS = {(0, None): "*", (1, None): "+", (0, 1): "?"}
# How tightly each operator binds; operands of a looser or, where it would be read otherwise, equal one are enclosed.
_LOOSEST, _UNION, _INTERSECTION, _CONCATENATION, _COMPLEMENT, _REPETITION, _ATOM = range(7)


def print_regex(regex: Regex) -> str:
    """Return the expression as text; parsing it gives the same language over every alphabet that has its letters.

    >>> from automata.regex_syntax import parse_regex
    >>> print_regex(parse_regex("((a)|(b0)?)('b0')((a*)){2,2}"))
    "(a|(b0)?)'b0'a*{2}"
    """
    written: list[str] = []
    stack: list[tuple[Regex, int] | str] = [(regex, _LOOSEST)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            written.append(item)
            continue
        node, context = item
        while isinstance(node, Concatenation | Union | Intersection) and len(node.parts) == 1:
            node = node.parts[0]
        level, pieces = _pieces(node)
        if level < context:
            pieces = ["(", *pieces, ")"]
        stack.extend(reversed(pieces))
    return "".join(written)


def print_letter(letter: str) -> str:
    """Return a letter as it stands in an expression: bare if it is one ordinary character, else quoted."""
    if len(letter) == 1 and letter not in RESERVED and not letter.isspace():
        return letter
    return "'" + letter.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _pieces(node: Regex) -> tuple[int, list[tuple[Regex, int] | str]]:
    """Return how tightly the node binds, and its text with operands still to be written, each with its context."""
    match node:
        case Letters():
            return _ATOM, [_print_letters(node)]
        case Concatenation(()):
            return _ATOM, ["ε"]
        case Union(()):
            return _ATOM, ["∅"]
        case Concatenation(parts):
            return _CONCATENATION, [(part, _CONCATENATION) for part in parts]
        case Union(parts):
            return _UNION, _separated(parts, "|", _UNION)
        case Intersection(parts):
            return _INTERSECTION, _separated(parts, "&", _INTERSECTION)
        case Complement(operand):
            return _COMPLEMENT, ["~", (operand, _COMPLEMENT)]
        case Repetition(operand, least, most):
            return _REPETITION, [(operand, _REPETITION), _print_bounds(least, most)]
    raise AssertionError(node)


def _separated(parts: tuple[Regex, ...], sign: str, context: int) -> list[tuple[Regex, int] | str]:
    pieces: list[tuple[Regex, int] | str] = []
    for part in parts:
        pieces += [sign, (part, context)]
    return pieces[1:]


def _print_letters(node: Letters) -> str:
    if node == ANY_LETTER:
        return "."
    if not node.letters:
        return "∅"
    inside = "".join(print_letter(letter) for letter in node.letters)
    if node.others:
        return f"[^{inside}]"
    return inside if len(node.letters) == 1 else f"[{inside}]"


def _print_bounds(least: int, most: int | None) -> str:
    if (least, most) in _SIGNS:
        return _SIGNS[least, most]
    if least == most:
        return f"{{{least}}}"
    return f"{{{least},{'' if most is None else most}}}"
