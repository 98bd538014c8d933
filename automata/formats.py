"""Reading and writing automata in every format; the one place that picks a reader by a file's suffix.

==========  =======================  ======================================================================
suffix      functions                what it keeps
==========  =======================  ======================================================================
.json       to_json, from_json       everything: alphabet, states, names; one canonical text an automaton
.att        to_att, from_att         the language; the alphabet stands apart (`read_symbols` reads its table)
.dot .gv    to_dot, from_dot         everything, as a picture for Graphviz
(none)      to_networkx, ...         everything, as a graph for networkx
==========  =======================  ======================================================================

No reader minimises, so that states and names stay as in the file.
"""

from __future__ import annotations

from pathlib import Path

from automata.alphabet import Alphabet
from automata.att_format import from_att, read_symbols, to_att
from automata.dfa import DFA
from automata.dot_format import from_dot, to_dot
from automata.errors import MAX_STATES, FormatError, join_words
from automata.file_text import MAX_BYTES, read_bytes
from automata.json_format import from_json, to_json
from automata.networkx_format import from_networkx, to_networkx

__all__ = [
    "MAX_BYTES",
    "SUFFIXES",
    "from_att",
    "from_dot",
    "from_json",
    "from_networkx",
    "read_automaton",
    "read_symbols",
    "to_att",
    "to_dot",
    "to_json",
    "to_networkx",
]

SUFFIXES = (".json", ".att", ".dot", ".gv")
"""Suffixes of the files that `read_automaton` reads."""


def read_automaton(
    path: str | Path,
    alphabet: Alphabet | None = None,
    max_states: int = MAX_STATES,
    max_bytes: int = MAX_BYTES,
) -> DFA:
    """Read the automaton in a file; its suffix, in capitals or not, tells the format.

    AT&T files need an `alphabet`; where a file declares its own, the one given must be equal. Raise
    `FormatError` if the file is missing, unreadable, malformed or of an unknown kind, `AlphabetMismatch`, and
    `TooLarge` past `max_states` states or `max_bytes` bytes.
    """
    source = str(path)
    file = Path(path)
    data = read_bytes(file, source, max_bytes)
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        found = f"the suffix {file.suffix!r}" if suffix else "no suffix"
        raise FormatError(source, None, f"{found}; expected {join_words(SUFFIXES, 'or')}")
    if suffix == ".json":
        return from_json(data, source, alphabet, max_states)
    if suffix == ".att":
        if alphabet is None:
            raise FormatError(source, None, "an AT&T file does not declare its alphabet; give the alphabet")
        return from_att(data, alphabet, source, max_states)
    return from_dot(data, source, alphabet, max_states)
