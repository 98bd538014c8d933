r"""Writing formulas; `ltl.syntax.parse_formula` reads each style back to the identical formula.

The sugar is restored where it fits: `false`, `first`, `O`, `H`, `Z`, `->`, `<->`, and `Y^n` from n = 3 on. Letters are
quoted where they need it. Where the formula as a tree has more than 100 nodes and more than twice as many as there are
distinct ones, shared subformulas are defined once before it: `$1 := P a & b; $1 | Y $1`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from automata.errors import ToolkitError
from ltl.formula import (
    FALSE,
    FIRST,
    And,
    Formula,
    Letter,
    Not,
    Or,
    Past,
    Since,
    Top,
    Yesterday,
    subformulas,
)
from ltl.notation import MAX_POWER, quote, quote_latex

Style = Literal["ascii", "unicode", "latex"]

_PLAIN_TREE = 100  # nodes that are written out even if many are shared
_PLAIN_RATIO = 2  # tree nodes a distinct node up to which a formula is written out

# How tightly an operator binds, loosest first.
_IFF, _IMPLIES, _OR, _AND, _SINCE, _UNARY, _ATOM = range(7)

# For each kind: how tightly it binds, and what its operands must bind at least.
_BINDING = {
    "iff": (_IFF, (_IFF, _IMPLIES)),
    "implies": (_IMPLIES, (_OR, _IMPLIES)),
    "or": (_OR, (_OR, _AND)),
    "and": (_AND, (_AND, _SINCE)),
    "since": (_SINCE, (_UNARY, _UNARY)),
}

# How each kind is written, its operands after and between: for example "", " & ", "".
_SPELLING: dict[str, dict[str, str]] = {
    "ascii": {
        "true": "true",
        "false": "false",
        "first": "first",
        "not": "!",
        "P": "P ",
        "O": "O ",
        "H": "H ",
        "Y": "Y ",
        "Z": "Z ",
        "Y<=": "Y<={} ",
        "Z<=": "Z<={} ",
        "Y^": "Y^{} ",
        "since": " S ",
        "and": " & ",
        "or": " | ",
        "implies": " -> ",
        "iff": " <-> ",
        "name": "${}",
        "define": "${} := ",
        "next": "; ",
    },
}
_SPELLING["unicode"] = _SPELLING["ascii"] | {
    "true": "⊤",
    "false": "⊥",
    "not": "¬",
    "Y<=": "Y≤{} ",
    "Z<=": "Z≤{} ",
    "and": " ∧ ",
    "or": " ∨ ",
    "implies": " → ",
    "iff": " ↔ ",
}
_SPELLING["latex"] = {
    "true": r"\top",
    "false": r"\bot",
    "first": r"\mathrm{first}",
    "not": r"\lnot ",
    "P": r"\mathrm{P}\, ",
    "O": r"\mathrm{O}\, ",
    "H": r"\mathrm{H}\, ",
    "Y": r"\mathrm{Y}\, ",
    "Z": r"\mathrm{Z}\, ",
    "Y<=": r"\mathrm{{Y}}_{{\leq {}}}\, ",
    "Z<=": r"\mathrm{{Z}}_{{\leq {}}}\, ",
    "Y^": r"\mathrm{{Y}}^{{{}}}\, ",
    "since": r" \;\mathrm{S}\; ",
    "and": r" \land ",
    "or": r" \lor ",
    "implies": r" \to ",
    "iff": r" \leftrightarrow ",
    "name": r"\varphi_{{{}}}",
    "define": r"\varphi_{{{}}} := ",
    "next": r";\quad ",
}


@dataclass(frozen=True)
class _View:
    """A formula as it is written: the kind of its outermost operator or sugar, a number (k or n), the operands."""

    kind: str
    operands: tuple[Formula, ...] = ()
    number: int = 0


def print_formula(formula: Formula, style: Style = "ascii") -> str:
    r"""Return the text of a formula; raise `ToolkitError` for a style other than ascii, unicode and latex.

    >>> a, b = Letter("a"), Letter("b")
    >>> f = Not(Past(Not(a))) & (Yesterday(a, 2) | b)
    >>> print(print_formula(f), print_formula(f, "unicode"), print_formula(f, "latex"), sep="\n")
    H a & (Y<=2 a | b)
    H a ∧ (Y≤2 a ∨ b)
    \mathrm{H}\, a \land (\mathrm{Y}_{\leq 2}\, a \lor b)
    """
    if style not in _SPELLING:
        raise ToolkitError(f"unknown style {style!r}; the styles are {', '.join(_SPELLING)}")
    views = _views(formula)
    names = _names(views)
    spelling = _SPELLING[style]
    parts: list[str] = []
    for f, number in names.items():
        parts += [spelling["define"].format(number), _written(f, views, names, style), spelling["next"]]
    return "".join([*parts, _written(formula, views, names, style)])


def _views(formula: Formula) -> dict[Formula, _View]:
    """Choose how each formula is written that the printed formula shows, operands first."""
    order = subformulas(formula)
    chained = {f.left for f in order if isinstance(f, Or) and isinstance(f.left, Or)}
    views: dict[Formula, _View] = {}
    stack = [formula]
    ...
    return views
