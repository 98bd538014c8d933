"""Formula to minimal automaton, against ltlf2dfa with MONA; every pair of automata is compared as well.

The peer is optional: `pip install ltlf2dfa` and MONA's program `mona`. Where it is missing the figures say so.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.operations import intersection
from benchmarks.figure import Figure
from ltl.compile import formula_to_dfa
from ltl.formula import (
    And,
    Formula,
    Letter,
    Not,
    Or,
    Past,
    Since,
    Top,
    Yesterday,
    conjunction,
    subformulas,
    yesterday_power,
)
from ltl.semantics import truth
from ltl.syntax import parse_formula

AB = Alphabet.of("ab")
_AIM = ">= 10 x faster, equal languages"


def figures() -> Iterator[Figure]:
    if find_spec("ltlf2dfa") is None or shutil.which("mona") is None:
        absent = "absent: needs the package ltlf2dfa and the program mona"
        yield Figure("formulas against ltlf2dfa with MONA", "not measured", _AIM, False, absent)
        return
    for n in (4, 8, 12):
        yield against_mona(f"Y^{n} a", [(yesterday_power(Letter("a"), n), AB)])
    letters = Alphabet.of("abcdefgh")
    for n in (2, 4, 6, 8):
        alphabet = Alphabet(letters.letters[:n])
        formula = conjunction([Past(Letter(letter)) for letter in alphabet])
        yield against_mona(f"P of each of {n} letters", [(formula, alphabet)])
    rng = np.random.default_rng(0)
    abc = Alphabet.of("abc")
    yield against_mona("100 random formulas of size 30", [(random_formula(rng, abc, 30), abc) for _ in range(100)])


def against_mona(name: str, cases: list[tuple[Formula, Alphabet]]) -> Figure:
    """Compile each formula with both programs, in turn, and compare the automata on the non-empty words."""
    ours = theirs = 0.0
    differing = 0
    for formula, alphabet in cases:
        began = time.perf_counter()
        dfa = formula_to_dfa(formula, alphabet)
        ours += time.perf_counter() - began
        text = at_end(formula)
        began = time.perf_counter()
        dot = _mona(text)
        theirs += time.perf_counter() - began
        differing += distinguish(_non_empty(dfa), _non_empty(read_mona(dot, alphabet))) is not None
    ratio = theirs / ours
    return Figure(
        name,
        f"{ours:.4f} s, {ratio:.0f} x faster, {len(cases) - differing} of {len(cases)} equal",
        _AIM,
        ratio >= 10 and not differing,
        f"ltlf2dfa with MONA: {theirs:.3f} s",
    )


def random_formula(rng: np.random.Generator, alphabet: Alphabet, nodes: int) -> Formula:
    """Draw a formula whose tree has exactly that many nodes: letters, Boolean operators, P, Y, Y<=2 and S."""
    if nodes == 1:
        return Letter(alphabet.letters[int(rng.integers(len(alphabet)))])
    kind = int(rng.integers(7 if nodes > 2 else 4))
    if kind < 4:
        f = random_formula(rng, alphabet, nodes - 1)
        return (~f, Past(f), Yesterday(f), Yesterday(f, 2))[kind]
    left = int(rng.integers(1, nodes - 1))
    f, g = random_formula(rng, alphabet, left), random_formula(rng, alphabet, nodes - 1 - left)
    return (f & g, f | g, Since(f, g))[kind - 4]


def at_end(formula: Formula) -> str:
    """Write a formula judged after the last letter as a PPLTL formula judged at the last letter.

    There the operators look at the present position as well: `P f` at N+1 is `O f` at N and `Y f` is `f`.
    """
    inside, end = dict[Formula, str](), dict[Formula, str]()
    for f in subformulas(formula):
        if isinstance(f, Top):
            inside[f] = end[f] = "true"
        elif isinstance(f, Letter):
            inside[f], end[f] = f"x{f.letter}", "false"
        elif isinstance(f, Not):
            inside[f], end[f] = f"!({inside[f.operand]})", f"!({end[f.operand]})"
        elif isinstance(f, And | Or):
            joint = "&" if isinstance(f, And) else "|"
            inside[f], end[f] = (f"(({text[f.left]}) {joint} ({text[f.right]}))" for text in (inside, end))
        else:
            if isinstance(f, Past):
                end[f] = f"O({inside[f.operand]})"
            elif isinstance(f, Since):
                end[f] = f"(({inside[f.left]}) S ({inside[f.right]}))"
            elif isinstance(f, Yesterday):
                steps = ["Y(" * i + inside[f.operand] + ")" * i for i in range(f.window)]
                end[f] = "(" + " | ".join(f"({step})" for step in steps) + ")"
            inside[f] = f"Y({end[f]})"
    return end[formula]


def _mona(text: str) -> str:
    from ltlf2dfa.parser.ppltl import PPLTLParser

    return str(PPLTLParser()(text).to_dfa())


def read_mona(dot: str, alphabet: Alphabet) -> DFA:
    """Read ltlf2dfa's picture of an automaton over propositions on words of one letter a position."""
    edges = re.findall(r"(\d+) -> (\d+) \[label=\"(.*?)\"\]", dot)
    accepting = re.findall(r"\d+", re.findall(r"doublecircle\];([^\n]*)", dot)[0])
    names = sorted({name for edge in edges for name in edge[:2]} | {"1", *accepting}, key=int)
    number = {name: i for i, name in enumerate(names)}
    delta = np.full((len(names), len(alphabet)), -1)
    for source, target, label in edges:
        guard = _guard(label)
        for code, letter in enumerate(alphabet):
            propositions = Alphabet(tuple(f"x{a}" for a in alphabet))
            if truth(guard, (f"x{letter}",), propositions)[0]:
                delta[number[source], code] = number[target]
    return DFA(alphabet, delta, number["1"], [name in accepting for name in names])


def _guard(label: str) -> Formula:
    return parse_formula(label.replace("~", "!"))


def _non_empty(dfa: DFA) -> DFA:
    return intersection(dfa, DFA(dfa.alphabet, [[1] * len(dfa.alphabet)] * 2, 0, [False, True]))
