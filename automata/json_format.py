"""Automata as JSON: one canonical, versioned text for each automaton, read strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

import numpy as np

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.edge_list import check_size, complete_with_sink
from automata.errors import MAX_STATES, AlphabetMismatch, FormatError, ToolkitError, join_words
from automata.file_text import decode_text

FORMAT = "lookback-dfa"
"""What the field "format" says."""

VERSION = 1
"""The version of the format that is written, and the only one that is read."""

_REQUIRED = ("format", "version", "alphabet", "start", "accepting", "transitions")
_FIELDS = (*_REQUIRED, "names")
_SHOWN = 40  # characters of a wrong value that a message shows


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
    """Write a value with its characters as they are, but for halves of surrogate pairs, which UTF-8 cannot hold."""
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
    fields = _fields(decode_text(text, source), source)
    letters = _strings(fields, "alphabet", source)
    try:
        declared = Alphabet(letters)
    except ToolkitError as error:
        raise FormatError(source, None, f'"alphabet": {error}') from None
    if alphabet is not None and alphabet != declared:
        raise AlphabetMismatch(declared.letters, alphabet.letters)
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


def _fields(text: str, source: str) -> dict[str, Any]:
    """Parse the text and return its fields, all known, none missing."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise FormatError(source, None, f"the field {_show(key)} is given twice")
            found[key] = value
        return found

    def refuse(constant: str) -> None:
        raise FormatError(source, None, f"{constant} is not a JSON value; expected an integer")

    try:
        document = json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise FormatError(source, None, "lists or objects are nested too deep for an automaton") from None
    except FormatError:
        raise
    except ValueError:  # Python refuses to convert integers of thousands of digits
        raise FormatError(source, None, "an integer has thousands of digits; states are small integers") from None
    if not isinstance(document, dict):
        raise FormatError(
            source, None, f"expected an object with the fields {_quoted(_REQUIRED)}, found {_show(document)}"
        )
    if "format" in document and document["format"] != FORMAT:
        raise FormatError(source, None, f'"format" is {_show(document["format"])}; expected "{FORMAT}"')
    version = document.get("version", VERSION)
    if isinstance(version, bool) or version != VERSION or not isinstance(version, int):
        raise FormatError(source, None, f'"version" is {_show(version)}; this release reads version {VERSION}')
    missing = [name for name in _REQUIRED if name not in document]
    if missing:
        raise FormatError(source, None, f"the field {_quoted(missing)} is missing")
    for name in document:
        if name not in _FIELDS:
            close = get_close_matches(name, _FIELDS, n=1)
            hint = f'did you mean "{close[0]}"?' if close else f"the fields are {_quoted(_FIELDS)}"
            raise FormatError(source, None, f"unknown field {_show(name)}; {hint}")
    return document


def _list(value: object, name: str, expected: str, source: str) -> list[Any]:
    if not isinstance(value, list):
        raise FormatError(source, None, f"{name} is {_show(value)}; expected {expected}")
    return value


def _strings(fields: dict[str, Any], field: str, source: str) -> tuple[str, ...]:
    items = _list(fields[field], f'"{field}"', "a list of strings", source)
    for i, item in enumerate(items):
        if not isinstance(item, str):
            raise FormatError(source, None, f'"{field}"[{i}] is {_show(item)}; expected a string')
    return tuple(items)


def _state(value: object, n_states: int, name: str, expected: str, source: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < n_states:
        raise FormatError(source, None, f"{name} is {_show(value)}; expected {expected}, 0..{n_states - 1}")
    return value


def _show(value: object) -> str:
    """Write a wrong value as JSON, cut short."""
    if isinstance(value, list | dict):
        return f"a list of {len(value)}" if isinstance(value, list) else "an object"
    text = json.dumps(value) if not isinstance(value, int) or abs(value) < 10**18 else "a huge integer"
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def _quoted(names: Iterable[str]) -> str:
    return join_words([f'"{name}"' for name in names], "and")
