"""Positional encodings: names, sines and cosines against their definition, turns that see differences alone."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from automata.errors import ToolkitError
from neural.encodings import sinusoids, turn
from neural.positions import Positions

NAMES = ["none", "learned-7", "sinusoidal", "rotary", "periodic-sinusoidal-4", "periodic-rotary-5", "offset-bias"]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_read_back(name):
    assert Positions.parse(name).name == name


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "expected none, learned-N"),
        ("Rotary", "unknown positions 'Rotary'"),
        ("rotary-4", "rotary positions take no number"),
        ("learned", "need the length of its table, an integer from 1 to 1,000,000, not None: learned-64"),
        ("periodic-rotary", "need the period, an integer from 2"),
        ("periodic-rotary-1", "from 2 to 1,000,000, not 1"),
        ("periodic-sinusoidal-1000001", "not 1000001"),
        ("periodic-sines-4", "unknown positions 'periodic-sines-4'"),
        ("learned-0", "not 0"),
        ("learned-1\n", "unknown positions"),
    ],
)
def test_other_names_are_refused(name, problem):
    with pytest.raises(ToolkitError, match=problem):
        Positions.parse(name)


@pytest.mark.parametrize("number", [True, 2.0, "4"])
def test_numbers_are_integers(number):
    with pytest.raises(ToolkitError, match="integer"):
        Positions("learned", number)


def test_a_table_of_n_positions_reaches_words_of_one_letter_less():
    assert Positions("learned", 7).longest == 6
    assert all(Positions.parse(name).longest is None for name in NAMES if name != "learned-7")


def test_sinusoids_are_those_of_the_definition():
    places = torch.arange(1, 30)
    found = sinusoids(Positions("sinusoidal"), places, 10)
    for n, j in product(range(1, 30), range(5)):
        angle = n / 10_000 ** (j / 5)
        assert found[n - 1, j] == pytest.approx(math.sin(angle))
        assert found[n - 1, 5 + j] == pytest.approx(math.cos(angle))


@pytest.mark.parametrize("period", range(2, 12))
def test_every_function_of_the_remainder_is_linear_in_periodic_sinusoids(period):
    features = sinusoids(Positions("periodic-sinusoidal", period), torch.arange(1, 3 * period + 1), 8)
    assert features.shape == (3 * period, period - 1)
    assert torch.equal(features[:period], features[period : 2 * period])
    with_constant = torch.cat([features[:period], torch.ones(period, 1)], dim=1)
    assert torch.linalg.matrix_rank(with_constant) == period


@given(st.integers(2, 9), st.integers(0, 50), st.integers(1, 40), st.integers(1, 40))
def test_scores_of_turned_queries_and_keys_depend_on_the_difference_alone(period, shift, one, other):
    generator = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 1, 6, generator=generator, dtype=torch.float64)

    def score(positions: Positions, n: int, m: int) -> float:
        return float((turn(q, positions, torch.tensor([n])) * turn(k, positions, torch.tensor([m]))).sum())

    rotary, periodic = Positions("rotary"), Positions("periodic-rotary", period)
    assert score(rotary, one, other) == pytest.approx(score(rotary, one + shift, other + shift))
    assert score(periodic, one, other) == pytest.approx(score(periodic, one + shift, other + shift))
    assert score(periodic, one, other) == pytest.approx(score(periodic, one + period * shift, other))


@pytest.mark.parametrize("name", ["rotary", "periodic-rotary-7"])
def test_turns_are_rotations_of_pairs_of_coordinates(name):
    positions = Positions.parse(name)
    x = torch.arange(1.0, 7.0, dtype=torch.float64).expand(9, 6)
    found = turn(x, positions, torch.arange(1, 10))
    for n, j in product(range(1, 10), range(3)):
        angle = n / 10_000 ** (j / 3) if name == "rotary" else 2 * math.pi * (j + 1) * n / 7
        turned = complex(1 + j, 4 + j) * complex(math.cos(angle), math.sin(angle))
        assert complex(found[n - 1, j], found[n - 1, j + 3]) == pytest.approx(turned)


def test_positions_start_without_torch():
    code = "import sys, neural.positions, neural.architectures; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
