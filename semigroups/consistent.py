"""A small formula consistent with labelled words: enumeration first, then decisions over what was enumerated.

If some formula of the fragment and depth is consistent, one is found: where the enumerated formulas do not tell two
words apart, a formula that does is built from their depth-d types.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet
from automata.errors import TooLarge
from ltl.formula import FALSE, TRUE, Formula, size
from ltl.fragment import Fragment
from ltl.semantics import holds_batch
from ltl.simplifying import all_of, any_of, negation
from semigroups.formula_pool import FormulaPool
from semigroups.observed import CodeWord, Observed, SampleTypes
from semigroups.type_separator import TypeSeparator

_NEW = 4  # words taken into the sample for one wrong formula, at least: of the shortest and of all
_GROWTH = 32  # the same, as one of so many words of the sample
_BITS_PER_COST = 2.0  # what a decision should tell, in bits, for each operator or letter it is written with
_NOTHING = 1e-3  # bits


@dataclass(frozen=True)
class Labelled:
    """Which words of a sample a formula is to hold at, and at which it is not to hold; bool[w] both, never both."""

    inside: NDArray[np.bool_]
    outside: NDArray[np.bool_]


@dataclass(frozen=True)
class Search:
    """Which formulas to look for: of a fragment, over an alphabet, up to a temporal depth, in pools up to a size.

    A pool holds `max_truth` truth values. Decisions are made where `decide` says so. More than `max_rounds` formulas
    that are wrong at words not looked at are `TooLarge`.
    """

    fragment: Fragment
    alphabet: Alphabet
    max_depth: int
    max_truth: int
    max_rounds: int
    decide: bool = True
    smaller_than: int | None = None


def consistent_formula(
    search: Search, words: Observed, labelled: Labelled, depth: int, sample: list[CodeWord]
) -> Formula | None:
    """Return a formula that is right at the labelled words; None if none is found, which needs decisions switched off.

    It is sought for the words of `sample` alone, to which words where it is wrong are added until there are none. The
    depth-d types of the words inside must differ from those outside.
    """
    place = {word: i for i, word in enumerate(words.words)}
    batch = words.batch(search.alphabet)
    for _ in range(search.max_rounds):
        observed = Observed(sample)
        rows = [place[word] for word in observed.words]
        here = Labelled(labelled.inside[rows], labelled.outside[rows])
        pool = FormulaPool(observed, search.fragment, search.alphabet, search.max_depth, search.max_truth)
        formula = _enumerated(pool, here)
        if formula is None and search.decide:
            formula = _Decisions(pool, SampleTypes(observed, search.fragment), depth).formula(here)
        if formula is None or (search.smaller_than is not None and size(formula) >= search.smaller_than):
            return None
        holds = holds_batch(formula, batch, search.alphabet)
        wrong = np.flatnonzero((labelled.inside & ~holds) | (labelled.outside & holds))
        if not len(wrong):
            return formula
        n_new = max(_NEW, len(observed) // _GROWTH)
        spread = wrong[np.linspace(0, len(wrong) - 1, n_new).astype(np.intp)]
        sample += [words.words[i] for i in [*wrong[:n_new].tolist(), *spread.tolist()]]
    raise TooLarge("formulas found wrong", search.max_rounds + 1, search.max_rounds, "max_rounds", False)


def _enumerated(pool: FormulaPool, labelled: Labelled) -> Formula | None:
    """Return the first formula of a pool, or negation of one, that is right at all labelled words, else None.

    The pool grows until one is found or its limit is reached.
    """
    n = len(pool.observed)
    asked = np.flatnonzero(labelled.inside | labelled.outside)
    wanted = labelled.inside[asked]
    looked_at = 0
    while True:
        right = (pool.truth()[looked_at:, n + asked] == wanted).sum(axis=1)
        hits = np.flatnonzero((right == len(asked)) | (right == 0))
        if len(hits):
            hit = int(hits[0])
            return pool.formula(2 * (looked_at + hit) + int(right[hit] < len(asked)))
        looked_at = len(pool)
        if not pool.grow() and looked_at == len(pool):
            return None


class _Decisions:
    """Formulas made of decisions, each by the formula of the pool that tells most for its cost."""

    def __init__(self, pool: FormulaPool, types: SampleTypes, depth: int) -> None:
        self.pool = pool
        self.depth = depth
        self.ends = pool.truth()[:, len(pool.observed) :].astype(np.float32)
        self.costs = pool.costs()
        self.separator = TypeSeparator(pool, types)

    def formula(self, labelled: Labelled) -> Formula:
        """Return a formula right at the labelled words; the smaller sides of decisions are decided by recursion."""
        decisions: list[tuple[Formula, Formula]] = []  # if the first holds, then the second
        inside, outside = labelled.inside, labelled.outside
        while inside.any() and outside.any():
            question, holds = self._question(inside, outside)
            if 2 * int((holds & (inside | outside)).sum()) > int((inside | outside).sum()):
                question, holds = negation(question), ~holds
            decisions.append((question, self.formula(Labelled(inside & holds, outside & holds))))
            inside, outside = inside & ~holds, outside & ~holds
        result: Formula = TRUE if inside.any() else FALSE
        for question, answer in reversed(decisions):
            if result is FALSE or answer is TRUE:
                result = any_of([all_of([question, answer]), result])
            elif result is TRUE:
                result = any_of([negation(question), answer])
            else:
                result = any_of([all_of([question, answer]), all_of([negation(question), result])])
        return result

    def _question(self, inside: NDArray[np.bool_], outside: NDArray[np.bool_]) -> tuple[Formula, NDArray[np.bool_]]:
        """Return a formula that tells some words inside from some outside, and the words it holds at."""
        counts = np.array([[inside.sum()], [outside.sum()]], dtype=np.float32)
        held = np.stack((self.ends @ inside.astype(np.float32), self.ends @ outside.astype(np.float32)))
        left = _code_length(held) + _code_length(counts - held)
        gain = _code_length(counts) - left
        value = np.where(gain > _NOTHING, gain - _BITS_PER_COST * self.costs, -np.inf)
        value[left < _NOTHING] = np.inf  # the first that tells all, if one does
        best = int(np.argmax(value))
        if value[best] > -np.inf:
            return self.pool.formula(2 * best), self.ends[best] > 0
        question = self.separator.apart(int(inside.argmax()), int(outside.argmax()), self.depth)
        alphabet = self.pool.alphabet
        return question, holds_batch(question, self.pool.observed.batch(alphabet), alphabet)


def _code_length(counts: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the bits that tell of things of two kinds, `counts` [2, n] of them, which are of the first kind."""
    total = np.maximum(counts.sum(axis=0), 1)
    lengths: NDArray[np.float32] = -(counts * np.log2(np.maximum(counts, 1) / total)).sum(axis=0)
    return lengths
