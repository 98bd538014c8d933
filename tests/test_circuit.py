"""Circuit classes: against closures of small semigroups by hand, published groups, and evidence."""

from __future__ import annotations

import dataclasses
from itertools import product

import pytest
from hypothesis import given, settings

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from semigroups.circuit import EqualLengthGroup, NonSolvableGroup, circuit_class
from semigroups.syntactic import syntactic_semigroup
from semigroups.variety import VARIETIES
from tests.strategies import AB, ABC, dfas, small_minimal_dfas

Map = tuple[int, ...]


def then(f: Map, g: Map) -> Map:
    return tuple(g[q] for q in f)


def has_group_in_one_length(dfa: DFA) -> bool:
    """True iff the stable semigroup holds a group: sets of actions of words of one length until a set comes back."""
    letters = [tuple(column) for column in dfa.delta.T.tolist()]
    actions = frozenset(letters)
    seen: list[frozenset[Map]] = []
    while actions not in seen:
        seen.append(actions)
        actions = frozenset(then(f, a) for f in actions for a in letters)
    for actions in seen:
        idempotents = [e for e in actions if then(e, e) == e]
        for e, g in product(idempotents, actions):
            if g != e and then(e, g) == g == then(g, e) and len({g[p] for p in e}) == len(set(e)):
                return True
    return False


def test_all_small_automata() -> None:
    names = set()
    for dfa in small_minimal_dfas():
        found = circuit_class(syntactic_semigroup(dfa))
        names.add(found.name)
        # Groups of permutations of three points are solvable.
        assert found.name == ("ACC0" if has_group_in_one_length(dfa) else "AC0")
        assert (found.evidence is None) == (found.name == "AC0")
        if found.evidence is not None:
            assert found.evidence.check(dfa) is None
    assert names == {"AC0", "ACC0"}


@settings(max_examples=50)
@given(dfas(max_states=5))
def test_evidence_holds(dfa: DFA) -> None:
    minimal = minimize(dfa)
    syntactic = syntactic_semigroup(minimal)
    found = circuit_class(syntactic)
    if found.name == "AC0":
        assert not has_group_in_one_length(minimal)
    else:
        assert found.evidence is not None
        assert found.evidence.check(dfa) is None
    assert (found.name == "AC0") == (VARIETIES["quasi-aperiodic"].violation(syntactic) is None)
    assert (found.name != "NC1-complete") == (VARIETIES["solvable"].violation(syntactic) is None)
    if VARIETIES["star-free"].violation(syntactic) is None:
        assert found.name == "AC0"


def permutation_language(*letters: Map) -> DFA:
    n = len(letters[0])
    alphabet = Alphabet.of("abcdefgh"[: len(letters)])
    return minimize(DFA(alphabet, [[f[q] for f in letters] for q in range(n)], 0, [q == 0 for q in range(n)]))


@pytest.mark.parametrize(
    ("letters", "name"),
    [
        # The symmetric group on n points is solvable iff n <= 4; the alternating group on five points is not.
        (((1, 0, 2), (1, 2, 0)), "ACC0"),
        (((1, 0, 2, 3), (1, 2, 3, 0)), "ACC0"),
        (((1, 0, 2, 3, 4), (1, 2, 3, 4, 0)), "NC1-complete"),
        (((1, 2, 0, 3, 4), (0, 1, 3, 4, 2)), "NC1-complete"),
        (((1, 2, 3, 4, 0),), "AC0"),  # lengths modulo five
        (((1, 2, 3, 4, 0), (0, 4, 3, 2, 1)), "ACC0"),
    ],
)
def test_known_groups(letters: tuple[Map, ...], name: str) -> None:
    dfa = permutation_language(*letters)
    found = circuit_class(syntactic_semigroup(dfa))
    assert found.name == name
    if name != "AC0":
        assert isinstance(found.evidence, NonSolvableGroup if name == "NC1-complete" else EqualLengthGroup)
        assert found.evidence.check(dfa) is None


def test_a_solvable_group_of_more_than_sixty_elements() -> None:
    # Four pairs of points, one turned over, all moved on: C2 wr C4 has 64 elements and is solvable, as 2-groups are.
    wreath = permutation_language((1, 0, 2, 3, 4, 5, 6, 7), (2, 3, 4, 5, 6, 7, 0, 1))
    syntactic = syntactic_semigroup(wreath)
    assert len(syntactic) == 64
    assert circuit_class(syntactic).name == "ACC0"


def test_a_group_beside_a_sink() -> None:
    # Five points permuted as by the symmetric group; c leaves point 0 alone and sends the others to a sink.
    dfa = minimize(
        DFA(
            ABC,
            [[1, 1, 0], [0, 2, 5], [2, 3, 5], [3, 4, 5], [4, 0, 5], [5, 5, 5]],
            0,
            [True, False, False, False, False, False],
        )
    )
    found = circuit_class(syntactic_semigroup(dfa))
    assert found.name == "NC1-complete"
    assert isinstance(found.evidence, NonSolvableGroup)
    assert len(found.evidence.points) == 5
    assert found.evidence.check(dfa) is None


@pytest.mark.parametrize(
    ("regex", "alphabet", "name"),
    [
        ("∅", AB, "AC0"),
        ("[ab]*", AB, "AC0"),
        ("()", Alphabet(()), "AC0"),
        ("(aa)*", AB, "AC0"),
        ("([ab][ab])*", AB, "AC0"),
        ("(ab|ba)*", AB, "AC0"),
        ("(b*ab*a)*b*", AB, "ACC0"),
        ("(ab*a|b)*", AB, "ACC0"),
    ],
)
def test_known_languages(regex: str, alphabet: Alphabet, name: str) -> None:
    dfa = regex_to_dfa(regex, alphabet)
    assert circuit_class(syntactic_semigroup(dfa)).name == name
    assert has_group_in_one_length(dfa) == (name != "AC0")


def test_altered_evidence_is_refused() -> None:
    parity = permutation_language((1, 0), (0, 1))
    evidence = circuit_class(syntactic_semigroup(parity)).evidence
    assert isinstance(evidence, EqualLengthGroup)
    for change, fault in [
        ({"unit": "a"}, "the unit is not idempotent"),
        ({"unit": "", "rotation": ""}, "the words must be non-empty and of one length"),
        ({"rotation": "aa"}, "the words must be non-empty and of one length"),
        ({"rotation": "b"}, "both words act alike"),
        ({"alphabet": ABC}, "the alphabets differ"),
    ]:
        assert dataclasses.replace(evidence, **change).check(parity) == fault
    ends_with_a = regex_to_dfa("[ab]*a", AB)
    assert EqualLengthGroup(AB, "a", "b").check(ends_with_a) == "the rotation is moved by the unit"
    contains_ab = regex_to_dfa("[ab]*ab[ab]*", AB)
    assert EqualLengthGroup(AB, "bb", "ab").check(contains_ab) is not None
    nilpotent = regex_to_dfa("(aa)*b[ab]*", AB)
    assert EqualLengthGroup(AB, "aa", "bb").check(nilpotent) is not None
    assert evidence.to_dict() == {"kind": "equal-length group", "unit": "b", "rotation": "a"}

    five = permutation_language((1, 0, 2, 3, 4), (1, 2, 3, 4, 0))
    group = circuit_class(syntactic_semigroup(five)).evidence
    assert isinstance(group, NonSolvableGroup)
    assert group.check(five) is None
    for change, fault in [
        ({"generators": ("a",)}, "the group is solvable"),
        ({"generators": ()}, "the group is solvable"),
        ({"points": ("", "a", "")}, "two access words lead to one state"),
        ({"points": ("",)}, "does not permute the states"),
        ({"alphabet": ABC}, "the alphabets differ"),
    ]:
        assert fault in str(dataclasses.replace(group, **change).check(five))
    assert group.to_dict()["kind"] == "non-solvable group"
