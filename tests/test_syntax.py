"""Reading and writing formulas: precedence, sugar, three styles that are exact inverses, and errors."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.errors import ParseError, ToolkitError
from ltl.formula import (
    FALSE,
    FIRST,
    MAX_MODULUS,
    TRUE,
    And,
    Letter,
    Mod,
    Not,
    Or,
    Past,
    Since,
    Yesterday,
    historically,
    iff,
    implies,
    once,
    size,
    subformulas,
    weak_yesterday,
    yesterday_power,
)
from ltl.notation import KEYWORDS, MAX_POWER
from ltl.syntax import parse_formula, print_formula
from tests.strategies import AB, formulas

A, B, C, D = map(Letter, "abcd")
STYLES = ["ascii", "unicode", "latex"]
HOSTILE = [
    *KEYWORDS,
    *"'\"\\{}()[]<>=!~&|^$;:-_.,#% \t\n\r\0¬∧∨→↔≤⊤⊥é7",
    *[
        "YYa",
        "MOD(1,2)",
        "MODE",
        "aP",
        "P a",
        "it's",
        "->",
        "<=",
        ":=",
        "$1",
        "10",
        "b0",
        "été",
        "e\u0301",
        "\u200b",
        "\ud800",
        "\U0001f600",
    ],
    *[r"\text{a}", r"\n", r'\char"41{}', r"\textbackslash{}", r"\varphi_{1}", r"\mathrm{P}", "_{", "a\\", "\\'", "''"],
]

any_letter = st.sampled_from(HOSTILE) | st.text(
    st.characters(codec=None, exclude_categories=[]), min_size=1, max_size=4
)


def extended(inner):
    """Formulas one operator larger, the sugar among them."""
    return st.one_of(
        st.builds(Not, inner),
        st.builds(And, inner, inner),
        st.builds(Or, inner, inner),
        st.builds(Since, inner, inner),
        st.builds(Past, inner),
        st.builds(Yesterday, inner, st.sampled_from([1, 2, 10**12])),
        st.builds(historically, inner),
        st.builds(once, inner),
        st.builds(weak_yesterday, inner, st.integers(1, 3)),
        st.builds(implies, inner, inner),
        st.builds(iff, inner, inner),
        st.builds(yesterday_power, inner, st.integers(0, 6)),
    )


any_formula = st.recursive(
    st.sampled_from([TRUE, FALSE, FIRST, A, B, Mod(0, 1), Mod(2, 3), Mod(-1, MAX_MODULUS)]) | any_letter.map(Letter),
    extended,
    max_leaves=10,
)


# Reading back what was written.


@pytest.mark.parametrize("style", STYLES)
@given(f=any_formula)
def test_reading_what_was_written_gives_the_same_formula(style, f):
    text = print_formula(f, style)
    assert parse_formula(text) is f
    letters = sorted({g.letter for g in subformulas(f) if isinstance(g, Letter)})
    assert parse_formula(text, Alphabet.of([*letters, "another"])) is f


@pytest.mark.parametrize("style", STYLES)
@given(f=formulas(AB, since=True, modulus=3, max_leaves=60))
def test_reading_large_formulas_back(style, f):
    assert parse_formula(print_formula(f, style), AB) is f


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("letter", HOSTILE)
def test_every_letter_has_a_spelling(style, letter):
    f = Past(Letter(letter)) & ~Letter(letter)
    assert parse_formula(print_formula(f, style)) is f
    assert parse_formula(print_formula(f, style), Alphabet.of([letter])) is f


@given(any_formula, any_formula, st.sampled_from(STYLES), st.sampled_from(STYLES))
def test_styles_may_be_mixed(f, g, left, right):
    text = f"({print_formula(f, left)}) -> \\mathrm{{P}} ({print_formula(g, right)})"
    if "$" not in text and "varphi" not in text:
        assert parse_formula(text) is implies(f, Past(g))


# Precedence.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("!P a & P b", And(Not(Past(A)), Past(B))),
        ("P a & b", And(Past(A), B)),
        ("Y<=2 a | b", Or(Yesterday(A, 2), B)),
        ("Y^2 a | b", Or(yesterday_power(A, 2), B)),
        ("!a S P b & c", And(Since(Not(A), Past(B)), C)),
        ("P (a S b)", Past(Since(A, B))),
        ("!MOD(1,2) & Y MOD(0,2) S a", And(Not(Mod(1, 2)), Since(Yesterday(Mod(0, 2)), A))),
        ("a & b & c", And(And(A, B), C)),
        ("a | b & c", Or(A, And(B, C))),
        ("a | b | c", Or(Or(A, B), C)),
        ("a -> b -> c", implies(A, implies(B, C))),
        ("a | b -> c & d", implies(Or(A, B), And(C, D))),
        ("a <-> b <-> c", iff(iff(A, B), C)),
        ("a -> b <-> c -> d", iff(implies(A, B), implies(C, D))),
    ],
)
def test_h01_precedence(text, expected):
    assert parse_formula(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T & true & ⊤ & \\top", And(And(And(TRUE, TRUE), TRUE), TRUE)),
        ("false | ⊥ | \\bot", Or(Or(FALSE, FALSE), FALSE)),
        ("first", FIRST),
        ("~a && !b || ¬c", Or(And(Not(A), Not(B)), Not(C))),
        ("a => b", implies(A, B)),
        ("a ∧ b ∨ c → d ↔ a", iff(implies(Or(And(A, B), C), D), A)),
        (r"\lnot a \wedge \neg b \vee c \implies d \iff a", iff(implies(Or(And(Not(A), Not(B)), C), D), A)),
        (r"a \land b \lor c \rightarrow d \leftrightarrow a", iff(implies(Or(And(A, B), C), D), A)),
        (r"\mathrm{P} a \to \mathrm{Y}_{\leq 2} b", implies(Past(A), Yesterday(B, 2))),
        (r"\left( Y_{\le 2} \mathsf{Y} a \right) \; \mathrm{S} \, \operatorname{H} b", None),
        ("Y≤2 a & Y <= 2 b & Y_{≤ 2} c", And(And(Yesterday(A, 2), Yesterday(B, 2)), Yesterday(C, 2))),
        ("Y^3 a & Y^{3} b & Y^0 c & Y^1 d", None),
        ("Z a & Z<=2 a & O a & H a", None),
        ("Y<=2 1 & Y^1 0", And(Yesterday(Letter("1"), 2), Yesterday(Letter("0")))),
        ("'a' & \"b\" & \\text{c}", And(And(A, B), C)),
        ("a\n  & b\t& c\n", And(And(A, B), C)),
        ("% | + | é | été", Or(Or(Or(Letter("%"), Letter("+")), Letter("é")), Letter("été"))),
        ("$1 := P a; $2 := Y $1 & b; $2 | P $2", None),
        ("$7 := a; $07 & $7", And(A, A)),
        (r"\varphi_{1} := P a; \varphi_{1} \land $1", And(Past(A), Past(A))),
    ],
)
def test_spellings(text, expected):
    by_hand = {
        r"\left(": Since(Yesterday(Yesterday(A), 2), historically(B)),
        "Y^3 a": conjunction_of(yesterday_power(A, 3), yesterday_power(B, 3), C, Yesterday(D)),
        "Z a &": conjunction_of(weak_yesterday(A), weak_yesterday(A, 2), once(A), historically(A)),
        "$1 :=": once(Yesterday(Past(A)) & B),
    }
    wanted = expected or next(f for start, f in by_hand.items() if text.startswith(start))
    assert parse_formula(text) is wanted


def conjunction_of(first, *others):
    for f in others:
        first = And(first, f)
    return first


@pytest.mark.parametrize(
    "text",
    [
        "!P a & P b",
        "P a -> P b -> c",
        "(P a -> P b) -> c",
        "a <-> b",
        "!a | b | c",
        "c | (a -> b)",
        "Z a",
        "Z<=3 a",
        "H (a & b) S c",
        "(a S b) S c",
        "first",
        "!first",
        "!P false",
        "!Y false",
        "false | a",
        "O Y a | b",
        "Y Y a",
        "Y^12 a",
        "Y<=2 Y^3 (a | b)",
        "'P' & 'a b' & '10' & b0",
        "MOD(1,2) & !MOD(2,3) | P (a & MOD(0,1))",
        "'MOD' & ','",
    ],
)
def test_what_people_write_is_written_back(text):
    assert print_formula(parse_formula(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "MOD(2,3)",
        "MOD ( 2 ,\t3\n)",
        "MOD(5,3)",
        "MOD(02,0003)",
        r"\mathrm{MOD}(2,3)",
        r"\operatorname{MOD}\left(2,\, 3\right)",
    ],
)
def test_residues_are_read_with_space_and_reduced(text):
    assert parse_formula(text) is parse_formula(text, AB) is Mod(2, 3)
    assert [print_formula(parse_formula(text), style) for style in STYLES] == [
        "MOD(2,3)",
        "MOD(2,3)",
        r"\mathrm{MOD}(2,3)",
    ]


def test_a_letter_named_like_the_predicate_is_quoted_and_the_comma_stays_a_letter():
    alphabet = Alphabet.of(["MOD", ",", "1"])
    assert parse_formula("'MOD' & MOD(1,2) | ,", alphabet) is (Letter("MOD") & Mod(1, 2)) | Letter(",")
    with pytest.raises(ParseError, match="unquoted, MOD is no letter; the letter is written 'MOD'"):
        parse_formula("MOD & 1", alphabet)


def test_unknown_style_is_refused():
    with pytest.raises(ToolkitError, match="ascii, unicode, latex"):
        print_formula(A, "html")


# Sharing.


@pytest.mark.parametrize("style", STYLES)
def test_shared_formulas_are_written_once(style):
    f = A
    for k in range(200):
        f = Past(f & B) | Yesterday(f, 2 + k % 3)
    text = print_formula(f, style)
    assert len(text) < 60 * size(f)
    assert parse_formula(text) is f


def test_small_or_little_shared_formulas_need_no_definitions():
    shared = Past(A) & B
    assert print_formula(shared | Yesterday(shared)) == "P a & b | Y (P a & b)"
    wide = " | ".join(f"P (a{i} & b)" for i in range(1000))
    assert print_formula(parse_formula(wide)) == wide


def test_runs_of_yesterday_are_written_with_their_number():
    text = " & ".join(f"Y^{n} true" for n in range(3, 100))
    assert print_formula(parse_formula(text)) == text
    for n in (MAX_POWER - 1, MAX_POWER, MAX_POWER + 1, 3 * MAX_POWER + 2):
        f = yesterday_power(A, n)
        assert parse_formula(print_formula(f)) is f
        assert len(print_formula(f)) < 40


# Depth and length.


def test_h08_deep_and_long_formulas():
    n = 5_000
    cases = [
        "!" * n + "P a",
        "(" * 3_000 + "P a" + ")" * 3_000,
        " & ".join(["P a"] * n),
        "(P a & " * n + "b" + ")" * n,
        "P " * n + "a",
        "a -> " * 1_000 + "b",
        "(a S " * 1_000 + "b" + ")" * 1_000,
        "".join(f"${i + 1} := P ${i} & a; " if i else "$1 := a; " for i in range(1_000)) + "$1000",
    ]
    for text in cases:
        f = parse_formula(text)
        assert parse_formula(print_formula(f)) is f
    for style in ("unicode", "latex"):
        f = parse_formula(cases[0])
        assert parse_formula(print_formula(f, style)) is f
    assert parse_formula(cases[1]) is Past(A)


# Letters that are operators.


def test_h07_letters_that_are_keywords_are_reached_by_quoting():
    alphabet = Alphabet.of("PYTa")
    assert parse_formula("P 'P' & Y 'Y' | 'T'", alphabet) is Or(
        And(Past(Letter("P")), Yesterday(Letter("Y"))), Letter("T")
    )
    assert parse_formula("T", alphabet) is TRUE
    assert parse_formula("true & 'true' & x", Alphabet.of(["true", "x"])) is And(And(TRUE, Letter("true")), Letter("x"))
    for text in ("P", "P & Y", "a & Y", "a T"):
        with pytest.raises(ParseError, match=r"the letter is written '[PYT]'"):
            parse_formula(text, alphabet)


def test_h07_operators_without_spaces_are_never_reread():
    for alphabet in (None, AB, Alphabet.of("PYTa")):
        with pytest.raises(ParseError, match="write Y Y a"):
            parse_formula("YYa", alphabet)
    assert parse_formula("YYa", Alphabet.of(["YYa", "a"])) is Letter("YYa")
    assert parse_formula("'YYa'") is Letter("YYa")
    with pytest.raises(ParseError, match="write P P x"):
        parse_formula("PP x")


# Errors.


def test_an_unknown_operator_is_told_from_a_missing_one():
    with pytest.raises(ParseError, match=r"'F' is neither letter nor operator at column 1; .* all look back"):
        parse_formula("F a", AB)
    with pytest.raises(ParseError, match="'F' is neither letter nor operator at column 6"):
        parse_formula("P a &F b", AB)


@pytest.mark.parametrize(
    ("text", "position", "complaint"),
    [
        ("", 0, "empty formula"),
        (" \n ", 0, "empty formula"),
        ("a &", 3, "ends too early at column 4; expected a letter"),
        ("a & ", 3, "ends too early"),
        ("P", 1, "ends too early"),
        ("P \\ ", 1, "ends too early"),
        ("\\quad", 0, "ends too early"),
        ("& a", 0, "unexpected '&'"),
        ("a | & b", 4, "unexpected '&' at column 5"),
        ("a\n& & b", 4, "line 2, column 3"),
        ("a b", 2, "'b' follows a formula without an operator between them"),
        ("a P b", 2, "'P' follows a formula"),
        ("(a) (b)", 4, "follows a formula"),
        ("()", 1, "nothing between the parentheses"),
        ("(a & (b | c)", 0, r"unclosed '\('"),
        ("(a & (b", 5, r"unclosed '\(' at column 6"),
        ("a)", 1, r"'\)' closes nothing"),
        ("a S b S c", 6, "chained S"),
        ("Y<=0 a", 3, "number out of range at column 4; expected a number from 1 to"),
        ("Y<=" + "9" * 5_000 + " a", 3, "out of range"),
        ("Y^99999 a", 2, "expected a number from 0 to 10,000"),
        ("Y<= a", 4, "expected a number"),
        ("Y_{2} a", 3, "expected <="),
        ("Y_{<=2 a", 7, "expected '}'"),
        ("Y<=2", 4, "ends too early"),
        ("P<=2 a", 1, "only Y and Z take a window"),
        ("a <= 2", 2, "a window belongs to Y or Z"),
        ("MOD", 3, r"ends too early at column 4; expected '\('"),
        ("MOD & a", 4, r"unexpected '&' at column 5; expected '\('"),
        ("MOD()", 4, r"unexpected '\)' at column 5; expected a number"),
        ("MOD(a,2)", 4, "unexpected 'a' at column 5; expected a number"),
        ("MOD(1)", 5, r"unexpected '\)' at column 6; expected ','"),
        ("MOD(1 2)", 6, "unexpected '2' at column 7; expected ','"),
        ("MOD(1,", 6, "ends too early at column 7; expected a number"),
        ("(a & MOD(1,2", 12, r"ends too early at column 13; expected '\)'"),
        ("MOD(1,2 ;", 8, r"unexpected ';' at column 9; expected '\)'"),
        ("MOD(1,2,3)", 7, r"unexpected ',' at column 8; expected '\)'"),
        ("MOD(1,0)", 6, "out of range at column 7; expected a number from 1 to 1,000,"),
        ("MOD(-1,2)", 4, "expected a number"),
        (r"\mathrm{MOD}(1, -2)", 16, "expected a number"),
        ("MOD(1," + "9" * 100_000 + ")", 6, "out of range"),
        ("MOD(" + "9" * 100_000 + ",2)", 4, "out of range"),
        ("MOD(1,2) a", 9, "follows a formula"),
        ("MODE", 0, "may be one letter or several words"),
        ("$3 & a", 0, r"\$3 is not defined"),
        ("$1 := $1; a", 6, r"\$1 is not defined"),
        ("$1 := a", 7, "ends inside a definition"),
        ("$1 := (a; a", 8, r"unexpected ';' at column 9; expected an operator such as & or -> or '\)'"),
        ("$1 := a; $1 := b; $1", 9, "defined twice"),
        ("a; b", 1, "unexpected ';'"),
        ("a & $1 := b", 4, "unexpected"),
        ("$x", 0, r"\$ and a number"),
        ("'a", 0, "unclosed quote"),
        ('a & "', 4, "unclosed quote"),
        ("''", 1, "empty quotes"),
        (r"'a\q'", 2, "unknown escape"),
        (r"'\u{110000}'", 1, "no character has the number 110000"),
        (r"\text{a", 0, "unreadable"),
        (r"\text{}", 6, "empty quotes"),
        (r"\text{\a}", 0, "unreadable"),
        (r"a \foo b", 2, r"unknown command \\foo"),
        ("a = b", 2, "write '=' for the letter"),
        ("01", 0, "01 is no letter"),
        ("aPb", 0, "may be one letter or several words"),
    ],
)
def test_errors_point_at_the_fault(text, position, complaint):
    with pytest.raises(ParseError, match=complaint) as caught:
        parse_formula(text)
    assert caught.value.position == position


def test_letters_outside_the_alphabet_are_named_with_the_nearest():
    with pytest.raises(ParseError, match="unknown letter 'c' at column 5"):
        parse_formula("a & c", AB)
    with pytest.raises(ParseError, match="did you mean 'b 0'"):
        parse_formula("b0", Alphabet.of(["a", "b 0"]))
    with pytest.raises(ParseError, match=r"the alphabet is \{\}"):
        parse_formula("a", Alphabet.of(""))


def test_numbers_of_definitions_may_be_of_any_size():
    number = "9" * 5000  # more digits than Python turns into an integer
    assert parse_formula(f"${number} := P a; ${number} & $0{number}") is parse_formula("P a & P a")
    with pytest.raises(ParseError, match=f"{number} is not defined"):
        parse_formula(f"${number}")


def parsed(text):
    try:
        return parse_formula(text)
    except ParseError as error:
        return error


PIECES = [*"abPYS!&|()<>=-^$1;:'\\{}_, \n", "->", "Y<=2", "MOD", "MOD(1,2", "2)", ":=", r"\text{", r"\mathrm{P}"]


@given(st.lists(st.sampled_from(PIECES), max_size=15).map("".join))
def test_any_text_is_a_formula_or_a_parse_error(text):
    outcome = parsed(text)
    if isinstance(outcome, ParseError):
        assert 0 <= outcome.position <= len(text)
    else:
        assert parse_formula(print_formula(outcome)) is outcome


def test_output_does_not_depend_on_the_hash_seed():
    program = (
        "from ltl.syntax import *\n"
        "from automata.alphabet import Alphabet\n"
        "from ltl.compile import formula_to_dfa\n"
        "f = parse_formula('$1 := P (a & Y b) | c; $2 := $1 <-> Y<=2 $1; $3 := $2 S $1 & P $2; $3 | Y $3 & O Y $2')\n"
        "print(*(print_formula(f, style) for style in ('ascii', 'unicode', 'latex')))\n"
        "print(formula_to_dfa(f, Alphabet.of('abc')))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONIOENCODING": "utf-8",
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1
