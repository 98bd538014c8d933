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
from neural.positions import Positions
from neural.train import new_model
from neural.transformer import Attention, Transformer, TransformerConfig
from tests.strategies import AB, words

NAMES = ["global", "local-1", "local-3", "hybrid-1", "hybrid-2"]
PAD = len(AB)


def small(name: str, layers: int = 2, alphabet: Alphabet = AB, positions: str = "none") -> Transformer:
    """A small model whose weights are large enough for every part to matter."""
    pattern, added = AttentionPattern.parse(name), Positions.parse(positions)
    shape = TransformerConfig(pattern, layers=layers, heads=4, width=16, feedforward=24, positions=added)
    model = new_model(alphabet, shape, seed=0)
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name_, weights in model.named_parameters():
            weights.mul_(1.5)
            if name_.endswith("offset_bias"):
                weights.copy_(2 * torch.randn(weights.shape, generator=generator))
    return model


def logits_of_codes(model: Transformer, codes: list[list[int]]) -> list[float]:
    with torch.no_grad():
        return model(torch.tensor(codes, dtype=torch.long)).tolist()


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
            transformer, "local_attention", lambda q, k, v, k_, _: masked_attention(q, k, v, visible(q.shape[-2], k_))
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


POSITIONED = [
    (name, positions)
    for positions in ("learned-64", "sinusoidal", "rotary", "periodic-sinusoidal-3", "periodic-rotary-3", "offset-bias")
    for name in NAMES
    if (name, positions) != ("global", "offset-bias")
]


@pytest.mark.parametrize(("name", "positions"), POSITIONED)
def test_positions_reach_the_logits_and_padding_does_not(name, positions):
    model = small(name, positions=positions).double()
    word = [0, 1, 1, 0]
    alone = logits_of_codes(model, [word])[0]
    for padded in ([*word, PAD, PAD], [PAD, PAD, *word], [PAD, 0, -1, 1, 1, 0]):
        assert logits_of_codes(model, [padded])[0] == pytest.approx(alone, abs=1e-9)
    with torch.no_grad():
        plain = small(name).double()
        plain.load_state_dict(model.state_dict(), strict=False)
    sees_them = positions not in ("rotary", "periodic-rotary-3", "offset-bias") or not name.endswith("-1")
    different = abs(logits_of_codes(plain, [word])[0] - alone) > 1e-6
    # With one local key nothing is weighed, so turns and biases change nothing; global heads of hybrid-1 are turned.
    assert different == (sees_them or (name == "hybrid-1" and positions != "offset-bias"))


@given(words(max_size=9), words(max_size=5), words(max_size=5))
@pytest.mark.parametrize("positions", ["none", "rotary", "periodic-rotary-3", "offset-bias"])
@pytest.mark.parametrize("name", ["local-1", "local-3"])
def test_local_heads_with_relative_positions_read_the_last_letters_alone(name, positions, word, one, other):
    """With window k and L layers, the logit depends on the last kL letters [docs/positions.md]."""
    model = small(name, positions=positions).double()
    span = model.config.layers * (model.config.pattern.window or 0)
    ending = (word * span)[-span:] if word else "ab" * (span // 2) + "a" * (span % 2)
    first, second = (logits_of_codes(model, AB.encode_batch([start + ending]).tolist())[0] for start in (one, other))
    assert first == pytest.approx(second, abs=1e-9)


@given(words(max_size=12))
@pytest.mark.parametrize("name", ["global", "local-2", "hybrid-2"])
def test_periodic_sinusoids_are_letters_that_carry_their_remainder(name, word):
    """Such a transformer is one without positions over letters (a, i mod m) [docs/positions.md]."""
    period = 3
    model = small(name, positions=f"periodic-sinusoidal-{period}").double()
    annotated = Alphabet.of([f"{letter}{r}" for letter in (*AB, "end") for r in range(period)])
    plain = small(name, alphabet=annotated).double()
    with torch.no_grad():
        table = model.embed(torch.arange(3)[:, None].expand(3, period), torch.arange(period, 2 * period))
        for parameter, weights in model.state_dict().items():
            if parameter in plain.state_dict() and parameter != "embedding.weight":
                plain.state_dict()[parameter].copy_(weights)
        plain.embedding.weight[: 3 * period] = table.reshape(3 * period, -1)
        codes = [3 * int(letter == "b") + n % period for n, letter in enumerate(word, start=1)]
        end = 3 * 2 + (len(word) + 1) % period
        x = plain.embed(torch.tensor([[*codes, end]]), torch.arange(1, len(word) + 2))
        for block in plain.blocks:
            x = block(x)
        assert float(plain.read(x[:, -1])) == pytest.approx(
            logits_of_codes(model, AB.encode_batch([word]).tolist())[0], abs=1e-9
        )


@pytest.mark.parametrize("positions", ["rotary", "periodic-rotary-3", "offset-bias"])
def test_local_heads_with_relative_positions_can_read_the_letter_before(positions):
    """The converse half of the row LTL[Y]: with window 3, one head sees position n - 1 alone [docs/positions.md]."""
    shape = TransformerConfig(
        AttentionPattern("local", 3), layers=1, heads=1, width=4, feedforward=4, positions=Positions.parse(positions)
    )
    attention = Attention(shape)
    sharp = 200.0
    with torch.no_grad():
        for weights in attention.parameters():
            weights.zero_()
        if attention.offset_bias is not None:
            attention.offset_bias[0, 0] = sharp
        else:
            # The first pair of coordinates turns by an angle t a position: the query is turned back by one position.
            angle = 1.0 if positions == "rotary" else 2 * np.pi / 3
            attention.project_in.bias[0], attention.project_in.bias[2] = sharp * np.cos(angle), -sharp * np.sin(angle)
            attention.project_in.bias[4] = 1.0
        attention.project_in.weight[8:] = torch.eye(4)
        attention.project_out.weight.copy_(torch.eye(4))
        x = torch.randn(2, 12, 4, generator=torch.Generator().manual_seed(0))
        seen = attention(x)
    assert torch.allclose(seen[:, 1:], x[:, :-1], atol=1e-4)
    assert torch.equal(seen[:, 0], torch.zeros(2, 4))


@pytest.mark.parametrize("period", [2, 3, 5, 8])
def test_global_heads_with_periodic_rotary_positions_tell_halves_of_the_circle(period):
    """A head whose value stands at position 1 alone sees it iff the angle is right [docs/positions.md]."""
    shape = TransformerConfig(
        AttentionPattern("global"),
        layers=1,
        heads=1,
        width=4,
        feedforward=4,
        positions=Positions("periodic-rotary", period),
    )
    attention = Attention(shape)
    x = torch.zeros(1, 4 * period, 4)
    x[0, 0, 1] = 1.0  # the mark of the first position
    for phase in np.arange(period) * 2 * np.pi / period + 0.3 / period:
        with torch.no_grad():
            for weights in attention.parameters():
                weights.zero_()
            attention.project_in.bias[0], attention.project_in.bias[2] = 500 * np.cos(phase), -500 * np.sin(phase)
            attention.project_in.weight[4, 1] = 1.0  # its key: the others have none
            attention.project_in.weight[8, 1] = 1.0  # its value
            attention.project_out.weight[0, 0] = 1.0
            seen = attention(x)[0, 2:, 0]
        expected = [np.cos(2 * np.pi * (n - 1) / period - phase) > 0 for n in range(3, 4 * period + 1)]
        assert (seen > 0.5).tolist() == expected


def test_learned_positions_end_somewhere():
    model = small("global", positions="learned-4")
    assert len(model.logits(["", "aba"])) == 2
    with pytest.raises(ToolkitError, match="reach words of 3 letters, found one of 4"):
        model.logits(["abab"])


@pytest.mark.parametrize(
    ("name", "positions", "heads", "problem"),
    [
        ("global", "rotary", 16, "turn coordinates in pairs; heads of 1"),
        ("global", "offset-bias", 4, "for local heads"),
        ("local-1", "learned-1000000", 4, "weights"),
    ],
)
def test_positions_that_do_not_fit(name, positions, heads, problem):
    width = 16 if heads != 4 or name == "global" else 4096
    with pytest.raises(ToolkitError, match=problem):
        TransformerConfig(AttentionPattern.parse(name), heads=heads, width=width, positions=Positions.parse(positions))
