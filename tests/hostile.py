"""Automata whose letters and state names are what breaks readers and writers."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA

NASTY = [
    *['"', "\\", "->", ",", "a", "b0", "é", "ε", " ", "\n", "\t", "\r", "\x00", "\x7f", "\ufeff", "\u2028", "\ud800"],
    *["<script>", "&amp;", "&", "&#65;", "<eps>", "//", "#", "/*", "*/", "{", "}", "[", ";", "=", "--", "'", "%", "あ"],
    *[
        '"a"',
        '"',
        'a"',
        "a, b",
        "\\n",
        "\\N",
        "\\\\",
        '\\"',
        "sink",
        "0",
        "start",
        "null",
        "digraph",
        "q:0",
        "a b",
        "😀",
    ],
]

texts = st.one_of(st.sampled_from(NASTY), st.text(min_size=1, max_size=4))


def letters(max_size: int = 4) -> st.SearchStrategy[Alphabet]:
    """Alphabets of nasty letters, also the empty one."""
    return st.lists(texts, max_size=max_size, unique=True).map(lambda found: Alphabet(tuple(found)))


@st.composite
def hostile_dfas(draw: st.DrawFn, max_states: int = 5, alphabets: st.SearchStrategy[Alphabet] | None = None) -> DFA:
    """Complete automata over nasty letters, often with nasty names, which may also be empty or equal."""
    alphabet = draw(letters() if alphabets is None else alphabets)
    n_states = draw(st.integers(1, max_states))
    states = st.integers(0, n_states - 1)
    size = n_states * len(alphabet)
    delta = np.reshape(draw(st.lists(states, min_size=size, max_size=size)), (n_states, len(alphabet)))
    accept = draw(st.lists(st.booleans(), min_size=n_states, max_size=n_states))
    names = draw(st.none() | st.lists(st.just("") | texts, min_size=n_states, max_size=n_states))
    return DFA(alphabet, delta.astype(np.int32), draw(states), accept, names)
