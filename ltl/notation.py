r"""How letters are spelt in formulas, so that every letter has a spelling that is read back as it.

A letter is written as it is where that cannot be mistaken: a name such as `a`, `b0` or `é`, or one digit. Anything
else is quoted: `'P'`, `'->'`, `'it\'s'`, with the escapes `\\ \' \" \n \r \t \u{3bb}`; in LaTeX it is the argument of
`\text`.
"""

from __future__ import annotations

import re

from automata.errors import ParseError

KEYWORDS = ("P", "Y", "O", "H", "Z", "S", "T", "MOD", "true", "false", "first")
"""Words that unquoted are always operators or constants, also where the alphabet holds them as letters."""

OPERATOR_LETTERS = "PYOHZST"
"""Letters that a name of several characters may hold unquoted only if the alphabet declares it."""

MAX_POWER = 10_000
"""Greatest n that is read in `Y^n`, which stands for n nested operators."""

_PLAIN = re.compile(r"[^\W\d]\w*|[0-9]")
_ESCAPES = {"\\": "\\", "'": "'", '"': '"', "n": "\n", "r": "\r", "t": "\t"}
_ESCAPED = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPE = re.compile(r"\\(?:u\{(?P<code>[0-9A-Fa-f]{1,6})\}|(?P<plain>.))|(?P<other>[^\\])", re.DOTALL)

_LATEX_ESCAPED = {character: "\\" + character for character in "{}_%#&$"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_LATEX_UNESCAPED = {escaped: character for character, escaped in _LATEX_ESCAPED.items()}
_LATEX_ESCAPE = re.compile(
    r'\\char"(?P<code>[0-9A-F]{1,6})\{\}|(?P<named>\\text[a-z]+\{\}|\\[^A-Za-z])|(?P<other>[^\\])', re.DOTALL
)


def is_plain(letter: str) -> bool:
    """True iff the letter needs no quotes, whatever alphabet it is read with."""
    if letter in KEYWORDS or not _PLAIN.fullmatch(letter):
        return False
    return len(letter) == 1 or not any(character in OPERATOR_LETTERS for character in letter)


def quote(letter: str) -> str:
    r"""Spell a letter, with quotes if it needs them.

    >>> print(quote("b0"), quote("P"), quote("it's"), quote("\n"))
    b0 'P' 'it\'s' '\n'
    """
    if is_plain(letter):
        return letter
    spelt = (_ESCAPED.get(c) or (c if c.isprintable() else f"\\u{{{ord(c):x}}}") for c in letter)
    return f"'{''.join(spelt)}'"


def quote_latex(letter: str) -> str:
    r"""Spell a letter in LaTeX.

    >>> print(quote_latex("a"), quote_latex("b_0"), quote_latex("P"))
    a \text{b\_0} \text{P}
    """
    if is_plain(letter) and letter.isascii() and letter.isalnum() and len(letter) == 1:
        return letter
    spelt = (_LATEX_ESCAPED.get(c) or (c if c.isprintable() else f'\\char"{ord(c):X}{{}}') for c in letter)
    return rf"\text{{{''.join(spelt)}}}"


def unquote(text: str, start: int, end: int) -> str:
    """Return the letter that `text[start:end]`, in single or double quotes, spells; raise `ParseError`."""
    return _spelt(text, start + 1, end - 1, _ESCAPE, _ESCAPES, ["\\\\", "\\'", '\\"', "\\n", "\\r", "\\t", "\\u{3bb}"])


def unquote_latex(text: str, start: int, end: int) -> str:
    r"""Return the letter that `text[start:end]`, a `\text{...}`, spells; raise `ParseError`."""
    inside = text.index("{", start) + 1
    return _spelt(text, inside, end - 1, _LATEX_ESCAPE, _LATEX_UNESCAPED, [*_LATEX_UNESCAPED, '\\char"3BB{}'])


def _spelt(
    text: str, start: int, end: int, escape: re.Pattern[str], meanings: dict[str, str], expected: list[str]
) -> str:
    letter = []
    place = start
    while place < end:
        found = escape.match(text, place, end)
        if not found:
            raise ParseError(text, place, expected, "unknown escape")
        parts = found.groupdict()
        if parts["other"]:
            letter.append(parts["other"])
        elif parts["code"]:
            code = int(parts["code"], 16)
            if code > 0x10FFFF:
                raise ParseError(text, place, (), f"no character has the number {code:x}")
            letter.append(chr(code))
        else:
            meaning = meanings.get(parts.get("plain") or parts.get("named") or "")
            if meaning is None:
                raise ParseError(text, place, expected, "unknown escape")
            letter.append(meaning)
        place = found.end()
    if not letter:
        raise ParseError(text, start, ["a letter of at least one character"], "empty quotes")
    return "".join(letter)
