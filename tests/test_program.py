"""Compiled transformers: equal to the automaton on short and long words, exact up to the derived length; refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.errors import TooLarge, ToolkitError, UnknownLetter
from ltl.compile import formula_to_dfa
from ltl.formula import FALSE, TRUE, Formula, Letter, Mod, Past, conjunction, disjunction, size, yesterday_power
from ltl.semantics import holds_batch
from ltl.syntax import parse_formula
from neural.pattern import AttentionPattern
from neural.plan import plan
from neural.program import Program, compile_program, exact_length
from neural.program_weights import LOGIT, ROUNDING
from neural.self_check import WrongProgram, self_check
from tests.strategies import AB, ABC, all_words, formulas

GLOBAL, LOCAL, LOCAL_3, HYBRID, HYBRID_2 = map(
    AttentionPattern.parse, ("global", "local-1", "local-3", "hybrid-1", "hybrid-2")
)
SHORT = ABC.encode_batch(all_words(ABC, 6))


def random_words(alphabet: Alphabet, lengths: list[int], seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    words = rng.integers(len(alphabet), size=(len(lengths), max(lengths)))
    words[np.arange(max(lengths)) >= np.array(lengths)[:, None]] = len(alphabet)
    return words


def assert_logits(program: Program, truth: np.ndarray, words: np.ndarray) -> None:
    assert np.abs(program.model.logits(words) - np.where(truth, LOGIT, -LOGIT)).max(initial=0) < 0.05


def assert_computes(program: Program, formula: Formula, words: np.ndarray) -> None:
    assert_logits(program, formula_to_dfa(formula, program.model.alphabet).accepts_batch(words), words)


@pytest.mark.parametrize("pattern", [GLOBAL, LOCAL, LOCAL_3, HYBRID_2], ids=lambda pattern: pattern.name)
@given(data=st.data())
@settings(max_examples=20)
def test_predicates_mod_are_computed_with_periodic_sinusoids(pattern, data):
    formula = data.draw(
        formulas(
            ABC,
            past=pattern.kind != "local",
            window=None if pattern.kind == "global" else 1,
            widest=2,
            modulus=4,
            max_leaves=6,
        ).map(lambda f: f & Mod(1, 3) | Past(Mod(0, 2)) if pattern.kind != "local" else f & Mod(1, 3))
    )
    program = compile_program(formula, ABC, pattern)
    assert program.model.config.positions.kind == "periodic-sinusoidal"
    assert_computes(program, formula, SHORT)
    assert_computes(program, formula, random_words(ABC, [20, 61, 152, 303]))


@pytest.mark.parametrize("modulus", [1, 2, 3, 4, 5, 12, 97, 500])
def test_every_residue_is_read_off_the_position(modulus):
    residues = sorted({0, 1 % modulus, modulus // 2, modulus - 1})
    for residue in residues:
        program = compile_program(Mod(residue, modulus), AB, GLOBAL)
        lengths = list(range(modulus + 3))
        logits = program.model.logits(random_words(AB, lengths))
        assert (logits > 0).tolist() == [(n + 1) % modulus == residue for n in lengths]
        assert np.abs(np.abs(logits) - LOGIT).max() < 0.05


def heavy(formula: Formula, alphabet: Alphabet, pattern: AttentionPattern) -> None:
    program = compile_program(formula, alphabet, pattern)
    n = 12 if len(alphabet) == 2 else 10
    assert_computes(program, formula, alphabet.encode_batch(all_words(alphabet, n)))
    lengths = [*range(13, 513), *np.unique(np.geomspace(513, 5000, 20).astype(int)).tolist()]
    assert program.longest is None or program.longest >= 5000
    assert_computes(program, formula, random_words(alphabet, lengths))


@pytest.mark.parametrize(
    ("text", "alphabet", "pattern"),
    [
        ("P (b & Y a)", ABC, HYBRID),
        ("P (a & P (b & P (a & !P b))) & !P (b & !P a)", AB, GLOBAL),
        ("Y (a & Y (b | Y (a & Y b)))", AB, LOCAL),
        ("!P (b & Y<=2 b) & Y<=3 a", AB, HYBRID_2),
        ("Y a & !P (b & !Y a) & !P (a & Y a) & P (a & !P true)", AB, HYBRID),
    ],
)
def test_all_short_words_and_long_ones(text, alphabet, pattern):
    """All words up to length 12 (10 over three letters: 88,573), random ones up to 5,000."""
    heavy(parse_formula(text), alphabet, pattern)


@pytest.mark.parametrize("pattern", [GLOBAL, LOCAL, LOCAL_3, HYBRID], ids=lambda pattern: pattern.name)
@pytest.mark.parametrize("formula", [TRUE, FALSE, Letter("a"), ~Letter("a")], ids=str)
def test_constants_and_letters_need_no_head(formula, pattern):
    # At the end no letter holds.
    for alphabet in (AB, Alphabet.of("a")):
        assert_computes(compile_program(formula, alphabet, pattern), formula, alphabet.encode_batch(["", "a", "aaa"]))


def test_the_empty_alphabet():
    program = compile_program(~Past(TRUE), Alphabet(()), GLOBAL)
    assert program.model.accepts("")


def test_many_letters():
    letters = Alphabet(tuple(f"x{i}" for i in range(300)))
    formula = Past(disjunction(Letter(f"x{i}") for i in range(0, 300, 2)) & Past(Letter("x7")))
    program = compile_program(formula, letters, GLOBAL)
    words = random_words(letters, [30] * 200)
    assert np.array_equal(program.model.accepts_batch(words), holds_batch(formula, words, letters))


@given(formulas(AB, window=2, widest=2, max_leaves=15))
@settings(max_examples=30)
def test_the_residual_stream_holds_bits_and_their_opposites(formula):
    """What the derivation of the exact length takes for granted, `ROUNDING`, holds in every layer."""
    program = compile_program(formula, AB, HYBRID_2)
    model = program.model
    seen: list[torch.Tensor] = []
    hooks = [block.register_forward_hook(lambda _, __, output: seen.append(output)) for block in model.blocks]
    hooks += [
        norm.register_forward_hook(lambda _, __, output: seen.append(output))
        for norm in [model.norm, *(block.attention_norm for block in model.blocks)]
    ]
    model.logits(random_words(AB, [5, 50, 200]))
    for hook in hooks:
        hook.remove()
    for x in seen:
        bits = x[..., 2:]
        assert float((bits - bits.round()).abs().max()) < ROUNDING
        assert set(bits.round().unique().tolist()) <= {0.0, 1.0}
        assert torch.equal(bits[..., 0::2].round() + bits[..., 1::2].round(), torch.ones_like(bits[..., 0::2]))


# The length up to which single precision is exact.


@pytest.mark.parametrize("score", [3.0, 4.0, 5.0, 6.0])
def test_words_are_right_up_to_the_derived_length_and_wrong_beyond_the_crossing(score):
    """One position of n where the operand holds: its share of the attention, e^C / (e^C + n - 1), decides."""
    program = compile_program(parse_formula("P a"), AB, GLOBAL, score=score)
    longest = program.longest
    assert longest is not None
    # Proved: (n-1) / (e^C + n-1) <= 1/8, nearly.
    assert abs(longest - (1 + math.exp(score) / 7)) < 0.02 * longest + 1
    worst = ["b" * n + "a" for n in range(longest)] + ["a" + "b" * n for n in range(longest)]
    assert_computes(program, program.formula, AB.encode_batch(worst))
    beyond = "a" + "b" * math.ceil(3 * math.exp(score))  # a share of a quarter: below every ramp
    assert not program.model.accepts(beyond)


@pytest.mark.parametrize("width", [2, 5, 20])
def test_wide_gates_shorten_the_derived_length_and_are_right_up_to_it(width):
    """At the edge every operand of the gate is as far off as it can be, at once."""
    formula = conjunction(Past(yesterday_power(Letter("a"), k)) for k in range(width))
    program = compile_program(formula, AB, HYBRID, score=9.0)
    longest = program.longest
    assert longest is not None
    single = compile_program(Past(Letter("a")), AB, HYBRID, score=9.0).longest
    assert single is not None
    # Heads of the last layer alone are read as averages by the last gate; the others are bits by then.
    assert longest <= single
    edge = ["a" * width + "b" * (longest - width), "b" * (longest - width) + "a" * width, "a" + "b" * (longest - 1)]
    assert_logits(program, holds_batch(formula, edge, AB), AB.encode_batch(edge))


def test_all_averages_of_a_gate_at_once():
    letters = Alphabet.of("abcdefgh")
    formula = conjunction(Past(Letter(letter)) for letter in "abcdefg")
    program = compile_program(formula, letters, GLOBAL, score=7.0)
    longest = program.longest
    assert longest is not None
    assert abs(longest - (1 + math.exp(7.0) / (8 * 7 - 1))) < 0.02 * longest + 1
    edge = ["abcdefg" + "h" * (longest - 7), "bcdefg" + "h" * (longest - 6), "h" * (longest - 7) + "gfedcba"]
    assert_computes(program, formula, letters.encode_batch(edge))


def test_a_local_window_is_exact_at_every_length_or_refused():
    found = plan(parse_formula("Y<=3 a"), AB)
    assert exact_length(found, LOCAL_3, 30.0) is None
    with pytest.raises(ToolkitError, match="a score of 2 is too low for a window of 3 positions"):
        compile_program(parse_formula("Y<=3 a"), AB, LOCAL_3, score=2.0)
    # Two of the three positions do not hold: 2 / (e^C + 2) <= 1/8 from C = ln 14 = 2.64 on.
    program = compile_program(parse_formula("Y<=3 a"), AB, LOCAL_3, score=2.66)
    assert_computes(program, program.formula, AB.encode_batch(all_words(AB, 8)))


def test_the_score_does_not_matter_for_window_one():
    program = compile_program(parse_formula("Y a"), AB, LOCAL, score=0.01)
    assert_computes(program, program.formula, AB.encode_batch(all_words(AB, 6)))


def documented_room(averages: int, operands: int) -> float:
    """What an average may be off, by docs/programs.md."""
    return (1 / 8 - operands * 1e-4) / (averages + operands / 100) - 1e-4


@pytest.mark.parametrize(
    ("text", "averages", "operands"),
    [("P a", 1, 1), ("P a & P b", 2, 2), ("a & P b", 1, 2), ("!(P a | P b | P (a & P b))", 3, 3)],
)
@pytest.mark.parametrize("score", [3.0, 6.0, 10.0, 14.0, 30.0])
def test_the_exact_length_is_the_greatest_of_the_documented_inequality(text, averages, operands, score):
    n = exact_length(plan(parse_formula(text), AB), GLOBAL, score)

    def error(seen: int) -> float:
        lost = (seen - 1) * math.exp(-score * (1 - 4e-4))
        return lost / (1 + lost) + 3 * seen * 2.0**-24

    assert error(n) <= documented_room(averages, operands) < error(n + 1)


# Refusals.


@pytest.mark.parametrize(
    ("text", "pattern", "said"),
    [
        ("Y a", GLOBAL, r"global attention computes formulas of LTL\[P\], and this one is of LTL\[Y\]"),
        ("P a", LOCAL, r"local-1 attention computes formulas of LTL\[Y\], and this one is of LTL\[P\]"),
        ("P (a & Y b)", LOCAL, "local-1 attention"),
        ("a S b", HYBRID, r"this one is of LTL\[S\]"),
        ("Y<=2 a", LOCAL_3, "Y<=3 does not define Y<=2"),
    ],
)
def test_formulas_outside_the_fragment_are_refused(text, pattern, said):
    with pytest.raises(ToolkitError, match=said):
        compile_program(parse_formula(text), AB, pattern)


@pytest.mark.parametrize("score", [0.0, -1.0, float("nan"), 1000.0])
def test_scores_out_of_range(score):
    with pytest.raises(ToolkitError, match="the score is a number"):
        compile_program(Past(Letter("a")), AB, GLOBAL, score=score)


def test_letters_outside_the_alphabet():
    with pytest.raises(UnknownLetter):
        compile_program(Past(Letter("c")), AB, GLOBAL)


def test_the_limit_of_weights_is_reached_before_memory_is_taken():
    with pytest.raises(TooLarge, match="max_weights"):
        compile_program(yesterday_power(Letter("a"), 100), AB, LOCAL, max_weights=10**6)
    with pytest.raises(ToolkitError, match="at most 1,000 layers"):
        compile_program(yesterday_power(Letter("a"), 1100), AB, LOCAL)


@pytest.mark.parametrize("spoil", ["readout", "score", "ramp"])
def test_the_self_check_refuses_weights_that_differ(spoil):
    formula = parse_formula("P (b & Y a)")
    model = compile_program(formula, AB, HYBRID).model
    assert self_check(model, formula, None)[0] > 9.9
    with torch.no_grad():
        if spoil == "readout":
            model.readout.weight.neg_()
        elif spoil == "score":
            model.blocks[1].attention.project_in.bias.zero_()  # averages without preference fade in long words
        else:
            model.blocks[0].feedforward_in.bias.mul_(1.5)
    with pytest.raises(WrongProgram, match="the weights fail on the word"):
        self_check(model, formula, None)


def test_a_formula_of_a_hundred_nodes():
    formula: Formula = Letter("a")
    for k in range(49):
        formula = Past(formula & ~Letter("ab"[k % 2])) if k % 3 else Past(formula) | Letter("b")
    assert size(formula) >= 100
    words = random_words(AB, [3, 30, 300])
    assert_logits(compile_program(formula, AB, GLOBAL), holds_batch(formula, words, AB), words)
