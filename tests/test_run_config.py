"""What a run's JSON files say: written and read back, and every kind of fault named."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.dfa import DFA
from automata.errors import FormatError, ToolkitError
from neural.pattern import AttentionPattern
from neural.positions import Positions
from neural.run_config import Metrics, RunConfig
from neural.train import TrainConfig
from neural.transformer import TransformerConfig
from tests.strategies import AB, dfas

CONFIG = RunConfig(DFA(AB, [[1, 0], [1, 0]], 0, [False, True]), TransformerConfig(), TrainConfig())
METRICS = Metrics(steps=12, loss=0.1, average_loss=0.25, converged=False, cpu_seconds=3.5, weights_sha256="0f" * 32)


@given(dfas(), st.sampled_from(["global", "local-2", "hybrid-1"]), st.integers(0, 2**63 - 1), st.floats(1e-9, 1))
def test_configurations_are_read_back(dfa, name, seed, rate):
    recipe = TrainConfig(seed=seed, learning_rate=rate)
    config = RunConfig(dfa, TransformerConfig(AttentionPattern.parse(name), layers=3), recipe)
    assert RunConfig.from_json(config.to_json().encode(), "config.json") == config


def test_the_configuration_names_versions_seed_pattern_and_language():
    plain = json.loads(CONFIG.to_json())
    assert set(plain["versions"]) == {"python", "lookback-attention", "torch", "numpy"}
    assert plain["attention"] == "hybrid-1"
    assert plain["training"]["seed"] == 0
    assert plain["language"]["transitions"] == [[1, 0], [1, 0]]


def edited(change) -> bytes:
    plain = json.loads(CONFIG.to_json())
    change(plain)
    return json.dumps(plain).encode()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda c: c.pop("attention"), '"attention" is missing'),
        (lambda c: c.update(extra=1), 'unknown field "extra"'),
        (lambda c: c.update(format="else"), '"lookback-run"'),
        (lambda c: c.update(version=1), '"version": 2'),
        (lambda c: c.update(attention="sideways"), "unknown attention pattern 'sideways'"),
        (lambda c: c.update(attention=None), "unknown attention pattern"),
        (lambda c: c.pop("positions"), '"positions" is missing'),
        (lambda c: c.update(positions="sideways"), "unknown positions 'sideways'"),
        (lambda c: c.update(positions="rotary-4"), "take no number"),
        (lambda c: c.update(training=[]), '"training": expected an object'),
        (lambda c: c["training"].update(steps="many"), '"training": steps is an integer'),
        (lambda c: c["training"].update(learning_rate=None), '"training": learning_rate is a number'),
        (lambda c: c["training"].pop("seed"), '"training": the field "seed" is missing'),
        (lambda c: c["transformer"].update(heads=3), '"transformer": a width of 64'),
        (lambda c: c["transformer"].update(depth=3), '"transformer": unknown field "depth"'),
        (lambda c: c["language"].pop("start"), '"start" is missing'),
        (lambda c: c.update(language=3), "language"),
    ],
)
def test_faults_are_named(change, problem):
    with pytest.raises(FormatError) as caught:
        RunConfig.from_json(edited(change), "somewhere/config.json")
    assert str(caught.value).startswith("somewhere/config.json")
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b'{"format": 1, "format": 2}',
        b"[" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"loss": NaN}',
    ],
)
def test_other_files_are_refused(data):
    with pytest.raises(FormatError, match=r"^c\.json"):
        RunConfig.from_json(data, "c.json")
    with pytest.raises(FormatError, match=r"^m\.json"):
        Metrics.from_json(data, "m.json")


@pytest.mark.parametrize("evaluation", [None, {"bins": []}])
def test_metrics_are_read_back(evaluation):
    metrics = replace(METRICS, evaluation=evaluation)
    assert Metrics.from_json(metrics.to_json().encode(), "metrics.json") == metrics


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("steps", 0),
        ("steps", True),
        ("loss", "low"),
        ("loss", -1.0),
        ("loss", 10**400),
        ("converged", 1),
        ("evaluation", []),
    ],
)
def test_metrics_of_the_wrong_kind(field, value):
    plain = json.loads(METRICS.to_json())
    plain[field] = value
    with pytest.raises(FormatError, match=field):
        Metrics.from_json(json.dumps(plain).encode(), "metrics.json")


def test_learned_positions_reach_the_training_words():
    shape = TransformerConfig(positions=Positions("learned", 40))
    with pytest.raises(ToolkitError, match=r"reach words of 39 letters, .* words of 40: learned-41 or more"):
        RunConfig(CONFIG.dfa, shape, TrainConfig(max_length=40))
    longer = RunConfig(CONFIG.dfa, TransformerConfig(positions=Positions("learned", 41)), TrainConfig(max_length=40))
    assert RunConfig.from_json(longer.to_json().encode(), "config.json") == longer
    cut = longer.to_json().replace('"learned-41"', '"learned-40"').encode()
    with pytest.raises(FormatError, match=r"config\.json: learned-40 positions reach"):
        RunConfig.from_json(cut, "config.json")
