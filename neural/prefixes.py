"""The logits of all words up to a length, each prefix computed once.

Attention is strict and causal, so what a transformer computes at a letter depends on the letters up to it alone: the
words that share a prefix share its activations, of which later positions read keys and values. Every prefix keeps these
and is extended by each letter and by the end symbol, where its logit is read. The tree of prefixes is walked depth
first, in parts of bounded size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from automata.alphabet import Codes
from automata.errors import TooLarge, ToolkitError
from neural.attention import next_attention
from neural.transformer import Attention, Block, Transformer

MAX_WORDS = 10_000_000
"""Words whose logits are held together unless the caller says otherwise."""

_Own: TypeAlias = tuple[tuple[Tensor, Tensor], ...]  # of each layer, keys and values at a new position

_PART_BYTES = 1 << 22  # of keys, values and activations computed side by side


@dataclass(frozen=True, eq=False)
class WordLogits:
    """The logits of words of one length, float32[B]: of those with the numbers `first`, `first` + 1, ...

    The words of a length are numbered from 0 in alphabet order; `numbered_words` spells them.
    """

    length: int
    first: int
    logits: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class _Prefixes:
    """Prefixes of one length, numbered from `first`, with what each layer keeps of their positions.

    `seen` holds for each layer the keys and values of its global heads and of its local heads, each [B, H, M, D]: M is
    the length of the prefixes, for local heads at most the window.
    """

    length: int
    first: int
    seen: tuple[tuple[Tensor, ...], ...]


def prefix_logits(model: Transformer, length: int) -> Iterator[WordLogits]:
    """Yield the logits of all words of 0 to `length` letters, each word once, in parts; longer words may come first.

    They are those of `model.logits` up to rounding. Raise `ToolkitError` if the length is negative or learned positions
    do not reach it.
    """
    if length < 0:
        raise ToolkitError(f"a length is 0 or more, not {length}")
    reach = model.config.positions.longest
    if reach is not None and length > reach:
        raise ToolkitError(f"{model.config.positions.name} positions reach words of {reach} letters, not of {length}")
    n_letters = len(model.alphabet)
    prefixes = _nothing_read(model)
    waiting: list[tuple[_Prefixes, _Own, int, int]] = []  # parents and their children, as `_extended` takes them
    while True:
        logits, own = _step(model, prefixes)
        yield WordLogits(prefixes.length, prefixes.first, logits)
        if prefixes.length < length:
            children = len(logits) * n_letters
            size = _part_size(model, prefixes.length + 1)
            waiting.extend((prefixes, own, i, min(i + size, children)) for i in reversed(range(0, children, size)))
        if not waiting:
            return
        prefixes = _extended(model, *waiting.pop())


def all_logits(model: Transformer, length: int, max_words: int = MAX_WORDS) -> NDArray[np.float32]:
    """Return the logits of all words of 0 to `length` letters, by length and then in alphabet order, float32[W].

    Raise `TooLarge` if there are more than `max_words` words.

    >>> from automata.alphabet import Alphabet
    >>> from neural.train import new_model
    >>> from neural.transformer import TransformerConfig
    >>> model = new_model(Alphabet.of("ab"), TransformerConfig(layers=1, width=8), seed=0)
    >>> np.allclose(all_logits(model, 2), model.logits(["", "a", "b", "aa", "ab", "ba", "bb"]), atol=1e-6)
    True
    """
    n_letters = len(model.alphabet)
    count = count_words_up_to(n_letters, length, max_words)
    if count > max_words:
        raise TooLarge(f"words of up to {length} letters", count, max_words, "max_words", on_command_line=False)
    logits = np.empty(count, dtype=np.float32)
    for part in prefix_logits(model, length):
        place = count_words_up_to(n_letters, part.length - 1) + part.first
        logits[place : place + len(part.logits)] = part.logits
    return logits


def count_words_up_to(n_letters: int, length: int, limit: int | None = None) -> int:
    """Count the words of 0 to `length` letters, exactly; past a limit the count stops at the first length beyond it.

    >>> count_words_up_to(2, 16), count_words_up_to(1, 5), count_words_up_to(0, 5), count_words_up_to(3, -1)
    (131071, 6, 1, 0)
    >>> count_words_up_to(2, 10**9, limit=1000)
    1023
    """
    total = 0
    for n in range(length + 1 if n_letters else min(length, 0) + 1):
        total += n_letters**n
        if limit is not None and total > limit:
            break
    return total


def numbered_words(n_letters: int, length: int, first: int, count: int) -> Codes:
    """Spell the words of a length with the numbers first..first+count-1, in alphabet order: int32[count, length].

    >>> numbered_words(2, 3, 2, 3).tolist()
    [[0, 1, 0], [0, 1, 1], [1, 0, 0]]
    """
    words = np.empty((count, length), dtype=np.int32)
    rest = np.arange(first, first + count, dtype=np.int64)
    for place in reversed(range(length)):
        rest, words[:, place] = np.divmod(rest, n_letters)
    return words


def _blocks(model: Transformer) -> list[Block]:
    return cast(list[Block], list(model.blocks))


def _heads(attention: Attention) -> list[slice]:
    """Return which heads of a layer are global and which are local."""
    return [slice(attention.global_heads), slice(attention.global_heads, None)]


def _nothing_read(model: Transformer) -> _Prefixes:
    """Return the empty prefix, of which there is nothing to see."""
    weights = model.readout.weight
    seen = []
    for block in _blocks(model):
        attention = block.attention
        empty = weights.new_empty(1, attention.heads, 0, model.config.width // attention.heads)
        seen.append(tuple(empty[:, heads] for heads in _heads(attention) for _ in range(2)))
    return _Prefixes(0, 0, tuple(seen))


def _part_size(model: Transformer, length: int) -> int:
    """Return how many prefixes of a length are extended side by side: their memory is that of a part."""
    config = model.config
    window = length if config.pattern.window is None else min(length, config.pattern.window)
    seen = config.global_heads * length + (config.heads - config.global_heads) * window
    kept = 2 * config.layers * seen * (config.width // config.heads)
    made = (len(model.alphabet) + 1) * ((2 * config.layers + 4) * config.width + config.feedforward)
    return max(1, _PART_BYTES // (model.readout.weight.element_size() * (kept + made)))


@torch.inference_mode()
def _step(model: Transformer, prefixes: _Prefixes) -> tuple[NDArray[np.float32], _Own]:
    """Extend each of B prefixes by each of C letters and by the end symbol.

    Return the logits at the end symbol, float32[B], and of each layer the keys and values at the letters, [B, heads, C,
    D].
    """
    end = len(model.alphabet)
    device = model.readout.weight.device
    place = torch.full((end + 1,), prefixes.length + 1, device=device)
    x = model.embed(torch.arange(end + 1, device=device)[None], place)  # the same after every prefix
    x = x.expand(len(prefixes.seen[0][0]), -1, -1)
    own = []
    for block, seen in zip(_blocks(model), prefixes.seen, strict=True):
        attention = block.attention
        q, k, v = attention.project(block.attention_norm(x), place)
        own.append((k[:, :, :end], v[:, :, :end]))
        biases = (None, attention.offset_bias)
        heads = [
            next_attention(q[:, part], seen[2 * i], seen[2 * i + 1], biases[i])
            for i, part in enumerate(_heads(attention))
        ]
        x = block.feed_forward(x + attention.join(torch.cat(heads, dim=1)))
    return model.read(x[:, end]).float().cpu().numpy(), tuple(own)


@torch.inference_mode()
def _extended(model: Transformer, parents: _Prefixes, own: _Own, first: int, last: int) -> _Prefixes:
    """Return the prefixes first..last-1 of those one letter longer, counted from the first child of the parents."""
    n_letters = len(model.alphabet)
    window = model.config.pattern.window
    numbers = torch.arange(first, last, device=own[0][0].device)
    parent, letter = numbers // n_letters, numbers % n_letters
    seen = []
    for block, before, after in zip(_blocks(model), parents.seen, own, strict=True):
        kept = []
        for i, part in enumerate(_heads(block.attention)):
            for old, new in zip(before[2 * i : 2 * i + 2], after, strict=True):
                whole = torch.cat([old[parent], new[parent, part, letter][:, :, None]], dim=2)
                kept.append(whole if not i or window is None else whole[:, :, -window:])
        seen.append(tuple(kept))
    return _Prefixes(parents.length + 1, parents.first * n_letters + first, tuple(seen))
