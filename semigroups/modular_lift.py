"""The residue of a position as a part of its letter: modular predicates reduced to fragments without them.

Let m be a modulus. Annotate the letter a at position n of a word with the residue j of n modulo m, so that words
over letters become words over pairs (a, j). A formula whose moduli divide m is, judged at annotated letters, a formula
without MOD over pairs, of the same operators and depth; the other way round, (a, j) is `a & MOD(j,m)`. So a language is
defined with moduli that divide m iff some language of pairs, of the fragment without MOD, agrees with it on all
annotated words (and one for each residue of the end position, where MOD looks too). What it says of words of pairs
whose residues do not go up by one from 1 is free; the choice made here keeps the lifted automaton in the fragment.

A lifted state (q, i) is a state q reached by words of length i modulo d, where d divides m: m itself for LTL[Y,MOD],
and the period of the component of q otherwise. Read in (q, i), a pair (a, j) fits if j = i + 1 modulo d, and leads to
(q.a, j modulo its d). A pair that does not fit acts as if the state were another one, the stand-in for length j - 1:

- with P, the first state r of the component of q that has length j - 1 when q has length i, by its cyclic class. Then
  (q, i) and (r, j - 1) lie in one block: same component, same class less length, modulo the period.
- for LTL[Y,MOD], the first state r that words of length j - 1 modulo m reach.

LTL[P,MOD]: where each cyclic class has one state, a pair acts alike in all states of a block, so that a block is made
one state, which a pair leaves or not: the lifted automaton is partially ordered, and a block says together with the
residue of the end which state the run is in.

LTL[P,Y,MOD] and LTL[Y,MOD]: suppose two distinct lifted states lie together on a cycle of the pair graph, within one
block if there is P. Both have read the same pair (a, j) last, so both have length j, modulo m or, being in one block,
modulo one period, and then are of one cyclic class. The next pair on the cycle fits both or neither; if neither, both
act as the same stand-in and fall together. So all pairs fit, and their letters make a word that fixes two states
p != q, with P of one cyclic class, without P both reached by words of length j modulo m. If all periods divide m, the
latter, being on cycles, are then reached by words of one length. This is what `modular_pattern` forbids, so that the
pair graph is acyclic where it finds nothing, and `BlockFormulas` gives a formula.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge
from automata.minimize import number_by_appearance, row_keys
from ltl.fragment import LTL_P_MOD, LTL_Y_MOD, Fragment
from semigroups.cyclic_classes import CyclicClasses

MAX_CELLS = 5_000_000
"""Lifted states times letters times residues that a synthesis may look at unless the caller says otherwise."""


class Lift:
    """The lifted automaton of a minimal one, for one of the three modular fragments and a modulus.

    Pairs (a, j) that act alike in all states are one letter of `dfa`: `pairs[x, a, j]` tells whether (a, j) is in
    letter x, bool[letters, k, m]. `blocks`, int32[n], are the blocks along which no run returns. `accept[q, j]` tells
    whether the lifted state q, or what it acts as, accepts where the end position is j modulo m, bool[n, m]. What `dfa`
    accepts says the same of annotated words without asking for j, except for LTL[P,MOD].

    `classes` are those of the automaton, or coarser ones; except for LTL[Y,MOD] all periods must divide the modulus.
    Raise `TooLarge` beyond `max_cells` lifted states times letters times residues.
    """

    def __init__(self, dfa: DFA, fragment: Fragment, classes: CyclicClasses, modulus: int, max_cells: int) -> None:
        n, k = dfa.delta.shape
        period = np.full(n, modulus, dtype=np.int64) if fragment == LTL_Y_MOD else classes.period.astype(np.int64)
        state, length = _reachable(dfa, period, max_cells // (k * modulus), k * modulus, max_cells)
        before = (np.arange(modulus) - 1) % modulus  # length of what stands before a position of each residue
        fits = (before - length[:, None]) % period[state][:, None] == 0
        if fragment == LTL_Y_MOD:
            stand_in = state[np.unique(length, return_index=True)[1]][before][None, :]
            blocks = np.zeros(len(state), dtype=np.int32)
        else:
            of_class = np.full((int(classes.component.max()) + 1, int(period.max())), n, dtype=np.intp)
            np.minimum.at(of_class, (classes.component, classes.number), np.arange(n))
            shift = (classes.number[state] - length) % period[state]
            wanted = (before + shift[:, None]) % period[state][:, None]
            stand_in = of_class[classes.component[state][:, None], wanted]
            blocks = number_by_appearance(classes.component[state] * period.max() + shift)[0]
        acting = np.where(fits, state[:, None], stand_in)
        # Successors by their places in the list of lifted states.
        ids = state * modulus + length
        order = np.argsort(ids)
        targets = dfa.delta[acting].transpose(0, 2, 1)
        reached = targets * np.int64(modulus) + np.arange(modulus) % period[targets]
        table = order[np.searchsorted(ids[order], reached)].astype(np.int32)
        if fragment == LTL_P_MOD:  # all states of a block act alike
            members = np.unique(blocks, return_index=True)[1]
            state, acting, table = state[members], acting[members], blocks[table[members]]
            blocks = np.arange(len(members), dtype=np.int32)
        letter, first = number_by_appearance(row_keys(table.reshape(len(table), k * modulus), k * modulus, len(table)))
        self.pairs: NDArray[np.bool_] = (letter == np.arange(len(first))[:, None]).reshape(-1, k, modulus)
        self.blocks: NDArray[np.int32] = blocks
        self.accept: NDArray[np.bool_] = dfa.accept[acting]
        names = Alphabet(tuple(str(x) for x in range(len(first))))
        self.dfa = DFA(names, table.reshape(len(table), k * modulus)[:, first], 0, dfa.accept[state])


def _reachable(
    dfa: DFA, period: NDArray[np.int64], most: int, width: int, max_cells: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the lifted states that pairs which fit lead to, the start first: states int64[n] and lengths int64[n].

    A state that does not fit acts as one of these, so no other is reached.
    """
    rows, periods = dfa.delta.tolist(), period.tolist()
    found = {(dfa.start, 0): None}
    queue = [(dfa.start, 0)]
    for q, i in queue:  # the list grows while it is read
        for target in rows[q]:
            common = math.gcd(periods[q], periods[target])
            for j in range((i + 1) % common, periods[target], common):
                if (target, j) not in found:
                    found[target, j] = None
                    queue.append((target, j))
        if len(queue) > most:
            cells = len(queue) * width
            raise TooLarge("lifted states times letters times residues", cells, max_cells, "max_cells", False)
    states, lengths = np.array(queue, dtype=np.int64).T
    return states, lengths
