"""Forbidden patterns for modular predicates: membership in LTL[P,MOD], LTL[Y,MOD] and LTL[P,Y,MOD].

A regular language is outside the fragment iff its minimal automaton has two states p != q such that

- LTL[P,MOD]: p and q are in one cyclic class of one strongly connected component (see `cyclic_classes`);
- LTL[P,Y,MOD]: they are so, and one non-empty word fixes both;
- LTL[Y,MOD]: one non-empty word fixes both, and words of equal length lead the start to p and to q.

If there is such a pair, `ModularFamily` shows that no formula defines the language; if there is none, `modular_lift`
gives a formula. No semigroup is built. The first is the class of languages whose stable monoid is R-trivial, the second
that of a locally R-trivial stable semigroup, the third that of a definite one (the tests compare).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from automata.dfa import DFA
from automata.equivalence import separating_word
from automata.errors import TooLarge, ToolkitError
from automata.graph import breadth_first, word_to
from ltl.fragment import LTL_P_MOD, LTL_PY, LTL_PY_MOD, LTL_Y, LTL_Y_MOD, Fragment
from semigroups.cyclic_classes import CyclicClasses, cyclic_classes
from semigroups.definite import merge_equal_rows
from semigroups.forbidden import admits
from semigroups.loops import least_common_loop, walk_to_common_loop
from semigroups.modular_family import ModularFamily
from semigroups.pairs import MAX_PAIRS, cyclic_pairs

_TRIED_STATES = 200  # of those that a short word fixes


def admits_modular(dfa: DFA, fragment: Fragment, max_pairs: int = MAX_PAIRS) -> bool:
    """True iff a formula of LTL[P,MOD], LTL[Y,MOD] or LTL[P,Y,MOD] defines the language of a minimal automaton.

    LTL[P,MOD] takes linear time. The others look at pairs of states, of one cyclic class or of all; `TooLarge` is
    raised beyond `max_pairs`. Where all periods are 1, MOD adds nothing, and the fragment without it is decided. Raise
    `ToolkitError` for another fragment.

    >>> from automata.alphabet import Alphabet
    >>> even_length = DFA(Alphabet.of("ab"), [[1, 1], [0, 0]], 0, [True, False])
    >>> odd_number_of_b = DFA(Alphabet.of("ab"), [[0, 1], [1, 0]], 0, [False, True])
    >>> admits_modular(even_length, LTL_P_MOD), admits_modular(odd_number_of_b, LTL_PY_MOD)
    (True, False)
    """
    require_modular(fragment)
    classes = cyclic_classes(dfa.delta)
    if fragment == LTL_P_MOD:
        return len(np.unique(classes.label)) == dfa.n_states
    if classes.modulus == 1:
        return admits(dfa, LTL_PY if fragment.past else LTL_Y, max_pairs)
    return _Quotient(dfa, fragment, classes).common_loop(max_pairs) is None


def modular_family(dfa: DFA, fragment: Fragment, max_pairs: int = MAX_PAIRS) -> ModularFamily | None:
    """Return words that show that no formula of the fragment defines the language of a minimal automaton.

    None is returned iff `admits_modular`. Raise what that raises; `TooLarge` also when the search for the words looks
    at more than `max_pairs` pairs of a state and a length.

    >>> from automata.alphabet import Alphabet
    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> modular_family(ends_with_a, LTL_P_MOD).pair(1)
    ('aba', 'abab')
    """
    require_modular(fragment)
    classes = cyclic_classes(dfa.delta)
    component = classes.component
    inner = np.where(component[dfa.delta] == component[:, None], dfa.delta, np.int32(-1))
    loop: list[int] = []
    if fragment == LTL_P_MOD:
        found = _two_of_one_class(inner, classes.label)
        if found is None:
            return None
        p, q = found
    else:
        quotient = _Quotient(dfa, fragment, classes)
        common = quotient.common_loop(max_pairs)
        if common is None:
            return None
        loop, p, q = common[0], *(quotient.settled(merged, common[0]) for merged in common[1:])
    separating = separating_word(dfa, p, q)
    if separating is None:
        raise ToolkitError(f"states {p} and {q} are equivalent; minimize the automaton first")
    if dfa.accept[dfa.run(separating, q)[-1]]:
        p, q = q, p
    word = dfa.alphabet.decode
    if fragment == LTL_Y_MOD:
        to_p, to_q = _words_of_equal_length(dfa, p, q, max_pairs)
        return ModularFamily(fragment, dfa.alphabet, word(to_p), separating, word(loop), other_access=word(to_q))
    access = word_to(dfa, dfa.start, p)
    if access is None:
        raise ToolkitError(f"state {p} is out of reach; minimize the automaton first")
    rows = inner.tolist()
    loop = loop or _least_word(rows, p, p, 1, max_pairs)
    there, back = (_least_word(rows, r, s, len(loop), max_pairs) for r, s in ((p, q), (q, p)))
    return ModularFamily(fragment, dfa.alphabet, access, separating, word(loop), there=word(there), back=word(back))


def require_modular(fragment: Fragment) -> None:
    """Raise `ToolkitError` unless the fragment is one of the three decided here."""
    if fragment not in (LTL_P_MOD, LTL_Y_MOD, LTL_PY_MOD):
        raise ToolkitError(f"modular patterns decide LTL[P,MOD], LTL[Y,MOD] and LTL[P,Y,MOD], not {fragment.name}")


def _two_of_one_class(inner: NDArray[np.int32], label: NDArray[np.int32]) -> tuple[int, int] | None:
    """Return a state that shares its cyclic class, if it may be one with a loop, and the nearest other state of it."""
    shared = np.bincount(label)[label] > 1
    if not shared.any():
        return None
    looped = shared & (inner == np.arange(len(inner))[:, None]).any(axis=1)
    p = int((looped if looped.any() else shared).argmax())
    outside = len(inner)
    graph = np.append(np.where(inner < 0, np.int32(outside), inner), np.full_like(inner[:1], outside), axis=0)
    order = breadth_first(graph, p).order
    return p, next(q for q in order[1:] if q != outside and label[q] == label[p])


class _Quotient:
    """The automaton cut into blocks, with states merged that no word fixes together.

    The blocks are the cyclic classes if the fragment has P, and transitions out of a component are dropped (-1); else
    there is one block. Two states with equal rows are on no common loop and enter the same pairs, so merging them keeps
    every cycle of the pair graph and adds none. A letter leads two states of one class to one class.
    """

    def __init__(self, dfa: DFA, fragment: Fragment, classes: CyclicClasses) -> None:
        component = classes.component
        inner, blocks = dfa.delta, np.zeros(dfa.n_states, dtype=np.int32)
        if fragment.past:
            inner, blocks = np.where(component[inner] == component[:, None], inner, np.int32(-1)), classes.label
        labels, _ = merge_equal_rows(inner)
        self.dfa = dfa
        self.classes = classes
        self.past = fragment.past
        # A state on a cycle stands for its class, if there is one. If there are several they share a component, since
        # runs from both meet for good, also those that go round the one or the other; so they share a cyclic class.
        on_cycle = (component[dfa.delta] == component[:, None]).any(axis=1)
        order = np.argsort(~on_cycle, kind="stable")
        self.first = order[np.unique(labels[order], return_index=True)[1]]
        rows = inner[self.first]
        self.table: NDArray[np.int32] = np.where(rows < 0, np.int32(-1), labels[rows])
        self.blocks: NDArray[np.int32] = blocks[self.first]

    def common_loop(self, max_pairs: int) -> tuple[list[int], int, int] | None:
        """Return (codes of a word u, P, Q), P != Q classes that u fixes and that make the pattern; None if none do."""
        if len(np.unique(self.blocks)) == len(self.table):
            return None
        codes = least_common_loop(self.table, self.blocks)
        if codes is not None:
            left, right = self._fixed_pairs(codes)
            forbidden = self._are_forbidden(left, right, max_pairs)
            if forbidden.any():
                return codes, int(left[forbidden.argmax()]), int(right[forbidden.argmax()])
        n = len(self.table)
        pairs = cyclic_pairs(self.table, self.blocks, max_pairs)
        # What follows a pair of the pattern on a cycle is one too: also what equal lengths reach.
        pairs = pairs[self._are_forbidden(*np.divmod(pairs, n), max_pairs)]
        if not len(pairs):
            return None

        def is_forbidden(p: int, q: int) -> bool:
            number = min(p, q) * n + max(p, q)
            place = int(np.searchsorted(pairs, number))
            return place < len(pairs) and int(pairs[place]) == number

        return walk_to_common_loop(self.table, divmod(int(pairs[0]), n), is_forbidden)

    def _are_forbidden(self, left: NDArray[np.int64], right: NDArray[np.int64], max_pairs: int) -> NDArray[np.bool_]:
        """Mark the pairs of classes, each pair fixed by some word, that make the pattern, bool[pairs]."""
        if self.past or not len(left):
            return np.ones(len(left), dtype=np.bool_)
        return _reached_at_once(self.dfa, self.classes, self.first[left], self.first[right], max_pairs)

    def _fixed_pairs(self, codes: list[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the pairs of the first classes of one block that a word fixes."""
        states = np.arange(len(self.table))
        images = states
        for code in codes:
            images = np.where(images < 0, -1, self.table[images, code])
        fixed = np.flatnonzero(images == states)
        blocks = self.blocks[fixed]
        fixed = fixed[np.bincount(blocks)[blocks] > 1][:_TRIED_STATES]
        left, right = (fixed[side] for side in np.triu_indices(len(fixed), 1))
        together = self.blocks[left] == self.blocks[right]
        return left[together], right[together]

    def settled(self, merged: int, codes: list[int]) -> int:
        """Return a state of a class which a word fixes, the class being fixed by it: going round, a run settles."""
        here, previous = int(self.first[merged]), -1
        while here != previous:
            previous = here
            for code in codes:
                here = int(self.dfa.delta[here, code])
        return here


def _reached_at_once(
    dfa: DFA, classes: CyclicClasses, left: NDArray[np.intp], right: NDArray[np.intp], max_pairs: int
) -> NDArray[np.bool_]:
    """Mark the pairs of states on cycles to which words of equal length lead, bool[pairs].

    A state on a cycle is reached by all great lengths that are, modulo its period, a length that reaches it. So two
    states are reached at once iff lengths that reach them are equal modulo the common divisor of their periods.
    """
    component, number = classes.component, classes.number.astype(np.int64)
    first = dict(zip(*(a.tolist() for a in np.unique(component, return_index=True)), strict=True))
    reached: dict[int, NDArray[np.bool_]] = {}
    shifts: dict[int, NDArray[np.intp]] = {}  # of a component: lengths that lead to its class 0, modulo the period
    for c in np.unique(component[np.concatenate((left, right))]).tolist():
        state = first[c]
        period = int(classes.period[state])
        if period not in reached:
            reached[period] = _lengths_reaching(dfa, period, max_pairs)
        shifts[c] = (np.flatnonzero(reached[period][state]) - number[state]) % period
    kinds, kind = np.unique(np.stack((component[left], component[right])), axis=1, return_inverse=True)
    marked = np.zeros(len(left), dtype=np.bool_)
    for i, (c, d) in enumerate(kinds.T.tolist()):
        common = math.gcd(int(classes.period[first[c]]), int(classes.period[first[d]]))
        apart = np.zeros(common, dtype=np.bool_)
        apart[(np.unique(shifts[c] % common)[:, None] - np.unique(shifts[d] % common)) % common] = True
        of_kind = kind.reshape(-1) == i
        marked[of_kind] = apart[(number[right[of_kind]] - number[left[of_kind]]) % common]
    return marked


def _lengths_reaching(dfa: DFA, modulus: int, max_pairs: int) -> NDArray[np.bool_]:
    """Tell for each state and residue whether words of such a length lead the start to the state, bool[n, modulus]."""
    n = dfa.n_states
    if n * modulus > max_pairs:
        raise TooLarge("pairs of a state and a residue", n * modulus, max_pairs, "max_pairs")
    length = np.repeat(np.arange(modulus), n)  # the pair of q and i has the number i * n + q
    table = ((length + 1) % modulus * n)[:, None] + np.tile(dfa.delta, (modulus, 1))
    reached = np.zeros(n * modulus, dtype=np.bool_)
    reached[breadth_first(table.astype(np.int32), dfa.start).order] = True
    return reached.reshape(modulus, n).T


def _words_of_equal_length(dfa: DFA, p: int, q: int, max_pairs: int) -> tuple[list[int], list[int]]:
    """Return the codes of words of one length, the least there is, that lead the start to p and to q."""
    reached = np.arange(dfa.n_states) == dfa.start
    levels = [reached]
    while not (reached[p] and reached[q]):
        if len(levels) * dfa.n_states > max_pairs:
            raise TooLarge("pairs of a state and a length", len(levels) * dfa.n_states, max_pairs, "max_pairs")
        targets = dfa.delta[reached]
        reached = np.zeros(dfa.n_states, dtype=np.bool_)
        reached[targets] = True
        levels.append(reached)

    def backwards(state: int) -> list[int]:
        codes = []
        for level in levels[-2::-1]:
            state, code = np.argwhere((dfa.delta == state) & level[:, None])[0].tolist()
            codes.append(code)
        return codes[::-1]

    return backwards(p), backwards(q)


def _least_word(rows: list[list[int]], source: int, target: int, divisor: int, max_pairs: int) -> list[int]:
    """Return the codes of a shortest non-empty word from a state to another whose length the divisor divides.

    There must be one; no word passes through where `rows` has -1.
    """
    came: dict[tuple[int, int], tuple[int, int, int]] = {}
    queue = [(source, 0)]
    for state, length in queue:  # the list grows while it is read
        if (target, 0) in came:
            break
        for code, following in enumerate(rows[state]):
            pair = (following, (length + 1) % divisor)
            if following >= 0 and pair not in came:
                came[pair] = (state, length, code)
                queue.append(pair)
                if len(came) > max_pairs:
                    raise TooLarge("pairs of a state and a length", len(came), max_pairs, "max_pairs")
    codes: list[int] = []
    pair = (target, 0)
    while not codes or pair != (source, 0):
        state, length, code = came[pair]
        codes.append(code)
        pair = (state, length)
    return codes[::-1]
