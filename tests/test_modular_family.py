from __future__ import annotations

import json
from dataclasses import fields, replace
from math import lcm
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from automata.alphabet import Alphabet, Word
from automata.dfa import DFA
from automata.errors import ToolkitError
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from ltl.depth_types import same_type
from ltl.fragment import LTL_P, LTL_P_MOD, LTL_PY_MOD, LTL_Y_MOD, Fragment
from semigroups.modular_family import ModularFamily, modulus_of_pair, read_modular_family
from semigroups.modular_pattern import modular_family
from tests.strategies import AB, dfas, words

FRAGMENTS = [LTL_P_MOD, LTL_Y_MOD, LTL_PY_MOD]
FAMILY_WORDS = [field.name for field in fields(ModularFamily)[2:]]
ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
CONTAINS_B = DFA(AB, [[0, 1], [1, 1]], 0, [False, True])
EVEN_B = DFA(AB, [[0, 1], [1, 0]], 0, [True, False])

each_fragment = pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)


def families(fragment: Fragment, max_states: int = 5) -> st.SearchStrategy[tuple[DFA, ModularFamily]]:
    """Draw minimal automata outside the fragment with their families."""
    minimal = dfas(AB, max_states=max_states).map(minimize)
    outside = minimal.map(lambda dfa: (dfa, modular_family(dfa, fragment))).filter(lambda pair: pair[1] is not None)
    return outside.map(lambda pair: (pair[0], pair[1]))  # type: ignore[return-value, arg-type]


def is_true(family: ModularFamily, dfa: DFA) -> bool:
    """Judge a well-formed family by the definition of its words."""

    def ends(*parts: Word | None) -> int:
        return dfa.run("".join(str(part or "") for part in parts))[-1]

    s, t, u, x, y, z = (
        str(getattr(family, name) or "") for name in ("access", "other_access", "loop", "there", "back", "separating")
    )
    to_q = t if family.fragment == LTL_Y_MOD else s + x
    p, q = ends(s), ends(to_q)
    if not u or ends(s, u) != p or not dfa.accept[ends(s, z)] or dfa.accept[ends(to_q, z)]:
        return False
    if family.fragment != LTL_P_MOD and ends(to_q, u) != q:
        return False
    if family.fragment == LTL_Y_MOD:
        return len(s) == len(t)
    return ends(s, x, y) == p and len(x) % len(u) == 0 and len(y) % len(u) == 0


@each_fragment
@given(data=st.data())
def test_families_of_patterns_hold(fragment: Fragment, data: st.DataObject) -> None:
    dfa, family = data.draw(families(fragment))
    assert family.check(dfa, max_depth=2) is None
    assert is_true(family, dfa)
    for n in range(1, 6):
        inside, outside = family.pair(n)
        assert dfa.accepts(inside)
        assert not dfa.accepts(outside)
        assert (len(inside) - len(outside)) % lcm(*range(1, n + 1)) == 0
        if fragment == LTL_Y_MOD:
            assert len(inside) == len(outside)


@each_fragment
@pytest.mark.parametrize("name", FAMILY_WORDS)
@given(data=st.data())
def test_a_family_with_one_word_changed_is_refused_unless_still_true(
    fragment: Fragment, name: str, data: st.DataObject
) -> None:
    dfa, family = data.draw(families(fragment, max_states=4))
    word = data.draw(words(AB, 4) | st.none())
    assume(word != getattr(family, name))
    changed = replace(family, **{name: word})
    if (word is None) != (getattr(family, name) is None):
        assert changed.check(dfa) == f"a family for {fragment.name} {'needs' if word is None else 'has no'} {name} word"
        with pytest.raises(ToolkitError, match=name):
            changed.pair(1)
    else:
        assert (changed.check(dfa, max_depth=1) is None) == is_true(changed, dfa)


@each_fragment
@given(data=st.data())
def test_a_family_is_refused_on_another_language(fragment: Fragment, data: st.DataObject) -> None:
    dfa, family = data.draw(families(fragment, max_states=4))
    other = data.draw(dfas(AB, max_states=5).map(minimize))
    assert (family.check(other, max_depth=1) is None) == is_true(family, other)
    flipped = DFA(AB, dfa.delta, dfa.start, ~dfa.accept)
    assert family.check(flipped) == "the word access separating is rejected"


GLOBAL = ModularFamily(LTL_P_MOD, AB, access="a", separating="", loop="a", there="b", back="a")  # ends with a
LOCAL = ModularFamily(LTL_Y_MOD, AB, access="b", separating="", loop="a", other_access="a")  # contains b
HYBRID = ModularFamily(LTL_PY_MOD, AB, access="", separating="", loop="a", there="b", back="b")  # even number of b


@pytest.mark.parametrize(
    ("family", "dfa", "fault"),
    [
        (GLOBAL, ENDS_WITH_A, None),
        (LOCAL, CONTAINS_B, None),
        (HYBRID, EVEN_B, None),
        (replace(GLOBAL, access="b"), ENDS_WITH_A, "the word access separating is rejected"),
        (replace(GLOBAL, there="ba"), ENDS_WITH_A, "the second state accepts after the separating word"),
        (replace(GLOBAL, back="b"), ENDS_WITH_A, "the back word does not lead the second state to the first"),
        (replace(GLOBAL, loop="b"), ENDS_WITH_A, "the loop word does not fix the first state"),
        (replace(GLOBAL, loop="ba"), ENDS_WITH_A, "the length 2 of the loop does not divide the 1 letters of there"),
        (
            replace(GLOBAL, loop="ba", there="bb"),
            ENDS_WITH_A,
            "the length 2 of the loop does not divide the 1 letters of back",
        ),
        (replace(GLOBAL, loop=""), ENDS_WITH_A, "the loop word is empty"),
        (replace(LOCAL, loop="b"), CONTAINS_B, "the loop word does not fix the second state"),
        (replace(LOCAL, other_access=""), CONTAINS_B, "the two access words differ in length: 1 and 0 letters"),
        (replace(HYBRID, loop="b"), EVEN_B, "the loop word does not fix the first state"),
        (replace(GLOBAL, fragment=LTL_PY_MOD), ENDS_WITH_A, "the loop word does not fix the second state"),
        (
            replace(GLOBAL, fragment=LTL_P),
            ENDS_WITH_A,
            "modular families are for LTL[P,MOD], LTL[Y,MOD] and LTL[P,Y,MOD], not for LTL[P]",
        ),
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
        (
            replace(GLOBAL, alphabet=Alphabet.of("abc")),
            ENDS_WITH_A,
            "the family is over ('a', 'b', 'c'), the automaton over ('a', 'b')",
        ),
    ],
)
def test_each_fault_of_a_family_is_named(family: ModularFamily, dfa: DFA, fault: str | None) -> None:
    assert family.check(dfa) == fault


def test_pairs_are_the_words_of_the_definition() -> None:
    assert GLOBAL.pair(1) == ("aba", "abab")
    # M = 2: X = ab, Y = aa.
    assert GLOBAL.pair(2) == ("a" + "abaa" * 2, "a" + "abaa" * 2 + "ab")
    # M = 6: X = aaaaab, Y = aaaaaa.
    assert GLOBAL.pair(3) == ("a" + "aaaaabaaaaaa" * 3, "a" + "aaaaabaaaaaa" * 3 + "aaaaab")
    assert LOCAL.pair(3) == ("baaa", "aaaa")
    # M = 2: v = aa, X = ab, Y = ba.
    assert HYBRID.pair(2) == ("aaabaaba" * 2 + "aa", "aaabaaba" * 2 + "aaabaa")
    assert [modulus_of_pair(n) for n in range(1, 7)] == [1, 2, 6, 12, 60, 60]
    for n in (0, -1):
        with pytest.raises(ToolkitError, match="numbered from 1"):
            GLOBAL.pair(n)


@each_fragment
def test_no_depth_and_no_modulus_up_to_three_tells_the_third_pair_apart(fragment: Fragment) -> None:
    family = {LTL_P_MOD: GLOBAL, LTL_Y_MOD: LOCAL, LTL_PY_MOD: HYBRID}[fragment]
    inside, outside = family.pair(3)
    for modulus in (1, 2, 3, 6):
        assert same_type(inside, outside, fragment, 3, AB, modulus=modulus)
    if fragment != LTL_Y_MOD:  # the lengths differ by 6 or 12, which 5 does not divide
        assert not same_type(inside, outside, fragment, 1, AB, modulus=5)


def test_unpadded_words_are_told_apart_by_their_length() -> None:
    assert same_type("aba" * 3, "aba" * 3 + "b", LTL_P_MOD, 1, AB, modulus=1)
    assert not same_type("aba" * 3, "aba" * 3 + "b", LTL_P_MOD, 1, AB, modulus=2)


def test_the_check_works_on_automata_that_are_not_minimal() -> None:
    doubled = DFA(AB, [[3, 2], [1, 0], [1, 2], [1, 0]], 0, [False, True, False, True])
    assert minimize(doubled) == ENDS_WITH_A
    assert GLOBAL.check(doubled) is None


def test_depth_types_are_compared_and_can_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    # The proof promises equal types for every family with true words, so only a broken promise shows this fault.
    monkeypatch.setattr("semigroups.modular_family.same_type", lambda u, v, fragment, n, alphabet, modulus: n < 3)
    assert GLOBAL.check(ENDS_WITH_A) == "a formula of LTL[P,MOD] of depth 3 and modulus 6 tells pair 3 apart"
    assert GLOBAL.check(ENDS_WITH_A, max_depth=2) is None


def test_pairs_are_read_by_the_automaton_and_can_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # True loops give true pairs, so only a wrong way of spelling pairs shows these faults.
    monkeypatch.setattr(ModularFamily, "pair", lambda family, n: ("b", "b"))
    assert GLOBAL.check(ENDS_WITH_A) == "the automaton rejects the word inside of pair 1"
    monkeypatch.setattr(ModularFamily, "pair", lambda family, n: ("a", "a"))
    assert GLOBAL.check(ENDS_WITH_A) == "the automaton accepts the word outside of pair 1"


# Plain data.


@each_fragment
@given(data=st.data())
def test_families_come_back_from_json(fragment: Fragment, data: st.DataObject) -> None:
    _, family = data.draw(families(fragment))
    plain = json.loads(json.dumps(family.to_dict()))
    assert plain["kind"] == "modular pumping"
    assert plain["pairs"]
    for n, pair in enumerate(plain["pairs"], 1):
        assert (pair["n"], pair["modulus"]) == (n, lcm(*range(1, n + 1)))
        assert (pair["inside"], pair["outside"]) == family.pair(n)
        assert n == 1 or len(pair["inside"]) + len(pair["outside"]) <= 1000
    assert read_modular_family(plain, fragment, AB) == family


def test_long_pairs_are_not_spelled() -> None:
    # Blocks of 97 letters: a loop of 97 letters, and the lengths of what is pumped are multiples of it.
    dfa = regex_to_dfa("(a{97}|b{97})*", AB)
    family = modular_family(dfa, LTL_P_MOD)
    assert family is not None
    assert len(family.loop) == 97
    assert [pair["n"] for pair in family.to_dict()["pairs"]] == [1]
    assert len(str(family.pair(2))) > 1000
    assert family.check(dfa) is None
    assert read_modular_family(family.to_dict(), LTL_P_MOD, AB) == family


def test_words_over_longer_letters_are_lists() -> None:
    alphabet = Alphabet(("a", "b0"))
    family = ModularFamily(LTL_P_MOD, alphabet, ("a",), (), ("a",), there=("b0",), back=("a",))
    dfa = DFA(alphabet, [[1, 0], [1, 0]], 0, [False, True])
    assert family.check(dfa) is None
    plain = json.loads(json.dumps(family.to_dict()))
    assert plain["pairs"][0] == {
        "n": 1,
        "modulus": 1,
        "inside": ["a", "b0", "a"],
        "outside": ["a", "b0", "a", "b0"],
    }
    assert read_modular_family(plain, LTL_P_MOD, alphabet) == family
    with pytest.raises(ToolkitError, match="'access' must be a list of letters, not 'a'"):
        read_modular_family({**plain, "access": "a"}, LTL_P_MOD, alphabet)


DATA = HYBRID.to_dict()


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({**DATA, "kind": "pumping"}, "'kind' does not agree with the rest: expected 'modular pumping'"),
        ({**DATA, "loop": 1}, "'loop' must be a string, not 1"),
        ({**DATA, "loop": "c"}, "unknown letter 'c'"),
        ({**DATA, "loop": "ab"}, "does not divide"),
        ({**DATA, "loop": "b"}, "'pairs' does not agree with the rest"),
        ({**DATA, "loop": ""}, "the loop word is empty"),
        ({**DATA, "other_access": "b"}, "has no other_access word"),
        ({**DATA, "pairs": DATA["pairs"][:1]}, "'pairs' does not agree with the rest"),
        ({**DATA, "note": 1}, "'note' is unknown"),
        *(({k: v for k, v in DATA.items() if k != name}, f"{name!r} is missing") for name in ("access", "loop")),
        *(({k: v for k, v in DATA.items() if k != name}, f"{name!r} is missing") for name in ("kind", "pairs")),
        ({k: v for k, v in DATA.items() if k != "there"}, "needs there word"),
    ],
)
def test_malformed_data_are_refused(data: dict[str, Any], problem: str) -> None:
    with pytest.raises(ToolkitError) as error:
        read_modular_family(data, LTL_PY_MOD, AB)
    assert problem in str(error.value)
