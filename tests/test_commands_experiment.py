"""The commands about grids: run, killed and resumed, two at once, status, table, plot, and mistakes."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lookback.cli import app
from lookback.experiment_file import Grid, read_grid
from neural.store import EXPERIMENT, folder_of, open_store, perform, state_of
from tests.tiny_experiments import GRID, outcome

SMALL, LONG = GRID.format(steps=60), GRID.format(steps=600).replace("seeds = [0, 1]", "seeds = [0]")


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "lookback", "experiment", *map(str, arguments)]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["experiment", *map(str, arguments)])


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    (folder / "small.toml").write_text(SMALL)
    (folder / "long.toml").write_text(LONG)
    return folder


def finished(path: Path, store: Path) -> Grid:
    """Do all experiments of a file in this process."""
    grid = read_grid(path)
    open_store(store)
    for experiment in grid.experiments:
        assert perform(store, experiment) == "done"
    return grid


@pytest.fixture(scope="module")
def small(files: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Grid]:
    store = tmp_path_factory.mktemp("small")
    return files / "small.toml", store, finished(files / "small.toml", store)


@pytest.fixture(scope="module")
def long(files: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Grid]:
    store = tmp_path_factory.mktemp("long")
    return files / "long.toml", store, finished(files / "long.toml", store)


def agree(grid: Grid, store: Path, calm: Path) -> bool:
    return all(outcome(store, experiment) == outcome(calm, experiment) for experiment in grid.experiments)


def wait_for(condition: object, seconds: float = 60) -> None:
    assert callable(condition)
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.05)


# Running


def test_a_command_killed_in_the_middle_goes_on(tmp_path: Path, long: tuple[Path, Path, Grid]) -> None:
    file, calm, grid = long
    store = tmp_path / "store"
    with subprocess.Popen(command("run", file, "--store", store, "--processes", 1), stderr=subprocess.PIPE) as work:
        wait_for(lambda: any(60 < state_of(store, e).step < 600 for e in grid.experiments))
        work.kill()
        assert work.wait() == -signal.SIGKILL
        assert work.stderr is not None
        work.stderr.read()  # the workers have the pipe too: it ends only when they are gone
    phases = [state_of(store, experiment).phase for experiment in grid.experiments]
    assert "done" not in phases
    assert "unfinished" in phases
    again = run("run", file, "--store", store)
    assert again.exit_code == 0, again.stderr
    assert again.stdout == f"2 of 2 experiments done in {store}\n"
    assert "2 of 2 experiments done" in again.stderr
    assert agree(grid, store, calm)


def test_ctrl_c_and_the_time_limit_leave_what_is_needed_to_go_on(tmp_path: Path, long: tuple[Path, Path, Grid]) -> None:
    file, calm, grid = long
    store = tmp_path / "store"
    with subprocess.Popen(
        command("run", file, "--store", store), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as work:
        wait_for(lambda: any(state_of(store, e).step > 60 for e in grid.experiments))
        began = time.monotonic()
        os.killpg(work.pid, signal.SIGINT)  # as a terminal does, to the workers too
        _, errors = work.communicate(timeout=20)
        assert work.returncode == 130
        assert time.monotonic() - began < 10
    assert f"the same command goes on from {store}" in errors.decode()
    assert "Traceback" not in errors.decode()
    limited = run("run", file, "--store", store, "--time-limit", 0)
    assert limited.exit_code == 1
    assert limited.stdout == f"0 of 2 experiments done in {store}\n"
    assert "2 left undone at the time limit" in limited.stderr
    again = run("run", file, "--store", store)
    assert again.exit_code == 0, again.stderr
    assert agree(grid, store, calm)


def test_two_commands_on_one_store(tmp_path: Path, small: tuple[Path, Path, Grid]) -> None:
    file, calm, grid = small
    store = tmp_path / "store"
    works = [
        subprocess.Popen(
            command("run", file, "--store", store, "--processes", 1), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    for work in works:
        said, errors = work.communicate(timeout=120)
        assert (work.returncode, said.decode()) == (0, f"4 of 4 experiments done in {store}\n"), errors
    assert agree(grid, store, calm)


def test_what_is_done_is_there_at_once(small: tuple[Path, Path, Grid]) -> None:
    file, store, _ = small
    done = run("run", file, "--store", store)
    assert (done.exit_code, done.stdout) == (0, f"4 of 4 experiments done in {store}\n")


def test_a_broken_folder_is_named_and_left_alone(tmp_path: Path, small: tuple[Path, Path, Grid]) -> None:
    file, calm, grid = small
    store = tmp_path / "store"
    shutil.copytree(calm, store)
    broken = folder_of(store, grid.experiments[1]) / EXPERIMENT
    broken.write_text("{}")
    for arguments in (["run"], ["table"], ["plot", "--out", tmp_path / "a.svg"]):
        done = run(*arguments, file, "--store", store)
        assert done.exit_code == 1
        assert f"{grid.experiments[1].name}: {broken}" in done.stderr
    assert run("table", file, "--store", store, "--format", "csv").stdout.count("\n") == 3
    assert broken.read_text() == "{}"


# Looking


def test_status(tmp_path: Path, small: tuple[Path, Path, Grid]) -> None:
    file, calm, grid = small
    store = tmp_path / "store"
    assert "missing     4" in run("status", file, "--store", store).stdout
    assert not store.exists()
    shutil.copytree(calm, store)
    shutil.rmtree(folder_of(store, grid.experiments[3]))
    answers = iter([False, True])
    changed = tmp_path / "changed.toml"
    changed.write_text(SMALL.replace("steps = 60", "steps = 61"))
    (first, *_) = read_grid(changed).experiments
    perform(store, first, lambda: next(answers))
    shown = run("status", file, "--store", store).stdout
    assert "done        3" in shown
    assert "missing     1" in shown
    other = run("status", changed, "--store", store).stdout
    assert f"unfinished: {first.name}, step 50 of at most 61" in other
    plain = json.loads(run("status", file, "--store", store, "--json").stdout)
    assert plain["counts"] == {"done": 3, "missing": 1}
    assert [row["phase"] for row in plain["experiments"]] == ["done"] * 3 + ["missing"]
    assert plain["experiments"][0]["folder"] == str(folder_of(store, grid.experiments[0]))


def test_the_store_is_named_after_the_file(
    tmp_path: Path, small: tuple[Path, Path, Grid], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, calm, _ = small
    monkeypatch.chdir(tmp_path)
    shutil.copytree(calm, tmp_path / "results" / "small")
    assert run("run", file).stdout == "4 of 4 experiments done in results/small\n"


@pytest.mark.parametrize("style", ["terminal", "markdown", "latex", "csv"])
def test_tables(style: str, tmp_path: Path, small: tuple[Path, Path, Grid]) -> None:
    file, store, _ = small
    shown = run("table", file, "--store", store, "--format", style)
    assert shown.exit_code == 0
    assert "cannot" in shown.stdout or ",no," in shown.stdout
    assert run("table", file, "--store", store, "--format", style).stdout == shown.stdout
    out = tmp_path / "table"
    written = run("table", file, "--store", store, "--format", style, "--out", out)
    if style == "terminal":
        assert written.exit_code == 2
        assert "give --format" in written.stderr
    else:
        assert written.stdout == ""
        assert out.read_text() == shown.stdout


def test_the_numbers_of_a_table(small: tuple[Path, Path, Grid]) -> None:
    file, store, _ = small
    rows = list(csv.DictReader(run("table", file, "--store", store, "--format", "csv").stdout.splitlines()))
    assert [(row["attention"], row["predicted"], row["done"]) for row in rows] == [
        ("global", "no", "2"),
        ("local-1", "yes", "2"),
    ]
    assert rows[0]["own_pumping_family"]
    assert not rows[1]["own_pumping_family"]


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
@pytest.mark.parametrize("options", [(), ("--loss",)])
def test_figures_are_the_same_bytes_on_every_run(
    ending: str, options: tuple[str, ...], tmp_path: Path, small: tuple[Path, Path, Grid]
) -> None:
    file, store, _ = small
    paths = [tmp_path / f"{name}.{ending}" for name in ("a", "b")]
    for path in paths:
        assert run("plot", file, "--store", store, "--out", path, *options).exit_code == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert paths[0].read_bytes().startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[ending])


# Mistakes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "none.toml"), "none.toml: no such file"),
        (("run", "grid.json"), "its name ends in .toml"),
        (("status", "wrong.toml"), 'wrong.toml: unknown field "sedes"; did you mean "seeds"?'),
        (("table", "wrong.toml"), 'did you mean "seeds"?'),
        (("plot", "right.toml", "--out", "a.jpeg"), "ends in .svg, .png or .pdf"),
        (("plot", "right.toml", "--out", "nowhere/a.svg"), "cannot write 'nowhere/a.svg'"),
        (("run", "right.toml", "--store", "right.toml"), "cannot use 'right.toml' as a store"),
        (("status", "right.toml", "--store", "."), "is no store"),
        (("table", "right.toml", "--store", "."), "is no store"),
        (("run", "right.toml", "--store", "."), "is no store"),
        (("table", "right.toml", "--format", "latex", "--out", "nowhere/t.tex"), "cannot write 'nowhere/t.tex'"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "right.toml").write_text(SMALL)
    (tmp_path / "wrong.toml").write_text(SMALL.replace("seeds", "sedes"))
    found = run(*arguments)
    assert found.exit_code == 2
    assert found.stderr.startswith("lookback: ")
    assert said in found.stderr
    assert "Traceback" not in found.stderr


def test_help() -> None:
    assert run("--help").exit_code == 0
    for name in ("run", "status", "table", "plot"):
        shown = run(name, "--help")
        assert shown.exit_code == 0
        assert "FILE.toml" in shown.stdout
