"""Counts, uniform samples and enumeration against brute force over all words, and chi-square tests."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import NoSuchWord, TooLarge, ToolkitError
from automata.sample import (
    WordSampler,
    count_words,
    enumerate_words,
    lengths_with_words,
    sample_words,
    word_counts,
)
from tests.strategies import AB, ABC, all_words, dfas

NO_BB = DFA(AB, [[0, 1], [0, 2], [2, 2]], 0, [True, True, False])
EVEN_LENGTH = DFA(AB, [[1, 1], [0, 0]], 0, [True, False])
NOTHING = DFA(AB, [[0, 0]], 0, [False])
EVERYTHING = DFA(AB, [[0, 0]], 0, [True])
ONLY_A = DFA(Alphabet.of("a"), [[1], [2], [2]], 0, [False, True, False])
# a|b[cde] over {a,b,c,d,e}: start, after b, done, dead
A_OR_BX = DFA(
    Alphabet.of("abcde"), [[2, 1, 3, 3, 3], [3, 3, 2, 2, 2], [3] * 5, [3] * 5], 0, [False, False, True, False]
)


def brute_force(dfa, lengths, inside=True):
    return [w for w in all_words(dfa.alphabet, max(lengths)) if len(w) in lengths and dfa.accepts(w) == inside]


@given(dfas(), st.booleans())
def test_counts_are_those_of_brute_force(dfa, inside):
    by_length = Counter(len(word) for word in brute_force(dfa, range(6), inside))
    assert word_counts(dfa, 5, inside=inside) == [by_length[n] for n in range(6)]
    assert count_words(dfa, range(2, 6), inside=inside) == sum(by_length[n] for n in range(2, 6))
    assert lengths_with_words(dfa, 5, inside=inside) == [n for n in range(6) if by_length[n]]


@given(dfas())
def test_members_and_non_members_are_all_words(dfa):
    together = zip(word_counts(dfa, 200), word_counts(dfa, 200, inside=False), strict=True)
    assert [inside + outside for inside, outside in together] == [len(dfa.alphabet) ** n for n in range(201)]


def test_counts_of_no_bb_are_fibonacci_numbers():
    counts = word_counts(NO_BB, 500)
    assert counts[:2] == [1, 2]
    assert all(counts[n] == counts[n - 1] + counts[n - 2] for n in range(2, 501))


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("by", ["words", "lengths"])
@pytest.mark.parametrize("dfa", [NO_BB, EVEN_LENGTH], ids=["no-bb", "even-length"])
def test_samples_are_uniform(dfa, by, inside):
    words = brute_force(dfa, range(1, 5), inside)
    of_length = Counter(len(word) for word in words)
    probability = [1 / len(words) if by == "words" else 1 / len(of_length) / of_length[len(w)] for w in words]
    drawn = sample_words(dfa, np.random.default_rng(7), 4000, range(1, 5), inside=inside, by=by)
    found = Counter(dfa.alphabet.decode_batch(drawn))
    assert set(found) <= set(words)
    assert chisquare([found[w] for w in words], 4000 * np.array(probability)).pvalue > 1e-3


def test_h21_words_not_edges_are_equally_likely():
    for lengths, words in [(range(3), ["a", "bc", "bd", "be"]), (2, ["bc", "bd", "be"])]:
        drawn = sample_words(A_OR_BX, np.random.default_rng(21), 4000, lengths)
        found = Counter(A_OR_BX.alphabet.decode_batch(drawn))
        assert set(found) == set(words)
        assert chisquare([found[w] for w in words]).pvalue > 1e-3
    with pytest.raises(NoSuchWord, match=r"no word in the language of length 3; .* have some: 1, 2$"):
        sample_words(A_OR_BX, np.random.default_rng(0), 1, 3)


def test_h21_the_empty_word_is_drawn_iff_it_is_a_member():
    assert sample_words(NO_BB, np.random.default_rng(0), 2, 0).shape == (2, 0)
    with pytest.raises(NoSuchWord, match=r"of length 0; lengths near it that have some: 1, 2$"):
        sample_words(A_OR_BX, np.random.default_rng(0), 2, 0)


@given(dfas(), st.integers(0, 12), st.integers(1, 9), st.booleans(), st.sampled_from(["words", "lengths"]))
def test_samples_are_of_the_class_and_the_lengths_or_there_are_none(dfa, first, width, inside, by):
    lengths = range(first, first + width)
    if count_words(dfa, lengths, inside=inside):
        drawn = sample_words(dfa, np.random.default_rng(0), 40, lengths, inside=inside, by=by)
        assert drawn.shape == (40, lengths[-1])
        assert (dfa.accepts_batch(drawn) == inside).all()
        assert all(len(word) in lengths for word in dfa.alphabet.decode_batch(drawn))
    else:
        with pytest.raises(NoSuchWord):
            sample_words(dfa, np.random.default_rng(0), 40, lengths, inside=inside, by=by)


def test_long_words_are_drawn_where_their_share_is_tiny():
    only_one = DFA(AB, [[0, 1], [1, 1]], 0, [True, False])  # a*
    drawn = sample_words(only_one, np.random.default_rng(0), 5, 1500)
    assert not drawn.any()
    outside = sample_words(only_one, np.random.default_rng(0), 200, 1500, inside=False)
    assert outside.any(axis=1).all()
    assert abs(outside.mean() - 0.5) < 0.01


def test_a_sampler_draws_what_the_function_draws():
    sampler = WordSampler.of(NO_BB, range(1, 41), by="lengths")
    together = sample_words(NO_BB, np.random.default_rng(3), 32, range(1, 41), by="lengths")
    assert np.array_equal(sampler.draw(np.random.default_rng(3), 32), together)
    assert sampler.n_words == sum(word_counts(NO_BB, 40)) - 1
    assert sampler.draw(np.random.default_rng(3), 0).shape == (0, 40)


def test_the_empty_word_is_drawn_over_the_empty_alphabet():
    only_epsilon = DFA(Alphabet.of(""), [[]], 0, [True])
    words = sample_words(only_epsilon, np.random.default_rng(0), 3, range(3))
    assert only_epsilon.alphabet.decode_batch(words) == ["", "", ""]


@pytest.mark.parametrize("length", [10_000, 999_999_999])
def test_tables_too_large_for_memory_are_refused(length):
    with pytest.raises(TooLarge, match=f"up to {length:,} letters: reached .* raise max_states"):
        WordSampler.of(NO_BB, length, max_states=1000)
    assert WordSampler.of(NO_BB, 100, max_states=1000).n_words > 0


def test_lengths_may_skip_and_run_backwards():
    drawn = sample_words(EVERYTHING, np.random.default_rng(0), 300, range(7, 0, -3), by="lengths")
    assert {len(word) for word in AB.decode_batch(drawn)} == {1, 4, 7}


def test_h32_the_number_of_distinct_words_is_known_beforehand():
    assert count_words(EVERYTHING, range(4)) == 15
    assert WordSampler.of(EVERYTHING, range(4)).n_words == 15


def test_a_missing_length_is_named_with_its_neighbours():
    with pytest.raises(NoSuchWord, match=r"length 41; lengths near it that have some: 38, 40, 42, 44$"):
        sample_words(EVEN_LENGTH, np.random.default_rng(0), 1, 41)
    with pytest.raises(NoSuchWord, match=r"outside the language of lengths 1 to 3, nor of any length up to"):
        sample_words(EVERYTHING, np.random.default_rng(0), 1, range(1, 4), inside=False)
    with pytest.raises(NoSuchWord, match="nor of any length"):
        sample_words(NOTHING, np.random.default_rng(0), 1, 5)


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda rng: sample_words(NO_BB, rng, 1, range(3, 3)), "is empty"),
        (lambda rng: sample_words(NO_BB, rng, 1, -1), "0 or more, not -1"),
        (lambda rng: sample_words(NO_BB, rng, -2, 4), "0 or more, not -2"),
        (lambda rng: sample_words(NO_BB, rng, 1, 4, by="edges"), "'words' or 'lengths', not 'edges'"),
        (lambda rng: word_counts(NO_BB, -1), "0 or more, not -1"),
    ],
)
def test_mistakes_are_named(ask, problem):
    with pytest.raises(ToolkitError, match=problem):
        ask(np.random.default_rng(0))


@given(dfas())
def test_enumeration_is_brute_force_in_order(dfa):
    expected = brute_force(dfa, range(6))
    listed = []
    for word in enumerate_words(dfa):
        if len(word) > 5:
            break
        listed.append(word)
    assert listed == expected


def test_h20_enumeration_of_finite_languages_stops():
    assert list(islice(enumerate_words(ONLY_A), 5)) == ["a"]
    assert list(islice(enumerate_words(NOTHING), 5)) == []
    assert list(enumerate_words(A_OR_BX)) == ["a", "bc", "bd", "be"]
    assert list(enumerate_words(DFA(Alphabet(()), [[]], 0, [True]))) == [""]


def test_enumeration_skips_dead_prefixes():
    # b^30 then one a: 2^31 words are shorter, so only a search that never enters dead prefixes ends.
    chain = DFA(
        AB,
        [[32, min(n + 1, 30)] if n < 30 else [31, 32] for n in range(31)] + [[32, 32]] * 2,
        0,
        np.arange(33) == 31,
    )
    assert list(enumerate_words(chain)) == ["b" * 30 + "a"]


def test_enumeration_crosses_gaps_between_lengths():
    every_seventh = DFA(ABC, [[(n + 1) % 7] * 2 + [7] for n in range(7)] + [[7] * 3], 0, np.arange(8) == 0)
    assert [len(w) for w in islice(enumerate_words(every_seventh), 130)] == [0] + [7] * 128 + [14]


def test_words_over_long_letters_are_tuples():
    letters = Alphabet(("a", "b0"))
    dfa = DFA(letters, [[1, 0], [1, 0]], 0, [False, True])
    assert list(islice(enumerate_words(dfa), 3)) == [("a",), ("a", "a"), ("b0", "a")]
