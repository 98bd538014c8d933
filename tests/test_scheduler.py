"""Experiments side by side: workers that die, folders that are broken, another command on the store, deadlines."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from automata.errors import ToolkitError
from lookback.scheduler import RETRIES, run_experiments, work
from lookback.workers import local_pool
from neural.experiment import Experiment
from neural.runs import CHECKPOINT
from neural.store import EXPERIMENT, LOCK, RUN, State, folder_of, open_store, perform, state_of
from tests.tiny_experiments import outcome, tiny

EXPERIMENTS = [tiny("local-1", 0), tiny("local-1", 1), tiny("global", 0)]


class Inline:
    """A pool that does each call at once, but loses the worker for some experiments."""

    def __init__(self, room: int | None = 1, fatal: tuple[Experiment, ...] = ()) -> None:
        self.room = room
        self.lost = (BrokenExecutor,)
        self.fatal = fatal
        self.calls: Counter[str] = Counter()

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.calls[args[1].key()] += 1
        if args[1] in self.fatal:
            future.set_exception(BrokenExecutor("killed"))
            return future
        try:
            future.set_result(function(*args))
        except BaseException as error:
            future.set_exception(error)
        return future


def quiet(number: int, state: State) -> None:
    assert number >= 0


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("store")
    open_store(store)
    for experiment in EXPERIMENTS:
        assert perform(store, experiment) == "done"
    return store


def test_workers_give_what_one_process_gives(tmp_path: Path, undisturbed: Path) -> None:
    told: list[tuple[int, State]] = []
    with local_pool(2) as pool:
        report = run_experiments(tmp_path, EXPERIMENTS, pool, lambda *news: told.append(news))
    assert (report.done, report.failures) == (3, {})
    for number, experiment in enumerate(EXPERIMENTS):
        assert outcome(tmp_path, experiment) == outcome(undisturbed, experiment)
        states = [state for which, state in told if which == number]
        assert states[0].phase == "missing"
        assert states[-1] == report.states[number] == state_of(undisturbed, experiment)


def test_what_is_done_is_not_done_again(undisturbed: Path) -> None:
    pool = Inline()
    told: list[int] = []
    report = run_experiments(undisturbed, EXPERIMENTS, pool, lambda number, state: told.append(number))
    assert report.done == 3
    assert not pool.calls
    assert told == [0, 1, 2]


def test_a_worker_killed_in_the_middle(tmp_path: Path) -> None:
    long = tiny("local-1", 5, steps=700)
    killed: list[int] = []

    def kill(number: int, state: State) -> None:
        if state.phase == "running" and state.step >= 60 and not killed:
            (worker,) = active_children()
            assert worker.pid is not None
            os.kill(worker.pid, signal.SIGKILL)
            killed.append(state.step)

    with local_pool(1) as pool:
        report = run_experiments(tmp_path / "killed", [long, EXPERIMENTS[0]], pool, kill)
    assert killed
    assert killed[0] < 700
    assert (report.done, report.failures) == (2, {})
    open_store(tmp_path / "calm")
    perform(tmp_path / "calm", long)
    assert outcome(tmp_path / "killed", long) == outcome(tmp_path / "calm", long)


def test_an_experiment_that_always_loses_its_worker_fails_and_the_others_go_on(tmp_path: Path) -> None:
    pool = Inline(fatal=(EXPERIMENTS[0],))
    report = run_experiments(tmp_path, EXPERIMENTS, pool, quiet)
    assert report.done == 2
    assert list(report.failures) == [0]
    assert f"lost {RETRIES + 1} times" in report.failures[0]
    assert [pool.calls[experiment.key()] for experiment in EXPERIMENTS] == [RETRIES + 1, 1, 1]
    assert RETRIES == 3


@pytest.mark.parametrize("room", [1, None])
def test_a_broken_folder_is_named_and_the_others_are_done(tmp_path: Path, room: int | None) -> None:
    open_store(tmp_path)
    folder = folder_of(tmp_path, EXPERIMENTS[1])
    folder.mkdir()
    (folder / EXPERIMENT).write_text("{}")
    report = run_experiments(tmp_path, EXPERIMENTS, Inline(room), quiet)
    assert [state.phase for state in report.states] == ["done", "broken", "done"]
    assert list(report.failures) == [1]
    assert EXPERIMENT in report.failures[1]
    assert (folder / EXPERIMENT).read_text() == "{}"


def test_a_training_that_fails_is_named_once_and_not_tried_again(tmp_path: Path, monkeypatch: Any) -> None:
    def fail(store: Path, experiment: Experiment, stop: Callable[[], bool]) -> str:
        if experiment == EXPERIMENTS[0]:
            raise ToolkitError("the loss became nan at step 3")
        if experiment == EXPERIMENTS[1]:
            raise MemoryError
        return perform(store, experiment, stop)

    monkeypatch.setattr("neural.store.perform", fail)
    pool = Inline()
    report = run_experiments(tmp_path, EXPERIMENTS, pool, quiet)
    assert report.failures == {0: "the loss became nan at step 3", 1: "MemoryError: "}
    assert report.done == 1
    assert set(pool.calls.values()) == {1}


def test_after_the_deadline_nothing_is_begun(tmp_path: Path) -> None:
    pool = Inline()
    report = run_experiments(tmp_path, EXPERIMENTS, pool, quiet, deadline=time.time() - 1)
    assert not pool.calls
    assert (report.done, report.failures) == (0, {})


def test_at_the_deadline_trainings_stop_at_a_checkpoint_and_can_go_on(tmp_path: Path) -> None:
    long = tiny("local-1", 6, steps=30_000)
    began = time.monotonic()
    with local_pool(1) as pool:
        pool.submit(abs, 1).result(timeout=30)
        report = run_experiments(tmp_path, [long], pool, quiet, deadline=time.time() + 5)
    assert time.monotonic() - began < 30
    assert (report.done, report.failures) == (0, {})
    assert report.states[0].phase == "unfinished"
    assert (folder_of(tmp_path, long) / RUN / CHECKPOINT).exists()


def test_an_experiment_that_another_process_is_at_is_waited_for(tmp_path: Path, undisturbed: Path) -> None:
    open_store(tmp_path)
    folder = folder_of(tmp_path, EXPERIMENTS[0])
    folder.mkdir()
    (folder / EXPERIMENT).write_text(EXPERIMENTS[0].to_json())
    lock = FileLock(folder / LOCK, thread_local=False)
    lock.acquire()
    threading.Timer(4, lock.release).start()  # that process gives up
    pool = Inline()
    report = run_experiments(tmp_path, EXPERIMENTS, pool, quiet)
    assert report.done == 3
    assert pool.calls[EXPERIMENTS[0].key()] == 2  # held, then free
    assert outcome(tmp_path, EXPERIMENTS[0]) == outcome(undisturbed, EXPERIMENTS[0])


def test_two_commands_at_once_neither_lose_nor_double(tmp_path: Path, undisturbed: Path) -> None:
    reports = []
    pools = [Inline(), Inline()]

    def command(pool: Inline) -> None:
        reports.append(run_experiments(tmp_path, EXPERIMENTS, pool, quiet))

    threads = [threading.Thread(target=command, args=(pool,)) for pool in pools]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert [report.done for report in reports] == [3, 3]
    for experiment in EXPERIMENTS:
        assert outcome(tmp_path, experiment) == outcome(undisturbed, experiment)


def test_a_folder_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(ToolkitError, match=r"'thesis\.tex' and is no store"):
        run_experiments(tmp_path, EXPERIMENTS, Inline(), quiet)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_work_is_what_workers_are_asked_for(undisturbed: Path) -> None:
    assert work(str(undisturbed), EXPERIMENTS[0], None) == "done"
