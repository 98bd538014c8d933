"""Logits of all words by shared prefixes: equal to the model's own, for every attention, positions, alphabet, part."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.errors import TooLarge, ToolkitError
from neural import prefixes
from neural.attention import masked_attention, next_attention, visible
from neural.pattern import AttentionPattern
from neural.positions import Positions
from neural.prefixes import all_logits, count_words_up_to, numbered_words, prefix_logits
from neural.train import new_model
from neural.transformer import Transformer, TransformerConfig
from tests.strategies import AB, all_words

PATTERNS = ["global", "local-1", "local-2", "local-3", "local-50", "hybrid-1", "hybrid-2", "hybrid-50"]
POSITIONS = [
    "none",
    "learned-12",
    "sinusoidal",
    "rotary",
    "periodic-sinusoidal-2",
    "periodic-sinusoidal-3",
    "periodic-rotary-3",
    "offset-bias",
]


def random_model(pattern: str, positions: str, alphabet: Alphabet = AB, layers: int = 2, seed: int = 0) -> Transformer:
    """A small model with weights so large that every part matters."""
    shape = TransformerConfig(
        AttentionPattern.parse(pattern), layers, heads=4, width=16, feedforward=24, positions=Positions.parse(positions)
    )
    model = new_model(alphabet, shape, seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weights in model.named_parameters():
            weights.mul_(1.5)
            if name.endswith("offset_bias"):
                weights.copy_(2 * torch.randn(weights.shape, generator=generator))
    return model


@given(
    st.sampled_from(PATTERNS),
    st.sampled_from(POSITIONS),
    st.integers(1, 3),
    st.integers(1, 3),
    st.integers(0, 7),
    st.sampled_from([1, 1 << 14, 1 << 24]),
    st.integers(0, 3),
)
def test_equal_to_the_logits_of_the_model(pattern, positions, n_letters, layers, length, part_bytes, seed):
    if pattern == "global" and positions == "offset-bias":
        return
    length = min(length, 5) if n_letters == 3 else length
    alphabet = Alphabet.of("abc"[:n_letters])
    model = random_model(pattern, positions, alphabet, layers, seed)
    words = all_words(alphabet, length)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prefixes, "_PART_BYTES", part_bytes)
        found = all_logits(model, length)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, model.logits(words), atol=1e-4)


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_in_double_precision_they_differ_by_rounding_alone(pattern, positions):
    if (pattern, positions) == ("global", "offset-bias"):
        return
    model = random_model(pattern, positions).double()
    with torch.no_grad():
        expected = model(torch.from_numpy(AB.encode_batch(all_words(AB, 6)))).numpy()
    assert expected.std() > 0.01
    np.testing.assert_allclose(all_logits(model, 6), expected, atol=1e-6)


@pytest.mark.parametrize("part_bytes", [1, 1 << 14, 1 << 30])
def test_every_word_comes_once_in_parts_of_its_length(part_bytes, monkeypatch):
    monkeypatch.setattr(prefixes, "_PART_BYTES", part_bytes)
    model = random_model("hybrid-1", "none")
    found = {}
    for part in prefix_logits(model, 5):
        words = AB.decode_batch(numbered_words(2, part.length, part.first, len(part.logits)))
        assert not found.keys() & set(words)
        found.update(zip(words, part.logits.tolist(), strict=True))
    assert sorted(found, key=lambda word: (len(word), word)) == list(all_words(AB, 5))
    for word in ("", "b", "abba", "babab"):
        assert found[word] == pytest.approx(float(model.logits([word])[0]), abs=1e-5)


def test_memory_is_bounded_by_the_parts(monkeypatch):
    monkeypatch.setattr(prefixes, "_PART_BYTES", 1 << 18)
    model = random_model("global", "none")
    position = 2 * 2 * 16 * 4  # layers, keys and values, width, bytes
    sizes = [(part.length, len(part.logits)) for part in prefix_logits(model, 9)]
    assert max(count * length * position for length, count in sizes) <= 1 << 18 < 2**9 * 9 * position


def test_no_letters_and_one_letter():
    assert all_logits(random_model("hybrid-2", "none", Alphabet(())), 5).shape == (1,)
    model = random_model("hybrid-2", "none", Alphabet.of("a"))
    np.testing.assert_allclose(all_logits(model, 60), model.logits(["a" * n for n in range(61)]), atol=1e-4)


def test_a_hundred_letters():
    alphabet = Alphabet(tuple(f"a{i}" for i in range(100)))
    model = random_model("local-2", "none", alphabet)
    some = [(), ("a7",), ("a99", "a0"), ("a3", "a98")]
    found = all_logits(model, 2)[[0, 8, 1 + 100 + 9900, 1 + 100 + 398]]
    np.testing.assert_allclose(found, model.logits(some), atol=1e-4)


def test_learned_positions_end():
    model = random_model("global", "learned-5")
    assert len(all_logits(model, 4)) == 31
    with pytest.raises(ToolkitError, match="reach words of 4 letters, not of 5"):
        next(prefix_logits(model, 5))


def test_limits_and_lengths():
    model = random_model("local-1", "none")
    with pytest.raises(TooLarge, match="reached 31, more than the limit of 30"):
        all_logits(model, 4, max_words=30)
    with pytest.raises(ToolkitError, match="0 or more, not -1"):
        next(prefix_logits(model, -1))


def test_gradients_are_left_alone():
    model = random_model("hybrid-1", "none")
    parts = prefix_logits(model, 3)
    next(parts)
    loss = model(torch.tensor([[0, 1]])).sum()  # between two parts no mode of torch leaks out
    loss.backward()
    assert model.embedding.weight.grad is not None


@pytest.mark.parametrize("n_letters", [1, 2, 3])
def test_numbers_of_words(n_letters):
    for length in range(5):
        expected = [list(codes) for codes in product(range(n_letters), repeat=length)]
        assert numbered_words(n_letters, length, 0, n_letters**length).tolist() == expected
        assert count_words_up_to(n_letters, length) == sum(n_letters**n for n in range(length + 1))
    assert numbered_words(n_letters, 0, 0, 1).shape == (1, 0)


@pytest.mark.parametrize("window", [None, 1, 2, 3, 9])
@pytest.mark.parametrize("length", range(1, 6))
def test_next_attention_is_the_last_row_of_masked_attention(length, window):
    generator = torch.Generator().manual_seed(length)
    q, k, v = (torch.randn(2, 3, length, 4, generator=generator, dtype=torch.float64) for _ in range(3))
    expected = masked_attention(q, k, v, visible(length, window))[..., -1:, :]
    first = 0 if window is None else max(0, length - 1 - window)
    seen = k[..., first : length - 1, :], v[..., first : length - 1, :]
    np.testing.assert_allclose(next_attention(q[..., -1:, :], *seen), expected, atol=1e-12)
    both = next_attention(torch.cat([q[..., :1, :], q[..., -1:, :]], dim=-2), *seen)  # two queries for one place
    np.testing.assert_allclose(both[..., 1:, :], expected, atol=1e-12)
    if length == 1:
        assert torch.equal(both, torch.zeros_like(both))
