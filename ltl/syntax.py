r"""Reading formulas, and writing them (`print_formula`, from `ltl.printing`, is the exact inverse).

Operators, tightest first; ASCII, Unicode and LaTeX spellings may be mixed:

    !  ~  ¬  \lnot  \neg                   not
    P  Y  Y<=k  Y≤k  Y_{\leq k}            strict past, yesterday, within the last k positions
    Y^n                                    n-fold Y
    O  H  Z  Z<=k                          once (f | P f), historically (!P !f), weak yesterday (!Y<=k !f)
    S  \mathrm{S}                          strict since; not associative: chains need parentheses
    &  &&  ∧  \land  \wedge                and, left-associative
    |  ||  ∨  \lor  \vee                   or, left-associative
    ->  =>  →  \to  \implies ...           implies, right-associative
    <->  <=>  ↔  \leftrightarrow  \iff     iff, left-associative

Constants are `true` (or `T`, ⊤, \top), `false` (⊥, \bot) and `first` (!P true); `MOD(r,m)` (or \mathrm{MOD}(r,m))
holds at the positions congruent to r modulo m, and r >= m is reduced. A letter is a name (`a`, `b0`, `é`), a digit,
another single character that is no operator, or quoted: `'P'`, `"->"`, `\text{b\_0}`. The unquoted keywords P, Y, O, H,
Z, S, T, MOD, true, false and first are never letters, whatever the alphabet. Names are read to their end: `Pa` is one
name. It is the letter `Pa` if the alphabet declares that, and otherwise refused; the past of a is `P a`. Definitions
before the formula share subformulas: `$1 := P a & b; $1 | Y $1` (in LaTeX `\varphi_{1} := ...`).
"""

from __future__ import annotations

import difflib
import re
from functools import cache

from lark import Lark, Token, UnexpectedInput, v_args
from lark.exceptions import VisitError
from lark.visitors import Transformer_NonRecursive

from automata.alphabet import Alphabet
from automata.errors import ParseError, show_alphabet
from ltl.formula import (
    FALSE,
    FIRST,
    MAX_MODULUS,
    MAX_WINDOW,
    TRUE,
    And,
    Formula,
    Letter,
    Mod,
    Not,
    Or,
    Past,
    Since,
    Yesterday,
    historically,
    iff,
    implies,
    once,
    weak_yesterday,
    yesterday_power,
)
from ltl.notation import KEYWORDS, MAX_POWER, OPERATOR_LETTERS, quote, unquote, unquote_latex
from ltl.printing import print_formula
from ltl.syntax_errors import explain

__all__ = ["parse_formula", "print_formula"]


def parse_formula(text: str, alphabet: Alphabet | None = None) -> Formula:
    """Return the formula that a text spells (see the module's description).

    With an alphabet, every letter must belong to it. Without one, any letter is taken, but a name of several characters
    that holds P, Y, O, H, Z, S or T, and a number of several digits, must be quoted. Raise `ParseError`.

    >>> parse_formula("!P a & P b") is parse_formula("(¬P a) ∧ P b")
    True
    >>> parse_formula("a -> Y Y")
    Traceback (most recent call last):
    automata.errors.ParseError: the formula ends too early at column 9; expected a letter, a constant, '(' or ...
      a -> Y Y
              ^
    """
    if not text.strip():
        raise ParseError(text, 0, ["a formula"], "empty formula")
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        raise explain(_parser(), text, alphabet, error) from None
    try:
        formula: Formula = _Builder(text, alphabet).transform(tree)
    except VisitError as error:
        raise error.orig_exc from None
    return formula


@cache
def _parser() -> Lark:
    return Lark.open("formula.lark", rel_to=__file__, parser="lalr", lexer="basic", maybe_placeholders=False)


@v_args(inline=True)
class _Builder(Transformer_NonRecursive[Token, Formula]):
    """Builds the formula bottom-up, left to right, so that definitions come before their uses."""

    def __init__(self, text: str, alphabet: Alphabet | None) -> None:
        super().__init__()
        self._text = text
        self._alphabet = alphabet
        self._defined: dict[str, Formula] = {}

    def start(self, *parts: Formula) -> Formula:
        return parts[-1]

    def definition(self, name: Token, formula: Formula) -> Formula:
        number = _number_in(name)
        if number in self._defined:
            raise self._error(name, f"${number} is defined twice")
        self._defined[number] = formula
        return formula

    def reference(self, name: Token) -> Formula:
        number = _number_in(name)
        if number not in self._defined:
            raise self._error(name, f"${number} is not defined", hint=f"write ${number} := ...; before its use")
        return self._defined[number]

    iff = staticmethod(iff)
    implies = staticmethod(implies)
    disjunction = staticmethod(Or)
    conjunction = staticmethod(And)
    since = staticmethod(Since)
    negation = staticmethod(Not)
    past = staticmethod(Past)
    once = staticmethod(once)
    historically = staticmethod(historically)

    def yesterday(self, *parts: Token | Formula) -> Formula:
        return Yesterday(*self._windowed(parts))

    def weak_yesterday(self, *parts: Token | Formula) -> Formula:
        return weak_yesterday(*self._windowed(parts))

    def yesterday_power(self, exponent: Token, operand: Formula) -> Formula:
        return yesterday_power(operand, self._number(exponent, 0, MAX_POWER, "Y^n stands for n nested operators"))

    def mod(self, residue: Token, _comma: Token, modulus: Token) -> Formula:
        r = self._number(residue, 0, MAX_MODULUS, "r of MOD(r,m) is the residue")
        return Mod(r, self._number(modulus, 1, MAX_MODULUS, "m of MOD(r,m) is the modulus, 1 at least"))

    def top(self) -> Formula:
        return TRUE

    def bottom(self) -> Formula:
        return FALSE

    def first(self) -> Formula:
        return FIRST

    def name(self, token: Token) -> Formula:
        name = str(token)
        if self._alphabet is None and len(name) > 1 and any(letter in OPERATOR_LETTERS for letter in name):
            hint = f"quote it if it is a letter: '{name}'"
            spaced = _spaced(name)
            raise self._error(
                token,
                f"{name!r} may be one letter or several words",
                hint=f"write {spaced}, or {hint}" if spaced else hint,
            )
        return self._letter(token, name)

    def number(self, token: Token) -> Formula:
        if self._alphabet is None and len(token) > 1:
            raise self._error(token, f"{token!s} is no letter", hint=f"quote it if it is one: '{token!s}'")
        return self._letter(token, str(token))

    def symbol(self, token: Token) -> Formula:
        return self._letter(token, str(token))

    def quoted(self, token: Token) -> Formula:
        return self._letter(token, unquote(self._text, *_span(token)))

    def text(self, token: Token) -> Formula:
        return self._letter(token, unquote_latex(self._text, *_span(token)))

    def _letter(self, token: Token, letter: str) -> Formula:
        if self._alphabet is not None and letter not in self._alphabet:
            hint = f"the alphabet is {show_alphabet(self._alphabet.letters)}"
            spaced = _spaced(str(token), self._alphabet)
            nearest = difflib.get_close_matches(letter, self._alphabet.letters, n=1)
            if spaced:
                hint += f"; write {spaced}"
            elif nearest:
                hint += f"; did you mean {quote(nearest[0])}?"
            raise self._error(token, f"unknown letter {letter!r}", hint=hint)
        return Letter(letter)

    def _windowed(self, parts: tuple[Token | Formula, ...]) -> tuple[Formula, int]:
        """Return operand and window of the parts: perhaps a number, and the operand."""
        *numbers, operand = parts
        assert isinstance(operand, Formula)
        window = 1
        for number in numbers:
            assert isinstance(number, Token)
            window = self._number(number, 1, MAX_WINDOW, "Y<=k looks at the k positions before")
        return operand, window

    def _number(self, token: Token, least: int, greatest: int, why: str) -> int:
        digits = token.lstrip("0") or "0"
        if len(digits) > len(str(greatest)) or not least <= int(digits) <= greatest:
            expected = [f"a number from {least} to {greatest:,}"]
            raise ParseError(self._text, _span(token)[0], expected, "number out of range", why)
        return int(digits)

    def _error(self, token: Token, problem: str, hint: str = "") -> ParseError:
        return ParseError(self._text, _span(token)[0], (), problem, hint)


def _span(token: Token) -> tuple[int, int]:
    assert token.start_pos is not None
    assert token.end_pos is not None
    return token.start_pos, token.end_pos


def _number_in(name: Token) -> str:
    """Return the number, as digits, of a definition or reference such as `$12` or `$12 :=`."""
    found = re.search("[0-9]+", name)
    assert found
    return found[0].lstrip("0") or "0"


def _spaced(name: str, alphabet: Alphabet | None = None) -> str:
    """Return how to write the operators and the letter that a name such as `YYa` may stand for, or "" if none fit."""
    found = re.fullmatch(r"([PYOHZ]+)(.+)", name)
    if not found or (alphabet is not None and found[2] not in alphabet and found[2] not in KEYWORDS):
        return ""
    return " ".join([*found[1], found[2]])
