"""Oracles for factors, prefixes and suffixes: definitions applied to all words at once.

The classes of words that a definition speaks of are followed letter by letter together with the state of the
automaton. There are finitely many pairs of class and state, and all are reached: the answers hold for all words.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from automata.dfa import DFA

C = TypeVar("C", bound=Hashable)
FactorClass = tuple[frozenset[str], str]

MARKER = "#"


def pairs_reached(dfa: DFA, start: C, step: Callable[[C, str], C | None]) -> set[tuple[C, int]]:
    """Return the pairs (class, state) of all words; a word whose class would be None is dropped."""
    found = {(start, dfa.start)}
    waiting = list(found)
    while waiting:
        of_word, state = waiting.pop()
        for letter in dfa.alphabet:
            longer = step(of_word, letter)
            if longer is None:
                continue
            pair = (longer, dfa.step(state, letter))
            if pair not in found:
                found.add(pair)
                waiting.append(pair)
    return found


def is_decided_by(dfa: DFA, start: C, step: Callable[[C, str], C]) -> bool:
    """True iff words of one class are all in the language or all outside."""
    membership: dict[C, bool] = {}
    return all(
        membership.setdefault(c, bool(dfa.accept[q])) == dfa.accept[q] for c, q in pairs_reached(dfa, start, step)
    )


def padded_factors(word: str, k: int) -> frozenset[str]:
    """Return the factors of length k of #^(k-1) word #^(k-1), as the definition has them."""
    marked = MARKER * (k - 1) + word + MARKER * (k - 1)
    return frozenset(marked[i : i + k] for i in range(len(marked) - k + 1))


def last(text: str, n: int) -> str:
    """Return the last n letters, or all if there are fewer."""
    return text[max(0, len(text) - n) :]


def first_factor_class(k: int) -> FactorClass:
    """Return the class of the empty word: the k-factors of the marked word so far, and its last k - 1 symbols."""
    return frozenset(), MARKER * (k - 1)


def next_factor_class(of_word: FactorClass, letter: str, k: int) -> FactorClass:
    """Return the class of a word with one more letter."""
    factors, end = of_word
    return factors | {end + letter}, last(end + letter, k - 1)


@cache
def factor_classes(letters: tuple[str, ...], k: int) -> NDArray[np.intp]:
    """Return the table of all classes over some letters, intp[n, n_letters]; the empty word is in class 0."""
    start = first_factor_class(k)
    number = {start: 0}
    waiting = [start]
    rows = []
    for of_word in waiting:
        longer = [next_factor_class(of_word, letter, k) for letter in letters]
        for fresh in dict.fromkeys(longer):
            if fresh not in number:
                number[fresh] = len(number)
                waiting.append(fresh)
        rows.append([number[c] for c in longer])
    return np.array(rows, dtype=np.intp).reshape(len(rows), len(letters))


def is_testable(dfa: DFA, k: int) -> bool:
    """True iff words with the same k-factors of #^(k-1) w #^(k-1) are all in the language or all outside."""
    table = factor_classes(dfa.alphabet.letters, k)
    inside, outside = np.zeros((2, len(table)), dtype=np.bool_)
    seen = np.zeros((len(table), dfa.n_states), dtype=np.bool_)
    classes, states = np.array([0]), np.array([dfa.start])
    while len(classes):
        seen[classes, states] = True
        inside[classes[dfa.accept[states]]] = True
        outside[classes[~dfa.accept[states]]] = True
        if (inside & outside).any():
            return False
        places = np.unique(table[classes].ravel() * dfa.n_states + dfa.delta[states].ravel())
        classes, states = np.divmod(places, dfa.n_states)
        fresh = ~seen[classes, states]
        classes, states = classes[fresh], states[fresh]
    return True


def is_strictly_local(dfa: DFA, k: int) -> bool:
    """True iff every word whose k-factors all stand in marked members is a member."""
    live = live_by_search(dfa)
    start = MARKER * (k - 1)
    allowed: set[str] = set()
    for end, state in pairs_reached(dfa, start, lambda end, letter: last(end + letter, k - 1)):
        allowed.update(end + letter for letter in dfa.alphabet if live[dfa.step(state, letter)])
        if dfa.accept[state]:
            allowed |= endings(end, k)

    def step(end: str, letter: str) -> str | None:
        return last(end + letter, k - 1) if end + letter in allowed else None

    return all(dfa.accept[state] for end, state in pairs_reached(dfa, start, step) if endings(end, k) <= allowed)


def endings(end: str, k: int) -> frozenset[str]:
    """Return the factors of length k that hold an end marker, for a marked word that ends in `end`, k - 1 symbols."""
    text = end + MARKER * (k - 1)
    return frozenset(text[i : i + k] for i in range(len(text) - k + 1))


def live_by_search(dfa: DFA) -> list[bool]:
    """Tell for each state whether some word shorter than the number of states is accepted from it."""
    answers = []
    for state in range(dfa.n_states):
        reached = {state}
        for _ in range(dfa.n_states):
            reached |= {dfa.step(q, letter) for q in reached for letter in dfa.alphabet}
        answers.append(any(dfa.accept[q] for q in reached))
    return answers
