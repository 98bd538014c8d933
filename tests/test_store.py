"""Stores: what is done stays done, what was stopped goes on, what is broken or foreign is named and left alone."""

from __future__ import annotations

import errno
import json
import shutil
import threading
import time

import pytest
from filelock import FileLock

from automata.errors import ToolkitError
from neural.runs import CHECKPOINT, CONFIG, METRICS, WEIGHTS, train_run
from neural.store import (
    EXPERIMENT,
    LOCK,
    LOSSES,
    MARKER,
    RUN,
    State,
    check_store,
    folder_of,
    losses_of,
    open_store,
    perform,
    result_of,
    state_of,
)
from neural.train import Training
from tests.tiny_experiments import outcome, tiny

ONE, OTHER = tiny("local-1"), tiny("global")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    open_store(folder)
    for experiment in (ONE, OTHER):
        assert perform(folder, experiment) == "done"
    return folder


@pytest.fixture
def store(made, tmp_path):
    shutil.copytree(made, tmp_path / "store")
    return tmp_path / "store"


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_store_explains_itself(store):
    folder = folder_of(store, ONE)
    assert sorted(path.name for path in store.iterdir()) == sorted(
        [MARKER, *(folder_of(store, experiment).name for experiment in (ONE, OTHER))]
    )
    assert json.loads((folder / EXPERIMENT).read_text())["key"] == ONE.key()
    assert ONE.key().startswith(folder.name)
    assert {path.name for path in folder.iterdir()} - {LOCK} == {EXPERIMENT, LOSSES, RUN}
    assert {path.name for path in (folder / RUN).iterdir()} == {CONFIG, METRICS, WEIGHTS}


def test_the_result(store):
    result = result_of(store, ONE)
    assert result.metrics.steps == 120
    assert result.evaluation.tested_lengths[-1] == 20
    assert [family.fragment for family in result.evaluation.families] == ["LTL[P]"]
    assert state_of(store, ONE) == State("done", 120, result.metrics.average_loss, trained=True)
    points = losses_of(store, ONE)
    assert [step for step, _ in points] == list(range(10, 121, 10))
    assert points[-1][1] == result.metrics.average_loss


def test_what_is_done_is_not_done_again(store, monkeypatch):
    monkeypatch.setattr(Training, "step", None)
    before = contents(store)
    assert perform(store, ONE) == "done"
    assert contents(store) == before


@pytest.mark.parametrize("step", [3, 50, 57, 101, 119])
def test_a_training_that_was_killed_goes_on_with_the_same_result(tmp_path, made, monkeypatch, step):
    take_step = Training.step

    def interrupted(training, examples):
        if training.progress.step == step:
            raise KeyboardInterrupt
        take_step(training, examples)

    open_store(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Training, "step", interrupted)
        with pytest.raises(KeyboardInterrupt):
            perform(tmp_path, ONE)
    assert state_of(tmp_path, ONE).phase == "unfinished"
    assert state_of(tmp_path, ONE).step == step // 10 * 10
    with pytest.raises(ToolkitError, match="is not done"):
        result_of(tmp_path, ONE)
    assert perform(tmp_path, ONE) == "done"
    assert outcome(tmp_path, ONE) == outcome(made, ONE)


def test_an_evaluation_that_was_killed_is_made_without_training_again(tmp_path, made, monkeypatch):
    open_store(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("neural.store.load_run", None)
        with pytest.raises(TypeError):
            perform(tmp_path, ONE)
    assert state_of(tmp_path, ONE) == State("unfinished", 120, result_of(made, ONE).metrics.average_loss, trained=True)
    monkeypatch.setattr(Training, "step", None)
    assert perform(tmp_path, ONE) == "done"
    assert outcome(tmp_path, ONE) == outcome(made, ONE)


def test_work_stops_at_a_checkpoint_when_told(tmp_path, made):
    open_store(tmp_path)
    answers = iter([False, False, True])  # before the training, after step 50, after step 100
    assert perform(tmp_path, ONE, lambda: next(answers)) == "stopped"
    assert state_of(tmp_path, ONE).step == 100
    assert (folder_of(tmp_path, ONE) / RUN / CHECKPOINT).exists()
    assert perform(tmp_path, ONE, lambda: True) == "stopped"
    answers = iter([False, False, True])  # before the training that is left, after the checkpoint, before the tests
    assert perform(tmp_path, ONE, lambda: next(answers)) == "stopped"
    assert state_of(tmp_path, ONE).trained
    assert perform(tmp_path, ONE) == "done"
    assert outcome(tmp_path, ONE) == outcome(made, ONE)


def test_a_folder_that_is_held_is_left_alone(tmp_path):
    open_store(tmp_path)
    folder = folder_of(tmp_path, ONE)
    folder.mkdir()
    with FileLock(folder / LOCK):
        assert perform(tmp_path, ONE) == "held"
        assert state_of(tmp_path, ONE).phase == "missing"
        (folder / EXPERIMENT).write_text(ONE.to_json())
        assert state_of(tmp_path, ONE).phase == "running"
    assert state_of(tmp_path, ONE).phase == "unfinished"


def test_one_experiment_at_a_time_in_a_process(tmp_path, made, monkeypatch):
    # Weights are drawn from torch's own generator, which threads share.
    at_work, most = [], []

    def slow(*arguments, **options):
        at_work.append(1)
        most.append(len(at_work))
        time.sleep(0.2)
        yield from train_run(*arguments, **options)
        at_work.pop()

    monkeypatch.setattr("neural.store.train_run", slow)
    open_store(tmp_path)
    threads = [threading.Thread(target=perform, args=(tmp_path, experiment)) for experiment in (ONE, OTHER)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1, 1]
    for experiment in (ONE, OTHER):
        assert outcome(tmp_path, experiment) == outcome(made, experiment)


def test_opening_twice_and_looking_at_nothing(tmp_path):
    check_store(tmp_path / "new")
    assert not (tmp_path / "new").exists()
    open_store(tmp_path / "deep" / "new")
    open_store(tmp_path / "deep" / "new")
    check_store(tmp_path / "deep" / "new")
    assert state_of(tmp_path / "nowhere", ONE) == State("missing")


def test_a_folder_that_is_no_store(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    for look in (check_store, open_store):
        with pytest.raises(ToolkitError, match=r"'thesis\.tex' and is no store"):
            look(tmp_path)
        with pytest.raises(ToolkitError, match="cannot use"):
            look(tmp_path / "thesis.tex")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("text", ["{}", "{", '{"format": "lookback-store", "version": 2}'])
def test_a_store_of_something_else(tmp_path, text):
    (tmp_path / MARKER).write_text(text)
    with pytest.raises(ToolkitError, match=r"store\.json"):
        open_store(tmp_path)
    assert (tmp_path / MARKER).read_text() == text


@pytest.mark.parametrize("name", [EXPERIMENT, f"{RUN}/{METRICS}"])
def test_a_broken_file_is_named_and_the_others_are_intact(store, name):
    path = folder_of(store, ONE) / name
    path.write_bytes(path.read_bytes()[:-9] + b"\n")
    before = contents(store)
    state = state_of(store, ONE)
    assert state.phase == "broken"
    assert path.name in (state.problem or "")
    for work in (perform, result_of):
        with pytest.raises(ToolkitError, match=path.name):
            work(store, ONE)
    assert state_of(store, OTHER).phase == "done"
    assert contents(store) == before


def test_damaged_losses_of_a_training_under_way(tmp_path):
    open_store(tmp_path)
    answers = iter([False, True])
    assert perform(tmp_path, ONE, lambda: next(answers)) == "stopped"
    path = folder_of(tmp_path, ONE) / LOSSES
    path.write_text("[10, 0.5]\nx\n")
    assert state_of(tmp_path, ONE).phase == "broken"
    with pytest.raises(ToolkitError, match=r"losses\.jsonl, line 2"):
        perform(tmp_path, ONE)


def test_the_folder_of_another_experiment(store):
    folder = folder_of(store, ONE)
    (folder / EXPERIMENT).write_text(OTHER.to_json())
    before = contents(store)
    assert state_of(store, ONE).phase == "broken"
    with pytest.raises(ToolkitError, match=r"experiment\.json: not the experiment ends with a local-1"):
        perform(store, ONE)
    assert contents(store) == before


def test_another_name_of_the_language_is_no_other_experiment(store):
    path = folder_of(store, ONE) / EXPERIMENT
    path.write_text(path.read_text().replace("ends with a", "the last letter is a"))
    assert state_of(store, ONE).phase == "done"


def test_an_evaluation_of_another_release(store):
    path = folder_of(store, ONE) / RUN / METRICS
    plain = json.loads(path.read_text())
    plain["evaluation"] = {"bins": []}
    path.write_text(json.dumps(plain))
    assert state_of(store, ONE).phase == "broken"
    with pytest.raises(ToolkitError, match=r"metrics\.json"):
        result_of(store, ONE)


def test_a_disk_that_is_full(tmp_path, made, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(ToolkitError, match=r"store\.json.*No space left"):
            open_store(tmp_path)
    open_store(tmp_path)
    perform(tmp_path, OTHER)
    before = contents(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(ToolkitError, match="No space left"):
            perform(tmp_path, ONE)
    left = contents(tmp_path)
    assert before.items() <= left.items()
    assert all(not data for path, data in left.items() if path not in before)
    assert perform(tmp_path, ONE) == "done"
    assert outcome(tmp_path, ONE) == outcome(made, ONE)


def test_a_store_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(ToolkitError, match="cannot use"):
        open_store(tmp_path / "file" / "store")
    with pytest.raises(ToolkitError, match="cannot write in"):
        perform(tmp_path / "file", ONE)
