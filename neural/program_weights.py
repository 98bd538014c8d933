"""Exact weights for a plan: what the heads, the gates and the embedding of a transformer are set to.

Every node of the plan (`neural.plan`) is a pair of coordinates (x, 1 - x) of the residual stream, x its bit; so the
mean of all coordinates is 1/2 [Li & Cotterell 2025, proposition B.13]. One more pair, the anchor (B, 1 - B) with a
large B, makes the variance the same for all practical purposes. So layer normalisation is a fixed affine map, which
its own scale and shift undo.

- Bits of letters, of the end symbol and of remainders are in the embedding.
- A head has the score C where its operand holds and 0 elsewhere, and the operand's bit as value. Where the operand
  holds nowhere in sight the average is 0, also at the first position, which sees nothing; else it is 1 - δ with
  δ <= (n-1) / (e^C + n-1) for n positions in sight.
- In the feed-forward part of the same layer a ramp r of two GELU units, 0 below its threshold and 1 above, makes a bit
  of the average, r(a) - a being added to a; and a gate of n operands is a ramp of their sum with its threshold between
  n-1 and n, whose operands may be such averages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from neural.plan import Gate, Head, Literal, Plan, Remainder, Token
from neural.transformer import Attention, Block, Transformer

LOGIT = 10.0
"""The logit of an accepted word; a rejected one has its negative."""

RAMP = 0.125
"""Half the width of a ramp: a gate's operands may be off by as much together."""

ROUNDING = 1e-4
"""Bits are off by at most so much, as normalisation returns them in single precision."""

HEAD_UNITS, GATE_UNITS = 3, 2
"""Hidden units that a head and a gate take."""

_SLOPE = 32.0  # of the argument of GELU: a quarter away from a ramp's ends GELU is 0 or the identity
_FAR = 8.0  # where GELU is the identity


def write_weights(model: Transformer, plan: Plan, score: float) -> None:
    """Set the weights of a model, which has room for the plan, so that its logit is ±`LOGIT` as the output's bit is."""
    with torch.no_grad():
        for weight in model.parameters():
            weight.zero_()
        _Writer(model, plan, score).write()


class _Writer:
    """Writes a plan into a model whose weights are zero."""

    def __init__(self, model: Transformer, plan: Plan, score: float) -> None:
        self.model = model
        self.plan = plan
        self.score = score
        width = model.config.width
        self.anchor = float(2 ** math.ceil(math.log2(4 * math.sqrt(width))))
        # Of the values of all pairs, as long as all are bits: the mean is 1/2.
        self.variance = (2 * (self.anchor - 0.5) ** 2 + (width - 2) / 4) / width

    def write(self) -> None:
        """Write all weights."""
        model, plan = self.model, self.plan
        self.embedding()
        for layer, block in enumerate(cast("Iterable[Block]", model.blocks), 1):
            self.normalise(block.attention_norm)
            self.normalise(block.feedforward_norm)
            here = [i for i, at in enumerate(plan.layers) if at == layer]
            self.attention(block.attention, here)
            self.feed_forward(block, here)
        self.normalise(model.norm)
        x, y = self.pair(plan.output)
        model.readout.weight[0, x] = LOGIT
        model.readout.weight[0, y] = -LOGIT

    def pair(self, literal: Literal) -> tuple[int, int]:
        """Return the coordinates of a literal's bit and of its opposite; the anchor has the first pair."""
        x = 2 * literal.node + 2
        return (x + 1, x) if literal.negated else (x, x + 1)

    def normalise(self, norm: nn.LayerNorm) -> None:
        """Make a normalisation the identity on bits."""
        norm.weight.fill_(math.sqrt(self.variance + norm.eps))
        norm.bias.fill_(0.5)

    def embedding(self) -> None:
        """Write the bits of tokens and remainders, 0 for all other nodes, and the anchor."""
        model = self.model
        model.embedding.weight[:, 1::2] = 1.0
        model.embedding.weight[:, 0], model.embedding.weight[:, 1] = self.anchor, 1 - self.anchor
        for i, node in enumerate(self.plan.nodes):
            x, y = self.pair(Literal(i))
            if isinstance(node, Token):
                bits = torch.tensor(node.symbols, dtype=torch.float32)
                model.embedding.weight[:, x], model.embedding.weight[:, y] = bits, 1 - bits
            elif isinstance(node, Remainder):
                period = model.config.positions.number or 1
                mean, waves = _fourier(np.arange(period) % node.modulus == node.residue)
                model.embedding.weight[:, x], model.embedding.weight[:, y] = mean, 1 - mean
                model.position_map.weight[x], model.position_map.weight[y] = waves, -waves

    def attention(self, attention: Attention, here: list[int]) -> None:
        """Write the heads of a layer: a constant query, the operand as key and as value."""
        config = self.model.config
        size, width = config.width // config.heads, config.width
        place = {False: 0, True: config.global_heads}  # of the next global and the next local head
        for i in here:
            head = self.plan.nodes[i]
            if not isinstance(head, Head):
                continue
            first = place[head.is_local] * size
            place[head.is_local] += 1
            operand, _ = self.pair(head.operand)
            attention.project_in.bias[first] = self.score * math.sqrt(size)
            attention.project_in.weight[width + first, operand] = 1.0
            attention.project_in.weight[2 * width + first, operand] = 1.0
            x, y = self.pair(Literal(i))
            attention.project_out.weight[x, first], attention.project_out.weight[y, first] = 1.0, -1.0

    def feed_forward(self, block: Block, here: list[int]) -> None:
        """Write the ramps of a layer's heads and gates."""
        unit = 0
        for i in here:
            node = self.plan.nodes[i]
            x, y = self.pair(Literal(i))
            operands = node.operands if isinstance(node, Gate) else (Literal(i),)
            threshold = len(operands) - 0.5
            for end, sign in ((-RAMP, 1.0), (RAMP, -1.0)):
                for operand in operands:
                    block.feedforward_in.weight[unit, self.pair(operand)[0]] = _SLOPE
                block.feedforward_in.bias[unit] = -_SLOPE * (threshold + end)
                self.add(block, unit, x, y, sign / (2 * RAMP * _SLOPE))
                unit += 1
            if isinstance(node, Head):  # take the average away
                block.feedforward_in.weight[unit, x] = 1.0
                block.feedforward_in.bias[unit] = _FAR
                self.add(block, unit, x, y, -1.0)
                block.feedforward_out.bias[x], block.feedforward_out.bias[y] = _FAR, -_FAR
                unit += 1

    @staticmethod
    def add(block: Block, unit: int, x: int, y: int, weight: float) -> None:
        """Add a hidden unit, with a weight, to one coordinate of a pair and take it from the other."""
        block.feedforward_out.weight[x, unit], block.feedforward_out.weight[y, unit] = weight, -weight


def _fourier(bits: NDArray[np.bool_]) -> tuple[float, Tensor]:
    """Write a function of i modulo m, float[m], as a mean and weights, float32[m - 1], of the sinusoids of period m."""
    period = len(bits)
    waves = np.fft.rfft(bits) / period  # j = 0..m//2
    half = period // 2
    weights = np.concatenate([2 * waves[1:].real, -2 * waves[1:].imag])[: period - 1]
    if period % 2 == 0:
        weights[half - 1] /= 2
    return float(waves[0].real), torch.tensor(weights, dtype=torch.float32)
