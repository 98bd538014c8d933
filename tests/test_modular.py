from __future__ import annotations

import tomllib
from functools import cache
from math import gcd, lcm
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.catalogue import language
from automata.dfa import DFA
from automata.errors import ToolkitError
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from ltl.compile import formula_to_dfa
from ltl.depth_types import definable_at_depth
from ltl.formula import Mod, depth, size, subformulas
from ltl.fragment import LTL_P, LTL_P_MOD, LTL_PY, LTL_PY_MOD, LTL_S_MOD, LTL_Y, LTL_Y_MOD, Fragment, fragment_of
from ltl.semantics import holds_batch
from semigroups import modular_pattern
from semigroups.certificate import Definition
from semigroups.cyclic_classes import cyclic_classes
from semigroups.forbidden import admits
from semigroups.modular import decide_modular
from semigroups.modular_family import ModularFamily
from semigroups.modular_lift import Lift
from semigroups.modular_pattern import admits_modular, modular_family
from semigroups.modular_synthesis import synthesize_modular
from semigroups.synthesize import synthesize
from tests.strategies import AB, all_words, dfas, formulas, small_minimal_dfas

FRAGMENTS = {LTL_P_MOD: LTL_P, LTL_Y_MOD: LTL_Y, LTL_PY_MOD: LTL_PY}
FACTS = tomllib.loads(Path(__file__).with_name("golden.toml").read_text(encoding="utf-8"))["language"]

Map = tuple[int, ...]

each_fragment = pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)


# The second route: the stable semigroup, from its definition.


@cache
def stable_semigroup(dfa: DFA) -> frozenset[Map]:
    """The maps of all words of length s, where s is least such that words of length 2s make the same maps."""
    letters = [tuple(column) for column in dfa.delta.T.tolist()]
    by_length: list[frozenset[Map]] = [frozenset([tuple(range(dfa.n_states))])]
    s = 0
    while True:
        s += 1
        while len(by_length) <= 2 * s:
            by_length.append(frozenset(tuple(a[q] for q in f) for f in by_length[-1] for a in letters))
        if by_length[s] == by_length[2 * s]:
            return by_length[s]


def after(f: Map, g: Map) -> Map:
    """f, then g."""
    return tuple(g[q] for q in f)


def is_r_trivial(monoid: frozenset[Map]) -> bool:
    ideals = {f: frozenset(after(f, g) for g in monoid) for f in monoid}
    return len(set(ideals.values())) == len(monoid)


def by_stable_semigroup(dfa: DFA, fragment: Fragment) -> bool:
    stable = stable_semigroup(dfa)
    idempotents = [e for e in stable if after(e, e) == e]
    if fragment == LTL_P_MOD:
        return is_r_trivial(stable | {tuple(range(dfa.n_states))})
    if fragment == LTL_Y_MOD:
        return all(after(f, e) == e for e in idempotents for f in stable)
    return all(is_r_trivial(frozenset(after(after(e, f), e) for f in stable)) for e in idempotents)


def assert_true(dfa: DFA, fragment: Fragment, holds: bool, max_depth: int = 2) -> None:
    """The verdict is as expected, and its certificate stands the check and says what it should."""
    verdict = decide_modular(dfa, fragment)
    assert verdict.holds is holds is admits_modular(dfa, fragment)
    assert verdict.fragment == fragment
    assert verdict.bound is None
    certificate = verdict.certificate
    if holds:
        assert isinstance(certificate, Definition)
        assert certificate.check(dfa) is None
    else:
        assert isinstance(certificate, ModularFamily)
        assert certificate.check(dfa, max_depth) is None


@each_fragment
def test_every_small_automaton_by_its_stable_semigroup(fragment: Fragment) -> None:
    words = all_words(AB, 8)
    for dfa in small_minimal_dfas(AB, 3):
        holds = by_stable_semigroup(dfa, fragment)
        assert_true(dfa, fragment, holds, max_depth=1)
        if holds:
            formula = synthesize_modular(dfa, fragment)
            assert holds_batch(formula, words, AB).tolist() == dfa.accepts_batch(words).tolist()


@each_fragment
@given(dfa=dfas(max_states=6).map(minimize))
def test_random_automata_by_their_stable_semigroups(fragment: Fragment, dfa: DFA) -> None:
    assume(len(stable_semigroup(dfa)) <= 400)
    assert_true(dfa, fragment, by_stable_semigroup(dfa, fragment))


@st.composite
def modular_automata(draw: st.DrawFn) -> DFA:
    """Minimal automata of cycles that lead into one another, with a few more edges between classes that fit."""
    periods = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    widths = [draw(st.integers(1, 2)) for _ in periods]
    states = [(c, r, w) for c, d in enumerate(periods) for r in range(d) for w in range(widths[c])]
    number = {state: i for i, state in enumerate(states)}
    rows = []
    for c, r, _ in states:
        row = []
        for _ in AB:
            to = draw(st.integers(c, len(periods) - 1)) if draw(st.booleans()) else c
            place = (r + 1) % periods[c] if to == c else draw(st.integers(0, periods[to] - 1))
            row.append(number[to, place, draw(st.integers(0, widths[to] - 1))])
        rows.append(row)
    accept = draw(st.lists(st.booleans(), min_size=len(states), max_size=len(states)))
    return minimize(DFA(AB, rows, 0, accept))


@each_fragment
@given(dfa=modular_automata())
def test_automata_of_linked_cycles_by_their_stable_semigroups(fragment: Fragment, dfa: DFA) -> None:
    assume(dfa.n_states <= 10)
    assert_true(dfa, fragment, by_stable_semigroup(dfa, fragment))


@each_fragment
@given(dfa=modular_automata() | dfas(max_states=6).map(minimize))
def test_the_pair_graph_finds_what_the_word_search_finds(fragment: Fragment, dfa: DFA) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(modular_pattern, "least_common_loop", lambda table, blocks: None)
        family = modular_family(dfa, fragment)
    assert (family is None) == admits_modular(dfa, fragment)
    if family is not None:
        assert family.check(dfa, max_depth=1) is None


# The third route: depth types, that is, the logic itself.


@each_fragment
def test_what_a_formula_of_depth_one_defines_is_admitted(fragment: Fragment) -> None:
    n_defined = 0
    for dfa in small_minimal_dfas(AB, 3):
        if definable_at_depth(dfa, fragment, 1, modulus=2):
            n_defined += 1
            assert admits_modular(dfa, fragment)
    assert n_defined > 0


@each_fragment
@given(data=st.data())
def test_languages_of_formulas_are_admitted_and_defined_again(fragment: Fragment, data: st.DataObject) -> None:
    formula = data.draw(formulas(AB, past=fragment.past, window=fragment.window, widest=1, modulus=3, max_leaves=8))
    assert fragment_of(formula) <= fragment
    assert_true(formula_to_dfa(formula, AB), fragment, True)


# Inclusions.


@given(dfas(max_states=6).map(minimize) | modular_automata())
def test_inclusions_between_fragments(dfa: DFA) -> None:
    modular = {fragment: admits_modular(dfa, fragment) for fragment in FRAGMENTS}
    for fragment, plain in FRAGMENTS.items():
        assert modular[fragment] >= admits(dfa, plain)
        complement = DFA(dfa.alphabet, dfa.delta, dfa.start, ~dfa.accept)
        assert admits_modular(complement, fragment) == modular[fragment]
    assert modular[LTL_PY_MOD] >= modular[LTL_P_MOD]
    assert modular[LTL_PY_MOD] >= modular[LTL_Y_MOD]
    if cyclic_classes(dfa.delta).modulus == 1:
        assert all(modular[fragment] == admits(dfa, plain) for fragment, plain in FRAGMENTS.items())


@each_fragment
@given(dfa=dfas(max_states=5).map(minimize))
def test_a_formula_is_no_larger_than_one_without_moduli(fragment: Fragment, dfa: DFA) -> None:
    plain = FRAGMENTS[fragment]
    assume(admits(dfa, plain))
    with_moduli, without = synthesize_modular(dfa, fragment), synthesize(dfa, plain)
    assert (size(with_moduli), depth(with_moduli)) <= (size(without), depth(without))


# Known languages.


@pytest.mark.parametrize("fact", [fact for fact in FACTS if "classes" in fact], ids=lambda fact: fact["name"])
def test_published_classes(fact: dict[str, object]) -> None:
    classes = fact["classes"]
    assert isinstance(classes, dict)
    dfa = language(str(fact["name"]), Alphabet(tuple(fact["alphabet"]))).dfa  # type: ignore[arg-type]
    for fragment in FRAGMENTS:
        if fragment.name in classes:
            assert_true(dfa, fragment, classes[fragment.name])


@pytest.mark.parametrize(
    ("regex", "letters", "in_p", "in_y", "in_py"),
    [
        ("(aa)*", "a", True, True, True),
        ("(aaaaaa)*", "a", True, True, True),
        ("aaa(aaaaaa)*", "a", True, True, True),
        ("((a|b)(a|b))*", "ab", True, True, True),
        ("(a|b)((a|b)(a|b))*", "ab", True, True, True),
        ("(ab)*", "ab", True, False, True),  # a letter at a wrong place must be remembered
        ("((a|b)a)*", "ab", True, False, True),  # so too
        ("((a|b)(a|b))*a", "ab", False, True, True),  # the last letter, and the length
        ("((a|b)(a|b)(a|b))*a(a|b)", "ab", False, True, True),  # the last letter but one, and the length
        ("(b*ab*a)*b*", "ab", False, False, False),  # an even number of a
        ("(a(ab)*b)*", "ab", False, False, True),  # after an even length, a stands at height 0 or b at height 2
        ("(a(a(ab)*b)*b)*", "ab", False, False, False),
        ("(a|b)*a", "ab", False, True, True),
        ("a(a|b)*b", "ab", False, False, True),
        ("a(a|b)*", "ab", True, False, True),
        ("(aa)*b(a|b)*", "ab", True, False, True),  # the first b stands at an odd place
        ("((a|b)(a|b))*a((a|b)(a|b))*", "ab", True, False, True),  # of odd length, with a at an odd place
        ("(a|b)*aa(a|b)*", "ab", False, False, True),
        ("((a|b)(a|b))*aa(a|b)*", "ab", False, False, True),  # aa at an odd place
    ],
)
def test_languages_whose_classes_are_seen_by_hand(
    regex: str, letters: str, in_p: bool, in_y: bool, in_py: bool
) -> None:
    dfa = regex_to_dfa(regex, Alphabet.of(letters))
    for fragment, holds in zip(FRAGMENTS, (in_p, in_y, in_py), strict=True):
        assert_true(dfa, fragment, holds, max_depth=3)


@pytest.mark.parametrize(
    ("regex", "letters", "fragment", "text"),
    [
        ("(aa)*", "a", LTL_P_MOD, "MOD(1,2)"),
        ("((a|b)(a|b)(a|b))*", "ab", LTL_Y_MOD, "MOD(1,3)"),
        ("((a|b)(a|b)(a|b))*", "ab", LTL_PY_MOD, "MOD(1,3)"),
        ("(a|b)*a", "ab", LTL_PY_MOD, "Y a"),
        ("a*", "ab", LTL_P_MOD, "!P b"),
    ],
)
def test_formulas_one_would_write(regex: str, letters: str, fragment: Fragment, text: str) -> None:
    assert str(synthesize_modular(regex_to_dfa(regex, Alphabet.of(letters)), fragment)) == text


def test_even_length_with_a_in_second_place_uses_the_modulus_of_each_part() -> None:
    # (ab)* says: even length, no b at an odd place, no a at an even one.
    formula = synthesize_modular(regex_to_dfa("(ab)*", AB), LTL_P_MOD)
    assert depth(formula) == 1
    assert {f.modulus for f in subformulas(formula) if isinstance(f, Mod)} == {2}


def test_moduli_are_no_larger_than_the_parts_need() -> None:
    # An a at a place divisible by 2 first, or a b at a place divisible by 3 first: periods 6, but no MOD(.,6) is needed
    # to say which letters count; a cycle of 5 stands apart.
    dfa = regex_to_dfa("c(aa)*b|d(aaa)*b|e(aaaaa)*b", Alphabet.of("abcde"))
    formula = synthesize_modular(dfa, LTL_P_MOD)
    assert Definition(LTL_P_MOD, formula).check(dfa) is None
    assert {f.modulus for f in subformulas(formula) if isinstance(f, Mod)} == {2, 3, 5}


def test_states_on_one_loop_count_for_yesterday_only_if_equal_lengths_reach_them() -> None:
    # aa fixes both states of "even length", but no length leads to both. It fixes the cycles after a and after b, too,
    # where the first letter is remembered for ever.
    assert admits_modular(DFA(AB, [[1, 1], [0, 0]], 0, [True, False]), LTL_Y_MOD)
    first_letter = minimize(DFA(AB, [[1, 3], [2, 2], [1, 1], [4, 4], [3, 3]], 0, [False, True, False, False, True]))
    assert_true(first_letter, LTL_P_MOD, True)
    family = modular_family(first_letter, LTL_Y_MOD)
    assert family is not None
    assert family.pair(1) == ("aaa", "baa")
    assert family.check(first_letter) is None


def test_the_empty_alphabet_and_trivial_languages() -> None:
    for dfa in (DFA(Alphabet(()), [[]], 0, [True]), DFA(Alphabet(()), [[]], 0, [False]), DFA(AB, [[0, 0]], 0, [False])):
        for fragment in FRAGMENTS:
            assert_true(dfa, fragment, True)


def test_letters_of_several_characters() -> None:
    alphabet = Alphabet(("a", "b0"))
    even = DFA(alphabet, [[1, 1], [0, 2], [2, 2]], 0, [True, False, False])  # a at odd places, even length
    for fragment, holds in ((LTL_P_MOD, True), (LTL_Y_MOD, False), (LTL_PY_MOD, True)):
        assert_true(even, fragment, holds)


# Cyclic classes.


@given(st.integers(1, 12), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_cyclic_classes_by_the_lengths_of_closed_walks(n: int, k: int, seed: int) -> None:
    delta = np.random.default_rng(seed).integers(0, n, (n, k)).astype(np.int32)
    classes = cyclic_classes(delta)
    step = np.zeros((n, n), dtype=np.bool_)
    step[np.arange(n)[:, None], delta] = True
    walks = [np.eye(n, dtype=np.bool_)]
    for _ in range(3 * n * n):
        walks.append(walks[-1] @ step)
    reaches = np.any(walks, axis=0)
    for p in range(n):
        lengths = [length for length, walk in enumerate(walks) if length and walk[p, p]]
        assert classes.period[p] == (gcd(*lengths) or 1)
        for q in range(n):
            together = bool(reaches[p, q] and reaches[q, p])
            assert (classes.component[p] == classes.component[q]) == together
            if together:
                gaps = {length % int(classes.period[p]) for length, walk in enumerate(walks) if walk[p, q]}
                assert gaps == {int(classes.number[q] - classes.number[p]) % int(classes.period[p])}
            assert (classes.label[p] == classes.label[q]) == (together and classes.number[p] == classes.number[q])
    assert classes.modulus == lcm(*classes.period.tolist())


# The lift.


@each_fragment
@given(dfa=modular_automata(), factor=st.integers(1, 2))
def test_the_lifted_automaton_accepts_annotated_words_as_the_automaton_does(
    fragment: Fragment, dfa: DFA, factor: int
) -> None:
    classes = cyclic_classes(dfa.delta)
    assume(fragment != LTL_P_MOD or admits_modular(dfa, fragment))
    m = factor * classes.modulus
    lift = Lift(dfa, fragment, classes, m, 10**6)
    assert lift.pairs.sum(axis=0).tolist() == np.ones((2, m)).tolist()
    for word in all_words(AB, 6):
        state = lift.dfa.start
        for place, code in enumerate(AB.encode(word).tolist(), 1):
            state = lift.dfa.delta[state, lift.pairs[:, code, place % m].argmax()]
        assert lift.accept[state, (len(word) + 1) % m] == dfa.accepts(word)
        assert fragment == LTL_P_MOD or lift.dfa.accept[state] == dfa.accepts(word)


def test_limits_are_said() -> None:
    two_cycles = regex_to_dfa("c(a{7})*b|d(a{11})*b", Alphabet.of("abcd"))
    assert decide_modular(two_cycles, LTL_P_MOD).certificate is not None
    verdict = decide_modular(two_cycles, LTL_P_MOD, max_cells=1000)
    assert verdict.holds
    assert verdict.certificate is None
    assert "raise max_cells" in str(verdict.bound)
    coprime = regex_to_dfa("c(aa)*|d(a{3})*|e(a{5})*|f(a{7})*|g(a{11})*|h(a{13})*|i(a{17})*", Alphabet.of("acdefghi"))
    for fragment in (LTL_P_MOD, LTL_PY_MOD):
        verdict = decide_modular(coprime, fragment)
        assert (verdict.holds, verdict.certificate) == (True, None)
        assert "raise max_cells" in str(verdict.bound)
    parity = regex_to_dfa("(b*ab*a)*b*", AB)
    dfa = regex_to_dfa("((a|b)(a|b))*a", AB)
    assert decide_modular(dfa, LTL_Y_MOD, max_pairs=1).holds is None
    assert "raise max_pairs" in str(decide_modular(dfa, LTL_Y_MOD, max_pairs=1).bound)
    no = decide_modular(parity, LTL_P_MOD, max_pairs=1)
    assert (no.holds, no.certificate) == (False, None)
    assert "raise max_pairs" in str(no.bound)
    long = regex_to_dfa("((a|b){2})*(a|b)?(a|b){0,9}a(a|b){9}", AB)
    assert decide_modular(long, LTL_PY_MOD, max_cases=3).holds is not False


def test_without_certificates_the_answer_is_the_same() -> None:
    for dfa in small_minimal_dfas(AB, 2):
        for fragment in FRAGMENTS:
            verdict = decide_modular(dfa, fragment, certify=False)
            assert verdict.certificate is None
            assert verdict.holds == admits_modular(dfa, fragment)


@pytest.mark.parametrize("fragment", [LTL_P, LTL_S_MOD, Fragment(past=True, window=2)], ids=str)
def test_other_fragments_are_refused_by_name(fragment: Fragment) -> None:
    with pytest.raises(ToolkitError, match=r"LTL\[P,MOD\], LTL\[Y,MOD\] and LTL\[P,Y,MOD\], not LTL"):
        decide_modular(DFA(AB, [[0, 0]], 0, [True]), fragment)
    with pytest.raises(ToolkitError, match=r"not LTL"):
        modular_family(DFA(AB, [[0, 0]], 0, [True]), fragment)


def test_large_automata_are_decided_without_pairs() -> None:
    n = 30_000
    rng = np.random.default_rng(1)
    random = minimize(DFA(AB, rng.integers(0, n, (n, 2)), 0, rng.random(n) < 0.5))
    assert [admits_modular(random, fragment) for fragment in FRAGMENTS] == [False] * 3
    q = np.arange(n)
    cycle = DFA(AB, np.stack(((q + 1) % n, (q + 1) % n), axis=1), 0, q == 0)  # lengths divisible by n
    assert admits_modular(cycle, LTL_P_MOD)
