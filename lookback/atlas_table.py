"""The table of an atlas: one row a language, as CSV, Parquet or JSON lines."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from automata.errors import ToolkitError, join_words
from lookback.atlas import Record

_FIRST = ("language", "error", "letters", "states", "semigroup", "monoid", "circuit class")
_ORDER = "order: "
_GROUPS = ("fragments", "architectures", "varieties", "orders")


def write_table(path: Path, records: Sequence[Record]) -> None:
    """Write the records in the format that the path's ending names; the file appears whole or not at all.

    CSV and Parquet hold one column for each answer: yes, no or empty (not known) in CSV, Boolean values in Parquet.
    JSON lines hold whole records, as `lookback classify --json` prints them, with certificates. Raise `ToolkitError`
    for another ending, and where the file cannot be written.
    """
    data = writer(path)(records)
    unfinished = path.with_name(f"{path.name}.writing")
    try:
        unfinished.write_bytes(data)
        os.replace(unfinished, path)
    except OSError as error:
        raise ToolkitError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


def writer(path: Path) -> Callable[[Sequence[Record]], bytes]:
    """Return what turns records into the bytes of a file with this ending; raise `ToolkitError` for an unknown one."""
    if path.suffix.lower() not in _WRITERS:
        endings = join_words(list(_WRITERS), "or")
        raise ToolkitError(f"{str(path)!r}: the table's name must end in {endings}, which says its format")
    return _WRITERS[path.suffix.lower()]


def row(record: Record) -> dict[str, Any]:
    """Return a record as one row: the answers of all groups side by side, certificates left out.

    >>> row({"language": "a(", "error": "1:3: expected a letter", "classification": None})["error"]
    '1:3: expected a letter'
    """
    plain = record["classification"] or {}
    letters = json.dumps(plain["alphabet"], ensure_ascii=False) if plain else None
    answers: dict[str, Any] = {
        "language": record["language"],
        "error": record["error"],
        "letters": letters,
        "states": plain.get("states"),
        "semigroup": plain.get("semigroup"),
        "monoid": plain.get("monoid"),
        "circuit class": plain.get("circuit class"),
    }
    for group in _GROUPS:
        for name, value in plain.get(group, {}).items():
            answers[f"{_ORDER}{name}" if group == "orders" else name] = (
                value["holds"] if isinstance(value, dict) else value
            )
    return answers


def _rows(records: Sequence[Record]) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the columns in order and the rows, each with a value for each column."""
    rows = [row(record) for record in records]
    columns = list(dict.fromkeys(name for names in [_FIRST, *rows] for name in names))
    return columns, [{name: found.get(name) for name in columns} for found in rows]


def _to_csv(records: Sequence[Record]) -> bytes:
    columns, rows = _rows(records)
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(columns)
    table.writerows([_cell(found[name]) for name in columns] for found in rows)
    return text.getvalue().encode("utf-8", "backslashreplace")


def _cell(value: Any) -> Any:
    return {True: "yes", False: "no", None: ""}[value] if value is None or isinstance(value, bool) else value


def _to_json_lines(records: Sequence[Record]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def _to_parquet(records: Sequence[Record]) -> bytes:
    import pyarrow
    from pyarrow import parquet

    columns, rows = _rows(records)
    texts, numbers = ("language", "error", "letters", "circuit class"), ("states", "semigroup", "monoid")
    arrays = {}
    for name in columns:
        counts = name in numbers or name.startswith(_ORDER)
        kind = pyarrow.string() if name in texts else pyarrow.int64() if counts else pyarrow.bool_()
        arrays[name] = pyarrow.array([found[name] for found in rows], type=kind)
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.table(arrays), buffer)
    return buffer.getvalue()


_WRITERS: dict[str, Callable[[Sequence[Record]], bytes]] = {
    ".csv": _to_csv,
    ".parquet": _to_parquet,
    ".jsonl": _to_json_lines,
}
