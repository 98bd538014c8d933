"""Weights and unfinished trainings as bytes: exact, and refused when they are of something else."""

from __future__ import annotations

import pytest
import safetensors.torch
import torch

from automata.dfa import DFA
from automata.errors import FormatError
from neural.checkpoint import dump_training, dump_weights, load_training, load_weights
from neural.pattern import AttentionPattern
from neural.positions import Positions
from neural.train import TrainConfig, Training, new_model, train
from neural.transformer import TransformerConfig
from tests.strategies import AB, ABC

ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
TINY = TransformerConfig(AttentionPattern("hybrid", 1), layers=1, heads=2, width=8, feedforward=8)
RECIPE = TrainConfig(steps=12, max_length=8)


def stopped_at(step: int) -> Training:
    training = Training(ENDS_WITH_A, TINY, RECIPE)
    next(progress for progress in train(training, every=1) if progress.step == step)
    return training


def test_weights_are_read_back():
    model, other = new_model(AB, TINY, 0), new_model(AB, TINY, 1)
    load_weights(other, dump_weights(model), "weights")
    assert other.logits(["abba", ""]).tolist() == model.logits(["abba", ""]).tolist()


def test_a_training_read_back_goes_on_as_if_it_had_never_stopped():
    whole = stopped_at(12)
    resumed = Training(ENDS_WITH_A, TINY, RECIPE)
    assert load_training(resumed, dump_training(stopped_at(7), 1.25), "checkpoint") == 1.25
    assert resumed.progress.step == 7
    assert [progress.step for progress in train(resumed, every=1)] == [8, 9, 10, 11, 12]
    assert resumed.progress == whole.progress
    assert dump_weights(resumed.model) == dump_weights(whole.model)


def changed(data: bytes, change) -> bytes:
    tensors = safetensors.torch.load(data)
    change(tensors)
    return safetensors.torch.save(tensors)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda t: t.pop("readout.bias"), "'readout.bias' is missing"),
        (lambda t: t.update(more=torch.zeros(1)), "unknown tensor 'more'"),
        (lambda t: t.update({"readout.bias": torch.zeros(2)}), r"'readout.bias' is torch.float32 \[2\]"),
        (lambda t: t.update({"readout.bias": torch.zeros(1).double()}), "'readout.bias' is torch.float64"),
        (
            lambda t: t.update({"readout.bias": torch.full((1,), torch.nan)}),
            "'readout.bias' has entries that are not finite",
        ),
    ],
)
def test_tensors_of_another_model(change, problem):
    with pytest.raises(FormatError, match=f"^here: .*{problem}"):
        load_weights(new_model(AB, TINY, 0), changed(dump_weights(new_model(AB, TINY, 0)), change), "here")
    with pytest.raises(FormatError, match=f"^here: .*{problem}"):
        load_training(Training(ENDS_WITH_A, TINY, RECIPE), changed(dump_training(stopped_at(2), 0), change), "here")


def test_weights_for_another_alphabet():
    with pytest.raises(FormatError, match=r"embedding\.weight"):
        load_weights(new_model(ABC, TINY, 0), dump_weights(new_model(AB, TINY, 0)), "here")


@pytest.mark.parametrize("step", [0, -1, 1.5, 12, 1e300])
def test_progress_that_cannot_be(step):
    data = changed(dump_training(stopped_at(2), 0), lambda t: t["progress"].__setitem__(0, step))
    with pytest.raises(FormatError, match="steps are done"):
        load_training(Training(ENDS_WITH_A, TINY, RECIPE), data, "here")


@pytest.mark.parametrize("data", [b"", b"text", dump_weights(new_model(AB, TINY, 0))[:-1], b"\xff" * 100])
def test_files_that_are_no_tensors(data):
    with pytest.raises(FormatError, match="not a safetensors file"):
        load_weights(new_model(AB, TINY, 0), data, "here")


@pytest.mark.parametrize("name", ["hybrid-1", "local-2"])
def test_a_training_with_biases_is_written_and_read_back(name):
    shape = TransformerConfig(
        AttentionPattern.parse(name), layers=1, heads=2, width=8, feedforward=8, positions=Positions("offset-bias")
    )
    training = Training(ENDS_WITH_A, shape, RECIPE)
    next(iter(train(training, every=1)))
    resumed = Training(ENDS_WITH_A, shape, RECIPE)
    load_training(resumed, dump_training(training, 0.0), "there")
    assert dump_weights(resumed.model) == dump_weights(training.model)
