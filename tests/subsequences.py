"""Oracles for subsequences, by listing words."""

from __future__ import annotations

from itertools import combinations

from automata.alphabet import Word
from automata.dfa import DFA
from tests.strategies import all_words


def subsequences(word: Word, k: int) -> frozenset[str]:
    """Return the subsequences of length k or less."""
    return frozenset("".join(chosen) for n in range(k + 1) for chosen in combinations(word, n))


def is_strictly_piecewise(dfa: DFA, k: int) -> bool:
    """True iff every word whose subsequences of length k or less all stand in members is a member.

    The subsequences met by a word grow along its run, at most as often as there are any, and only a step that moves the
    state or adds to them leads to a new pair of both; all such pairs are reached.
    """
    start = (frozenset([""]), dfa.start)
    found = {start}
    waiting = [start]
    while waiting:
        met, state = waiting.pop()
        for letter in dfa.alphabet:
            more = met | {word + letter for word in met if len(word) < k}
            pair = (more, dfa.step(state, letter))
            if pair not in found:
                found.add(pair)
                waiting.append(pair)
    allowed: set[str] = set()
    for met, state in found:
        if dfa.accept[state]:
            allowed |= met
    return all(dfa.accept[state] for met, state in found if met <= allowed)


def minimal_forbidden(dfa: DFA) -> set[str]:
    """Return the non-members all of whose deletions are members, for a language closed under deletion.

    Each letter of such a word moves the state of the minimal automaton, which never comes back: there are at most as
    many letters as states.
    """
    return {
        "".join(word)
        for word in all_words(dfa.alphabet, dfa.n_states)
        if not dfa.accepts(word) and all(dfa.accepts(word[:i] + word[i + 1 :]) for i in range(len(word)))
    }
