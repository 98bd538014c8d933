"""Two-level forms of small Boolean combinations of letters and temporal subformulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ltl.formula import FALSE, TRUE, And, Formula, Not, Or, Top
from ltl.implication import Implications

MAX_ATOMS = 6
_MAX_NODES = 64
_Cubes: TypeAlias = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


def two_level_forms(formula: Formula, known: Implications) -> list[Formula]:
    """Return three two-level forms of a formula, minimal as such: an OR of ANDs, a negated one and an AND of ORs.

    Its atoms are the greatest subformulas that are no Boolean combinations. Values of the atoms that `known` rules out
    (two letters at once, `P f` without `P (f | g)`) may be taken either way. Where each atom occurs once, or there
    are more than `MAX_ATOMS`, return nothing.

    >>> from ltl.syntax import parse_formula
    >>> [str(f) for f in two_level_forms(parse_formula("(P a & b) | (P a & !b)"), Implications())]
    ['P a', '!!P a', 'P a']
    """
    order = _island(formula)
    if order is None:
        return []
    atoms = [f for f in order if not isinstance(f, Not | And | Or | Top)]
    if not 0 < len(atoms) <= MAX_ATOMS or sum(isinstance(f, And | Or) for f in order) < len(atoms):
        return []
    n = len(atoms)
    columns = (np.arange(1 << n)[:, None] >> np.arange(n)[::-1]) & 1 == 1  # the first atom is the highest bit
    values: dict[Formula, NDArray[np.bool_]] = {atom: columns[:, i] for i, atom in enumerate(atoms)}
    for f in order:
        match f:
            case Top():
                values[f] = np.ones(1 << n, dtype=np.bool_)
            case Not(x):
                values[f] = ~values[x]
            case And(left, right):
                values[f] = values[left] & values[right]
            case Or(left, right):
                values[f] = values[left] | values[right]
    possible = np.ones(1 << n, dtype=np.bool_)
    for i, j in combinations(range(n), 2):
        if known.excludes(atoms[i], atoms[j]):
            possible &= ~(columns[:, i] & columns[:, j])
        if known.implies(atoms[i], atoms[j]):
            possible &= ~(columns[:, i] & ~columns[:, j])
        if known.implies(atoms[j], atoms[i]):
            possible &= ~(columns[:, j] & ~columns[:, i])
    true = tuple(np.flatnonzero(values[formula] & possible).tolist())
    false = tuple(np.flatnonzero(~values[formula] & possible).tolist())
    free = tuple(np.flatnonzero(~possible).tolist())
    if not true or not false:
        return [TRUE if true else FALSE]
    return [
        _join(Or, [_term(And, Or, atoms, *cube) for cube in _cover(n, true, free)]),
        Not(_join(Or, [_term(And, Or, atoms, *cube) for cube in _cover(n, false, free)])),
        _join(And, [_term(Or, And, atoms, less, more) for more, less in _cover(n, false, free)]),
    ]


def _island(formula: Formula) -> list[Formula] | None:
    """Return the nodes of the Boolean combination, operands first, the atoms among them; None if there are too many."""
    found: dict[Formula, None] = {}
    stack = [(formula, False)]
    seen: set[Formula] = set()
    while stack:
        f, done = stack.pop()
        if done:
            found.setdefault(f)
        elif f not in seen:
            seen.add(f)
            if len(seen) > _MAX_NODES:
                return None
            stack.append((f, True))
            if isinstance(f, Not | And | Or):
                stack.extend((operand, False) for operand in reversed(f.operands))
    return list(found)


def _join(kind: Callable[[Formula, Formula], Formula], parts: Sequence[Formula]) -> Formula:
    return reduce(kind, parts)


def _term(
    kind: Callable[[Formula, Formula], Formula],
    dual: Callable[[Formula, Formula], Formula],
    atoms: Sequence[Formula],
    positive: Sequence[int],
    negative: Sequence[int],
) -> Formula:
    """Return the conjunction (or disjunction) of literals, with one negation for all that are negated."""
    parts = [atoms[i] for i in positive]
    if negative:
        parts.append(Not(_join(dual, [atoms[i] for i in negative])))
    return _join(kind, parts)


@lru_cache(maxsize=4096)
def _cover(n: int, wanted: tuple[int, ...], free: tuple[int, ...]) -> _Cubes:
    """Return cubes (atoms that must hold, atoms that must not) that cover the wanted rows and else only free ones."""
    from sympy import And as SympyAnd
    from sympy import Not as SympyNot
    from sympy import Or as SympyOr
    from sympy import SOPform, symbols

    names = symbols(f"x0:{n}")
    place = {name: i for i, name in enumerate(names)}
    form = SOPform(list(names), list(wanted), list(free))
    cubes = []
    for cube in form.args if isinstance(form, SympyOr) else [form]:
        literals = cube.args if isinstance(cube, SympyAnd) else [cube]
        negative = sorted(place[literal.args[0]] for literal in literals if isinstance(literal, SympyNot))
        positive = sorted(place[literal] for literal in literals if literal in place)
        cubes.append((tuple(positive), tuple(negative)))
    return tuple(sorted(cubes))
