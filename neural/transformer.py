"""A transformer that recognises a language: heads that are each global or local, read-out at the end.

The word w1..wN is followed by one end symbol at position N+1, where the answer is read. There is no begin symbol, and
no positional encoding unless the configuration asks for one. Attention is strict and causal, so whatever stands after
the end symbol is never seen.
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
from neural.encodings import sinusoids, turn
from neural.pattern import AttentionPattern
from neural.positions import Positions

_MOST_LAYERS, _MOST_WEIGHTS = 1000, 10**9  # of a configuration; beyond them memory runs out first

_TOKENS = 1 << 14  # positions that `logits` computes side by side: their activations take a few tens of megabytes


@dataclass(frozen=True)
class TransformerConfig:
    """The shape of a transformer: its attention pattern, four sizes, and how positions enter.

    Every layer has `heads` heads of `width // heads` coordinates each. Under a hybrid pattern half of them, rounded
    down, are global and the rest local. Raise `ToolkitError` for what does not fit together.
    """

    pattern: AttentionPattern = field(default_factory=lambda: AttentionPattern("hybrid", 1))
    layers: int = 4
    heads: int = 4
    width: int = 64
    feedforward: int = 128
    positions: Positions = field(default_factory=Positions)

    def __post_init__(self) -> None:
        for name, size in self.sizes().items():
            if isinstance(size, bool) or not isinstance(size, int) or size < 1:
                raise ToolkitError(f"{name} is an integer from 1 on, not {size!r}")
        if self.width % self.heads:
            raise ToolkitError(f"a width of {self.width} is not a multiple of {self.heads} heads")
        if self.pattern.kind == "hybrid" and self.heads < 2:
            raise ToolkitError("hybrid attention needs at least 2 heads, one global and one local; found 1")
        if self.positions.turned and self.width // self.heads % 2:
            raise ToolkitError(
                f"{self.positions.name} positions turn coordinates in pairs; heads of {self.width // self.heads} "
                "have an odd one: choose another width"
            )
        if self.positions.kind == "offset-bias" and self.pattern.window is None:
            raise ToolkitError("offset-bias positions are for local heads, and global attention has none")
        if self.layers > _MOST_LAYERS:
            raise ToolkitError(f"a transformer has at most {_MOST_LAYERS:,} layers, not {self.layers:,}")
        inner = self.layers * self.width * (4 * self.width + 2 * self.feedforward)
        if inner + self.width * (self.positions.number or 0) > _MOST_WEIGHTS:
            raise ToolkitError(
                f"the transformer has more than {_MOST_WEIGHTS:,} weights; choose fewer layers or positions, or a "
                "smaller width or feedforward"
            )

    def sizes(self) -> dict[str, int]:
        """Return the four sizes by name."""
        return {name: getattr(self, name) for name in ("layers", "heads", "width", "feedforward")}

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
        self.positions = config.positions
        self.project_in = nn.Linear(config.width, 3 * config.width)
        self.project_out = nn.Linear(config.width, config.width)
        self.offset_bias: nn.Parameter | None = None
        # In a window of one position there is nothing to weigh: a bias would never be trained.
        if config.positions.kind == "offset-bias" and self.window is not None and self.window > 1:
            self.offset_bias = nn.Parameter(torch.zeros(config.heads - config.global_heads, self.window))

    def forward(self, x: Tensor) -> Tensor:
        """Attend; the positions of the input are 1..N."""
        q, k, v = self.project(x, torch.arange(1, x.shape[1] + 1, device=x.device))
        seen, g = [], self.global_heads
        if g:
            seen.append(global_attention(q[:, :g], k[:, :g], v[:, :g]))
        if self.window is not None:
            seen.append(local_attention(q[:, g:], k[:, g:], v[:, g:], self.window, self.offset_bias))
        return self.join(torch.cat(seen, dim=1))

    def project(self, x: Tensor, places: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values, each [B, heads, N, D], of inputs [B, N, width] at places int[N]."""
        n_words, length, width = x.shape
        split = self.project_in(x).view(n_words, length, 3, self.heads, width // self.heads)
        q, k, v = split.permute(2, 0, 3, 1, 4)  # each B x heads x N x D
        if self.positions.turned:
            q, k = turn(q, self.positions, places), turn(k, self.positions, places)
        return q, k, v

    def join(self, seen: Tensor) -> Tensor:
        """Return the output [B, N, width] of what the heads saw, [B, heads, N, D]."""
        return self.project_out(seen.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]


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
        return self.feed_forward(x + self.attention(self.attention_norm(x)))

    def feed_forward(self, x: Tensor) -> Tensor:
        """Add to activations, position by position, what the feed-forward part makes of them."""
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
        kind, number = config.positions.kind, config.positions.number
        if kind == "learned" and number is not None:
            self.position_embedding = nn.Embedding(number, config.width)
        if kind == "periodic-sinusoidal" and number is not None:
            self.position_map = nn.Linear(number - 1, config.width, bias=False)

    def forward(self, batch: Tensor) -> Tensor:
        """Return the logits of B words, float[B]; any code outside 0..n_letters-1, on any side, is padding.

        Raise `ToolkitError` for a word that is longer than the learned positions reach.
        """
        tokens, ends = self._align(batch)
        x = self.embed(tokens, torch.arange(1, tokens.shape[1] + 1, device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return self.read(x[torch.arange(len(ends), device=ends.device), ends])

    def embed(self, tokens: Tensor, places: Tensor) -> Tensor:
        """Return the first activations, [B, N, width], of codes [B, N] at places int[N], counted from 1."""
        x: Tensor = self.embedding(tokens)
        positions = self.config.positions
        if not positions.added:
            return x
        if positions.longest is not None:
            if int(places[-1]) > positions.longest + 1:
                raise ToolkitError(
                    f"{positions.name} positions reach words of {positions.longest} letters, found one of "
                    f"{int(places[-1]) - 1}"
                )
            return x + self.position_embedding(places - 1)  # type: ignore[no-any-return]
        features = sinusoids(positions, places, self.config.width).to(x)
        return x + (self.position_map(features) if positions.kind == "periodic-sinusoidal" else features)

    @property
    def n_weights(self) -> int:
        """Number of trainable numbers."""
        return sum(weight.numel() for weight in self.parameters())

    def read(self, x: Tensor) -> Tensor:
        """Return the logits, float[B], of the last activations at the end symbol, [B, width]."""
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
