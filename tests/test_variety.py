"""The table of varieties: every row against its equations on full tables, its examples, its place among the others."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.minimize import minimize
from automata.operations import complement, reversal
from automata.regex import regex_to_dfa
from ltl.fragment import LTL_P, LTL_PY, LTL_S, LTL_Y
from semigroups.circuit import NonSolvableGroup
from semigroups.satisfies import first_violation, satisfies
from semigroups.syntactic import syntactic_semigroup
from semigroups.variety import VARIETIES, consequences
from tests.equation_tables import Table, holds, is_dot_depth_one, is_solvable, table_of
from tests.strategies import AB, ABC, all_words, dfas, small_minimal_dfas

CLASSES = list(VARIETIES)


def members(dfa: DFA) -> list[str]:
    syntactic = syntactic_semigroup(dfa)
    return [name for name, row in VARIETIES.items() if row.violation(syntactic) is None]


@cache
def some_members() -> tuple[tuple[DFA, frozenset[str]], ...]:
    """Every third of the small minimal automata, with its classes."""
    return tuple((dfa, frozenset(members(dfa))) for dfa in small_minimal_dfas(AB, 3)[::3])


def assert_decided_as_by_evaluation(dfa: DFA, table: Table) -> None:
    syntactic = syntactic_semigroup(dfa)
    for name, row in VARIETIES.items():
        found = row.violation(syntactic)
        if name == "solvable":
            assert (found is None) == is_solvable(table)
            continue
        truth = [holds(table, equation, row.read_on) for equation in row.equations]
        assert (found is None) == all(truth), (name, dfa)
        if found is not None:
            assert not truth[row.laws.index(found.equation)]
            assert row.check(found, dfa) is None
            words = [found.before + side + found.after for side in (found.left, found.right)]
            assert dfa.accepts(words[0]) != dfa.accepts(words[1])


def test_decisions_are_those_of_the_equations_on_small_automata():
    tried = 0
    for dfa, _ in some_members()[::2]:
        table = table_of(dfa)
        if table.size <= 9:
            assert_decided_as_by_evaluation(dfa, table)
            tried += 1
    assert tried > 80


@given(dfas(max_states=4).map(minimize).filter(lambda dfa: len(syntactic_semigroup(dfa)) <= 9))
def test_decisions_are_those_of_the_equations_on_random_automata(dfa):
    assert_decided_as_by_evaluation(dfa, table_of(dfa))


def test_dot_depth_one_by_the_sets_of_both_factors():
    """Knast's equation has six variables; taken apart it is tried on larger semigroups too."""
    found = set()
    for dfa, classes in some_members():
        found.add("dot-depth one" in classes)
        assert is_dot_depth_one(table_of(dfa)) == ("dot-depth one" in classes), dfa
    assert found == {True, False}


@pytest.mark.parametrize("name", CLASSES)
def test_every_row_has_a_member_and_a_non_member(name):
    row = VARIETIES[name]
    inside, outside = (regex_to_dfa(text, Alphabet.of(letters)) for text, letters in (row.member, row.non_member))
    assert row.violation(syntactic_semigroup(inside)) is None
    found = row.violation(syntactic_semigroup(outside))
    assert found.check(outside) is None
    assert "read on" in found.to_dict() or found.to_dict()["kind"] == "non-solvable group"
    if name == "dot-depth one":
        assert [is_dot_depth_one(table_of(dfa)) for dfa in (inside, outside)] == [True, False]
    elif name != "solvable":
        assert not all(holds(table_of(outside), equation, row.read_on) for equation in row.equations)
        assert first_violation(syntactic_semigroup(inside), row.equations, row.read_on) is None
    assert found.check(inside) is not None


def assert_no_false_evidence(dfa: DFA) -> None:
    """Change evidence in one place: what is still accepted must still be true, by two runs and full tables."""
    syntactic = syntactic_semigroup(dfa)
    for row in VARIETIES.values():
        found = row.violation(syntactic)
        if found is None or isinstance(found, NonSolvableGroup):
            continue
        first, *others = found.assignment
        mutants = [
            replace(found, exponent=found.exponent + 1),
            replace(found, before=found.before + "a"),
            replace(found, after="b" + found.after),
            replace(found, assignment=((first[0], first[1] + "a"), *others)),
            replace(found, assignment=((first[0], ""), *others)),
        ]
        for mutant in mutants:
            if mutant.check(dfa) is None:
                assert dfa.accepts(mutant.before + mutant.left + mutant.after) != dfa.accepts(
                    mutant.before + mutant.right + mutant.after
                )
                assert mutant.read_on == "M" or all(word for _, word in mutant.assignment)
        swapped = replace(found, after=found.before, before=found.after, exponent=0)
        assert swapped.check(dfa) is not None
        assert replace(found, alphabet=Alphabet.of("ba")).check(dfa) is not None


def test_changed_evidence_is_refused_unless_it_is_true():
    for dfa, _ in some_members()[::9]:
        assert_no_false_evidence(dfa)


def test_evidence_does_not_hold_for_members():
    """The evidence of one language shown for another that is in the class is refused."""
    automata = some_members()[::7]
    for dfa, _ in automata[::4]:
        syntactic = syntactic_semigroup(dfa)
        for name, row in VARIETIES.items():
            found = row.violation(syntactic)
            for other, classes in automata:
                if found is not None and name in classes:
                    assert found.check(other) is not None, (name, dfa, other)


def test_h24_evidence_is_about_what_the_class_is_read_on():
    """On M the identity, spelled as the empty word, breaks y x^w = x^w for a definite language; that proves nothing."""
    dfa = regex_to_dfa(".*a", AB)
    row = VARIETIES["definite"]
    on_the_monoid = satisfies(dfa, row.equations[0], "M")
    assert on_the_monoid.check(dfa) is None
    assert "not read on M" in row.check(on_the_monoid, dfa)
    r_trivial = VARIETIES["R-trivial"].violation(syntactic_semigroup(dfa))
    assert "no equation of definite" in row.check(r_trivial, dfa)
    alternating = regex_to_dfa(*_read(VARIETIES["solvable"].non_member))
    group = VARIETIES["solvable"].violation(syntactic_semigroup(alternating))
    assert VARIETIES["solvable"].check(group, alternating) is None
    assert "not about star-free" in VARIETIES["star-free"].check(group, alternating)
    assert VARIETIES["solvable"].check(r_trivial, dfa) is not None


def assert_implications(classes: frozenset[str]) -> None:
    for name in classes:
        assert classes.issuperset(VARIETIES[name].implies), name
    assert ("piecewise testable" in classes) == (classes >= {"R-trivial", "L-trivial"})
    assert ("finite or cofinite" in classes) == (classes >= {"definite", "reverse definite"})
    assert ("locally J-trivial" in classes) == (classes >= {"locally R-trivial", "locally L-trivial"})
    assert ("trivial" in classes) == (classes >= {"group", "star-free"})


def test_implications_on_small_automata():
    for _, classes in some_members():
        assert_implications(classes)


@given(dfas(max_states=5))
def test_implications_on_random_automata(dfa):
    assert_implications(frozenset(members(dfa)))


def test_implications_have_no_cycle_and_no_shortcut():
    """Each name in `implies` is a row, and is not implied by another one that stands there."""
    for row in VARIETIES.values():
        for larger in row.implies:
            above = {name for name in consequences({larger: True}) if name != larger}
            assert row.name not in above
            assert not above & set(row.implies), (row.name, larger)


def test_every_class_is_strictly_inside_those_that_it_implies():
    """Some automaton, small or an example of the table, is in the larger class and not in the smaller one."""
    examples = [regex_to_dfa(*_read(text)) for row in VARIETIES.values() for text in (row.member, row.non_member)]
    found = {classes for _, classes in some_members()} | {frozenset(members(dfa)) for dfa in examples}
    for row in VARIETIES.values():
        for larger in row.implies:
            assert any(larger in classes and row.name not in classes for classes in found), (row.name, larger)


def _read(example: tuple[str, str]) -> tuple[str, Alphabet]:
    return example[0], Alphabet.of(example[1])


@given(dfas(max_states=3))
def test_consequences_are_true(dfa):
    classes = set(members(dfa))
    for name in CLASSES:
        for other, answer in consequences({name: name in classes}).items():
            assert answer == (other in classes)


def test_consequences_by_way_of_other_classes():
    found = consequences({"semilattice": True, "LTL[P]": True})
    assert list(found) == [name for name in CLASSES if name in found]
    assert found["FO2[<,+1]"]
    assert found["solvable"]
    assert "group" not in found
    denied = consequences({"solvable": False})
    assert not denied["trivial"]
    assert not denied["dot-depth one"]
    assert "group" not in denied


def test_fragments_of_rows():
    named = {row.fragment: name for name, row in VARIETIES.items() if row.fragment is not None}
    plain = {LTL_P.name: "R-trivial", LTL_Y.name: "definite", LTL_PY.name: "locally R-trivial", LTL_S.name: "star-free"}
    assert {fragment: name for fragment, name in named.items() if "MOD" not in fragment} == plain
    for fragment, name in plain.items():
        modular = named[fragment.replace("]", ",MOD]")]
        assert modular == ("quasi-aperiodic" if name == "star-free" else f"quasi-{name}")


DUAL = {
    "R-trivial": "L-trivial",
    "L-trivial": "R-trivial",
    "definite": "reverse definite",
    "reverse definite": "definite",
    "locally R-trivial": "locally L-trivial",
    "locally L-trivial": "locally R-trivial",
}
ONE_SIDED = {"quasi-R-trivial", "quasi-locally R-trivial", "quasi-definite"}


@given(dfas(max_states=4))
def test_varieties_are_closed_under_complement_and_duals_change_sides_under_reversal(dfa):
    classes = members(dfa)
    assert members(complement(dfa)) == classes
    swapped = {DUAL.get(name, name) for name in classes} - ONE_SIDED
    assert set(members(reversal(dfa))) - ONE_SIDED == swapped


def test_locally_testable_is_what_prefix_suffix_and_factors_of_one_length_tell():
    """By definition: for some k, membership of words of length k or more depends on their prefix and suffix of length
    k - 1 and their set of factors of length k. With up to three states over two letters, k = 3 and the words up to
    length 10 are enough to see it."""
    words = [word for word in all_words(AB, 10) if len(word) >= 3]
    kinds: dict[object, int] = {}
    kind = [
        kinds.setdefault((word[:2], word[-2:], frozenset(word[i : i + 3] for i in range(len(word) - 2))), len(kinds))
        for word in words
    ]
    batch = AB.encode_batch(words)
    for dfa, classes in some_members():
        share = np.bincount(kind, weights=dfa.accepts_batch(batch)) / np.bincount(kind)
        assert ("locally testable" in classes) == bool(np.all((share == 0) | (share == 1)))


def test_commutative_classes_are_what_numbers_of_letters_tell():
    """Over words up to length 10: by the numbers of a and b counted to a threshold, or modulo the lcm of 1..3."""
    words = all_words(AB, 10)
    batch = AB.encode_batch(words)
    counts = [(word.count("a"), word.count("b")) for word in words]
    readings = {
        "semilattice": lambda n: min(n, 1),
        "commutative aperiodic": lambda n: min(n, 3),
        "commutative group": lambda n: n % 6,
    }
    for name, reading in readings.items():
        kinds: dict[object, int] = {}
        kind = [kinds.setdefault((reading(m), reading(n)), len(kinds)) for m, n in counts]
        for dfa, classes in some_members():
            share = np.bincount(kind, weights=dfa.accepts_batch(batch)) / np.bincount(kind)
            assert (name in classes) == bool(np.all((share == 0) | (share == 1))), (name, dfa)


@pytest.mark.parametrize("pattern", ["c*a.*", ".*ac*"])
def test_local_monoids_of_idempotents_that_do_not_commute(pattern):
    """The letter c is neutral, so S = {c, a, b} is its own local monoid: c with two left zeros, or right zeros."""
    dfa = regex_to_dfa(pattern, ABC)
    assert_decided_as_by_evaluation(dfa, table_of(dfa))
    found = VARIETIES["locally testable"].violation(syntactic_semigroup(dfa))
    assert dict(found.assignment) == {"e": "c", "x": "a", "y": "b"}


def test_h11_nested_star():
    classes = set(members(regex_to_dfa("(ab*)*", AB)))
    assert "reverse definite" in classes
    assert "definite" not in classes


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        (".*a", {"definite", "L-trivial", "locally testable"}, {"R-trivial", "reverse definite"}),
        ("a.*", {"reverse definite", "R-trivial", "locally testable"}, {"L-trivial", "definite"}),
    ],
)
def test_h24_one_letter_at_an_end(pattern, inside, outside):
    classes = set(members(regex_to_dfa(pattern, AB)))
    assert inside <= classes
    assert not outside & classes


def test_h25_two_as():
    classes = set(members(regex_to_dfa("aa", Alphabet.of("a"))))
    assert {"finite or cofinite", "definite", "reverse definite"} <= classes
    assert "semilattice" not in classes


def test_h26_trivial_languages_are_in_every_class():
    for accept in (False, True):
        assert members(DFA(AB, [[0, 0]], 0, [accept])) == CLASSES
        assert members(DFA(Alphabet.of(""), [[]], 0, [accept])) == CLASSES


@pytest.mark.parametrize(
    ("pattern", "letters", "inside", "outside"),
    [
        ("(ab)*", "ab", {"locally testable", "quasi-R-trivial"}, {"R-trivial", "FO2[<]", "group"}),
        (".*ab.*", "ab", {"piecewise testable"}, {"definite"}),
        (".*ab.*", "abc", {"locally testable"}, {"FO2[<]"}),
        (".*a.*b.*", "abc", {"piecewise testable"}, {"locally threshold testable"}),
        (".*a.*a.*", "ab", {"locally threshold testable", "commutative aperiodic"}, {"locally testable"}),
        ("a.*b", "ab", {"generalised definite"}, {"R-trivial", "L-trivial"}),
        ("(aa)*", "a", {"commutative group", "quasi-aperiodic", "quasi-definite", "quasi-R-trivial"}, {"star-free"}),
        ("(b*ab*a)*b*", "ab", {"commutative group"}, {"quasi-aperiodic"}),
        ("(a(ab)*b)*", "ab", {"star-free"}, {"FO2[<,+1]", "dot-depth one", "locally R-trivial"}),
    ],
)
def test_known_languages(pattern, letters, inside, outside):
    classes = set(members(regex_to_dfa(pattern, Alphabet.of(letters))))
    assert inside <= classes
    assert not outside & classes


def test_dot_depth_two_though_every_local_monoid_is_j_trivial():
    """Walks between two places, kept apart by c and d, that go there by a and back by a, then there by a and back by b,
    then there by b and back by b. Seen from either place alone the language is piecewise testable."""
    dfa = regex_to_dfa("c+(ad+ac+)*ad+bc+(bd+bc+)*", Alphabet.of("abcd"))
    classes = set(members(dfa))
    assert "locally J-trivial" in classes
    assert "dot-depth one" not in classes
    found = VARIETIES["dot-depth one"].violation(syntactic_semigroup(dfa))
    assert found.check(dfa) is None
    assert (dict(found.assignment)["e"], dict(found.assignment)["f"]) == ("c", "d")


def test_evidence_in_shortest_words():
    """Ends with a: ab and ba generate one right ideal; y = a moves the state that (ba)^w leaves."""
    syntactic = syntactic_semigroup(regex_to_dfa(".*a", AB))
    found = VARIETIES["R-trivial"].violation(syntactic)
    assert dict(found.assignment) == {"x": "b", "y": "a"}
    assert (found.exponent, found.left, found.right) == (1, "bab", "ba")
    assert VARIETIES["reverse definite"].violation(syntactic).check(syntactic.dfa) is None


def test_evidence_against_a_long_cycle():
    """A cycle of 1,000 states: one group, no omega power but the identity."""
    n = 1000
    states = np.arange(n)
    cycle = minimize(DFA(Alphabet.of("a"), ((states + 1) % n)[:, None], 0, states == 0))
    found = VARIETIES["star-free"].violation(syntactic_semigroup(cycle))
    assert (dict(found.assignment), found.exponent) == ({"x": "a"}, n)
    assert found.check(cycle) is None


def test_large_monoids_are_decided_without_tables():
    """Order-preserving, extensive maps on 8 points, generated by 7 steps: J-trivial, and noncommutative locally."""
    steps = np.array([[j + 1 if j == i else j for i in range(7)] for j in range(8)])
    dfa = DFA(Alphabet.of("abcdefg"), steps, 0, np.arange(8) == 7)
    syntactic = syntactic_semigroup(dfa)
    assert syntactic.monoid_size == 1430  # the eighth Catalan number
    classes = set(members(dfa))
    assert {"piecewise testable", "dot-depth one"} <= classes
    assert not classes & {"locally threshold testable", "semilattice", "definite"}
    for small, large in pairwise(["piecewise testable", "R-trivial", "FO2[<]", "star-free"]):
        assert {small, large} <= classes
