"""Labels: whatever the letters and names are, they are read back from the text that people see."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.labels import read_letters, read_name, show_letters, show_name
from tests.hostile import texts


@given(st.lists(texts, max_size=6))
def test_letters_are_read_back(letters):
    label = show_letters(letters)
    assert read_letters(label) == letters
    assert label.isprintable()


@given(st.just("") | texts)
def test_names_are_read_back(name):
    assert read_name(show_name(name)) == name
    assert show_name(name).isprintable()


@given(st.lists(st.sampled_from(["a", "b0", "é", "\\", "->"]), min_size=1), st.sampled_from([",", " , ", "\n", ",\n "]))
def test_lists_by_hand_are_read_with_any_spacing(letters, separator):
    assert read_letters(f" {separator.join(letters)} ") == letters


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("", []),
        (" \n", []),
        (",", [","]),
        (" , ", [","]),
        ('"', ['"']),
        ('"a', ['"a']),
        ('"\\x"', ['"\\x"']),
        ("a b", ["a b"]),
    ],
)
def test_odd_labels(text, letters):
    assert read_letters(text) == letters


@pytest.mark.parametrize("text", ["a,", ",a", "a,,b", ",,", '"",a'])
def test_a_missing_letter_is_refused(text):
    with pytest.raises(ValueError, match="a letter is missing"):
        read_letters(text)
