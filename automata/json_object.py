"""JSON objects of files, read strictly: every field known, none given twice, nothing that is not JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from automata.errors import FormatError, join_words
from automata.file_text import decode_text

_SHOWN = 40  # characters of a wrong value that a message shows


def read_object(data: str | bytes, source: str, expected: str = "an object") -> dict[str, Any]:
    """Return the fields of a JSON object; raise `FormatError` for anything else, and for a field given twice.

    >>> read_object('{"a": NaN}', "my.json")
    Traceback (most recent call last):
    automata.errors.FormatError: my.json: NaN is not a JSON value
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise FormatError(source, None, f"the field {show_value(key)} is given twice")
            found[key] = value
        return found

    def refuse(constant: str) -> None:
        raise FormatError(source, None, f"{constant} is not a JSON value")

    try:
        document = json.loads(decode_text(data, source), object_pairs_hook=unique, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise FormatError(source, None, "lists or objects are nested too deep") from None
    except FormatError:
        raise
    except ValueError:  # Python refuses to convert integers of thousands of digits
        raise FormatError(source, None, "an integer has thousands of digits") from None
    if not isinstance(document, dict):
        raise FormatError(source, None, f"expected {expected}, found {show_value(document)}")
    return document


def check_fields(
    fields: Mapping[str, Any], required: Sequence[str], source: str, *, optional: Sequence[str] = (), where: str = ""
) -> None:
    """Raise `FormatError` unless an object, the field `where` of another if given, has these fields and no others."""
    place = f'"{where}": ' if where else ""
    if missing := [name for name in required if name not in fields]:
        raise FormatError(source, None, f"{place}the field {quote_names(missing)} is missing")
    known = (*required, *optional)
    for name in fields:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f'did you mean "{close[0]}"?' if close else f"the fields are {quote_names(known)}"
            raise FormatError(source, None, f"{place}unknown field {show_value(name)}; {hint}")


def show_value(value: object) -> str:
    """Write a wrong value as JSON, cut short.

    >>> show_value("a" * 50), show_value([1, 2]), show_value(None)
    ('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...', 'a list of 2', 'null')
    """
    if isinstance(value, list | dict):
        return f"a list of {len(value)}" if isinstance(value, list) else "an object"
    text = json.dumps(value) if not isinstance(value, int) or abs(value) < 10**18 else "a huge integer"
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def quote_names(names: Iterable[str]) -> str:
    """Join the names of fields, each in double quotes: "a", "b" and "c"."""
    return join_words([f'"{name}"' for name in names], "and")
