"""From a formula to its automaton one temporal subformula at a time, each step minimised.

What all temporal subformulas remember together can take far more states than the language has, as many of them say
nearly the same. Here they are added one by one, operands first, to a machine that tells the truth of those subformulas
that are still needed; states that agree on these for ever are merged at once. The machine of a step is a quotient of a
part of what the whole formula remembers, so no step has more states than are reached when all is remembered together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge
from automata.minimize import equivalent_states, minimize, number_by_appearance
from ltl.formula import And, Formula, Letter, Mod, Not, Or, Since, Top, Yesterday, check_letters, subformulas

Truth: TypeAlias = NDArray[np.bool_]
"""Truth of a subformula in each state at a position with each letter, and at the end: bool[n, letters + 1], or
bool[1, letters + 1] where the state does not matter."""


def stepwise_dfa(formula: Formula, alphabet: Alphabet, max_states: int) -> DFA:
    """Return the minimal automaton of the words that satisfy the formula, as `formula_to_dfa` does.

    Raise `UnknownLetter`, and `TooLarge` when a step reaches more than `max_states` states.

    >>> from ltl.syntax import parse_formula
    >>> stepwise_dfa(parse_formula("P (b & Y a)"), Alphabet.of("abc"), 100).n_states
    3
    """
    order = subformulas(formula)
    check_letters(order, alphabet)
    waiting = dict.fromkeys(order, 0)  # parents that still need a subformula
    for f in order:
        for operand in f.operands:
            waiting[operand] += 1
    waiting[formula] += 1
    machine = _Machine(np.zeros((1, len(alphabet)), dtype=np.int32), {})
    for f in order:
        machine = _with(machine, f, alphabet, max_states)
        for operand in f.operands:
            waiting[operand] -= 1
        needed = {g: truth for g, truth in machine.truth.items() if waiting[g]}
        machine = _Machine(machine.delta, needed)
        if not isinstance(f, _BOOLEAN):
            machine = _merged(machine)
    accept = np.broadcast_to(machine.truth[formula][:, -1], (len(machine.delta),))
    return minimize(DFA(alphabet, machine.delta, 0, accept))


_BOOLEAN = Top | Letter | Not | And | Or


@dataclass(frozen=True)
class _Machine:
    """Transitions, int32[n, letters], from state 0, and the truth of the subformulas that are still needed."""

    delta: NDArray[np.int32]
    truth: dict[Formula, Truth]


def _with(machine: _Machine, f: Formula, alphabet: Alphabet, max_states: int) -> _Machine:
    """Return the machine that tells the truth of f as well."""
    truth = machine.truth
    operands = [truth[operand] for operand in f.operands]
    if isinstance(f, _BOOLEAN):
        if isinstance(f, Top):
            value = np.ones((1, len(alphabet) + 1), dtype=np.bool_)
        elif isinstance(f, Letter):
            value = (np.arange(len(alphabet) + 1) == alphabet.index[f.letter])[None, :]
        elif isinstance(f, Not):
            value = ~operands[0]
        else:
            value = operands[0] & operands[1] if isinstance(f, And) else operands[0] | operands[1]
        return _Machine(machine.delta, {**truth, f: value})
    n, n_letters = machine.delta.shape
    # The memory of f: how many values it has, and the next one by state, value and letter.
    operands = [np.broadcast_to(value, (n, n_letters + 1))[:, None, :-1] for value in operands]
    size = f.modulus if isinstance(f, Mod) else f.window + 1 if isinstance(f, Yesterday) else 2
    if n * size * max(n_letters, 1) > max_states * _SPARE:
        raise TooLarge("states of the formula's automaton", n * size, max_states)
    values = np.arange(size, dtype=np.int32)[None, :, None]
    if isinstance(f, Mod):
        following = np.broadcast_to((values + 1) % size, (n, size, n_letters))
    elif isinstance(f, Yesterday):
        following = np.where(operands[0], np.int32(size - 1), np.maximum(values, 1) - 1)
    elif isinstance(f, Since):
        following = (operands[1] | (operands[0] & (values > 0))).astype(np.int32)
    else:
        following = (operands[0] | (values > 0)).astype(np.int32)
    delta = (machine.delta[:, None, :] * np.int32(size) + following).reshape(n * size, n_letters)
    reached = _reached(delta)
    if len(reached) > max_states:
        raise TooLarge("states of the formula's automaton", len(reached), max_states)
    place = np.zeros(n * size, dtype=np.int32)
    place[reached] = np.arange(len(reached), dtype=np.int32)
    before, memory = np.divmod(reached, size)
    # Before the first letter a counter stands at 0, and the first position is 1.
    now = (memory + 1) % size == f.residue if isinstance(f, Mod) else memory > 0
    kept = {g: value if len(value) == 1 else value[before] for g, value in truth.items()}
    return _Machine(place[delta[reached]], {**kept, f: np.repeat(now[:, None], n_letters + 1, axis=1)})


_SPARE = 64  # transitions of a product, reached or not, for each state allowed


def _reached(delta: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the states that some word leads to from state 0, sorted."""
    seen = np.zeros(len(delta), dtype=np.bool_)
    frontier = np.zeros(1, dtype=np.int64)
    while len(frontier):
        seen[frontier] = True
        targets = np.unique(delta[frontier])
        frontier = targets[~seen[targets]].astype(np.int64)
    return np.flatnonzero(seen)


def _merged(machine: _Machine) -> _Machine:
    """Merge states that agree, after every word, on all that the machine tells."""
    columns = [np.packbits(value, axis=1) for value in machine.truth.values() if len(value) > 1]
    if not columns:
        return _Machine(np.zeros((1, machine.delta.shape[1]), dtype=np.int32), machine.truth)
    rows = np.hstack(columns)
    outputs = np.unique(rows.view(np.dtype((np.void, rows.shape[1]))).ravel(), return_inverse=True)[1]
    label, members = number_by_appearance(equivalent_states(machine.delta, outputs))
    truth = {f: value if len(value) == 1 else value[members] for f, value in machine.truth.items()}
    return _Machine(label[machine.delta[members]], truth)
