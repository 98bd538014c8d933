"""Simplifying formulas: local laws, tried bottom up on the shared graph, kept where they make it smaller."""

from __future__ import annotations

from collections import Counter

from ltl.boolean_islands import two_level_forms
from ltl.formula import And, Formula, Not, Or, Past, Since, Yesterday, depth, size, subformulas
from ltl.fragment import fragment_of
from ltl.implication import Implications
from ltl.rewrite_rules import alternatives

_MAX_PASSES = 12
_MAX_STEPS = 12  # laws applied to one subformula in one pass
_MAX_ISLANDS = 300  # Boolean combinations that are minimised in one pass
_HEAVY = 10**9


def simplify(formula: Formula) -> Formula:
    """Return a formula that holds at the same positions of all words, end positions included, over every alphabet.

    It is in the same fragment or a smaller one, has no more distinct subformulas and is no deeper. The Boolean layer
    is minimised where it is small, with letters taken as excluding each other; laws such as `P f | P g` = `P (f | g)`,
    `P (f | P f)` = `P f`, `Y f & !Y g` = `Y (f & !g)` do the rest. What is found is the same on every run but need not
    be the smallest equivalent formula.

    >>> from ltl.syntax import parse_formula
    >>> simplify(parse_formula("!(!P a & !P P b) & (Y a | Y b) & !Y c"))
    parse_formula('P (a | P b) & Y (a | b)')
    """
    for may_turn in (False, True):
        for _ in range(_MAX_PASSES):
            simpler = _Pass(formula, may_turn).rewritten()
            if simpler is formula or not _no_worse(simpler, formula):
                break
            formula = simpler
    return formula


def _no_worse(simpler: Formula, formula: Formula) -> bool:
    return (
        size(simpler) <= size(formula)
        and depth(simpler) <= depth(formula)
        and fragment_of(simpler) <= fragment_of(formula)
    )


class _Pass:
    """One walk over a formula, operands first, that replaces subformulas by equivalent ones.

    `uses` counts for each formula that is needed how often it is: once for every operand place it fills, and for
    every place that its original fills in formulas not yet walked over. So the change in their number tells exactly
    what a replacement gains, whatever is shared. `may_turn` allows `Y P f` to become `P P f`.
    """

    def __init__(self, formula: Formula, may_turn: bool) -> None:
        self.may_turn = may_turn
        self.order = subformulas(formula)
        self.known = Implications()
        self.uses: Counter[Formula] = Counter()
        self.n_needed = 0
        self.measures: dict[Formula, tuple[int, int]] = {}
        self.islands = _MAX_ISLANDS

    def rewritten(self) -> Formula:
        """Return what the pass makes of the formula."""
        uses = Counter(operand for f in self.order for operand in f.operands)
        inner = {
            operand
            for f in self.order
            for operand in f.operands
            if isinstance(f, And | Or) and type(operand) is type(f) and uses[operand] == 1
        }
        combined = {operand for f in self.order if isinstance(f, Not | And | Or) for operand in f.operands}
        images: dict[Formula, Formula] = {}
        for f in self.order:
            operands = [images[operand] for operand in f.operands]
            image = _with_operands(f, operands)
            self._need(image)
            for operand in operands:
                self._leave(operand)
            is_island = isinstance(f, Not | And | Or) and (f not in combined or uses[f] > 1)
            image = self._improved(image, f not in inner, is_island)
            self.uses[image] += uses[f] - 1 if f is not self.order[-1] else 0
            images[f] = image
        return images[self.order[-1]]

    def _improved(self, f: Formula, at_top: bool, is_island: bool) -> Formula:
        for _ in range(_MAX_STEPS):
            before = f
            for other in alternatives(f, self.known, at_top=at_top, may_turn=self.may_turn):
                if self._replaces(other, f):
                    f = other
                    break
            else:
                if is_island and self.islands > 0 and isinstance(f, Not | And | Or):
                    forms = two_level_forms(f, self.known)
                    self.islands -= len(forms) > 0
                    for other in forms:
                        if self._replaces(other, f):
                            f = other
            if f is before:
                break
        return f

    def _replaces(self, other: Formula, f: Formula) -> bool:
        """Replace a needed formula by another if that gains anything; True iff it did."""
        if other is f or self._measure(other)[0] > self._measure(f)[0]:
            return False
        before = self.n_needed
        self._need(other)
        self._leave(f)
        if (self.n_needed, self._measure(other)) < (before, self._measure(f)):
            return True
        self._need(f)
        self._leave(other)
        return False

    def _need(self, f: Formula) -> None:
        stack = [f]
        while stack:
            g = stack.pop()
            self.uses[g] += 1
            if self.uses[g] == 1:
                self.n_needed += 1
                stack.extend(g.operands)

    def _leave(self, f: Formula) -> None:
        stack = [f]
        while stack:
            g = stack.pop()
            self.uses[g] -= 1
            if not self.uses[g]:
                self.n_needed -= 1
                stack.extend(g.operands)

    def _measure(self, f: Formula) -> tuple[int, int]:
        """Return the temporal depth and the weight as a tree, cut off at a billion."""
        stack = [f]
        while stack:
            g = stack[-1]
            missing = [operand for operand in g.operands if operand not in self.measures]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            is_temporal = isinstance(g, Past | Yesterday | Since)
            weight = 1 + is_temporal + isinstance(g, Yesterday | Since)
            below = [self.measures[operand] for operand in g.operands]
            self.measures[g] = (
                max((deep for deep, _ in below), default=0) + is_temporal,
                min(_HEAVY, weight + sum(heavy for _, heavy in below)),
            )
        return self.measures[f]


def _with_operands(f: Formula, operands: list[Formula]) -> Formula:
    if all(new is old for new, old in zip(operands, f.operands, strict=True)):
        return f
    if isinstance(f, Yesterday):
        return Yesterday(operands[0], f.window)
    return type(f)(*operands)
