"""The transformer: its shape, what it cannot see, padding and batches, and the limits that its attention sets."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import Recognizer
from automata.errors import ToolkitError, UnknownLetter
from neural import transformer
from neural.attention import masked_attention, visible
from neural.pattern import AttentionPattern
from neural.train import new_model
from neural.transformer import Attention, Transformer, TransformerConfig
from tests.strategies import AB, words

NAMES = ["global", "local-1", "local-3", "hybrid-1", "hybrid-2"]
PAD = len(AB)


def small(name: str, layers: int = 2, alphabet: Alphabet = AB) -> Transformer:
    """A small model whose weights are large enough for every part to matter."""
    shape = TransformerConfig(AttentionPattern.parse(name), layers=layers, heads=4, width=16, feedforward=24)
    model = new_model(alphabet, shape, seed=0)
    with torch.no_grad():
        for weights in model.parameters():
            weights.mul_(1.5)
    return model


def logits_of_codes(model: Transformer, codes: list[list[int]]) -> list[float]:
    with torch.no_grad():
        return model(torch.tensor(codes)).tolist()


def test_it_is_a_recognizer():
    recognizer: Recognizer = small("hybrid-1")
    assert recognizer.alphabet == AB
    accepted = recognizer.accepts_batch(["ab", "", "bba"])
    assert accepted.dtype == np.bool_
    assert accepted.tolist() == [recognizer.accepts(word) for word in ("ab", "", "bba")]
    assert accepted.tolist() == (small("hybrid-1").logits(["ab", "", "bba"]) > 0).tolist()


@pytest.mark.parametrize(("name", "heads", "expected"), [("global", 3, 3), ("local-2", 3, 0), ("hybrid-1", 5, 2)])
def test_heads_of_each_kind(name, heads, expected):
    shape = TransformerConfig(AttentionPattern.parse(name), heads=heads, width=30)
    assert shape.global_heads == expected


@pytest.mark.parametrize(
    "sizes",
    [
        {"layers": 0},
        {"heads": 3},
        {"width": -4},
        {"heads": 1},
        {"feedforward": 1.5},
        {"layers": True},
        {"layers": 10**9},
        {"width": 4 * 10**9},
        {"feedforward": 10**400},
    ],
)
def test_sizes_that_do_not_fit(sizes):
    with pytest.raises(ToolkitError):
        TransformerConfig(AttentionPattern("hybrid", 1), **sizes)


def test_unknown_letters_are_refused():
    with pytest.raises(UnknownLetter):
        small("global").accepts("abc")


@pytest.mark.parametrize("name", NAMES)
def test_h31_padding_invariance(name):
    model = small(name)
    word = [0, 1, 1]
    alone = logits_of_codes(model, [word])[0]
    for pad in (PAD, -1, 99):
        for padded in ([*word, pad, pad, pad], [pad, pad, pad, *word], [pad, 0, pad, 1, 1, pad]):
            assert logits_of_codes(model, [padded])[0] == pytest.approx(alone, abs=1e-5)
    batch = [[0, 1, 1, PAD, PAD, PAD], [PAD, PAD, PAD, 0, 1, 1], [PAD] * 6, [1, 0, 1, 0, 1, 0]]
    together = logits_of_codes(model, batch)
    assert together[:2] == pytest.approx([alone, alone], abs=1e-5)
    assert together[2] == pytest.approx(model.logits([""])[0], abs=1e-5)
    assert together[3] == pytest.approx(model.logits(["bababa"])[0], abs=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_same_logits_alone_and_in_batches_of_any_size(name, monkeypatch):
    model = small(name)
    rng = np.random.default_rng(0)
    batch = ["".join(rng.choice(["a", "b"], length)) for length in rng.integers(0, 40, 25)]
    alone = [model.logits([word])[0] for word in batch]
    np.testing.assert_allclose(model.logits(batch), alone, atol=1e-5)
    monkeypatch.setattr(transformer, "_TOKENS", 50)
    np.testing.assert_allclose(model.logits(batch), alone, atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_logits_are_those_of_the_written_out_attention(name, monkeypatch):
    model = small(name).double()
    batch = AB.encode_batch(["", "a", "abbab", "bbbbabba"])
    with torch.no_grad():
        fast = model(torch.from_numpy(batch))
        monkeypatch.setattr(
            transformer, "global_attention", lambda q, k, v: masked_attention(q, k, v, visible(q.shape[-2]))
        )
        monkeypatch.setattr(
            transformer, "local_attention", lambda q, k, v, k_: masked_attention(q, k, v, visible(q.shape[-2], k_))
        )
        plain = model(torch.from_numpy(batch))
    assert torch.allclose(fast, plain, atol=1e-10)
    assert len(set(plain.tolist())) == 4


@pytest.mark.parametrize("name", NAMES)
def test_changing_a_position_changes_later_outputs_only(name):
    config = TransformerConfig(AttentionPattern.parse(name), heads=4, width=16)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        attention, x = Attention(config), torch.randn(1, 7, 16)
    with torch.no_grad():
        before = attention(x)
        assert torch.equal(before[0, 0], attention.project_out(torch.zeros(16)))  # the first position sees nothing
        for j in range(7):
            changed = x.clone()
            changed[0, j] += 1
            difference = (attention(changed) - before).abs().amax(dim=(0, 2)).numpy()
            assert difference[:j].max(initial=0) <= 1e-6  # at j itself the query has changed
            assert j == 6 or difference[j + 1] > 1e-4


@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_finite_even_where_nothing_is_seen(name):
    model = small(name)
    model(torch.tensor([[PAD, PAD], [0, PAD], [1, 0]])).square().sum().backward()
    gradients = [weights.grad for weights in model.parameters()]
    assert all(g is None or g.isfinite().all() for g in gradients)
    assert model.embedding.weight.grad.abs().max() > 0


@pytest.mark.parametrize("name", NAMES)
def test_nothing_to_read(name):
    model = small(name)
    assert model.logits([]).shape == (0,)
    assert model.accepts_batch(np.zeros((0, 5), dtype=np.int32)).shape == (0,)
    assert np.isfinite(model.logits([""])).all()
    assert np.isfinite(small(name, alphabet=Alphabet(())).logits(["", ""])).all()


def test_letters_of_several_characters():
    alphabet = Alphabet(("open", "shut"))
    model = small("hybrid-1", alphabet=alphabet)
    assert model.logits([("open", "shut")]).tolist() == pytest.approx(model.logits(["open shut"]).tolist())


@given(words(AB, 8), words(AB, 8), st.text(alphabet="ab", min_size=3, max_size=3))
def test_window_one_and_three_layers_read_the_last_three_letters_alone(u, v, tail):
    logits = small("local-1", layers=3).logits([u + tail, v + tail])
    assert logits[0] == pytest.approx(logits[1], abs=1e-5)


@given(words(AB, 10), st.randoms(use_true_random=False))
def test_one_layer_of_global_attention_reads_no_order(word, random):
    shuffled = "".join(random.sample(word, len(word)))
    logits = small("global", layers=1).logits([word, shuffled])
    assert logits[0] == pytest.approx(logits[1], abs=1e-5)


def test_hybrid_attention_reads_order_and_first_letters():
    logits = small("hybrid-1").logits(["abbb", "babb", "aabb", "bbbb"])
    assert np.diff(np.sort(logits)).min() > 1e-4
