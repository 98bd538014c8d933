"""The check that compiled weights pass before anybody sees them: against the formula itself, on words of all sorts."""

from __future__ import annotations

from itertools import takewhile

import numpy as np

from automata.alphabet import Alphabet, Codes
from automata.errors import ToolkitError
from ltl.formula import Formula
from ltl.semantics import holds_batch
from neural.periodic import periodic_words
from neural.transformer import Transformer

_SHORT_WORDS = 2000  # all words are tested up to the greatest length at which there are at most so many
_LENGTHS = (10, 20, 50, 100, 200, 400)
_EACH_LENGTH = 20  # random and as many periodic words
_LEAST_MARGIN = 5.0  # half of what the logits should be


class WrongProgram(ToolkitError):
    """Compiled weights that do not compute their formula: a fault of the construction, never to be returned."""


def self_check(model: Transformer, formula: Formula, longest: int | None) -> tuple[float, int]:
    """Compare a model with a formula on all short words and on random and periodic ones.

    Return the least |logit| and the number of words; no word is longer than `longest`. Raise `WrongProgram` if a logit
    has the wrong sign or is not clear.
    """
    alphabet = model.alphabet
    lengths = [length for length in _LENGTHS if longest is None or length <= longest]
    rng = np.random.default_rng(0)
    uniform = [rng.integers(max(1, len(alphabet)), size=(_EACH_LENGTH, n)) for n in lengths if len(alphabet)]
    batches = [_short_words(alphabet, longest), *uniform]
    batches += [periodic_words(len(alphabet), [length], _EACH_LENGTH, rng) for length in lengths]
    margin, checked = float("inf"), 0
    for words in batches:
        truth = holds_batch(formula, words, alphabet)
        clear = np.where(truth, 1, -1) * model.logits(words)
        if (clear < _LEAST_MARGIN).any():
            worst = int(clear.argmin())
            shown = alphabet.show(alphabet.decode(words[worst]))
            raise WrongProgram(
                f"the weights fail on the word {shown}, of which the formula is {'true' if truth[worst] else 'false'}: "
                f"its logit is {clear[worst] if truth[worst] else -clear[worst]:.3g}; please report the formula"
            )
        margin = min(margin, float(clear.min(initial=np.inf)))
        checked += len(words)
    return margin, checked


def _short_words(alphabet: Alphabet, longest: int | None) -> Codes:
    """Return all words up to some length as codes [B, N]."""
    n_letters = len(alphabet)
    sizes = list(takewhile(lambda size: size <= _SHORT_WORDS, (n_letters**n for n in range(13))))
    last = len(sizes) - 1 if longest is None else min(len(sizes) - 1, longest)
    batches = []
    for n in range(last + 1):
        digits = np.arange(sizes[n])[:, None] // n_letters ** np.arange(n - 1, -1, -1) % max(n_letters, 1)
        batches.append(np.pad(digits, ((0, 0), (0, last - n)), constant_values=n_letters))
    return np.concatenate(batches)
