"""Depth-d types: which words the formulas of a fragment up to a temporal depth tell apart, from the definition.

The formulas may use the operators of the fragment and the predicates MOD(r,m) for all m that divide `modulus`, whether
the fragment is modular or not: with all m at once there would be infinitely many types.

The depth-0 type of a position is its letter and its residue modulo `modulus`. The depth-(d+1) type is both, the set of
the depth-d types of all earlier positions (if the fragment has P) and the set of those of the last k positions (if it
has Y<=k). The type of a word is that of its end position, which has no letter. Over a given alphabet there are finitely
many types of each depth, and a formula of depth d cannot see more of a word than its depth-d type, nor less: two words
satisfy the same formulas of depth d iff their depth-d types are equal.

This is the reference for everything that decides the same questions quickly, and shares no code with it. The number
of types grows as a tower of powers of two in the depth.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from automata.alphabet import Alphabet, Word
from automata.dfa import DFA
from automata.errors import MAX_STATES, TooLarge, ToolkitError
from ltl.fragment import Fragment


def same_type(
    u: Sequence[str], v: Sequence[str], fragment: Fragment, depth: int, alphabet: Alphabet, modulus: int = 1
) -> bool:
    """True iff no formula of the fragment of temporal depth up to `depth` tells the words apart.

    It may use MOD(r,m) for the m that divide `modulus`. Raise `UnknownLetter`, and `ToolkitError` for a fragment with
    since, a negative depth or a modulus below 1.

    >>> from ltl.fragment import LTL_P, LTL_P_MOD
    >>> ab = Alphabet.of("ab")
    >>> same_type("ababa", "abab", LTL_P, 2, ab), same_type("ababa", "abab", LTL_P, 3, ab)
    (True, False)
    >>> same_type("ababa", "abab", LTL_P_MOD, 0, ab, modulus=2), same_type("aaa", "a", LTL_P_MOD, 0, ab, modulus=2)
    (False, True)
    """
    return first_difference(u, v, fragment, depth, alphabet, modulus) is None


def first_difference(
    u: Sequence[str], v: Sequence[str], fragment: Fragment, max_depth: int, alphabet: Alphabet, modulus: int = 1
) -> int | None:
    """Return the least depth, up to `max_depth`, at which a formula of the fragment tells the words apart, or None.

    It may use MOD(r,m) for the m that divide `modulus`. Raise what `same_type` raises.
    """
    reader = _TypeReader(fragment, max_depth, modulus)
    ends: list[list[object]] = []
    for word in (u, v):
        state = reader.start
        for code in alphabet.encode(word).tolist():
            state = reader.step(state, code)
        ends.append([state.residue, *(_seen(level) for level in state.levels)])
    return next((depth for depth, (left, right) in enumerate(zip(*ends, strict=True)) if left != right), None)


def definable_at_depth(
    dfa: DFA, fragment: Fragment, depth: int, max_states: int = MAX_STATES, modulus: int = 1
) -> bool:
    """True iff some formula of the fragment of temporal depth up to `depth` defines the automaton's language.

    It may use MOD(r,m) for the m that divide `modulus`. Raise what `undefinable_pair` raises.
    """
    return undefinable_pair(dfa, fragment, depth, max_states, modulus) is None


def undefinable_pair(
    dfa: DFA, fragment: Fragment, depth: int, max_states: int = MAX_STATES, modulus: int = 1
) -> tuple[Word, Word] | None:
    """Return a word inside and a word outside the language of the same depth-d type, or None if there are none.

    The language is definable at that depth iff there are none. The words are found breadth first in the product of the
    automaton with the one that computes types. Formulas may use MOD(r,m) for the m that divide `modulus`. Raise
    `TooLarge` when the product has more than `max_states` states, and `ToolkitError` for a fragment with since, a
    negative depth or a modulus below 1.

    >>> from ltl.fragment import LTL_P
    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> undefinable_pair(ends_with_a, LTL_P, 1)
    ('ba', 'ab')
    """
    reader = _shared_reader(fragment, depth, modulus)
    delta, accept = dfa.delta.tolist(), dfa.accept.tolist()
    start = (reader.start, dfa.start)
    reached: dict[tuple[_State, int], tuple[tuple[_State, int], int] | None] = {start: None}
    waiting = [start]
    examples: dict[object, tuple[_State, int]] = {}  # for each type of a word, the first pair that has it
    for pair in waiting:
        state, q = pair
        kind = (state.residue, _seen(state.levels[-1]) if state.levels else None)
        first = examples.setdefault(kind, pair)
        if accept[first[1]] != accept[q]:
            inside, outside = (pair, first) if accept[q] else (first, pair)
            return _access(dfa.alphabet, reached, inside), _access(dfa.alphabet, reached, outside)
        for code, target in enumerate(delta[q]):
            following = (reader.step(state, code), target)
            if following not in reached:
                reached[following] = (pair, code)
                waiting.append(following)
                if len(waiting) > max_states:
                    raise TooLarge(f"types of depth {depth} with states of the automaton", len(waiting), max_states)
    return None


class _Level(NamedTuple):
    """What later positions see of the types of one depth: those of all positions so far, and those of the last k."""

    earlier: frozenset[int]
    window: tuple[int, ...]


class _State(NamedTuple):
    """What a position sees: its own residue, and for each depth what came before."""

    residue: int
    levels: tuple[_Level, ...]


def _seen(level: _Level) -> tuple[frozenset[int], frozenset[int]]:
    return level.earlier, frozenset(level.window)


class _TypeReader:
    """The deterministic automaton that reads a word and keeps, for each depth below `depth`, the types seen so far."""

    def __init__(self, fragment: Fragment, depth: int, modulus: int) -> None:
        if fragment.since:
            raise ToolkitError(f"depth types are defined for P and Y<=k, not for {fragment.name}")
        if depth < 0:
            raise ToolkitError(f"a temporal depth is at least 0, not {depth}")
        if modulus < 1:
            raise ToolkitError(f"a modulus is at least 1, not {modulus}")
        self._modulus = modulus
        self._past = fragment.past
        self._window = fragment.window or 0
        self._numbers: list[dict[object, int]] = [{} for _ in range(depth)]
        self.start = _State(1 % modulus, (_Level(frozenset(), ()),) * depth)

    def step(self, state: _State, code: int) -> _State:
        """Return the state after one more position, with the letter of this code."""
        following = []
        below: object = None  # what the position sees of the types one depth lower
        for level, numbers in zip(state.levels, self._numbers, strict=True):
            kind = numbers.setdefault((code, state.residue, below), len(numbers))
            below = _seen(level)
            earlier = level.earlier
            if self._past and kind not in earlier:
                earlier |= {kind}
            window = (*level.window, kind)[-self._window :] if self._window else ()
            following.append(_Level(earlier, window))
        return _State((state.residue + 1) % self._modulus, tuple(following))


@lru_cache(maxsize=4)
def _shared_reader(fragment: Fragment, depth: int, modulus: int) -> _TypeReader:
    return _TypeReader(fragment, depth, modulus)


def _access(
    alphabet: Alphabet,
    reached: dict[tuple[_State, int], tuple[tuple[_State, int], int] | None],
    pair: tuple[_State, int],
) -> Word:
    """Return the word along which a pair was reached."""
    codes = []
    step = reached[pair]
    while step is not None:
        pair, code = step
        codes.append(code)
        step = reached[pair]
    return alphabet.decode(reversed(codes))
