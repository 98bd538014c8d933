"""Omega-equations: reading, evaluating, and evidence that stands on the automaton alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import ParseError, TooLarge, ToolkitError
from semigroups.equation import Equation, violation
from semigroups.omega_term import evaluate
from tests.strategies import AB, ABC

EVEN = DFA(AB, [[1, 0], [0, 1]], 0, [True, False])  # an even number of a
R_TRIVIAL = Equation.parse("(xy)^w x = (xy)^w")
APERIODIC = Equation.parse("x^w x = x^w")


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        ("x = y", "x", "y"),
        ("xyz = x (yz)", "x y . z .", "x y z . ."),
        ("(xy^w)^w z = (z)", "x y w . w z .", "z"),
        ("((x))^w^w=x", "x w w", "x"),
    ],
)
def test_terms_in_reverse_polish_notation(text, left, right):
    equation = Equation.parse(text)
    assert [" ".join(map(str, side)).replace("^w", "w") for side in (equation.left, equation.right)] == [left, right]


def test_variables_come_in_order_of_appearance():
    assert Equation.parse("y x^w z = x").variables == ("y", "x", "z")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("xy", 3),
        ("x^0 = x", 3),
        ("(x = x", 1),
        ("x = (x", 5),
        ("x) = x", 2),
        ("() = x", 2),
        ("x = ", 5),
        ("w = x", 1),
        ("x = y = z", 7),
    ],
)
def test_what_is_no_equation_is_shown_its_place(text, column):
    with pytest.raises(ParseError) as caught:
        Equation.parse(text)
    assert caught.value.position + 1 == column


def test_evaluation_by_words():
    term = Equation.parse("(xy)^w x = x").left
    word = evaluate(term, {"x": "a", "y": "bc"}, lambda u, v: u + v, lambda u, power: u * power.at(3))
    assert word == "abcabcabca"


def test_nesting_is_not_limited():
    deep = "(" * 5000 + "x" + ")" * 5000 + " = x"
    assert Equation.parse(deep).left == ("x",)


def test_evidence_gives_two_words_of_which_one_is_in_the_language():
    found = violation(EVEN, APERIODIC, {"x": "a"})
    assert (found.exponent, found.left, found.right) == (2, "aaa", "aa")
    assert found.check(EVEN) is None
    inside = [EVEN.accepts(found.before + word + found.after) for word in (found.left, found.right)]
    assert sorted(inside) == [False, True]


def test_no_evidence_where_the_equation_holds():
    assert violation(EVEN, APERIODIC, {"x": "aa"}) is None
    assert violation(EVEN, Equation.parse("xy = yx"), {"x": "a", "y": "b"}) is None


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"exponent": 1}, "not idempotent"),
        ({"exponent": 3}, "not idempotent"),
        ({"exponent": 0}, "positive"),
        ({"assignment": (("x", "aa"),)}, "does not tell"),
        ({"assignment": (("x", ""),)}, "non-empty"),
        ({"assignment": (("y", "a"),)}, "must give words to x"),
        ({"equation": R_TRIVIAL}, "must give words to x, y"),
        ({"alphabet": ABC}, "alphabets differ"),
    ],
)
def test_spoiled_evidence_is_refused(change, fault):
    found = violation(EVEN, APERIODIC, {"x": "a"})
    assert fault in replace(found, **change).check(EVEN)


def test_a_power_short_of_the_idempotent_one_proves_nothing():
    """x^1 and x^2 differ in {aa}, whose semigroup satisfies x^w x = x^w with x^3 idempotent."""
    two_as = DFA(Alphabet.of("a"), [[1], [2], [3], [3]], 0, [False, False, True, False])
    assert violation(two_as, APERIODIC, {"x": "a"}) is None
    spoiled = replace(violation(EVEN, APERIODIC, {"x": "a"}), alphabet=two_as.alphabet, exponent=1, before="", after="")
    assert "not idempotent" in spoiled.check(two_as)


def test_one_exponent_serves_all_omegas():
    """a turns three states round, b swaps two: powers of both are idempotent when the exponent is a multiple of 6."""
    turns = DFA(AB, [[1, 0], [2, 1], [0, 3], [3, 2]], 0, [True, False, False, False])
    found = violation(turns, Equation.parse("x^w y^w x y = x^w y^w"), {"x": "a", "y": "b"})
    assert found.exponent == 6
    assert found.check(turns) is None


def test_evidence_in_plain_values():
    pairs = DFA(Alphabet(("up", "on")), [[1, 0], [0, 1]], 0, [True, False])
    assert violation(pairs, APERIODIC, {"x": ("up",)}).to_dict() == {
        "equation": "x^w x = x^w",
        "read on": "S",
        "assignment": {"x": ["up"]},
        "exponent": 2,
        "left": ["up"] * 3,
        "right": ["up"] * 2,
        "before": [],
        "after": [],
    }


def test_sides_too_long_to_print_are_left_out_of_json():
    """A cycle of 1,009 states under a: x^w is a^1009, and x^w x has one letter more."""
    n = 1009
    cycle = DFA(Alphabet.of("a"), [[(q + 1) % n] for q in range(n)], 0, [q == 0 for q in range(n)])
    found = violation(cycle, APERIODIC, {"x": "a"})
    plain = found.to_dict()
    assert (plain["exponent"], found.length, len(found.left)) == (n, n + 1, n + 1)
    assert plain["left"] is None
    assert plain["right"] is None
    assert found.check(cycle) is None


def test_variables_under_omega_alone_are_idempotent_ones():
    assert Equation.parse("e^w x f^w y = y^w (ef)^w x").idempotent_variables == set()
    assert Equation.parse("e^w x f^w y = y^w x").idempotent_variables == {"e", "f"}
    assert Equation.parse("e^w e^w = e^(w+1)").idempotent_variables == set()


def test_local_equations_take_the_first_free_letter():
    assert Equation.parse("x = 1").localize().text == "e^w x e^w = e^w"
    assert Equation.parse("e = f").localize().variables == ("g", "e", "f")
    letters = "abcdefghijklmnopqrstuvxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    with pytest.raises(ToolkitError, match="one more"):
        Equation.parse(f"{letters} = a").localize()


def test_the_empty_word_is_a_value_on_the_monoid_alone():
    """{eps} over {a}: S is one zero, M has the identity too, so x = y holds on S and not on M."""
    empty_word = DFA(Alphabet.of("a"), [[1], [1]], 0, [True, False])
    found = violation(empty_word, Equation.parse("x = y"), {"x": "", "y": "a"}, "M")
    assert (found.left, found.right, found.before, found.after) == ("", "a", "", "")
    assert found.check(empty_word) is None
    assert "non-empty" in replace(found, read_on="S").check(empty_word)


def test_the_identity_is_spelled_as_the_empty_word():
    found = violation(EVEN, Equation.parse("x = 1"), {"x": "a"}, "M")
    assert (found.left, found.right) == ("a", "")
    assert found.check(EVEN) is None
    assert "non-empty" in replace(found, read_on="S").check(EVEN)
    tuples = DFA(Alphabet(("up", "on")), [[1, 0], [0, 1]], 0, [True, False])
    pair = violation(tuples, Equation.parse("x 1 x = x^3"), {"x": ("up",)}, "M")
    assert (pair.left, pair.right) == (("up",) * 2, ("up",) * 3)


def test_inverses_in_groups():
    """a turns three states: x^(w-1) is a^5 with the exponent 3, which acts as aa; xx breaks nothing, x does."""
    turns = DFA(Alphabet.of("a"), [[1], [2], [0]], 0, [True, False, False])
    assert violation(turns, Equation.parse("x^(w-1) = x^2"), {"x": "a"}) is None
    found = violation(turns, Equation.parse("x^(w-1) = x"), {"x": "a"})
    assert (found.exponent, found.left, found.right) == (3, "aaaaa", "a")
    assert found.check(turns) is None


def test_words_of_the_stable_semigroup():
    """Parity of a: the words of length two act in both ways already, and so do those of length one."""
    found = violation(EVEN, Equation.parse("x^w x = x^w"), {"x": "ab"}, "stable", 2)
    assert found.check(EVEN) is None
    assert found.to_dict()["stability index"] == 2
    assert "multiples of the stability index 3" in replace(found, index=3).check(EVEN)
    assert "only there" in replace(found, index=None).check(EVEN)
    assert "only there" in replace(found, read_on="S").check(EVEN)
    assert replace(found, index=1).check(EVEN) is None
    length = DFA(AB, [[1, 1], [0, 0]], 0, [True, False])
    spoiled = violation(length, Equation.parse("x^w x = x^w"), {"x": "a"}, "stable", 1)
    assert "do not do the same" in spoiled.check(length)


def test_the_check_of_a_stability_index_has_a_limit():
    found = violation(EVEN, Equation.parse("x^w x = x^w"), {"x": "ab"}, "stable", 2)
    with pytest.raises(TooLarge, match="max_cells"):
        found.check(EVEN, max_cells=3)
