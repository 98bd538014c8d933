"""The canonical JSON of automata: exact round trips, strict reading, errors that name the field."""

import json

import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import AlphabetMismatch, FormatError, TooLarge
from automata.json_format import from_json, to_json
from tests.hostile import hostile_dfas
from tests.strategies import AB, all_words

ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
VALID = {
    "format": "lookback-dfa",
    "version": 1,
    "alphabet": ["a", "b"],
    "start": 0,
    "accepting": [1],
    "transitions": [[1, 0], [1, 0]],
}


@given(hostile_dfas())
def test_round_trip_keeps_everything_and_is_plain_utf8_and_json(dfa):
    text = to_json(dfa)
    back = from_json(text.encode("utf-8"))
    assert back == dfa
    assert back.names == dfa.names
    assert to_json(back) == text
    assert json.loads(text)["alphabet"] == list(dfa.alphabet)


def test_fields_say_what_the_table_says():
    assert from_json(json.dumps(VALID)) == ENDS_WITH_A
    assert json.loads(to_json(ENDS_WITH_A)) == VALID


def test_equal_automata_give_the_same_text_however_they_were_made():
    scrambled = {**dict(reversed(VALID.items())), "accepting": [1]}
    assert to_json(from_json(json.dumps(scrambled, indent=7))) == to_json(ENDS_WITH_A)


def test_missing_transitions_lead_to_a_sink():
    partial = {**VALID, "transitions": [[1, None], [None, None]], "names": ["sink", "end"]}
    dfa = from_json(json.dumps(partial))
    assert [word for word in all_words(AB, 4) if dfa.accepts(word)] == ["a"]
    assert dfa.names == ("sink", "end", "sink'")


def test_byte_order_mark_is_left_out():
    assert from_json("\ufeff" + to_json(ENDS_WITH_A)) == ENDS_WITH_A
    assert from_json(b"\xef\xbb\xbf" + to_json(ENDS_WITH_A).encode()) == ENDS_WITH_A


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"format": "dfa"}, '"format" is "dfa"; expected "lookback-dfa"'),
        ({"version": 2}, '"version" is 2; this release reads version 1'),
        ({"version": True}, '"version" is true'),
        ({"version": 1.0}, '"version" is 1.0'),
        ({"alphabet": "ab"}, '"alphabet" is "ab"; expected a list of strings'),
        ({"alphabet": ["a", 1]}, r'"alphabet"\[1\] is 1; expected a string'),
        ({"alphabet": ["a", ""]}, '"alphabet": a letter must be a non-empty string'),
        ({"alphabet": ["a", "a"]}, "\"alphabet\": letter 'a' is declared twice"),
        ({"alphabet": ["a"]}, r'"transitions"\[0\] has 2 entries; the alphabet has 1 letters'),
        ({"start": 2}, r'"start" is 2; expected a state, 0\.\.1'),
        ({"start": -1}, '"start" is -1'),
        ({"start": True}, '"start" is true'),
        ({"start": 0.0}, '"start" is 0.0'),
        ({"start": None}, '"start" is null'),
        ({"start": [0]}, '"start" is a list of 1'),
        ({"start": 10**30}, '"start" is a huge integer'),
        ({"accepting": 1}, '"accepting" is 1; expected a list of states'),
        ({"accepting": [False]}, r'"accepting"\[0\] is false'),
        ({"accepting": [1, 1]}, '"accepting" lists state 1 twice'),
        ({"accepting": ["1"]}, r'"accepting"\[0\] is "1"'),
        ({"transitions": {}}, '"transitions" is an object; expected a list'),
        ({"transitions": []}, '"transitions" is empty'),
        ({"transitions": [[1, 0], 1]}, r'"transitions"\[1\] is 1; expected a list of 2 states'),
        ({"transitions": [[1, 0], [1, 2]]}, r'"transitions"\[1\]\[1\] is 2; expected a state or null, 0\.\.1'),
        ({"transitions": [[1, 0], [1, True]]}, r'"transitions"\[1\]\[1\] is true'),
        ({"transitions": [[1, 0], [1, 2**64]]}, r'"transitions"\[1\]\[1\] is a huge integer'),
        ({"names": ["a"]}, '"names" has 1 entries for 2 states'),
        ({"names": ["a", None]}, r'"names"\[1\] is null; expected a string'),
        ({"names": None}, '"names" is null'),
        ({"acepting": [1]}, 'unknown field "acepting"; did you mean "accepting"?'),
        ({"zzz": "x" * 10**6}, 'unknown field "zzz"; the fields are "format", '),
    ],
)
def test_a_malformed_field_is_named(changes, problem):
    with pytest.raises(FormatError, match=problem) as caught:
        from_json(json.dumps(VALID | changes), "my.json")
    assert str(caught.value).startswith("my.json: ")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("field", VALID)
def test_a_missing_field_is_named(field):
    with pytest.raises(FormatError, match=f'the field "{field}" is missing'):
        from_json(json.dumps({name: value for name, value in VALID.items() if name != field}))


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("", 1, "not JSON: Expecting value at column 1"),
        ('{"format":\n"lookback-dfa",\n}', 3, "not JSON: .* at column 1"),
        ("[]", None, "expected an object with the fields"),
        ("null", None, "expected an object"),
        ('{"start": 0, "start": 1}', None, 'the field "start" is given twice'),
        ('{"start": NaN}', None, "NaN is not a JSON value"),
        ('{"start": -Infinity}', None, "-Infinity is not a JSON value"),
        ('{"start": ' + "9" * 5000 + "}", None, "thousands of digits"),
        ("[" * 100_000, None, "nested too deep"),
        ('{"a":' * 100_000, None, "nested too deep"),
        ("{}\n{}", 2, "not JSON: Extra data"),
        (b'{"format":\n"\xff"}', 2, "byte 0xff is not UTF-8"),
        ('{"format": "lookback-dfa"}'.encode("utf-16"), 1, "byte 0xff is not UTF-8"),
    ],
)
def test_text_that_is_no_json_is_refused_with_its_line(text, line, problem):
    with pytest.raises(FormatError, match=problem) as caught:
        from_json(text)
    assert caught.value.line == line


def test_size_is_checked_before_anything_is_built():
    with pytest.raises(TooLarge, match="max_states") as caught:
        from_json(json.dumps(VALID), max_states=1)
    assert (caught.value.reached, caught.value.limit) == (2, 1)


def test_another_alphabet_than_the_given_one_is_refused():
    assert from_json(to_json(ENDS_WITH_A), alphabet=AB) == ENDS_WITH_A
    with pytest.raises(AlphabetMismatch):
        from_json(to_json(ENDS_WITH_A), alphabet=Alphabet.of("ba"))
