"""Strict causal attention as tensor functions: what a head sees, and the mean of the values it sees.

Queries, keys and values are tensors [..., N, D]: any leading dimensions, N positions, D coordinates. Position i (from
0) sees keys j < i only, never itself; the first position sees nothing and its output is exactly the zero vector.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional


def visible(length: int, window: int | None = None) -> Tensor:
    """Return what each position sees, bool[N, N]: entry [i, j] is True iff query i may attend to key j.

    That is j < i and, where a window is given, i - j <= window.

    >>> visible(5, 3).sum(dim=1).tolist()
    [0, 1, 2, 3, 3]
    >>> visible(3).int().tolist()
    [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
    """
    positions = torch.arange(length)
    back = positions[:, None] - positions
    return back >= 1 if window is None else (back >= 1) & (back <= window)


def masked_attention(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
    """Return soft attention under any mask (True = may attend), [..., N, D]: the definition, written out.

    A position that sees nothing gets zeros, and finite gradients. Takes O(N²) memory and any float type; the two
    functions below give the same for the masks of `visible`.
    """
    scores = queries @ keys.mT / math.sqrt(queries.shape[-1])  # ... x N x N
    blind = ~mask.any(dim=-1, keepdim=True)
    weights = scores.masked_fill(~mask & ~blind, -math.inf).softmax(dim=-1)
    return weights.masked_fill(~mask, 0) @ values


def global_attention(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """Return strict causal soft attention to all earlier positions, [..., N, D].

    Query i + 1 sees keys 0..i: this is ordinary causal attention of the queries from the second on over the keys but
    the last, so that no kernel is ever given a row that sees nothing.
    """
    seen = functional.scaled_dot_product_attention(
        queries[..., 1:, :], keys[..., :-1, :], values[..., :-1, :], is_causal=True
    )
    return functional.pad(seen, (0, 0, min(1, queries.shape[-2]), 0))


def local_attention(
    queries: Tensor, keys: Tensor, values: Tensor, window: int, offset_bias: Tensor | None = None
) -> Tensor:
    """Return strict causal soft attention to the `window` positions before each, [..., N, D], in O(N window D).

    Keys and values are shifted by 1..window instead of masked. With window 1 the softmax is over one key, so the
    output is the values shifted by one position; a window that covers every earlier position is global attention.
    `offset_bias` [H, window], for tensors [..., H, N, D], is added to the scores of the offsets 1..window.
    """
    length = queries.shape[-2]
    if window == 1:
        return _shift(values, min(1, length))
    if window >= length - 1:  # everything earlier
        if offset_bias is None:
            return global_attention(queries, keys, values)
        window = max(1, length - 1)
    offsets = range(1, window + 1)
    scores = torch.stack([(queries * _shift(keys, offset)).sum(dim=-1) for offset in offsets])  # k x ... x N
    scores = scores / math.sqrt(queries.shape[-1])
    if offset_bias is not None:
        bias = offset_bias.T[:window, :, None]  # k x H x 1
        scores = scores + bias.view(window, *[1] * (scores.ndim - 3), *bias.shape[1:])
    back = torch.tensor(offsets, device=queries.device).view(-1, *[1] * (scores.ndim - 1))
    # The first position sees nothing; it is scored as if it saw zeros, which the zeros shifted in weigh to zero.
    before_word = back > torch.arange(length, device=queries.device).clamp(min=1)
    weights = scores.masked_fill(before_word, -math.inf).softmax(dim=0)
    shifted = [weight[..., None] * _shift(values, offset) for weight, offset in zip(weights, offsets, strict=True)]
    return torch.stack(shifted).sum(dim=0)


def next_attention(queries: Tensor, keys: Tensor, values: Tensor, offset_bias: Tensor | None = None) -> Tensor:
    """Return what the position after M given ones sees of them, [..., C, D], for C alternatives of its query.

    Queries are [..., C, D], keys and values [..., M, D]: a head with a window is given the last `window` positions
    alone. If M is 0 nothing is seen, and the output is zeros. `offset_bias` [H, window], for tensors [..., H, M, D], is
    added to the scores of the offsets M..1.
    """
    count = keys.shape[-2]
    if not count:
        return torch.zeros_like(queries)
    scores = queries @ keys.mT / math.sqrt(queries.shape[-1])  # ... x C x M
    if offset_bias is not None:
        scores = scores + offset_bias[:, None, :count].flip(-1)
    return scores.softmax(dim=-1) @ values


def _shift(tensor: Tensor, offset: int) -> Tensor:
    """Move every position `offset` to the right, zeros coming in, [..., N, D]."""
    return functional.pad(tensor[..., : tensor.shape[-2] - offset, :], (0, 0, offset, 0))
