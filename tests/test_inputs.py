"""What people type: each kind of language, alphabet, word and length, and what each mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata import formats
from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import AlphabetMismatch, FormatError, ParseError, TooLarge, ToolkitError, UnknownLetter
from automata.minimize import minimize
from lookback.inputs import (
    parse_alphabet,
    parse_lengths,
    parse_word,
    read_language,
    read_languages,
    split_kind,
)
from tests.strategies import AB, ABC, all_words, dfas

ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])


# Alphabets


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("abc", ("a", "b", "c")),
        ("ba", ("b", "a")),
        ("", ()),
        ("b0 b1 a", ("b0", "b1", "a")),
        ("a,b0", ("a", "b0")),
        ("a, b0 ,\tc", ("a", "b0", "c")),
        ("b0,", ("b0",)),
        ('json:["a", ",", " ", "b0"]', ("a", ",", " ", "b0")),
        ("json:[]", ()),
        ("@", ("@",)),
        ("é∧", ("é", "∧")),
    ],
)
def test_alphabet_texts(text: str, letters: tuple[str, ...]) -> None:
    assert parse_alphabet(text).letters == letters


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("aba", "declared twice"),
        ("a a", "declared twice"),
        (",", "json:"),
        ("  ", "json:"),
        ("json:", "column 6"),
        ('json:["a" "b"]', "column 11"),
        ('json:{"a": 1}', "list"),
        ("json:[1]", "list"),
        ('json:[""]', "non-empty"),
        ("json:" + "[" * 100_000, "list"),
        ("@no-such-file", "no such file"),
    ],
)
def test_alphabet_mistakes(text: str, message: str) -> None:
    with pytest.raises(ToolkitError, match=message):
        parse_alphabet(text)


def test_symbol_table(tmp_path: Path) -> None:
    table = tmp_path / "letters.txt"
    table.write_text("<EPS>\t0\nb\t98\na\t97\n\n")
    assert parse_alphabet(f"@{table}").letters == ("b", "a")


@pytest.mark.parametrize("path", ["/dev/zero", ".", "missing", "a" * 5000])
def test_symbol_table_that_is_no_file(path: str) -> None:
    with pytest.raises(ToolkitError, match=f"cannot read the symbol table '{path}': .* do not put it first"):
        parse_alphabet(f"@{path}")


def test_symbol_table_names_its_bad_line(tmp_path: Path) -> None:
    table = tmp_path / "letters.txt"
    table.write_text("<EPS>\t0\nb\t98\nb\t97\n")
    with pytest.raises(FormatError, match="line 3: symbol 'b' is given twice"):
        parse_alphabet(f"@{table}")
    table.write_text("<EPS>\t0\nb\n")
    with pytest.raises(FormatError, match="line 2: expected `symbol number`"):
        parse_alphabet(f"@{table}")


def test_symbol_table_that_is_not_text(tmp_path: Path) -> None:
    table = tmp_path / "letters.txt"
    table.write_bytes(b"a\t1\n\xff\t2\n")
    with pytest.raises(FormatError, match=r"line 2: .*not UTF-8"):
        parse_alphabet(f"@{table}")


# Kinds of language


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (".*ab.*", ("regex", ".*ab.*")),
        ("regex:a.dot", ("regex", "a.dot")),
        ("ltl:P a", ("ltl", "P a")),
        ("@dyck-3", ("name", "dyck-3")),
        ("some/where.json", ("file", "some/where.json")),
        ("A.ATT", ("file", "A.ATT")),
        ("x.gv", ("file", "x.gv")),
        ("", ("regex", "")),
        ("\0", ("regex", "\0")),
    ],
)
def test_kind(text: str, kind: tuple[str, str]) -> None:
    assert split_kind(text) == kind


def test_each_kind_reads_the_same_language(tmp_path: Path) -> None:
    expected = minimize(ENDS_WITH_A)
    (tmp_path / "l.json").write_text(formats.to_json(ENDS_WITH_A))
    (tmp_path / "l.att").write_text(formats.to_att(ENDS_WITH_A))
    (tmp_path / "l.dot").write_text(formats.to_dot(ENDS_WITH_A))
    for text in [
        "(a|b)*a",
        "regex:.*a",
        "ltl:Y a",
        *(str(tmp_path / f"l.{kind}") for kind in ("json", "att", "dot")),
    ]:
        assert read_language(text, AB) == expected, text


@given(dfas(AB, max_states=5))
def test_automata_with_unreachable_or_equivalent_states_are_minimised(dfa: DFA) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "l.json")
        path.write_text(formats.to_json(dfa))
        assert read_language(str(path)) == minimize(dfa)


def test_partial_automaton_in_a_file_is_completed(tmp_path: Path) -> None:
    path = tmp_path / "l.att"
    path.write_text("0\t1\ta\ta\n1\t2\ta\ta\n2\t3\ta\ta\n1\n2\n3\n")
    dfa = read_language(str(path), AB)
    assert [word for word in all_words(AB, 5) if dfa.accepts(word)] == ["a", "aa", "aaa"]
    assert dfa.n_states == 5


def test_a_name_ending_like_a_file_is_a_file() -> None:
    with pytest.raises(FormatError, match=r"a\.dot: no such file") as caught:
        read_language("a.dot", AB)
    assert "regex:a.dot" in caught.value.__notes__[0]
    assert read_language("regex:a.dot", Alphabet.of("adot")).accepts("atdot")


def test_a_name_too_long_for_a_file_is_a_mistake() -> None:
    with pytest.raises(FormatError, match="cannot be read") as caught:
        read_language("a" * 5000 + ".json")
    assert caught.value.__notes__[0].startswith("for the regular expression write regex:aaa")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "x.json"
    folder.mkdir()
    with pytest.raises(ToolkitError, match="a directory"):
        read_language(str(folder))


def test_malformed_file_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "l.att"
    path.write_text("0\t0\ta\ta\n0\tone two three four five\n")
    with pytest.raises(FormatError, match=r"l\.att, line 2"):
        read_language(str(path), AB)
    path = tmp_path / "l.json"
    path.write_text('{"format":\n"nonsense"')
    with pytest.raises(FormatError, match=r"l\.json, line 2"):
        read_language(str(path))


# The alphabet rules


@pytest.mark.parametrize("text", [".*a", "[^a]", "~a", "()", "∅", ""])
def test_expression_that_needs_an_alphabet(text: str) -> None:
    with pytest.raises(ToolkitError, match="alphabet"):
        read_language(text)


def test_expression_takes_its_own_letters_in_code_point_order() -> None:
    assert read_language("cb*|a").alphabet.letters == ("a", "b", "c")


def test_formula_needs_an_alphabet() -> None:
    with pytest.raises(ToolkitError, match="--alphabet"):
        read_language("ltl:P a")


def test_att_needs_an_alphabet(tmp_path: Path) -> None:
    path = tmp_path / "l.att"
    path.write_text("0\t0\ta\ta\n0\n")
    with pytest.raises(ToolkitError, match="--alphabet"):
        read_language(str(path))


def test_the_alphabet_is_part_of_the_language() -> None:
    assert read_language("ltl:Y a", AB).n_states == 2
    assert read_language("ltl:Y a", ABC).alphabet == ABC


def test_file_keeps_its_alphabet(tmp_path: Path) -> None:
    path = tmp_path / "l.json"
    path.write_text(formats.to_json(ENDS_WITH_A))
    assert read_language(str(path)).alphabet == AB
    with pytest.raises(AlphabetMismatch) as caught:
        read_language(str(path), ABC)
    assert "leave --alphabet out" in caught.value.__notes__[0]


@given(dfas(ABC, max_states=4), st.permutations("abc"))
def test_a_given_alphabet_reorders_the_letters_of_a_file(dfa: DFA, order: list[str]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "l.json")
        path.write_text(formats.to_json(dfa))
        reordered = read_language(str(path), Alphabet.of(order))
    assert reordered.alphabet.letters == tuple(order)
    assert all(reordered.accepts(word) == dfa.accepts(word) for word in all_words(ABC, 4))


def test_two_expressions_are_compared_over_the_letters_of_both() -> None:
    left, right = read_languages(["a*", "(ab)*"])
    assert left.alphabet == right.alphabet == AB
    assert not left.accepts("ab")


def test_an_expression_is_compared_over_the_letters_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "l.json"
    path.write_text(formats.to_json(ENDS_WITH_A))
    left, right = read_languages([".*a", str(path)])
    assert left == right == minimize(ENDS_WITH_A)


def test_files_over_different_letters_cannot_be_compared(tmp_path: Path) -> None:
    for name, alphabet in (("ab", AB), ("ac", Alphabet.of("ac"))):
        (tmp_path / f"{name}.json").write_text(formats.to_json(DFA(alphabet, [[0, 0]], 0, [True])))
    with pytest.raises(AlphabetMismatch):
        read_languages([str(tmp_path / "ab.json"), str(tmp_path / "ac.json")])


# Degenerate languages and limits


def test_empty_alphabet() -> None:
    nothing = parse_alphabet("")
    assert read_language("", nothing).accepts("")
    assert not read_language("∅", nothing).accepts("")
    assert read_language("ltl:!P true", nothing).accepts("")


def test_letters_named_like_operators() -> None:
    dfa = read_language("ltl:Y 'P'", parse_alphabet("PYa"))
    assert dfa.accepts("aP")
    assert not dfa.accepts("PY")


def test_too_large() -> None:
    with pytest.raises(TooLarge, match="--max-states") as caught:
        read_language("(a|b)*a" + "(a|b)" * 12, max_states=500)
    assert caught.value.reached > 500 == caught.value.limit


@pytest.mark.parametrize(
    ("text", "position"),
    [("a(b", 1), ("a)b", 1), ("a|*", 2), ("[ab", 0), ("a{2", 1), ("a{3,1}", 4)],
)
def test_syntax_errors_show_the_place(text: str, position: int) -> None:
    with pytest.raises(ParseError) as caught:
        read_language(text, AB)
    assert caught.value.position == position
    assert str(caught.value).splitlines()[2] == "  " + " " * position + "^"


# Words and lengths


def test_words() -> None:
    letters = parse_alphabet("a b0")
    assert parse_word("aba", AB) == "aba"
    assert parse_word("", AB) == ""
    assert parse_word("ε", AB) == ""
    assert parse_word("ε", Alphabet.of("aε")) == "ε"
    assert parse_word(" a  b0 ", letters) == ("a", "b0")
    assert parse_word("", letters) == ()
    assert parse_word('json:["a", " "]', parse_alphabet('json:["aa", "a", " "]')) == ("a", " ")
    with pytest.raises(UnknownLetter, match="position 3"):
        parse_word("abc", AB)


@given(st.integers(0, 999), st.integers(0, 999))
def test_lengths(least: int, more: int) -> None:
    assert list(parse_lengths(f"{least}..{least + more}")) == list(range(least, least + more + 1))
    assert list(parse_lengths(str(least))) == [least]


@pytest.mark.parametrize("text", ["", "x", "-1", "3..", "..3", "3-5", "1..2..3", "5..3", "1e3", "9" * 5000])
def test_length_mistakes(text: str) -> None:
    with pytest.raises(ToolkitError, match="length"):
        parse_lengths(text)


# The names of the package


def test_every_public_name_is_found_and_none_waits_for_torch() -> None:
    import subprocess
    import sys

    script = (
        "import sys, lookback\n"
        "assert 'numpy' not in sys.modules\n"
        "names = sorted(lookback._HOME)\n"
        "assert set(names) <= set(dir(lookback))\n"
        "assert all(getattr(lookback, name) is not None for name in names)\n"
        "print(len(names), 'torch' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout == "21 False\n"


def test_unknown_public_name() -> None:
    import lookback

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = lookback.nothing


@pytest.mark.parametrize("suffix", formats.SUFFIXES)
def test_every_format_s_suffix_names_a_file(suffix: str) -> None:
    assert split_kind(f"a{suffix.upper()}") == ("file", f"a{suffix.upper()}")


@pytest.mark.parametrize(
    ("text", "letters", "hint"), [("b0b1", ["b0", "b1"], "white space parts"), ("a b", ["a", "b"], "side by side")]
)
def test_words_whose_letters_are_parted_wrongly_are_explained(text: str, letters: list[str], hint: str) -> None:
    with pytest.raises(UnknownLetter) as caught:
        parse_word(text, Alphabet.of(letters))
    assert hint in caught.value.__notes__[0]
