"""Users' own equations: evaluation in boxes against full tables, where they are read, and limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import ParseError, TooLarge, ToolkitError
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from semigroups.equation import Equation
from semigroups.omega_term import evaluate
from semigroups.satisfies import first_violation, satisfies
from semigroups.syntactic import syntactic_semigroup
from semigroups.variety import VARIETIES
from tests.equation_tables import holds, table_of
from tests.strategies import AB, dfas, small_minimal_dfas

EVEN = DFA(AB, [[1, 0], [0, 1]], 0, [True, False])  # an even number of a
EMPTY_WORD = DFA(Alphabet.of("a"), [[1], [1]], 0, [True, False])


def terms() -> st.SearchStrategy[str]:
    leaves = st.sampled_from(["x", "y", "z", "e^w", "x^(w-1)", "y^2"])
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, inner).map("".join),
            inner.map(lambda t: f"({t})^w"),
            inner.map(lambda t: f"({t})^(w+2)"),
            inner.map(lambda t: f"({t})^(w-2)"),
            inner.map(lambda t: f"({t})^3"),
        ),
        max_leaves=4,
    )


SMALL = [dfa for dfa in small_minimal_dfas(AB, 3)[::5] if len(syntactic_semigroup(dfa)) <= 12]


@given(terms(), terms(), st.sampled_from(SMALL), st.sampled_from(["S", "M", "local", "stable"]))
def test_any_equation_is_decided_as_on_full_tables(left, right, dfa, read_on):
    equation = Equation.parse(f"{left} = {right}")
    found = satisfies(dfa, equation, read_on)
    assert (found is None) == holds(table_of(dfa), equation, read_on)
    if found is not None:
        assert found.check(dfa) is None


@given(dfas(max_states=4).map(minimize))
def test_rows_of_the_table_are_decided_as_by_their_decisions(dfa):
    syntactic = syntactic_semigroup(dfa)
    for row in VARIETIES.values():
        if row.name not in ("solvable", "dot-depth one"):
            try:
                found = first_violation(syntactic, row.equations, row.read_on, 200_000)
            except TooLarge:
                continue
            assert (found is None) == (row.violation(syntactic) is None), (row.name, dfa)
            assert found is None or found.check(dfa) is None


def test_the_first_failing_assignment():
    """In lexicographic order of the elements' numbers, for a semigroup inside the first box of eight."""
    for dfa in small_minimal_dfas(AB, 2):
        syntactic = syntactic_semigroup(dfa)
        found = satisfies(dfa, "xyx = yxy")
        failing = [
            (x, y)
            for x in range(len(syntactic))
            for y in range(len(syntactic))
            if evaluate_triple(dfa, syntactic.word(x), syntactic.word(y))
        ]
        assert (found is None) == (not failing)
        if found is not None:
            assert [word for _, word in found.assignment] == [syntactic.word(s) for s in failing[0]]


def evaluate_triple(dfa: DFA, x: str, y: str) -> bool:
    equation = Equation.parse("xyx = yxy")
    words = [evaluate(side, {"x": x, "y": y}, str.__add__, lambda u, _: u) for side in (equation.left, equation.right)]
    return any(dfa.run(words[0], q)[-1] != dfa.run(words[1], q)[-1] for q in range(dfa.n_states))


def test_equations_over_many_elements_take_several_chunks():
    """Ends in the letter nine before the end: xy = yx fails early; x y^w = y^w holds over a million assignments."""
    nine = regex_to_dfa(".*a.{8}", AB)
    assert len(syntactic_semigroup(nine)) > 1000
    assert satisfies(nine, "x y^w = y^w") is None
    assert satisfies(nine, "x y^3 z = x y^3 y^w z", max_assignments=600) is not None
    found = satisfies(nine, "xy = yx", max_assignments=100)
    assert dict(found.assignment) == {"x": "a", "y": "b"}


def test_assignments_have_a_limit():
    nine = regex_to_dfa(".*a.{8}", AB)
    with pytest.raises(TooLarge, match=r"more than the limit of 1,000; raise max_assignments"):
        satisfies(nine, "x y^w = y^w", max_assignments=1000)
    with pytest.raises(TooLarge, match="max_elements"):
        satisfies(nine, "x = y", max_elements=10)


def test_a_cyclic_group():
    """A cycle of 30 states: a cyclic group of order 30."""
    n = 30
    states = np.arange(n)
    cycle = DFA(Alphabet.of("a"), ((states + 1) % n)[:, None], 0, states == 0)
    assert satisfies(cycle, f"x^{n} = x^w") is None
    assert satisfies(cycle, f"x^{n - 1} = x^(w-1)") is None
    found = satisfies(cycle, f"x^{n + 1} y = y x^2")
    assert dict(found.assignment) == {"x": "a", "y": "a"}
    halves = satisfies(cycle, "x^15 = x^w")
    assert (dict(halves.assignment), halves.check(cycle)) == ({"x": "a"}, None)


def test_boxes_cut_into_chunks(monkeypatch):
    """The same assignments are found when three are evaluated at once, or five, as when all of a box are."""
    equations = ["xy = yx", "x^w y z = x^w z y", "(xy)^w = (yx)^w", "x y z^w = z^w x y", "x = 1"]
    whole = [[satisfies(dfa, equation, "M") for equation in equations] for dfa in SMALL]
    assert any(found is None for row in whole for found in row)
    for chunk in (3, 5):
        monkeypatch.setattr("semigroups.satisfies._CHUNK", chunk)
        assert [[satisfies(dfa, equation, "M") for equation in equations] for dfa in SMALL[::3]] == whole[::3]


def test_the_identity_counts_on_the_monoid_only():
    assert satisfies(EMPTY_WORD, "x = y") is None
    found = satisfies(EMPTY_WORD, "x = y", "M")
    assert sorted(word for _, word in found.assignment) == ["", "a"]
    assert found.check(EMPTY_WORD) is None
    assert satisfies(EMPTY_WORD, "x^w = 1", "M").left == "a"
    assert satisfies(EVEN, "x^2 = 1", "M") is None


def test_where_the_equation_is_read():
    """Parity of a: S is the group of two elements, every local monoid is S, and so is the stable semigroup."""
    for read_on in ("S", "M", "local", "stable"):
        assert satisfies(EVEN, "xy = yx", read_on) is None
        found = satisfies(EVEN, "x^w x = x^w", read_on)
        assert found.check(EVEN) is None
        assert found.read_on == ("S" if read_on == "local" else read_on)
    local = satisfies(EVEN, "x = 1", "local")
    assert local.equation.text == "e^w x e^w = e^w"
    length = DFA(AB, [[1, 1], [0, 0]], 0, [True, False])
    assert satisfies(length, "x = y", "stable") is None
    assert satisfies(length, "x = y") is not None


def test_the_empty_alphabet():
    nothing = DFA(Alphabet.of(""), [[]], 0, [True])
    assert all(satisfies(nothing, "x^w y = (yx)^(w-1)", read_on) is None for read_on in ("S", "M", "local", "stable"))
    assert satisfies(nothing, "x = 1", "M") is None


def test_equations_without_variables():
    assert satisfies(EVEN, "1 = 1^w", "M") is None


def test_bad_input():
    with pytest.raises(ParseError, match="column 5"):
        satisfies(EVEN, "x = w")
    for read_on in ("S", "stable"):
        with pytest.raises(ToolkitError, match="constant 1"):
            satisfies(EVEN, "x = 1", read_on)
    with pytest.raises(ToolkitError, match="not on 'T'"):
        satisfies(EVEN, "x = y", "T")
