"""Figures of the neural side: attention against the full mask, words verified and compiled, trainings."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from automata.alphabet import Alphabet
from automata.regex import regex_to_dfa
from benchmarks.figure import Figure, seconds
from ltl.formula import Formula, Letter, Past, Yesterday, size
from neural import transformer
from neural.attention import local_attention, masked_attention, visible
from neural.pattern import AttentionPattern
from neural.prefixes import all_logits, numbered_words
from neural.program import compile_program
from neural.run_config import RunConfig
from neural.runs import load_run, train_run
from neural.train import TrainConfig, Training, new_model, train, training_batches
from neural.transformer import TransformerConfig


def figures() -> Iterator[Figure]:
    torch.set_num_threads(1)
    yield from local_heads()
    yield from evaluation()
    yield from shared_prefixes()
    yield from programs()
    yield from sampling()
    yield from processes()
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


def evaluation(length: int = 500, count: int = 64) -> Iterator[Figure]:
    words = np.random.default_rng(0).integers(2, size=(count, length))
    for name in ("global", "local-4", "hybrid-1", "hybrid-4"):
        model = new_model(Alphabet.of("ab"), TransformerConfig(AttentionPattern.parse(name)), seed=0)
        taken = seconds(lambda model=model: model.logits(words))
        with _written_out():
            peer = seconds(lambda model=model: model.logits(words))
        yield Figure(
            f"{count} words of length {length}, {name}, default size",
            f"{peer / taken:.1f} x faster ({taken:.2f} CPU s)",
            ">= 3 x",
            peer >= 3 * taken,
            f"the same model with a full mask and softmax written out: {peer:.2f} CPU s",
        )


@contextmanager
def _written_out() -> Iterator[None]:
    """Let all heads compute the whole matrix of scores, with the mask and the softmax of the definition."""

    def local(q: Tensor, k: Tensor, v: Tensor, window: int, _: Tensor | None = None) -> Tensor:
        return masked_attention(q, k, v, visible(q.shape[-2], window))

    def globally(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return masked_attention(q, k, v, visible(q.shape[-2]))

    with (
        mock.patch.object(transformer, "global_attention", globally),
        mock.patch.object(transformer, "local_attention", local),
    ):
        yield


def programs(nodes: int = 100, count: int = 10) -> Iterator[Figure]:
    rng = np.random.default_rng(0)
    alphabet, pattern = Alphabet.of("abc"), AttentionPattern("hybrid", 1)
    formulas = [_random_formula(rng, nodes) for _ in range(count)]
    taken = [seconds(lambda f=f: compile_program(f, alphabet, pattern), repeat=1) for f in formulas]
    shapes = [compile_program(f, alphabet, pattern).model.config for f in formulas]
    layers = [shape.layers for shape in shapes]
    yield Figure(
        f"{count} random formulas of {nodes} nodes to weights, self-check included",
        f"{max(taken):.2f} CPU s the slowest",
        "< 1 CPU s",
        max(taken) < 1,
        f"{min(layers)} to {max(layers)} layers, width to {max(shape.width for shape in shapes)}",
    )


def _random_formula(rng: np.random.Generator, nodes: int) -> Formula:
    """Return a formula with so many distinct subformulas, each made of some of the four before it."""
    found: list[Formula] = [Letter(letter) for letter in "abc"]
    while size(found[-1]) < nodes:
        one, other = (found[-1 - back] for back in rng.integers(min(4, len(found)), size=2))
        found.append([Past(one), Yesterday(one), ~one, one & other, one | other][rng.integers(5)])
    return found[-1]


def sampling(steps: int = 64) -> Iterator[Figure]:
    dfa = regex_to_dfa(".*ab.*", Alphabet.of("abc"))
    shape, recipe = TransformerConfig(AttentionPattern("hybrid", 1)), TrainConfig(steps=steps, stop_loss=0.0)

    def draw() -> None:
        for _ in training_batches(dfa, recipe):
            pass

    def run() -> None:
        for _ in train(Training(dfa, shape, recipe)):
            pass

    drawn, taken = seconds(draw), seconds(run)
    yield Figure(
        f"drawing the words of {steps} steps, default recipe",
        f"{100 * drawn / taken:.1f} % of the steps",
        "<= 15 %",
        drawn <= 0.15 * taken,
        f"{1000 * taken / steps:.0f} CPU ms a step, {1000 * drawn / steps:.1f} of them for its words",
    )


def processes() -> Iterator[Figure]:
    one, two = _trained_side_by_side(1), _trained_side_by_side(2)
    yield Figure(
        "trainings in two processes at once against one after the other",
        f"{2 * one / two:.2f} x the throughput",
        ">= 1.8 x",
        2 * one >= 1.8 * two,
        f"{one:.1f} s for one, {two:.1f} s for two, by the clock",
    )


def _trained_side_by_side(count: int, steps: int = 100) -> float:
    """Return the seconds by the clock that so many processes take to train, each alone; the slowest counts."""
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        list(pool.map(_timed_steps, [1] * count))  # the processes are there and torch is loaded
        return max(pool.map(_timed_steps, [steps] * count))


def _timed_steps(steps: int) -> float:
    torch.set_num_threads(1)
    dfa = regex_to_dfa("(a|b)*a", Alphabet.of("ab"))
    training = Training(dfa, TransformerConfig(), TrainConfig(steps=steps, stop_loss=0.0))
    began = time.perf_counter()
    for _ in train(training):
        pass
    return time.perf_counter() - began


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
