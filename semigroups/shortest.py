"""Shortest pumping families: of all forbidden patterns of a small automaton the one whose first words are shortest."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Word
from automata.dfa import DFA
from automata.graph import breadth_first, strong_components
from ltl.fragment import Fragment
from semigroups.certificate import PumpingFamily
from semigroups.forbidden import forbidden_pattern
from semigroups.pairs import MAX_PAIRS
from semigroups.pumping import pumping_family

MAX_SEARCHED = 64
"""States up to which the shortest family is looked for unless the caller says otherwise."""

_FAR = 1 << 40  # the distance where no word leads


def shortest_family(
    dfa: DFA, fragment: Fragment, max_searched: int = MAX_SEARCHED, max_pairs: int = MAX_PAIRS
) -> PumpingFamily | None:
    """Return the shortest pumping family of a minimal automaton for LTL[P], LTL[Y] or LTL[P,Y]; None if it admits it.

    A family is shorter than another if the two words of its first pair have fewer letters together; among equals the
    word inside is the first by length, then in alphabet order, then so is the word outside. With more than
    `max_searched` states the family is the one that `forbidden_pattern` makes. Raise what that raises.

    With n states and k letters it takes O(n^2 k) steps for each pair of states whose other words leave hope for it.

    >>> from automata.alphabet import Alphabet
    >>> from ltl.fragment import LTL_P
    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> shortest_family(ends_with_a, LTL_P).pair(1)
    ('aba', 'abab')
    """
    pattern = forbidden_pattern(dfa, fragment, max_pairs)
    if pattern is None:
        return None
    family = pumping_family(pattern)
    if dfa.n_states > max_searched:
        return family
    best, best_key = family, _key(family)
    for p, q, bound in _candidates(dfa, fragment):
        if bound > best_key[0]:
            break
        found = _family(dfa, fragment, p, q, best_key[0] - bound)
        if found is not None and (key := _key(found)) < best_key:
            best, best_key = found, key
    return best


def _key(family: PumpingFamily) -> tuple[int, int, list[int], list[int]]:
    """Return what families are compared by: letters of the first pair, then its words."""
    inside, outside = family.pair(1)
    encode: Callable[[Word], NDArray[np.int32]] = family.alphabet.encode
    return len(inside) + len(outside), len(inside), encode(inside).tolist(), encode(outside).tolist()


def _weights(fragment: Fragment) -> tuple[int, int, int, int, int, int]:
    """Return how often the first pair repeats access, the other access, there, back, separating and loop words."""
    if not fragment.past:
        return 1, 1, 0, 0, 2, 2
    return 2, 0, 3, 2, 2, 7 if fragment.window == 1 else 0


def _candidates(dfa: DFA, fragment: Fragment) -> list[tuple[int, int, int]]:
    """Return pairs p != q that some word tells apart in this order, each with the letters its first pair has at least.

    For a fragment with P they share a component. Loops count as one letter. In the order of these bounds.
    """
    n = dfa.n_states
    access = np.array([_distance(codes) for codes in _words_from(dfa, dfa.start)])
    separating = _separations(dfa)
    first, second, there, back, after, loop = _weights(fragment)
    bound = first * access[:, None] + second * access[None, :] + after * separating + loop
    possible = separating < _FAR
    if fragment.past:
        between = np.array([[_distance(codes) for codes in _words_from(dfa, p)] for p in range(n)])
        bound = bound + there * between + back * between.T
        components = strong_components(dfa.delta)
        possible &= components[:, None] == components
    p, q = np.nonzero(possible)
    order = np.argsort(bound[p, q], kind="stable")
    return [(int(p[i]), int(q[i]), int(bound[p[i], q[i]])) for i in order]


def _words_from(dfa: DFA, source: int) -> list[list[int] | None]:
    """Return the least word from the source to each state."""
    tree = breadth_first(dfa.delta, source)
    return [tree.codes_to(target) for target in range(dfa.n_states)]


def _distance(codes: list[int] | None) -> int:
    return _FAR if codes is None else len(codes)


def _separations(dfa: DFA) -> NDArray[np.int64]:
    """Return for all p, q the length of the shortest word z with p.z accepting and q.z not, int64[n, n]."""
    lengths = np.where(dfa.accept[:, None] & ~dfa.accept[None, :], 0, _FAR).astype(np.int64)
    while True:
        before = lengths
        for column in dfa.delta.T:
            lengths = np.minimum(lengths, before[np.ix_(column, column)] + 1)
        if np.array_equal(lengths, before):
            return lengths


def _family(dfa: DFA, fragment: Fragment, p: int, q: int, spare: int) -> PumpingFamily | None:
    """Return the family of p and q made of least words; None if they have no common loop of the fragment or too long.

    `spare` is how many letters all loops together may have beyond one each.
    """
    loop: list[int] | None = None
    repeated = _weights(fragment)[-1]
    if repeated:
        loop = _least_to(dfa, p, q, lambda s, t: (s, t) == (p, q), least=1, most=1 + spare // repeated)
        if loop is None:
            return None
    separating = _least_to(dfa, p, q, lambda s, t: bool(dfa.accept[s] and not dfa.accept[t]), least=0, most=_FAR)
    access = breadth_first(dfa.delta, dfa.start)

    def word(codes: list[int] | None) -> Word:
        return dfa.alphabet.decode(codes or [])

    return PumpingFamily(
        fragment,
        dfa.alphabet,
        access=word(access.codes_to(p)),
        separating=word(separating),
        other_access=None if fragment.past else word(access.codes_to(q)),
        loop=None if loop is None else word(loop),
        there=word(breadth_first(dfa.delta, p).codes_to(q)) if fragment.past else None,
        back=word(breadth_first(dfa.delta, q).codes_to(p)) if fragment.past else None,
    )


def _least_to(dfa: DFA, p: int, q: int, is_goal: Callable[[int, int], bool], least: int, most: int) -> list[int] | None:
    """Return the least word of `least` (0 or 1) to `most` letters that leads p and q to a pair of states wanted."""
    if least == 0 and is_goal(p, q):
        return []
    rows = dfa.delta.tolist()
    queue: deque[tuple[int, int, list[int]]] = deque([(p, q, [])])
    seen: set[tuple[int, int]] = set()
    while queue:
        s, t, codes = queue.popleft()
        if len(codes) >= most:
            return None
        for code, pair in enumerate(zip(rows[s], rows[t], strict=True)):
            if is_goal(*pair):
                return [*codes, code]
            if pair[0] != pair[1] and pair not in seen:
                seen.add(pair)
                queue.append((*pair, [*codes, code]))
    return None
