r"""Writing formulas; `ltl.syntax.parse_formula` reads each style back to the identical formula.

The sugar is restored where it fits: `false`, `first`, `O`, `H`, `Z`, `->`, `<->`, and `Y^n` from n = 3 on. Letters are
quoted where they need it. Where the formula as a tree has more than 100 nodes and more than twice as many as there are
distinct ones, shared subformulas are defined once before it: `$1 := P a & b; $1 | Y $1`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from automata.errors import ToolkitError
from ltl.formula import (
    TRUE,
    And,
    Formula,
    Letter,
    Mod,
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
_IFF, _IMPLIES, _OR, _AND, _SINCE, _UNARY = range(6)

# For each kind: how tightly it binds, and what its operands must bind at least.
_BINDING = {
    "iff": (_IFF, (_IFF, _IMPLIES)),
    "implies": (_IMPLIES, (_OR, _IMPLIES)),
    "or": (_OR, (_OR, _AND)),
    "and": (_AND, (_AND, _SINCE)),
    "since": (_SINCE, (_UNARY, _UNARY)),
}

# How each kind is written, before its operand or between the two; # is its number.
_SPELLING: dict[str, dict[str, str]] = {
    "ascii": {
        "true": "true",
        "false": "false",
        "first": "first",
        "MOD": "MOD",
        "not": "!",
        "P": "P ",
        "O": "O ",
        "H": "H ",
        "Y": "Y ",
        "Z": "Z ",
        "Y<=": "Y<=# ",
        "Z<=": "Z<=# ",
        "Y^": "Y^# ",
        "since": " S ",
        "and": " & ",
        "or": " | ",
        "implies": " -> ",
        "iff": " <-> ",
        "name": "$#",
        "define": "$# := ",
        "next": "; ",
    },
}
_SPELLING["unicode"] = _SPELLING["ascii"] | {
    "true": "⊤",
    "false": "⊥",
    "not": "¬",
    "Y<=": "Y≤# ",
    "Z<=": "Z≤# ",
    "and": " ∧ ",
    "or": " ∨ ",
    "implies": " → ",
    "iff": " ↔ ",
}
_SPELLING["latex"] = {
    "true": r"\top",
    "false": r"\bot",
    "first": r"\mathrm{first}",
    "MOD": r"\mathrm{MOD}",
    "not": r"\lnot ",
    "P": r"\mathrm{P}\, ",
    "O": r"\mathrm{O}\, ",
    "H": r"\mathrm{H}\, ",
    "Y": r"\mathrm{Y}\, ",
    "Z": r"\mathrm{Z}\, ",
    "Y<=": r"\mathrm{Y}_{\leq #}\, ",
    "Z<=": r"\mathrm{Z}_{\leq #}\, ",
    "Y^": r"\mathrm{Y}^{#}\, ",
    "since": r" \;\mathrm{S}\; ",
    "and": r" \land ",
    "or": r" \lor ",
    "implies": r" \to ",
    "iff": r" \leftrightarrow ",
    "name": r"\varphi_{#}",
    "define": r"\varphi_{#} := ",
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
    order = subformulas(formula)
    views = _views(order)
    names = _names(order, views)
    spelling = _SPELLING[style]
    parts: list[str] = []
    for f, number in names.items():
        parts += [spelling["define"].replace("#", str(number)), *_written(f, views, names, style), spelling["next"]]
    return "".join([*parts, *_written(formula, views, names, style)])


def _views(order: Sequence[Formula]) -> dict[Formula, _View]:
    """Choose how each formula is written."""
    in_chain = {f.left for f in order if isinstance(f, Or)}  # a | b | c is no implication, whatever a is
    runs: dict[Formula, _View] = {}  # nested Y, all of them together
    views: dict[Formula, _View] = {}
    for f in order:
        match f:
            case Yesterday(operand, 1):
                run = runs.get(operand)
                if run is None or run.number == MAX_POWER:
                    run = _View("Y^", (operand,))
                runs[f] = replace(run, number=run.number + 1)
                views[f] = runs[f] if runs[f].number > 2 else _View("Y", (operand,))
            case Not():
                views[f] = _negation_view(f)
            case Or(left, Past(again)) if left is again:
                views[f] = _View("O", (left,))
            case Or(Not(left) as negation, right) if views[negation].kind == "not" and f not in in_chain:
                views[f] = _View("implies", (left, right))
            case And(Or(Not(left), right), Or(Not(again), last)) if left is last and right is again:
                views[f] = _View("iff", (left, right))
            case _:
                views[f] = _plain_view(f)
    return views


def _negation_view(f: Not) -> _View:
    match f.operand:
        case Top():
            return _View("false")
        case Past(Top()):
            return _View("first")
        case Past(Not(operand)) if operand is not TRUE:
            return _View("H", (operand,))
        case Yesterday(Not(operand), window) if operand is not TRUE:
            return _View("Z" if window == 1 else "Z<=", (operand,), window)
    return _View("not", f.operands)


def _plain_view(f: Formula) -> _View:
    match f:
        case Yesterday(_, window):
            return _View("Y<=", f.operands, window)
        case Past():
            return _View("P", f.operands)
        case Since():
            return _View("since", f.operands)
        case And():
            return _View("and", f.operands)
        case Or():
            return _View("or", f.operands)
        case Letter():
            return _View("letter")
        case Mod():
            return _View("MOD")
    return _View("true")


def _names(order: Sequence[Formula], views: dict[Formula, _View]) -> dict[Formula, int]:
    """Number the formulas that are defined before the others, operands first."""
    uses = Counter({order[-1]: 1})
    for f in reversed(order):
        if uses[f]:
            uses.update(views[f].operands)
    shown = [f for f in order if uses[f]]
    enough = max(_PLAIN_TREE, _PLAIN_RATIO * len(shown))
    tree: dict[Formula, int] = {}  # nodes when all is written out, as far as it matters
    for f in shown:
        tree[f] = min(1 + sum(tree[operand] for operand in views[f].operands), enough + 1)
    if tree[shown[-1]] <= enough:
        return {}
    names: dict[Formula, int] = {}
    cost: dict[Formula, int] = {}  # nodes when the names are used
    for f in shown:
        cost[f] = 1 + sum(1 if operand in names else cost[operand] for operand in views[f].operands)
        if uses[f] > 1 and cost[f] > 2:
            names[f] = len(names) + 1
    return names


def _written(formula: Formula, views: dict[Formula, _View], names: dict[Formula, int], style: Style) -> list[str]:
    """Write one formula, with the names of those defined; the pieces of the text, in order."""
    spelling = _SPELLING[style]
    parts: list[str] = []
    stack: list[str | tuple[Formula, int]] = [(formula, _IFF)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        f, least = item
        view = views[f]
        if f in names and f is not formula:
            parts.append(spelling["name"].replace("#", str(names[f])))
        elif isinstance(f, Letter):
            parts.append(quote_latex(f.letter) if style == "latex" else quote(f.letter))
        elif isinstance(f, Mod):
            parts.append(f"{spelling['MOD']}({f.residue},{f.modulus})")
        elif view.kind in _BINDING:
            binding, (left, right) = _BINDING[view.kind]
            pieces: list[str | tuple[Formula, int]] = [
                (view.operands[0], left),
                spelling[view.kind],
                (view.operands[1], right),
            ]
            stack.extend(reversed(pieces if binding >= least else ["(", *pieces, ")"]))
        else:
            parts.append(spelling[view.kind].replace("#", str(view.number)))
            stack.extend((operand, _UNARY) for operand in view.operands)
    return parts
