"""From a formula to the minimal automaton of its language."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import BYTES_PER_STATE, MAX_STATES, TooLarge
from automata.minimize import minimize
from ltl.formula import And, Formula, Letter, Mod, Not, Or, Past, Since, Top, Yesterday, check_letters, subformulas
from ltl.stepwise import stepwise_dfa

_AT_ONCE = 10_000  # states up to which all is remembered together
_BLOCK = 1 << 22  # truth values computed side by side


def formula_to_dfa(formula: Formula, alphabet: Alphabet, max_states: int = MAX_STATES) -> DFA:
    """Return the minimal automaton of the words that satisfy the formula (it holds at their end positions).

    All that the temporal subformulas remember is built at once while it takes no more than some thousand states, and
    one subformula at a time, each step minimised, where it takes more (`stepwise`). Raise `UnknownLetter`, and
    `TooLarge` when a step takes more than `max_states` states.

    >>> from ltl.syntax import parse_formula
    >>> formula_to_dfa(parse_formula("Y a"), Alphabet.of("ab"))
    DFA(Alphabet(letters=('a', 'b')), [[1, 0], [1, 0]], start=0, accepting=[1])
    """
    try:
        return dfa_at_once(formula, alphabet, min(max_states, _AT_ONCE))
    except TooLarge:
        return stepwise_dfa(formula, alphabet, max_states)


def dfa_at_once(formula: Formula, alphabet: Alphabet, max_states: int) -> DFA:
    """Return what `formula_to_dfa` does, from all that the temporal subformulas remember together.

    A state is what the temporal subformulas remember of the word read so far: one bit for `P f` and `f S g`, and for
    `Y<=k f` for how many more positions it will hold, 0 to k; for all `MOD(r,m)` together, the length of the word
    modulo the least common multiple of the m. Only states that some word reaches are built.

    Raise `UnknownLetter`, and `TooLarge` when more than `max_states` states are reached before minimisation, or states
    that remember so much that they take more than 1,024 bytes for each of these.
    """
    order = subformulas(formula)
    check_letters(order, alphabet)
    n_letters = len(alphabet)
    circuit = _Circuit(order, alphabet, _period(order, max_states) if n_letters else 1)
    start = bytes(circuit.state_bytes)
    number = {start: 0}  # the memory of each state, in order of discovery
    states = [start]
    delta: list[NDArray[np.int32]] = []
    accept: list[NDArray[np.bool_]] = []
    most = min(max_states, BYTES_PER_STATE * max_states // max(circuit.state_bytes, 1))
    step = max(1, _BLOCK // ((len(order) + 2) * (n_letters + 1)))
    expanded = 0
    while expanded < len(states):
        block = states[expanded : expanded + step]
        expanded += len(block)
        accepting, successors = circuit.advance(b"".join(block))
        targets = []
        for state in successors:
            target = number.setdefault(state, len(states))
            targets.append(target)
            if target == len(states):
                states.append(state)
                if len(states) > max_states:
                    raise TooLarge("states of the formula's automaton", len(states), max_states)
                if len(states) > most:
                    taken, limit = len(states) * circuit.state_bytes, BYTES_PER_STATE * max_states
                    raise TooLarge("bytes that the states of the formula's automaton take", taken, limit)
        delta.append(np.array(targets, dtype=np.int32).reshape(len(block), n_letters))
        accept.append(accepting)
    return minimize(DFA(alphabet, np.concatenate(delta), 0, np.concatenate(accept)))


class _Circuit:
    """The formula as a circuit that reads one letter in many states at once.

    The values of temporal and modular subformulas are read off the state; the Boolean ones are computed rank by rank,
    all those of a rank together; then the state is brought forward.
    """

    def __init__(self, order: Sequence[Formula], alphabet: Alphabet, period: int) -> None:
        row = {f: i for i, f in enumerate(order)}
        true, false = len(order), len(order) + 1  # two rows of constants
        self.n_rows = len(order) + 2
        self.n_codes = len(alphabet) + 1  # the last code is the end position
        self.constants = [true, *(row[f] for f in order if isinstance(f, Top))]
        self.letters = [(row[f], alphabet.index[f.letter]) for f in order if isinstance(f, Letter)]
        self.ranks = _ranks(order, row)

        # `f S g` is kept by f and set by g; P f is `true S f`, Y f is `false S f`.
        bits = [f for f in order if isinstance(f, Past | Since) or (isinstance(f, Yesterday) and f.window == 1)]
        self.bits = np.array([row[f] for f in bits], dtype=np.intp)
        self.set_by = np.array([row[f.operands[-1]] for f in bits], dtype=np.intp)
        kept_by = [row[f.left] if isinstance(f, Since) else true if isinstance(f, Past) else false for f in bits]
        self.kept_by = np.array(kept_by, dtype=np.intp)

        wide = [f for f in order if isinstance(f, Yesterday) and f.window > 1]
        self.timers = np.array([row[f] for f in wide], dtype=np.intp)
        self.started_by = np.array([row[f.operand] for f in wide], dtype=np.intp)
        self.windows = np.array([f.window for f in wide], dtype=np.int64)[:, None, None]

        modular = [f for f in order if isinstance(f, Mod)]
        self.modular = np.array([row[f] for f in modular], dtype=np.intp)
        self.residues = np.array([f.residue for f in modular], dtype=np.int64)[:, None]
        self.moduli = np.array([f.modulus for f in modular], dtype=np.int64)[:, None]
        self.period = period

        # A state is the bits, the timers and, if there is MOD(r,m), the length of the word modulo the period.
        self.clock = np.min_scalar_type(max([period - 1, *(f.window for f in wide)]))
        self.n_clocks = len(wide) + bool(modular)
        self.bit_bytes = -(-len(bits) // 8)
        self.state_bytes = self.bit_bytes + self.clock.itemsize * self.n_clocks

    def advance(self, states: bytes) -> tuple[NDArray[np.bool_], list[bytes]]:
        """Return whether each state accepts, bool[n], and the states that follow each by each letter, n x letters."""
        width = self.state_bytes
        n = len(states) // width if width else 1
        packed = np.frombuffer(states, dtype=np.uint8).reshape(n, width)
        bits = np.unpackbits(packed[:, : self.bit_bytes], axis=1, count=len(self.bits)).T.astype(np.bool_)
        clocks = np.ascontiguousarray(packed[:, self.bit_bytes :]).view(self.clock).reshape(n, self.n_clocks).T
        clocks = clocks.astype(np.int64)
        timers, lengths = clocks[: len(self.timers)], clocks[len(self.timers) :]

        values = np.zeros((self.n_rows, n, self.n_codes), dtype=np.bool_)
        values[self.constants] = True
        for i, code in self.letters:
            values[i, :, code] = True
        values[self.bits] = bits[:, :, None]
        values[self.timers] = timers[:, :, None] > 0
        values[self.modular] = ((lengths + 1) % self.moduli == self.residues)[:, :, None]
        for negations, conjunctions, disjunctions in self.ranks:
            if len(negations):
                values[negations[0]] = ~values[negations[1]]
            if len(conjunctions):
                values[conjunctions[0]] = values[conjunctions[1]] & values[conjunctions[2]]
            if len(disjunctions):
                values[disjunctions[0]] = values[disjunctions[1]] | values[disjunctions[2]]
        accepting = values[-3, :, -1].copy()  # the formula itself, at the end position

        values = values[:, :, :-1]
        next_bits = values[self.set_by] | (values[self.kept_by] & bits[:, :, None])
        older = np.maximum(timers, 1)[:, :, None] - 1
        next_timers = np.where(values[self.started_by], self.windows, older)
        next_lengths = np.repeat((lengths + 1)[:, :, None] % self.period, self.n_codes - 1, axis=2)
        next_clocks = np.concatenate([next_timers, next_lengths]).astype(self.clock)
        n_next = n * (self.n_codes - 1)
        following = np.empty((n_next, width), dtype=np.uint8)
        following[:, : self.bit_bytes] = np.packbits(next_bits.reshape(len(self.bits), n_next), axis=0).T
        following[:, self.bit_bytes :] = np.ascontiguousarray(next_clocks.reshape(self.n_clocks, n_next).T).view(
            np.uint8
        )
        joined = following.tobytes()
        return accepting, [joined[i * width : (i + 1) * width] for i in range(n_next)]


def _period(order: Sequence[Formula], max_states: int) -> int:
    """Return the least common multiple of the moduli; so many states are reached, whatever else the formula says."""
    period = 1
    for f in order:
        if isinstance(f, Mod):
            period = lcm(period, f.modulus)
            if period > max_states:
                raise TooLarge("states that count the length modulo every m of MOD(r,m)", period, max_states)
    return period


def _ranks(order: Sequence[Formula], row: dict[Formula, int]) -> list[tuple[NDArray[np.intp], ...]]:
    """Group the Boolean subformulas by how many of them are nested, so that a group depends on earlier ones only.

    For each rank and each of Not, And, Or: the rows of the subformulas and those of their operands, as an array
    [1 + operands, count], empty where there are none.
    """
    rank: dict[Formula, int] = {}
    groups: list[tuple[list[list[int]], ...]] = []
    for f in order:
        if not isinstance(f, Not | And | Or):
            rank[f] = 0
            continue
        rank[f] = 1 + max(rank[operand] for operand in f.operands)
        if rank[f] > len(groups):
            groups.append(([], [], []))
        kind = 0 if isinstance(f, Not) else 1 if isinstance(f, And) else 2
        groups[rank[f] - 1][kind].append([row[f], *(row[operand] for operand in f.operands)])
    return [tuple(np.array(rows, dtype=np.intp).T for rows in group) for group in groups]
