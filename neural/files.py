"""Files of models: read with errors that name them, written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from automata.errors import ToolkitError


def read_file(path: Path, of: str = "a model") -> bytes:
    """Return the bytes of a file; raise `ToolkitError` that says what the file should be part of."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise ToolkitError(f"cannot read {str(path)!r}: {error.strerror or error}; expected a file of {of}") from None


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; raise `ToolkitError` where it cannot be written."""
    # Not the process id: processes of other machines may write in the same folder.
    temporary = path.with_name(f".{path.name}.{uuid4().hex}.tmp")
    try:
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:  # an interruption too leaves no half behind
            with suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        raise ToolkitError(f"cannot write {str(path)!r}: {error.strerror or error}") from None
