"""The loss of a training, step by step, in a file that only grows.

Each line is a JSON list of a step and the average loss after it, for every tenth step and the last one. A line that a
crash cut short is dropped, and a step that is told again after a resumption is not written again.
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from automata.errors import FormatError, ToolkitError
from neural.train import Progress

EVERY = 10
"""Steps from one point to the next."""


class LossLog:
    """The file of losses of a training under way; a context manager.

    Raise `ToolkitError` where the file cannot be written, and `FormatError` where it is not as this class writes it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        points = read_losses(path)
        self._last = points[-1][0] if points else 0
        try:
            self._file: BinaryIO = path.open("ab")
            self._file.truncate(_whole(path.read_bytes()))
        except OSError as error:
            raise _unwritable(path, error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def note(self, progress: Progress) -> None:
        """Write the point of a step, unless it is written already or between two points.

        Raise `FormatError` if points before it are missing.
        """
        step = progress.step
        if step <= self._last or not (progress.finished or step % EVERY == 0):
            return
        if step > self._last + EVERY:
            raise FormatError(
                str(self.path),
                None,
                f"the losses between step {self._last} and step {step} are missing; "
                "delete the folder of the experiment to train from the start",
            )
        try:
            self._file.write(json.dumps([step, progress.average_loss]).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise _unwritable(self.path, error) from None
        self._last = step


def read_losses(path: Path) -> list[tuple[int, float]]:
    """Return the steps and average losses of a file; none if there is no file, `FormatError` if it is damaged."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ToolkitError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    return _points(data[: _whole(data)], str(path))


def _whole(data: bytes) -> int:
    """Return the length of what was written whole."""
    return data.rfind(b"\n") + 1


def _points(data: bytes, source: str) -> list[tuple[int, float]]:
    points: list[tuple[int, float]] = []
    before = 0
    for number, line in enumerate(data.splitlines(), 1):
        try:
            step, loss = json.loads(line)
            # Only the last point may be nearer to the one before it than the others are.
            fits = type(step) is int and type(loss) is float and before < step <= before + EVERY
            fits = fits and before % EVERY == 0 and 0 <= loss < math.inf
        except (ValueError, TypeError, RecursionError):
            fits = False
        if not fits:
            raise FormatError(source, number, "expected the next step and its average loss, such as [10, 0.69]")
        points.append((step, loss))
        before = step
    return points


def _unwritable(path: Path, error: OSError) -> ToolkitError:
    return ToolkitError(f"cannot write {str(path)!r}: {error.strerror or error}")
