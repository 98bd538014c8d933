"""JSON objects read strictly; the formats' own tests have the texts that are refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.errors import FormatError
from automata.json_object import check_fields, quote_names, read_object, show_value

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), values))
def test_every_json_object_is_read_as_python_reads_it(fields):
    assert read_object(json.dumps(fields), "text") == fields


@pytest.mark.parametrize(
    "text", ['{"a": {"b": 1, "b": 1}}', '{"a": [NaN]}', '{"a": {"b": -Infinity}}', "3", '"a"', "[{}]"]
)
def test_what_is_no_strict_object_is_refused_however_deep(text):
    with pytest.raises(FormatError, match=r"^my\.json"):
        read_object(text, "my.json")


@given(st.sets(st.sampled_from("abcd")))
def test_fields_are_those_required_and_some_that_are_optional(names):
    fields = dict.fromkeys(names)
    if {"a", "b"} <= names <= {"a", "b", "c"}:
        check_fields(fields, ["a", "b"], "text", optional=["c"])
    else:
        with pytest.raises(FormatError, match="missing" if not {"a", "b"} <= names else 'unknown field "d"'):
            check_fields(fields, ["a", "b"], "text", optional=["c"])


def test_messages_name_the_object_and_the_likely_field():
    with pytest.raises(FormatError, match='f: "shape": the field "heads" is missing'):
        check_fields({}, ["heads"], "f", where="shape")
    with pytest.raises(FormatError, match=r'f: unknown field "haeds"; did you mean "heads"\?'):
        check_fields({"heads": 1, "haeds": 1}, ["heads"], "f")


@given(values)
def test_values_are_shown_in_short(value):
    assert len(show_value(value)) <= 43


def test_names_are_joined_as_in_english():
    assert quote_names("abc") == '"a", "b" and "c"'
