"""The check that compiled weights pass before anybody sees them: against the formula itself, on words of all sorts."""

from __future__ import annotations

from itertools import accumulate, takewhile

import numpy as np

from automata.alphabet import Alphabet, Codes
from ltl.formula import Formula
from ltl.semantics import holds_batch
from neural.periodic_words import periodic_words
from neural.program_weights import LOGIT
from neural.transformer import Transformer

_OPERATIONS = 3 * 10**9  # multiplications that the check may take, so that it takes no longer than a second
_TOKENS = (300, 60_000)  # positions of all tested words, at least and at most
_LENGTHS = (10, 20, 50, 100, 200, 400)  # of the random and the periodic words
_LEAST_MARGIN = LOGIT / 2


class WrongProgram(RuntimeError):
    """Compiled weights that do not compute their formula: a fault of ours, so no `ToolkitError`."""


def self_check(model: Transformer, formula: Formula, longest: int | None) -> tuple[float, int]:
    """Compare a model with a formula on all short words and on random and periodic ones.

    Return the least |logit| and the number of words; no word is longer than `longest`, and a large model is tested on
    fewer and shorter ones. Raise `WrongProgram` if a logit has the wrong sign or is not clear.
    """
    alphabet = model.alphabet
    least, most = _TOKENS
    share = min(most, max(least, _OPERATIONS // model.n_weights)) // 3
    lengths = [n for n in _LENGTHS if n <= share // 3 and (longest is None or n <= longest)]
    each = max(1, share // max(1, sum(lengths)))
    rng = np.random.default_rng(0)
    batches = [_short_words(alphabet, share, longest)]
    for n in lengths if len(alphabet) else ():
        batches += [rng.integers(len(alphabet), size=(each, n)), periodic_words(len(alphabet), [n], each, rng)]
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


def _short_words(alphabet: Alphabet, tokens: int, longest: int | None) -> Codes:
    """Return all words up to the greatest length at which they have so many positions together, codes [B, N]."""
    n_letters = len(alphabet)
    totals = accumulate((n + 1) * n_letters**n for n in range(_LENGTHS[0]))
    last = sum(1 for _ in takewhile(lambda total: total <= tokens, totals)) - 1
    last = last if longest is None else min(last, longest)
    batches = []
    for n in range(last + 1):
        digits = np.arange(n_letters**n)[:, None] // n_letters ** np.arange(n - 1, -1, -1) % max(n_letters, 1)
        batches.append(np.pad(digits, ((0, 0), (0, last - n)), constant_values=n_letters))
    return np.concatenate(batches)
