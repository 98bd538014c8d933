"""Automata as AT&T text (OpenFst, Foma, HFST): one transition a line, the alphabet given apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from reprlib import repr as show_short

import numpy as np

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.edge_list import Edge, EdgeList, to_dfa
from automata.errors import MAX_STATES, FormatError, ToolkitError
from automata.file_text import decode_text
from automata.graph import live_states

EPSILONS = ("<eps>", "<EPS>", "<epsilon>", "@0@")
"""Labels that stand for the empty word, unless the alphabet declares them as letters."""

_INTEGER = re.compile(r"-?[0-9]{1,18}")
_NO_WEIGHT = re.compile(r"[+-]?0*\.?0*")  # zero, the neutral weight of the tropical semiring
_NEVER = ("infinity", "inf")  # the weight by which OpenFst says that a state is not final


def to_att(dfa: DFA) -> str:
    r"""Write an automaton as AT&T text, tab separated: `source target letter letter`, a lone state is final.

    The start state comes first, as the format asks; then the other states in order, then the final ones.
    States from which nothing is accepted are left out, so that the file of the empty language is empty and
    that of {ε} is the one line that makes the start final. Names are not kept. A letter with white space
    cannot be written: `ToolkitError`.

    >>> to_att(DFA(Alphabet.of("ab"), [[1, 0], [1, 2], [2, 2]], 0, [False, True, False]))
    '0\t1\ta\ta\n0\t0\tb\tb\n1\t1\ta\ta\n1\n'
    """
    for letter in dfa.alphabet:
        if re.search(r"[ \t\r\n]", letter):
            problem = f"letter {letter!r} holds a space, tab or line end, which separate the fields of AT&T text"
            raise ToolkitError(f"{problem}; use JSON")
    live = live_states(dfa)
    if not live[dfa.start]:
        return ""
    arcs = {
        q: [
            f"{q}\t{target}\t{letter}\t{letter}\n"
            for letter, target in zip(dfa.alphabet, dfa.delta[q].tolist(), strict=True)
            if live[target]
        ]
        for q in [dfa.start, *np.flatnonzero(live).tolist()]
    }
    finals = [f"{q}\n" for q in arcs if dfa.accept[q]]
    lines = [line for leaving in arcs.values() for line in leaving]
    # A start without arcs accepts, for something is accepted from it: then its own line is the first.
    return "".join(lines + finals if arcs[dfa.start] else finals[:1] + lines + finals[1:])


def from_att(text: str | bytes, alphabet: Alphabet, source: str = "AT&T text", max_states: int = MAX_STATES) -> DFA:
    r"""Read an acceptor over a given alphabet from AT&T text.

    A line is `source target letter letter` or `source target letter`, the fields separated by spaces or tabs,
    the states any integers; a lone state is final. The start is the first state of the first line; an empty
    file is the empty language. Missing transitions lead to a rejecting sink, added as the last state. States
    are numbered in the order of their integers, which become their names unless they are 0, 1, 2, ...
    Nondeterministic files and labels for the empty word (`EPSILONS`) are determinised, without names. The
    weight zero means nothing, and the weight Infinity of a state that it is not final, as OpenFst writes
    them.

    Raise `FormatError` with the line for anything malformed, a letter outside the alphabet, another weight,
    or two different labels (a transducer); `TooLarge` past `max_states` states.

    >>> from_att("0\t1\ta\ta\n1\n", Alphabet.of("ab"))
    DFA(Alphabet(letters=('a', 'b')), [[1, 2], [2, 2], [2, 2]], start=0, accepting=[1])
    """
    silent = {label for label in EPSILONS if label not in alphabet}
    arcs: list[tuple[int, str | None, int, int]] = []
    finals: set[int] = set()
    states: dict[int, None] = {}  # in the order of the file
    for line, fields in _lines(decode_text(text, source)):
        state = _state(fields[0], source, line)
        states[state] = None
        if len(fields) <= 2:
            if len(fields) == 1 or fields[1].lower() not in _NEVER:
                _check_weight(fields[1:], source, line)
                finals.add(state)
            continue
        if len(fields) > 5:
            problem = f"{len(fields)} fields; expected `source target letter letter` or a lone final state"
            raise FormatError(source, line, problem)
        target, letter = _state(fields[1], source, line), fields[2]
        states[target] = None
        if len(fields) > 3 and fields[3] != letter:
            problem = f"reads {show_short(letter)} and writes {show_short(fields[3])}, as a transducer does"
            raise FormatError(source, line, f"{problem}; expected an acceptor")
        _check_weight(fields[4:], source, line)
        arcs.append((state, None if letter in silent else letter, target, line))
    if not states:
        return DFA(alphabet, [[0] * len(alphabet)], 0, [False])
    place = {state: q for q, state in enumerate(sorted(states))}
    listed = EdgeList(
        n_states=len(place),
        edges=tuple(Edge(place[state], letter, place[target], line) for state, letter, target, line in arcs),
        start=place[next(iter(states))],
        accepting=frozenset(place[state] for state in finals),
        names=None if all(state == q for state, q in place.items()) else tuple(map(str, place)),
    )
    return to_dfa(listed, alphabet, source, max_states)


def read_symbols(text: str | bytes, source: str = "symbol table") -> Alphabet:
    r"""Read an alphabet from an OpenFst symbol table: `symbol number` a line; number 0 is ε and left out.

    The letters stand in the order of the lines. `FormatError` names the line that is malformed, or that gives
    a symbol or a number a second time.

    >>> read_symbols("<EPS>\t0\na\t97\nb\t98\n").letters
    ('a', 'b')
    """
    letters: list[str] = []
    symbols: set[str] = set()
    numbers: set[int] = set()
    for line, fields in _lines(decode_text(text, source)):
        if len(fields) != 2 or not _INTEGER.fullmatch(fields[1]):
            raise FormatError(source, line, f"expected `symbol number`, found {show_short(' '.join(fields))}")
        symbol, number = fields[0], int(fields[1])
        if symbol in symbols or number in numbers:
            what = f"symbol {symbol!r}" if symbol in symbols else f"number {number}"
            raise FormatError(source, line, f"{what} is given twice")
        symbols.add(symbol)
        numbers.add(number)
        if number:
            letters.append(symbol)
    return Alphabet(tuple(letters))


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Return the fields of each line that is not blank, with its number."""
    for number, line in enumerate(text.split("\n"), start=1):
        fields = re.findall(r"[^ \t]+", line.removesuffix("\r"))
        if fields:
            yield number, fields


def _state(field: str, source: str, line: int) -> int:
    if not _INTEGER.fullmatch(field):
        raise FormatError(source, line, f"expected a state, an integer of up to 18 digits, found {show_short(field)}")
    return int(field)


def _check_weight(fields: list[str], source: str, line: int) -> None:
    if fields and not (_NO_WEIGHT.fullmatch(fields[0]) and "0" in fields[0]):
        raise FormatError(source, line, f"weight {show_short(fields[0])}; expected an automaton without weights")
