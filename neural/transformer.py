"""A transformer that recognises a language: heads that are each global or local, no positions, read-out at the end.

The word w1..wN is followed by one end symbol at position N+1, where the answer is read. There is no begin symbol and
no positional encoding. Attention is strict and causal, so whatever stands after the end symbol is never seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from automata.alphabet import Alphabet, Codes
from automata.errors import ToolkitError
from neural.attention import global_attention, local_attention
from neural.pattern import AttentionPattern

_MOST_LAYERS, _MOST_WEIGHTS = 1000, 10**9  # of a configuration; beyond them memory runs out first

_TOKENS = 1 << 14  # positions that `logits` computes side by side: their activations take a few tens of megabytes


@dataclass(frozen=True)
class TransformerConfig:
    """The shape of a transformer: its attention pattern and four sizes.

    Every layer has `heads` heads of `width // heads` coordinates each. Under a hybrid pattern half of them, rounded
    down, are global and the rest local. Raise `ToolkitError` for sizes that do not fit together.
    """

    pattern: AttentionPattern = field(default_factory=lambda: AttentionPattern("hybrid", 1))
    layers: int = 4
    heads: int = 4
    width: int = 64
    feedforward: int = 128

    def __post_init__(self) -> None:
        for name in ("layers", "heads", "width", "feedforward"):
            size = getattr(self, name)
            if isinstance(size, bool) or not isinstance(size, int) or size < 1:
                raise ToolkitError(f"{name} is an integer from 1 on, not {size!r}")
        if self.width % self.heads:
            raise ToolkitError(f"a width of {self.width} is not a multiple of {self.heads} heads")
        if self.pattern.kind == "hybrid" and self.heads < 2:
            raise ToolkitError("hybrid attention needs at least 2 heads, one global and one local; found 1")
        if self.layers > _MOST_LAYERS:
            raise ToolkitError(f"a transformer has at most {_MOST_LAYERS:,} layers, not {self.layers:,}")
        if self.layers * self.width * (4 * self.width + 2 * self.feedforward) > _MOST_WEIGHTS:
            raise ToolkitError(
                f"the layers have more than {_MOST_WEIGHTS:,} weights; choose fewer layers or a smaller width or "
                "feedforward"
            )

    @property
    def global_heads(self) -> int:
        """Number of heads of each layer that see all earlier positions; they come first."""
        return {"global": self.heads, "local": 0, "hybrid": self.heads // 2}[self.pattern.kind]


class Attention(nn.Module):
    """One layer of heads: attention output [B, N, width] of inputs [B, N, width]."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.global_heads = config.global_heads
        self.window = config.pattern.window
        self.project_in = nn.Linear(config.width, 3 * config.width)
        self.project_out = nn.Linear(config.width, config.width)

    def forward(self, x: Tensor) -> Tensor:
        """Attend."""
        n_words, length, width = x.shape
        split = self.project_in(x).view(n_words, length, 3, self.heads, width // self.heads)
        q, k, v = split.permute(2, 0, 3, 1, 4)  # each B x heads x N x D
        seen, g = [], self.global_heads
        if g:
            seen.append(global_attention(q[:, :g], k[:, :g], v[:, :g]))
        if self.window is not None:
            seen.append(local_attention(q[:, g:], k[:, g:], v[:, g:], self.window))
        joined = torch.cat(seen, dim=1).transpose(1, 2).reshape(n_words, length, width)
        return self.project_out(joined)  # type: ignore[no-any-return]


class Block(nn.Module):
    """One layer: attention, then a feed-forward part, each normalised before and added to what came in."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(config.width)
        self.attention = Attention(config)
        self.feedforward_norm = nn.LayerNorm(config.width)
        self.feedforward_in = nn.Linear(config.width, config.feedforward)
        self.feedforward_out = nn.Linear(config.feedforward, config.width)

    def forward(self, x: Tensor) -> Tensor:
        """Map activations [B, N, width] to activations of the next layer."""
        x = x + self.attention(self.attention_norm(x))
        hidden = functional.gelu(self.feedforward_in(self.feedforward_norm(x)))
        return x + self.feedforward_out(hidden)  # type: ignore[no-any-return]


class Transformer(nn.Module):
    """A recogniser over an alphabet: a word is accepted iff the logit at its end symbol is positive.

    Weights are drawn from torch's generator; `neural.train.new_model` draws them for a seed.
    """

    def __init__(self, alphabet: Alphabet, config: TransformerConfig) -> None:
        super().__init__()
        self.alphabet = alphabet
        self.config = config
        # The code after the letters, which pads batches, is the end symbol.
        self.embedding = nn.Embedding(len(alphabet) + 1, config.width)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.width)
        self.readout = nn.Linear(config.width, 1)

    def forward(self, batch: Tensor) -> Tensor:
        """Return the logits of B words, float[B]; any code outside 0..n_letters-1, on any side, is padding."""
        tokens, ends = self._align(batch)
        x = self.embedding(tokens)  # B x (N + 1) x width
        for block in self.blocks:
            x = block(x)
        x = x[torch.arange(len(ends), device=ends.device), ends]  # B x width
        return self.readout(self.norm(x)).squeeze(-1)  # type: ignore[no-any-return]

    def _align(self, batch: Tensor) -> tuple[Tensor, Tensor]:
        """Move the letters of each word to the left, end symbols after them; return them and the lengths."""
        end = len(self.alphabet)
        is_letter = (batch >= 0) & (batch < end)
        lengths = is_letter.sum(dim=1)
        longest = int(lengths.max()) if len(lengths) else 0
        order = torch.argsort(~is_letter, dim=1, stable=True)
        letters = batch.masked_fill(~is_letter, end).gather(1, order)[:, :longest]
        return functional.pad(letters, (0, 1), value=end), lengths

    def logits(self, words: Codes | Iterable[Sequence[str]]) -> NDArray[np.float32]:
        """Compute the logits of B words, given as words or as codes [B, N], float32[B], without gradients.

        Words of like length are computed together, so many at a time as fit a fixed number of positions.
        """
        batch = self.alphabet.as_batch(words)
        lengths = (batch != len(self.alphabet)).sum(axis=1)
        logits = np.empty(len(batch), dtype=np.float32)
        device = self.readout.weight.device
        order = np.argsort(-lengths, kind="stable")
        first = 0
        with torch.inference_mode():
            while first < len(order):
                chosen = order[first : first + max(1, _TOKENS // (int(lengths[order[first]]) + 1))]
                codes = torch.from_numpy(batch[chosen].astype(np.int64)).to(device)
                logits[chosen] = self(codes).float().cpu().numpy()
                first += len(chosen)
        return logits

    def accepts(self, word: Sequence[str]) -> bool:
        """True iff the logit of the word is positive."""
        return bool(self.accepts_batch([word])[0])

    def accepts_batch(self, words: Codes | Iterable[Sequence[str]]) -> NDArray[np.bool_]:
        """Tell for each of B words, given as words or as codes [B, N], whether it is accepted, bool[B]."""
        return self.logits(words) > 0
