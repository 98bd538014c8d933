"""Verdicts on fragments with modular predicates: LTL[P,MOD], LTL[Y,MOD] and LTL[P,Y,MOD]."""

from __future__ import annotations

from automata.dfa import DFA
from automata.errors import TooLarge
from ltl.fragment import Fragment
from semigroups.certificate import Definition
from semigroups.modular_lift import MAX_CELLS
from semigroups.modular_pattern import admits_modular, modular_family
from semigroups.modular_synthesis import synthesize_modular
from semigroups.pairs import MAX_PAIRS
from semigroups.synthesize import MAX_CASES
from semigroups.verdict import Verdict


def decide_modular(
    minimal: DFA,
    fragment: Fragment,
    *,
    certify: bool = True,
    max_pairs: int = MAX_PAIRS,
    max_cases: int = MAX_CASES,
    max_cells: int = MAX_CELLS,
) -> Verdict:
    """Decide whether LTL[P,MOD], LTL[Y,MOD] or LTL[P,Y,MOD] defines the language of a minimal automaton.

    The decision is exact (`modular_pattern`). With `certify` the verdict carries its certificate: a `Definition` for a
    yes, a `ModularFamily` for a no. A limit reached gives a verdict that says so: `max_pairs` pairs of states, or of a
    state and a length; `max_cases` and `max_cells` as in `synthesize_modular`. Raise `ToolkitError` for another
    fragment.

    >>> from automata.alphabet import Alphabet
    >>> from ltl.fragment import LTL_P_MOD
    >>> ab = Alphabet.of("ab")
    >>> decide_modular(DFA(ab, [[1, 1], [0, 0]], 0, [True, False]), LTL_P_MOD).certificate.formula
    parse_formula('MOD(1,2)')
    >>> decide_modular(DFA(ab, [[0, 1], [1, 0]], 0, [False, True]), LTL_P_MOD).certificate.pair(1)
    ('bbb', 'bbbb')
    """
    try:
        holds = admits_modular(minimal, fragment, max_pairs)
    except TooLarge as error:
        return Verdict(fragment, None, bound=str(error))
    if not certify:
        return Verdict(fragment, holds)
    try:
        if holds:
            return Verdict(
                fragment, True, Definition(fragment, synthesize_modular(minimal, fragment, max_cases, max_cells))
            )
        return Verdict(fragment, False, modular_family(minimal, fragment, max_pairs))
    except TooLarge as error:
        return Verdict(fragment, holds, bound=str(error))
