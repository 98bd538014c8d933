"""Small experiments that several test files share, and what two stores must agree on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from automata.dfa import DFA
from neural.experiment import EvaluationConfig, Experiment, make_experiment, verdicts_for
from neural.pattern import AttentionPattern
from neural.positions import Positions
from neural.run_config import RunConfig
from neural.runs import METRICS
from neural.store import LOSSES, RUN, folder_of
from neural.train import TrainConfig
from neural.transformer import TransformerConfig
from tests.strategies import AB

ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])

GRID = """
attention = ["global", "local-1"]
seeds = [0, 1]

[[languages]]
name = "ends with a"
language = ".*a"
alphabet = "ab"

[training]
steps = {steps}
max_length = 8
stop_loss = 0.0

[transformer]
layers = 1
heads = 2
width = 8
feedforward = 8

[evaluation]
per_class = 1
longest = 20
"""
"""A file of four experiments, with a place for the number of steps."""


def tiny(attention: str = "local-1", seed: int = 0, steps: int = 120) -> Experiment:
    """Return an experiment of some seconds at most; one with 120 steps makes checkpoints after 50 and 100."""
    pattern = AttentionPattern.parse(attention)
    shape = TransformerConfig(pattern, layers=1, heads=2, width=8, feedforward=8)
    recipe = TrainConfig(seed=seed, steps=steps, max_length=8, stop_loss=0.0)
    verdicts = verdicts_for(ENDS_WITH_A, pattern, Positions())
    return make_experiment("ends with a", RunConfig(ENDS_WITH_A, shape, recipe), EvaluationConfig(1, 20), verdicts)


def outcome(store: Path, experiment: Experiment) -> tuple[dict[str, Any], bytes]:
    """Return the metrics of a finished experiment but for the time that it took, and the file of its losses."""
    folder = folder_of(store, experiment)
    metrics = json.loads((folder / RUN / METRICS).read_text())
    del metrics["cpu_seconds"]
    return metrics, (folder / LOSSES).read_bytes()
