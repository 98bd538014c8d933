"""From automata to regular expressions, by eliminating states."""

from __future__ import annotations

from automata.dfa import DFA
from automata.errors import TooLarge
from automata.regex_tree import EMPTY, EPSILON, Concatenation, Letters, Regex, Repetition, Union

MAX_SIZE = 1_000_000


def dfa_to_regex(dfa: DFA, max_size: int = MAX_SIZE) -> Regex:
    """Return an expression."""
    raise NotImplementedError
