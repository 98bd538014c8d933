"""Files of models, read with errors that name them."""

from __future__ import annotations

from pathlib import Path

from automata.errors import ToolkitError


def read_file(path: Path, of: str = "a model") -> bytes:
    """Return the bytes of a file; raise `ToolkitError` that says what the file should be part of."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise ToolkitError(f"cannot read {str(path)!r}: {error.strerror or error}; expected a file of {of}") from None
