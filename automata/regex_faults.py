"""What is wrong with a text that is no regular expression, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from automata.errors import ParseError

if TYPE_CHECKING:
    from lark import Lark, UnexpectedToken

_ANCHOR_HINT = "an expression describes whole words, so there are no anchors; for the letter write '{0}' in quotes"
_LETTER_HINT = "for the letter {0} write it in quotes, '{0}', or after a backslash, \\{0}"
_CLOSE_HINT = "add '{0}' or, for the letter, write '{1}' in quotes"
_EMPTY_HINT = "the empty word is written ε or (), the empty language ∅"


def explain_character(text: str, position: int) -> ParseError:
    """Return the error for a character at which no token can begin."""
    match text[position]:
        case "'":
            return ParseError(text, position, problem="a quote is never closed", hint="quote letters like 'b0'")
        case "\\":
            return ParseError(text, position, ["a character after the backslash"], "the expression ends too early")
        case "{":
            return ParseError(text, position, ["bounds such as {2}, {2,} or {2,5}"], "'{' is never closed")
        case "}":
            return ParseError(text, position, problem="'}' without '{'", hint=_LETTER_HINT.format("}"))
        case other:
            return ParseError(text, position, problem=f"unexpected {other!r}", hint=_ANCHOR_HINT.format(other))


def explain_token(text: str, fault: UnexpectedToken, parser: Lark) -> ParseError:
    """Return the error for a token that cannot follow what stands before it."""
    token = fault.token
    at_end = token.type == "$END"
    position = len(text) if at_end else token.start_pos or 0
    opening = _innermost_open(text[:position], parser)
    in_class = opening is not None and text[opening] == "["
    needs_operand = "BOUNDS" not in fault.accepts
    if in_class:
        return _explain_in_class(text, position, opening or 0, "" if at_end else str(token), fault.accepts)
    if at_end and opening is not None:
        return ParseError(text, opening, problem="'(' is never closed", hint=_CLOSE_HINT.format(")", "("))
    expected = ["an expression"] if needs_operand else ["an operator", "a letter"]
    if opening is not None and not needs_operand:
        expected.append("')'")
    if at_end:
        return ParseError(text, position, expected, "the expression ends too early", _EMPTY_HINT)
    if token.type == "BOUNDS":
        return ParseError(
            text,
            position,
            expected,
            f"nothing before {str(token)!r} to repeat",
            _LETTER_HINT.format(token[0]),
        )
    if token.type == "CLOSE" and opening is None:
        return ParseError(text, position, problem="')' without '('", hint=_LETTER_HINT.format(")"))
    if token.type == "CLOSE_CLASS":
        return ParseError(text, position, problem="']' without '['", hint=_LETTER_HINT.format("]"))
    if token.type == "CARET":
        return ParseError(text, position, problem="unexpected '^'", hint=_ANCHOR_HINT.format("^"))
    hint = _EMPTY_HINT if needs_operand else ""
    return ParseError(text, position, expected, f"unexpected {str(token)!r}", hint)


def _explain_in_class(text: str, position: int, opening: int, found: str, accepts: set[str]) -> ParseError:
    if not found:
        return ParseError(text, opening, problem="'[' is never closed", hint=_CLOSE_HINT.format("]", "["))
    if found == "]":
        if text[position - 1] == "-":
            expected = ["the last letter of the range"]
            return ParseError(text, position, expected, "unexpected ']'", _LETTER_HINT.format("-"))
        return ParseError(text, position, ["a letter"], "an empty class", "the empty language is written ∅")
    expected = ["a letter", "']'"] if "CLOSE_CLASS" in accepts else ["a letter"]
    return ParseError(text, position, expected, f"unexpected {found!r} in a class", _LETTER_HINT.format(found[0]))


def _innermost_open(text: str, parser: Lark) -> int | None:
    """Return the place of the last bracket opened and not closed in a text that is made of tokens."""
    open_brackets: list[int] = []
    for token in parser.lex(text):
        if token.type in ("OPEN", "OPEN_CLASS"):
            open_brackets.append(token.start_pos or 0)
        elif token.type in ("CLOSE", "CLOSE_CLASS"):
            open_brackets.pop()
    return open_brackets[-1] if open_brackets else None
