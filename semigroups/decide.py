"""A language against one fragment of temporal logic: the verdict, with its certificate."""

from __future__ import annotations

from automata.dfa import DFA
from automata.errors import TooLarge
from automata.minimize import minimize
from ltl.fragment import Fragment
from ltl.rewrite import simplify
from semigroups.certificate import Definition
from semigroups.forbidden import admits
from semigroups.modular import decide_modular
from semigroups.pairs import MAX_PAIRS
from semigroups.shortest import shortest_family
from semigroups.synthesize import MAX_CASES, synthesize
from semigroups.verdict import Verdict
from semigroups.window import decide_window


def decide(
    dfa: DFA,
    fragment: Fragment,
    *,
    certify: bool = True,
    max_pairs: int = MAX_PAIRS,
    max_cases: int = MAX_CASES,
) -> Verdict:
    """Decide whether a fragment defines the language of an automaton, minimal or not.

    The fragments are LTL[P], LTL[Y<=k], LTL[P,Y<=k] for all k >= 1, and LTL[P,MOD], LTL[Y,MOD], LTL[P,Y,MOD]; raise
    `ToolkitError` for another. With `certify` the verdict carries its certificate, whose `check` tests it without this
    code. A limit reached gives a verdict that says so: `max_pairs` pairs of states looked at by the decision,
    `max_cases` suffixes by the synthesis of the formula.

    >>> from automata.alphabet import Alphabet
    >>> from ltl.fragment import LTL_P, LTL_Y
    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> decide(ends_with_a, LTL_Y).holds, decide(ends_with_a, LTL_P).certificate.pair(1)
    (True, ('aba', 'abab'))
    """
    minimal = minimize(dfa)
    if fragment.modular and not fragment.since:
        verdict = decide_modular(minimal, fragment, certify=certify, max_pairs=max_pairs, max_cases=max_cases)
    elif fragment.window is not None and fragment.window > 1:
        verdict = decide_window(minimal, fragment, certify=certify, max_pairs=max_pairs, max_cases=max_cases)
    else:
        return _decide_plain(minimal, fragment, certify, max_pairs, max_cases)
    if isinstance(verdict.certificate, Definition):
        simpler = Definition(fragment, simplify(verdict.certificate.formula))
        return Verdict(fragment, verdict.holds, simpler, verdict.bound)
    return verdict


def _decide_plain(minimal: DFA, fragment: Fragment, certify: bool, max_pairs: int, max_cases: int) -> Verdict:
    """Decide LTL[P], LTL[Y] or LTL[P,Y]."""
    try:
        if not certify:
            return Verdict(fragment, admits(minimal, fragment, max_pairs))
        family = shortest_family(minimal, fragment, max_pairs=max_pairs)
    except TooLarge as error:
        return Verdict(fragment, None, bound=str(error))
    if family is not None:
        return Verdict(fragment, False, family)
    try:
        return Verdict(fragment, True, Definition(fragment, synthesize(minimal, fragment, max_cases)))
    except TooLarge as error:
        return Verdict(fragment, True, bound=str(error))
