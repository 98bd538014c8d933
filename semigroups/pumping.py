"""From a forbidden pattern to a pumping family."""

from __future__ import annotations

from semigroups.certificate import PumpingFamily
from semigroups.forbidden import ForbiddenPattern


def pumping_family(pattern: ForbiddenPattern) -> PumpingFamily:
    """Return the family that the pattern's words make: inside words read `separating` from p, outside words from q.

    >>> from automata.alphabet import Alphabet
    >>> from automata.dfa import DFA
    >>> from ltl.fragment import LTL_P
    >>> from semigroups.forbidden import forbidden_pattern
    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> pumping_family(forbidden_pattern(ends_with_a, LTL_P)).pair(2)
    ('ababa', 'ababab')
    """
    return PumpingFamily(
        pattern.fragment,
        pattern.alphabet,
        access=pattern.access_p,
        separating=pattern.separating,
        other_access=None if pattern.fragment.past else pattern.access_q,
        loop=pattern.loop,
        there=pattern.there,
        back=pattern.back,
    )
