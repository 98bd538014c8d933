from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from ltl.formula import FALSE, TRUE, And, Formula, Letter, Not, Or, Past, Yesterday, size
from ltl.semantics import holds_batch, truth_batch
from ltl.simplifying import all_of, any_of, by_letter, letter_among, negation, past, yesterday
from tests.strategies import AB, ABC, all_words, formulas

WORDS = all_words(ABC, 4)
A, B = Letter("a"), Letter("b")


def same(left: Formula, right: Formula) -> bool:
    return holds_batch(left, WORDS, ABC).tolist() == holds_batch(right, WORDS, ABC).tolist()


@given(formulas(ABC, max_leaves=4), formulas(ABC, max_leaves=4))
def test_constructors_mean_what_the_nodes_mean(f: Formula, g: Formula) -> None:
    for built, node in (
        (negation(f), Not(f)),
        (all_of([f, g]), And(f, g)),
        (any_of([f, g]), Or(f, g)),
        (past(f), Past(f)),
        (yesterday(f), Yesterday(f)),
    ):
        assert same(built, node)
        assert size(built) <= size(node)


def test_neutral_and_opposite_operands_vanish() -> None:
    assert all_of([TRUE, A, TRUE, A]) is A
    assert any_of([FALSE, A, FALSE, A]) is A
    assert all_of([A, FALSE]) is FALSE
    assert any_of([A, TRUE]) is TRUE
    assert all_of([A, B, Not(A)]) is FALSE
    assert any_of([Not(A), B, A]) is TRUE
    assert all_of([]) is TRUE
    assert any_of([]) is FALSE
    assert negation(Not(A)) is A
    assert negation(TRUE) is FALSE
    assert past(FALSE) is FALSE
    assert yesterday(FALSE) is FALSE


@given(st.sets(st.integers(0, 2)))
def test_letter_sets_hold_at_their_letters(codes: set[int]) -> None:
    # Read one position back, where there is always a letter.
    words = [word for word in WORDS if word]
    expected = [ABC.index[word[-1]] in codes for word in words]
    assert holds_batch(Yesterday(letter_among(sorted(codes), ABC)), words, ABC).tolist() == expected


@pytest.mark.parametrize(
    ("codes", "expected"),
    [([0], A), ([0, 1], Or(A, B)), ([0, 2, 3], Not(B)), ([0, 1, 2, 3], TRUE), ([], FALSE)],
)
def test_letter_sets_are_short(codes: list[int], expected: Formula) -> None:
    assert letter_among(codes, Alphabet.of("abcd")) is expected


@given(st.dictionaries(st.integers(0, 2), st.none() | formulas(ABC, max_leaves=3)))
def test_cases_hold_letter_by_letter(cases: dict[int, Formula | None]) -> None:
    built = by_letter(cases, ABC)
    batch = ABC.encode_batch([word for word in WORDS if len(word) == 4])
    found = truth_batch(built, batch, ABC)[:, :4]
    for code, letter in enumerate(ABC):
        case = cases.get(code, FALSE)
        if case is not None:  # where any value will do, nothing is promised
            here = batch == ABC.index[letter]
            assert found[here].tolist() == truth_batch(case, batch, ABC)[:, :4][here].tolist()


def test_cases_are_grouped() -> None:
    p = Past(A)
    assert by_letter({0: p, 1: p}, AB) is p
    assert by_letter({0: TRUE, 1: p}, AB) is Or(A, p)
    assert by_letter({0: p}, AB) is And(A, p)
    assert by_letter({0: p, 1: None}, AB) is p
    assert by_letter({0: TRUE, 1: None}, AB) is TRUE
    assert by_letter({0: TRUE}, AB) is A
    assert by_letter({0: None, 1: None}, AB) is FALSE
    assert by_letter({}, Alphabet(())) is FALSE
