"""Truth at every position, against the definition read literally."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.errors import UnknownLetter
from ltl.formula import (
    FIRST,
    TRUE,
    And,
    Letter,
    Mod,
    Not,
    Or,
    Past,
    Since,
    Top,
    Yesterday,
    conjunction,
    disjunction,
    historically,
    iff,
    once,
    subformulas,
    weak_yesterday,
    yesterday_power,
)
from ltl.semantics import holds, holds_batch, subformula_truth, truth, truth_batch
from ltl.syntax import parse_formula
from tests.strategies import AB, ABC, all_words, formulas, words

A, B = Letter("a"), Letter("b")
EVERYTHING = formulas(ABC, since=True, modulus=4)


def true_at(f, word, n):
    """Truth of f at position n of the word, 1 <= n <= N+1, by the definition."""
    match f:
        case Top():
            return True
        case Letter(letter):
            return n <= len(word) and word[n - 1] == letter
        case Mod(residue, modulus):
            return (n - residue) % modulus == 0
        case Not(g):
            return not true_at(g, word, n)
        case And(g, h):
            return true_at(g, word, n) and true_at(h, word, n)
        case Or(g, h):
            return true_at(g, word, n) or true_at(h, word, n)
        case Past(g):
            return any(true_at(g, word, m) for m in range(1, n))
        case Yesterday(g, k):
            return any(true_at(g, word, m) for m in range(max(1, n - k), n))
        case Since(g, h):
            return any(true_at(h, word, m) and all(true_at(g, word, i) for i in range(m + 1, n)) for m in range(1, n))


@given(formulas(ABC, since=True, modulus=4, max_leaves=6), words(ABC, 7))
def test_truth_is_the_definition_at_every_position(f, word):
    expected = [true_at(f, word, n) for n in range(1, len(word) + 2)]
    assert truth(f, word, ABC).tolist() == expected
    assert holds(f, word, ABC) == expected[-1]


@given(EVERYTHING, words(ABC))
def test_subformula_truth_has_a_row_for_each_subformula(f, word):
    rows = subformula_truth(f, word, ABC)
    assert rows.shape == (len(subformulas(f)), len(word) + 1)
    for row, g in zip(rows, subformulas(f), strict=True):
        assert row.tolist() == truth(g, word, ABC).tolist()


@given(EVERYTHING, st.lists(words(ABC), max_size=6))
def test_a_batch_is_its_words(f, batch):
    values = truth_batch(f, batch, ABC)
    width = max(map(len, batch), default=0)
    assert values.shape == (len(batch), width + 1)
    for row, word in zip(values, batch, strict=True):
        assert row[: len(word) + 1].tolist() == truth(f, word, ABC).tolist()
        assert not row[len(word) + 1 :].any()
    assert holds_batch(f, batch, ABC).tolist() == [holds(f, word, ABC) for word in batch]


@given(EVERYTHING, st.lists(words(ABC, 5), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_padding_may_stand_anywhere(f, batch, random):
    rows = []
    for word in batch:
        row = ABC.encode(word).tolist()
        for _ in range(9 - len(row)):
            row.insert(random.randint(0, len(row)), len(ABC))
        rows.append(row)
    codes = np.array(rows)
    assert holds_batch(f, codes, ABC).tolist() == holds_batch(f, batch, ABC).tolist()
    width = max(map(len, batch)) + 1
    assert truth_batch(f, codes, ABC)[:, :width].tolist() == truth_batch(f, batch, ABC).tolist()


def test_large_batches_are_cut_without_a_seam():
    rng = np.random.default_rng(1)
    batch = rng.integers(0, 3, (3_000, 200))  # 2 is padding
    f = parse_formula("(a S Y^3 b) & Y^5 (a | Y b)")
    rows = [0, 1, 1_303, 1_304, 1_305, 2_607, 2_608, 2_609, 2_999]
    expected = [holds(f, AB.decode(batch[row]), AB) for row in rows]
    assert holds_batch(f, batch, AB)[rows].tolist() == expected
    assert 0 < sum(expected) < len(expected)


# Laws.


def same(f, g, word):
    return truth(f, word, ABC).tolist() == truth(g, word, ABC).tolist()


@given(EVERYTHING, EVERYTHING, words(ABC))
def test_de_morgan(f, g, word):
    assert same(~(f & g), ~f | ~g, word)
    assert same(~(f | g), ~f & ~g, word)
    assert same(~~f, f, word)
    assert same(iff(f, g), (f & g) | (~f & ~g), word)


@given(EVERYTHING, st.integers(1, 5), words(ABC))
def test_a_window_defines_the_next_larger_one(f, k, word):
    """Y<=(k+1) f is Y<=k f | (Y<=k true & !Y<=k !Y<=k f)."""
    inner = Yesterday(f, k)
    assert same(Yesterday(f, k + 1), inner | (Yesterday(TRUE, k) & ~Yesterday(~inner, k)), word)


@given(EVERYTHING, st.integers(1, 6), words(ABC))
def test_a_window_is_an_or_over_distances(f, k, word):
    expected = yesterday_power(f, 1)
    for distance in range(2, k + 1):
        expected = expected | yesterday_power(f, distance)
    assert same(Yesterday(f, k), expected, word)


def yesterday_by_residues(f, k, m):
    """The disjunction, over the residues r of m, of MOD(r,m) & Y<=k (MOD(r-1,m) & f)."""
    return disjunction(Mod(r, m) & Yesterday(Mod(r - 1, m) & f, k) for r in range(m))


@given(EVERYTHING, st.integers(1, 6), st.integers(0, 3), words(ABC))
def test_a_window_and_residues_modulo_its_length_or_more_define_yesterday(f, k, excess, word):
    """Of the last k positions, only the last has its residue modulo m >= k [Li & Cotterell 2026]."""
    assert same(yesterday_by_residues(f, k, k + excess), Yesterday(f), word)


@pytest.mark.parametrize(("k", "m"), [(k, m) for k in range(2, 6) for m in range(1, k)])
def test_residues_modulo_less_than_the_window_do_not(k, m):
    """Position n-1-m is in the window, too, and has the residue of n-1."""
    defined = yesterday_by_residues(A, k, m)
    batch = all_words(AB, m + 1)
    wrong = holds_batch(defined, batch, AB) != holds_batch(Yesterday(A), batch, AB)
    assert [word for word, is_wrong in zip(batch, wrong, strict=True) if is_wrong] == [
        "a" + "".join(middle) + "b" for middle in product("ab", repeat=m - 1)
    ]


@given(st.integers(-30, 30), st.integers(1, 12), st.integers(2, 4), words(ABC))
def test_one_residue_is_several_of_a_multiple(residue, m, factor, word):
    finer = disjunction(Mod(residue + i * m, factor * m) for i in range(factor))
    assert same(Mod(residue, m), finer, word)


@given(st.integers(0, 9), st.integers(1, 10), st.integers(0, 12), words(ABC))
def test_residues_move_on_with_the_positions(residue, m, n, word):
    """Y^n MOD(r,m) is MOD(r+n,m) where there is a position n before."""
    assert same(yesterday_power(Mod(residue, m), n), Mod(residue + n, m) & yesterday_power(TRUE, n), word)


@given(EVERYTHING, EVERYTHING, words(ABC))
def test_since_defines_past_and_yesterday_and_unfolds(f, g, word):
    assert same(Since(TRUE, f), Past(f), word)
    assert same(Since(~TRUE, f), Yesterday(f), word)
    assert same(Since(f, g), Yesterday(g | (f & Since(f, g))), word)


@given(EVERYTHING, words(ABC))
def test_sugar_means_what_its_name_says(f, word):
    values = truth(f, word, ABC)
    positions = range(len(word) + 1)
    assert truth(historically(f), word, ABC).tolist() == [bool(values[:n].all()) for n in positions]
    assert truth(once(f), word, ABC).tolist() == [bool(values[: n + 1].any()) for n in positions]
    assert truth(FIRST, word, ABC).tolist() == [n == 0 for n in positions]
    assert truth(weak_yesterday(f), word, ABC).tolist() == [n == 0 or bool(values[n - 1]) for n in positions]


@given(EVERYTHING, words(ABC))
def test_a_window_longer_than_the_word_is_past(f, word):
    assert same(Yesterday(f, len(word) + 1), Past(f), word)
    assert same(Yesterday(f, 10**18), Past(f), word)


# Conventions.


def test_residues_count_letters_from_one_and_the_end_last():
    assert truth(parse_formula("MOD(1,2)"), "bab", AB).tolist() == [True, False, True, False]
    for word in all_words(AB, 5):
        assert holds(Mod(1, 2), word, AB) == (len(word) % 2 == 0)
        assert holds(Mod(0, 3), word, AB) == (len(word) % 3 == 2)
        assert holds(parse_formula("P (a & MOD(2,3))"), word, AB) == ("a" in word[1::3])
        assert holds(Mod(0, 1), word, AB)


def test_residues_of_great_moduli():
    assert truth(Mod(3, 10**18), "abab", AB).tolist() == [False, False, True, False, False]
    assert truth(Mod(-1, 10**18), "abab", AB).tolist() == [False] * 5


def test_h01_negation_binds_tighter_than_and():
    assert not holds(parse_formula("!P a & P b"), "", AB)
    assert holds(parse_formula("!(P a & P b)"), "", AB)


def test_h03_the_first_position_has_no_predecessor():
    for word in all_words(AB, 4):
        assert holds(parse_formula("Y T"), word, AB) == (word != "")
        assert holds(parse_formula("Y a"), word, AB) == word.endswith("a")
        assert holds(parse_formula("!Y !a"), word, AB) == (word == "" or word.endswith("a"))


def test_h04_quantifiers_over_nothing():
    for word in all_words(AB, 4):
        assert holds(parse_formula("!P T"), word, AB) == (word == "")
        assert holds(parse_formula("!P !T"), word, AB)


def test_h05_no_letter_at_the_end_and_never_two():
    for word in all_words(AB, 4):
        assert not holds(A, word, AB)
        assert holds(~A, word, AB)
        assert not holds(Past(A & B), word, AB)


def test_the_empty_alphabet_has_one_word():
    none = Alphabet.of("")
    assert truth(parse_formula("!P T"), "", none).tolist() == [True]
    assert truth(Mod(1, 2), "", none).tolist() == [True]
    assert truth(Mod(0, 2), "", none).tolist() == [False]
    assert holds_batch(TRUE, [(), ()], none).tolist() == [True, True]


def test_letters_outside_the_alphabet_are_refused():
    for ask in (holds, truth, subformula_truth):
        with pytest.raises(UnknownLetter, match="unknown letter 'c'"):
            ask(Past(Letter("c")) | TRUE, "ab", AB)
        with pytest.raises(UnknownLetter, match="'c' at position 3"):
            ask(A, "abc", AB)
    with pytest.raises(UnknownLetter, match="unknown letter 'c'"):
        holds_batch(Letter("c"), np.zeros((0, 3), dtype=int), AB)


def test_longer_letters():
    alphabet = Alphabet.of(["a", "b0"])
    assert truth(parse_formula("Y b0"), ("b0", "a"), alphabet).tolist() == [False, True, False]
    assert truth(parse_formula("Y b0"), "b0 a", alphabet).tolist() == [False, True, False]


def test_h08_deep_formulas_and_long_words():
    negated = Past(A)
    for _ in range(5_000):
        negated = ~negated
    batch = ["", "b", "ba", "abbb"]
    expected = holds_batch(Past(A), batch, AB).tolist()
    assert expected == [False, False, True, True]
    assert holds_batch(negated, batch, AB).tolist() == expected
    assert holds_batch(conjunction([Past(A)] * 5_000), batch, AB).tolist() == expected
    nested = A
    for _ in range(300):
        nested = Past(nested)
    assert holds(nested, "b" + "a" + "b" * 299, AB)
    assert not holds(nested, "b" + "a" + "b" * 298, AB)
    assert holds(Since(A, Past(B)), "b" + "a" * 100_000, AB)
