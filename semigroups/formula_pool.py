"""Small formulas told apart by what they say of a sample: enumeration up to observational equivalence.

Formulas are listed by cost, the number of letters and binary and temporal operators (negation is free). Of formulas
that agree at all places of the sample, or disagree at all, only the first is kept.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet
from ltl.formula import FALSE, And, Formula, Letter, Or, Past, Yesterday
from ltl.fragment import Fragment
from ltl.simplifying import negation
from semigroups.observed import Observed

_BLOCK = 1 << 20  # truth values computed side by side
_LETTER, _FALSE, _PAST, _YESTERDAY, _BOTH, _EITHER = range(6)


class FormulaPool:
    """Formulas of a fragment with P and Y<=k, up to a temporal depth, each with its truth at the places of a sample.

    Formula i is true at the places marked in row i of `truth()`; its temporal depth is `depths[i]`. It is false at the
    end of the empty word: formulas that hold there are found as negations. The pool grows cost by cost with `grow`, as
    long as it holds at most `max_truth` truth values.
    """

    def __init__(
        self, observed: Observed, fragment: Fragment, alphabet: Alphabet, max_depth: int, max_truth: int
    ) -> None:
        self.observed = observed
        self.fragment = fragment
        self.alphabet = alphabet
        self.max_depth = max_depth
        n, m = len(observed), len(alphabet)
        self.max_formulas = max(m + 1, max_truth // (2 * n))
        self.depths: list[int] = []
        self._recipes: list[tuple[int, int, int]] = []  # operator and operands: 2 i for formula i, 2 i + 1 negated
        self._rows: list[NDArray[np.bool_]] = []
        self._known: set[bytes] = set()
        self._built: dict[int, Formula] = {}
        letters = np.zeros((m + 1, 2 * n), dtype=np.bool_)
        letters[1:, :n] = observed.letter == np.arange(m)[:, None]
        recipes = [(_FALSE, 0, 0), *((_LETTER, code, 0) for code in range(m))]
        self._by_cost = [[], self._add(letters, recipes, [0] * (m + 1))]

    def __len__(self) -> int:
        return len(self._recipes)

    @property
    def is_full(self) -> bool:
        """True iff the limit is reached, so that no more formulas are added."""
        return len(self) >= self.max_formulas

    def truth(self) -> NDArray[np.bool_]:
        """Return the truth of all formulas, bool[n, 2 w] for w words: at their last positions, then at their ends."""
        if len(self._rows) > 1:
            self._rows = [np.concatenate(self._rows)]
        return self._rows[0]

    def costs(self) -> NDArray[np.float32]:
        """Return the costs of all formulas, float32[n]."""
        counts = [len(formulas) for formulas in self._by_cost]
        return np.repeat(np.arange(len(counts), dtype=np.float32), counts)

    def grow(self) -> bool:
        """Add the formulas of the next cost; False iff none are left to add."""
        cost = len(self._by_cost)
        fresh: list[int] = []
        for rows, recipes, depths in self._candidates(cost):
            if self.is_full:
                break
            fresh += self._add(rows, recipes, depths)
        self._by_cost.append(fresh)
        # One of the operands of a formula of greater cost has at least half of the cost reached.
        return not self.is_full and any(self._by_cost[(cost + 1) // 2 :])

    def formula(self, code: int) -> Formula:
        """Return formula i for code 2 i, its negation for 2 i + 1."""
        stack = [code // 2]
        while stack:
            kind, left, right = self._recipes[stack[-1]]
            operands = {_LETTER: [], _FALSE: [], _PAST: [left], _YESTERDAY: [left]}.get(kind, [left, right])
            missing = [operand // 2 for operand in operands if operand // 2 not in self._built]
            if missing:
                stack.extend(missing)
                continue
            parts = [self._signed(operand) for operand in operands]
            if kind == _FALSE:
                built: Formula = FALSE
            elif kind == _LETTER:
                built = Letter(self.alphabet.letters[left])
            elif kind == _PAST:
                built = Past(parts[0])
            elif kind == _YESTERDAY:
                built = Yesterday(parts[0], self.fragment.window or 1)
            else:
                built = And(*parts) if kind == _BOTH else Or(*parts)
            self._built[stack.pop()] = built
        return self._signed(code)

    def _signed(self, code: int) -> Formula:
        built = self._built[code // 2]
        return negation(built) if code % 2 else built

    def _add(self, rows: NDArray[np.bool_], recipes: list[tuple[int, int, int]], depths: list[int]) -> list[int]:
        """Keep the formulas with new rows, as far as the limit allows; return their numbers."""
        first, known = len(self), self._known
        kept: list[int] = []
        room = self.max_formulas - first
        for i, row in enumerate(np.packbits(rows, axis=1)):
            key = row.tobytes()
            if key not in known and len(kept) < room:
                known.add(key)
                kept.append(i)
        self._rows.append(rows[kept])
        self._recipes += [recipes[i] for i in kept]
        self.depths += [depths[i] for i in kept]
        return list(range(first, len(self)))

    def _candidates(self, cost: int) -> Iterator[tuple[NDArray[np.bool_], list[tuple[int, int, int]], list[int]]]:
        """Yield truth, recipes and depths of all formulas of a cost over the formulas kept before."""
        truth, depths = self.truth(), self.depths
        shallow = [i for i in self._by_cost[cost - 1] if depths[i] < self.max_depth]
        step = max(1, _BLOCK // (2 * len(self.observed)))
        for first in range(0, len(shallow), step):
            yield self._temporal(shallow[first : first + step])
        for less in range(1, (cost - 1) // 2 + 1):
            others = self._by_cost[cost - 1 - less]
            for i in self._by_cost[less]:
                partners = others if cost - 1 - less > less else [j for j in others if j > i]
                left, right = truth[i], truth[partners]
                rows = np.concatenate((left & right, left & ~right, ~left & right, left | right))
                signs = ((_BOTH, 0, 0), (_BOTH, 0, 1), (_BOTH, 1, 0), (_EITHER, 0, 0))
                recipes = [(kind, 2 * i + s, 2 * j + t) for kind, s, t in signs for j in partners]
                yield rows, recipes, [max(depths[i], depths[j]) for j in partners] * len(signs)

    def _temporal(self, operands: list[int]) -> tuple[NDArray[np.bool_], list[tuple[int, int, int]], list[int]]:
        """Return truth, recipes and depths of the temporal operators over formulas and over their negations."""
        observed = self.observed
        held = self.truth()[operands, : len(observed)]
        held = np.concatenate((held, ~held))
        held[:, 0] = False  # the empty word has no last position
        codes = [2 * i for i in operands] + [2 * i + 1 for i in operands]
        windows = ([(_PAST, None)] if self.fragment.past else []) + (
            [(_YESTERDAY, self.fragment.window)] if self.fragment.window else []
        )
        rows = []
        for _, window in windows:
            ends = observed.seen_before(held, window)
            positions = ends[:, observed.parent]
            positions[:, 0] = False
            rows.append(np.concatenate((positions, ends), axis=1))
        recipes = [(kind, code, 0) for kind, _ in windows for code in codes]
        return np.concatenate(rows), recipes, [self.depths[code // 2] + 1 for _, code, _ in recipes]
