"""Formulas of LTL[P,Y<=k] that follow a run from component to component by dates and by windows.

The construction is that of `semigroups.blocks`, with other candidates. Let e be the event that leads into a component
C, which occurs once. Then "e was exactly j + 1 steps ago", that is `P^(j+1) e & !P^(j+2) e`, dates a position, and a
dated position can be spoken of at any time later: `P (date & f)`. So for any J the first J letters after the entry are
known exactly. Later on the last J letters were read in C. Formulas of LTL[Y<=k] of depth d see k d letters at most; so
with J = k d they may be used where all of the last k d letters are those of a path in C. That is enough where the
depth-d types of LTL[Y<=k] tell the words that lead, within C, to one answer from those that lead to another.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from automata.dfa import DFA
from automata.errors import TooLarge
from automata.graph import strong_components
from ltl.formula import FALSE, FIRST, TRUE, Formula, Past
from ltl.fragment import Fragment
from ltl.simplifying import all_of, any_of, by_letter, negation, past
from semigroups.blocks import BlockFormulas, Candidates
from semigroups.consistent import Labelled, Search, consistent_formula
from semigroups.observed import CodeWord, Observed, SampleTypes

_NO, _YES, _LEFT = 0, 1, 2
_FIRST = 64  # words of the first sample


def dated_formula(
    minimal: DFA,
    window: int,
    *,
    max_delay: int = 2,
    max_depth: int = 4,
    max_words: int = 5000,
    max_truth: int = 1 << 22,
) -> Formula | None:
    """Return a formula of LTL[P,Y<=window] that defines the language of a minimal automaton.

    Return None where no delays up to `max_delay` will do.

    >>> from automata.alphabet import Alphabet
    >>> from ltl.compile import formula_to_dfa
    >>> no_bb = DFA(Alphabet.of("ab"), [[0, 1], [0, 2], [2, 2]], 0, [True, True, False])
    >>> formula = dated_formula(no_bb, 2)
    >>> formula is not None and formula_to_dfa(formula, no_bb.alphabet) == no_bb
    True
    """
    components = strong_components(minimal.delta)
    wide = np.flatnonzero(np.bincount(components) > 1)
    for delays in sorted(product(range(max_delay + 1), repeat=len(wide)), key=lambda delays: (sum(delays), delays)):
        of_component = np.zeros(components.max() + 1, dtype=np.intp)
        of_component[wide] = delays
        dfa, blocks = _delayed(minimal, components, of_component.tolist())
        with suppress(TooLarge):
            return _DatedBlocks(dfa, blocks, window, max_depth, max_words, max_truth).language()
    return None


def _delayed(dfa: DFA, components: NDArray[np.int32], delays: list[int]) -> tuple[DFA, NDArray[np.int32]]:
    """Return an automaton for the same language whose states (q, v) have read no more than what leads to q.

    The letters of v, at most `delays[C]` for q in the component C, have been seen and are still to be read from q.
    """
    delta = dfa.delta.tolist()
    start = (dfa.start, ())
    number: dict[tuple[int, CodeWord], int] = {start: 0}
    states: list[tuple[int, CodeWord]] = [start]
    rows = []
    for q, v in states:  # the list grows while it is read
        row = []
        for code in range(len(dfa.alphabet)):
            here, unread = q, (*v, code)
            while len(unread) > delays[components[here]]:
                here, unread = delta[here][unread[0]], unread[1:]
            target = (here, unread)
            if target not in number:
                number[target] = len(states)
                states.append(target)
            row.append(number[target])
        rows.append(row)
    ends = []
    for q, v in states:
        for code in v:
            q = delta[q][code]
        ends.append(q)
    return DFA(dfa.alphabet, rows, 0, dfa.accept[ends]), components[[q for q, _ in states]]


class _DatedBlocks(BlockFormulas):
    def __init__(
        self, dfa: DFA, blocks: NDArray[np.int32], window: int, max_depth: int, max_words: int, max_truth: int
    ) -> None:
        super().__init__(dfa, blocks, with_yesterday=False, max_cases=max_words)
        self.window = window
        self.max_depth = max_depth
        self.max_words = max_words
        self.max_truth = max_truth

    def candidates(self, block: int) -> Candidates:
        return _DatedCandidates(self, block)


@dataclass(frozen=True)
class _Paths:
    """The words of one length read within a component, and the states they lead to from each of its states."""

    words: list[CodeWord]
    ends: NDArray[np.int32]  # [words, states], places in the component; the place after the last is outside


class _DatedCandidates(Candidates):
    def __init__(self, owner: _DatedBlocks, block: int) -> None:
        super().__init__(owner, block)
        self.dated = owner
        self.since = [self.entered]  # the component was entered j letters ago at least
        n = len(self.states)
        self.paths = [_Paths([()], np.arange(n, dtype=np.int32)[None])]
        self.at_date: dict[tuple[int, bytes], Formula | None] = {}

    def among(self, wanted: NDArray[np.bool_]) -> Formula:
        """Return candidate(T) for the set T of the block's states marked in `wanted`, bool[states]."""
        if wanted.all():
            return self.entered
        if not wanted.any():
            return FALSE
        depth, later = self._later(wanted)
        answers = np.where(wanted, _YES, _NO).astype(np.int8).tobytes()
        n_dates = depth * self.dated.window
        parts = []
        for j in range(n_dates):
            found = self._known_at(j, answers)
            parts.append(all_of([self._date(j), FALSE if found is None else found]))
        return any_of([part for part in parts if part is not FALSE] + [all_of([self._since(n_dates), later])])

    def _since(self, j: int) -> Formula:
        while len(self.since) <= j:
            self.since.append(Past(self.since[-1]))
        return self.since[j]

    def _date(self, j: int) -> Formula:
        if j == 0 and self.start is not None:
            return FIRST
        return all_of([self._since(j), negation(self._since(j + 1))])

    def _known_at(self, j: int, answers: bytes) -> Formula | None:
        """Return a formula that says at date j whether f of the state is yes; None where no state has an answer."""
        if _NO not in answers or _YES not in answers:
            return TRUE if _YES in answers else FALSE if _NO in answers else None
        if (j, answers) in self.at_date:
            return self.at_date[j, answers]
        if j == 0:
            if self.start is not None:
                found: Formula | None = TRUE if answers[self.start] == _YES else FALSE
            else:
                events = [event for event, answer in zip(self.into, answers, strict=True) if answer == _YES]
                found = past(any_of(events))
        else:
            after = np.append(np.frombuffer(answers, dtype=np.int8), np.int8(_LEFT))
            cases = {code: self._known_at(j - 1, column.tobytes()) for code, column in enumerate(after[self.table].T)}
            before = by_letter(cases, self.owner.dfa.alphabet)
            found = TRUE if before is TRUE else past(all_of([self._date(j - 1), before]))
        self.at_date[j, answers] = found
        return found

    def _later(self, wanted: NDArray[np.bool_]) -> tuple[int, Formula]:
        """Return d and a formula of LTL[Y<=k] of depth d that is right where the last k d letters were read inside."""
        owner = self.dated
        fragment = Fragment(past=False, window=owner.window)
        depth = 0
        while True:
            depth += 1
            if depth > owner.max_depth:
                raise TooLarge("depth of window types", depth, owner.max_depth, "max_depth", False)
            paths = self._paths(depth * owner.window)
            answers = np.append(np.where(wanted, _YES, _NO), _LEFT)[paths.ends]
            inside, outside = (answers == _YES).any(axis=1), (answers == _NO).any(axis=1)
            if (inside & outside).any():
                continue
            observed = Observed(paths.words)
            shorter = np.zeros(len(observed) - len(paths.words), dtype=np.bool_)
            labelled = Labelled(np.concatenate((shorter, inside)), np.concatenate((shorter, outside)))
            types = SampleTypes(observed, fragment)
            if types.least_depth(labelled.inside, labelled.outside, depth) is None:
                continue
            search = Search(fragment, owner.dfa.alphabet, depth, owner.max_truth, max_rounds=len(paths.words))
            step = -(-len(paths.words) // _FIRST)
            formula = consistent_formula(search, observed, labelled, depth, list(paths.words[::step]))
            if formula is not None:
                return depth, formula

    def _paths(self, length: int) -> _Paths:
        while len(self.paths) <= length:
            last = self.paths[-1]
            n, n_letters = len(self.states), len(self.owner.dfa.alphabet)
            table = np.concatenate((self.table, np.full((1, n_letters), n, dtype=np.int32)))
            ends = table[last.ends].transpose(0, 2, 1).reshape(-1, n)  # the words in alphabet order
            words = [(*word, code) for word in last.words for code in range(n_letters)]
            kept = np.flatnonzero((ends < n).any(axis=1))
            if len(kept) > self.dated.max_words:
                raise TooLarge("words read within a component", len(kept), self.dated.max_words, "max_words", False)
            self.paths.append(_Paths([words[i] for i in kept.tolist()], ends[kept]))
        return self.paths[length]
