"""Dask clusters: a local one whose worker is killed in the middle, SLURM jobs by a stand-in for sbatch, mistakes."""

from __future__ import annotations

import os
import signal
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from automata.errors import ToolkitError
from lookback.cli import app
from lookback.cluster import cluster_pool, slurm_pool
from lookback.scheduler import run_experiments
from neural.store import State, open_store, perform
from tests.tiny_experiments import GRID, outcome, tiny

distributed = pytest.importorskip("distributed")
pytest.importorskip("dask_jobqueue")

LIMIT = 90.0  # seconds after which a test gives up


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path / "dask")
    ) as made:
        yield made


def test_a_worker_of_a_cluster_killed_in_the_middle(tmp_path: Path, cluster: Any) -> None:
    experiments = [tiny("local-1", 5, steps=700), tiny("global", 0)]
    store, calm = tmp_path / "store", tmp_path / "calm"
    killed: list[int] = []

    def kill(number: int, state: State) -> None:
        if state.phase == "running" and 60 <= state.step < 700 and not killed:
            with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
                (pid,) = client.run(os.getpid).values()
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    with cluster_pool(cluster.scheduler_address) as pool:
        assert pool.room is None
        report = run_experiments(store, experiments, pool, kill, deadline=time.time() + LIMIT)
        pid = pool.submit(os.getpid).result(timeout=LIMIT)
    assert killed
    assert pid != killed[0]
    assert (report.done, report.failures) == (2, {})
    open_store(calm)
    for experiment in experiments:
        perform(calm, experiment)
        assert outcome(store, experiment) == outcome(calm, experiment)


def test_an_experiment_that_fails_on_a_cluster_is_named(tmp_path: Path, cluster: Any) -> None:
    experiments = [tiny("local-1"), tiny("global")]
    open_store(tmp_path / "store")
    broken = tmp_path / "store" / experiments[0].key()[:16] / "run"
    broken.mkdir(parents=True)
    (broken / "letter.txt").write_text("dear")
    with cluster_pool(cluster.scheduler_address) as pool:
        report = run_experiments(tmp_path / "store", experiments, pool, _quiet, deadline=time.time() + LIMIT)
    assert report.done == 1
    assert "holds 'letter.txt' and no run" in report.failures[0]


def test_jobs_of_slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A stand-in for SLURM that starts each job at once on this machine.
    commands = tmp_path / "bin"
    commands.mkdir()
    jobs = tmp_path / "jobs"
    _script(commands / "sbatch", f'cp "$1" {jobs}\nsetsid sh {jobs} >/dev/null 2>&1 &\necho "Submitted batch job $!"')
    _script(commands / "scancel", 'kill -9 -- "-$1"')
    monkeypatch.setenv("PATH", f"{commands}:{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    monkeypatch.chdir(tmp_path)
    experiments = [tiny("local-1"), tiny("global")]
    with slurm_pool(1, {"walltime": "00:07:00", "interface": "lo", "queue": "short"}) as pool:
        report = run_experiments(tmp_path / "store", experiments, pool, _quiet, deadline=time.time() + LIMIT)
    assert (report.done, report.failures) == (2, {})
    assert "#SBATCH -p short" in jobs.read_text()
    assert "#SBATCH -t 00:07:00" in jobs.read_text()


def _quiet(number: int, state: State) -> None:
    assert number >= 0


def _script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


# Mistakes


def test_no_cluster_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lookback.cluster._PATIENCE", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://x", ""):
        with (
            pytest.raises(ToolkitError, match=r"no Dask cluster at .*tcp://10\.0\.0\.1:8786"),
            cluster_pool(address),
        ):
            pass


def test_unknown_options_of_slurm() -> None:
    with pytest.raises(ToolkitError, match=r"unknown option 'wall_time'.*did you mean 'walltime'"):
        slurm_pool(1, {"wall_time": "1"}).__enter__()


def test_packages_that_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("distributed", "dask_jobqueue"):
        monkeypatch.setitem(sys.modules, name, None)
    for pool in (cluster_pool("tcp://10.0.0.1:8786"), slurm_pool(1, {})):
        with pytest.raises(ToolkitError, match=r"package distributed.*lookback-attention\[cluster\]"):
            pool.__enter__()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--cluster-option", "queue=x"), "--cluster-option is for the jobs of --cluster slurm"),
        (("--cluster", "tcp://x:1", "--processes", "2"), "has its own number of workers"),
        (("--cluster", "slurm"), "needs the number of jobs"),
        (("--cluster", "slurm", "--processes", "2", "--cluster-option", "queue"), "takes NAME=VALUE"),
        (("--cluster", "slurm", "--processes", "2", "--cluster-option", "quue=x"), "did you mean 'queue'?"),
    ],
)
def test_options_that_do_not_fit(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    (tmp_path / "x.toml").write_text(GRID.format(steps=60))
    found = CliRunner().invoke(
        app, ["experiment", "run", str(tmp_path / "x.toml"), "--store", str(tmp_path / "store"), *options]
    )
    assert found.exit_code == 2
    assert said in found.stderr
