"""What the errors say."""

import pytest

from automata.errors import FormatError, ParseError, TooLarge, join_words, show_alphabet


def caret_column(message: str) -> tuple[str, int]:
    """The shown line and the offset in it under which the caret stands."""
    _, line, caret = message.split("\n")[:3]
    return line, caret.index("^")


@pytest.mark.parametrize("position", [0, 1, 59, 60, 61, 500, 999])
def test_the_caret_stands_under_the_character_however_long_the_line(position):
    text = "".join(chr(0x100 + i) for i in range(1000))
    line, column = caret_column(str(ParseError(text, position)))
    assert line[column] == text[position]
    assert len(line) < 140


def test_the_caret_may_stand_behind_the_end():
    line, column = caret_column(str(ParseError("(a", 2, ["')'"], "unexpected end")))
    assert (line, column) == ("  (a", 4)


def test_a_text_of_several_lines_shows_line_and_column():
    error = ParseError("a |\nb ) c\nd", 6)
    assert "line 2, column 3" in str(error)
    line, column = caret_column(str(error))
    assert (line.strip(), line[column]) == ("b ) c", ")")


def test_format_errors_name_file_and_line():
    assert str(FormatError("x.att", 3, "two letters")) == "x.att, line 3: two letters"
    assert str(FormatError("x.json", None, "not JSON")) == "x.json: not JSON"


def test_too_large_says_how_far_it_came_and_what_raises_the_limit():
    error = TooLarge("formula automaton", 1001, 1000)
    assert (error.reached, error.limit, error.option) == (1001, 1000, "max_states")
    assert "1,001" in str(error)
    assert "--max-states" in str(error)


def test_english_lists():
    assert [join_words(w, "or") for w in ("", "a", "ab", "abc")] == ["", "a", "a or b", "a, b or c"]
    assert show_alphabet(tuple("ab")) == "{a, b}"
    assert "100 letters" in show_alphabet(tuple(map(str, range(100))))


def test_too_large_names_no_option_that_the_command_line_lacks():
    assert "--max" not in str(TooLarge("bytes of a file", 9, 8, "max_bytes", on_command_line=False))
