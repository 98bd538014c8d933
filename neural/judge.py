"""How words are judged many at a time when the answer is to be the one that the recogniser gives to each word alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Codes, Word
from automata.dfa import DFA, Recognizer
from neural.prefixes import WordLogits, numbered_words
from neural.transformer import Transformer

Tell: TypeAlias = Callable[[int], None]
"""Called now and then with the number of words judged since the last call."""

BLOCK = 4096
"""Words that are judged together."""

_CLOSE, _CLOSE_SHARED = 1e-5, 1e-3  # of the greatest logit or 1: closer to 0 a logit may change its sign by rounding


def keep_silent(_: int) -> None:
    """Tell nobody."""


def reach_of(recognizer: Recognizer) -> int | None:
    """Return the length of the longest words that a recogniser can judge; None if it can judge any.

    A transformer with learned positions has a longest word.
    """
    return recognizer.config.positions.longest if isinstance(recognizer, Transformer) else None


def verdicts(recognizer: Recognizer, words: Codes, tell: Tell = keep_silent) -> NDArray[np.bool_]:
    """Tell for each of B words, given as codes [B, N], whether it is accepted, bool[B].

    The logits of a transformer depend in their last digits on which words are computed together. A word whose logit is
    that close to 0 is judged alone.
    """
    accepted = np.empty(len(words), dtype=np.bool_)
    for first in range(0, len(words), BLOCK):
        block = words[first : first + BLOCK]
        if isinstance(recognizer, Transformer):
            logits = recognizer.logits(block)
            found = logits > 0
            close = _near_zero(logits, _CLOSE)
            found[close] = [recognizer.accepts(word) for word in recognizer.alphabet.decode_batch(block[close])]
        else:
            found = recognizer.accepts_batch(block)
        accepted[first : first + len(block)] = found
        tell(len(block))
    return accepted


def verdicts_of_logits(model: Transformer, part: WordLogits) -> tuple[Codes, NDArray[np.bool_]]:
    """Return the words of a part of `neural.prefixes.prefix_logits` and whether each is accepted, bool[B].

    Words whose logits are close to 0 are judged again, as `verdicts` does.
    """
    words = numbered_words(len(model.alphabet), part.length, part.first, len(part.logits))
    accepted = part.logits > 0
    close = _near_zero(part.logits, _CLOSE_SHARED)
    accepted[close] = verdicts(model, words[close])
    return words, accepted


def least_error(recognizer: Recognizer, dfa: DFA, words: Codes, accepted: NDArray[np.bool_]) -> Word | None:
    """Return the first of the words, given as codes [B, N], that is judged otherwise than the automaton judges it.

    `accepted` says what was found for each; the recogniser confirms the answer for the word alone. None if there is no
    such word.
    """
    for place in np.flatnonzero(accepted != dfa.accepts_batch(words)).tolist():
        word = dfa.alphabet.decode(words[place].tolist())
        if recognizer.accepts(word) != dfa.accepts(word):
            return word
    return None


def _near_zero(logits: NDArray[np.float32], share: float) -> NDArray[np.bool_]:
    scale = max(1.0, float(np.abs(logits).max(initial=0)))
    return ~(np.abs(logits) >= share * scale)  # what is no number counts as close
