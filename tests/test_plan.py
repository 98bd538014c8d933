"""Plans: evaluated layer by layer they have the formula's truth; layers and fan-in are as promised."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from automata.errors import ToolkitError, UnknownLetter
from ltl.formula import And, Formula, Letter, Not, Or, Past, Yesterday, conjunction, depth, disjunction, yesterday_power
from ltl.semantics import truth_batch
from ltl.syntax import parse_formula
from neural.plan import FAN_IN, Gate, Head, Literal, Plan, Remainder, Token, plan
from tests.strategies import AB, ABC, all_words, formulas


def computed(found: Plan, words: np.ndarray, window: int) -> np.ndarray:
    """Evaluate a plan as its docstring says: heads read earlier layers, gates also heads of their own layer."""
    n_words, length = words.shape
    codes = np.concatenate([words, np.full((n_words, 1), len(ABC))], axis=1)
    bits: list[np.ndarray] = []

    def bit(literal: Literal) -> np.ndarray:
        return bits[literal.node] ^ literal.negated

    for node, layer in zip(found.nodes, found.layers, strict=True):
        match node:
            case Token(symbols):
                assert layer == 0
                bits.append(np.array(symbols)[codes])
            case Remainder(residue, modulus):
                assert layer == 0
                bits.append(np.broadcast_to(np.arange(1, length + 2) % modulus == residue, codes.shape))
            case Head(operand, is_local):
                assert found.layers[operand.node] < layer
                values = bit(operand)
                seen = np.zeros_like(values)
                for n in range(length + 1):
                    first = max(0, n - window) if is_local else 0
                    seen[:, n] = values[:, first:n].any(axis=1)
                bits.append(seen)
            case Gate(operands):
                assert layer >= 1
                assert 2 <= len(operands) <= FAN_IN
                for operand in operands:
                    own = isinstance(found.nodes[operand.node], Head)
                    assert found.layers[operand.node] < layer + own
                bits.append(np.logical_and.reduce([bit(operand) for operand in operands]))
    return bit(found.output)


@given(formulas(ABC, window=2, widest=2, modulus=3, max_leaves=20))
def test_a_plan_has_the_truth_of_its_formula_at_every_position(formula):
    words = ABC.encode_batch(w for w in all_words(ABC, 5) if len(w) == 5)
    assert np.array_equal(computed(plan(formula, ABC), words, 2), truth_batch(formula, words, ABC))


@given(formulas(AB, widest=1, max_leaves=20))
def test_layers_are_the_temporal_depth_and_one_more_for_each_further_boolean_level(formula):
    found = plan(formula, AB)
    levels: dict[Formula, int] = {}

    def deep(f: Formula) -> int:  # the least number of layers when nothing is flattened
        if f not in levels:
            below = max((deep(g) for g in f.operands), default=0)
            levels[f] = below + isinstance(f, And | Or | Past | Yesterday)
        return levels[f]

    assert depth(formula) <= found.depth <= deep(formula)


@pytest.mark.parametrize(
    ("text", "layers"),
    [
        ("true", 0), ("!(a | b)", 0), ("P a", 1), ("P (a | b) & !Y c", 1), ("P (a & P (b & P c))", 3),
        ("!Y !Y !Y a", 3), ("(P a | P b) & P c", 2), ("Y ((P a | P b) & (P c | P b))", 3), ("MOD(1,2) & P a", 1),
        ("MOD(1,2) | MOD(0,3)", 1), ("P a & P b & !(Y a | Y b | P c)", 1), ("a & P a & (b | P b)", 2),
    ],
)  # fmt: skip
def test_layers(text, layers):
    assert plan(parse_formula(text), ABC).depth == layers


def test_letters_are_read_off_the_embedding_in_one_bit():
    found = plan(parse_formula("!a & P b & !(b | c)"), ABC)
    tokens = {node for node in found.nodes if isinstance(node, Token)}
    assert tokens == {Token((False, True, False, False)), Token((False, False, False, True))}


@pytest.mark.parametrize("join", [conjunction, disjunction])
def test_wide_gates_become_trees(join):
    parts = [Past(yesterday_power(Letter("a"), k)) for k in range(1, 101)]
    found = plan(join(parts), AB)
    gates = [node for node in found.nodes if isinstance(node, Gate)]
    assert sorted(len(gate.operands) for gate in gates) == [4, 4, 32, 32, 32]
    assert found.depth == 102  # the last P in layer 101, the gate of its gate in layer 102


@pytest.mark.parametrize("join", [And, Or])
def test_shared_chains_stay_small(join):
    """Each link is used twice, once behind double negations: unfolding it would take 2^200 steps."""
    f: Formula = Past(Letter("a"))
    for k in range(1, 201):
        f = join(join(Not(Not(f)), Past(yesterday_power(Letter("b"), k))), Not(Not(f)))
    assert len(plan(f, AB).nodes) < 1500


def test_refusals():
    with pytest.raises(ToolkitError, match="cannot compute S"):
        plan(parse_formula("P (a S b)"), ABC)
    with pytest.raises(ToolkitError, match=r"found \[1, 3\]"):
        plan(parse_formula("Y a & Y<=3 b"), ABC)
    with pytest.raises(UnknownLetter):
        plan(parse_formula("P c"), AB)
