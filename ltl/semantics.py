"""Truth of formulas at the positions of words, by numpy over whole batches of words.

A batch is an array of codes [B, N] in which padding may stand on any side of a word; it is as if it were not there:
position n of a word is its n-th letter. Each subformula is evaluated once, operands first, and its values are
dropped when the last formula built on it is done, so that a deep formula needs no more room than a shallow one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Codes
from ltl.formula import And, Formula, Letter, Mod, Not, Or, Past, Since, Top, Yesterday, check_letters, subformulas

_BLOCK = 1 << 18  # positions evaluated side by side: few enough that the values stay in cache


def truth(formula: Formula, word: Sequence[str], alphabet: Alphabet) -> NDArray[np.bool_]:
    """Tell where in a word of N letters the formula holds, bool[N+1]; the last entry is the end position.

    Raise `UnknownLetter` for a letter of the word or of the formula that the alphabet lacks.

    >>> from ltl.syntax import parse_formula
    >>> truth(parse_formula("P a"), "bab", Alphabet.of("ab")).tolist()
    [False, False, True, True]
    """
    values: NDArray[np.bool_] = truth_batch(formula, [word], alphabet)[0]
    return values


def holds(formula: Formula, word: Sequence[str], alphabet: Alphabet) -> bool:
    """True iff the word satisfies the formula: it holds at the end position."""
    return bool(truth(formula, word, alphabet)[-1])


def truth_batch(formula: Formula, words: Codes | Iterable[Sequence[str]], alphabet: Alphabet) -> NDArray[np.bool_]:
    """Tell where in each of B words, given as words or as codes [B, N], the formula holds, bool[B, N+1].

    Entry [b, n-1] is position n of word b; a word of n letters has its end position at [b, n], and what comes after it
    is False. Raise `UnknownLetter`.
    """
    batch = alphabet.as_batch(words)
    n_words, width = batch.shape
    out = np.zeros((n_words, width + 1), dtype=np.bool_)
    for rows, lengths, values in _blocks(formula, batch, alphabet):
        out[rows] = values.T & (np.arange(width + 1) <= lengths[:, None])
    return out


def holds_batch(formula: Formula, words: Codes | Iterable[Sequence[str]], alphabet: Alphabet) -> NDArray[np.bool_]:
    """Tell for each of B words, given as words or as codes [B, N], whether it satisfies the formula, bool[B].

    Raise `UnknownLetter`.
    """
    batch = alphabet.as_batch(words)
    out = np.zeros(len(batch), dtype=np.bool_)
    for rows, lengths, values in _blocks(formula, batch, alphabet):
        out[rows] = values[lengths, np.arange(values.shape[1])]
    return out


def subformula_truth(formula: Formula, word: Sequence[str], alphabet: Alphabet) -> NDArray[np.bool_]:
    """Tell where in a word of N letters each subformula holds, bool[len(subformulas(formula)), N+1].

    The rows are in the order of `subformulas`. Raise `UnknownLetter`.
    """
    order = subformulas(formula)
    check_letters(order, alphabet)
    columns = alphabet.encode(word)[:, None]
    return np.array([values[:, 0] for values in _evaluate(order, columns, alphabet)])


def _blocks(
    formula: Formula, batch: Codes, alphabet: Alphabet
) -> Iterator[tuple[slice, NDArray[np.intp], NDArray[np.bool_]]]:
    """Evaluate a batch block by block: its rows, their lengths [b], and truth with positions first, [N+1, b]."""
    order = subformulas(formula)
    check_letters(order, alphabet)
    n_words, width = batch.shape
    step = max(1, _BLOCK // (width + 1))
    for first in range(0, n_words, step):
        rows = slice(first, min(first + step, n_words))
        padding = batch[rows] == len(alphabet)
        packed = np.take_along_axis(batch[rows], np.argsort(padding, axis=1, kind="stable"), axis=1)
        # The formula itself is the last.
        values = deque(_evaluate(order, np.ascontiguousarray(packed.T), alphabet), maxlen=1).pop()
        yield rows, width - padding.sum(axis=1), values


def _evaluate(order: Sequence[Formula], columns: Codes, alphabet: Alphabet) -> Iterator[NDArray[np.bool_]]:
    """Yield truth [N+1, B] of each formula of `order` over B words that stand in the columns of `columns` [N, B].

    All operators look back only, so what stands after the end of a shorter word does not matter.
    """
    shape = (len(columns) + 1, columns.shape[1])
    uses = Counter(operand for f in order for operand in f.operands)
    known: dict[Formula, NDArray[np.bool_]] = {}
    for f in order:
        operands = [known[operand] for operand in f.operands]
        match f, operands:
            case Top(), []:
                values = np.ones(shape, dtype=np.bool_)
            case Letter(letter), []:
                values = np.zeros(shape, dtype=np.bool_)
                np.equal(columns, alphabet.index[letter], out=values[:-1])
            case Mod(residue, modulus), []:
                here = np.arange(1, shape[0] + 1, dtype=np.int64) % modulus == residue
                values = np.broadcast_to(here[:, None], shape)
            case Not(), [operand]:
                values = ~operand
            case And(), [left, right]:
                values = left & right
            case Or(), [left, right]:
                values = left | right
            case Past(), [operand]:
                values = np.zeros(shape, dtype=np.bool_)
                np.logical_or.accumulate(operand[:-1], axis=0, out=values[1:])
            case Yesterday(_, window), [operand]:
                values = _within(operand, window)
            case Since(), [left, right]:
                values = _since(left, right)
            case _:
                raise TypeError(f"not a formula: {f!r}")
        known[f] = values
        yield values
        for operand_formula in f.operands:
            uses[operand_formula] -= 1
            if not uses[operand_formula]:
                del known[operand_formula]


def _within(held: NDArray[np.bool_], window: int) -> NDArray[np.bool_]:
    """Truth of Y<=window f from truth of f: doubles the window seen, so O(N log window)."""
    values = np.zeros_like(held)
    values[1:] = held[:-1]
    seen, window = 1, min(window, len(held))
    while seen < window:
        step = min(seen, window - seen)
        values[step:] |= values[:-step].copy()
        seen += step
    return values


def _since(left: NDArray[np.bool_], right: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Truth of f S g: g held last no earlier than f last failed."""
    positions = np.arange(1, len(left), dtype=np.int32)[:, None]
    held = np.maximum.accumulate(np.where(right[:-1], positions, 0), axis=0)
    failed = np.maximum.accumulate(np.where(left[:-1], 1, positions), axis=0)
    values = np.zeros_like(left)
    np.greater_equal(held, failed, out=values[1:])
    return values
