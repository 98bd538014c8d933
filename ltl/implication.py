"""Which formulas plainly imply, exclude or equal each other at every position of every word."""

from __future__ import annotations

from ltl.formula import FALSE, TRUE, And, Formula, Letter, Not, Or, Past, Since, Top, Yesterday

_STEPS = 5  # operators that one question may look through
_NESTED = 24  # nested operators on one formula, which count as one


class Implications:
    """Answers, remembered, to questions about pairs of formulas: sound, not complete.

    Each question looks through at most five operators (rows of nested P and Y count as one), so it takes bounded time.
    Letters exclude each other; what happened in a window happened; before the first position there is nothing.

    >>> from ltl.syntax import parse_formula
    >>> known = Implications()
    >>> known.implies(parse_formula("P P a"), parse_formula("P (a | b)"))
    True
    >>> known.excludes(parse_formula("Y (a & P c)"), parse_formula("Y b"))
    True
    """

    def __init__(self) -> None:
        self._implied: dict[tuple[Formula, Formula, int], bool] = {}
        self._excluded: dict[tuple[Formula, Formula, int], bool] = {}
        self._first: dict[Formula, bool | None] = {}

    def implies(self, f: Formula, g: Formula) -> bool:
        """True only if g holds wherever f holds."""
        return self._implies(f, g, _STEPS)

    def excludes(self, f: Formula, g: Formula) -> bool:
        """True only if f and g hold nowhere together."""
        return self._excludes(f, g, _STEPS)

    def at_first(self, f: Formula) -> bool | None:
        """Return the value of f at the first position if it is the same in all words, else None."""
        stack = [f]
        while stack:
            g = stack[-1]
            missing = [operand for operand in g.operands if operand not in self._first]
            if g in self._first or not missing:
                stack.pop()
                self._first.setdefault(g, self._kleene(g))
            else:
                stack.extend(missing)
        return self._first[f]

    def _kleene(self, f: Formula) -> bool | None:
        values = [self._first.get(operand) for operand in f.operands]
        match f:
            case Top():
                return True
            case Not():
                return None if values[0] is None else not values[0]
            case And():
                return False if False in values else True if values == [True, True] else None
            case Or():
                return True if True in values else False if values == [False, False] else None
            case Past() | Yesterday() | Since():
                return False
        return None

    def _implies(self, f: Formula, g: Formula, steps: int) -> bool:
        if f is g or g is TRUE or f is FALSE:
            return True
        if steps == 0:
            return False
        key = (f, g, steps)
        if key not in self._implied:
            self._implied[key] = self._follows(f, g, steps - 1)
        return self._implied[key]

    def _follows(self, f: Formula, g: Formula, steps: int) -> bool:
        match f, g:
            case Or(left, right), _:
                return self._implies(left, g, steps) and self._implies(right, g, steps)
            case _, And(left, right):
                return self._implies(f, left, steps) and self._implies(f, right, steps)
            case Not(x), Not(y):
                return self._implies(y, x, steps)
            case _, Not(y) if self._excludes(f, y, steps):
                return True
            case Past(_) | Yesterday(_) | Since(_), Yesterday(y, _) if y is TRUE:
                return True
            case Past(_) | Yesterday(_), Past(y):
                return self._held_before(f, y, steps)
            case Yesterday(x, near), Yesterday(y, far):
                return near <= far and self._implies(x, y, steps)
            case Since(_, x), Past(y):
                return self._implies(x, y, steps) or self._implies(x, g, steps)
            case Since(held, x), Since(kept, y):
                return self._implies(held, kept, steps) and self._implies(x, y, steps)
        parts_of_f = f.operands if isinstance(f, And) else ()
        parts_of_g = g.operands if isinstance(g, Or) else ()
        return any(self._implies(part, g, steps) for part in parts_of_f) or any(
            self._implies(f, part, steps) for part in parts_of_g
        )

    def _held_before(self, f: Formula, y: Formula, steps: int) -> bool:
        """True only if y held earlier wherever f, a Past or Yesterday, holds."""
        x = f
        for _ in range(_NESTED):
            if not isinstance(x, Past | Yesterday):
                break
            x = x.operand
            if self._implies(x, y, steps):
                return True
        return self._implies(x, Past(y), steps)

    def _excludes(self, f: Formula, g: Formula, steps: int) -> bool:
        if f is FALSE or g is FALSE:
            return True
        if steps == 0:
            return False
        key = (f, g, steps)
        if key not in self._excluded:
            self._excluded[key] = self._clash(f, g, steps - 1)
        return self._excluded[key]

    def _clash(self, f: Formula, g: Formula, steps: int) -> bool:
        match f, g:
            case Letter(a), Letter(b):
                return a != b
            case Yesterday(x, 1), Yesterday(y, 1):
                return self._excludes(x, y, steps)
        for one, other in ((f, g), (g, f)):
            match one:
                case Not(x) if self._implies(other, x, steps):
                    return True
                case And(left, right) if self._excludes(left, other, steps) or self._excludes(right, other, steps):
                    return True
                case Or(left, right) if self._excludes(left, other, steps) and self._excludes(right, other, steps):
                    return True
        return False
