"""Positional encodings as tensors: sines and cosines of positions, and turns of queries and keys by angles."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from neural.positions import Positions


def sinusoids(positions: Positions, places: Tensor, width: int) -> Tensor:
    """Return the sines and cosines that stand for places, float64[N, F]; places are int[N], counted from 1.

    For `sinusoidal`, F is `width` and the wavelengths are those of Vaswani et al. 2017, sines before cosines. For
    `periodic-sinusoidal` of period m they are cos and sin of 2πji/m, j = 1..m//2, of j = m/2 the cosine alone: F is
    m - 1, and with a constant they are a basis of the functions of i modulo m. Equal remainders have
    equal rows, bit by bit.

    >>> features = sinusoids(Positions("periodic-sinusoidal", 4), torch.arange(1, 6), 8)
    >>> features.round().int().tolist()
    [[0, -1, 1], [-1, 1, 0], [0, -1, -1], [1, 1, 0], [0, -1, 1]]
    """
    if positions.number is None:
        half = (width + 1) // 2
        angles = places[:, None].double() * _frequencies(half)
        return torch.cat([angles.sin(), angles.cos()], dim=-1)[:, :width]
    period = positions.number
    turns = torch.arange(1, period // 2 + 1) * (places % period)[:, None]  # N x m//2
    angles = 2 * math.pi * (turns % period).double() / period
    return torch.cat([angles.cos(), angles.sin()], dim=-1)[:, : period - 1]


def turn(tensor: Tensor, positions: Positions, places: Tensor) -> Tensor:
    """Turn queries or keys [..., N, D], D even, at places int[N]: coordinates j and j + D/2 by the j-th angle.

    The scalar product of a turned query and a turned key depends on the two vectors and the difference of the places.
    For `rotary` the angles are i times the frequencies of Vaswani et al. 2017; for `periodic-rotary` of period m they
    are 2πji/m with j = 1, 2, .. modulo m, looked up by i modulo m.
    """
    half = tensor.shape[-1] // 2
    if positions.number is None:
        angles = places[:, None].double() * _frequencies(half)
    else:
        period = positions.number
        turns = torch.arange(1, half + 1) * (places % period)[:, None] % period
        angles = 2 * math.pi * turns.double() / period
    cos, sin = angles.cos().to(tensor.dtype), angles.sin().to(tensor.dtype)  # N x D/2
    first, second = tensor[..., :half], tensor[..., half:]
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


def _frequencies(count: int) -> Tensor:
    return 10_000.0 ** (-torch.arange(count).double() / count)
