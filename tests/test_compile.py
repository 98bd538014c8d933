"""Formulas to automata: against the semantics on all short words, and state counts from theory."""

import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.errors import TooLarge, UnknownLetter
from automata.graph import live_states
from automata.minimize import minimize
from automata.operations import complement, intersection, union
from ltl.compile import dfa_at_once, formula_to_dfa
from ltl.formula import TRUE, And, Letter, Mod, Past, Yesterday, conjunction, yesterday_power
from ltl.semantics import holds_batch
from ltl.syntax import parse_formula
from tests.strategies import AB, ABC, all_words, formulas

A, B = Letter("a"), Letter("b")


def compiled(text, alphabet=AB):
    return formula_to_dfa(parse_formula(text, alphabet), alphabet)


@given(formulas(AB, since=True, modulus=5, max_leaves=20))
def test_automaton_and_semantics_agree_on_all_words_to_length_8(f):
    words = all_words(AB, 8)
    assert formula_to_dfa(f, AB).accepts_batch(words).tolist() == holds_batch(f, words, AB).tolist()


@given(formulas(ABC, since=True, modulus=3))
def test_automaton_and_semantics_agree_over_three_letters(f):
    words = all_words(ABC, 5)
    assert formula_to_dfa(f, ABC).accepts_batch(words).tolist() == holds_batch(f, words, ABC).tolist()


@given(formulas(ABC, since=True, modulus=4))
def test_the_automaton_is_minimal(f):
    dfa = formula_to_dfa(f, ABC)
    assert minimize(dfa) == dfa


@given(formulas(AB, since=True, modulus=3), formulas(AB, since=True, modulus=4))
def test_boolean_operators_are_those_of_languages(f, g):
    left, right = formula_to_dfa(f, AB), formula_to_dfa(g, AB)
    assert formula_to_dfa(~f, AB) == complement(left)
    assert formula_to_dfa(f & g, AB) == intersection(left, right)
    assert formula_to_dfa(f | g, AB) == union(left, right)


# Numbers of states.


@pytest.mark.parametrize("n", [*range(9), 12])
def test_the_letter_n_places_back_takes_two_to_the_n_states(n):
    """`Y^n a` over {a, b} has exactly 2^n states for n >= 1: 4,096 for n = 12.

    The language is Σ* a Σ^(n-1). After w it matters which of the last n places hold an a, places before the beginning
    counting as none, so there are at most 2^n residuals. Every set of places occurs (after a word of length n), and
    two sets that differ in the i-th place from the end are told apart by b^(n-i). `a` itself (n = 0) holds at no end.
    """
    assert formula_to_dfa(yesterday_power(A, n), AB).n_states == 2**n


@pytest.mark.parametrize("k", [1, 2, 5, 1_000])
def test_a_window_takes_one_state_for_each_age(k):
    """`Y<=k a` needs the distance of the last a, 1 to k, or that it is further: k + 1 residuals, not 2^k."""
    assert formula_to_dfa(Yesterday(A, k), AB).n_states == k + 1


@pytest.mark.parametrize("n", [3, 50, 300])
def test_h09_nested_past_counts_letters(n):
    """`P^n a` holds when n letters counted from the first a on were read: n + 1 residuals."""
    f = A
    for _ in range(n):
        f = Past(f)
    dfa = formula_to_dfa(f, AB)
    assert dfa.n_states == n + 1
    for word in ("b" * 5 + "a" + "b" * (n - 1), "a" * n, "b" + "a" * (n + 3)):
        assert dfa.accepts(word)
    assert not dfa.accepts("b" * n + "a" + "b" * (n - 2))


@pytest.mark.parametrize("m", [1, 2, 7, 255, 256, 257, 5_000])
def test_a_residue_takes_one_state_for_each(m):
    """`MOD(r,m)` is a cycle of m states; `P (a & MOD(0,m))` is one with a way out to a state that accepts all."""
    cycle = DFA(AB, [[(n + 1) % m] * 2 for n in range(m)], 0, [n == 2 % m for n in range(m)])
    assert formula_to_dfa(Mod(3, m), AB) == cycle
    out = formula_to_dfa(Past(A & Mod(0, m)), AB)
    assert out.n_states == m + 1
    assert not out.accepts("a" * (m - 1) + "b")
    assert out.accepts("b" * (m - 1) + "ab")


def test_residues_count_together_modulo_the_least_common_multiple():
    """By the Chinese remainder theorem, 1 modulo 4, 3 modulo 6 and 0 modulo 5 is 45 modulo 60."""
    together = Mod(1, 4) & Mod(3, 6) & Mod(0, 5)
    assert formula_to_dfa(together, AB, max_states=60) == formula_to_dfa(Mod(45, 60), AB)
    assert formula_to_dfa(Mod(0, 4) & Mod(3, 6), AB) == DFA(AB, [[0, 0]], 0, [False])
    assert formula_to_dfa(Mod(0, 60) | ~Mod(0, 4), AB).n_states == 60


def test_the_reachable_states_alone_are_built():
    """40 windows over one letter remember 40 ages; the widest fixes the others: 42 states, not their product."""
    f = conjunction(Yesterday(A, k) for k in range(2, 42))
    assert formula_to_dfa(f, AB, max_states=42) == formula_to_dfa(Yesterday(A, 2), AB)


# Conventions.


def test_h02_implication_between_past_formulas():
    dfa = compiled("P a -> P b", ABC)
    assert dfa.n_states == 3
    assert live_states(dfa).sum() == 3
    for word in all_words(ABC, 5):
        assert dfa.accepts(word) == ("a" not in word or "b" in word)


def test_h03_the_first_position_has_no_predecessor():
    nonempty, ends, weak = compiled("Y T"), compiled("Y a"), compiled("!Y !a")
    assert nonempty.n_states == ends.n_states == weak.n_states == 2
    assert nonempty == DFA(AB, [[1, 1], [1, 1]], 0, [False, True])
    assert ends == DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
    assert distinguish(ends, weak) == ""
    assert distinguish(union(ends, compiled("first")), weak) is None


def test_h04_quantifiers_over_nothing():
    dfa = compiled("!P T")
    assert dfa == DFA(AB, [[1, 1], [1, 1]], 0, [True, False])
    assert live_states(dfa).sum() == 1
    assert compiled("!P !T") == DFA(AB, [[0, 0]], 0, [True])


def test_h05_no_letter_at_the_end_and_never_two():
    empty = DFA(AB, [[0, 0]], 0, [False])
    assert compiled("a") == compiled("P (a & b)") == empty
    assert live_states(empty).sum() == 0
    assert compiled("!a") == DFA(AB, [[0, 0]], 0, [True])


def test_h06_window_is_an_or_over_distances():
    twice, once = compiled("Y<=2 Y<=2 a"), compiled("Y<=4 a")
    assert (twice.n_states, once.n_states) == (6, 5)
    assert twice.accepts_batch(["a", "ba", "ab", "abb", "abbb", "abbbb"]).tolist() == [
        False,
        False,
        True,
        True,
        True,
        False,
    ]
    assert once.accepts("a")
    assert distinguish(twice, once) == "a"
    assert compiled("Y<=2 a").n_states == 3
    assert compiled("Y Y a").n_states == 4


def test_h07_letters_that_are_keywords():
    alphabet = Alphabet.of("PYTa")
    dfa = compiled("P 'P' & Y 'Y'", alphabet)
    for word in all_words(alphabet, 3):
        assert dfa.accepts(word) == ("P" in word and word.endswith("Y"))


def test_h08_deep_and_long_formulas():
    past = compiled("P a")
    assert past.n_states == 2
    assert compiled("!" * 5_000 + "P a") == past
    assert compiled("(" * 3_000 + "P a" + ")" * 3_000) == past
    assert compiled(" & ".join(["P a"] * 5_000)) == past
    nested = Past(A)
    for _ in range(4_999):
        nested = And(Past(A), nested)
    assert formula_to_dfa(nested, AB) == past


def test_the_empty_alphabet_has_one_word():
    none = Alphabet.of("")
    for text, accepted in [
        ("T", True),
        ("P T", False),
        ("Y<=3 T | T S T", False),
        ("first", True),
        ("MOD(1,999999999999)", True),
        ("MOD(0,2) | MOD(0,3)", False),
    ]:
        dfa = compiled(text, none)
        assert dfa.n_states == 1
        assert dfa.accepts("") == accepted


def test_the_order_of_the_alphabet_is_kept():
    assert compiled("Y a", Alphabet.of("ba")).delta.tolist() == [[0, 1], [0, 1]]


def test_unknown_letters_are_refused_even_where_they_do_not_matter():
    with pytest.raises(UnknownLetter, match="unknown letter 'c'"):
        formula_to_dfa(TRUE | Letter("c"), AB)


def test_limits_are_kept_to_the_state():
    f = yesterday_power(A, 8)
    assert formula_to_dfa(f, AB, max_states=256).n_states == 256
    with pytest.raises(TooLarge, match="reached 256, more than the limit of 255; raise max_states") as caught:
        formula_to_dfa(f, AB, max_states=255)
    assert caught.value.reached == 256
    for window in (10**12, 10**18):
        with pytest.raises(TooLarge):
            formula_to_dfa(Yesterday(A, window), AB, max_states=500)
    assert formula_to_dfa(Yesterday(TRUE, 10**18), AB) == compiled("Y T")


def test_counting_past_the_limit_is_refused_at_once():
    assert formula_to_dfa(Mod(1, 30) & Mod(1, 42), AB, max_states=210).n_states == 210
    with pytest.raises(TooLarge, match=r"count the length modulo every m .* 210, more than the limit of 209;"):
        dfa_at_once(Mod(1, 30) & Mod(1, 42), AB, max_states=209)
    with pytest.raises(TooLarge, match="210, more than the limit of 209;"):
        formula_to_dfa(Mod(1, 30) & Mod(1, 42), AB, max_states=209)
    for f in (Mod(1, 10**18), conjunction(Mod(0, 10**17 + i) for i in range(1_000))):
        with pytest.raises(TooLarge, match="count the length modulo every m"):
            dfa_at_once(f, AB, 1_000_000)
        with pytest.raises(TooLarge, match="more than the limit of 1,000,000"):
            formula_to_dfa(f, AB)


def test_states_that_remember_much_are_limited_by_their_size():
    deep = A
    for _ in range(2000):
        deep = Yesterday(deep, 2)
    # Each of the 2,000 windows takes a byte, so that 1,024 bytes for each of 400 states hold 204 states.
    with pytest.raises(TooLarge, match=r"bytes .* reached 410,000, more than the limit of 409,600; raise max_states"):
        dfa_at_once(deep, AB, max_states=400)


def test_windows_of_every_width_count_down_to_nothing():
    for window in (255, 256, 4_000):
        assert compiled(f"Y<={window} a").n_states == window + 1


def test_many_letters():
    letters = Alphabet.of([f"x{i}" for i in range(300)])
    dfa = compiled("Y x7 & P x299", letters)
    words = [["x299", "x7"], ["x7"], ["x7", "x299"], ["x299", "x0", "x7"]]
    assert dfa.accepts_batch(words).tolist() == [True, False, False, True]
    assert dfa.n_states == 3
