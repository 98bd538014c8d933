"""Trainings side by side: one transformer for each attention pattern, judged against what theory predicts of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from automata.errors import ToolkitError
from lookback.outcome import Outcome, outcome_of_training
from lookback.progress import Tell
from lookback.scheduler import run_experiments
from lookback.workers import cores, local_pool
from neural.pattern import AttentionPattern
from semigroups.classify import Classification

if TYPE_CHECKING:
    from neural.experiment import Experiment
    from neural.store import State


@dataclass(frozen=True)
class Scale:
    """How long the trainings and tests of a demonstration may take."""

    steps: int
    max_length: int
    longest: int
    per_class: int
    layers: int
    width: int


PATTERNS = (AttentionPattern("global"), AttentionPattern("local", 1), AttentionPattern("hybrid", 1))
"""The attention patterns that are trained side by side."""

FULL = Scale(steps=1000, max_length=40, longest=500, per_class=10, layers=4, width=64)
"""The recipe of `neural.train`, tested up to length 500: a few minutes."""

QUICK = Scale(steps=30, max_length=10, longest=100, per_class=2, layers=2, width=16)
"""Seconds; too short a training for the networks to become what they can be."""


def demo_experiments(language: str, classification: Classification, seed: int, scale: Scale) -> tuple[Experiment, ...]:
    """Return the experiments on a classified language, one for each of `PATTERNS`."""
    from neural.experiment import EvaluationConfig, make_experiment
    from neural.run_config import RunConfig
    from neural.train import TrainConfig
    from neural.transformer import TransformerConfig

    recipe = TrainConfig(seed=seed, steps=scale.steps, max_length=scale.max_length)
    evaluation = EvaluationConfig(scale.per_class, scale.longest)

    def experiment(pattern: AttentionPattern) -> Experiment:
        shape = TransformerConfig(pattern, layers=scale.layers, width=scale.width, feedforward=2 * scale.width)
        config = RunConfig(classification.dfa, shape, recipe)
        return make_experiment(language, config, evaluation, classification.verdicts)

    return tuple(map(experiment, PATTERNS))


def run_demo(
    experiments: Sequence[Experiment], classification: Classification, store: Path, tell: Tell
) -> list[Outcome]:
    """Do the experiments side by side in a store, those that are not done there, and return all outcomes.

    Raise `ToolkitError` if one cannot be done.
    """
    from neural.store import result_of

    def told(number: int, state: State) -> None:
        if state.phase == "done":
            tell(number, state.step, "done")
        elif state.trained:
            tell(number, state.step, "trained, now tested")
        elif state.average_loss is not None:
            tell(number, state.step, f"loss {state.average_loss:.4f}")

    with local_pool(min(cores(), len(experiments))) as pool:
        report = run_experiments(store, experiments, pool, told)
    for number, problem in report.failures.items():
        raise ToolkitError(f"{experiments[number].pattern.name}: {problem}")
    outcomes = []
    for experiment in experiments:
        result = result_of(store, experiment)
        metrics, predicted = result.metrics, experiment.pattern.prediction(classification.verdicts)
        outcomes.append(outcome_of_training(experiment.config.shape, predicted, metrics, result.evaluation))
    return outcomes
