"""Local laws of past temporal logic: for a formula, others that are equivalent at every position of every word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce

from ltl.formula import FALSE, TRUE, And, Formula, Letter, Not, Or, Past, Since, Yesterday
from ltl.implication import Implications
from ltl.simplifying import negation

_MAX_PARTS = 24  # conjuncts or disjuncts that are compared in pairs


def alternatives(f: Formula, known: Implications, *, at_top: bool, may_turn: bool = True) -> Iterator[Formula]:
    """Yield formulas equivalent to f, each by one law at its root; some are larger than f.

    `at_top` is to be False where f is a conjunct of a conjunction or a disjunct of a disjunction that is looked at
    itself: then only laws about the two operands are tried. `may_turn` allows `Y P f` to become `P P f`, which joins
    other formulas than it does.

    >>> from ltl.syntax import parse_formula
    >>> [str(g) for g in alternatives(parse_formula("P (a | P a)"), Implications(), at_top=True)]
    ['P a']
    """
    match f:
        case Not(x):
            yield from _negations(x)
        case And() | Or():
            yield from _joined(f, known, at_top)
        case Past(x):
            yield from _pasts(x, known)
        case Yesterday(x, _):
            if x is FALSE:
                yield FALSE
            if may_turn and isinstance(x, Past):
                yield Past(x)
        case Since(held, x):
            if x is FALSE:
                yield FALSE
            if held is TRUE:
                yield Past(x)
            if known.implies(held, x):
                yield Yesterday(x)


def _negations(x: Formula) -> Iterator[Formula]:
    if isinstance(x, Not):
        yield x.operand
    elif isinstance(x, And | Or):
        parts = _parts(x)
        if any(isinstance(part, Not) for part in parts):
            yield _join(Or if isinstance(x, And) else And, [negation(part) for part in parts])


def _pasts(x: Formula, known: Implications) -> Iterator[Formula]:
    if x is FALSE:
        yield FALSE
    elif x is not TRUE and known.at_first(x):
        yield Past(TRUE)
    if isinstance(x, Yesterday):
        yield Past(Past(x.operand))
    if isinstance(x, Or):
        parts = _parts(x)
        if len(parts) <= _MAX_PARTS:
            for i in range(len(parts)):
                rest = Past(_join(Or, parts[:i] + parts[i + 1 :]))
                if known.implies(parts[i], rest):
                    yield rest


def _joined(f: And | Or, known: Implications, at_top: bool) -> Iterator[Formula]:
    """Yield alternatives of a conjunction or disjunction; comments speak of the disjunction."""
    kind = type(f)
    yield kind(f.right, f.left)
    parts = list(dict.fromkeys(_parts(f) if at_top else f.operands))
    neutral, absorbing = (TRUE, FALSE) if kind is And else (FALSE, TRUE)
    if absorbing in parts or any(isinstance(part, Not) and part.operand in parts for part in parts):
        yield absorbing
        return
    letters = [part if kind is And else negation(part) for part in parts]
    if sum(isinstance(letter, Letter) for letter in letters) > 1:
        yield absorbing
        return
    kept = [part for part in parts if part is not neutral]
    if len(kept) < len(parts) or (at_top and len(parts) < len(_parts(f))) or f.left is f.right:
        yield _join(kind, kept) if kept else neutral
    if not at_top or len(kept) < 2:
        return
    if len(kept) <= _MAX_PARTS:
        yield from _compared(kind, kept, known)
    yield from _merged(kind, kept)
    yield from _factored(kind, kept)


def _compared(kind: type[And | Or], parts: list[Formula], known: Implications) -> Iterator[Formula]:
    """Yield what is left when parts that others make superfluous are dropped, or the constant of parts that clash."""
    kept = parts
    for part in parts:
        others = [other for other in kept if other is not part]
        if any(known.implies(other, part) if kind is And else known.implies(part, other) for other in others):
            kept = others
    if len(kept) < len(parts):
        yield _join(kind, kept)
    for i, f in enumerate(parts):
        for g in parts[i + 1 :]:
            if kind is And and known.excludes(f, g):
                yield FALSE
            if kind is Or and known.excludes(negation(f), negation(g)):
                yield TRUE


def _merged(kind: type[And | Or], parts: list[Formula]) -> Iterator[Formula]:
    """Yield forms in which several parts under one operator have become one."""
    dual = Or if kind is And else And
    groups: dict[tuple[object, ...], list[Formula]] = {}
    for part in parts:
        key: tuple[object, ...] | None = None
        match part:
            case Not():
                key = (Not,)
            case Past() if kind is Or:
                key = (Past,)
            case Yesterday(_, window) if kind is Or or window == 1:
                key = (Yesterday, window)
            case Since(held, x):
                key = (Since, held if kind is Or else x)
        if key is not None:
            groups.setdefault(key, []).append(part)
    for key, members in groups.items():
        if len(members) < 2:
            continue
        inner = [member.operands[0] for member in members]
        match key:
            case (_, int(window)):
                merged: Formula = Yesterday(_join(kind, inner), window)
            case (_, Formula() as shared):
                merged = (
                    Since(shared, _join(Or, [member.operands[1] for member in members]))
                    if kind is Or
                    else Since(_join(And, inner), shared)
                )
            case (operator,) if operator is Past:
                merged = Past(_join(Or, inner))
            case _:
                merged = Not(_join(dual, inner))
        yield _replaced(kind, parts, members, merged)
    # At a position that is not the first, !Y g is Y !g; at the first one Y f is false and !Y g true.
    yesterdays = groups.get((Yesterday, 1), [])
    refused: list[Formula] = [part for part in parts if isinstance(part, Not) and _is_yesterday(part.operand)]
    if yesterdays and refused:
        held = _join(kind, [part.operands[0] for part in yesterdays])
        failed = _join(dual, [part.operands[0].operands[0] for part in refused])
        merged = Yesterday(And(held, negation(failed))) if kind is And else Not(Yesterday(And(failed, negation(held))))
        yield _replaced(kind, parts, yesterdays + refused, merged)


def _is_yesterday(f: Formula) -> bool:
    return isinstance(f, Yesterday) and f.window == 1


def _factored(kind: type[And | Or], parts: list[Formula]) -> Iterator[Formula]:
    """Yield the form in which what most parts have in common stands once: (f & g) | (f & h) is f & (g | h)."""
    dual = Or if kind is And else And
    inner: dict[Formula, list[Formula]] = {
        part: list(dict.fromkeys(_parts(part))) for part in parts if isinstance(part, dual)
    }
    counts = Counter(factor for factors in inner.values() for factor in factors)
    if not counts or max(counts.values()) < 2:
        return
    common = max(counts, key=counts.__getitem__)
    members: list[Formula] = [part for part, factors in inner.items() if common in factors]
    rests = [_join(dual, [factor for factor in inner[part] if factor is not common]) for part in members]
    yield _replaced(kind, parts, members, dual(common, _join(kind, rests)))


def _replaced(kind: type[And | Or], parts: list[Formula], members: list[Formula], merged: Formula) -> Formula:
    """Return the join of the parts with `merged` in the place of the first of `members`, the others dropped."""
    dropped = set(members)
    kept: list[Formula] = []
    for part in parts:
        if part is members[0]:
            kept.append(merged)
        elif part not in dropped:
            kept.append(part)
    return _join(kind, kept)


def _parts(f: Formula) -> list[Formula]:
    """Return the conjuncts of a conjunction or the disjuncts of a disjunction, left to right, nested ones opened."""
    kind = type(f)
    found = []
    stack = [f]
    opened: set[Formula] = set()
    while stack:
        g = stack.pop()
        if isinstance(g, kind) and isinstance(g, And | Or):
            if g not in opened:  # what a shared part holds is there once already
                opened.add(g)
                stack.extend((g.right, g.left))
        else:
            found.append(g)
    return found


def _join(kind: type[And | Or], parts: Sequence[Formula]) -> Formula:
    return reduce(kind, parts) if parts else TRUE if kind is And else FALSE
