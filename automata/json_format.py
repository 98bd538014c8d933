"""Automata as JSON: one canonical, versioned text for each automaton, read strictly."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from automata.alphabet import Alphabet, require_same_alphabet
from automata.dfa import DFA
from automata.edge_list import check_size, complete_with_sink
from automata.errors import MAX_STATES, FormatError, ToolkitError
from automata.json_object import check_fields, quote_names, read_object, show_value

FORMAT = "lookback-dfa"
"""What the field "format" says."""

VERSION = 1
"""The version of the format that is written, and the only one that is read."""

_REQUIRED = ("format", "version", "alphabet", "start", "accepting", "transitions")


def to_json(dfa: DFA) -> str:
    """Write an automaton as JSON; equal automata with equal names give the same text.

    `transitions[q][a]` is the state reached from state q by the letter alphabet[a].

    >>> print(to_json(DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])), end="")
    {
      "format": "lookback-dfa",
      "version": 1,
      "alphabet": ["a", "b"],
      "start": 0,
      "accepting": [1],
      "transitions": [
        [1, 0],
        [1, 0]
      ]
    }
    """
    rows = ",\n    ".join(json.dumps(row) for row in dfa.delta.tolist())
    fields = [
        ("format", _dump(FORMAT)),
        ("version", _dump(VERSION)),
        ("alphabet", _dump(list(dfa.alphabet))),
        ("start", _dump(dfa.start)),
        ("accepting", _dump(np.flatnonzero(dfa.accept).tolist())),
        ("transitions", f"[\n    {rows}\n  ]"),
    ]
    if dfa.names is not None:
        fields.append(("names", _dump(list(dfa.names))))
    return "{\n" + ",\n".join(f'  "{name}": {value}' for name, value in fields) + "\n}\n"


def _dump(value: object) -> str:
    """Write a value with its characters as they are, but for control characters and halves of surrogate pairs."""
    text = json.dumps(value, ensure_ascii=False)
    return re.sub("[\ud800-\udfff\x7f-\x9f\u2028\u2029]", lambda found: f"\\u{ord(found.group()):04x}", text)


def from_json(
    text: str | bytes,
    source: str = "JSON text",
    alphabet: Alphabet | None = None,
    max_states: int = MAX_STATES,
) -> DFA:
    """Read an automaton as `to_json` writes it.

    A transition may be null: what is missing leads to a rejecting sink, added as the last state. Everything
    else is strict: `FormatError` names the field that is missing, unknown, given twice or of the wrong kind.
    An `alphabet` given must be the file's, else `AlphabetMismatch`; more than `max_states` states raise
    `TooLarge`.
    """
    fields = _fields(text, source)
    letters = _strings(fields, "alphabet", source)
    try:
        declared = Alphabet(letters)
    except ToolkitError as error:
        raise FormatError(source, None, f'"alphabet": {error}') from None
    if alphabet is not None:
        require_same_alphabet(declared, alphabet)
    rows = _list(fields["transitions"], '"transitions"', "a list with one row for each state", source)
    n_states = len(rows)
    if not n_states:
        raise FormatError(source, None, '"transitions" is empty; an automaton has at least one state')
    check_size(n_states, len(letters), source, max_states)
    for q, row in enumerate(rows):
        name = f'"transitions"[{q}]'
        _list(row, name, f"a list of {len(letters)} states", source)
        if len(row) != len(letters):
            raise FormatError(source, None, f"{name} has {len(row)} entries; the alphabet has {len(letters)} letters")
        for a, target in enumerate(row):
            if target is not None:
                _state(target, n_states, f"{name}[{a}]", "a state or null", source)
    start = _state(fields["start"], n_states, '"start"', "a state", source)
    accept = np.zeros(n_states, dtype=np.bool_)
    for i, q in enumerate(_list(fields["accepting"], '"accepting"', "a list of states", source)):
        _state(q, n_states, f'"accepting"[{i}]', "a state", source)
        if accept[q]:
            raise FormatError(source, None, f'"accepting" lists state {q} twice')
        accept[q] = True
    names = _strings(fields, "names", source) if "names" in fields else None
    if names is not None and len(names) != n_states:
        raise FormatError(source, None, f'"names" has {len(names)} entries for {n_states} states')
    table = np.array([[-1 if q is None else q for q in row] for row in rows], dtype=np.int32)
    return complete_with_sink(declared, table.reshape(n_states, len(letters)), start, accept, names)


def _fields(text: str | bytes, source: str) -> dict[str, Any]:
    """Return the fields of the text, all known, none missing."""
    document = read_object(text, source, f"an object with the fields {quote_names(_REQUIRED)}")
    if "format" in document and document["format"] != FORMAT:
        raise FormatError(source, None, f'"format" is {show_value(document["format"])}; expected "{FORMAT}"')
    version = document.get("version", VERSION)
    if isinstance(version, bool) or version != VERSION or not isinstance(version, int):
        raise FormatError(source, None, f'"version" is {show_value(version)}; this release reads version {VERSION}')
    check_fields(document, _REQUIRED, source, optional=("names",))
    return document


def _list(value: object, name: str, expected: str, source: str) -> list[Any]:
    if not isinstance(value, list):
        raise FormatError(source, None, f"{name} is {show_value(value)}; expected {expected}")
    return value


def _strings(fields: dict[str, Any], field: str, source: str) -> tuple[str, ...]:
    items = _list(fields[field], f'"{field}"', "a list of strings", source)
    for i, item in enumerate(items):
        if not isinstance(item, str):
            raise FormatError(source, None, f'"{field}"[{i}] is {show_value(item)}; expected a string')
    return tuple(items)


def _state(value: object, n_states: int, name: str, expected: str, source: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < n_states:
        raise FormatError(source, None, f"{name} is {show_value(value)}; expected {expected}, 0..{n_states - 1}")
    return value
