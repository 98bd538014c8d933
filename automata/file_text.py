"""The text of a file: bytes to characters, with the place where they are not text."""

from __future__ import annotations

from automata.errors import FormatError


def decode_text(data: str | bytes, source: str) -> str:
    """Return the characters of UTF-8 bytes, or of a string as it is; one byte order mark in front is left out.

    Raise `FormatError` naming `source`, the line and the first byte that is not UTF-8.
    """
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        problem = f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise FormatError(source, line, problem) from None
    return text.removeprefix("\ufeff")
