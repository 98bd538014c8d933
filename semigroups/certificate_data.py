"""Certificates as plain data: reading words strictly, and refusing anything that does not agree with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from automata.alphabet import Alphabet, Word
from automata.errors import ToolkitError


def read_words(
    data: Mapping[str, object], names: Iterable[str], required: Iterable[str], alphabet: Alphabet
) -> dict[str, Word]:
    """Return the words that the data hold under the names; raise `ToolkitError` naming the key that is wrong.

    A word is a string if all letters are single characters, else a list of letters; `required` ones must be there.
    """
    for name in required:
        if name not in data:
            raise ToolkitError(f"certificate key {name!r} is missing")
    return {name: _word(data[name], name, alphabet) for name in names if name in data}


def require_as_written(data: Mapping[str, object], written: Mapping[str, object]) -> None:
    """Raise `ToolkitError` unless the data hold what the certificate itself writes, and nothing else."""
    for name, value in written.items():
        if name not in data:
            raise ToolkitError(f"certificate key {name!r} is missing")
        if data[name] != value:
            raise ToolkitError(f"certificate key {name!r} does not agree with the rest: expected {value!r}")
    for name in data:
        if name not in written:
            raise ToolkitError(f"certificate key {name!r} is unknown")


def _word(value: object, name: str, alphabet: Alphabet) -> Word:
    if alphabet.is_single_character:
        if not isinstance(value, str):
            raise ToolkitError(f"certificate key {name!r} must be a string, not {value!r}")
        word: Word = value
    else:
        if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(a, str) for a in value):
            raise ToolkitError(f"certificate key {name!r} must be a list of letters, not {value!r}")
        word = tuple(value)
    alphabet.encode(word)
    return word
