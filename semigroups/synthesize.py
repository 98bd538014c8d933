"""From an automaton in a fragment to a formula of the fragment."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

import numpy as np

from automata.dfa import DFA
from automata.errors import NotDefinable, TooLarge
from automata.graph import strong_components
from ltl.formula import Formula, depth, size
from ltl.fragment import LTL_P, LTL_Y, Fragment
from ltl.rewrite import simplify
from semigroups.blocks import BlockFormulas
from semigroups.forbidden import admits, forbidden_pattern
from semigroups.pumping import pumping_family

MAX_CASES = 100_000
"""Suffixes, up to what they tell, that a synthesis may look at unless the caller says otherwise."""

_MOST_SIMPLIFIED = 2_500  # subformulas: larger formulas take seconds to simplify


def define(dfa: DFA, fragment: Fragment, max_cases: int = MAX_CASES) -> Formula:
    """Return a formula of LTL[P], LTL[Y] or LTL[P,Y] that defines the language of a minimal automaton.

    Raise `NotDefinable`, with a `PumpingFamily` as certificate, when no formula of the fragment defines the language;
    `TooLarge` when the construction looks at more than `max_cases` suffixes, for the formula may be exponentially
    larger than the automaton; `ToolkitError` for another fragment.

    >>> from automata.alphabet import Alphabet
    >>> ab = Alphabet.of("ab")
    >>> define(DFA(ab, [[1, 0], [1, 0]], 0, [False, True]), LTL_Y)
    parse_formula('Y a')
    >>> define(DFA(ab, [[1, 2], [1, 1], [2, 2]], 0, [False, True, False]), LTL_P)
    parse_formula('P (a & first)')
    """
    pattern = forbidden_pattern(dfa, fragment)
    if pattern is not None:
        problem = f"no formula of {fragment.name} defines this language; the certificate is a pumping family"
        raise NotDefinable(problem, pumping_family(pattern))
    return synthesize(dfa, fragment, max_cases)


def synthesize(dfa: DFA, fragment: Fragment, max_cases: int = MAX_CASES) -> Formula:
    """Return what `define` does, for a minimal automaton already known to be in the fragment.

    One construction, `BlockFormulas`, serves all three. Its blocks are the single states for LTL[P], all states
    together for LTL[Y] (the suffix tree of a definite language) and the strongly connected components for LTL[P,Y].
    For LTL[P,Y] all that apply are tried and the smallest formula is returned, among equals that of least depth.
    Formulas of up to 2,500 subformulas are simplified.
    """
    singles = np.arange(dfa.n_states, dtype=np.int32)
    whole = np.zeros(dfa.n_states, dtype=np.int32)
    if fragment == LTL_P:
        return _simplified(BlockFormulas(dfa, singles, False, max_cases).language())
    if fragment == LTL_Y:
        return _simplified(BlockFormulas(dfa, whole, True, max_cases).language())
    formulas = [_simplified(BlockFormulas(dfa, strong_components(dfa.delta), True, max_cases).language())]
    for smaller, blocks, with_yesterday in ((LTL_P, singles, False), (LTL_Y, whole, True)):
        if admits(dfa, smaller):
            with suppress(TooLarge):  # a formula there is already
                formulas.append(_simplified(BlockFormulas(dfa, blocks, with_yesterday, max_cases).language()))
    return min(formulas, key=lambda f: (size(f), depth(f)))


@lru_cache(maxsize=8)
def _simplified(f: Formula) -> Formula:
    """Return the formula simplified; that of LTL[P] or LTL[Y] is asked for again as one for LTL[P,Y]."""
    return simplify(f) if size(f) <= _MOST_SIMPLIFIED else f
