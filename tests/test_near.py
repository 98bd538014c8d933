"""Near-boundary words: each checked by trying all edits; their distribution against all sources and edits."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import NoSuchWord, TooLarge, ToolkitError
from automata.near import NearSampler, near_words
from tests.strategies import AB, all_words, dfas

CONTAINS_A = DFA(AB, [[1, 0], [1, 1]], 0, [False, True])
NO_BB = DFA(AB, [[0, 1], [0, 2], [2, 2]], 0, [True, True, False])
AB_STAR = DFA(AB, [[1, 2], [2, 0], [2, 2]], 0, [True, False, False])
BEGINS_WITH_A = DFA(AB, [[1, 2], [1, 1], [2, 2]], 0, [False, True, False])


def edits(word, alphabet):
    """All edits of a word, as (edited word, whether the edit is at the first or the last place)."""
    n = len(word)
    for i in range(n + 1):
        for letter in alphabet:
            yield word[:i] + letter + word[i:], i in (0, n)
    for i in range(n):
        yield word[:i] + word[i + 1 :], i in (0, n - 1)
        for letter in alphabet:
            if letter != word[i]:
                yield word[:i] + letter + word[i + 1 :], i in (0, n - 1)
    for i in range(n - 1):
        if word[i] != word[i + 1]:
            yield word[:i] + word[i + 1] + word[i] + word[i + 2 :], i in (0, n - 2)


def is_near(dfa, word):
    return any(dfa.accepts(edited) != dfa.accepts(word) for edited, _ in edits(word, dfa.alphabet))


@given(dfas(), st.integers(0, 9), st.integers(1, 4), st.booleans(), st.sampled_from([0.0, 0.3, 1.0]))
def test_words_are_near_and_of_the_class_or_there_are_none(dfa, first, width, inside, ends):
    lengths = range(first, first + width)
    try:
        drawn = near_words(dfa, np.random.default_rng(0), 40, lengths, inside=inside, ends=ends)
    except NoSuchWord:
        exhaustive = range(first, min(lengths[-1], 5) + 1)
        words = [w for w in all_words(dfa.alphabet, 5) if len(w) in exhaustive and dfa.accepts(w) == inside]
        assert not any(is_near(dfa, word) for word in words)
        return
    assert drawn.shape == (40, lengths[-1])
    for word in dfa.alphabet.decode_batch(drawn):
        assert len(word) in lengths
        assert dfa.accepts(word) == inside
        assert is_near(dfa, word)


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("ends", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("dfa", [NO_BB, AB_STAR, BEGINS_WITH_A], ids=["no-bb", "ab-star", "begins-with-a"])
def test_pairs_of_source_and_edit_are_equally_likely(dfa, ends, inside):
    lengths = range(1, 5)
    everywhere = {n: Counter() for n in lengths}
    at_ends = {n: Counter() for n in lengths}
    for source in all_words(AB, 5):
        if dfa.accepts(source) == inside:
            continue
        for word, is_end in edits(source, AB):
            if len(word) in lengths and dfa.accepts(word) == inside:
                everywhere[len(word)][word] += 1
                at_ends[len(word)][word] += is_end
    possible = [n for n in lengths if everywhere[n]]
    expected = Counter()
    for n in possible:
        total, total_ends = everywhere[n].total(), at_ends[n].total()
        share = ends if total_ends else 0
        for word in everywhere[n]:
            chance = (1 - share) * everywhere[n][word] / total + share * at_ends[n][word] / max(total_ends, 1)
            expected[word] += chance / len(possible)
    words = sorted(word for word in expected if expected[word])
    drawn = near_words(dfa, np.random.default_rng(11), 4000, lengths, inside=inside, ends=ends)
    found = Counter(AB.decode_batch(drawn))
    assert set(found) <= set(words)
    assert chisquare([found[w] for w in words], [4000 * expected[w] for w in words]).pvalue > 1e-3


def test_words_far_too_rare_for_trial_and_error_are_found():
    # Of the 2^40 - 1 members of length 40 just 40 have a non-member next to them.
    inside = near_words(CONTAINS_A, np.random.default_rng(0), 100, 40)
    assert ((inside == 0).sum(axis=1) == 1).all()
    outside = near_words(CONTAINS_A, np.random.default_rng(0), 100, 500, inside=False)
    assert (outside == 1).all()


def test_share_of_edits_at_the_ends():
    # The result holds one a, written by the edit (or left by a deletion or transposition next to it).
    words = near_words(CONTAINS_A, np.random.default_rng(0), 2000, 400, ends=1.0)
    place = np.argmax(words == 0, axis=1)
    assert ((place == 0) | (place == 399)).all()
    words = near_words(CONTAINS_A, np.random.default_rng(0), 2000, 400, ends=0.3)
    place = np.argmax(words == 0, axis=1)
    assert abs(((place == 0) | (place == 399)).mean() - 0.3) < 0.04


def test_no_boundary_no_words():
    everything = DFA(AB, [[0, 0]], 0, [True])
    for inside in (True, False):
        with pytest.raises(NoSuchWord, match="one edit away from the other class of length 3, nor of any length"):
            near_words(everything, np.random.default_rng(0), 4, 3, inside=inside)
    with pytest.raises(NoSuchWord):
        near_words(DFA(Alphabet(()), [[]], 0, [True]), np.random.default_rng(0), 4, 0)


def test_missing_lengths_are_named_with_their_neighbours():
    with pytest.raises(NoSuchWord, match=r"word in the language .* of length 7; lengths near it .* some: 4, 6, 8, 10$"):
        near_words(AB_STAR, np.random.default_rng(0), 1, 7)


def test_a_sampler_draws_what_the_function_draws():
    sampler = NearSampler.of(NO_BB, range(1, 41), inside=False)
    together = near_words(NO_BB, np.random.default_rng(5), 32, range(1, 41), inside=False)
    assert np.array_equal(sampler.draw(np.random.default_rng(5), 32), together)
    assert sampler.draw(np.random.default_rng(5), 0).shape == (0, 40)


def test_mistakes_and_limits_are_named():
    rng = np.random.default_rng(0)
    with pytest.raises(ToolkitError, match=r"0\.\.1, not 30"):
        near_words(NO_BB, rng, 1, 4, ends=30)
    with pytest.raises(ToolkitError, match="0 or more, not -1"):
        near_words(NO_BB, rng, -1, 4)
    chaos = DFA(AB, rng.integers(0, 50, (50, 2)), 0, rng.random(50) < 0.5)
    with pytest.raises(TooLarge, match=r"pairs of states .* limit of 100; raise max_states"):
        near_words(chaos, rng, 1, 40, max_states=100)
    with pytest.raises(TooLarge, match=r"up to 20,000,000 letters: reached .* raise max_states"):
        near_words(DFA(AB, [[0, 0]], 0, [True]), rng, 1, 20_000_000)
    many = Alphabet.of([f"x{i}" for i in range(8000)])
    with pytest.raises(TooLarge, match=r"pairs of letters .* reached 64,000,000, more than the limit of 40,000,000"):
        near_words(DFA(many, [[0] * 8000], 0, [True]), rng, 1, 4)
