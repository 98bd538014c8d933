"""Labelled words: balance, boundary, lengths that a language lacks, bins of lengths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import NoSuchWord, ToolkitError
from neural.data import Examples, ExampleSampler, distinct, length_bins
from tests.strategies import AB, dfas

PAD = len(AB)
ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
CONTAINS_A = DFA(AB, [[1, 0], [1, 1]], 0, [False, True])
AB_STAR = DFA(AB, [[1, 2], [2, 0], [2, 2]], 0, [True, False, False])
EVERYTHING = DFA(AB, [[0, 0]], 0, [True])
NOTHING = DFA(AB, [[0, 0]], 0, [False])


def each_length(sampler: ExampleSampler, per_class: int) -> Examples:
    """Uniform words and those near the boundary, together."""
    parts = sampler.each_length(np.random.default_rng(0), per_class)
    return Examples(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("words", "labels")))


def lengths_of(words: np.ndarray) -> np.ndarray:
    return (words != PAD).sum(axis=1)


@pytest.mark.parametrize("size", [2, 7, 32])
def test_batches_are_balanced_and_labelled_by_the_automaton(size):
    sampler = ExampleSampler.of(ENDS_WITH_A, range(1, 21))
    batches = list(sampler.batches(np.random.default_rng(0), 5, size))
    assert len(batches) == 5
    for examples in batches:
        assert len(examples) == len(examples.words) == size
        assert examples.labels.sum() == size // 2
        assert examples.labels.tolist() == [word.endswith("a") for word in AB.decode_batch(examples.words)]
        assert set(lengths_of(examples.words).tolist()) <= set(range(1, 21))


def test_lengths_are_uniform():
    sampler = ExampleSampler.of(ENDS_WITH_A, range(1, 11))
    words = next(sampler.batches(np.random.default_rng(0), 1, 20_000)).words
    counts = np.bincount(lengths_of(words), minlength=11)[1:]
    assert np.abs(counts - 2000).max() < 5 * np.sqrt(2000)


@pytest.mark.parametrize(("near", "expected"), [(0.0, 0), (0.5, 8), (1.0, 16)])
def test_a_share_of_each_class_is_near_the_boundary(near, expected):
    # A member of "contains a" is one edit away from b* iff it holds exactly one a; a uniform one of 30 letters or more
    # does so with a probability below 1e-7.
    sampler = ExampleSampler.of(CONTAINS_A, range(30, 41), near=near)
    for examples in sampler.batches(np.random.default_rng(0), 10, 32):
        assert sum(word.count("a") == 1 for word in AB.decode_batch(examples.words)) == expected


@pytest.mark.parametrize(("dfa", "lacking"), [(EVERYTHING, "non-member"), (NOTHING, "member")])
def test_a_class_without_words_cannot_be_learned_but_the_other_can_be_tested(dfa, lacking):
    sampler = ExampleSampler.of(dfa, range(1, 6))
    with pytest.raises(NoSuchWord, match=f"the language has no {lacking} of the training lengths"):
        sampler.batches(np.random.default_rng(0), 1, 4)
    examples = each_length(sampler, 3)
    assert np.bincount(lengths_of(examples.words)).tolist() == [0, 3, 3, 3, 3, 3]
    assert set(examples.labels.tolist()) == {dfa is EVERYTHING}


def test_an_alphabet_without_letters_has_no_words_to_draw():
    with pytest.raises(NoSuchWord):
        ExampleSampler.of(DFA(Alphabet(()), [[]], 0, [True]), range(1, 41))


def test_lengths_that_a_class_lacks_are_left_out():
    sampler = ExampleSampler.of(AB_STAR, range(1, 9))
    (batch,) = sampler.batches(np.random.default_rng(0), 1, 400)
    assert set(lengths_of(batch.words[batch.labels]).tolist()) == {2, 4, 6, 8}
    assert set(lengths_of(batch.words[~batch.labels]).tolist()) == set(range(1, 9))
    examples = each_length(sampler, 6)
    for length in range(1, 9):
        labels = examples.labels[lengths_of(examples.words) == length]
        assert labels.sum() == (0 if length % 2 else 6)
        assert (~labels).sum() == 6


def test_each_length_far_from_the_boundary():
    # All members have fewer than 4 letters, so words of 20 letters are neither in the language nor near it.
    short = DFA(AB, [[1, 1], [2, 2], [3, 3], [4, 4], [4, 4]], 0, [True, True, True, True, False])
    examples = each_length(ExampleSampler.of(short, range(20, 23)), 4)
    assert np.bincount(lengths_of(examples.words))[20:].tolist() == [4, 4, 4]
    assert not examples.labels.any()


def test_lengths_beyond_the_last_word_near_the_boundary():
    # {a, bb}: no non-member of more than 4 letters is one edit away from a member.
    finite = DFA(AB, [[1, 2], [3, 3], [3, 1], [3, 3]], 0, [False, True, False, False])
    examples = each_length(ExampleSampler.of(finite, range(1, 9)), 4)
    assert np.bincount(lengths_of(examples.words[~examples.labels]), minlength=9).tolist() == [0] + [4] * 8
    assert np.bincount(lengths_of(examples.words[examples.labels]), minlength=9).tolist() == [0, 4, 4] + [0] * 6


@pytest.mark.parametrize(("near", "expected"), [(0.0, 0), (0.5, 4), (1.0, 8)])
def test_the_words_of_each_length_are_parted_by_how_they_were_drawn(near, expected):
    # A member of "contains a" is one edit away from b* iff it holds exactly one a.
    sampler = ExampleSampler.of(CONTAINS_A, range(30, 33), near=near)
    uniform, boundary = sampler.each_length(np.random.default_rng(0), 8)
    for length in range(30, 33):
        assert (lengths_of(uniform.words) == length).sum() == 2 * (8 - expected)
        assert (lengths_of(boundary.words) == length).sum() == 2 * expected
    assert all(word.count("a") <= 1 for word in AB.decode_batch(boundary.words))
    assert all(word.count("a") != 1 for word in AB.decode_batch(uniform.words))


@given(dfas(AB, 4), st.integers(1, 5), st.floats(0, 1))
def test_each_length_has_its_quota_of_each_class_that_exists(dfa, per_class, near):
    sampler = ExampleSampler.of(dfa, range(4), near=near)
    examples = each_length(sampler, per_class)
    assert examples.labels.tolist() == dfa.accepts_batch(examples.words).tolist()
    everything = AB.encode_batch(f"{i:b}"[1:].replace("0", "a").replace("1", "b") for i in range(1, 16))
    inside = dfa.accepts_batch(everything)
    for length in range(4):
        for label in (True, False):
            exists = bool((inside[lengths_of(everything) == length] == label).any())
            drawn = (lengths_of(examples.words) == length) & (examples.labels == label)
            assert drawn.sum() == per_class * exists


def test_the_generator_decides_everything():
    sampler = ExampleSampler.of(ENDS_WITH_A, range(1, 41))
    first, again, other = (next(sampler.batches(np.random.default_rng(seed), 1, 32)).words for seed in (5, 5, 6))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("near", [-0.1, 1.1, float("nan")])
def test_shares_lie_between_zero_and_one(near):
    with pytest.raises(ToolkitError):
        ExampleSampler.of(ENDS_WITH_A, range(1, 5), near=near)


def test_distinct_words_do_not_depend_on_padding():
    assert len(distinct(np.array([[0, 1, 2], [2, 0, 1], [0, 2, 1], [2, 2, 2], [1, 0, 2]]), 2)) == 3
    assert distinct(np.array([[0, 1]]), 2) == distinct(np.array([[2, 0, 1, 2]], dtype=np.int8), 2)


@given(st.integers(0, 3), st.integers(1, 250), st.integers(0, 600), st.integers(0, 99))
def test_h32_bins_share_no_length_and_all_but_the_first_lie_above_training(first, count, longest, seed):
    trained = range(first, first + count)
    training, *beyond = length_bins(ENDS_WITH_A, trained, longest, np.random.default_rng(seed))
    assert (training.first, training.last, training.tested) == (trained[0], trained[-1], tuple(trained))
    end = trained[-1]
    for part in beyond:
        assert part.first == end + 1
        end = part.last
        assert end == longest or end % 100 == 0
        assert part.first <= part.tested[0]
        assert part.tested[-1] == end
        gaps = np.diff([part.first - 1, *part.tested])
        assert gaps.min() >= 1
        assert gaps.max() < 14  # the last of one seven, the first of the next
        assert end - part.first < 100
    assert end == max(longest, trained[-1])


@pytest.mark.parametrize("modulus", [2, 7, 13, 45])
def test_every_bin_tests_both_classes_where_it_has_both(modulus):
    """Lengths divisible by a number, whatever lengths chance would choose: no bin without members."""
    circle = DFA(AB, [[(q + 1) % modulus] * 2 for q in range(modulus)], 0, [q == 0 for q in range(modulus)])
    for part in length_bins(circle, range(1, 41), 500, np.random.default_rng(0)):
        found = {length % modulus == 0 for length in part.tested}
        assert found == {length % modulus == 0 for length in range(part.first, part.last + 1)}


def test_usual_bins():
    bins = [(part.first, part.last) for part in length_bins(ENDS_WITH_A, range(1, 41), 500, np.random.default_rng(0))]
    assert bins == [(1, 40), (41, 100), (101, 200), (201, 300), (301, 400), (401, 500)]


def test_no_training_lengths():
    with pytest.raises(ToolkitError, match="empty"):
        length_bins(ENDS_WITH_A, range(5, 5), 100, np.random.default_rng(0))
