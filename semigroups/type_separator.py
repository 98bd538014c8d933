"""Formulas that tell two places of a sample apart, read off what their depth-d types differ in."""

from __future__ import annotations

import numpy as np

from ltl.formula import Formula, Letter, Past, Yesterday, size
from ltl.simplifying import all_of, negation
from semigroups.formula_pool import FormulaPool
from semigroups.observed import SampleTypes


class TypeSeparator:
    """Formulas that hold at one place and not at another, made of the formulas of a pool as far as these will do."""

    def __init__(self, pool: FormulaPool, types: SampleTypes) -> None:
        self.pool = pool
        self.types = types
        self._depths = np.array(pool.depths)
        self._known: dict[tuple[int, int, int], Formula] = {}

    def apart(self, i: int, j: int, depth: int) -> Formula:
        """Return a formula of this depth, at most, that holds at the end of word i and not at that of word j.

        The depth-d types of the two words must differ, and the depth be 1 at least.
        """
        ends = self.types.ends
        while depth > 1 and ends(depth - 1)[i] != ends(depth - 1)[j]:
            depth -= 1
        key = (depth, ends(depth)[i], ends(depth)[j])
        if key not in self._known:
            options = []
            seen = self.types.seen(depth)
            for with_past, left, right in zip((True, False), seen[i], seen[j], strict=True):
                options += [self._seen(kind, right, depth, with_past) for kind in sorted(left - right)]
                options += [negation(self._seen(kind, left, depth, with_past)) for kind in sorted(right - left)]
            self._known[key] = min(options, key=size)
        return self._known[key]

    def _seen(self, kind: int, others: frozenset[int], depth: int, with_past: bool) -> Formula:
        """Return `P f` or `Y<=k f` for an f of less depth that holds at positions of one type and of no others."""
        truth, words = self.pool.truth(), self.types.examples(depth - 1)
        here, left = words[kind], [words[other] for other in sorted(others)]
        usable = np.flatnonzero(self._depths < depth)
        parts: list[Formula] = []
        while left:
            differ = truth[:, left] != truth[:, [here]]
            best = int(usable[np.argmax(differ[usable].sum(axis=1))])
            if differ[best].any():
                parts.append(self.pool.formula(2 * best + int(not truth[best, here])))
                left = [word for word, gone in zip(left, differ[best].tolist(), strict=True) if not gone]
            else:
                parts.append(self._position_apart(here, left.pop(0), depth - 1))
        f = all_of(parts)
        return Past(f) if with_past else Yesterday(f, self.pool.fragment.window or 1)

    def _position_apart(self, i: int, j: int, depth: int) -> Formula:
        """Return a formula that holds at the last position of word i and not at that of word j."""
        observed = self.pool.observed
        if observed.letter[i] != observed.letter[j]:
            return Letter(self.pool.alphabet.letters[observed.letter[i]])
        return self.apart(int(observed.parent[i]), int(observed.parent[j]), depth)
