"""From a network to an automaton: active learning with the network as the teacher, which need not be regular.

The learner is that of Kearns and Vazirani (1994) with the counterexamples of Rivest and Schapire (1993), as aalpy has
it. Whether a hypothesis is right is asked of three kinds of words in turn: the one that tells it from a reference, the
conformance suite of the hypothesis, random words. Rounds, states and words asked are bounded, so that there is an
answer even where no automaton is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from automata.alphabet import Alphabet, Codes, require_same_alphabet
from automata.dfa import DFA, Recognizer
from automata.equivalence import distinguish
from automata.errors import TooLarge, ToolkitError
from automata.minimize import minimize
from neural.agreement import Agreement, Conformance, Sampled
from neural.conformance import conformance_suite, sorted_words
from neural.judge import BLOCK, reach_of, verdicts
from neural.verify import balanced_samplers, draw_balanced, verify_by_samples

End: TypeAlias = Literal["stable", "rounds", "states", "queries", "length"]
"""Why learning ended: no counterexample was found, or a bound was reached.

`length`: the learner would have asked for a word that is longer than the recogniser can judge.
"""

_Key: TypeAlias = tuple[int, ...]  # a word as aalpy has it: the codes of its letters

TellRound: TypeAlias = Callable[[int, int, int], None]
"""Called in each round with its number, the states of the hypothesis and the words asked so far."""


@dataclass(frozen=True)
class LearningBounds:
    """How long to learn and how hard to look for counterexamples; raise `ToolkitError` for what makes no sense.

    A hypothesis of more than `max_states` states is not accepted, and of different words at most `max_queries` are
    asked. Suites allow for `extra_states` more states than the hypothesis has, or for fewer if the suite were larger
    than the bounds; random words have up to `longest` letters, `samples` are drawn in a round.
    """

    max_rounds: int = 100
    max_states: int = 100
    max_queries: int = 100_000
    extra_states: int = 1
    longest: int = 100
    samples: int = 1000

    def __post_init__(self) -> None:
        for name, least, most in (
            ("max_rounds", 1, 10**9),
            ("max_states", 1, 10**9),
            ("max_queries", 1, 10**9),
            ("extra_states", 0, 100),
            ("longest", 0, 10_000),
            ("samples", 0, 10**6),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise ToolkitError(f"{name} is an integer from {least} to {most:,}, not {value!r}")


@dataclass(frozen=True, eq=False)
class Extraction:
    """What was learned of a recogniser.

    `dfa` is minimal: the last hypothesis if no counterexample was found, otherwise the one, of those within the bounds,
    that differs least from the recogniser on random words. `end` tells why learning ended, `queries` counts the
    different words asked while learning. `suite` is the conformance suite that `dfa` passed, None if it passed none.
    `agreement` compares recogniser and automaton on fresh random words, which took no part in learning and choosing;
    its text says what is proved.
    """

    dfa: DFA
    end: End
    rounds: int
    queries: int
    suite: Conformance | None
    agreement: Agreement

    @property
    def stable(self) -> bool:
        """True iff learning ended because no counterexample was found, which does not mean that there is none."""
        return self.end == "stable"

    @property
    def disagreement_rate(self) -> float:
        """Share of the fresh random words on which recogniser and automaton differ."""
        scope = self.agreement.scope
        return scope.errors / scope.count if isinstance(scope, Sampled) else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the automaton as plain values for JSON."""
        return {
            "states": self.dfa.n_states,
            "stable": self.stable,
            "end": self.end,
            "rounds": self.rounds,
            "queries": self.queries,
            "suite": None if self.suite is None else Agreement(self.suite, None).to_dict(),
            "disagreement_rate": self.disagreement_rate,
            "agreement": self.agreement.to_dict(),
        }


def extract(
    recognizer: Recognizer,
    rng: np.random.Generator,
    *,
    reference: DFA | None = None,
    bounds: LearningBounds | None = None,
    count: int = 10_000,
    confidence: float = 0.99,
    tell: TellRound = lambda *_: None,
) -> Extraction:
    """Learn an automaton that judges words as a recogniser does, as far as the bounds let it.

    A `reference`, the language that the network was trained for, say, suggests counterexamples and nothing else: where
    the network differs from it, the network is right. At the end `count` fresh random words measure how often network
    and automaton differ. Raise `AlphabetMismatch` if reference and recogniser differ in alphabet.

    >>> from automata.alphabet import Alphabet
    >>> network = DFA(Alphabet.of("ab"), [[1, 0], [1, 2], [2, 2]], 0, [False, False, True])
    >>> found = extract(network, np.random.default_rng(0))
    >>> found.dfa == network, found.stable, found.disagreement_rate
    (True, True, 0.0)
    """
    from aalpy import run_KV

    bounds = LearningBounds() if bounds is None else bounds
    if reference is not None:
        require_same_alphabet(recognizer.alphabet, reference.alphabet)
    asked = _Asked(recognizer, bounds.max_queries)
    teacher = _Teacher(asked, bounds, reference, rng, tell)
    letters = list(range(len(recognizer.alphabet)))
    end: End = "stable"
    try:
        run_KV(letters, asked, teacher, "dfa", cex_processing="rs", cache_and_non_det_check=False, print_level=0)
    except _Stopped as stopped:
        end = stopped.end
    best = teacher.hypotheses[-1] if end == "stable" else _best(recognizer, teacher, rng)
    agreement = verify_by_samples(recognizer, best.dfa, rng, teacher.lengths, count, confidence)
    return Extraction(best.dfa, end, len(teacher.hypotheses), len(asked.answers), best.suite, agreement)


def _best(recognizer: Recognizer, teacher: _Teacher, rng: np.random.Generator) -> _Hypothesis:
    """Return the hypothesis that differs least from the recogniser on random words, the last of several such."""
    last = teacher.hypotheses[-1].dfa
    samplers = balanced_samplers(last if teacher.reference is None else teacher.reference, teacher.lengths)
    words = draw_balanced(samplers, rng, max(1, teacher.bounds.samples))
    accepted = verdicts(recognizer, words)
    errors = [int((hypothesis.dfa.accepts_batch(words) != accepted).sum()) for hypothesis in teacher.hypotheses]
    return teacher.hypotheses[len(errors) - 1 - errors[::-1].index(min(errors))]


class _Stopped(Exception):
    """Learning reached a bound."""

    def __init__(self, end: End) -> None:
        self.end = end


@dataclass(frozen=True, eq=False)
class _Hypothesis:
    """A minimal automaton and the suite it passed, if it passed one."""

    dfa: DFA
    suite: Conformance | None = None


class _Asked:
    """The recogniser as aalpy's learner asks it (a SUL, whose outputs but the last are never read); no word twice."""

    num_queries = num_steps = num_cached_queries = 0  # the learner reports them; `answers` is what counts

    def __init__(self, recognizer: Recognizer, max_queries: int) -> None:
        self.recognizer = recognizer
        self.max_queries = max_queries
        self.reach = reach_of(recognizer)
        self.answers: dict[_Key, bool] = {}

    def query(self, word: _Key) -> list[bool]:
        """Return whether a word is accepted, as a list of one."""
        return [self.answer([word])[0]]

    def answer(self, words: list[_Key]) -> list[bool]:
        """Tell for each word whether it is accepted, those that are new together; stop at the bounds."""
        fresh = self.fresh(words)
        if len(fresh) > self.max_queries - len(self.answers):
            raise _Stopped("queries")
        if fresh:
            width = max(map(len, fresh))
            if self.reach is not None and width > self.reach:
                raise _Stopped("length")
            batch = np.full((len(fresh), width), len(self.recognizer.alphabet), dtype=np.int32)
            for row, word in zip(batch, fresh, strict=True):
                row[: len(word)] = word
            self.answers.update(zip(fresh, verdicts(self.recognizer, batch).tolist(), strict=True))
        return [self.answers[word] for word in words]

    def fresh(self, words: list[_Key]) -> list[_Key]:
        """Return the words that were not asked yet, each once."""
        return [word for word in dict.fromkeys(words) if word not in self.answers]


class _Teacher:
    """What answers whether a hypothesis is right (an Oracle of aalpy), and keeps those within the bounds."""

    num_queries = num_steps = 0

    def __init__(
        self,
        asked: _Asked,
        bounds: LearningBounds,
        reference: DFA | None,
        rng: np.random.Generator,
        tell: TellRound,
    ) -> None:
        self.asked = asked
        self.bounds = bounds
        self.reference = reference
        self.rng = rng
        self.tell = tell
        self.hypotheses: list[_Hypothesis] = []
        longest = bounds.longest if asked.reach is None else min(bounds.longest, asked.reach)
        self.lengths = range(longest + 1)

    def find_cex(self, hypothesis: Any) -> _Key | None:
        """Return a word on which hypothesis and recogniser differ; None if none was found."""
        dfa = minimize(_to_dfa(hypothesis, self.asked.recognizer.alphabet))
        if dfa.n_states > self.bounds.max_states:
            raise _Stopped("states")
        self.hypotheses.append(_Hypothesis(dfa))
        rounds = len(self.hypotheses)
        self.tell(rounds, dfa.n_states, len(self.asked.answers))
        for look in (self._in_reference, self._in_suite, self._in_random_words):
            found = look(dfa)
            if found is not None and rounds == self.bounds.max_rounds:
                raise _Stopped("rounds")
            if found is not None:
                return found
        return None

    def _in_reference(self, dfa: DFA) -> _Key | None:
        """Return the least word that tells the hypothesis from the reference, if the recogniser denies it too."""
        if self.reference is None:
            return None
        word = distinguish(dfa, self.reference)
        if word is None or (self.asked.reach is not None and len(word) > self.asked.reach):
            return None
        codes = dfa.alphabet.encode_batch([word])
        return self._first_wrong(dfa, codes, _keys(codes, dfa))

    def _in_suite(self, dfa: DFA) -> _Key | None:
        """Return the least wrong word of the largest suite that the bounds allow."""
        for extra in range(self.bounds.extra_states, -1, -1):
            try:
                suite = conformance_suite(dfa, extra, self.bounds.max_queries)
            except TooLarge:
                continue
            keys = _keys(suite, dfa)
            reach = self.asked.reach
            short = len(keys) if reach is None else sum(len(key) <= reach for key in keys)  # shorter words come first
            if len(self.asked.fresh(keys[:short])) > self.bounds.max_queries - len(self.asked.answers):
                continue
            found = self._first_wrong(dfa, suite[:short], keys[:short])
            if found is None and short == len(suite):
                self.hypotheses[-1] = _Hypothesis(dfa, Conformance(dfa.n_states, extra, short, reach))
            return found
        raise _Stopped("queries")

    def _in_random_words(self, dfa: DFA) -> _Key | None:
        """Return the least wrong word among random ones, half of which the hypothesis accepts."""
        drawn = draw_balanced(balanced_samplers(dfa, self.lengths), self.rng, self.bounds.samples)
        words = sorted_words(drawn, len(dfa.alphabet))
        return self._first_wrong(dfa, words, _keys(words, dfa))

    def _first_wrong(self, dfa: DFA, words: Codes, keys: list[_Key]) -> _Key | None:
        """Return the first of the words on which hypothesis and recogniser differ; later blocks are not asked."""
        for first in range(0, len(words), BLOCK):
            block = slice(first, first + BLOCK)
            expected: list[bool] = dfa.accepts_batch(words[block]).tolist()
            for key, here, there in zip(keys[block], expected, self.asked.answer(keys[block]), strict=True):
                if here != there:
                    return key
        return None


def _to_dfa(hypothesis: Any, alphabet: Alphabet) -> DFA:
    """Return an automaton of aalpy, whose letters are codes, as one over an alphabet."""
    states = hypothesis.states
    number = {id(state): i for i, state in enumerate(states)}
    delta = [[number[id(state.transitions[code])] for code in range(len(alphabet))] for state in states]
    accept = [state.is_accepting for state in states]
    return DFA(alphabet, delta, number[id(hypothesis.initial_state)], accept)


def _keys(words: Codes, dfa: DFA) -> list[_Key]:
    """Return the words of a batch, padded right, as aalpy has them."""
    lengths = (words != len(dfa.alphabet)).sum(axis=1)
    return [tuple(row[:length]) for row, length in zip(words.tolist(), lengths.tolist(), strict=True)]
