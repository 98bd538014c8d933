"""Training: one loop, the same on every run for a seed, that can stop after any step and go on later."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import ToolkitError
from neural.data import Examples, ExampleSampler, distinct
from neural.transformer import Transformer, TransformerConfig

_MOST_LETTERS = 10**6  # of a batch; beyond it memory runs out first

_BLOCK = 16  # batches that are drawn together, from a generator of their own


@dataclass(frozen=True)
class TrainConfig:
    """How to train: AdamW with a constant rate on the binary cross-entropy of balanced batches of fresh words.

    Words have lengths `min_length`..`max_length`; a share `near` is near the boundary, of these a share `ends` by an
    edit at an end (see `ExampleSampler`). Training stops when the moving average of the loss, of weight `smoothing`
    for the past, is below `stop_loss`, or after `steps` steps. `clip` bounds the norm of the gradient. Raise
    `ToolkitError` for values out of their range.
    """

    seed: int = 0
    steps: int = 1000
    batch: int = 32
    min_length: int = 1
    max_length: int = 40
    near: float = 0.5
    ends: float = 0.3
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    clip: float = 1.0
    smoothing: float = 0.97
    stop_loss: float = 0.0015

    def __post_init__(self) -> None:
        for name, least in (("seed", 0), ("steps", 1), ("batch", 2), ("min_length", 0), ("max_length", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**63:
                raise ToolkitError(f"{name} is an integer from {least} to 2^63 - 1, not {value!r}")
        if self.min_length > self.max_length:
            raise ToolkitError(f"min_length {self.min_length} is greater than max_length {self.max_length}")
        if self.batch * self.max_length > _MOST_LETTERS:
            raise ToolkitError(
                f"a batch of {self.batch} words of {self.max_length} letters is over the limit of {_MOST_LETTERS:,} "
                "letters; choose a smaller batch or a smaller max_length"
            )
        for name, most in (
            ("near", 1.0),
            ("ends", 1.0),
            ("smoothing", 1.0),
            ("learning_rate", 1e30),  # beyond it steps overflow single precision
            ("weight_decay", math.inf),
            ("clip", math.inf),
            ("stop_loss", math.inf),
        ):
            value = getattr(self, name)
            if (
                isinstance(value, bool)
                or not isinstance(value, int | float)
                or not 0 <= value <= min(most, sys.float_info.max)
            ):
                bound = f"from 0 to {most:g}" if most < math.inf else "from 0 on"
                raise ToolkitError(f"{name} is a number {bound}, not {value!r}")

    @property
    def lengths(self) -> range:
        """The lengths of the training words."""
        return range(self.min_length, self.max_length + 1)


@dataclass(frozen=True)
class Progress:
    """How far a training is: steps done, loss of the last one, moving average, and whether it is over."""

    step: int
    loss: float
    average_loss: float
    finished: bool


class Training:
    """A training under way: the language, the two configurations, the model, the optimiser and the progress."""

    def __init__(self, dfa: DFA, shape: TransformerConfig, recipe: TrainConfig) -> None:
        self.dfa = dfa
        self.recipe = recipe
        self.model = new_model(dfa.alphabet, shape, recipe.seed)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay
        )
        self.progress = Progress(0, math.inf, math.inf, finished=False)

    def step(self, examples: Examples) -> None:
        """Make one step on a batch; raise `ToolkitError` if the loss is no longer a number."""
        words = torch.from_numpy(examples.words.astype(np.int64))
        labels = torch.from_numpy(examples.labels.astype(np.float32))
        loss = functional.binary_cross_entropy_with_logits(self.model(words), labels)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.clip)
        self.optimizer.step()
        self.progress = self._after(loss.item())

    def _after(self, loss: float) -> Progress:
        step = self.progress.step + 1
        if not math.isfinite(loss):
            raise ToolkitError(f"the loss became {loss} at step {step}; train with a smaller learning rate")
        past = self.recipe.smoothing
        average = loss if step == 1 else past * self.progress.average_loss + (1 - past) * loss
        return Progress(step, loss, average, finished=average < self.recipe.stop_loss or step >= self.recipe.steps)


def new_model(alphabet: Alphabet, shape: TransformerConfig, seed: int) -> Transformer:
    """Return a transformer with random weights, the same for a seed; torch's own generator is left as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        return Transformer(alphabet, shape)


def train(training: Training, every: int = 10) -> Iterator[Progress]:
    """Train until the recipe says stop, and yield the progress every few steps and at the end.

    The caller may stop asking after any yield and call again later: the words of a step depend on the seed and on the
    number of the step alone, so the result is the same. Raise `NoSuchWord` if one of the classes has no word of the
    training lengths.

    >>> from neural.pattern import AttentionPattern
    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> tiny = TransformerConfig(AttentionPattern("local", 1), layers=1, heads=1, width=8, feedforward=8)
    >>> training = Training(ends_with_a, tiny, TrainConfig(steps=3, max_length=5))
    >>> [progress.step for progress in train(training, every=2)]
    [2, 3]
    """
    if training.progress.finished:
        return
    for examples in training_batches(training.dfa, training.recipe, training.progress.step):
        training.step(examples)
        if training.progress.step % every == 0 or training.progress.finished:
            yield training.progress
        if training.progress.finished:
            return


def training_batches(dfa: DFA, recipe: TrainConfig, done: int = 0) -> Iterator[Examples]:
    """Yield the batches of all steps of a recipe after the first `done`."""
    sampler = ExampleSampler.of(dfa, recipe.lengths, recipe.near, recipe.ends)
    for block in range(done // _BLOCK, -(-recipe.steps // _BLOCK)):
        rng = np.random.default_rng([recipe.seed, 0, block])
        for i, examples in enumerate(sampler.batches(rng, _BLOCK, recipe.batch)):
            if done <= block * _BLOCK + i < recipe.steps:
                yield examples


def require_trainable(dfa: DFA, recipe: TrainConfig) -> None:
    """Raise `NoSuchWord` unless the language has members and non-members of the training lengths."""
    ExampleSampler.of(dfa, recipe.lengths, recipe.near, recipe.ends).both_classes()


def trained_words(dfa: DFA, recipe: TrainConfig, steps: int) -> frozenset[bytes]:
    """Return the different words of the first `steps` steps, as `neural.data.distinct` writes them."""
    seen: set[bytes] = set()
    for _, examples in zip(range(steps), training_batches(dfa, recipe), strict=False):
        seen |= distinct(examples.words, len(dfa.alphabet))
    return frozenset(seen)
