"""Strict causal attention: masks row by row, every function against the definition, the position that sees nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from neural.attention import global_attention, local_attention, masked_attention, visible

WINDOWS = [1, 2, 3, 4, 5]
LENGTHS = range(1, 9)


def tensors(length: int, seed: int = 0, dtype: torch.dtype = torch.float64, coordinates: int = 4) -> list[torch.Tensor]:
    """Queries, keys and values of 2 words and 3 heads."""
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(2, 3, length, coordinates, generator=generator, dtype=dtype) * 2 for _ in range(3)]


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, window: int | None) -> torch.Tensor:
    return global_attention(q, k, v) if window is None else local_attention(q, k, v, window)


def by_definition(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, window: int | None) -> np.ndarray:
    """Soft attention position by position, positions counted from 1: n sees m iff max(1, n - k) <= m < n."""
    queries, keys, values = (x.detach().numpy() for x in (q, k, v))
    out = np.zeros(values.shape)
    length = values.shape[-2]
    for place in np.ndindex(*values.shape[:-2]):
        for n in range(1, length + 1):
            seen = [m for m in range(1, n) if window is None or m >= max(1, n - window)]
            weights = [math.exp(queries[place][n - 1] @ keys[place][m - 1] / math.sqrt(values.shape[-1])) for m in seen]
            for m, weight in zip(seen, weights, strict=True):
                out[place][n - 1] += weight / sum(weights) * values[place][m - 1]
    return out


@pytest.mark.parametrize("window", [None, *WINDOWS])
@pytest.mark.parametrize("length", LENGTHS)
def test_masks_row_by_row(window, length):
    mask = visible(length, window)
    for n in range(1, length + 1):
        least = 1 if window is None else max(1, n - window)
        assert mask[n - 1].tolist() == [least <= m < n for m in range(1, length + 1)]


def test_h27_window_off_by_one():
    assert visible(5, 3).sum(dim=1).tolist() == [0, 1, 2, 3, 3]
    # The same window in the function that uses no mask: values that are the positions' unit vectors show the weights.
    zeros, unit = torch.zeros(5, 5), torch.eye(5)
    assert torch.equal(local_attention(zeros, zeros, unit, 3) > 0, visible(5, 3))
    assert torch.equal(global_attention(zeros, zeros, unit) > 0, visible(5))


@pytest.mark.parametrize("window", [None, *WINDOWS])
@pytest.mark.parametrize("length", LENGTHS)
def test_every_function_computes_the_definition(window, length):
    q, k, v = tensors(length)
    expected = by_definition(q, k, v, window)
    np.testing.assert_allclose(masked_attention(q, k, v, visible(length, window)).numpy(), expected, atol=1e-12)
    np.testing.assert_allclose(attend(q, k, v, window).numpy(), expected, atol=1e-12)


@pytest.mark.parametrize("window", [None, *WINDOWS])
@pytest.mark.parametrize("length", [1, 2, 7])
def test_gradients_are_those_of_the_definition(window, length):
    gradients = []
    for function in (lambda *x: attend(*x, window), lambda *x: masked_attention(*x, visible(length, window))):
        inputs = [x.requires_grad_() for x in tensors(length)]
        found = torch.autograd.grad(function(*inputs).square().sum(), inputs, allow_unused=True)
        # With window 1 there is one key and so no gradient for queries and keys.
        gradients.append([torch.zeros_like(x) if g is None else g for x, g in zip(inputs, found, strict=True)])
    for one, other in zip(*gradients, strict=True):
        assert torch.allclose(one, other, atol=1e-12)


def test_h28_window_covering_everything():
    q, k, v = (x / 4 for x in tensors(5, dtype=torch.float32))
    everything = global_attention(q, k, v)
    for window in (4, 5, 6):
        assert (local_attention(q, k, v, window) - everything).abs().max() <= 1e-6
    assert (visible(5) & ~visible(5, 3)).nonzero().tolist() == [[4, 0]]
    difference = (local_attention(q, k, v, 3) - everything).abs().amax(dim=(0, 1, 3))
    assert difference[:4].max() <= 1e-6
    assert difference[4] > 1e-3


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("window", [None, *WINDOWS])
@pytest.mark.parametrize("length", [1, 2, 6])
def test_h29_row_with_no_visible_key(window, length, dtype):
    inputs = [x.requires_grad_() for x in tensors(length, dtype=dtype)]
    seen = attend(*inputs, window)
    assert torch.equal(seen[..., 0, :], torch.zeros_like(seen[..., 0, :]))
    for gradient in torch.autograd.grad(seen.square().sum(), inputs, allow_unused=True):
        assert gradient is None or gradient.isfinite().all()


def test_h29_rows_masked_out_altogether():
    q, k, v = (x.requires_grad_() for x in tensors(4))
    mask = visible(4)
    mask[2] = False
    seen = masked_attention(q, k, v, mask)
    assert torch.equal(seen[..., [0, 2], :], torch.zeros_like(seen[..., [0, 2], :]))
    assert torch.equal(seen[..., [1, 3], :], masked_attention(q, k, v, visible(4))[..., [1, 3], :])
    seen.sum().backward()
    assert all(x.grad.isfinite().all() for x in (q, k, v))
    assert not masked_attention(q, k, v, torch.zeros(4, 4, dtype=torch.bool)).any()


def test_h30_true_means_may_attend_and_floats_are_no_masks():
    q, k, v = tensors(4)
    mask = torch.zeros(4, 4, dtype=torch.bool)
    mask[3, 1] = True
    assert torch.equal(masked_attention(q, k, v, mask)[..., 3, :], v[..., 1, :])
    with pytest.raises(TypeError):
        masked_attention(q, k, v, visible(4).float())


@pytest.mark.parametrize("window", [None, *WINDOWS])
def test_h30_a_position_never_reaches_itself_or_earlier_ones(window):
    length = 8
    q, k, v = tensors(length)
    before = attend(q, k, v, window)
    for j in range(length):
        changed = [x.clone() for x in (k, v)]
        for x in changed:
            x[..., j, :] += 1e6
        after = attend(q, *changed, window)
        affected = (after != before).any(dim=-1).all(dim=(0, 1))
        last = length - 1 if window is None else min(length - 1, j + window)
        assert affected.tolist() == [j < i <= last for i in range(length)]


def test_window_one_moves_the_values_by_one():
    q, k, v = tensors(6)
    assert torch.equal(local_attention(q, k, v, 1)[..., 1:, :], v[..., :-1, :])


@pytest.mark.parametrize("window", [None, *WINDOWS])
def test_no_positions_at_all(window):
    nothing = torch.zeros(2, 0, 4)
    assert attend(nothing, nothing, nothing, window).shape == (2, 0, 4)


def test_a_window_wider_than_the_word_costs_no_more_than_global_attention():
    x = torch.randn(1, 3000, 16)  # shifting 2,999 times would take over 0.5 GB
    assert torch.equal(local_attention(x, x, x, 10**8), global_attention(x, x, x))


def test_extreme_scores_stay_finite():
    q, k, v = (x * 1e4 for x in tensors(6, dtype=torch.float32))
    for window in (None, *WINDOWS):
        assert attend(q, k, v, window).isfinite().all()


def test_local_attention_needs_no_table_of_all_pairs():
    x = torch.randn(200_000, 2)  # a mask of all pairs would take 40 GB
    assert torch.equal(local_attention(x, x, x, 3)[0], torch.zeros(2))
