"""Rewriting a formula so that all its Y<=k have one window: what local heads of one width can compute."""

from __future__ import annotations

from dataclasses import replace

from automata.errors import TooLarge, ToolkitError
from ltl.formula import TRUE, And, Formula, Mod, Not, Or, Past, Since, Yesterday, subformulas
from ltl.simplifying import any_of

MAX_UNFOLDED = 100_000
"""Temporal operators that a rewriting may make unless the caller says otherwise."""


def to_window(formula: Formula, window: int, modulus: int | None = None, max_unfolded: int = MAX_UNFOLDED) -> Formula:
    """Return a formula that holds at the same positions of all words and whose Y<=j all have j = k = `window`.

    A wider window is unfolded: `Y<=2k f` is `Y<=k (f | Y<=k f)`, and `Y<=(j+1) f` is
    `Y<=j f | (Y<=k true & !Y<=k !Y<=j f)` for j >= k. A narrower one needs a modulus m >= k, for then the residues of
    the last k positions differ: `Y<=j f` is the disjunction, over the residues r of m, of
    `MOD(r,m) & Y<=k (f & (MOD(r-1,m) | .. | MOD(r-j,m)))`. Raise `ToolkitError` for a narrower window without one, and
    `TooLarge` where more than `max_unfolded` operators would take the place of those in the formula.

    >>> from ltl.syntax import parse_formula
    >>> to_window(parse_formula("Y<=3 a & P b"), 2)
    parse_formula('(Y<=2 a | Y<=2 true & Z<=2 Y<=2 a) & P b')
    >>> to_window(parse_formula("Y<=3 a"), 1)
    parse_formula('Y (a | Y (a | Y a))')
    """
    order = subformulas(formula)
    unfolded = sum(_unfolded(f.window, window, modulus) for f in order if isinstance(f, Yesterday))
    if unfolded > max_unfolded:
        raise TooLarge(
            f"operators with window {window} that the formula needs", unfolded, max_unfolded, "max_unfolded", False
        )
    found: dict[Formula, Formula] = {}
    for f in order:
        operands = [found[operand] for operand in f.operands]
        match f:
            case Yesterday(_, j):
                found[f] = _wider(operands[0], j, window) if j >= window else _narrower(operands[0], j, window, modulus)
            case Not() | Past():
                found[f] = replace(f, operand=operands[0])
            case And() | Or() | Since():
                found[f] = replace(f, left=operands[0], right=operands[1])
            case _:
                found[f] = f
    return found[formula]


def _unfolded(j: int, window: int, modulus: int | None) -> int:
    """Return about how many operators take the place of one Y<=j."""
    return j // window + 3 * (j % window) if j >= window else (modulus or 0) * j


def _wider(f: Formula, j: int, window: int) -> Formula:
    """Write Y<=j f for a window that is not wider than j."""
    seen: Formula = Yesterday(f, window)
    for _ in range(j // window - 1):
        seen = Yesterday(Or(f, seen), window)
    for _ in range(j % window):
        everywhere = Not(Yesterday(Not(seen), window))
        seen = Or(seen, And(Yesterday(TRUE, window), everywhere))
    return seen


def _narrower(f: Formula, j: int, window: int, modulus: int | None) -> Formula:
    """Write Y<=j f for a window that is wider than j, with the help of remainders."""
    if modulus is None:
        raise ToolkitError(f"Y<={window} does not define Y<={j}; write the formula with windows of {window} or more")
    if modulus < window:
        raise ToolkitError(f"a modulus of {modulus} does not tell the {window} positions of a window apart")
    cases = []
    for r in range(modulus):
        near = any_of(Mod(r - back, modulus) for back in range(1, j + 1))
        cases.append(And(Mod(r, modulus), Yesterday(And(near, f), window)))
    return any_of(cases)
