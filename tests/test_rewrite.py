"""Simplified formulas: equal truth at every position, never larger, deeper or in a larger fragment."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltl.boolean_islands import two_level_forms
from ltl.formula import (
    FALSE,
    TRUE,
    And,
    Formula,
    Letter,
    Not,
    Or,
    Past,
    Yesterday,
    conjunction,
    depth,
    disjunction,
    size,
    yesterday_power,
)
from ltl.fragment import fragment_of
from ltl.implication import Implications
from ltl.rewrite import simplify
from ltl.rewrite_rules import alternatives
from ltl.semantics import truth_batch
from ltl.syntax import parse_formula
from tests.strategies import ABC, all_words, formulas

WORDS = all_words(ABC, 5)
A, B, C = (Letter(letter) for letter in "abc")
EVERYTHING = formulas(ABC, since=True, modulus=3, max_leaves=20)


def equivalent(f: Formula, g: Formula) -> bool:
    """Equal truth at all positions of all words of up to five letters, ends included."""
    return bool((truth_batch(f, WORDS, ABC) == truth_batch(g, WORDS, ABC)).all())


def assert_no_worse(simpler: Formula, f: Formula) -> None:
    assert size(simpler) <= size(f)
    assert depth(simpler) <= depth(f)
    assert fragment_of(simpler) <= fragment_of(f)


@pytest.mark.parametrize(
    "logic",
    [
        EVERYTHING,
        formulas(ABC, window=None, max_leaves=20),
        formulas(ABC, past=False, widest=1, max_leaves=20),
        formulas(ABC, widest=1, max_leaves=20),
        formulas(ABC, past=False, window=2, widest=3, max_leaves=20),
    ],
    ids=["all", "P", "Y", "P,Y", "Y<=2"],
)
@given(data=st.data())
def test_simplified_formulas_hold_at_the_same_positions(logic: st.SearchStrategy[Formula], data: st.DataObject) -> None:
    f = data.draw(logic)
    simpler = simplify(f)
    assert equivalent(simpler, f)
    assert_no_worse(simpler, f)


@given(EVERYTHING, st.booleans())
def test_every_law_keeps_the_meaning(f: Formula, at_top: bool) -> None:
    known = Implications()
    for other in [*alternatives(f, known, at_top=at_top), *two_level_forms(f, known)]:
        assert equivalent(other, f)


@given(EVERYTHING, EVERYTHING)
def test_implications_are_true(f: Formula, g: Formula) -> None:
    known = Implications()
    for x, y in ((f, g), (f & g, f), (Past(f), Past(f | g)), (Past(f), g), (Yesterday(f), Past(g))):
        left, right = truth_batch(x, WORDS, ABC), truth_batch(y, WORDS, ABC)
        if known.implies(x, y):
            assert not (left & ~right).any()
        if known.excludes(x, y):
            assert not (left & right).any()
    if known.at_first(f) is not None:
        assert (truth_batch(f, WORDS, ABC)[:, 0] == known.at_first(f)).all()


@pytest.mark.parametrize(
    ("text", "simpler"),
    [
        ("P false", "false"),
        ("Y false", "false"),
        ("Y<=3 false", "false"),
        ("a S false", "false"),
        ("P P a | P a", "P a"),
        ("P a & P (a | b)", "P a"),
        ("P a | P b", "P (a | b)"),
        ("Y a | Y b", "Y (a | b)"),
        ("Y P a & Y P b", "Y (P a & P b)"),
        ("Y<=2 a | Y<=3 a", "Y<=3 a"),
        ("Y<=2 a & Y<=3 a", "Y<=2 a"),
        ("Y<=2 a | Y<=2 b", "Y<=2 (a | b)"),
        ("Y a & !Y b", "Y a"),
        ("Y P a & !Y P b", "Y (P a & !P b)"),
        ("!Y a & Y true", "Y !a"),
        ("P (a | P a)", "P a"),
        ("P (a | Y a)", "P a"),
        ("P (a | P (a & b))", "P a"),
        ("P !P a", "P true"),
        ("P first", "P true"),
        ("P Y a", "P P a"),
        ("Y P a & P P a", "P P a"),
        ("true S a", "P a"),
        ("false S a", "Y a"),
        ("a S a", "Y a"),
        ("(a S b) | (a S c)", "a S (b | c)"),
        ("(P a S b) & (P c S b)", "(P a & P c) S b"),
        ("a & b", "false"),
        ("!a & b", "b"),
        ("a | !b", "!b"),
        ("!a | !b", "true"),
        ("(P a & b) | (P a & c)", "P a & (b | c)"),
        ("(P a & P b) | (P a & !P b)", "P a"),
        ("P a & (P a | P b)", "P a"),
        ("!(!P a & !P b)", "P (a | b)"),
        ("P a & !P true", "false"),
        ("Y a & !P true", "false"),
        ("P a | !P true | P true", "true"),
        ("!!P a", "P a"),
    ],
)
def test_laws_are_found(text: str, simpler: str) -> None:
    f, wanted = parse_formula(text, ABC), parse_formula(simpler, ABC)
    assert equivalent(f, wanted)
    found = simplify(f)
    assert size(found) <= size(wanted)
    assert equivalent(found, f)
    assert depth(found) <= depth(wanted)


def test_strict_operators_are_not_confused() -> None:
    for text in ("P (a & P a)", "P P a", "Y Y a", "!Y !a", "P (b & Y a)", "Y<=2 Y<=2 a", "P (a & first)", "a S b"):
        f = parse_formula(text, ABC)
        assert size(simplify(f)) == size(f)
        assert equivalent(simplify(f), f)


def test_two_letters_are_never_both_there_nor_any_at_the_end() -> None:
    assert simplify(A & B) is FALSE
    assert simplify(Not(A) | Not(B)) is TRUE
    # The alphabet is not known, and at the end there is no letter: "a, b or c" is not "true".
    assert simplify(A | B | C) is not TRUE


def test_shared_subformulas_stay_shared() -> None:
    # P a and P b are used on their own as well: P (a | b) would be one more subformula.
    f = Yesterday(Past(A) | Past(B)) & Yesterday(Yesterday(Past(A))) & Past(Yesterday(Not(Past(B)) & C))
    simpler = simplify(f)
    assert_no_worse(simpler, f)
    assert equivalent(simpler, f)


def test_deep_formulas_are_walked_not_recursed() -> None:
    f: Formula = A
    for i in range(5000):
        f = Not(And(Past(f), Not(B))) if i % 2 else Or(Yesterday(f), C)
    simpler = simplify(f)
    assert_no_worse(simpler, f)
    rng = np.random.default_rng(0)
    batch = rng.integers(0, 3, (20, 30))
    assert (truth_batch(simpler, batch, ABC) == truth_batch(f, batch, ABC)).all()


def test_wide_formulas_collapse() -> None:
    powers = [yesterday_power(A, i) for i in range(20)]
    assert simplify(disjunction(Past(f) for f in powers)) is Past(A)
    wide = disjunction(Past(Yesterday(Letter(f"a{i}"))) for i in range(2000))
    assert size(simplify(wide)) <= size(Past(Yesterday(disjunction(Letter(f"a{i}") for i in range(2000)))))
    assert simplify(conjunction(Past(~Letter(f"a{i}")) & Letter(f"a{i}") for i in range(2000))) is FALSE


def random_formula(n: int, seed: int) -> Formula:
    """A graph of about n nodes in which each uses two of the last fifty."""
    rng = np.random.default_rng(seed)
    nodes: list[Formula] = [A, B, C]
    while len(nodes) < n:
        left, right = (nodes[-1 - int(rng.integers(min(50, len(nodes))))] for _ in range(2))
        match int(rng.integers(6)):
            case 0:
                f: Formula = Not(left)
            case 1 | 2:
                f = And(left, right)
            case 3 | 4:
                f = Or(left, right)
            case _:
                f = Past(left) if rng.integers(2) else Yesterday(left)
        if f not in nodes[-200:]:
            nodes.append(f)
    return disjunction(nodes[-30:])


@pytest.mark.parametrize("seed", range(3))
def test_large_graphs_take_seconds(seed: int) -> None:
    f = random_formula(10_000, seed)
    began = time.process_time()
    simpler = simplify(f)
    assert time.process_time() - began < 30
    assert_no_worse(simpler, f)
    batch = np.random.default_rng(seed).integers(0, 3, (100, 20))
    assert (truth_batch(simpler, batch, ABC) == truth_batch(f, batch, ABC)).all()


def test_the_result_does_not_depend_on_hashes() -> None:
    program = (
        "from tests.test_rewrite import random_formula\nfrom ltl.rewrite import simplify\n"
        "print([str(simplify(random_formula(300, seed))) for seed in range(3)])"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1
