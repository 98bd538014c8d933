"""Verdicts on windows of k >= 2 positions: LTL[Y<=k] and LTL[P,Y<=k]."""

from __future__ import annotations

from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError
from ltl.formula import Formula
from ltl.fragment import LTL_P, LTL_PY, LTL_Y, Fragment
from semigroups.certificate import Definition
from semigroups.forbidden import ForbiddenPattern, admits, forbidden_pattern
from semigroups.pairs import MAX_PAIRS
from semigroups.synthesize import MAX_CASES, synthesize
from semigroups.verdict import Verdict
from semigroups.window_family import WindowFamily
from semigroups.window_pattern import MAX_RECENCIES, find_window_family


def decide_window(
    minimal: DFA,
    fragment: Fragment,
    *,
    certify: bool = True,
    max_pairs: int = MAX_PAIRS,
    max_cases: int = MAX_CASES,
    max_recencies: int = MAX_RECENCIES,
) -> Verdict:
    """Decide whether LTL[Y<=k] or LTL[P,Y<=k], k >= 2, defines the language of a minimal automaton.

    The fragment lies within LTL[Y] or LTL[P,Y], so a language outside that is outside, by the same loops; otherwise
    `find_window_family` finds a family iff the fragment does not define the language (docs/windows.md proves it). With
    `certify` a yes carries a formula: one of LTL[P] if that fragment defines the language, else what
    `synthesize_window` finds.

    Limits: `max_pairs` pairs of states for LTL[P,Y], `max_recencies` pairs of recencies and states for the family,
    `max_cases` suffixes for a formula of LTL[P]. Where the search for a family is stopped, a formula found still gives
    a yes; otherwise `holds` is None. `bound` names all limits reached, also for a yes without a formula. Raise
    `ToolkitError` for another fragment.

    >>> from automata.alphabet import Alphabet
    >>> no_factor_bb = DFA(Alphabet.of("ab"), [[0, 1], [0, 2], [2, 2]], 0, [True, True, False])
    >>> [decide_window(no_factor_bb, Fragment(True, k), certify=False).holds for k in (2, 3)]
    [True, False]
    """
    if fragment.window is None or fragment.window < 2 or fragment != Fragment(fragment.past, fragment.window):
        raise ToolkitError(f"window verdicts are for LTL[Y<=k] and LTL[P,Y<=k] with k >= 2, not for {fragment.name}")
    is_searched = True
    stopped: list[str] = []
    found: WindowFamily | None = None
    try:
        pattern = forbidden_pattern(minimal, LTL_PY if fragment.past else LTL_Y, max_pairs)
        if pattern is not None:
            found = _inherited(pattern, fragment)
        elif not (fragment.past and admits(minimal, LTL_P)):
            found = find_window_family(minimal, fragment, max_recencies)
    except TooLarge as error:
        is_searched = False
        stopped.append(str(error))
    if found is not None:
        return Verdict(fragment, False, found if certify else None)
    if not (certify or stopped):
        return Verdict(fragment, True)
    formula = None
    try:
        formula = _formula(minimal, fragment, max_cases)
        if formula is None:
            stopped.append(f"no formula of {fragment.name} was found within the limits of the synthesis")
    except TooLarge as error:
        stopped.append(str(error))
    if formula is not None:
        return Verdict(fragment, True, Definition(fragment, formula) if certify else None)
    return Verdict(fragment, True if is_searched else None, bound="; ".join(stopped))


def _formula(minimal: DFA, fragment: Fragment, max_cases: int) -> Formula | None:
    """Return a formula of the fragment for the language; None if the synthesis finds none."""
    from semigroups.window_synthesis import synthesize_window

    if fragment.past and admits(minimal, LTL_P):
        return synthesize(minimal, LTL_P, max_cases)
    return synthesize_window(minimal, fragment)


def _inherited(pattern: ForbiddenPattern, fragment: Fragment) -> WindowFamily:
    """Return the family of a window of one position, which is one of every window: both histories are the same."""
    loop, empty = pattern.loop, pattern.alphabet.decode([])
    if loop is None:
        raise ToolkitError(f"the forbidden pattern of {pattern.fragment.name} has no loop")
    return WindowFamily(
        fragment,
        pattern.alphabet,
        pattern.access_p,
        loop,
        empty,
        loop,
        empty,
        pattern.separating,
        other_access=None if fragment.past else pattern.access_q,
        there=pattern.there,
        back=pattern.back,
    )
