"""Depth types against formulas: none of the depth tells words of one type apart, and some tells any others."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError, UnknownLetter
from ltl.compile import formula_to_dfa
from ltl.depth_types import definable_at_depth, first_difference, same_type, undefinable_pair
from ltl.formula import Letter, Mod, Past, Yesterday, conjunction, depth, subformulas
from ltl.fragment import LTL_P, LTL_P_MOD, LTL_PY, LTL_PY_MOD, LTL_S, LTL_Y, LTL_Y_MOD, Fragment
from ltl.semantics import holds, holds_batch
from tests.strategies import AB, ABC, all_words, dfas, formulas, words

FRAGMENTS = [LTL_P, LTL_Y, LTL_PY, Fragment(False, 2), Fragment(True, 2), Fragment(True, 3)]
fragments = st.sampled_from(FRAGMENTS)


def nested_type(word, n, d, fragment, modulus=1):
    """The depth-d type of position n, 1 <= n <= N+1, as a nested value, by the definition."""
    letter = word[n - 1] if n <= len(word) else None
    if d == 0:
        return letter, n % modulus
    first = max(1, n - (fragment.window or 0))
    earlier = frozenset(nested_type(word, m, d - 1, fragment, modulus) for m in range(1, n) if fragment.past)
    window = frozenset(nested_type(word, m, d - 1, fragment, modulus) for m in range(first, n))
    return letter, n % modulus, earlier, window


def characteristic(kind, universe, fragment, modulus):
    """The formula of depth d that says "my type is `kind`", where the types of lower depth are those of `universe`."""
    letter, residue, *seen = kind
    parts = [Letter(letter)] if letter else [~Letter("a"), ~Letter("b")]
    if modulus > 1:
        parts.append(Mod(residue, modulus))
    if seen:
        earlier, window = seen
        operators = ([(Past, earlier)] if fragment.past else []) + (
            [(lambda f: Yesterday(f, fragment.window), window)] if fragment.window else []
        )
        for below in universe[0]:
            inner = characteristic(below, universe[1:], fragment, modulus)
            parts += [op(inner) if below in present else ~op(inner) for op, present in operators]
    return conjunction(parts)


@pytest.mark.parametrize(
    ("fragment", "modulus"),
    [*((fragment, 1) for fragment in FRAGMENTS), (LTL_P_MOD, 2), (LTL_Y_MOD, 3), (LTL_PY_MOD, 2), (Fragment(0, 3), 2)],
    ids=str,
)
@pytest.mark.parametrize("d", [0, 1, 2])
def test_words_of_different_type_are_told_apart_by_a_formula_of_that_depth(fragment, modulus, d):
    """The characteristic formula of a word's type is true of the words of that type alone."""
    everything = all_words(AB, 4)
    universe = [
        list(dict.fromkeys(nested_type(w, n, e, fragment, modulus) for w in everything for n in range(1, len(w) + 1)))
        for e in reversed(range(d))
    ]
    for u in everything:
        f = characteristic(nested_type(u, len(u) + 1, d, fragment, modulus), universe, fragment, modulus)
        assert depth(f) <= d
        expected = [same_type(u, v, fragment, d, AB, modulus) for v in everything]
        assert holds_batch(f, everything, AB).tolist() == expected
        assert holds(f, u, AB)


@given(fragments, st.integers(0, 3), words(AB, 6), words(AB, 6), st.integers(1, 4))
def test_types_are_those_of_the_definition(fragment, d, u, v, modulus):
    left, right = (nested_type(w, len(w) + 1, d, fragment, modulus) for w in (u, v))
    assert same_type(u, v, fragment, d, AB, modulus) == (left == right)


@pytest.mark.parametrize(
    ("fragment", "logic"),
    [
        (LTL_P, formulas(AB, window=None, max_leaves=6)),
        (LTL_Y, formulas(AB, past=False, max_leaves=6)),
        (Fragment(False, 2), formulas(AB, past=False, window=2, max_leaves=6)),
        (Fragment(True, 2), formulas(AB, window=2, max_leaves=6)),
        (LTL_PY, formulas(AB, max_leaves=6)),
    ],
    ids=lambda value: value.name if isinstance(value, Fragment) else "",
)
@given(data=st.data())
def test_no_formula_tells_words_of_one_type_apart(fragment, logic, data):
    """A formula with windows up to k + 2 has, in Y<=k alone, up to three times its depth: Y<=(k+1) is definable by
    two nested Y<=k, and Y<=(k+2) by three."""
    f = data.draw(logic)
    widest = max((g.window for g in subformulas(f) if isinstance(g, Yesterday)), default=0)
    deep = depth(f) * (1 + max(0, widest - (fragment.window or 0)))
    by_type = {}
    for word in data.draw(st.permutations(all_words(AB, 5)))[:25]:
        other = next((u for u in by_type if same_type(u, word, fragment, deep, AB)), None)
        if other is None:
            by_type[word] = holds(f, word, AB)
        else:
            assert holds(f, word, AB) == by_type[other]


@pytest.mark.parametrize(
    ("fragment", "logic"),
    [
        (LTL_P_MOD, {"window": None}),
        (LTL_Y_MOD, {"past": False, "widest": 1}),
        (LTL_PY_MOD, {"widest": 1}),
        (Fragment(True, 3), {"window": 3}),
    ],
    ids=lambda value: value.name if isinstance(value, Fragment) else "",
)
@pytest.mark.parametrize(("greatest", "modulus"), [(2, 2), (2, 4), (3, 6)])
@given(data=st.data())
def test_no_formula_with_residues_tells_words_of_one_type_apart(fragment, logic, greatest, modulus, data):
    """All moduli of the formula, up to `greatest`, divide `modulus`."""
    f = data.draw(formulas(AB, modulus=greatest, max_leaves=6, **logic))
    length = data.draw(st.integers(3, 6))
    pool = [w for w in all_words(AB, length) if len(w) % modulus == length % modulus]
    values = dict(zip(pool, holds_batch(f, pool, AB).tolist(), strict=True))
    by_type = {}
    for word in data.draw(st.permutations(pool))[:12]:
        other = next((u for u in by_type if same_type(u, word, fragment, depth(f), AB, modulus)), None)
        assert values[word] == by_type.setdefault(word if other is None else other, values[word])


def test_residues_modulo_a_divisor_tell_no_more_apart():
    pool = all_words(AB, 5)
    for u, v in combinations(pool, 2):
        if same_type(u, v, LTL_PY_MOD, 1, AB, modulus=4):
            assert same_type(u, v, LTL_PY_MOD, 1, AB, modulus=2)
    assert first_difference("aaa", "a", LTL_P, 3, AB) == 2  # P P T
    assert first_difference("aaa", "a", LTL_P_MOD, 3, AB, modulus=2) == 1  # P MOD(0,2)
    assert first_difference("aaa", "a", LTL_P_MOD, 3, AB, modulus=4) == 0
    assert first_difference("aaa", "a", LTL_P_MOD, 0, AB, modulus=2) is None


@given(fragments, words(AB), words(AB), st.integers(0, 5), st.integers(1, 3))
def test_the_first_difference_is_the_first(fragment, u, v, limit, modulus):
    expected = next((d for d in range(limit + 1) if not same_type(u, v, fragment, d, AB, modulus)), None)
    assert first_difference(u, v, fragment, limit, AB, modulus) == expected


@given(fragments, words(AB), words(AB), st.integers(0, 4))
def test_larger_fragments_and_depths_tell_more_apart(fragment, u, v, d):
    for larger in FRAGMENTS:
        if fragment.past <= larger.past and fragment.window in (None, larger.window) and same_type(u, v, larger, d, AB):
            assert same_type(u, v, fragment, d, AB)
    if not same_type(u, v, fragment, d, AB):
        assert not same_type(u, v, fragment, d + 1, AB)


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("past", [False, True])
def test_windows_miss_the_last_letter_until_one_deeper(k, past):
    """(a b^(k-1))^n a and (a b^(k-1))^n are equal up to depth n [Li & Cotterell 2026, Lemma C.1], not n + 1."""
    for n in range(1, 7):
        block = ("a" + "b" * (k - 1)) * n
        assert first_difference(block + "a", block, Fragment(past, k), n + 3, AB) == n + 1


def test_global_attention_misses_the_last_letter():
    """(ab)^n a and (ab)^n are equal up to depth n, and P(a & P(b & ... P a)) with 2n+1 letters tells them apart."""
    for n in range(1, 12):
        difference = first_difference("ab" * n + "a", "ab" * n, LTL_P, 2 * n + 1, AB)
        assert difference is not None
        assert difference > n


def test_long_words():
    u = "ab" * 400
    assert same_type(u, u + "a", LTL_P, 12, AB)
    assert first_difference(u, u + "a", LTL_PY, 12, AB) == 1


# Definability.


@given(dfas(AB, max_states=4), fragments, st.sampled_from([(0, 1), (1, 1), (2, 1), (0, 2), (0, 6), (1, 2), (1, 3)]))
def test_the_pair_is_evidence(dfa, fragment, bounds):
    d, modulus = bounds
    pair = undefinable_pair(dfa, fragment, d, modulus=modulus)
    assert definable_at_depth(dfa, fragment, d, modulus=modulus) == (pair is None)
    if pair is not None:
        inside, outside = pair
        assert dfa.accepts(inside)
        assert not dfa.accepts(outside)
        left, right = (nested_type(w, len(w) + 1, d, fragment, modulus) for w in pair)
        assert left == right
    else:  # no two short words contradict it
        for u, v in combinations(all_words(AB, 4), 2):
            assert not same_type(u, v, fragment, d, AB, modulus) or dfa.accepts(u) == dfa.accepts(v)


@given(formulas(AB, window=None, max_leaves=5))
def test_languages_of_formulas_are_definable_at_their_depth(f):
    if depth(f) <= 3:
        assert definable_at_depth(formula_to_dfa(f, AB), LTL_P, depth(f))


@pytest.mark.parametrize(
    ("dfa", "fragment", "modulus", "least"),
    [
        (DFA(AB, [[1, 1], [0, 0]], 0, [True, False]), LTL_P_MOD, 2, 0),  # even length
        (DFA(AB, [[1, 1], [0, 0]], 0, [True, False]), LTL_PY_MOD, 3, None),
        (DFA(AB, [[1, 2], [2, 0], [2, 2]], 0, [True, False, False]), LTL_P_MOD, 2, 1),  # (ab)*: each where it must be
        (DFA(AB, [[1, 2], [2, 0], [2, 2]], 0, [True, False, False]), LTL_P_MOD, 3, None),
        (DFA(AB, [[1, 0], [1, 0]], 0, [False, True]), LTL_P_MOD, 2, None),  # ends with a
        (DFA(AB, [[0, 1], [1, 0]], 0, [True, False]), LTL_PY_MOD, 2, None),  # parity of b
    ],
)
def test_the_least_depths_with_residues(dfa, fragment, modulus, least):
    found = [d for d in range(3) if definable_at_depth(dfa, fragment, d, modulus=modulus)]
    assert found == ([] if least is None else list(range(least, 3)))


@pytest.mark.parametrize(
    ("dfa", "fragment", "least"),
    [
        (DFA(AB, [[0, 0]], 0, [True]), LTL_P, 0),
        (DFA(AB, [[1, 0], [1, 0]], 0, [False, True]), LTL_Y, 1),  # ends with a: Y a
        (DFA(AB, [[1, 0], [1, 1]], 0, [False, True]), LTL_P, 1),  # contains a: P a
        (DFA(AB, [[1, 2], [1, 1], [2, 2]], 0, [False, True, False]), LTL_P, 2),  # begins with a: P (a & !P true)
        (DFA(AB, [[1, 0], [1, 2], [2, 2]], 0, [False, False, True]), LTL_P, 2),  # contains ab: P (b & P a)
        (DFA(AB, [[1, 2], [2, 0], [2, 2]], 0, [True, False, False]), LTL_PY, 2),  # (ab)*
        (DFA(AB, [[1, 0], [1, 0]], 0, [False, True]), LTL_P, None),
        (DFA(AB, [[1, 0], [1, 1]], 0, [False, True]), LTL_Y, None),
        (DFA(AB, [[0, 1], [1, 0]], 0, [True, False]), LTL_PY, None),  # parity of b
    ],
)
def test_the_least_depths_of_known_languages(dfa, fragment, least):
    found = [d for d in range(3) if definable_at_depth(dfa, fragment, d)]
    assert found == ([] if least is None else list(range(least, 3)))


def test_the_empty_alphabet():
    none = Alphabet.of("")
    assert same_type("", "", LTL_PY, 3, none)
    assert definable_at_depth(DFA(none, [[]], 0, [True]), LTL_PY, 3)


def test_mistakes_are_named():
    with pytest.raises(ToolkitError, match=r"not for LTL\[S\]"):
        same_type("a", "b", LTL_S, 1, AB)
    with pytest.raises(ToolkitError, match=r"not for LTL\[S\]"):
        definable_at_depth(DFA(AB, [[0, 0]], 0, [True]), LTL_S, 1)
    with pytest.raises(ToolkitError, match="at least 0"):
        same_type("a", "b", LTL_P, -1, AB)
    for modulus in (0, -2):
        with pytest.raises(ToolkitError, match=f"a modulus is at least 1, not {modulus}"):
            definable_at_depth(DFA(AB, [[0, 0]], 0, [True]), LTL_P_MOD, 1, modulus=modulus)
    with pytest.raises(UnknownLetter, match="'c' at position 2"):
        same_type("a", "bc", LTL_P, 1, AB)
    with pytest.raises(TooLarge, match="types of depth 3"):
        definable_at_depth(DFA(ABC, [[0, 0, 0]], 0, [True]), LTL_PY, 3, max_states=1_000)
