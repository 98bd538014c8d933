"""The text of a file: its bytes, and bytes to characters, with the place where they are not text."""

from __future__ import annotations

from pathlib import Path

from automata.errors import FormatError, TooLarge

MAX_BYTES = 64 * 2**20
"""Size of the largest file that is read unless the caller says otherwise."""


def read_bytes(file: Path, source: str, max_bytes: int = MAX_BYTES) -> bytes:
    """Read a file; raise `FormatError` if it is missing, unreadable or no file, `TooLarge` past `max_bytes` bytes."""
    try:
        if file.is_dir():
            raise FormatError(source, None, "a directory; expected a file")
        if not file.exists():
            raise FormatError(source, None, "no such file")
        if not file.is_file():
            raise FormatError(source, None, "a device or pipe; expected a file")
        size = file.stat().st_size
        if size > max_bytes:
            raise TooLarge(f"bytes of {source}", size, max_bytes, "max_bytes", on_command_line=False)
        return file.read_bytes()
    except OSError as error:
        raise FormatError(source, None, f"cannot be read: {error.strerror}") from None


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
