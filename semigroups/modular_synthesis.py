"""From an automaton in a modular fragment to a formula of the fragment."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge
from ltl.formula import FALSE, TRUE, And, Formula, Letter, Mod, Not, Or, Past, Top, Yesterday, depth, size, subformulas
from ltl.fragment import LTL_P, LTL_P_MOD, LTL_PY, LTL_PY_MOD, LTL_Y, LTL_Y_MOD, Fragment
from ltl.simplifying import all_of, any_of, letter_among, negation, past, yesterday
from semigroups.blocks import BlockFormulas
from semigroups.cyclic_classes import CyclicClasses, cyclic_classes
from semigroups.definite import merge_equal_rows
from semigroups.forbidden import admits
from semigroups.modular_lift import MAX_CELLS, Lift
from semigroups.modular_pattern import admits_modular
from semigroups.pairs import cyclic_pairs
from semigroups.synthesize import MAX_CASES, synthesize

PLAIN: dict[Fragment, Fragment] = {LTL_P_MOD: LTL_P, LTL_Y_MOD: LTL_Y, LTL_PY_MOD: LTL_PY}
"""The fragment without MOD of each modular one."""


def synthesize_modular(dfa: DFA, fragment: Fragment, max_cases: int = MAX_CASES, max_cells: int = MAX_CELLS) -> Formula:
    """Return a formula of LTL[P,MOD], LTL[Y,MOD] or LTL[P,Y,MOD] for a minimal automaton known to be in the fragment.

    The formula comes from a lifted automaton (`modular_lift`), or from the automaton itself where the fragment without
    MOD is enough; of several the smallest is returned, among equals that of least depth. Raise `TooLarge` when all pass
    a limit: `max_cases` for `synthesize`, `max_cells` lifted states times letters times residues.

    >>> synthesize_modular(DFA(Alphabet.of("a"), [[1], [0]], 0, [True, False]), LTL_P_MOD)
    parse_formula('MOD(1,2)')
    """
    found: list[Formula] = []
    problem: TooLarge | None = None
    for attempt in _attempts(dfa, fragment, max_cases, max_cells):
        try:
            found.append(attempt())
        except TooLarge as error:
            problem = problem or error
    if problem is not None and not found:
        raise problem
    return min(found, key=lambda f: (size(f), depth(f)))


def _attempts(dfa: DFA, fragment: Fragment, max_cases: int, max_cells: int) -> Iterator[Callable[[], Formula]]:
    """Yield the ways to find a formula of the fragment that apply."""
    classes = cyclic_classes(dfa.delta)
    if admits(dfa, PLAIN[fragment]):
        yield lambda: synthesize(dfa, PLAIN[fragment], max_cases)
    if classes.modulus == 1:
        return
    if fragment.past and admits_modular(dfa, LTL_P_MOD):
        yield lambda: _through_lift(dfa, Lift(dfa, LTL_P_MOD, classes, classes.modulus, max_cells), False, max_cases)
    if fragment.window and admits_modular(dfa, LTL_Y_MOD):
        yield lambda: _through_lift(dfa, _least_definite_lift(dfa, classes, max_cells), True, max_cases)
    if fragment.past and fragment.window:
        coarse = _coarsened(dfa, classes)
        yield lambda: _through_lift(dfa, Lift(dfa, LTL_PY_MOD, coarse, coarse.modulus, max_cells), True, max_cases)


def _least_definite_lift(dfa: DFA, classes: CyclicClasses, max_cells: int) -> Lift:
    """Return the lift for LTL[Y,MOD] by the least divisor of the modulus by which it is definite."""
    # There are at least as many lifted states as residues, so greater divisors pass the limit.
    for modulus in range(1, min(classes.modulus, math.isqrt(max_cells) + 1)):
        if classes.modulus % modulus == 0:
            lift = Lift(dfa, LTL_Y_MOD, classes, modulus, max_cells)
            if not merge_equal_rows(lift.dfa.delta)[0].any():
                return lift
    return Lift(dfa, LTL_Y_MOD, classes, classes.modulus, max_cells)


def _coarsened(dfa: DFA, classes: CyclicClasses) -> CyclicClasses:
    """Return the classes with those of a component put together where no pair of its states is on a common loop."""
    component = classes.component
    inner = np.where(component[dfa.delta] == component[:, None], dfa.delta, np.int32(-1))
    cut = np.zeros(int(component.max()) + 1, dtype=np.bool_)
    cut[component[cyclic_pairs(inner, component) // dfa.n_states]] = True
    period = np.where(cut[component], classes.period, np.int32(1))
    return replace(classes, period=period, number=classes.number % period)


def _through_lift(dfa: DFA, lift: Lift, with_yesterday: bool, max_cases: int) -> Formula:
    """Return the formula of the automaton from those of its lifted automaton."""

    def ends_among(states: NDArray[np.bool_]) -> Formula:
        lifted = DFA(lift.dfa.alphabet, lift.dfa.delta, lift.dfa.start, states)
        return _without_pairs(BlockFormulas(lifted, lift.blocks, with_yesterday, max_cases).language(), dfa, lift)

    def language(accept: NDArray[np.bool_]) -> Formula:
        return any_of(
            all_of([_residue_among(residues), ends_among((accept == residues).all(axis=1))])
            for residues in np.unique(accept, axis=0)
            if residues.any()
        )

    found = [language(lift.accept), negation(language(~lift.accept))]
    if with_yesterday:
        found.append(ends_among(lift.dfa.accept))
    return min(found, key=lambda f: (size(f), depth(f)))


def _without_pairs(formula: Formula, dfa: DFA, lift: Lift) -> Formula:
    """Return a formula over letters for one over pairs: true of a word iff that is true of the annotated word.

    What is said of a position alone is a set of pairs (a, j), bool[k, m], until a temporal operator is put on it or it
    is joined with what is not; then the set is written down.
    """
    sets: dict[Formula, NDArray[np.bool_]] = {}
    written: dict[Formula, Formula] = {}

    def write(f: Formula) -> Formula:
        if f not in written:
            written[f] = _pair_among(sets[f], dfa.alphabet)
        return written[f]

    for f in subformulas(formula):
        alone = all(g in sets for g in f.operands)
        match f:
            case Top():
                sets[f] = np.ones(lift.pairs.shape[1:], dtype=np.bool_)
            case Letter(letter):
                sets[f] = lift.pairs[lift.dfa.alphabet.index[letter]]
            case Not(g) if alone:
                sets[f] = ~sets[g]
            case And(g, h) if alone:
                sets[f] = sets[g] & sets[h]
            case Or(g, h) if alone:
                sets[f] = sets[g] | sets[h]
            case Not(g):
                written[f] = negation(write(g))
            case And(g, h):
                written[f] = all_of([write(g), write(h)])
            case Or(g, h):
                written[f] = any_of([write(g), write(h)])
            case Past(g):
                written[f] = past(write(g))
            case Yesterday(g):
                written[f] = yesterday(write(g))
    return write(formula)


def _pair_among(pairs: NDArray[np.bool_], alphabet: Alphabet) -> Formula:
    """Return a small formula that holds where a letter stands iff (letter, residue of the place) is among the pairs."""

    def write(rows: NDArray[np.bool_]) -> Formula:
        return any_of(
            all_of(
                [
                    letter_among(np.flatnonzero((rows == residues).all(axis=1)).tolist(), alphabet),
                    _residue_among(residues),
                ]
            )
            for residues in np.unique(rows, axis=0)
            if residues.any()
        )

    return min(write(pairs), negation(write(~pairs)), key=size)


def _residue_among(residues: NDArray[np.bool_]) -> Formula:
    """Return a small formula that holds at the places n with residues[n modulo m], bool[m]."""
    m = len(residues)
    modulus = next(d for d in range(1, m + 1) if m % d == 0 and (residues == np.resize(residues[:d], m)).all())
    inside = [Mod(r, modulus) for r in range(modulus) if residues[r]]
    outside = [Mod(r, modulus) for r in range(modulus) if not residues[r]]
    if not outside:
        return TRUE
    if not inside:
        return FALSE
    return any_of(inside) if len(inside) <= len(outside) else negation(any_of(outside))
