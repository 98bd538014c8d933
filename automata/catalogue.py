"""Named regular languages and parametric families, each with its alphabet, description and source."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

import numpy as np

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import MAX_STATES, TooLarge, ToolkitError, join_words
from automata.minimize import minimize
from automata.nfa import NFA, determinize
from automata.operations import complete

_P1 = "Li & Cotterell 2025, arXiv 2505.23623"
_P2 = "Li & Cotterell 2026, arXiv 2605.00768"
_TOMITA = "Tomita 1982, Dynamic construction of finite automata from examples using hill-climbing"
_TEXTBOOK = "textbook example"


@dataclass(frozen=True)
class Language:
    """A named regular language: description, source, and the minimal automaton, which holds the alphabet."""

    name: str
    description: str
    source: str
    dfa: DFA


@dataclass(frozen=True)
class _Entry:
    """A language as a function of its alphabet."""

    name: str
    letters: str  # of the default alphabet, spaced
    description: str
    source: str
    build: Callable[[Alphabet], DFA]


@dataclass(frozen=True)
class _WordFamily:
    """Languages named by a word; `pattern` ends with WORD, and {0} in the description is the word."""

    pattern: str
    letters: str
    description: str
    source: str
    build: Callable[[Alphabet, Sequence[str]], DFA]


@dataclass(frozen=True)
class _NumberFamily:
    """Languages named by a number; `pattern` ends with N, and {0} in the description is the number.

    `least` is the least number and `log_states` the logarithm to base 2 of the number of states.
    """

    pattern: str
    letters: str
    description: str
    source: str
    least: int
    log_states: Callable[[int], float]
    build: Callable[[Alphabet, int], DFA]


def names() -> tuple[str, ...]:
    """Return the listed names; `families` adds those with a parameter."""
    return _LISTED


def families() -> tuple[str, ...]:
    """Return the patterns of names with a parameter, WORD a word over the alphabet, N a number."""
    return tuple(family.pattern for family in (*_WORD_FAMILIES, *_NUMBER_FAMILIES))


def language(name: str, alphabet: Alphabet | None = None, max_states: int = MAX_STATES) -> Language:
    """Return the language of a name, over another alphabet than the default one if it is given.

    Σ in a description is the set of all letters, so the language grows with the alphabet. Raise
    `UnknownLetter` if the alphabet lacks a letter that the language needs, `TooLarge` beyond `max_states`,
    and `ToolkitError`, with the nearest names, if there is no such name.

    >>> language("ends-with-ab").dfa.accepts("bbab")
    True
    >>> language("contains-cc", Alphabet.of("cd")).description
    'Σ*ccΣ*: the factor cc occurs'
    """
    for entry in _ENTRIES:
        if name == entry.name:
            dfa = entry.build(_alphabet(entry.letters, alphabet))
            return Language(name, entry.description, entry.source, minimize(dfa))
    for words in _WORD_FAMILIES:
        if text := _parameter(name, words.pattern, "WORD"):
            letters = _alphabet(words.letters, alphabet)
            word = letters.decode(letters.encode(text))
            dfa = words.build(letters, word)
            return Language(name, words.description.format(letters.show(word)), words.source, minimize(dfa))
    for numbers in _NUMBER_FAMILIES:
        if text := _parameter(name, numbers.pattern, "N"):
            number = _read_number(text, numbers, max_states)
            dfa = numbers.build(_alphabet(numbers.letters, alphabet), number)
            return Language(name, numbers.description.format(number), numbers.source, minimize(dfa))
    near = [repr(other) for other in get_close_matches(name, _LISTED + families(), n=3, cutoff=0.5)]
    hint = f"did you mean {join_words(near, 'or')}?" if near else f"it has {join_words(_LISTED + families(), 'and')}"
    raise ToolkitError(f"there is no language named {name!r} in the catalogue; {hint}")


def _alphabet(default: str, asked: Alphabet | None) -> Alphabet:
    return Alphabet.of(default.split()) if asked is None else asked


def _parameter(name: str, pattern: str, placeholder: str) -> str:
    """Return what stands in a name for the placeholder of a pattern; nothing if the pattern does not match."""
    prefix = pattern.removesuffix(placeholder)
    return name.removeprefix(prefix) if name.startswith(prefix) else ""


def _read_number(text: str, family: _NumberFamily, max_states: int) -> int:
    """Read the number of a family's member and see that its automaton is not too large."""
    if not re.fullmatch("[0-9]{1,12}", text) or int(text) < family.least:
        raise ToolkitError(f"{family.pattern} takes a number N from {family.least} on, not {text!r}")
    if (size := family.log_states(int(text))) > np.log2(max_states):
        states = round(2 ** min(size, 60))
        raise TooLarge(f"the automaton of {family.pattern}, N = {text}", states, max_states)
    return int(text)


_Letters: TypeAlias = Iterable[str]


def _monomial(alphabet: Alphabet, *parts: _Letters) -> DFA:
    """Return the automaton of B0* A1 B1* A2 ... Ak Bk*, the parts being the sets of letters B0, A1, B1, ... in turn.

    One state for each loop, letters repeated in a part counting once; a part without letters is the empty
    set.
    """
    edges = []
    for i, part in enumerate(parts):
        codes = alphabet.encode(sorted(set(part))).tolist()
        edges += [(i // 2, code, (i + 1) // 2) for code in codes]
    n_states = len(parts) // 2 + 1
    return determinize(NFA(alphabet, edges, starts=[0], accept=np.arange(n_states) == n_states - 1))


def _spelled(word: Iterable[str]) -> list[_Letters]:
    """Return the parts of a monomial that spell a word, without loops between its letters."""
    parts: list[_Letters] = []
    for letter in word:
        parts += [[letter], []]
    return parts[:-1]


def _others(alphabet: Alphabet, *letters: str) -> list[str]:
    """Return Σ without some letters, which must be in it."""
    alphabet.encode(letters)
    return [letter for letter in alphabet if letter not in letters]


def _cycle(alphabet: Alphabet, n: int, steps: dict[str, int]) -> DFA:
    """Return the automaton that adds the steps of the letters modulo n and accepts at 0; other letters add 0."""
    alphabet.encode(list(steps))
    add = np.array([steps.get(letter, 0) for letter in alphabet], dtype=np.int64)
    return DFA(alphabet, (np.arange(n)[:, None] + add) % n, 0, np.arange(n) == 0)


def _partial(alphabet: Alphabet, transitions: str, accepting: str) -> DFA:
    """Return the automaton of transitions such as "paq qbp": state, letter, state; the first state starts."""
    rows = [(edge[0], edge[1], edge[2]) for edge in transitions.split()]
    return complete(alphabet, rows, rows[0][0], accepting)


def _bounded_dyck(alphabet: Alphabet, depth: int) -> DFA:
    opening, closing = alphabet.encode(["a", "b"]).tolist()
    delta = np.full((depth + 2, len(alphabet)), depth + 1)
    delta[:depth, opening] = np.arange(1, depth + 1)
    delta[1 : depth + 1, closing] = np.arange(depth)
    return DFA(alphabet, delta, 0, np.arange(depth + 2) == 0)


def _letter_from_end(alphabet: Alphabet, n: int) -> DFA:
    """Return the automaton whose states' bits tell at which of the last n positions there was an a."""
    states = np.arange(2**n)[:, None]
    is_a = np.zeros(len(alphabet), dtype=np.int64)
    is_a[alphabet.encode(["a"])] = 1
    return DFA(alphabet, (2 * states + is_a) % 2**n, 0, np.arange(2**n) >= 2 ** (n - 1))


def _contains(alphabet: Alphabet, word: Sequence[str]) -> DFA:
    return _monomial(alphabet, alphabet, *_spelled(word), alphabet)


def _scattered(alphabet: Alphabet, word: Sequence[str]) -> DFA:
    parts: list[_Letters] = [alphabet]
    for letter in word:
        parts += [[letter], alphabet]
    return _monomial(alphabet, *parts)


def _rdp_1(s: Alphabet) -> DFA:
    return _monomial(s, _others(s, "b0"), ["a"], _others(s, "a", "b1"))


def _ldp_2(s: Alphabet) -> DFA:
    return _monomial(s, _others(s, "a1", "b0"), ["a1"], _others(s, "a2", "b1"), ["a2"], _others(s, "b2"))


_RDP_1 = "(Σ\\{b0})* a (Σ\\{a,b1})*: no b0 before the last a and no b1 after it"

_ENTRIES = (
    _Entry("contains-ab-2", "a b", "Σ*abΣ*: the factor ab occurs", _P2, lambda s: _contains(s, "ab")),
    _Entry("a-then-b", "a b c", "Σ*aΣ*bΣ*: some b after some a", _P2, lambda s: _scattered(s, "ab")),
    _Entry(
        "a-to-b",
        "a b",
        "aΣ*b: first letter a, last letter b",
        _TEXTBOOK,
        lambda s: _monomial(s, [], "a", s, "b", []),
    ),
    _Entry("ab-star", "a b", "(ab)*", _P2, lambda s: _partial(s, "paq qbp", "p")),
    _Entry("even-length", "a b", "(ΣΣ)*: even length", _TEXTBOOK, lambda s: _cycle(s, 2, dict.fromkeys(s, 1))),
    _Entry("parity-b", "a b", "an even number of b", _TEXTBOOK, lambda s: _cycle(s, 2, {"b": 1})),
    _Entry("rdp-1", "a b0 b1", _RDP_1, _P1, _rdp_1),
    _Entry("rdp-1-extra-letter", "a b0 b1 c", _RDP_1, _P1, _rdp_1),
    _Entry(
        "ldp-1",
        "a b0 b1 c",
        "(Σ\\{a,b0})* a (Σ\\{b1})*: no b0 before the first a and no b1 after it",
        _P1,
        lambda s: _monomial(s, _others(s, "a", "b0"), ["a"], _others(s, "b1")),
    ),
    _Entry("ldp-2", "a1 a2 b0 b1 b2", "(Σ\\{a1,b0})* a1 (Σ\\{a2,b1})* a2 (Σ\\{b2})*", _P1, _ldp_2),
    _Entry("tomita-1", "0 1", "1*", _TOMITA, lambda s: _monomial(s, "1")),
    _Entry("tomita-2", "0 1", "(10)*", _TOMITA, lambda s: _partial(s, "p1q q0p", "p")),
    _Entry(
        "tomita-3",
        "0 1",
        "no odd run of 0s anywhere after an odd run of 1s",
        _TOMITA,
        lambda s: _partial(s, "p0p p1q q1p q0r r0s s0r s1s", "pqs"),
    ),
    _Entry("tomita-4", "0 1", "no 000", _TOMITA, lambda s: _partial(s, "p1p p0q q1p q0r r1p", "pqr")),
    _Entry(
        "tomita-5",
        "0 1",
        "an even number of 0s and an even number of 1s",
        _TOMITA,
        lambda s: _partial(s, "p0q q0p r0s s0r p1r r1p q1s s1q", "p"),
    ),
    _Entry(
        "tomita-6",
        "0 1",
        "the numbers of 0s and of 1s are equal modulo 3",
        _TOMITA,
        lambda s: _cycle(s, 3, {"0": 1, "1": 2}),
    ),
    _Entry("tomita-7", "0 1", "0*1*0*1*", _TOMITA, lambda s: _partial(s, "p0p p1q q1q q0r r0r r1s s1s", "pqrs")),
)

_WORD_FAMILIES = (
    _WordFamily(
        "begins-with-WORD",
        "a b",
        "{0}Σ*: begins with {0}",
        _P2,
        lambda s, word: _monomial(s, [], *_spelled(word), s),
    ),
    _WordFamily(
        "ends-with-WORD", "a b", "Σ*{0}: ends with {0}", _P2, lambda s, word: _monomial(s, s, *_spelled(word), [])
    ),
    _WordFamily("contains-WORD", "a b c", "Σ*{0}Σ*: the factor {0} occurs", _P2, _contains),
    _WordFamily("sequence-WORD", "a b c", "the letters of {0} occur in this order, perhaps apart", _P2, _scattered),
)

_NUMBER_FAMILIES = (
    _NumberFamily(
        "dyck-N",
        "a b",
        "a opens, b closes, at most {0} open at a time, none at the end",
        _P2,
        0,
        lambda n: math.log2(n + 2),
        _bounded_dyck,
    ),
    _NumberFamily(
        "mod-N",
        "a b",
        "the length is a multiple of {0}",
        _TEXTBOOK,
        1,
        math.log2,
        lambda s, n: _cycle(s, n, dict.fromkeys(s, 1)),
    ),
    _NumberFamily("y-N", "a b", "letter number {0} from the end is a", _TEXTBOOK, 1, float, _letter_from_end),
)

_LISTED = (
    "begins-with-a",
    "begins-with-bb",
    "ends-with-a",
    "ends-with-ab",
    "contains-a",
    "contains-ab",
    "dyck-2",
    "dyck-3",
    *(entry.name for entry in _ENTRIES),
)
