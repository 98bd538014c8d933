"""Verdicts and classifications: the table of known languages, evidence, limits, and a published benchmark."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.att_format import from_att
from automata.catalogue import language
from automata.dfa import DFA
from automata.equivalence import is_finite
from automata.errors import ToolkitError
from automata.minimize import minimize
from automata.operations import complement
from automata.regex import regex_to_dfa
from ltl.compile import formula_to_dfa
from ltl.formula import Letter, Past
from ltl.fragment import LTL_P, LTL_P_MOD, LTL_PY, LTL_S, LTL_Y
from ltl.syntax import parse_formula
from semigroups.certificate import Definition
from semigroups.classify import FRAGMENTS, Membership, classify, fragments
from semigroups.decide import decide
from semigroups.hierarchy import HIERARCHY
from semigroups.syntactic import syntactic_semigroup
from semigroups.variety import VARIETIES
from semigroups.verdict import Verdict
from tests.strategies import AB, ABC, dfas, small_minimal_dfas

FACTS = tomllib.loads(Path(__file__).with_name("golden.toml").read_text(encoding="utf-8"))["language"]
KNOWN = [fact for fact in FACTS if "classes" in fact]


@pytest.mark.parametrize("fact", KNOWN, ids=lambda fact: f"{fact['name']}-{len(fact['alphabet'])}")
def test_known_languages(fact):
    dfa = language(fact["name"], Alphabet.of(fact["alphabet"])).dfa
    found = classify(dfa)
    classes = fact["classes"]
    assert {fragment.name: found.verdict(fragment).holds for fragment in FRAGMENTS} == {
        fragment.name: classes[fragment.name] for fragment in FRAGMENTS
    }
    assert found.membership("star-free").holds == classes["star-free"]
    assert found.membership("locally testable").holds == classes["locally-testable"]
    if "LTL[P,MOD]" in classes:
        assert found.verdict(LTL_P_MOD).holds == classes["LTL[P,MOD]"]
    for verdict in found.verdicts:
        assert verdict.certificate.check(dfa) is None
        assert isinstance(verdict.certificate, Definition) == verdict.holds
    for membership in found.memberships:
        assert (membership.evidence is None) == membership.holds
        if membership.evidence is not None:
            assert membership.evidence.check(dfa) is None


@given(dfas(max_states=5))
def test_both_routes_agree(dfa):
    """What is decided on the automaton and by equations on the semigroup: fragments, orders, classes."""
    found = classify(dfa, certify=False, windows=())
    by_name = {verdict.fragment.name: verdict.holds for verdict in found.verdicts}
    same = {name: row.fragment for name, row in VARIETIES.items() if row.fragment in by_name}
    assert len(same) == 6
    for name, fragment in same.items():
        assert by_name[fragment] == found.membership(name).holds
    for order in found.orders:
        assert (order.least is not None) == found.membership(order.name).holds
    assert found.membership("finite or cofinite").holds == (is_finite(dfa) or is_finite(complement(dfa)))
    syntactic = syntactic_semigroup(dfa)
    assert (found.semigroup_size, found.monoid_size) == (len(syntactic), syntactic.monoid_size)


def test_a_verdict_is_not_a_truth_value():
    with pytest.raises(TypeError, match="holds"):
        bool(Verdict(LTL_P, True))
    with pytest.raises(TypeError, match="holds"):
        bool(Membership("star-free", True))


def test_automata_need_not_be_minimal():
    doubled = DFA(AB, [[1, 2], [1, 2], [3, 0], [1, 2]], 0, [False, True, False, True])
    assert classify(doubled) == classify(minimize(doubled))
    assert classify(doubled).dfa.n_states == 2
    assert decide(doubled, LTL_Y).certificate.check(doubled) is None


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
def test_certificates_are_only_made_when_asked_for(fragment):
    for dfa in small_minimal_dfas(AB, 2):
        bare = decide(dfa, fragment, certify=False)
        assert bare.certificate is None
        assert bare.holds == decide(dfa, fragment).holds


def test_other_fragments_are_refused():
    with pytest.raises(ToolkitError, match="LTL\\[S\\]"):
        decide(DFA(AB, [[0, 0]], 0, [True]), LTL_S)


def wide(degree: int) -> DFA:
    """An automaton whose words act as all transformations of its states: a cycle, a swap and a merge."""
    states = np.arange(degree)
    cycle, swap, merge = np.roll(states, -1), states.copy(), states.copy()
    swap[:2], merge[:2] = [1, 0], [0, 0]
    return DFA(ABC, np.stack([cycle, swap, merge], axis=1), 0, states == 0)


def test_a_large_semigroup_leaves_the_automaton_s_verdicts():
    found = classify(wide(30), max_elements=1000)
    assert not any(verdict.holds for verdict in found.verdicts)
    assert all(verdict.certificate.check(wide(30)) is None for verdict in found.verdicts)
    assert found.membership("star-free").holds is None
    assert found.membership("locally testable").holds is False
    assert (found.semigroup_size, found.monoid_size) == (None, None)
    for membership in found.memberships:
        if membership.name in VARIETIES or membership.holds is None:
            assert membership.bound == "not computed: monoid larger than 1,000 (--max-elements)"
    assert found.membership("strictly local").holds is False
    json.dumps(found.to_dict())


def assert_implied_rightly(dfa: DFA) -> None:
    known = classify(dfa, certify=False, windows=())
    for implied in classify(dfa, certify=False, windows=(), max_elements=0).memberships:
        assert implied.holds in (None, known.membership(implied.name).holds)


@given(dfas(max_states=4))
def test_what_verdicts_imply_about_varieties_is_so(dfa):
    assert_implied_rightly(dfa)


def test_what_verdicts_imply_about_known_languages_is_so():
    for fact in KNOWN:
        assert_implied_rightly(language(fact["name"], Alphabet.of(fact["alphabet"])).dfa)


def test_definite_languages_with_large_semigroups_are_locally_testable_and_star_free():
    """The letter nine before the end: 512 states, and as many and more elements."""
    nine = regex_to_dfa(".*a.{8}", AB)
    found = classify(nine, certify=False, windows=(), max_elements=100)
    assert {m.name for m in found.memberships if m.holds} >= {"definite", "locally testable", "star-free"}
    assert found.order("definite").least == 9
    assert found.order("locally testable").bound == "not computed: monoid larger than 100 (--max-elements)"


def test_a_limit_on_pairs_leaves_the_verdict_open():
    verdict = decide(regex_to_dfa("(ab)*", AB), LTL_PY, max_pairs=0)
    assert (verdict.holds, verdict.certificate) == (None, None)
    assert "raise max_pairs" in verdict.bound
    assert verdict.to_dict() == {"holds": None, "certificate": None, "bound": verdict.bound}


def test_a_limit_on_the_synthesis_leaves_a_yes_without_formula():
    verdict = decide(regex_to_dfa(".*a.{4}", AB), LTL_Y, max_cases=3)
    assert (verdict.holds, verdict.certificate) == (True, None)
    assert "raise max_cases" in verdict.bound


def test_plain_data():
    contains_ab = classify(regex_to_dfa(".*ab.*", ABC))
    plain = contains_ab.to_dict()
    assert plain["alphabet"] == ["a", "b", "c"]
    assert plain["states"] == 3
    assert list(plain["fragments"]) == [fragment.name for fragment in fragments((2, 3, 4))]
    holds = {name: entry["holds"] for name, entry in plain["fragments"].items()}
    assert [holds[name] for name in ("LTL[P]", "LTL[Y]", "LTL[P,Y]", "LTL[P,Y,MOD]")] == [False, False, True, True]
    assert plain["fragments"]["LTL[P,Y]"]["certificate"]["kind"] == "formula"
    assert [pair["n"] for pair in plain["fragments"]["LTL[P]"]["certificate"]["pairs"]][:2] == [1, 2]
    assert list(plain["varieties"]) == [*VARIETIES, *HIERARCHY]
    assert (plain["varieties"]["star-free"], plain["varieties"]["locally testable"]) == (True, True)
    assert set(plain["violations"]) == {name for name, holds in plain["varieties"].items() if not holds}
    assert (plain["orders"]["definite"], plain["orders"]["locally testable"], plain["bounds"]) == (None, 2, {})
    assert (plain["circuit class"], plain["circuit evidence"]) == ("AC0", None)
    assert json.loads(json.dumps(plain)) == plain


def test_plain_data_of_longer_letters():
    plain = classify(language("rdp-1").dfa).to_dict()
    assert plain["alphabet"] == ["a", "b0", "b1"]
    assert isinstance(plain["fragments"]["LTL[P]"]["certificate"]["pairs"][0]["inside"], list)
    assert json.loads(json.dumps(plain)) == plain


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        (".*a", {"star-free", "L-trivial", "definite", "locally testable"}, {"R-trivial", "reverse definite"}),
        (".*a.*", {"star-free", "R-trivial", "FO2[<]", "locally R-trivial"}, {"definite", "generalised definite"}),
        ("(a(ab)*b)*", {"quasi-locally R-trivial"}, {"R-trivial", "locally testable", "locally R-trivial"}),
    ],
)
def test_what_the_fragments_imply_where_the_semigroup_is_too_large(text, inside, outside):
    """By inclusion of classes alone: definite, in LTL[P], and in none of the three fragments."""
    found = classify(regex_to_dfa(text, AB), windows=(), max_elements=1)
    assert {m.name for m in found.memberships if m.holds is True} >= inside
    assert {m.name for m in found.memberships if m.holds is False} >= outside


def test_a_fragment_left_open_for_a_limit_is_answered_by_the_semigroup():
    abc = Alphabet.of("abc")
    for text, expected in (("(abc)*", True), ("(aabcabbc)*", True), ("(abcabc)*", False)):
        dfa = regex_to_dfa(text, abc)
        assert decide(dfa, LTL_PY).holds is expected
        verdict = classify(dfa, windows=(), max_pairs=1).verdict(LTL_PY)
        assert (verdict.holds, verdict.certificate is None) == (expected, expected)
    undecided = classify(regex_to_dfa("(abc)*", abc), windows=(), max_pairs=1, max_elements=1).verdict(LTL_PY)
    assert undecided.holds is None
    assert "max_pairs" in undecided.bound


def test_h02_an_implication_between_past_formulas_is_piecewise_testable():
    abc = Alphabet.of("abc")
    found = classify(formula_to_dfa(parse_formula("P a -> P b", abc), abc))
    assert (found.dfa.n_states, found.semigroup_size, found.monoid_size) == (3, 3, 3)
    assert found.membership("piecewise testable").holds


@pytest.mark.parametrize("n", [3, 50])
def test_h09_counting_from_the_first_a_is_r_trivial_and_j_trivial(n):
    formula = Letter("a")
    for _ in range(n):
        formula = Past(formula)
    found = classify(formula_to_dfa(formula, AB))
    assert found.dfa.n_states == n + 1
    assert found.membership("R-trivial").holds
    assert found.membership("piecewise testable").holds


def test_h11_nested_star():
    found = classify(regex_to_dfa("(ab*)*", AB))
    assert (found.dfa.n_states, found.semigroup_size, found.monoid_size) == (3, 2, 3)
    assert found.membership("reverse definite").holds
    assert found.verdict(LTL_Y).holds is False
    assert found.verdict(LTL_P).holds is True


@pytest.mark.parametrize("accept", [False, True])
@pytest.mark.parametrize("letters", ["", "a", "ab"])
def test_h26_trivial_languages_are_in_every_class(letters, accept):
    found = classify(DFA(Alphabet.of(letters), [[0] * len(letters)], 0, [accept]))
    assert all(verdict.holds for verdict in found.verdicts)
    assert all(verdict.certificate.check(found.dfa) is None for verdict in found.verdicts)
    assert all(membership.holds for membership in found.memberships)
    assert (found.semigroup_size, found.monoid_size) == (min(1, len(letters)), 1)
    assert found.order("definite").least == 0


def test_h14_a_union_of_loops_is_not_star_free():
    found = classify(regex_to_dfa("(cd(abcde)*)|(a(aaa)*)", Alphabet.of("abcde")))
    assert found.dfa.n_states == 11
    assert found.membership("star-free").holds is False


def test_h15_sizes():
    delta = [[0, 0], [3, 0], [4, 0], [4, 1], [3, 2]]
    found = classify(DFA(Alphabet.of("01"), delta, 3, [False, True, False, False, True]))
    assert (found.dfa.n_states, found.semigroup_size, found.monoid_size) == (5, 9, 10)
    assert found.membership("star-free").holds is False


# Three automata of MLRegTest (van der Poel et al., arXiv 2304.07687, CC BY 4.0): arcs, final states, the published
# size of the syntactic monoid, and the class by construction.
MLREGTEST = {
    "04.04.SF.0.0.2": ("30a 30b 33c 33d 00c 00d 01a 10b 11c 11d 12a 21b 22c 22d", "0", 5, 24, "star-free"),
    "04.04.SP.2.1.0": ("00b 00d 01c 02a 11b 11c 13a 22a 22d 23c 33a 33c", "0123", 5, 17, "piecewise testable"),
    "04.04.Zp.3.1.2": ("00a 00b 00d 01c 11a 11b 11d 12c 20c 22a 22b 22d", "0", 3, 3, None),
}


@pytest.mark.parametrize("name", MLREGTEST)
def test_a_published_benchmark(name):
    arcs, final, states, monoid_size, variety = MLREGTEST[name]
    lines = ["\t".join([p, q, a, a]) for p, q, a in arcs.split()] + list(final)
    found = classify(from_att("\n".join(lines), Alphabet.of("abcd")))
    assert (found.dfa.n_states, found.monoid_size) == (states, monoid_size)
    if variety is None:
        assert not found.membership("star-free").holds
    else:
        assert found.membership(variety).holds


def test_what_a_classification_does_not_hold_is_named():
    found = classify(DFA(AB, [[0, 0]], 0, [True]), certify=False)
    with pytest.raises(ToolkitError, match=r"verdicts on LTL\[P\], LTL\[Y\], .*, not on LTL\[S\]"):
        found.verdict(LTL_S)
    with pytest.raises(ToolkitError, match="no class named 'star free'; there are star-free, "):
        found.membership("star free")
