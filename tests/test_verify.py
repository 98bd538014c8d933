"""Verification: the least wrong word is found and nothing more is claimed than was compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom

from automata.alphabet import Alphabet, Codes
from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.errors import AlphabetMismatch, NoSuchWord, TooLarge, ToolkitError
from ltl.compile import formula_to_dfa
from ltl.syntax import parse_formula
from neural import verify
from neural.agreement import Agreement, Conformance, Exhaustive, Sampled, rounded_up
from neural.conformance import conformance_suite
from neural.judge import least_error, verdicts
from neural.pattern import AttentionPattern
from neural.prefixes import WordLogits, prefix_logits
from neural.program import compile_program
from neural.verify import (
    balanced_samplers,
    budgeted_length,
    draw_balanced,
    error_bound,
    verify_by_samples,
    verify_by_suite,
    verify_exhaustively,
)
from tests.strategies import AB, ABC, all_words, dfas, words
from tests.test_prefixes import random_model

A = Alphabet.of("a")
ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
EVERYTHING = DFA(AB, [[0, 0]], 0, [True])


@dataclass
class WrongOn:
    """An automaton's answers, but for some words; counts the words it judges."""

    dfa: DFA
    wrong: frozenset[str]
    judged: int = 0

    @property
    def alphabet(self) -> Alphabet:
        return self.dfa.alphabet

    def accepts(self, word: Sequence[str]) -> bool:
        return self.dfa.accepts(word) ^ (word in self.wrong)

    def accepts_batch(self, words: Codes | Iterable[Sequence[str]]) -> np.ndarray:
        batch = self.alphabet.as_batch(words)
        self.judged += len(batch)
        return np.array([self.accepts(word) for word in self.alphabet.decode_batch(batch)], dtype=bool)


# all short words


@given(dfas(AB, max_states=4), st.sets(words(AB, 7), max_size=3))
def test_exhaustively_exactly_the_least_wrong_word_is_found(dfa, wrong):
    found = verify_exhaustively(WrongOn(dfa, frozenset(wrong)), dfa, length=6)
    short = sorted((word for word in wrong if len(word) <= 6), key=lambda word: (len(word), word))
    assert found.disagreement == (short[0] if short else None)
    assert isinstance(found.scope, Exhaustive)
    assert found.scope.words == 2 ** (found.scope.length + 1) - 1
    assert found.scope.length == 6 or len(found.disagreement) <= found.scope.length < 6


@given(dfas(max_states=4), st.data())
def test_exhaustively_two_automata_differ_on_the_word_that_distinguishes_them(dfa, data):
    other = data.draw(dfas(dfa.alphabet, max_states=4))
    found = verify_exhaustively(other, dfa, budget=5000)  # up to 7 letters: two of four states differ before that
    assert found.disagreement == distinguish(dfa, other)


@pytest.mark.parametrize("wrong", ["", "a", "bbbb", "baab", "aaaaaa"])
@pytest.mark.parametrize("dfa", [ENDS_WITH_A, EVERYTHING])
def test_one_wrong_word_is_found_and_no_other(dfa, wrong):
    assert verify_exhaustively(WrongOn(dfa, frozenset({wrong})), dfa, length=6).disagreement == wrong
    longer = WrongOn(dfa, frozenset({wrong + 7 * "a"}))
    assert verify_exhaustively(longer, dfa, length=6).disagreement is None


def test_every_word_is_judged_once_but_for_the_shorter_ones():
    recognizer = WrongOn(ENDS_WITH_A, frozenset())
    told = []
    assert verify_exhaustively(recognizer, ENDS_WITH_A, length=10, tell=told.append).disagreement is None
    assert sum(told) == 2047
    assert recognizer.judged == 2047 + 127


def test_after_a_short_disagreement_long_words_are_not_judged():
    recognizer = WrongOn(ENDS_WITH_A, frozenset({"ab", "b" * 12}))
    found = verify_exhaustively(recognizer, ENDS_WITH_A, length=12)
    assert (found.disagreement, found.scope) == ("ab", Exhaustive(8, 511))
    assert recognizer.judged == 511


@pytest.mark.parametrize(
    ("n_letters", "budget", "reach", "length"),
    [(2, 2**17 - 1, None, 16), (2, 2**17 - 2, None, 15), (2, 1, None, 0), (3, 13, None, 2), (2, 1000, 3, 3),
     (1, 10**6, None, 1000), (0, 1000, None, 0), (2, 2, None, 0), (2, 3, None, 1)],
)  # fmt: skip
def test_the_budget_decides_the_length(n_letters, budget, reach, length):
    assert budgeted_length(n_letters, budget, reach) == length


@given(st.sampled_from(["global", "local-1", "local-2", "hybrid-1"]), dfas(AB, max_states=3), st.integers(0, 3))
def test_a_transformer_is_judged_as_it_judges_each_word(pattern, dfa, seed):
    model = random_model(pattern, "none", seed=seed)
    with torch.no_grad():
        model.readout.bias -= float(np.median(model.logits(all_words(AB, 5))))  # half of the words are accepted
    expected = next((word for word in all_words(AB, 5) if model.accepts(word) != dfa.accepts(word)), None)
    assert verify_exhaustively(model, dfa, length=5).disagreement == expected


def test_logits_near_zero_are_judged_by_the_model_itself(monkeypatch):
    model = random_model("hybrid-1", "none")
    with torch.no_grad():
        model.readout.weight.mul_(1e-7)
        model.readout.bias.fill_(-float(np.median(model.logits(all_words(AB, 4)) - float(model.readout.bias))))
    accepted = [model.accepts(word) for word in all_words(AB, 4)]
    assert 10 < sum(accepted) < 20
    rows = [[min(2 * i + 1, 31), min(2 * i + 2, 31)] for i in range(32)]
    tree = DFA(AB, rows, 0, [*accepted, False])  # accepts what the model does, up to four letters
    alone = model.logits

    def together(words):  # rounding that depends on what is computed together
        noise = np.resize([5e-6, -5e-6], len(words)).astype(np.float32)
        return alone(words) + noise * (len(words) > 1)

    def shared(_, length):
        noise = np.resize([5e-4, -5e-4], 31).astype(np.float32)
        for part in prefix_logits(model, length):
            yield WordLogits(part.length, part.first, part.logits + noise[: len(part.logits)])

    monkeypatch.setattr(model, "logits", together)
    monkeypatch.setattr(verify, "prefix_logits", shared)
    assert verdicts(model, AB.encode_batch(all_words(AB, 4))).tolist() == accepted
    assert verify_exhaustively(model, tree, length=4).disagreement is None
    wrong = DFA(AB, rows, 0, [*accepted[:20], not accepted[20], *accepted[21:], False])
    assert verify_exhaustively(model, wrong, length=4).disagreement == all_words(AB, 4)[20]


def test_a_disagreement_that_the_recognizer_does_not_confirm_is_none():
    class Fickle(WrongOn):
        def accepts_batch(self, words):
            return ~self.dfa.accepts_batch(words)

    fickle = Fickle(ENDS_WITH_A, frozenset({"bab"}))
    codes = AB.encode_batch(all_words(AB, 3))
    assert least_error(fickle, ENDS_WITH_A, codes, fickle.accepts_batch(codes)) == "bab"
    assert verify_exhaustively(fickle, ENDS_WITH_A, length=3).disagreement == "bab"
    assert verify_by_suite(fickle, ENDS_WITH_A, 0).disagreement is None
    honest = Fickle(ENDS_WITH_A, frozenset())
    found = verify_by_samples(honest, ENDS_WITH_A, np.random.default_rng(0), range(4, 5), 100)
    assert (found.disagreement, found.scope.errors) == (None, 0)


def test_a_compiled_transformer_agrees_and_with_another_language_it_does_not():
    formula = parse_formula("P (b & Y a)", ABC)
    model = compile_program(formula, ABC, AttentionPattern("hybrid", 1)).model
    language = formula_to_dfa(formula, ABC)
    other = formula_to_dfa(parse_formula("P (b & Y a) & !(Y Y Y Y (c & first))", ABC), ABC)
    rng = np.random.default_rng(0)
    assert verify_exhaustively(model, language, length=6).disagreement is None
    assert verify_by_suite(model, language, 2).disagreement is None
    assert verify_by_samples(model, language, rng, range(200), 500).disagreement is None
    word = distinguish(language, other)
    assert len(word) == 4
    assert verify_exhaustively(model, other, length=6).disagreement == word
    assert verify_by_suite(model, other, 0).disagreement is not None


def test_learned_positions_cap_the_length():
    model = random_model("local-1", "learned-6")
    assert verify_exhaustively(model, ENDS_WITH_A).scope.length <= 5
    nothing = DFA(AB, [[0, 0]], 0, [False])
    with torch.no_grad():
        model.readout.weight.zero_()
        model.readout.bias.fill_(-1)
    assert verify_exhaustively(model, nothing) == Agreement(Exhaustive(5, 63), None)
    with pytest.raises(ToolkitError, match="reach words of 5 letters, not of 6"):
        verify_exhaustively(model, nothing, length=6)
    with pytest.raises(ToolkitError, match=r"words of 6 letters to judge.*reach words of 5"):
        verify_by_suite(model, nothing, 5)
    with pytest.raises(ToolkitError, match="words of 6 letters to judge"):
        verify_by_samples(model, nothing, np.random.default_rng(0), range(6, 7))
    assert "all words of up to 5 letters, beyond which it ends" in str(verify_by_suite(model, nothing, 4))


# conformance suites


@given(dfas(max_states=4), st.data())
def test_by_suite_an_automaton_with_few_more_states_is_told_apart(dfa, data):
    other = data.draw(dfas(dfa.alphabet, max_states=3))
    found = verify_by_suite(other, dfa, 2)
    suite = dfa.alphabet.decode_batch(conformance_suite(dfa, 2))
    assert found.disagreement == next((word for word in suite if other.accepts(word) != dfa.accepts(word)), None)
    assert (found.disagreement is None) == (distinguish(dfa, other) is None)
    assert found.scope.words == len(suite)


def test_by_suite_a_wrong_word_outside_of_it_is_not_seen_and_not_denied():
    recognizer = WrongOn(ENDS_WITH_A, frozenset({"a" * 9}))
    found = verify_by_suite(recognizer, ENDS_WITH_A, 1)
    assert found.disagreement is None
    assert found.scope == Conformance(2, 1, len(conformance_suite(ENDS_WITH_A, 1)))
    assert "if it behaves like an automaton with at most 3 states, it agrees on all words" in str(found)


# random words


@given(st.integers(0, 40), st.integers(1, 40), st.floats(0.5, 0.999))
def test_the_bound_is_that_of_clopper_and_pearson(errors, more, confidence):
    count = errors + more
    bound = error_bound(errors, count, confidence)
    assert bound == pytest.approx(beta.ppf(confidence, errors + 1, count - errors))
    # The definition: at this rate, so few errors have the probability that is left.
    assert binom.cdf(errors, count, bound) == pytest.approx(1 - confidence, rel=1e-6)
    assert error_bound(count, count, confidence) == 1


def test_the_bound_covers_the_rate_as_often_as_it_says():
    rng = np.random.default_rng(0)
    rate, confidence = 0.03, 0.9
    errors = rng.binomial(200, rate, size=4000)
    covered = np.mean([error_bound(int(e), 200, confidence) >= rate for e in errors])
    assert covered >= confidence - 0.015


def test_by_samples_errors_are_counted_and_the_least_wrong_word_is_reported():
    rejects_all = DFA(AB, [[0, 0]], 0, [False])
    found = verify_by_samples(rejects_all, ENDS_WITH_A, np.random.default_rng(3), range(2, 6), 10_000, 0.95)
    scope = found.scope
    assert found.disagreement == "aa"
    assert isinstance(scope, Sampled)
    assert (scope.lengths, scope.count, scope.confidence) == ((2, 5), 10_000, 0.95)
    assert 4800 < scope.errors < 5200  # all members, half of the words
    assert scope.error_bound == error_bound(scope.errors, 10_000, 0.95)
    rng = np.random.default_rng(3)
    samplers = balanced_samplers(ENDS_WITH_A, range(2, 6))
    drawn = [draw_balanced(samplers, rng, n) for n in (4096, 4096, 10_000 - 8192)]
    assert scope.errors == sum(int(ENDS_WITH_A.accepts_batch(block).sum()) for block in drawn)


def test_words_are_drawn_as_is_said():
    contains_ab = DFA(AB, [[1, 0], [1, 2], [2, 2]], 0, [False, False, True])
    drawn = draw_balanced(balanced_samplers(contains_ab, [1, 2, 3]), np.random.default_rng(0), 40_000)
    frequency = dict.fromkeys(all_words(AB, 3), 0.0)
    for word in AB.decode_batch(drawn):
        frequency[word] += 1 / 40_000
    for word in all_words(AB, 3):
        inside = contains_ab.accepts(word)
        same = [other for other in all_words(AB, 3) if contains_ab.accepts(other) == inside and other]
        lengths = {len(other) for other in same}
        alike = sum(len(other) == len(word) for other in same)
        expected = 0.5 / len(lengths) / alike if word else 0
        assert frequency[word] == pytest.approx(expected, abs=0.01)


def test_the_seed_decides_the_words():
    def errors(seed: int) -> tuple[int, object]:
        recognizer = WrongOn(ENDS_WITH_A, frozenset({"ab", "ba", "aab", "bbb", "baba"}))
        found = verify_by_samples(recognizer, ENDS_WITH_A, np.random.default_rng(seed), range(5), 300)
        return found.scope.errors, found.disagreement

    assert errors(1) == errors(1)
    assert errors(1)[0] != errors(2)[0]


def test_a_language_without_words_of_one_class_and_no_letters():
    found = verify_by_samples(ENDS_WITH_A, EVERYTHING, np.random.default_rng(0), range(1), 50)
    assert (found.disagreement, found.scope.errors) == ("", 50)
    no_letters = DFA(Alphabet(()), [[]], 0, [True])
    assert verify_by_samples(no_letters, no_letters, np.random.default_rng(0), range(9), 5).disagreement is None
    assert verify_exhaustively(no_letters, no_letters) == Agreement(Exhaustive(0, 1), None)
    assert verify_by_suite(no_letters, no_letters, 3).scope.words == 1
    with pytest.raises(NoSuchWord):
        verify_by_samples(no_letters, no_letters, np.random.default_rng(0), range(3, 4))


# what is said


def test_texts_claim_what_was_compared_and_no_more():
    texts = {
        Agreement(
            Exhaustive(16, 131_071), None
        ): "agrees on all 131,071 words of up to 16 letters; this says nothing of",
        Agreement(Exhaustive(0, 1), None): "agrees on the empty word; this says nothing of other words",
        Agreement(Exhaustive(5, 63), ""): "differs on ε, the empty word",
        Agreement(
            Exhaustive(5, 63), ("b0", "a")
        ): "differs on b0 a, and agrees on every word that is shorter, or as lo",
        Agreement(Conformance(2, 1, 30), "ab"): "differs on ab, the least of the 30 words of a test suite on which it",
        Agreement(Sampled((0, 2), 100, 0, 0.0450073, 0.99), None): (
            "differs on 0 of 100 random words of 0 to 2 letters: with confidence 99 %, it differs on at most 4.6 % of"
        ),
        Agreement(Sampled((7, 7), 10, 2, 0.5, 0.9), "abbabba"): (
            "differs on 2 of 10 random words of 7 letters, the least of them abbabba: with confidence 90 %"
        ),
    }
    for agreement, text in texts.items():
        assert text in str(agreement)
    assert "agrees" not in str(Agreement(Sampled((1, 4), 9, 0, 0.4, 0.99), None))


@given(st.floats(1e-12, 1))
def test_a_bound_is_never_rounded_down(share):
    assert Decimal(rounded_up(share).removesuffix(" %")) >= Decimal(share) * 100
    assert float(rounded_up(share).removesuffix(" %")) <= 110.1 * share


def test_plain_values_for_json():
    found = verify_by_samples(ENDS_WITH_A, EVERYTHING, np.random.default_rng(0), range(1, 3), 50).to_dict()
    assert (found["scope"], found["lengths"], found["count"], found["disagreement"]) == ("sampled", [1, 2], 50, "b")
    found = Agreement(Exhaustive(3, 15), ("b0", "a")).to_dict()
    assert (found["scope"], found["length"], found["words"], found["disagreement"]) == (
        "exhaustive",
        3,
        15,
        ["b0", "a"],
    )


# mistakes


def test_alphabets_must_agree():
    other = DFA(Alphabet.of("ba"), [[0, 0]], 0, [False])
    for check in (
        lambda: verify_exhaustively(other, ENDS_WITH_A),
        lambda: verify_by_suite(other, ENDS_WITH_A),
        lambda: verify_by_samples(other, ENDS_WITH_A, np.random.default_rng(0), range(3, 4)),
    ):
        with pytest.raises(AlphabetMismatch):
            check()


def test_limits_and_senseless_numbers():
    rng = np.random.default_rng(0)
    with pytest.raises(TooLarge, match="reached 15, more than the limit of 10; raise budget"):
        verify_exhaustively(ENDS_WITH_A, ENDS_WITH_A, length=10**9, budget=10)
    with pytest.raises(TooLarge, match="raise max_words"):
        verify_by_suite(ENDS_WITH_A, ENDS_WITH_A, 30)
    mistakes = [
        (lambda: verify_exhaustively(ENDS_WITH_A, ENDS_WITH_A, budget=0), "a budget is 1 word or more, not 0"),
        (lambda: verify_exhaustively(ENDS_WITH_A, ENDS_WITH_A, length=-1), "0 or more, not -1"),
        (lambda: verify_by_samples(ENDS_WITH_A, ENDS_WITH_A, rng, range(3), 0), "1 or more, not 0"),
        (lambda: verify_by_samples(ENDS_WITH_A, ENDS_WITH_A, rng, range(3), 5, 1.0), "between 0 and 1"),
        (lambda: verify_by_samples(ENDS_WITH_A, ENDS_WITH_A, rng, range(3, 3)), "is empty"),
        (lambda: verify_by_samples(ENDS_WITH_A, ENDS_WITH_A, rng, range(0, 9, 2)), "follow on one another"),
    ]
    for check, problem in mistakes:
        with pytest.raises(ToolkitError, match=problem):
            check()


@pytest.mark.parametrize(("errors", "count"), list(product([0, 3], [10, 1000])))
def test_bounds_shrink_with_the_number_of_words(errors, count):
    assert errors / count < error_bound(errors, count, 0.5) < error_bound(errors, count, 0.99) < 1
    assert error_bound(errors, 10 * count, 0.99) < error_bound(errors, count, 0.99)
