"""Boolean and rational operations on automata, quotients, and completion of partial automata.

Every operation but `complete` returns a minimal automaton. Operations on two automata raise `AlphabetMismatch`
unless both alphabets are the same, order included.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, require_same_alphabet
from automata.dfa import DFA
from automata.edge_list import complete_with_sink
from automata.errors import MAX_STATES, TooLarge, ToolkitError, UnknownLetter
from automata.graph import states_reaching
from automata.minimize import minimize
from automata.nfa import NFA, determinize, edges_of


def complement(dfa: DFA) -> DFA:
    """Return the automaton of the words over the same alphabet that are not accepted."""
    return minimize(DFA(dfa.alphabet, dfa.delta, dfa.start, ~dfa.accept))


def union(left: DFA, right: DFA, max_states: int = MAX_STATES) -> DFA:
    """Return the automaton of the words in one language or both; `TooLarge` beyond `max_states` pairs."""
    pairs = _Product(left, right, [left.start], right.start, max_states)
    return minimize(pairs.automaton(left.accept[pairs.left] | right.accept[pairs.right]))


def intersection(left: DFA, right: DFA, max_states: int = MAX_STATES) -> DFA:
    """Return the automaton of the words in both languages; `TooLarge` beyond `max_states` pairs of states."""
    pairs = _Product(left, right, [left.start], right.start, max_states)
    return minimize(pairs.automaton(left.accept[pairs.left] & right.accept[pairs.right]))


def difference(left: DFA, right: DFA, max_states: int = MAX_STATES) -> DFA:
    """Return the automaton of the words in the left language and not in the right one."""
    pairs = _Product(left, right, [left.start], right.start, max_states)
    return minimize(pairs.automaton(left.accept[pairs.left] & ~right.accept[pairs.right]))


def symmetric_difference(left: DFA, right: DFA, max_states: int = MAX_STATES) -> DFA:
    """Return the automaton of the words in exactly one of the languages."""
    pairs = _Product(left, right, [left.start], right.start, max_states)
    return minimize(pairs.automaton(left.accept[pairs.left] ^ right.accept[pairs.right]))


def concatenation(left: DFA, right: DFA, max_states: int = MAX_STATES) -> DFA:
    """Return the automaton of the words uv with u in the left language and v in the right one."""
    require_same_alphabet(left.alphabet, right.alphabet)
    ends = np.flatnonzero(left.accept)
    edges = np.concatenate(
        (
            edges_of(left),
            edges_of(right) + np.array([left.n_states, 0, left.n_states], dtype=np.int32),
            _silent(left.alphabet, ends, np.full(len(ends), left.n_states + right.start)),
        )
    )
    accept = np.concatenate((np.zeros(left.n_states, dtype=np.bool_), right.accept))
    return minimize(determinize(NFA(left.alphabet, edges, [left.start], accept), max_states))


def star(dfa: DFA, max_states: int = MAX_STATES) -> DFA:
    """Return the automaton of all concatenations of words of the language, the empty one included.

    >>> star(complete(Alphabet.of("a"), [("p", "a", "q")], "p", ["q"]))
    DFA(Alphabet(letters=('a',)), [[0]], start=0, accepting=[0])
    """
    hub = dfa.n_states
    ends = np.append(np.flatnonzero(dfa.accept), hub)
    targets = np.full(len(ends), hub)
    targets[-1] = dfa.start
    edges = np.concatenate((edges_of(dfa), _silent(dfa.alphabet, ends, targets)))
    accept = np.append(np.zeros(hub, dtype=np.bool_), True)
    return minimize(determinize(NFA(dfa.alphabet, edges, [hub], accept), max_states))


def reversal(dfa: DFA, max_states: int = MAX_STATES) -> DFA:
    """Return the automaton of the words of the language read from right to left."""
    accept = np.arange(dfa.n_states) == dfa.start
    return minimize(
        determinize(NFA(dfa.alphabet, edges_of(dfa)[:, ::-1], np.flatnonzero(dfa.accept), accept), max_states)
    )


def left_quotient(dfa: DFA, by: DFA | Sequence[str], max_states: int = MAX_STATES) -> DFA:
    """Return the automaton of the words w such that uw is in the language for some u in `by`.

    `by` is a language, given by its automaton, or one word. Raise `TooLarge` beyond `max_states` pairs or sets.

    >>> ab = Alphabet.of("ab")
    >>> ends_with_a = DFA(ab, [[1, 0], [1, 0]], 0, [False, True])
    >>> left_quotient(ends_with_a, "a").accepts("")
    True
    """
    if not isinstance(by, DFA):
        return minimize(DFA(dfa.alphabet, dfa.delta, dfa.run(by)[-1], dfa.accept))
    pairs = _Product(dfa, by, [dfa.start], by.start, max_states)
    starts = np.unique(pairs.left[by.accept[pairs.right]])
    return minimize(determinize(NFA(dfa.alphabet, edges_of(dfa), starts, dfa.accept), max_states))


def right_quotient(dfa: DFA, by: DFA | Sequence[str], max_states: int = MAX_STATES) -> DFA:
    """Return the automaton of the words w such that wu is in the language for some u in `by`.

    `by` is a language, given by its automaton, or one word. Raise `TooLarge` beyond `max_states` pairs of states.
    """
    if isinstance(by, DFA):
        pairs = _Product(dfa, by, range(dfa.n_states), by.start, max_states)
        goals = dfa.accept[pairs.left] & by.accept[pairs.right]
        # The pairs (p, start of `by`) were put in first, in the order of p.
        accept = states_reaching(pairs.delta, goals)[: dfa.n_states]
    else:
        ends = np.arange(dfa.n_states)
        for code in dfa.alphabet.encode(by).tolist():
            ends = dfa.delta[ends, code]
        accept = dfa.accept[ends]
    return minimize(DFA(dfa.alphabet, dfa.delta, dfa.start, accept))


def complete(
    alphabet: Alphabet,
    transitions: Iterable[tuple[Hashable, str, Hashable]],
    start: Hashable,
    accepting: Iterable[Hashable],
) -> DFA:
    """Make a complete automaton of a partial one, given by rows (source, letter, target).

    States are any hashable values; they are numbered from the start in order of appearance. Where a transition
    is missing it leads to one more state, a rejecting sink, which is added last and only if it is needed. If all
    states are strings they become the names. Raise `UnknownLetter`, and `ToolkitError` for two different targets
    of one state and letter.

    >>> complete(Alphabet.of("ab"), [("p", "a", "q")], "p", ["q"])
    DFA(Alphabet(letters=('a', 'b')), [[1, 2], [2, 2], [2, 2]], start=0, accepting=[1])
    """
    number: dict[Hashable, int] = {start: 0}
    targets: dict[tuple[int, int], int] = {}
    for source, letter, target in transitions:
        if letter not in alphabet:
            raise UnknownLetter(letter, alphabet.letters)
        origin = number.setdefault(source, len(number))
        end = number.setdefault(target, len(number))
        if targets.setdefault((origin, alphabet.index[letter]), end) != end:
            raise ToolkitError(
                f"state {source!r} has two transitions by letter {letter!r}, a deterministic automaton only one"
            )
    finals = [number.setdefault(state, len(number)) for state in accepting]
    table = np.full((len(number), len(alphabet)), -1, dtype=np.int32)
    for (origin, code), end in targets.items():
        table[origin, code] = end
    accept = np.zeros(len(number), dtype=np.bool_)
    accept[finals] = True
    names = [state for state in number if isinstance(state, str)]
    return complete_with_sink(alphabet, table, 0, accept, names if len(names) == len(number) else None)


class _Product:
    """The pairs of states reachable from some (p, q), p in `left_starts`, q = `right_start`, level by level.

    `left` and `right`, int64[n], are the components, the starting pairs first; `delta`, int32[n, n_letters], is
    the table over the numbers of pairs.
    """

    def __init__(self, left: DFA, right: DFA, left_starts: Sequence[int], right_start: int, max_states: int) -> None:
        require_same_alphabet(left.alphabet, right.alphabet)
        self.alphabet = left.alphabet
        width = right.n_states
        levels = [np.array(left_starts, dtype=np.int64) * width + right_start]
        number = {pair: i for i, pair in enumerate(levels[0].tolist())}
        rows = []
        while len(levels[-1]):
            if len(number) > max_states:
                raise TooLarge("the product of two automata, in pairs of states", len(number), max_states)
            p, q = np.divmod(levels[-1], width)
            targets = left.delta[p].astype(np.int64) * width + right.delta[q]
            distinct, place = np.unique(targets, return_inverse=True)
            before = len(number)
            numbers = [number.setdefault(pair, len(number)) for pair in distinct.tolist()]
            reached = np.array(numbers, dtype=np.int32)
            rows.append(reached[place.reshape(targets.shape)])
            levels.append(distinct[reached >= before])
        self.left, self.right = np.divmod(np.concatenate(levels), width)
        self.delta: NDArray[np.int32] = np.concatenate(rows)

    def automaton(self, accept: NDArray[np.bool_]) -> DFA:
        """Return the product automaton with the given accepting pairs; the first pair is the start."""
        return DFA(self.alphabet, self.delta, 0, accept)


def _silent(alphabet: Alphabet, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return silent moves from each source to its target as rows, int32[m, 3]."""
    return np.stack((sources, np.full(len(sources), len(alphabet)), targets), axis=1).astype(np.int32)
