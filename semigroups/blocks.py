"""Formulas that follow a run from block to block of an automaton: the construction behind `define`.

The states are cut into blocks that no run enters twice. At a position of a word, "the state" is the state before the
letter there is read; an event is a formula that holds at positions whose letter makes some step. For a block C and a
set T of its states, with all claims by induction along the blocks and the word:

- entered(C) holds iff the run is in C or has been: P of the events that lead into C;
- candidate(T) is false before C is entered; while the run is in C it holds iff the state is in T; later it may be
  anything;
- exit(C) = OR over letters a of (candidate({q in C : q.a outside C}) & a); its first occurrence is the step out of C;
- at(T) = candidate(T) & !P exit(C) holds iff the state is in T.

Candidates read the last letters backwards. Let f give an answer for each state r of C: yes or no, or "left". With
the letters x read backwards so far, f(r) tells whether r.x is in T, and is "left" if the run from r over x leaves C.
K(f), evaluated |x| steps back, is to give the answer for the state there, as long as the run stays in C:

- entered(C), if f never says no; false, if f never says yes;
- otherwise Y(C is entered by the letter here, in a state r with f(r) = yes, or the letter here is a and K(f_a) holds,
  for some a), where f_a(r) = f(r.a). In the block of the start, K(f) also holds at the first position if f says yes of
  the start.

So candidate(T) is K of the answers before any letter is read. If f_x says yes of p and no of q, then p.x and q.x are
two states of C, so x is a path of the pair graph of C. Where that is acyclic, its paths are bounded, and this ends.

Once candidate(T) may be anything, exit(C) has occurred, so P exit(C) stays true and at(T) false.
"""

from __future__ import annotations

from graphlib import TopologicalSorter

import numpy as np
from numpy.typing import NDArray

from automata.dfa import DFA
from automata.errors import TooLarge
from ltl.formula import FALSE, FIRST, TRUE, Formula, size
from ltl.simplifying import all_of, any_of, by_letter, negation, past, yesterday

_NO, _YES, _LEFT = 0, 1, 2


class BlockFormulas:
    """The formulas of an automaton cut into blocks, `blocks`, int32[n], along which no run returns.

    Within each block the pair graph must be acyclic. `with_yesterday` allows Y also where a block never looks back:
    a state that every run leaves at once is then the state iff it was entered by the last letter. At most `max_cases`
    answer functions are looked at; `TooLarge` is raised beyond.
    """

    def __init__(self, dfa: DFA, blocks: NDArray[np.int32], with_yesterday: bool, max_cases: int) -> None:
        self.dfa = dfa
        self.blocks = blocks
        self.with_yesterday = with_yesterday
        self.max_cases = max_cases
        self.n_cases = 0
        self.place = np.empty(dfa.n_states, dtype=np.int32)  # of each state in its block
        self.members: dict[int, NDArray[np.intp]] = {}
        order = np.argsort(blocks, kind="stable")
        for states in np.split(order, np.flatnonzero(np.diff(blocks[order])) + 1):
            self.members[int(blocks[states[0]])] = states
            self.place[states] = np.arange(len(states), dtype=np.int32)
        # Events into a state (exact) and into a block (exact up to the first); filled as blocks are left.
        self.into_state: dict[int, list[Formula]] = {}
        self.into_block: dict[int, list[Formula]] = {block: [] for block in self.members}

    def language(self) -> Formula:
        """Return a formula that holds at the end of a word iff the automaton accepts it."""
        accepted, rejected = [], []
        for block in self._order():
            states = self.members[block]
            accepting = self.dfa.accept[states]
            candidate = self.candidates(block)
            guard = self._leave(candidate)
            if accepting.any():
                accepted.append(all_of([candidate.among(accepting), guard]))
            if not accepting.all() and len(self.members) > 1:
                rejected.append(all_of([candidate.among(~accepting), guard]))
        direct = any_of(accepted)
        if len(self.members) == 1:
            return direct
        return min(direct, negation(any_of(rejected)), key=size)

    def candidates(self, block: int) -> Candidates:
        """Return the candidate formulas of a block, once the events into it are known."""
        return Candidates(self, block)

    def _order(self) -> list[int]:
        """Return the blocks, each after all blocks that lead into it."""
        heads, tails = np.repeat(self.blocks, len(self.dfa.alphabet)), self.blocks[self.dfa.delta].ravel()
        graph: dict[int, set[int]] = {block: set() for block in self.members}
        for head, tail in np.unique(np.stack((heads, tails), axis=1)[heads != tails], axis=0).tolist():
            graph[tail].add(head)
        return list(TopologicalSorter({block: sorted(before) for block, before in graph.items()}).static_order())

    def _leave(self, candidate: Candidates) -> Formula:
        """Note the events out of a block in the blocks entered; return the guard: the block has not been left."""
        states = candidate.states
        targets = self.dfa.delta[states]
        outside = self.blocks[targets] != candidate.block
        if not outside.any():
            return TRUE
        alphabet = self.dfa.alphabet

        def event(led: NDArray[np.bool_]) -> Formula:
            """Return the event that the letter leads as `led`, bool[states, letters], says."""
            codes = np.flatnonzero(led.any(axis=0)).tolist()
            return by_letter({code: candidate.among(led[:, code]) for code in codes}, alphabet)

        exit_event = event(outside)
        guard = TRUE if candidate.is_exact else negation(past(exit_event))
        entered = np.unique(self.blocks[targets[outside]]).tolist()
        for block in entered:
            led = self.blocks[targets] == block
            # With one way out, what candidates say after the exit comes too late to matter.
            into = exit_event if len(entered) == 1 else all_of([event(led), guard])
            self.into_block[block].append(into)
            if len(self.members[block]) > 1 or self.is_passing(block):
                for state in np.unique(targets[led]).tolist():
                    self.into_state.setdefault(state, []).append(all_of([event(targets == state), guard]))
        return guard

    def is_passing(self, block: int) -> bool:
        """True iff the block is one state without a loop, and Y may be used to be there exactly."""
        states = self.members[block]
        return self.with_yesterday and len(states) == 1 and bool((self.dfa.delta[states[0]] != states[0]).all())


class Candidates:
    """The candidate formulas of one block."""

    def __init__(self, owner: BlockFormulas, block: int) -> None:
        dfa = owner.dfa
        self.owner = owner
        self.block = block
        self.states = owner.members[block]
        targets = dfa.delta[self.states]
        n = len(self.states)
        # Successors by their places in the block; the place after the last stands for all states outside.
        self.table = np.where(owner.blocks[targets] == block, owner.place[targets], np.int32(n))
        self.start = int(owner.place[dfa.start]) if owner.blocks[dfa.start] == block else None
        self.into = [any_of(owner.into_state.get(state, ())) for state in self.states.tolist()]
        self.is_exact = owner.is_passing(block) and len(dfa.alphabet) > 0
        if self.is_exact:
            self.entered = FIRST if self.start is not None else yesterday(self.into[0])
        else:
            self.entered = TRUE if self.start is not None else past(any_of(owner.into_block[block]))
        self.known: dict[bytes, Formula | None] = {}

    def among(self, wanted: NDArray[np.bool_]) -> Formula:
        """Return candidate(T) for the set T of the block's states marked in `wanted`, bool[states]."""
        answers = np.where(wanted, _YES, _NO).astype(np.int8).tobytes()
        cases: dict[bytes, list[bytes]] = {}
        stack = [answers]
        while stack:
            f = stack[-1]
            if f in self.known:
                stack.pop()
            elif _YES not in f or _NO not in f:
                self.known[f] = self.entered if _YES in f else FALSE if _NO in f else None
            elif f not in cases:
                self.owner.n_cases += 1
                if self.owner.n_cases > self.owner.max_cases:
                    raise TooLarge("cases of a formula", self.owner.n_cases, self.owner.max_cases, "max_cases")
                after = np.append(np.frombuffer(f, dtype=np.int8), np.int8(_LEFT))
                cases[f] = [column.tobytes() for column in after[self.table].T]
                stack.extend(case for case in reversed(cases[f]) if case not in self.known)
            else:
                self.known[f] = self._look_back(f, cases[f])
        found = self.known[answers]
        return FALSE if found is None else found

    def _look_back(self, f: bytes, cases: list[bytes]) -> Formula:
        alphabet = self.owner.dfa.alphabet
        known = {code: self.known[case] for code, case in enumerate(cases)}
        if self.start is not None and f[self.start] == _YES:  # true at the first position
            opposite = {code: None if case is None else negation(case) for code, case in known.items()}
            return negation(yesterday(by_letter(opposite, alphabet)))
        entering = any_of(event for event, answer in zip(self.into, f, strict=True) if answer == _YES)
        return yesterday(any_of([entering, by_letter(known, alphabet)]))
