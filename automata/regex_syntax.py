r"""The notation of generalised regular expressions.

From what binds most tightly to what binds least:

    a  'b0'  \*     one letter; quoted, letters of several characters and characters with a meaning of their own
    .               any letter of the alphabet
    [abc] [^abc]    one of these letters; any letter but these; `[a-d]` lists the letters a, b, c, d by code point
    ε  ()           the empty word; an empty expression and an empty alternative, as in `a|`, mean it too
    ∅               the empty language
    R* R+ R?        any number of words of R, at least one, at most one
    R{2} R{2,} R{2,5}   exactly two, at least two, two to five; signs pile up: `a*?` is `(a*)?`
    ~R              the words over the alphabet that are not in R
    R S             concatenation
    R & S           intersection
    R | S           union

So `ba*|a` is `(b(a*))|a` and `~a*b` is `(~(a*))b`. The characters ``| & ~ * + ? . ( ) [ ] { } ^ $ ' \ ε ∅`` are letters
only when quoted or after a backslash, inside classes too, where this holds for `-` as well. White space means nothing
unless quoted. A backslash never goes before a Latin letter or digit. There are no anchors: an expression describes
whole words.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from automata.alphabet import Alphabet
from automata.errors import ParseError, show_alphabet
from automata.regex_faults import explain_character, explain_token
from automata.regex_print import print_letter
from automata.regex_tree import (
    ALPHABET_RULE,
    ANY_LETTER,
    EMPTY,
    EPSILON,
    Complement,
    Concatenation,
    Intersection,
    Letters,
    Regex,
    Repetition,
    Union,
)

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

_GRAMMAR = r"""
?start: union
?union: alternative ("|" alternative)*
?alternative: intersection |
?intersection: concatenation ("&" concatenation)*
?concatenation: factor+
?factor: TILDE factor -> complement | repeated
?repeated: atom | repeated BOUNDS -> repetition
?atom: (LETTER | QUOTED | DASH) -> letter
    | DOT -> any_letter
    | "ε" -> epsilon
    | "∅" -> empty
    | "(" union ")"
    | "[" CARET? item+ "]" -> letter_class
item: (LETTER | QUOTED) [DASH (LETTER | QUOTED)]

BAR: "|"
AND: "&"
TILDE: "~"
DOT: "."
EPSILON: "ε"
EMPTY: "∅"
OPEN: "("
CLOSE: ")"
OPEN_CLASS: "["
CLOSE_CLASS: "]"
CARET: "^"
DASH: "-"
BOUNDS: /[*+?]|\{[^{}]*\}/
QUOTED: /'(?:\\.|[^'\\])*'|\\./s
LETTER: /[^|&~*+?.()\[\]{}^$'\\ε∅\s-]/
%ignore /\s+/
"""

_SIGNS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_RANGE_HINT = "a range lists single characters in code-point order, like [a-d]"
_MOST_DIGITS = 18  # of a bound; no automaton gets near


def parse_regex(text: str, alphabet: Alphabet | None = None) -> Regex:
    """Read a regular expression in the notation of this module.

    Every letter must be in the alphabet. If none is declared, any letter may be used, but not `.`, `[^...]` and `~`,
    whose meaning would depend on it. Raise `ParseError` with the place, and what could stand there, otherwise.

    >>> parse_regex("a(b|c)*", Alphabet.of("abc"))
    <Concatenation a(b|c)*>
    >>> parse_regex("(ab", Alphabet.of("ab"))
    Traceback (most recent call last):
    automata.errors.ParseError: '(' is never closed at column 1
      (ab
      ^
    add ')' or, for the letter, write '(' in quotes
    """
    from lark import UnexpectedCharacters, UnexpectedToken

    try:
        tree = _parser().parse(text)
    except UnexpectedCharacters as fault:
        raise explain_character(text, fault.pos_in_stream or 0) from None
    except UnexpectedToken as fault:
        raise explain_token(text, fault, _parser()) from None
    return _Builder(text, alphabet).build(tree)


@cache
def _parser() -> Lark:
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", lexer="basic", maybe_placeholders=False)


class _Builder:
    """Makes the expression of a parse tree; of several mistakes in letters and bounds the first one is raised."""

    def __init__(self, text: str, alphabet: Alphabet | None) -> None:
        self.text = text
        self.alphabet = alphabet
        self.faults: list[ParseError] = []

    def build(self, tree: Tree[Token]) -> Regex:
        done: dict[int, Regex] = {}
        for subtree in tree.iter_subtrees():  # children first, without recursion
            tokens = [child for child in subtree.children if isinstance(child, str)]
            parts = tuple(done[id(child)] for child in subtree.children if not isinstance(child, str))
            done[id(subtree)] = self._make(str(subtree.data), tokens, parts)
        if self.faults:
            raise min(self.faults, key=lambda fault: fault.position)
        return done[id(tree)]

    def _make(self, rule: str, tokens: list[Token], parts: tuple[Regex, ...]) -> Regex:
        match rule:
            case "union":
                return Union(parts)
            case "intersection":
                return Intersection(parts)
            case "concatenation":
                return Concatenation(parts)
            case "alternative" | "epsilon":
                return EPSILON
            case "empty":
                return EMPTY
            case "complement":
                self._needs_alphabet(tokens[0], "'~'")
                return Complement(parts[0])
            case "repetition":
                return self._repetition(parts[0], tokens[0])
            case "any_letter":
                self._needs_alphabet(tokens[0], "'.'")
                return ANY_LETTER
            case "letter_class":
                if tokens:
                    self._needs_alphabet(tokens[0], "'[^...]'")
                listed = [letter for part in parts if isinstance(part, Letters) for letter in part.letters]
                return Letters(tuple(listed), others=bool(tokens))
            case _:  # a letter, or a letter or range in a class
                return Letters(tuple(self._letters(tokens)))

    def _fault(self, position: int, problem: str, expected: tuple[str, ...] = (), hint: str = "") -> None:
        self.faults.append(ParseError(self.text, position, expected, problem, hint))

    def _needs_alphabet(self, token: Token, sign: str) -> None:
        if self.alphabet is None:
            self._fault(_place(token), f"the meaning of {sign} depends on the alphabet", hint=ALPHABET_RULE)

    def _letters(self, tokens: list[Token]) -> list[str]:
        """Return the letters of one letter token, or of a range: its first letter, a dash, its last letter."""
        letters = [self._unquoted(token) for token in tokens[::2]]
        if len(tokens) == 3:
            first, last = letters
            if len(first) != 1 or len(last) != 1:
                self._fault(_place(tokens[0]), "a range between letters of several characters", hint=_RANGE_HINT)
                return []
            if first > last:
                self._fault(_place(tokens[0]), f"the range {first}-{last} is empty", hint=_RANGE_HINT)
            letters = [chr(point) for point in range(ord(first), ord(last) + 1)]
        unknown = [x for x in letters if self.alphabet is not None and x and x not in self.alphabet]
        if unknown and self.alphabet is not None:
            position = _place(tokens[0])
            alphabet = show_alphabet(self.alphabet.letters)
            here = [x for x in self.alphabet if len(x) > 1 and self.text.startswith(x, position)]
            hint = f"a letter of several characters is quoted: {print_letter(here[0])}" if here else ""
            self._fault(position, f"letter {unknown[0]!r} is not in the alphabet {alphabet}", hint=hint)
        return letters

    def _unquoted(self, token: Token) -> str:
        """Return the letter that a token stands for, "" after a fault."""
        bad = re.match(r"(?:\\[^0-9A-Za-z]|[^\\])*(\\)[0-9A-Za-z]", token)
        if bad:
            self._fault(
                _place(token) + bad.start(1),
                f"{token[bad.start(1) :][:2]!r} means nothing",
                hint="a backslash goes before the character it protects, never before a Latin letter or digit",
            )
            return ""
        letter = re.sub(r"\\(.)", r"\1", token[1:-1] if token[0] == "'" else token, flags=re.DOTALL)
        if not letter:
            self._fault(_place(token), "an empty letter", hint="the empty word is written ε or ()")
        return letter

    def _repetition(self, operand: Regex, token: Token) -> Regex:
        if token in _SIGNS:
            return Repetition(operand, *_SIGNS[token])
        place = _place(token)
        bounds = re.fullmatch(r"\{\s*([0-9]+)\s*(,\s*([0-9]*)\s*)?\}", token)
        if bounds is None:
            read = re.match(r"\{\s*([0-9]+\s*(,\s*([0-9]+\s*)?)?)?", token)
            hint = f"for 'at most' write {{0{token[1:]}" if re.match(r"\{\s*,", token) else ""
            expected = ("bounds such as {2}, {2,} or {2,5}",)
            self._fault(place + (read.end() if read else 1), f"bad bounds {str(token)!r}", expected, hint)
            return operand
        first, comma, second = bounds.groups()
        for group in (1, 3):
            if len(bounds[group] or "") > _MOST_DIGITS:
                self._fault(place + bounds.start(group), f"a bound of more than {_MOST_DIGITS} digits")
                return operand
        least = int(first)
        most = least if comma is None else int(second) if second else None
        if most is not None and most < least:
            problem = f"the upper bound {most} is below the lower bound {least}"
            self._fault(place + bounds.start(3), problem, hint=f"write {{{most},{least}}}")
            return operand
        return Repetition(operand, least, most)


def _place(token: Token) -> int:
    return token.start_pos or 0
