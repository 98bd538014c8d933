"""A store of experiments: a folder, with a folder in it for each experiment, named by its key.

- store.json says that the folder is a store.
- KEY/experiment.json is the experiment; KEY/run is the folder of its training (`neural.runs`), KEY/losses.jsonl its
  losses (`neural.losses`), KEY/lock the lock that is held while a process is at work on it.

KEY is the first 16 digits of the experiment's key. An experiment is done iff run/metrics.json holds an evaluation. A
process may be killed at any moment: what is done stays done, and a training goes on from its last checkpoint.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from filelock import FileLock, Timeout

from automata.errors import FormatError, ToolkitError
from automata.json_object import read_object
from neural.evaluation import Evaluation
from neural.experiment import Experiment
from neural.files import read_file, write_whole
from neural.losses import LossLog, read_losses
from neural.run_config import Metrics
from neural.runs import CHECKPOINT_EVERY, METRICS, load_run, train_run

MARKER, EXPERIMENT, LOSSES, RUN, LOCK = "store.json", "experiment.json", "losses.jsonl", "run", "lock"
"""The names of the files of a store, and of the folder of a run in it."""

_FORMAT, _VERSION = "lookback-store", 1
_PATIENCE = 2.0  # seconds; whoever only looks whether a lock is held holds it for less

_ONE_AT_A_TIME = threading.Lock()  # torch's random generator and number of threads belong to the process

Phase: TypeAlias = Literal["missing", "running", "unfinished", "done", "broken"]
"""How far an experiment is: nothing there, a process at work on it, begun, done, or a folder that cannot be read."""

Ending: TypeAlias = Literal["done", "stopped", "held"]
"""How work on an experiment ended: done, stopped when told to, or not begun as another process is at work on it."""


@dataclass(frozen=True)
class State:
    """What a store holds of an experiment: the phase, the last step noted, its average loss, what is wrong.

    `trained` tells that the training is over, though perhaps not the evaluation.
    """

    phase: Phase
    step: int = 0
    average_loss: float | None = None
    trained: bool = False
    problem: str | None = None


@dataclass(frozen=True)
class Result:
    """What a finished experiment came to."""

    metrics: Metrics
    evaluation: Evaluation


def open_store(folder: Path) -> None:
    """Make a folder a store if it is new or empty; raise `ToolkitError` if it is something else or unwritable."""
    check_store(folder)
    if (folder / MARKER).exists():
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ToolkitError(f"cannot make the store {str(folder)!r}: {error.strerror or error}") from None
    write_whole(folder / MARKER, (json.dumps({"format": _FORMAT, "version": _VERSION}) + "\n").encode())


def check_store(folder: Path) -> None:
    """Raise `ToolkitError` unless the folder is a store, is empty or is not there."""
    try:
        others = sorted(path.name for path in folder.iterdir() if not path.name.endswith(".tmp"))
    except FileNotFoundError:
        return
    except OSError as error:
        raise ToolkitError(f"cannot use {str(folder)!r} as a store: {error.strerror or error}") from None
    if MARKER in others:
        plain = read_object(read_file(folder / MARKER, "a store"), str(folder / MARKER))
        if plain != {"format": _FORMAT, "version": _VERSION}:
            expected = f'expected "format": "{_FORMAT}" and "version": {_VERSION}'
            raise FormatError(str(folder / MARKER), None, f"{expected}; it is of another program or release")
    elif others:
        raise ToolkitError(f"{str(folder)!r} holds {others[0]!r} and is no store; choose a new or an empty folder")


def folder_of(store: Path, experiment: Experiment) -> Path:
    """Return the folder of an experiment in a store."""
    return store / experiment.key()[:16]


def state_of(store: Path, experiment: Experiment) -> State:
    """Tell how far an experiment is. Nothing is written, and a broken folder is a state too."""
    folder = folder_of(store, experiment)
    try:
        if not (folder / EXPERIMENT).exists():
            return State("missing")
        _check_folder(folder, experiment)
        result = _result(folder)
        if result is not None:
            return State("done", result.metrics.steps, result.metrics.average_loss, trained=True)
        points = read_losses(folder / LOSSES)
    except ToolkitError as error:
        return State("broken", problem=str(error))
    step, loss = points[-1] if points else (0, None)
    trained = (folder / RUN / METRICS).exists()
    return State("running" if _is_held(folder) else "unfinished", step, loss, trained)


def result_of(store: Path, experiment: Experiment) -> Result:
    """Return the result of a finished experiment; raise `ToolkitError` if it is not done, or broken."""
    folder = folder_of(store, experiment)
    _check_folder(folder, experiment)
    result = _result(folder)
    if result is None:
        raise ToolkitError(f"the experiment {experiment.name} is not done in {str(store)!r}; run it first")
    return result


def losses_of(store: Path, experiment: Experiment) -> list[tuple[int, float]]:
    """Return the steps and average losses that a store has of an experiment; raise `FormatError` if damaged."""
    return read_losses(folder_of(store, experiment) / LOSSES)


def perform(store: Path, experiment: Experiment, stop: Callable[[], bool] = lambda: False) -> Ending:
    """Do an experiment in a store, from where it is, and say how that ended.

    `stop` is asked before the training, after every checkpoint and before the evaluation. One experiment at a time is
    done in a process. Raise `ToolkitError` if the folder is broken, something else's or cannot be written, and where
    the training does.
    """
    folder = folder_of(store, experiment)
    with _ONE_AT_A_TIME, _held(folder) as ours:
        if not ours:
            return "held"
        if not (folder / EXPERIMENT).exists():
            write_whole(folder / EXPERIMENT, experiment.to_json().encode())
        _check_folder(folder, experiment)
        if _result(folder) is not None:
            return "done"
        if stop():
            return "stopped"
        with LossLog(folder / LOSSES) as log:
            for progress in train_run(folder / RUN, experiment.config, every=1):
                log.note(progress)
                # A step is told before its checkpoint is made, so here the one before is.
                if progress.step % CHECKPOINT_EVERY == 1 and progress.step > 1 and not progress.finished and stop():
                    return "stopped"
        if stop():
            return "stopped"
        finished = load_run(folder / RUN)
        tests = experiment.evaluation
        finished.record(finished.evaluate(experiment.families(), per_class=tests.per_class, longest=tests.longest))
        return "done"


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Hold the lock of an experiment's folder, which is made; yield False if another process holds it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / LOCK)
        lock.acquire(timeout=_PATIENCE)
    except Timeout:
        yield False
        return
    except OSError as error:
        raise ToolkitError(f"cannot write in {str(folder)!r}: {error.strerror or error}") from None
    try:
        yield True
    finally:
        lock.release()


def _is_held(folder: Path) -> bool:
    """Tell whether a process is at work in an experiment's folder."""
    if not (folder / LOCK).exists():
        return False
    with suppress(OSError):  # a store that cannot be written is not worked on either
        lock = FileLock(folder / LOCK)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return True
        lock.release()
    return False


def _check_folder(folder: Path, experiment: Experiment) -> None:
    """Raise `ToolkitError` unless a folder is that of the experiment, whatever it called the language."""
    path = folder / EXPERIMENT
    found = read_object(read_file(path, "a store"), str(path))
    expected = json.loads(experiment.to_json())
    found.pop("name", None), expected.pop("name")
    if found != expected:
        raise FormatError(
            str(path), None, f"not the experiment {experiment.name}; move the folder away, and it is done anew"
        )


def _result(folder: Path) -> Result | None:
    """Return the result of an experiment, None if it is not done."""
    path = folder / RUN / METRICS
    if not path.exists():
        return None
    metrics = Metrics.from_json(read_file(path, "a store"), str(path))
    return None if metrics.evaluation is None else Result(metrics, Evaluation.from_dict(metrics.evaluation, str(path)))
