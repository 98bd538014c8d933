"""Figures of the neural side: local heads against the full mask, shared prefixes, a training by the default recipe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from torch.nn import functional

from automata.alphabet import Alphabet
from automata.regex import regex_to_dfa
from benchmarks.figure import Figure, seconds
from neural.attention import local_attention, visible
from neural.pattern import AttentionPattern
from neural.prefixes import all_logits, numbered_words
from neural.run_config import RunConfig
from neural.runs import load_run, train_run
from neural.train import TrainConfig, new_model
from neural.transformer import TransformerConfig


def figures() -> Iterator[Figure]:
    torch.set_num_threads(1)
    yield from local_heads()
    yield from shared_prefixes()
    yield from training()


def local_heads(length: int = 4000) -> Iterator[Figure]:
    generator = torch.Generator().manual_seed(0)
    queries, keys, values = (torch.randn(1, 4, length, 16, generator=generator) for _ in range(3))
    for window in (1, 4, 8):
        mask = visible(length, window)
        # The first row sees nothing; the peer is spared the question and sees itself there.
        mask[0, 0] = True
        peer = seconds(lambda mask=mask: functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask))
        taken = seconds(lambda window=window: local_attention(queries, keys, values, window))
        yield Figure(
            f"local heads, window {window}, length {length:,}",
            f"{peer / taken:.0f} x faster ({1000 * taken:.1f} ms)",
            ">= 5 x",
            peer >= 5 * taken,
            f"torch's attention with the full mask: {1000 * peer:.0f} ms",
        )


def shared_prefixes(length: int = 16, part: int = 2048) -> Iterator[Figure]:
    model = new_model(Alphabet.of("ab"), TransformerConfig(), seed=0)
    taken = seconds(lambda: all_logits(model, length), repeat=1)
    words = numbered_words(2, length, 0, part)  # half of all words have the greatest length
    peer = seconds(lambda: model.logits(words)) * 2**length / part
    yield Figure(
        f"logits of all {2 ** (length + 1) - 1:,} words up to length {length}, default size",
        f"{taken:.1f} CPU s",
        "< 180 CPU s",
        taken < 180,
        f"the words of length {length} alone, without shared prefixes: {peer:.0f} s (from {part:,} of them)",
    )


def training() -> Iterator[Figure]:
    dfa = regex_to_dfa("(a|b)*a", Alphabet.of("ab"))
    config = RunConfig(dfa, TransformerConfig(AttentionPattern("hybrid", 1)), TrainConfig(seed=0))
    with TemporaryDirectory() as folder:
        directory = Path(folder) / "run"
        for _ in train_run(directory, config):
            pass
        run = load_run(directory)
        evaluation = run.evaluate(())
    longer = [result for result in evaluation.bins if result.first > 40]
    right, words = (sum(getattr(result, name) for result in longer) for name in ("correct", "words"))
    spent = run.metrics.cpu_seconds
    result = f"{right}/{words} right at 41..500, N* {evaluation.perfect_length}"
    yield Figure(
        "default recipe, hybrid 1, ends with a",
        f"{spent:.1f} CPU s, {run.metrics.steps} steps, {result}",
        "< 60 CPU s, all right",
        spent < 60 and right == words,
        f"{1000 * spent / run.metrics.steps:.0f} CPU ms a step",
    )
