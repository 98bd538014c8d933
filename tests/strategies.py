"""What several test files share: strategies for words, automata and formulas, and small sets listed in full."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from hypothesis import strategies as st

from automata.alphabet import Alphabet, Word
from automata.dfa import DFA
from automata.minimize import minimize
from ltl.formula import FALSE, TRUE, Formula, Letter, Mod, Past, Since, Yesterday

AB = Alphabet.of("ab")
ABC = Alphabet.of("abc")


@st.composite
def dfas(draw: st.DrawFn, alphabet: Alphabet | None = None, max_states: int = 6) -> DFA:
    """Complete automata, not always minimal nor reachable; shrink to one state."""
    letters = draw(st.sampled_from([AB, ABC])) if alphabet is None else alphabet
    n_states = draw(st.integers(1, max_states))
    states = st.integers(0, n_states - 1)
    delta = draw(st.lists(states, min_size=n_states * len(letters), max_size=n_states * len(letters)))
    accept = draw(st.lists(st.booleans(), min_size=n_states, max_size=n_states))
    return DFA(letters, np.reshape(delta, (n_states, len(letters))), draw(states), accept)


def words(alphabet: Alphabet = AB, max_size: int = 12) -> st.SearchStrategy[Word]:
    """Words over an alphabet of single characters, the empty word among them."""
    return st.text(alphabet=list(alphabet), max_size=max_size)


def formulas(
    alphabet: Alphabet = AB,
    *,
    past: bool = True,
    window: int | None = 1,
    widest: int = 3,
    since: bool = False,
    modulus: int | None = None,
    max_leaves: int = 12,
) -> st.SearchStrategy[Formula]:
    """Formulas with the named temporal operators; Y<=k with k from `window` to `widest`; shrink to `true`.

    With `modulus`, also MOD(r,m) with m up to it.
    """
    leaves: st.SearchStrategy[Formula] = st.sampled_from([TRUE, FALSE, *(Letter(letter) for letter in alphabet)])
    if modulus is not None:
        leaves |= st.sampled_from([Mod(r, m) for m in range(1, modulus + 1) for r in range(m)])

    def extend(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        pairs = st.tuples(inner, inner)
        options = [
            inner.map(lambda f: ~f),
            pairs.map(lambda fg: fg[0] & fg[1]),
            pairs.map(lambda fg: fg[0] | fg[1]),
        ]
        if past:
            options.append(inner.map(Past))
        if window is not None:
            options.append(st.builds(Yesterday, inner, st.integers(window, widest)))
        if since:
            options.append(st.builds(Since, inner, inner))
        return st.one_of(options)

    return st.recursive(leaves, extend, max_leaves=max_leaves)


@cache
def all_words(alphabet: Alphabet, max_length: int) -> tuple[Word, ...]:
    """All words up to a length, in length-lexicographic order."""
    return tuple("".join(letters) for n in range(max_length + 1) for letters in product(alphabet, repeat=n))


@cache
def small_minimal_dfas(alphabet: Alphabet = AB, max_states: int = 3) -> tuple[DFA, ...]:
    """All minimal automata with at most so many states, each once (1,054 over two letters with three states)."""
    found: dict[DFA, None] = {}
    for n in range(1, max_states + 1):
        for targets in product(range(n), repeat=n * len(alphabet)):
            delta = np.reshape(targets, (n, len(alphabet)))
            for accept in product([False, True], repeat=n):
                smallest = minimize(DFA(alphabet, delta, 0, accept))
                if smallest.n_states == n:
                    found[smallest] = None
    return tuple(found)


def transformations(dfa: DFA) -> set[tuple[int, ...]]:
    """What the non-empty words do to the states, by closing what the letters do under composition."""
    letters = [tuple(column) for column in dfa.delta.T.tolist()]
    found = set(letters)
    waiting = list(found)
    while waiting:
        f = waiting.pop()
        for g in letters:
            h = tuple(g[q] for q in f)
            if h not in found:
                found.add(h)
                waiting.append(h)
    return found
