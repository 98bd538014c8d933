"""What is wrong with a text that is no formula, in words for its writer."""

from __future__ import annotations

import re

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from automata.alphabet import Alphabet
from automata.errors import ParseError, show_alphabet
from ltl.notation import KEYWORDS, quote

_OPERAND = ("a letter", "a constant", "'('", "an operator such as ! or P")
_INSIDE = {  # Y<=k, Y^n and MOD(r,m)
    "_AT_MOST": "<=",
    "NUMBER": "a number",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "_LPAR": "'('",
    "COMMA": "','",
}


def explain(parser: Lark, text: str, alphabet: Alphabet | None, error: UnexpectedInput) -> ParseError:
    """Turn the failure of the parser on a text into an error that says where, what was expected and how to mend it."""
    if isinstance(error, UnexpectedCharacters):
        return _unreadable(text, error.pos_in_stream or 0)
    assert isinstance(error, UnexpectedToken)
    token = error.token
    ended = token.type == "$END"
    before = list(parser.lex(text if ended else text[: token.start_pos]))
    place = (before[-1].end_pos if before else 0) if ended else token.start_pos
    assert place is not None
    open_at, in_definition = _nesting(before)
    problem = f"unexpected {str(token)!r}"
    hint = _quoting_hint(alphabet, ([] if ended else [token]) + before[-1:])
    if "_NOT" in error.expected:  # an operand may stand here
        if ended:
            problem = "the formula ends too early"
        elif token.type == "_RPAR" and before and before[-1].type == "_LPAR":
            problem = "nothing between the parentheses"
        elif token.type == "_AT_MOST":
            hint = hint or "only Y and Z take a window, such as Y<=2"
        return ParseError(text, place, _OPERAND, problem, hint)
    if error.expected <= _INSIDE.keys():
        expected = [name for terminal, name in _INSIDE.items() if terminal in error.expected]
        return ParseError(text, place, expected, "the formula ends too early" if ended else problem, hint)
    if [word.type for word in before[-2:]] == ["COMMA", "NUMBER"]:  # of MOD(r,m), since no letter follows another
        return ParseError(text, place, ["')'"], "the formula ends too early" if ended else problem, hint)

    expected = ["an operator such as & or ->"]
    if open_at:
        expected.append("')'")
    elif in_definition:
        expected.append("';'")
    else:
        expected.append("the end")
    if ended and open_at:
        return ParseError(text, open_at[-1], ["')' before the end"], "unclosed '('", hint)
    if ended:
        return ParseError(text, place, ["';' and the formula itself"], "the text ends inside a definition", hint)
    if token.type == "_RPAR":
        problem = "')' closes nothing"
    elif token.type == "_SINCE":
        problem = "chained S"
        hint = "S is not associative: write (f S g) S h or f S (g S h)"
    elif token.type == "SEMICOLON":
        hint = hint or "';' ends definitions, such as $1 := P a;"
    elif token.type == "_AT_MOST":
        hint = hint or "a window belongs to Y or Z, such as Y<=2"
    elif token.type != "DEFINE":
        if alphabet is not None:
            for word in [*before[-1:], token]:
                if word.type == "NAME" and str(word) not in alphabet:
                    return _neither(text, word, alphabet)
        problem = f"{str(token)!r} follows a formula without an operator between them"
        if before and re.fullmatch("[PYOHZ]+", before[-1]):  # never one of them alone, which would want an operand
            hint = hint or f"operators are spaced: write {' '.join(before[-1])} {token!s}"
        hint = hint or "write & or | between them; a letter of several characters is quoted, such as 'a b'"
    return ParseError(text, place, expected, problem, hint)


def _neither(text: str, word: Token, alphabet: Alphabet) -> ParseError:
    """Explain a name beside a formula that is neither a letter nor an operator, such as F or U of future logic."""
    expected = (
        f"a letter of {show_alphabet(alphabet.letters)}",
        "an operator (P, Y, Y<=k, Y^n, O, H, Z, S; all look back)",
    )
    spaced = re.fullmatch("[PYOHZ]+", word)
    hint = f"operators are spaced: write {' '.join(word)}" if spaced else ""
    return ParseError(text, word.start_pos or 0, expected, f"{str(word)!r} is neither letter nor operator", hint)


def _unreadable(text: str, place: int) -> ParseError:
    """Explain a character that begins no word of a formula."""
    character = text[place]
    if character in "'\"":
        return ParseError(text, place, [f"another {character}"], "unclosed quote")
    if character == "\\":
        found = re.compile(r"\\(?:[A-Za-z]+|.)?", re.DOTALL).match(text, place)
        command = found[0] if found else character
        if command == "\\text":
            hint = r"\text{...} holds one letter, with \{ \} \_ \% \# \& \$ \textbackslash{} for special characters"
            return ParseError(text, place, (), r"unreadable \text", hint)
        hint = (
            r"known are \mathrm{P}, \neg, \land, \lor, \to, \leftrightarrow, \top, \bot, \leq, \text{...} and their kin"
        )
        return ParseError(text, place, (), f"unknown command {command}", hint)
    if character == "$":
        return ParseError(text, place, ["$ and a number, such as $1"], "unexpected '$'")
    if character == "-" and re.search(r"MOD\}?\s*\([^()]*$", text[:place]):
        return ParseError(text, place, ["a number"], "unexpected '-'", "MOD(r,m) takes no negative numbers")
    if character == "-" and re.search(r"Y\s*(<=|\^)\s*$", text[:place]):
        return ParseError(text, place, ["a number"], "unexpected '-'", "Y takes no negative numbers")
    hint = f"write {quote(character)} for the letter" if character in "^-:={}_;<>" else ""
    return ParseError(text, place, (), f"unexpected {character!r}", hint)


def _nesting(tokens: list[Token]) -> tuple[list[int], bool]:
    """Return where the parentheses open that are still open, and whether a definition is."""
    open_at: list[int] = []
    in_definition = False
    for token in tokens:
        if token.type == "_LPAR":
            open_at.append(token.start_pos or 0)
        elif token.type == "_RPAR" and open_at:
            open_at.pop()
        elif token.type in ("DEFINE", "SEMICOLON"):
            in_definition = token.type == "DEFINE"
    return open_at, in_definition


def _quoting_hint(alphabet: Alphabet | None, tokens: list[Token]) -> str:
    """Say how to name a letter that is also a keyword, if one of the tokens is such."""
    for token in tokens:
        if alphabet is not None and str(token) in KEYWORDS and str(token) in alphabet:
            return f"unquoted, {token!s} is no letter; the letter is written {quote(str(token))}"
    return ""
