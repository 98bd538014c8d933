"""Runs: the folder, interruption and resumption, reading back, refusing what is not a run."""

from __future__ import annotations

import errno
import json
from dataclasses import replace
from pathlib import Path

import pytest

from automata.dfa import DFA
from automata.errors import ToolkitError
from ltl.fragment import LTL_P
from neural.checkpoint import dump_weights
from neural.pattern import AttentionPattern
from neural.run_config import RunConfig
from neural.runs import CHECKPOINT, CONFIG, METRICS, WEIGHTS, load_run, train_run
from neural.train import TrainConfig, Training, train
from neural.transformer import TransformerConfig
from semigroups.certificate import PumpingFamily
from tests.strategies import AB

ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
TINY = TransformerConfig(AttentionPattern("hybrid", 1), layers=1, heads=2, width=8, feedforward=8)
RUN = RunConfig(ENDS_WITH_A, TINY, TrainConfig(steps=25, max_length=8))


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


@pytest.fixture
def finished(tmp_path):
    directory = tmp_path / "deep" / "run"
    list(train_run(directory, RUN))
    return directory


def test_a_run_leaves_configuration_weights_and_metrics(finished):
    assert names(finished) == sorted([CONFIG, METRICS, WEIGHTS])
    run = load_run(finished)
    training = Training(ENDS_WITH_A, TINY, RUN.recipe)
    last = list(train(training))[-1]
    assert run.config == RUN
    assert dump_weights(run.model) == dump_weights(training.model)
    assert (run.metrics.steps, run.metrics.loss, run.metrics.average_loss) == (25, last.loss, last.average_loss)
    assert not run.metrics.converged
    assert run.metrics.cpu_seconds > 0


def test_progress_every_few_steps_and_at_the_end(tmp_path):
    assert [progress.step for progress in train_run(tmp_path, RUN, every=10)] == [10, 20, 25]


@pytest.mark.parametrize("step", [3, 10, 17, 24])
def test_an_interrupted_run_resumes_with_the_same_result(tmp_path, finished, monkeypatch, step):
    take_step = Training.step

    def interrupted(training, examples):
        if training.progress.step == step:
            raise KeyboardInterrupt
        take_step(training, examples)

    with monkeypatch.context() as patch:
        patch.setattr(Training, "step", interrupted)
        with pytest.raises(KeyboardInterrupt):
            list(train_run(tmp_path / "run", RUN, checkpoint_every=5))
    assert not (tmp_path / "run" / METRICS).exists()
    assert (tmp_path / "run" / CHECKPOINT).exists() == (step >= 5)
    with pytest.raises(ToolkitError, match="not finished"):
        load_run(tmp_path / "run")
    first = next(iter(train_run(tmp_path / "run", RUN, every=1, checkpoint_every=5)))
    assert first.step == step // 5 * 5 + 1
    assert list(train_run(tmp_path / "run", RUN, checkpoint_every=5))[-1].finished
    assert names(tmp_path / "run") == sorted([CONFIG, METRICS, WEIGHTS])
    assert (tmp_path / "run" / WEIGHTS).read_bytes() == (finished / WEIGHTS).read_bytes()
    assert load_run(tmp_path / "run").metrics.average_loss == load_run(finished).metrics.average_loss


def test_a_finished_run_is_not_trained_again(finished):
    before = (finished / WEIGHTS).stat().st_mtime_ns
    (progress,) = train_run(finished, RUN)
    assert (progress.step, progress.finished) == (25, True)
    assert (finished / WEIGHTS).stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (replace(RUN, recipe=replace(RUN.recipe, seed=1)), "its seed is 0, not 1"),
        (replace(RUN, shape=replace(TINY, layers=2)), "its layers is 1, not 2"),
        (replace(RUN, shape=replace(TINY, pattern=AttentionPattern("global"))), "its pattern is"),
        (replace(RUN, dfa=DFA(AB, [[0, 0]], 0, [True])), "another automaton"),
    ],
)
def test_another_run_in_the_folder_is_left_alone(finished, other, difference):
    before = {path: path.read_bytes() for path in finished.iterdir()}
    with pytest.raises(ToolkitError, match=difference):
        list(train_run(finished, other))
    assert {path: path.read_bytes() for path in finished.iterdir()} == before


@pytest.mark.parametrize("checkpoint_every", [5, 50])
def test_a_folder_taken_by_another_run_meanwhile_gets_nothing_of_this_one(tmp_path, checkpoint_every):
    training = train_run(tmp_path, RUN, every=1, checkpoint_every=checkpoint_every)
    next(training)
    (tmp_path / CONFIG).write_text(replace(RUN, recipe=replace(RUN.recipe, seed=1)).to_json())
    with pytest.raises(ToolkitError, match="its seed is 1, not 0"):
        list(training)
    assert names(tmp_path) == [CONFIG]


def test_other_folders_are_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(ToolkitError, match=r"'thesis\.tex'"):
        list(train_run(tmp_path, RUN))
    assert names(tmp_path) == ["thesis.tex"]
    with pytest.raises(ToolkitError, match="cannot use"):
        list(train_run(tmp_path / "thesis.tex", RUN))


def test_what_a_killed_write_leaves_is_ignored(tmp_path):
    (tmp_path / f".{CONFIG}.77.tmp").write_text("half")
    assert list(train_run(tmp_path, RUN))[-1].finished


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS])
def test_missing_files_are_named(finished, name):
    (finished / name).unlink()
    with pytest.raises(ToolkitError, match=name):
        load_run(finished)


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, METRICS])
def test_broken_files_are_named(finished, name):
    (finished / name).write_bytes((finished / name).read_bytes()[:-9])
    with pytest.raises(ToolkitError, match=name):
        load_run(finished)


def test_weights_of_another_run_are_refused(finished, tmp_path):
    list(train_run(tmp_path / "other", replace(RUN, shape=replace(TINY, width=16))))
    (finished / WEIGHTS).write_bytes((tmp_path / "other" / WEIGHTS).read_bytes())
    with pytest.raises(ToolkitError, match=WEIGHTS):
        load_run(finished)


def test_a_flipped_bit_in_the_weights_is_found(finished):
    data = bytearray((finished / WEIGHTS).read_bytes())
    data[-1] ^= 1
    (finished / WEIGHTS).write_bytes(data)
    with pytest.raises(ToolkitError, match=f"{WEIGHTS}.*digest"):
        load_run(finished)


def test_a_training_whose_last_step_diverges_leaves_nothing_unreadable(tmp_path):
    # The first loss is a number, the weights after its step are not: the decay takes them beyond single precision.
    recipe = replace(RUN.recipe, steps=1, learning_rate=1.0, weight_decay=1e300)
    with pytest.raises(ToolkitError, match="smaller learning rate"):
        list(train_run(tmp_path, replace(RUN, recipe=recipe)))
    assert names(tmp_path) == [CONFIG]


def test_a_write_that_fails_leaves_no_half(tmp_path, monkeypatch):
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ToolkitError, match=r"config\.json.*No space left"):
        list(train_run(tmp_path, RUN))
    assert names(tmp_path) == []


def test_more_steps_than_the_recipe_has(finished):
    plain = json.loads((finished / METRICS).read_text())
    (finished / METRICS).write_text(json.dumps(plain | {"steps": 26}))
    with pytest.raises(ToolkitError, match=r"metrics\.json: 26 steps"):
        load_run(finished)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(ToolkitError, match=r"nowhere.*config\.json"):
        load_run(tmp_path / "nowhere")


def test_an_evaluation_is_kept_in_the_metrics(finished):
    family = PumpingFamily(LTL_P, AB, access="a", separating="", there="b", back="a")
    run = load_run(finished)
    evaluation = run.evaluate([family], per_class=2, longest=60)
    assert load_run(finished).metrics.evaluation is None
    run.record(evaluation)
    assert (evaluation.bins[0].first, evaluation.bins[0].last) == (1, 8)
    assert evaluation.bins[0].trained > 0
    assert evaluation.families[0].fragment == "LTL[P]"
    kept = load_run(finished).metrics
    assert kept.evaluation == json.loads(json.dumps(evaluation.to_dict()))
    assert kept.steps == 25
