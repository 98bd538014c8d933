from __future__ import annotations

import json
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from automata.alphabet import Alphabet, Word
from automata.dfa import DFA
from automata.errors import ToolkitError
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from ltl.compile import formula_to_dfa
from ltl.depth_types import same_type
from ltl.formula import Formula, Letter, Not, Yesterday, depth, yesterday_power
from ltl.fragment import LTL_P, LTL_PY, LTL_S, LTL_Y, Fragment, fragment_of
from ltl.semantics import holds_batch
from ltl.syntax import parse_formula
from semigroups.certificate import Definition, PumpingFamily, read_certificate
from semigroups.classify import fragments
from semigroups.decide import decide
from semigroups.forbidden import forbidden_pattern
from semigroups.pumping import pumping_family
from tests.strategies import AB, ABC, all_words, dfas, formulas, small_minimal_dfas, words

FRAGMENTS = [LTL_P, LTL_Y, LTL_PY]
FAMILY_WORDS = [field.name for field in fields(PumpingFamily)[2:]]
ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
DYCK_2 = DFA(AB, [[1, 2], [3, 0], [2, 2], [2, 1]], 0, [True, False, False, False])


def families(fragment: Fragment, max_states: int = 5) -> st.SearchStrategy[tuple[DFA, PumpingFamily]]:
    """Draw minimal automata outside the fragment with their families."""
    minimal = dfas(AB, max_states=max_states).map(minimize)
    outside = minimal.map(lambda dfa: (dfa, forbidden_pattern(dfa, fragment))).filter(lambda pair: pair[1] is not None)
    return outside.map(lambda pair: (pair[0], pumping_family(pair[1])))  # type: ignore[arg-type]


def is_true(family: PumpingFamily, dfa: DFA) -> bool:
    """Judge a well-formed family by the definition of its loops."""

    def ends(*parts: Word | None) -> int:
        return dfa.run("".join(str(part or "") for part in parts))[-1]

    s, t, u, x, y, z = (
        getattr(family, name) for name in ("access", "other_access", "loop", "there", "back", "separating")
    )
    p = ends(s)
    q = ends(t) if family.fragment == LTL_Y else ends(s, x)
    to_q = t if family.fragment == LTL_Y else s + x
    if not (dfa.accept[ends(s, z)] and not dfa.accept[ends(to_q, z)]):
        return False
    if family.fragment != LTL_Y and ends(s, x, y) != p:
        return False
    return family.fragment == LTL_P or (bool(u) and ends(s, u) == p and ends(to_q, u) == q)


# Definitions.


@given(formulas(AB), st.sampled_from([*FRAGMENTS, LTL_S]), dfas(AB, max_states=3))
def test_definitions_hold_iff_fragment_and_all_short_words_agree(
    formula: Formula, fragment: Fragment, dfa: DFA
) -> None:
    fault = Definition(fragment, formula).check(dfa)
    if fault is None:
        assert fragment_of(formula) <= fragment
    else:
        assert isinstance(fault, str)
    sample = all_words(AB, 7)
    disagree = holds_batch(formula, sample, AB) != dfa.accepts_batch(sample)
    if disagree.any():
        assert fault is not None
        if fragment_of(formula) <= fragment:  # then the fault names the first word in length-lexicographic order
            assert f" accepts {AB.show(sample[int(disagree.argmax())])}, " in fault


@given(formulas(AB))
def test_definitions_of_their_own_language_hold(formula: Formula) -> None:
    dfa = formula_to_dfa(formula, AB)
    assert Definition(fragment_of(formula), formula).check(dfa) is None
    assert Definition(LTL_S, Not(formula)).check(dfa) is not None


@pytest.mark.parametrize(
    ("text", "fragment", "fault"),
    [
        ("Y a", LTL_Y, None),
        ("!Y !a & Y true", LTL_Y, None),
        ("Y a", LTL_PY, None),
        ("Y a", LTL_P, "the formula is in LTL[Y], not in LTL[P]"),
        ("Y a | P (a & b)", LTL_Y, "the formula is in LTL[P,Y], not in LTL[Y]"),
        ("Y b", LTL_Y, "the automaton accepts a, the formula does not"),
        ("!Y b", LTL_Y, "the formula accepts ε, the automaton does not"),
        ("Y c", LTL_Y, "the formula does not fit the automaton: unknown letter 'c'; the alphabet is {a, b}"),
    ],
)
def test_each_fault_of_a_definition_is_named(text: str, fragment: Fragment, fault: str | None) -> None:
    assert Definition(fragment, parse_formula(text)).check(ENDS_WITH_A) == fault


# Pumping families.


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
@given(data=st.data())
def test_families_of_patterns_hold_and_grow(fragment: Fragment, data: st.DataObject) -> None:
    dfa, family = data.draw(families(fragment))
    assert family.check(dfa) is None
    assert is_true(family, dfa)
    lengths = [[len(word) for word in family.pair(n)] for n in range(1, 8)]
    assert all(b > a for column in zip(*lengths, strict=True) for a, b in pairwise(column))
    for n in range(1, 8):
        inside, outside = family.pair(n)
        assert dfa.accepts(inside)
        assert not dfa.accepts(outside)


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
@pytest.mark.parametrize("name", FAMILY_WORDS)
@given(data=st.data())
def test_a_family_with_one_word_changed_is_refused_unless_still_true(
    fragment: Fragment, name: str, data: st.DataObject
) -> None:
    dfa, family = data.draw(families(fragment))
    word = data.draw(words(AB, 4) | st.none())
    assume(word != getattr(family, name))
    changed = replace(family, **{name: word})
    if (word is None) != (getattr(family, name) is None):
        assert changed.check(dfa) == f"a family for {fragment.name} {'needs' if word is None else 'has no'} {name} word"
        with pytest.raises(ToolkitError, match=name):
            changed.pair(1)
    else:
        assert (changed.check(dfa) is None) == is_true(changed, dfa)


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
@given(data=st.data())
def test_a_family_is_refused_on_another_language(fragment: Fragment, data: st.DataObject) -> None:
    dfa, family = data.draw(families(fragment))
    other = data.draw(dfas(AB, max_states=5).map(minimize))
    assert (family.check(other) is None) == is_true(family, other)
    flipped = DFA(AB, dfa.delta, dfa.start, ~dfa.accept)
    assert family.check(flipped) == "the word access separating is rejected"


@given(families(LTL_P))
def test_a_family_for_a_small_fragment_is_no_family_for_a_larger_one(case: tuple[DFA, PumpingFamily]) -> None:
    dfa, family = case
    assert replace(family, fragment=LTL_PY).check(dfa) == "a family for LTL[P,Y] needs loop word"
    assert (
        replace(family, fragment=LTL_S).check(dfa)
        == "pumping families are for LTL[P], LTL[Y] and LTL[P,Y], not for LTL[S]"
    )


GLOBAL = PumpingFamily(LTL_P, AB, access="a", separating="", there="b", back="a")
LOCAL = PumpingFamily(LTL_Y, AB, access="b", separating="", other_access="", loop="a")  # for "contains b"
HYBRID = PumpingFamily(LTL_PY, AB, access="", separating="", loop="ab", there="a", back="b")  # Dyck words of depth 2
CONTAINS_B = DFA(AB, [[0, 1], [1, 1]], 0, [False, True])


@pytest.mark.parametrize(
    ("family", "dfa", "fault"),
    [
        (GLOBAL, ENDS_WITH_A, None),
        (LOCAL, CONTAINS_B, None),
        (HYBRID, DYCK_2, None),
        (replace(GLOBAL, access="b"), ENDS_WITH_A, "the word access separating is rejected"),
        (replace(GLOBAL, there="ba"), ENDS_WITH_A, "the second state accepts after the separating word"),
        (replace(GLOBAL, back="b"), ENDS_WITH_A, "the back word does not lead the second state to the first"),
        (replace(LOCAL, loop="b"), CONTAINS_B, "the loop word does not fix the second state"),
        (replace(LOCAL, loop=""), CONTAINS_B, "the loop word is empty"),
        (replace(HYBRID, loop="ba"), DYCK_2, "the loop word does not fix the first state"),
        (replace(HYBRID, loop="aabb"), DYCK_2, "the loop word does not fix the second state"),
        (
            replace(GLOBAL, access="c"),
            ENDS_WITH_A,
            "the access word: unknown letter 'c' at position 1; the alphabet is {a, b}",
        ),
        (
            replace(GLOBAL, access=("a",)),
            ENDS_WITH_A,
            "the access word ('a',) is not written as words over this alphabet are",
        ),
        (replace(GLOBAL, alphabet=Alphabet.of("abc")), ENDS_WITH_A, None),
    ],
)
def test_each_fault_of_a_family_is_named(family: PumpingFamily, dfa: DFA, fault: str | None) -> None:
    if family.alphabet != dfa.alphabet:
        fault = "the family is over ('a', 'b', 'c'), the automaton over ('a', 'b')"
    assert family.check(dfa) == fault


def test_pairs_are_the_published_words() -> None:
    assert [GLOBAL.pair(n) for n in (1, 2)] == [("aba", "abab"), ("ababa", "ababab")]
    assert LOCAL.pair(3) == ("baaa", "aaa")
    # n = 2: v = ab has two letters already; n = 3 takes v = abab.
    assert HYBRID.pair(2) == ("abaabb" * 2 + "ab", "abaabb" * 2 + "abaab")
    assert HYBRID.pair(3)[0] == ("ababaababb") * 3 + "abab"
    for n in (0, -1):
        with pytest.raises(ToolkitError, match="numbered from 1"):
            GLOBAL.pair(n)


def test_the_check_works_on_automata_that_are_not_minimal() -> None:
    doubled = DFA(AB, [[3, 2], [1, 0], [1, 2], [1, 0]], 0, [False, True, False, True])
    assert minimize(doubled) == ENDS_WITH_A
    assert GLOBAL.check(doubled) is None


def test_one_power_of_the_loop_less_is_told_apart() -> None:
    # The hybrid family takes v = u^m with at least n letters. Over all small automata there are some for which
    # fewer letters are too few, for each n: the bound is tight.
    for n in (1, 2, 3):
        told_apart = 0
        for dfa in small_minimal_dfas(AB, 3):
            pattern = forbidden_pattern(dfa, LTL_PY)
            if pattern is None or len(str(pattern.loop)) > 1:
                continue
            family = pumping_family(pattern)
            v, s, z = str(family.loop) * (n - 1), family.access, family.separating
            x, y = str(family.there), str(family.back)
            stem = str(s) + (v + x + v + y) * n + v
            told_apart += not same_type(stem + str(z), stem + x + v + str(z), LTL_PY, n, AB)
        assert told_apart > 0


def test_depth_types_are_compared_and_can_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    # The proof promises equal types for every family with true loops, so only a broken promise shows this fault.
    monkeypatch.setattr("semigroups.certificate.same_type", lambda u, v, fragment, n, alphabet: n < 3)
    assert GLOBAL.check(ENDS_WITH_A) == "a formula of LTL[P] of depth 3 tells pair 3 apart"
    assert GLOBAL.check(ENDS_WITH_A, max_depth=2) is None


def test_pairs_are_read_by_the_automaton_and_can_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # True loops give true pairs, so only a wrong way of spelling pairs shows these faults.
    monkeypatch.setattr(PumpingFamily, "pair", lambda family, n: ("b", "b"))
    assert GLOBAL.check(ENDS_WITH_A) == "the automaton rejects the word inside of pair 1"
    monkeypatch.setattr(PumpingFamily, "pair", lambda family, n: ("a", "a"))
    assert GLOBAL.check(ENDS_WITH_A) == "the automaton accepts the word outside of pair 1"


# Plain data.


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
@given(data=st.data())
def test_families_come_back_from_json(fragment: Fragment, data: st.DataObject) -> None:
    _, family = data.draw(families(fragment))
    plain = json.loads(json.dumps(family.to_dict()))
    assert plain["kind"] == "pumping"
    assert [(pair["n"], pair["inside"], pair["outside"]) for pair in plain["pairs"]] == [
        (n, *family.pair(n)) for n in (1, 2, 3, 4)
    ]
    assert read_certificate(plain, fragment, AB) == family


@given(formulas(AB))
def test_definitions_come_back_from_json(formula: Formula) -> None:
    certificate = Definition(LTL_S, formula)
    plain = json.loads(json.dumps(certificate.to_dict()))
    assert plain["kind"] == "formula"
    assert plain["depth"] == depth(formula)
    assert read_certificate(plain, LTL_S, AB) == certificate


def test_words_over_longer_letters_are_lists() -> None:
    alphabet = Alphabet(("a", "b0"))
    family = PumpingFamily(LTL_P, alphabet, access=("a",), separating=(), there=("b0",), back=("a",))
    dfa = DFA(alphabet, [[1, 0], [1, 0]], 0, [False, True])
    assert family.check(dfa) is None
    plain = json.loads(json.dumps(family.to_dict()))
    assert plain["pairs"][0] == {"n": 1, "inside": ["a", "b0", "a"], "outside": ["a", "b0", "a", "b0"]}
    assert read_certificate(plain, LTL_P, alphabet) == family
    with pytest.raises(ToolkitError, match="'access' must be a list of letters, not 'a'"):
        read_certificate({**plain, "access": "a"}, LTL_P, alphabet)


def test_formulas_of_great_depth_come_back() -> None:
    formula = yesterday_power(Letter("a"), 3000)
    certificate = Definition(LTL_Y, formula)
    assert read_certificate(certificate.to_dict(), LTL_Y, AB) == certificate


FORMULA_DATA = Definition(LTL_Y, Yesterday(Not(Letter("a")))).to_dict()
FAMILY_DATA = HYBRID.to_dict()


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([], "a certificate is an object with a key 'kind'"),
        ({}, "'window pumping' or 'modular pumping', not None"),
        ({**FORMULA_DATA, "kind": "proof"}, "'window pumping' or 'modular pumping', not 'proof'"),
        ({**FORMULA_DATA, "formula": 3}, "'formula' must be a string, not 3"),
        ({**FORMULA_DATA, "formula": "Y ("}, "column"),
        ({**FORMULA_DATA, "formula": "Y c"}, "c"),
        ({**FORMULA_DATA, "depth": 2}, "'depth' does not agree with the rest: expected 1"),
        ({**FORMULA_DATA, "size": 1}, "'size' does not agree with the rest: expected 3"),
        ({"kind": "formula", "formula": "Y !a", "size": 3}, "'depth' is missing"),
        ({**FORMULA_DATA, "note": 1}, "'note' is unknown"),
        ({**FAMILY_DATA, "loop": 1}, "'loop' must be a string, not 1"),
        ({**FAMILY_DATA, "loop": "c"}, "unknown letter 'c'"),
        ({**FAMILY_DATA, "loop": "abab"}, "'pairs' does not agree with the rest"),
        ({**FAMILY_DATA, "loop": ""}, "the loop word is empty"),
        ({**FAMILY_DATA, "pairs": FAMILY_DATA["pairs"][:3]}, "'pairs' does not agree with the rest"),
        ({key: value for key, value in FAMILY_DATA.items() if key != "access"}, "'access' is missing"),
        ({key: value for key, value in FAMILY_DATA.items() if key != "loop"}, "needs loop word"),
        ({key: value for key, value in FAMILY_DATA.items() if key != "pairs"}, "'pairs' is missing"),
    ],
)
def test_malformed_certificates_are_refused(data: Any, problem: str) -> None:
    with pytest.raises(ToolkitError) as error:
        read_certificate(data, LTL_PY if "loop" in data else LTL_Y if "depth" in data else LTL_PY, AB)
    assert problem in str(error.value)


@pytest.mark.parametrize("fragment", fragments((2, 3)), ids=lambda fragment: fragment.name)
@pytest.mark.parametrize("text", [".*a", ".*ab.*", "(ab)*", "(a(ab)*b)*", "(aa)*", "a.*", "(a|b|cc)*"])
def test_the_certificates_of_all_fragments_are_read_back(text, fragment):
    dfa = regex_to_dfa(text, ABC)
    certificate = decide(dfa, fragment).certificate
    again = read_certificate(json.loads(json.dumps(certificate.to_dict())), fragment, ABC)
    assert again == certificate
    assert again.check(dfa) is None
