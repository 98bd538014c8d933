"""Extraction: regular networks are learned exactly, others end at a bound with an honest measure."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet, Codes
from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.errors import AlphabetMismatch, ToolkitError
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from ltl.compile import formula_to_dfa
from ltl.syntax import parse_formula
from neural.agreement import Conformance
from neural.conformance import conformance_suite
from neural.extract import LearningBounds, extract
from neural.pattern import AttentionPattern
from neural.program import compile_program
from neural.verify import verify_exhaustively
from tests.strategies import AB, ABC, dfas
from tests.test_prefixes import random_model
from tests.test_verify import WrongOn

A = Alphabet.of("a")
CONTAINS_AB = regex_to_dfa(".*ab.*", AB)


@dataclass
class Judge:
    """A recogniser by a predicate; keeps the words it was asked."""

    judge: Callable[[str], bool]
    alphabet: Alphabet = AB
    asked: list[str] = field(default_factory=list)

    def accepts(self, word: Sequence[str]) -> bool:
        return self.judge("".join(word))

    def accepts_batch(self, words: Codes | Iterable[Sequence[str]]) -> np.ndarray:
        spelled = self.alphabet.decode_batch(self.alphabet.as_batch(words))
        self.asked += spelled
        return np.array([self.accepts(word) for word in spelled], dtype=bool)


def balanced(word: str) -> bool:
    """Equally many of both letters: not regular."""
    return 2 * word.count("a") == len(word)


def learn(recognizer, seed=0, **options):
    return extract(recognizer, np.random.default_rng(seed), count=200, **options)


@given(dfas(max_states=6))
def test_an_automaton_is_learned_exactly_with_itself_as_reference(dfa):
    found = learn(dfa, reference=dfa, bounds=LearningBounds(samples=0))
    assert found.stable
    assert found.dfa == minimize(dfa)
    assert found.suite == Conformance(found.dfa.n_states, 1, len(conformance_suite(dfa, 1)))
    assert found.disagreement_rate == 0
    assert found.agreement.disagreement is None


@given(dfas(max_states=6), st.integers(0, 2))
def test_an_automaton_is_learned_exactly_if_the_suite_allows_for_it(dfa, extra):
    """A learned automaton passes its suite; with few states less than the network, that means that it is the same."""
    found = learn(dfa, bounds=LearningBounds(samples=100, longest=20, extra_states=extra))
    assert found.stable
    assert found.suite.extra_states == extra
    suite = conformance_suite(found.dfa, extra)
    assert (found.dfa.accepts_batch(suite) == dfa.accepts_batch(suite)).all()
    if found.dfa.n_states + extra >= minimize(dfa).n_states:
        assert found.dfa == minimize(dfa)


@pytest.mark.parametrize("language", [".*", "∅", "()", "a", "(aa)*", "(a|b)*a(a|b){4}", "(a(ab)*b)*"])
def test_known_languages(language):
    dfa = regex_to_dfa(language, AB)
    recognizer = Judge(dfa.accepts)
    found = learn(recognizer)
    assert found.dfa == dfa
    assert (found.end, found.stable) == ("stable", True)


@pytest.mark.parametrize("alphabet", [Alphabet(()), A, Alphabet(("open", "shut"))])
def test_small_and_long_alphabets(alphabet):
    n = len(alphabet)
    even = DFA(alphabet, [[1] * n, [0] * n], 0, [True, False])
    assert learn(even).dfa == minimize(even)


@given(dfas(AB, max_states=5), st.text(alphabet="ab", max_size=5))
def test_no_word_is_asked_twice_while_learning(dfa, odd):
    recognizer = Judge(lambda word: dfa.accepts(word) ^ (word == odd))
    found = learn(recognizer, bounds=LearningBounds(samples=50, longest=10))
    assert len(set(recognizer.asked[: found.queries])) == found.queries


def test_the_reference_finds_what_suite_and_random_words_miss():
    """One long word alone is accepted: no suite of a small hypothesis has it."""
    long_word = "ab" * 8
    exact = regex_to_dfa(long_word, AB)
    bounds = LearningBounds(samples=0)
    assert learn(Judge(exact.accepts), bounds=bounds).dfa.n_states == 1
    assert learn(Judge(exact.accepts), bounds=bounds, reference=exact).dfa == exact
    # What the network does otherwise than the reference is not taken from the reference.
    assert learn(WrongOn(CONTAINS_AB, frozenset({long_word})), bounds=bounds, reference=exact).dfa == CONTAINS_AB


def test_where_network_and_reference_differ_the_network_is_right():
    ends_with_a = regex_to_dfa(".*a", AB)
    found = learn(ends_with_a, reference=CONTAINS_AB)
    assert found.dfa == ends_with_a


def test_a_network_that_is_not_regular_ends_at_the_bound_of_states():
    recognizer = Judge(balanced)
    found = learn(recognizer, bounds=LearningBounds(max_states=7, max_rounds=1000))
    assert (found.end, found.stable) == ("states", False)
    assert 2 <= found.dfa.n_states <= 7
    assert distinguish(found.dfa, minimize(found.dfa)) is None
    assert found.disagreement_rate > 0
    scope = found.agreement.scope
    assert (scope.errors / scope.count, scope.count) == (found.disagreement_rate, 200)
    assert found.disagreement_rate < scope.error_bound
    word = found.agreement.disagreement
    assert balanced(word) != found.dfa.accepts(word)


@pytest.mark.parametrize("max_rounds", [1, 2, 5])
def test_a_network_that_is_not_regular_ends_at_the_bound_of_rounds(max_rounds):
    found = learn(Judge(balanced), bounds=LearningBounds(max_rounds=max_rounds, max_states=10**6))
    assert (found.end, found.rounds) == ("rounds", max_rounds)


@pytest.mark.parametrize("max_queries", [1, 2, 10, 50, 300, 2000])
def test_a_network_that_is_not_regular_ends_at_the_bound_of_queries(max_queries):
    recognizer = Judge(balanced)
    found = learn(recognizer, bounds=LearningBounds(max_queries=max_queries, max_states=10**6, max_rounds=10**6))
    assert found.end == "queries"
    assert found.queries <= max_queries
    assert len(set(recognizer.asked)) <= max_queries + 1000 + 200  # to choose, and to compare at the end


def test_a_recognizer_without_rhyme_or_reason_ends():
    found = learn(Judge(lambda word: hash_of(word) % 2 == 0), bounds=LearningBounds(max_queries=3000))
    assert not found.stable
    assert 0.3 < found.disagreement_rate < 0.7


def hash_of(word: str) -> int:
    return int(np.random.default_rng([len(word), *word.encode()]).integers(1 << 30))


def test_of_bad_hypotheses_the_best_is_kept():
    """One word in a hundred is noise: what is learned of it makes the later hypotheses worse and never right."""
    noisy = Judge(lambda word: CONTAINS_AB.accepts(word) ^ (len(word) > 4 and hash_of(word) % 100 == 0))
    told = []
    found = learn(noisy, bounds=LearningBounds(max_rounds=12), tell=lambda *round_: told.append(round_))
    assert (found.end, found.rounds, told[-1][1] > 10) == ("rounds", 12, True)
    assert found.dfa == CONTAINS_AB
    assert found.disagreement_rate < 0.04


def test_fewer_extra_states_if_the_suite_were_too_large():
    bounds = LearningBounds(extra_states=30, max_queries=3000, samples=100)
    found = learn(CONTAINS_AB, bounds=bounds)
    assert found.stable
    assert 1 <= found.suite.extra_states < 30
    assert found.suite.words <= 3000 < 2 * 3 * 2 * found.suite.words


def test_learned_positions_end_the_learning():
    model = random_model("hybrid-1", "learned-6", seed=2)
    with torch.no_grad():
        model.readout.bias -= float(np.median(model.logits(["", "a", "b", "ab", "ba", "abba", "babab"])))
    found = learn(model)
    assert found.end in ("length", "stable")
    assert found.agreement.scope.lengths == (0, 5)
    assert found.suite is None or found.suite.reach == 5
    constant = random_model("hybrid-1", "learned-3")
    with torch.no_grad():
        constant.readout.weight.zero_()
        constant.readout.bias.fill_(1)
    everything = learn(constant)
    assert (everything.dfa.n_states, everything.end, everything.suite.reach) == (1, "stable", 2)
    assert learn(constant, bounds=LearningBounds(extra_states=3)).suite is None  # it has words of four letters


def test_a_compiled_transformer_is_its_formula():
    formula = parse_formula("P (b & Y a) & Y c", ABC)
    model = compile_program(formula, ABC, AttentionPattern("hybrid", 1)).model
    language = formula_to_dfa(formula, ABC)
    found = learn(model, bounds=LearningBounds(samples=200, longest=20))
    assert found.dfa == language
    assert found.stable
    assert verify_exhaustively(model, found.dfa, length=5).disagreement is None


def test_the_same_for_a_seed_and_no_other_generator_is_touched(capfd):
    bounds = LearningBounds(max_rounds=6, samples=300, extra_states=0)
    state = random.getstate()
    found = [learn(Judge(balanced), seed, bounds=bounds) for seed in (1, 1, 2)]
    assert random.getstate() == state
    assert found[0].to_dict() == found[1].to_dict()
    assert found[0].dfa == found[1].dfa
    assert found[0].to_dict() != found[2].to_dict()
    assert capfd.readouterr() == ("", "")


def test_the_same_whatever_the_hashes_are():
    program = (
        "import numpy as np\nfrom tests.test_extract import Judge, balanced, learn\n"
        "from neural.extract import LearningBounds\n"
        "found = learn(Judge(balanced), bounds=LearningBounds(max_rounds=5))\nprint(found.dfa, found.to_dict())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    other = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True, text=True)
    found = learn(Judge(balanced), bounds=LearningBounds(max_rounds=5))
    assert other.stdout == f"{found.dfa} {found.to_dict()}\n"


def test_rounds_are_told():
    told = []
    found = learn(regex_to_dfa("(ab)*", AB), tell=lambda *round_: told.append(round_))
    assert [number for number, _, _ in told] == list(range(1, found.rounds + 1))
    assert [states for _, states, _ in told] == sorted(states for _, states, _ in told)
    assert told[-1][1] == 3
    assert told[-1][2] <= found.queries


def test_alphabets_must_agree_and_bounds_make_sense():
    with pytest.raises(AlphabetMismatch):
        learn(CONTAINS_AB, reference=DFA(Alphabet.of("ba"), [[0, 0]], 0, [True]))
    for name, value in (("max_rounds", 0), ("max_states", 0), ("max_queries", True), ("extra_states", -1)):
        with pytest.raises(ToolkitError, match=f"{name} is an integer from"):
            LearningBounds(**{name: value})
