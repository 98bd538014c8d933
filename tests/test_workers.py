"""Worker processes: replaced when one dies, ended with the context and with the parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from lookback.workers import cores, local_pool


def test_cores() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)


def test_a_worker_is_kept_and_computes_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with local_pool(1) as pool:
        assert pool.room == 1
        first = pool.submit(os.getpid).result(timeout=30)
        assert first != os.getpid()
        assert pool.submit(os.getpid).result(timeout=30) == first
        assert pool.submit(os.getenv, "OMP_NUM_THREADS").result(timeout=30) == "1"


def test_a_worker_that_dies_fails_one_call_and_is_replaced() -> None:
    with local_pool(2) as pool:
        slow = pool.submit(time.sleep, 1)
        for _ in range(2):
            with pytest.raises(pool.lost) as found:
                pool.submit(os._exit, 7).result(timeout=30)
            assert isinstance(found.value, BrokenExecutor)
        assert pool.submit(os.getpid).result(timeout=30) > 0
        assert slow.result(timeout=30) is None


def test_what_a_function_raises_is_no_loss_of_the_worker() -> None:
    with local_pool(1) as pool:
        with pytest.raises(ValueError, match="invalid literal"):
            pool.submit(int, "x").result(timeout=30)
        assert pool.submit(int, "7").result(timeout=30) == 7


def test_leaving_the_context_ends_workers_at_once() -> None:
    began = time.monotonic()
    with local_pool(2) as pool:
        pid = pool.submit(os.getpid).result(timeout=30)
        futures = [pool.submit(time.sleep, 60) for _ in range(2)]
    assert time.monotonic() - began < 30
    assert all(isinstance(future.exception(timeout=1), BrokenExecutor) for future in futures)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_dead_worker_does_not_end_a_command_that_ends_quietly_on_closed_pipes() -> None:
    script = """
import os, signal, sys
from lookback.workers import local_pool

if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as the command line does
    for _ in range(3):
        with local_pool(1) as pool:
            pid = pool.submit(os.getpid).result()
            call = pool.submit(os.getpid)
            os.kill(pid, 9)
            call.exception()
            pool.submit(os.getpid).exception()
    print("all well")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "all well\n"), done.stderr


def test_ctrl_c_is_the_parents_alone() -> None:
    with local_pool(1) as pool:
        pid = pool.submit(os.getpid).result(timeout=30)
        call = pool.submit(time.sleep, 2)
        time.sleep(0.5)
        os.kill(pid, signal.SIGINT)
        assert call.exception(timeout=30) is None
        assert pool.submit(os.getpid).result(timeout=30) == pid


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    script = tmp_path / "started.py"
    script.write_text(
        """
import time
from lookback.workers import local_pool

if __name__ == "__main__":
    with local_pool(1) as pool:
        pool.submit(print).result()
        pool.submit(time.sleep, 600)
        print("going", flush=True)
        time.sleep(600)
"""
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        while process.stdout.readline() != b"going\n":
            pass
        process.kill()
        process.communicate(timeout=20)  # the worker has the pipe too: it ends only when the worker is gone
