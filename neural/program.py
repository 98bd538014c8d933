"""From formulas to exact transformers: what a fragment defines, its attention pattern computes.

`neural.plan` says which head or gate computes which subformula, `neural.program_weights` how; here the two are fitted
to an attention pattern, the length is derived up to which single precision is enough, and the result is checked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from automata.alphabet import Alphabet
from automata.errors import TooLarge, ToolkitError
from ltl.formula import Formula, Mod, Yesterday, subformulas
from ltl.fragment import fragment_of
from ltl.to_window import to_window
from neural.pattern import AttentionPattern
from neural.plan import Gate, Head, Plan, plan
from neural.positions import Positions
from neural.program_weights import GATE_UNITS, HEAD_UNITS, RAMP, ROUNDING, write_weights
from neural.self_check import self_check
from neural.transformer import Transformer, TransformerConfig

SCORE = 30.0
"""The usual score C of a position at which the operand holds."""

MAX_WEIGHTS = 10**8
"""Weights that a program may have unless the caller says otherwise: 400 megabytes."""

_UNIT = 2.0**-24  # rounding of one operation in single precision


@dataclass(frozen=True, eq=False)
class Program:
    """A transformer that computes a formula.

    `formula` is what was asked for and `computed` the equivalent formula that the layers follow, `score` is C, and
    `longest` the greatest length of a word for which the arithmetic is proved to be right, None if it is for any.
    `margin` is the least |logit| on the `checked` words that it was compared with the formula on; it would be
    `LOGIT` without rounding.
    """

    formula: Formula
    computed: Formula
    model: Transformer
    score: float
    longest: int | None
    margin: float
    checked: int


def compile_program(
    formula: Formula,
    alphabet: Alphabet,
    pattern: AttentionPattern,
    *,
    score: float = SCORE,
    max_weights: int = MAX_WEIGHTS,
) -> Program:
    """Return a transformer of an attention pattern whose logit is ±10 as a formula holds or not at the end of the word.

    Predicates MOD need positions: periodic sinusoids, with a period that all moduli divide. Raise `ToolkitError` if the
    formula has operators that the pattern's fragment does not define, or if the score is too low for the window of its
    heads, `TooLarge` past the limit, and `WrongProgram` if the weights fail the self-check.

    >>> from ltl.syntax import parse_formula
    >>> program = compile_program(parse_formula("P (b & Y a)"), Alphabet.of("abc"), AttentionPattern("hybrid", 1))
    >>> program.model.logits(["ccabc", "ba", ""]).round(3).tolist(), program.model.config.layers
    ([10.0, -10.0, -10.0], 2)
    """
    if not 0 < score <= 80:
        raise ToolkitError(f"the score is a number above 0 and up to 80, not {score!r}")
    positions = _positions(formula, pattern)
    computed = _fitting(formula, pattern, positions)
    found = plan(computed, alphabet)
    shape = _shape(found, pattern, positions)
    with torch.device("meta"):  # takes no memory
        weights = Transformer(alphabet, shape).n_weights
    if weights > max_weights:
        raise TooLarge("weights of the transformer", weights, max_weights, "max_weights")
    longest = exact_length(found, pattern, score)
    model = Transformer(alphabet, shape)
    write_weights(model, found, score)
    margin, checked = self_check(model, formula, longest)
    return Program(formula, computed, model, score, longest, margin, checked)


def exact_length(found: Plan, pattern: AttentionPattern, score: float) -> int | None:
    """Return the greatest length of a word for which the construction is proved right in single precision.

    None if it is right for every length: heads then see no more than a window. An average over n positions is off by
    at most δ(n) + 3nu, where u = 2^-24 and 3nu bounds what rounding does to the two sums of n terms, in any order. A
    ramp is right if the averages of its gate are off by 1/8 together, rounding of bits included. Raise `ToolkitError`
    if the score is too low for the window of the local heads, whose words have any length.

    >>> from ltl.syntax import parse_formula
    >>> found = plan(parse_formula("P a"), Alphabet.of("ab"))
    >>> exact_length(found, AttentionPattern("global"), 30.0), exact_length(found, AttentionPattern("global"), 4.0)
    (691016, 8)
    """
    heads = [node for node in found.nodes if isinstance(node, Head)]
    gates = [node.operands for node in found.nodes if isinstance(node, Gate)]
    averages = max((sum(isinstance(found.nodes[i.node], Head) for i in gate) for gate in gates), default=1)
    operands = max(map(len, gates), default=1)
    # Normalisation passes on less than a hundredth of what averages are off.
    room = (RAMP - ROUNDING * operands) / (max(averages, 1) + operands / 100) - ROUNDING
    if any(head.is_local for head in heads) and not _error(pattern.window or 1, score) <= room:
        raise ToolkitError(
            f"a score of {score:g} is too low for a window of {pattern.window} positions; choose a greater one"
        )
    if all(head.is_local for head in heads):
        return None
    reach = 1
    while _error(2 * reach, score) <= room:
        reach *= 2
    low, high = reach, 2 * reach
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _error(middle, score) <= room else (low, middle)
    return low


def _error(seen: int, score: float) -> float:
    """Bound how far the average of a head is off that sees so many positions."""
    if seen == 1:
        return 0.0
    lost = (seen - 1) * math.exp(-score * (1 - 4 * ROUNDING))
    return lost / (1 + lost) + 3 * seen * _UNIT


def _positions(formula: Formula, pattern: AttentionPattern) -> Positions:
    """Return the positions that the predicates MOD of a formula need: none, or periodic ones."""
    moduli = [f.modulus for f in subformulas(formula) if isinstance(f, Mod)]
    if not moduli:
        return Positions()
    period = math.lcm(2, *moduli)
    if pattern.window is not None:
        period *= -(-pattern.window // period)
    return Positions("periodic-sinusoidal", period)


def _fitting(formula: Formula, pattern: AttentionPattern, positions: Positions) -> Formula:
    """Return an equivalent formula that the heads of a pattern compute; raise `ToolkitError` if there is none."""
    used, fragment = fragment_of(formula), pattern.fragment
    if used.since or (used.past and not fragment.past) or (used.window is not None and fragment.window is None):
        raise ToolkitError(
            f"{pattern.name} attention computes formulas of {fragment.name}, and this one is of {used.name}"
        )
    if used.window is None or pattern.window is None:
        return formula
    narrow = any(isinstance(f, Yesterday) and f.window < pattern.window for f in subformulas(formula))
    return to_window(formula, pattern.window, positions.number if narrow else None)


def _shape(found: Plan, pattern: AttentionPattern, positions: Positions) -> TransformerConfig:
    """Return the least shape in which a plan has room."""
    layers = range(1, found.depth + 1)
    n_global, n_local = (
        max((found.count(layer, is_local) for layer in layers), default=0) for is_local in (False, True)
    )
    heads = {"global": n_global, "local": n_local, "hybrid": max(2 * n_global, 2 * n_local - 1, 2)}[pattern.kind]
    heads = max(heads, 1)
    units = [0] * (found.depth + 1)
    for node, layer in zip(found.nodes, found.layers, strict=True):
        units[layer] += {Head: HEAD_UNITS, Gate: GATE_UNITS}.get(type(node), 0)
    width = math.ceil(2 * (len(found.nodes) + 1) / heads) * heads
    return TransformerConfig(
        pattern,
        layers=max(found.depth, 1),
        heads=heads,
        width=width + heads * (width % 2),
        feedforward=max(1, *units),
        positions=positions,
    )
