"""Training: a real one, the same result for a seed and after a stop, the stopping rule, what cannot be trained."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from automata.dfa import DFA
from automata.errors import NoSuchWord, ToolkitError
from neural.data import ExampleSampler, distinct
from neural.pattern import AttentionPattern
from neural.train import TrainConfig, Training, new_model, train, trained_words, training_batches
from neural.transformer import TransformerConfig
from tests.strategies import AB

ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
TINY = TransformerConfig(AttentionPattern("hybrid", 1), layers=1, heads=2, width=16, feedforward=16)


def weights(training: Training) -> list[torch.Tensor]:
    return [tensor.clone() for tensor in training.model.state_dict().values()]


def equal(left: list[torch.Tensor], right: list[torch.Tensor]) -> bool:
    return all(torch.equal(one, other) for one, other in zip(left, right, strict=True))


def test_a_short_training_learns_what_the_theorem_promises_beyond_its_lengths():
    training = Training(ENDS_WITH_A, TINY, TrainConfig(steps=80, max_length=15, learning_rate=0.01))
    before = np.mean(training.model.accepts_batch(["a", "b", "ba", "ab"]) == [True, False, True, False])
    last = list(train(training))[-1]
    assert last.average_loss < 0.2
    parts = ExampleSampler.of(ENDS_WITH_A, range(100, 111)).each_length(np.random.default_rng(1), 20)
    assert sum(map(len, parts)) == 440
    right = [training.model.accepts_batch(examples.words) == examples.labels for examples in parts]
    assert np.mean(np.concatenate(right)) >= 0.99
    assert before < 1


def test_the_seed_decides_everything_and_torch_is_left_alone():
    state = torch.get_rng_state()
    results = []
    for seed in (0, 0, 1):
        training = Training(ENDS_WITH_A, TINY, TrainConfig(steps=5, seed=seed))
        losses = [progress.loss for progress in train(training, every=1)]
        results.append((losses, weights(training)))
    assert results[0][0] == results[1][0] != results[2][0]
    assert equal(results[0][1], results[1][1])
    assert not equal(results[0][1], results[2][1])
    assert torch.equal(torch.get_rng_state(), state)


def test_stopping_to_ask_changes_nothing():
    recipe = TrainConfig(steps=40)
    whole, parts = Training(ENDS_WITH_A, TINY, recipe), Training(ENDS_WITH_A, TINY, recipe)
    assert [progress.step for progress in train(whole, every=17)] == [17, 34, 40]
    for stop in (7, 16, 30, 40):
        next(progress for progress in train(parts, every=1) if progress.step == stop)
    assert list(train(parts)) == []
    assert parts.progress == whole.progress
    assert equal(weights(parts), weights(whole))


def test_moving_average_and_stopping_rule():
    recipe = TrainConfig(steps=200, smoothing=0.5, stop_loss=0.3, learning_rate=0.01, max_length=10)
    told = list(train(Training(ENDS_WITH_A, TINY, recipe), every=1))
    average = told[0].loss
    for i, progress in enumerate(told):
        average = 0.5 * average + 0.5 * progress.loss
        assert progress.step == i + 1
        assert progress.average_loss == pytest.approx(average)
        assert progress.finished == (average < 0.3)
    assert told[-1].finished
    assert len(told) < 200


def test_the_cap_ends_a_training_that_does_not_converge():
    told = list(train(Training(ENDS_WITH_A, TINY, TrainConfig(steps=3, stop_loss=0)), every=1))
    assert [(progress.step, progress.finished) for progress in told] == [(1, False), (2, False), (3, True)]


def test_batches_go_on_where_they_stopped():
    recipe = TrainConfig(steps=35, batch=4, max_length=6)
    everything = [examples.words for examples in training_batches(ENDS_WITH_A, recipe)]
    assert len(everything) == 35
    for done in (1, 16, 34, 35):
        rest = [examples.words for examples in training_batches(ENDS_WITH_A, recipe, done)]
        assert len(rest) == 35 - done
        assert all(np.array_equal(one, other) for one, other in zip(rest, everything[done:], strict=True))
    assert trained_words(ENDS_WITH_A, recipe, 20) == distinct(np.concatenate(everything[:20]), len(AB))


def test_weights_follow_the_seed():
    models = [new_model(AB, TINY, seed).state_dict() for seed in (3, 3, 4)]
    assert all(torch.equal(models[0][name], models[1][name]) for name in models[0])
    assert not torch.equal(models[0]["embedding.weight"], models[2]["embedding.weight"])


def test_one_sided_languages_are_refused():
    with pytest.raises(NoSuchWord, match="words of both classes"):
        next(train(Training(DFA(AB, [[0, 0]], 0, [True]), TINY, TrainConfig())))


def test_a_loss_that_is_no_number_ends_the_training():
    with pytest.raises(ToolkitError, match="smaller learning rate"):
        list(train(Training(ENDS_WITH_A, TINY, TrainConfig(learning_rate=1e30))))


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": -1},
        {"seed": 2**63},
        {"steps": 0},
        {"batch": 1},
        {"min_length": 5, "max_length": 4},
        {"max_length": 4.0},
        {"near": 1.5},
        {"ends": -0.1},
        {"learning_rate": math.nan},
        {"learning_rate": 1e38},
        {"batch": 10**9},
        {"max_length": 10**9},
        {"weight_decay": math.inf},
        {"clip": "1"},
        {"smoothing": True},
    ],
)
def test_values_out_of_range(wrong):
    with pytest.raises(ToolkitError):
        TrainConfig(**wrong)
