"""Worker processes on this machine: one thread each, replaced when one dies, gone when the parent is."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Protocol, TypeVar

_T = TypeVar("_T")


class Pool(Protocol):
    """What does work elsewhere.

    `room` is how many calls it takes at a time, None if it keeps a queue of its own; `lost` are the exceptions of a
    future whose worker is gone.
    """

    @property
    def room(self) -> int | None: ...  # noqa: D102

    @property
    def lost(self) -> tuple[type[BaseException], ...]: ...  # noqa: D102

    def submit(self, function: Callable[..., _T], /, *args: object) -> Future[_T]:
        """Have a function called with the arguments, all of which can be pickled."""
        ...


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def use_one_thread() -> None:
    """Make torch compute in one thread, unless the user says otherwise; only before torch is loaded has it effect."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")


@contextmanager
def local_pool(processes: int) -> Iterator[Pool]:
    """Give a pool of worker processes, which are ended at once when the context is left, whatever they do.

    A worker that is killed fails the one call that it was at; the next call has a new worker.
    """
    # Nothing is ever written: the workers see the end of the pipe when this process closes it, or is killed.
    reader, writer = get_context("spawn").Pipe(duplex=False)
    pool = _LocalPool([None] * processes, reader)
    try:
        yield pool
    finally:
        writer.close()
        for place in pool.places:
            if place is not None:
                place.executor.shutdown(cancel_futures=True)
        reader.close()


@dataclass(frozen=True, eq=False)
class _Place:
    """A worker process, and the call that it is at or was at last."""

    executor: ProcessPoolExecutor
    future: Future[object]


@dataclass(frozen=True, eq=False)
class _LocalPool:
    """Each place has an executor of one process, so that its death fails no call but its own."""

    places: list[_Place | None]
    reader: Connection
    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)

    @property
    def room(self) -> int:
        return len(self.places)

    def submit(self, function: Callable[..., _T], /, *args: object) -> Future[_T]:
        number = next(i for i, place in enumerate(self.places) if place is None or place.future.done())
        place = self.places[number]
        executor = self._new_executor() if place is None else place.executor
        with signals_held_back():
            try:
                future = executor.submit(function, *args)
            except BrokenExecutor:
                executor = self._new_executor()
                future = executor.submit(function, *args)
        self.places[number] = _Place(executor, future)  # type: ignore[arg-type]
        return future

    def _new_executor(self) -> ProcessPoolExecutor:
        # Workers are started anew, not forked: a fork takes over threads' locks.
        return ProcessPoolExecutor(1, get_context("spawn"), _begin_worker, (self.reader,))


def _begin_worker(parent: Connection) -> None:
    use_one_thread()
    threading.Thread(target=_end_with_parent, args=(parent,), daemon=True).start()


def _end_with_parent(parent: Connection) -> None:
    """End this process as soon as the one that started it closes its end of the pipe or is gone."""
    with suppress(EOFError, OSError):
        parent.recv()
    os._exit(1)


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Hold two signals back, and for ever in processes and threads that are started meanwhile.

    Ctrl-C is the parent's to answer. A pipe whose reader was killed is an error of the thread that writes to it, and no
    end of this process, though `lookback ... | head` is to end quietly.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGPIPE})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
