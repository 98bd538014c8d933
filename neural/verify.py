"""Comparing a recogniser with an automaton: on all short words, on a conformance suite, on random words.

Each function returns an `Agreement`: the words compared, the least of them that is judged wrongly if there is one, and
in its text what that proves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Codes, Word, require_same_alphabet
from automata.dfa import DFA, Recognizer
from automata.errors import NoSuchWord, TooLarge, ToolkitError
from automata.minimize import minimize
from automata.sample import WordSampler, ordered_lengths
from neural.agreement import Agreement, Conformance, Exhaustive, Sampled
from neural.conformance import MAX_WORDS, conformance_suite, sorted_words
from neural.judge import BLOCK, Tell, keep_silent, least_error, reach_of, verdicts, verdicts_of_logits
from neural.prefixes import count_words_up_to, numbered_words, prefix_logits
from neural.transformer import Transformer

BUDGET = 2**17 - 1
"""The usual number of words that are judged exhaustively: those of up to 16 letters over two letters."""

_LONGEST = 1000  # letters of the words that a budget chooses; over one letter there are few words of each length
_FIRST_SHARE = 16  # all words of a scope are judged after the shorter ones that take this part of the work


def budgeted_length(n_letters: int, budget: int = BUDGET, reach: int | None = None) -> int:
    """Return the greatest length such that all words up to it are at most `budget` many, 1,000 at most.

    Nor is it greater than `reach`, the length of the longest words that can be judged. Without letters it is 0.

    >>> budgeted_length(2), budgeted_length(26), budgeted_length(2, 100, reach=3), budgeted_length(1, 5)
    (16, 3, 3, 4)
    """
    if budget < 1:
        raise ToolkitError(f"a budget is 1 word or more, not {budget}")
    most = 0 if not n_letters else _LONGEST if reach is None else min(reach, _LONGEST)
    length = 0
    while length < most and count_words_up_to(n_letters, length + 1, budget) <= budget:
        length += 1
    return length


def verify_exhaustively(
    recognizer: Recognizer, dfa: DFA, *, length: int | None = None, budget: int = BUDGET, tell: Tell = keep_silent
) -> Agreement:
    """Compare a recogniser with an automaton on all words up to a length, chosen by the budget unless it is given.

    A transformer computes each prefix once (`neural.prefixes`), any other recogniser is given the words in blocks. A
    disagreement is the least there is. The shorter words come first: if one of them is judged wrongly, the longer ones
    are not judged, and the scope ends at the shorter ones. Raise `AlphabetMismatch` if recogniser and automaton differ
    in alphabet, `TooLarge` if the given length takes more words than the budget.

    >>> from automata.alphabet import Alphabet
    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> contains_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 1]], 0, [False, True])
    >>> print(verify_exhaustively(contains_a, ends_with_a))
    differs on ab, and agrees on every word that is shorter, or as long and before it in alphabet order
    """
    require_same_alphabet(recognizer.alphabet, dfa.alphabet)
    n_letters = len(dfa.alphabet)
    if length is None:
        length = budgeted_length(n_letters, budget, reach_of(recognizer))
    elif length < 0:
        raise ToolkitError(f"a length is 0 or more, not {length}")
    total = count_words_up_to(n_letters, length, budget)
    if total > budget:
        raise TooLarge(f"words of up to {length} letters", total, budget, "budget")
    length = length if n_letters else 0
    shorter = budgeted_length(n_letters, max(1, total // _FIRST_SHARE), reach_of(recognizer))
    for longest in sorted({min(shorter, length), length}):
        found = _least_error_up_to(recognizer, dfa, longest, tell if longest == length else keep_silent)
        if found is not None or longest == length:
            break
    return Agreement(Exhaustive(longest, count_words_up_to(n_letters, longest)), found)


def verify_by_suite(
    recognizer: Recognizer, dfa: DFA, extra_states: int = 1, *, max_words: int = MAX_WORDS, tell: Tell = keep_silent
) -> Agreement:
    """Compare a recogniser with an automaton on the words of its conformance suite.

    Raise `AlphabetMismatch` if they differ in alphabet, `TooLarge` if the suite has more than `max_words` words,
    `ToolkitError` if it has words that are too long for the recogniser.
    """
    require_same_alphabet(recognizer.alphabet, dfa.alphabet)
    suite = conformance_suite(dfa, extra_states, max_words)
    reach = _require_reach(recognizer, suite.shape[1])
    found = least_error(recognizer, dfa, suite, verdicts(recognizer, suite, tell))
    return Agreement(Conformance(minimize(dfa).n_states, extra_states, len(suite), reach), found)


def verify_by_samples(
    recognizer: Recognizer,
    dfa: DFA,
    rng: np.random.Generator,
    lengths: range,
    count: int = 10_000,
    confidence: float = 0.99,
    *,
    tell: Tell = keep_silent,
) -> Agreement:
    """Compare a recogniser with an automaton on random words; `Sampled` says how they are drawn.

    Raise `AlphabetMismatch` if they differ in alphabet, `NoSuchWord` if there is no word of the lengths, `ToolkitError`
    if some are too long for the recogniser.
    """
    require_same_alphabet(recognizer.alphabet, dfa.alphabet)
    if count < 1:
        raise ToolkitError(f"the number of words to draw is 1 or more, not {count}")
    if not 0 < confidence < 1:
        raise ToolkitError(f"a confidence lies between 0 and 1, as 0.99 does, not {confidence}")
    if len(lengths) > 1 and lengths.step != 1:
        raise ToolkitError(f"the lengths of random words follow on one another, as range(0, 101) does, not {lengths}")
    wanted = ordered_lengths(lengths)
    _require_reach(recognizer, wanted[-1])
    samplers = balanced_samplers(dfa, wanted)
    errors = 0
    found: list[Word] = []
    for first in range(0, count, BLOCK):
        words = draw_balanced(samplers, rng, min(BLOCK, count - first))
        wrong = verdicts(recognizer, words, tell) != dfa.accepts_batch(words)
        misjudged = sorted_words(words[wrong], len(dfa.alphabet))
        word = least_error(recognizer, dfa, misjudged, ~dfa.accepts_batch(misjudged))
        if word is not None:
            errors += int(wrong.sum())
            found.append(word)
    least = min(found, key=lambda word: _number(dfa, word), default=None)
    return Agreement(
        Sampled((wanted[0], wanted[-1]), count, errors, error_bound(errors, count, confidence), confidence), least
    )


def balanced_samplers(dfa: DFA, lengths: Sequence[int]) -> list[WordSampler]:
    """Return samplers of members and of non-members, all lengths that have some equally likely.

    There is one alone if the other class has no word of the lengths; raise `NoSuchWord` if there is none.
    """
    samplers = []
    problems = []
    for inside in (True, False):
        try:
            samplers.append(WordSampler.of(dfa, lengths, inside=inside, by="lengths"))
        except NoSuchWord as error:
            problems.append(error)
    if not samplers:
        raise problems[0]
    return samplers


def draw_balanced(samplers: Sequence[WordSampler], rng: np.random.Generator, count: int) -> Codes:
    """Draw words independently, from each sampler with equal chance: codes [count, N], N the greatest length."""
    which = rng.integers(0, len(samplers), size=count)
    words = np.empty((count, int(samplers[0].lengths[-1])), dtype=np.int32)
    for number, sampler in enumerate(samplers):
        words[which == number] = sampler.draw(rng, int((which == number).sum()))
    return words


def error_bound(errors: int, count: int, confidence: float) -> float:
    """Return the upper end of the one-sided interval of Clopper and Pearson for the rate of errors.

    Whatever the rate p is, the bound for the errors among `count` independent trials is at least p with probability
    `confidence` or more. [Clopper & Pearson 1934, "The use of confidence or fiducial limits"]

    >>> round(error_bound(0, 10_000, 0.99), 7), error_bound(5, 5, 0.9)
    (0.0004604, 1.0)
    """
    from scipy.special import betaincinv

    return 1.0 if errors == count else float(betaincinv(errors + 1, count - errors, confidence))


def _least_error_up_to(recognizer: Recognizer, dfa: DFA, length: int, tell: Tell) -> Word | None:
    """Return the least word up to a length on which recogniser and automaton differ."""
    least: tuple[int, int] | None = None
    found = None
    for n, first, words, accepted in _judged(recognizer, length):
        if least is None or (n, first) < least:
            word = least_error(recognizer, dfa, words, accepted)
            if word is not None and (least is None or _number(dfa, word) < least):
                least, found = _number(dfa, word), word
        tell(len(words))
    return found


def _number(dfa: DFA, word: Word) -> tuple[int, int]:
    """Return the length of a word and its number among those of its length."""
    number = 0
    for code in dfa.alphabet.encode(word).tolist():
        number = number * len(dfa.alphabet) + code
    return len(word), number


def _judged(recognizer: Recognizer, length: int) -> Iterator[tuple[int, int, Codes, NDArray[np.bool_]]]:
    """Yield all words up to a length in parts: their length, the number of the first, the words, which are accepted."""
    if isinstance(recognizer, Transformer):
        for part in prefix_logits(recognizer, length):
            yield part.length, part.first, *verdicts_of_logits(recognizer, part)
        return
    n_letters = len(recognizer.alphabet)
    for n in range(length + 1):
        for first in range(0, n_letters**n, BLOCK):
            words = numbered_words(n_letters, n, first, min(BLOCK, n_letters**n - first))
            yield n, first, words, verdicts(recognizer, words)


def _require_reach(recognizer: Recognizer, length: int) -> int | None:
    """Return the length of the longest words that can be judged; raise `ToolkitError` if it is less than a length."""
    reach = reach_of(recognizer)
    if reach is not None and length > reach:
        raise ToolkitError(
            f"there are words of {length} letters to judge, and the transformer's learned positions reach words of "
            f"{reach}; choose fewer extra states, shorter words or more positions"
        )
    return reach
