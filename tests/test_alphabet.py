"""Alphabets, encoding and batches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.errors import ToolkitError, UnknownLetter

letter_lists = st.lists(st.text(min_size=1, max_size=3), max_size=6, unique=True)


@given(
    letter_lists.flatmap(lambda a: st.tuples(st.just(a), st.lists(st.lists(st.sampled_from(a) if a else st.nothing()))))
)
def test_decode_inverts_encode_alone_and_in_batches(case):
    letters, words = case
    alphabet = Alphabet.of(letters)
    expected = ["".join(w) if alphabet.is_single_character else tuple(w) for w in words]
    assert [alphabet.decode(alphabet.encode(tuple(w))) for w in words] == expected
    assert alphabet.decode_batch(alphabet.encode_batch([tuple(w) for w in words])) == expected


def test_order_is_part_of_the_value():
    assert Alphabet.of("ab") != Alphabet.of("ba")
    assert Alphabet.of("ba").encode("ab").tolist() == [1, 0]


def test_longer_letters_are_split_at_white_space():
    alphabet = Alphabet.of(["a", "b0"])
    assert alphabet.encode("a b0  a").tolist() == [0, 1, 0]
    assert alphabet.show(("a", "b0")) == "a b0"
    assert alphabet.show(()) == "ε"


def test_unknown_letter_is_named_with_its_place():
    with pytest.raises(UnknownLetter, match=r"unknown letter 'x' at position 3; the alphabet is \{a, b\}"):
        Alphabet.of("ab").encode("abx")


@pytest.mark.parametrize(("letters", "message"), [(["a", "b", "a"], "'a' is declared twice"), (["a", ""], "non-empty")])
def test_bad_alphabets_are_refused(letters, message):
    with pytest.raises(ToolkitError, match=message):
        Alphabet.of(letters)


def test_empty_alphabet_has_the_empty_word_only():
    empty = Alphabet.of("")
    assert empty.encode("").tolist() == []
    assert empty.encode_batch(["", ""]).shape == (2, 0)
    with pytest.raises(UnknownLetter):
        empty.encode("a")


@pytest.mark.parametrize("batch", [np.array([0, 1]), np.array([[0.5]]), np.array([[3]]), np.array([[-1]])])
def test_arrays_that_are_no_batches_are_refused(batch):
    with pytest.raises(ToolkitError, match="a batch"):
        Alphabet.of("ab").as_batch(batch)
