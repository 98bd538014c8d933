"""From a forbidden pattern to a pumping family."""

from __future__ import annotations

from semigroups.certificate import PumpingFamily
from semigroups.forbidden import ForbiddenPattern


def pumping_family(pattern: ForbiddenPattern) -> PumpingFamily:
    """Return the family of words that the pattern's loops give; its inside words pass state p last, its outside words q.

    >>> from automata import DFA, Alphabet
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
