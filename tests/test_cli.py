"""The command line: what each command prints, its exit status, and what it says to each mistake."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from automata.alphabet import Alphabet
from automata.formats import from_att, from_dot, from_json
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from lookback.cli import app
from lookback.inputs import read_language
from ltl.compile import formula_to_dfa
from ltl.formula import depth, size
from ltl.fragment import LTL_P, LTL_PY, LTL_Y, fragment_of
from ltl.syntax import parse_formula
from tests.strategies import AB

CONTAINS_AB = ".*ab.*"
PATTERNS = {"global": "LTL[P]", "local-1": "LTL[Y]", "hybrid-1": "LTL[P,Y]"}
FRAGMENTS = {"LTL[P]": LTL_P, "LTL[Y]": LTL_Y, "LTL[P,Y]": LTL_PY}


def run(*arguments: str, stdin: str | None = None) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, list(arguments), input=stdin)


def run_json(*arguments: str, stdin: str | None = None, status: int = 0) -> object:
    result = run(*arguments, "--json", stdin=stdin)
    assert result.exit_code == status, result.output
    return json.loads(result.stdout)


def mistake(*arguments: str, stdin: str | None = None) -> str:
    """Run a command that must refuse its input; return what it says."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


def python(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run Python with arguments in a process of its own."""
    return subprocess.run(
        [sys.executable, *arguments],
        input=stdin,
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
    )


# classify


def check_classification(found: object, alphabet: Alphabet, language: str) -> None:
    """Check the JSON of `classify` against the language's own automaton, certificates included."""
    dfa = regex_to_dfa(language, alphabet)
    assert isinstance(found, dict)
    assert found["alphabet"] == list(alphabet)
    assert found["states"] == dfa.n_states
    assert set(FRAGMENTS) <= set(found["fragments"])
    for name, fragment in FRAGMENTS.items():
        verdict = found["fragments"][name]
        certificate = verdict["certificate"]
        if verdict["holds"]:
            assert certificate["kind"] == "formula"
            formula = parse_formula(certificate["formula"], alphabet)
            assert fragment_of(formula) <= fragment
            assert formula_to_dfa(formula, alphabet) == dfa
            assert (certificate["depth"], certificate["size"]) == (depth(formula), size(formula))
        else:
            assert verdict["holds"] is False
            assert certificate["kind"] == "pumping"
            assert [pair["n"] for pair in certificate["pairs"]][:2] == [1, 2]
            for pair in certificate["pairs"]:
                assert dfa.accepts(pair["inside"])
                assert not dfa.accepts(pair["outside"])
    fragments = found["fragments"]
    for name, logic in PATTERNS.items():
        assert found["architectures"][name] == fragments[logic]["holds"]
    assert {"star-free", "locally testable"} <= set(found["varieties"])


@pytest.mark.parametrize(
    ("language", "letters", "expected", "star_free", "locally_testable"),
    [  # global, local, hybrid; the table of known languages
        (CONTAINS_AB, "abc", (False, False, True), True, True),
        (CONTAINS_AB, "ab", (True, False, True), True, True),
        (".*a", "ab", (False, True, True), True, True),
        ("a.*", "ab", (True, False, True), True, True),
        ("(ab)*", "ab", (False, False, True), True, True),
        ("(a(ab)*b)*", "ab", (False, False, False), True, False),
        ("(aa)*", "a", (False, False, False), False, False),
        ("∅", "ab", (True, True, True), True, True),
        ("()", "ab", (True, True, True), True, True),
        (".*", "ab", (True, True, True), True, True),
    ],
)
def test_classify_json(
    language: str, letters: str, expected: tuple[bool, bool, bool], star_free: bool, locally_testable: bool
) -> None:
    found = run_json("classify", language, "--alphabet", letters)
    check_classification(found, Alphabet.of(letters), language)
    assert isinstance(found, dict)
    assert tuple(found["architectures"][name] for name in PATTERNS) == expected
    assert set(found["least depths"]) == {
        name for name, verdict in found["fragments"].items() if verdict["holds"] and "MOD" not in name
    }
    for name, bounds in found["least depths"].items():
        assert bounds["at_least"] <= bounds["at_most"] <= found["fragments"][name]["certificate"]["depth"]
    assert _variety(found, "star-free") is star_free
    assert _variety(found, "locally testable") is locally_testable


def _variety(found: Mapping[str, object], name: str) -> object:
    varieties = found["varieties"]
    assert isinstance(varieties, dict)
    entry = varieties[name]
    return entry["holds"] if isinstance(entry, dict) else entry


def test_classify_over_the_empty_alphabet() -> None:
    for language in ("", "∅"):
        found = run_json("classify", language, "--alphabet", "")
        assert isinstance(found, dict)
        assert found["alphabet"] == []
        assert found["states"] == 1
        assert {name for name, can in found["architectures"].items() if can is not True} == {
            *(
                f"{kind}-{positions}"
                for positions in ("learned", "sinusoidal", "rotary")
                for kind in ("global", "hybrid")
            ),
            "local-learned",
            "local-sinusoidal",
        }


def test_classify_with_long_letters() -> None:
    found = run_json("classify", "@rdp-1")
    assert isinstance(found, dict)
    pairs = found["fragments"]["LTL[P]"]["certificate"]["pairs"]
    assert all(isinstance(pair["inside"], list) for pair in pairs)


def test_classify_for_people() -> None:
    result = run("classify", CONTAINS_AB, "--alphabet", "abc")
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["global", "no", "LTL[P]", "theorem"] in lines
    assert ["local-1", "no", "LTL[Y]", "theorem"] in lines
    assert ["hybrid-1", "yes", "LTL[P,Y]", "theorem"] in lines
    assert ["hybrid-2", "yes", "LTL[P,Y<=2]", "theorem"] in lines
    assert ["hybrid-3", "no", "LTL[P,Y<=3]", "theorem"] in lines
    assert "3 states" in result.stdout
    assert "star-free" in result.stdout


def test_classify_decides_the_windows_asked_for() -> None:
    found = run_json("classify", "ltl:!P (b & Y b)", "--alphabet", "ab", "--windows", "2..3")
    assert isinstance(found, dict)
    assert [found["fragments"][f"LTL[P,Y<={k}]"]["holds"] for k in (2, 3)] == [True, False]
    assert "LTL[Y<=4]" not in found["fragments"]
    assert (found["architectures"]["hybrid-2"], found["architectures"]["hybrid-3"]) == (True, False)
    assert "window of 0" in mistake("classify", "ab", "--windows", "0")
    assert "no length" in mistake("classify", "ab", "--windows", "few")


def test_a_monoid_past_its_limit_leaves_what_the_automaton_says() -> None:
    found = run_json("classify", ".*a.{4}", "-a", "ab", "--max-elements", "10", "--windows", "none")
    assert isinstance(found, dict)
    assert found["varieties"]["definite"] is True
    assert found["varieties"]["strictly local"] is True
    assert found["varieties"]["group"] is None
    assert found["bounds"]["group"] == "not computed: monoid larger than 10 (--max-elements)"
    assert (found["circuit class"], found["monoid"]) == (None, None)
    shown = run("classify", ".*a.{4}", "-a", "ab", "--max-elements", "10", "--windows", "none").stdout
    assert "not computed: monoid larger" in shown


# satisfies, eggbox


def test_satisfies() -> None:
    assert run("satisfies", CONTAINS_AB, "x^w x = x^w", "-a", "abc").stdout == "yes\n"
    assert run_json("satisfies", CONTAINS_AB, "x^w x = x^w", "-a", "abc") == {"satisfied": True, "violation": None}
    found = run_json("satisfies", CONTAINS_AB, "(xy)^w x = (xy)^w", "-a", "abc", status=1)
    assert isinstance(found, dict)
    violation = found["violation"]
    words = [violation["before"] + violation[side] + violation["after"] for side in ("left", "right")]
    assert len({"ab" in word for word in words}) == 2
    shown = run("satisfies", CONTAINS_AB, "(xy)^w x = (xy)^w", "-a", "abc")
    assert shown.exit_code == 1
    assert "exactly one of the two words is in the language" in shown.stdout
    assert run("satisfies", ".*a", "xy = yx", "-a", "ab", "--on", "local").exit_code == 0
    assert run("satisfies", "(..)*", "x = x^w", "-a", "ab", "--on", "stable").exit_code == 0
    assert run("satisfies", "(..)*", "x = x^w", "-a", "ab").exit_code == 1


@pytest.mark.parametrize(
    ("equation", "column"), [("(xy)^w x = (xy", 15), ("x)y = x", 2), ("xy", 3), ("x + y = x", 3), ("x^z = x", 3)]
)
def test_a_bad_equation_is_shown_with_a_caret(equation: str, column: int) -> None:
    said = mistake("satisfies", "ab", equation)
    shown, caret = said.splitlines()[1:3]
    assert shown == f"  {equation}"
    assert f"column {caret.index('^') - 1}" in said
    assert caret.index("^") - 2 <= column


def test_eggbox() -> None:
    text = run("eggbox", CONTAINS_AB, "-a", "abc").stdout
    assert "*ab" in text
    assert text.count("D0") >= 1
    assert run("eggbox", CONTAINS_AB, "-a", "abc", "--to", "svg").stdout.startswith("<svg")
    assert "<table" in run("eggbox", CONTAINS_AB, "-a", "abc", "--to", "html").stdout
    assert "--max-drawn" in mistake("eggbox", CONTAINS_AB, "-a", "abc", "--max-drawn", "1")


def test_classify_draws(tmp_path: Path) -> None:
    picture = tmp_path / "l.svg"
    assert run("classify", "ab", "--svg", str(picture)).exit_code == 0
    assert "<svg" in picture.read_text()
    assert "cannot write" in mistake("classify", "ab", "--svg", str(tmp_path / "no" / "l.svg"))


def test_classify_never_loads_torch() -> None:
    script = (
        "import sys\nfrom lookback.cli import app\n"
        f"try: app(['classify', '{CONTAINS_AB}', '--alphabet', 'abc'])\n"
        "except SystemExit as e: assert e.code == 0\n"
        "print('torch' in sys.modules)"
    )
    result = python("-c", script)
    assert result.stdout.splitlines()[-1] == b"False", result.stderr


def test_h22_classify_is_the_same_under_every_hash_seed() -> None:
    arguments = ("-m", "lookback", "classify", "(ab|cd)*(e|fg)*", "--json")
    outputs = [python(*arguments, PYTHONHASHSEED=str(seed)).stdout for seed in range(4)]
    assert len(outputs[0]) > 500
    assert len(set(outputs)) == 1


# compile


@pytest.mark.parametrize("formula", ["P a & !Y b", "ltl:P a & !Y b"])
def test_compile(formula: str) -> None:
    expected = formula_to_dfa(parse_formula("P a & !Y b", AB), AB)

    def written(to: str) -> str:
        result = run("compile", formula, "--alphabet", "ab", "--to", to)
        assert result.exit_code == 0, result.output
        return result.stdout

    assert from_json(written("json")) == expected
    assert run("compile", formula, "--alphabet", "ab", "--json").stdout == written("json")
    assert minimize(from_att(written("att"), AB)) == expected
    assert minimize(from_dot(written("dot"))) == expected
    assert regex_to_dfa(written("regex").strip(), AB) == expected
    assert "<svg" in written("svg")


def test_h08_deep_nesting() -> None:
    for text in ("(" * 5000 + "a" + ")" * 5000, "~" * 5000 + "a", "(" * 2500 + "a" + "|a)" * 2500):
        found = run_json("classify", text, "--alphabet", "ab")
        assert isinstance(found, dict)
        assert found["states"] == 3


def test_h08_compile_five_thousand_negations() -> None:
    result = run("compile", "!" * 5000 + "P a", "--alphabet", "ab")
    assert result.exit_code == 0
    assert from_json(result.stdout).n_states == 2


def test_compile_beyond_the_limit_says_how_far_it_came() -> None:
    formula = "Y " * 12 + "a"
    said = mistake("compile", formula, "--alphabet", "ab", "--max-states", "500")
    assert "limit of 500" in said
    assert "--max-states" in said
    result = run("compile", formula, "--alphabet", "ab", "--max-states", "10000")
    assert from_json(result.stdout).n_states == 4096


# distinguish


def test_every_limit_on_the_command_line_is_an_option_that_raises_it(tmp_path: Path) -> None:
    """Each limit is reached with the least value and named; with the default the answer comes."""
    cases = {
        "--max-states": ("classify", ".*a.{4}", "-a", "ab"),
        "--max-size": ("compile", "Y Y Y a", "-a", "ab", "--to", "regex"),
        "--max-drawn": ("compile", "Y Y Y a", "-a", "ab", "--to", "svg"),
        "--max-elements": ("classify", ".*a.{4}", "-a", "ab"),
        "--max-cells": ("classify", ".*a.{4}", "-a", "ab"),
        "--max-pairs": ("classify", "(abc)*"),
        "--max-cases": ("classify", ".*a.{4}", "-a", "ab"),
    }
    for option, arguments in cases.items():
        limited = run(*arguments, option, "1")
        free = run(*arguments)
        assert free.exit_code == 0
        assert "the limit of" not in free.output
        assert option in limited.output.replace("\n", "").replace(" ", ""), (option, limited.output)
        assert limited.exit_code == (2 if option in ("--max-states", "--max-size", "--max-drawn") else 0)


def test_distinguish() -> None:
    result = run("distinguish", "(ab)*", "a(ba)*b")
    assert result.exit_code == 1
    assert result.stdout == "they differ: ε is in the left one, (ab)*, and not in a(ba)*b\n"
    assert run_json("distinguish", "(ab)*", "a(ba)*b", status=1) == {"equal": False, "word": "", "in": "left"}
    assert run_json("distinguish", "a", "a|b", status=1) == {"equal": False, "word": "b", "in": "right"}
    assert run("distinguish", "(ab)*", "()|a(ba)*b").stdout == "equal\n"
    assert run_json("distinguish", "a", "a|a") == {"equal": True, "word": None, "in": None}


def test_h06_windows_do_not_compose() -> None:
    found = run_json("distinguish", "ltl:Y<=2 Y<=2 a", "ltl:Y<=4 a", "--alphabet", "ab", status=1)
    assert found == {"equal": False, "word": "a", "in": "right"}


# accepts


def test_accepts() -> None:
    result = run("accepts", ".*a", "a", "", "ab", "--alphabet", "ab")
    assert result.exit_code == 1
    assert result.stdout == "a\tyes\nε\tno\nab\tno\n"
    assert run("accepts", ".*a", "a", "ba", "--alphabet", "ab").exit_code == 0
    assert run_json("accepts", "a*", "", "aa") == {
        "words": [{"word": "", "accepted": True}, {"word": "aa", "accepted": True}]
    }


def test_accepts_reads_standard_input() -> None:
    words = ["".join(letters) for n in range(8) for letters in product("ab", repeat=n)]
    result = run("accepts", "(ab*)*", stdin="\n".join(words) + "\r\n")
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert [word for word, _ in rows] == ["ε", *words[1:]]
    assert all((answer == "yes") == (word in ("", "ε") or word[0] == "a") for word, answer in rows)
    assert run("accepts", "a", stdin="").exit_code == 0


def test_accepts_long_letters() -> None:
    found = run_json("accepts", "ltl:Y b0", "a b0", "--alphabet", "a b0")
    assert found == {"words": [{"word": ["a", "b0"], "accepted": True}]}


def test_accepts_names_the_unknown_letter() -> None:
    said = mistake("accepts", "a*", "aa", "ab")
    assert "unknown letter 'b' at position 2" in said
    assert "word 2" in said
    assert "line 1" in mistake("accepts", "a*", stdin="x\n")


# sample


def test_sample() -> None:
    words = run_json("sample", ".*a", "--length", "10..12", "--count", "20", "--alphabet", "ab")
    assert isinstance(words, dict)
    assert len(words["words"]) == 20
    assert all(10 <= len(word) <= 12 and word.endswith("a") for word in words["words"])
    again = run("sample", ".*a", "--length", "10..12", "--count", "20", "--alphabet", "ab").stdout.split()
    assert again == words["words"]
    other = run(
        "sample", ".*a", "--length", "10..12", "--count", "20", "--alphabet", "ab", "--seed", "1"
    ).stdout.split()
    assert other != again


@pytest.mark.parametrize("extra", [(), ("--near",)])
def test_sample_obeys_its_limit(extra: tuple[str, ...]) -> None:
    arguments = ("sample", "a*b", "--length", "3..40000", "--count", "1", "--max-states", "3", *extra)
    limited = run(*arguments)
    assert limited.exit_code == 2
    assert "--max-states" in limited.stderr


def test_sample_prints_as_it_draws() -> None:
    """More words than memory holds are asked for; the first come at once."""
    command = [sys.executable, "-m", "lookback", "sample", "a|b", "--length", "1", "--count", "1000000000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = [process.stdout.readline() for _ in range(3)]
        process.kill()
    assert set(first) <= {"a\n", "b\n"}
    assert first[2] != ""


def test_sample_outside_and_near() -> None:
    found = run_json("sample", "(ab)*", "--length", "4", "--count", "30", "--outside")
    assert isinstance(found, dict)
    assert all(word != "abab" and len(word) == 4 for word in found["words"])
    found = run_json("sample", "(ab)*", "--length", "4", "--count", "5", "--near")
    assert isinstance(found, dict)
    assert found["words"] == ["abab"] * 5


def test_h21_sample_of_a_length_without_words() -> None:
    assert "5" in mistake("sample", "(ab)*", "--length", "5")
    assert "ε" in run("sample", "(ab)*", "--length", "0", "--count", "1").stdout


# languages, version, help


def test_languages_can_all_be_used() -> None:
    found = run_json("languages")
    assert isinstance(found, dict)
    assert len(found["languages"]) >= 20
    listed = run("languages").stdout
    for entry in found["languages"]:
        assert entry["description"]
        assert entry["source"]
        assert f"@{entry['name']}" in listed
        assert read_language(f"@{entry['name']}").alphabet.letters == tuple(entry["alphabet"])
    for family in found["families"]:
        assert f"@{family}" in listed
        name = family.removesuffix("-N").removesuffix("-WORD")
        assert read_language(f"@{name}-{'3' if family.endswith('-N') else 'ab'}").n_states > 1


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("lookback ")
    for command in (
        "classify",
        "compile",
        "distinguish",
        "accepts",
        "sample",
        "train",
        "evaluate",
        "demo",
        "languages",
    ):
        result = run(command, "--help")
        assert result.exit_code == 0
        assert "--json" in result.stdout


# Mistakes


@pytest.mark.parametrize(
    ("text", "column"),
    [("a(b", 2), ("a)b", 2), ("*a", 1), ("a|*", 3), ("[ab", 1), ("a{2", 2), ("a{3,1}", 5), ("a" * 200 + ")", 201)],
)
def test_syntax_error_in_an_expression(text: str, column: int) -> None:
    said = mistake("classify", "--alphabet", "ab", "--", text).splitlines()
    assert re.search(rf"at column {column}\b", said[0])
    assert said[1][said[2].index("^") :][:1] == text[column - 1 : column]


@pytest.mark.parametrize(
    ("text", "column"), [("P (a", 3), ("P a b", 5), ("& a", 1), ("Y<=0 a", 4), ("P c", 3), ("", 1)]
)
def test_syntax_error_in_a_formula(text: str, column: int) -> None:
    said = mistake("compile", "--alphabet", "ab", "--", text).splitlines()
    assert re.search(rf"at column {column}\b", said[0])
    assert said[1][said[2].index("^") :][:1] == text[column - 1 : column]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("classify", ".*a"), "alphabet"),
        (("classify", "ltl:P a"), "--alphabet"),
        (("classify", "abc", "--alphabet", "ab"), "'c'"),
        (("classify", "a", "--alphabet", "aa"), "declared twice"),
        (("classify", "@no-such-language"), "no-such-language"),
        (("classify", "missing.json"), "missing.json"),
        (("classify", "missing.att", "--alphabet", "ab"), "missing.att"),
        (("classify", "ab", "--max-states", "0"), "--max-states"),
        (("classify", "ab", "--max-states", "2"), "--max-states"),
        (("compile", "P a"), "--alphabet"),
        (("compile", "P a", "--alphabet", "ab", "--to", "pdf"), "pdf"),
        (("sample", "a*", "--length", "x"), "length"),
        (("sample", "a*", "--length", "3", "--count", "-1"), "--count"),
        (("sample", "a*"), "--length"),
        (("distinguish", "a"), "LANGUAGE"),
        (("no-such-command",), "no-such-command"),
        (("classify", "a", "--no-such-option"), "--no-such-option"),
    ],
)
def test_mistakes_are_explained(arguments: tuple[str, ...], expected: str) -> None:
    assert expected in mistake(*arguments)


def test_malformed_file_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.att"
    path.write_text("0\t1\ta\ta\n0\tx\ta\ta\n1\n")
    assert "bad.att, line 2" in mistake("classify", str(path), "--alphabet", "ab")


def test_control_characters_reach_no_terminal() -> None:
    said = mistake("classify", "ab\x1b[2J)", "--alphabet", "ab")
    assert "\x1b" not in said
    result = run("accepts", ".", "\x1b", "--alphabet", 'json:["\\u001b"]')
    assert result.stdout == "\\x1b\tyes\n"


# A process of its own


def test_ascii_terminal() -> None:
    result = python("-m", "lookback", "classify", "é*", "--alphabet", "éa", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.returncode == 0, result.stderr
    assert "\\xe9" in result.stdout.decode("ascii")
    result = python("-m", "lookback", "accepts", "a*", "", PYTHONIOENCODING="ascii")
    assert result.stdout == b"\\u03b5\tyes\n"


def test_standard_input_that_is_not_text() -> None:
    result = python("-m", "lookback", "accepts", "a*", stdin=b"a\n\xff\n", PYTHONUTF8="1")
    assert result.returncode == 2
    assert b"line 2" in result.stderr
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("redirection", "status", "output"),
    [("<&-", 0, b"a\tyes\n"), (">&-", 0, b""), ("2>&-", 0, b"a\tyes\n"), (">/dev/full", 2, b"")],
)
def test_streams_that_are_closed_or_full(redirection: str, status: int, output: bytes) -> None:
    command = f"{sys.executable} -m lookback accepts 'a*' a {redirection}"
    result = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert (result.returncode, result.stdout) == (status, output)
    assert b"Traceback" not in result.stderr
    assert (b"the answer cannot be given: No space left" in result.stderr) == (status == 2)


def test_closed_pipe_is_quiet() -> None:
    command = f"{sys.executable} -m lookback sample 'a*' --length 100 --count 20000 | head -1"
    result = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert result.stdout == b"a" * 100 + b"\n"
    assert result.stderr == b""


# Training

TINY = ("--steps", "60", "--layers", "1", "--heads", "2", "--width", "8", "--feedforward", "8", "--max-length", "8")


def test_train_and_evaluate(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    found = run_json("train", ".*a", "--alphabet", "ab", "--out", folder, *TINY)
    assert isinstance(found, dict)
    assert (found["attention"], found["steps"], found["converged"]) == ("hybrid-1", 60, False)
    again = run("train", ".*a", "--alphabet", "ab", "--out", folder, *TINY)
    assert again.exit_code == 0
    assert "60 steps" in again.stdout
    judged = run_json("evaluate", folder, "--longest", "100", "--words", "2")
    assert isinstance(judged, dict)
    assert judged["predicted"] is True
    evaluation = judged["evaluation"]
    assert [(b["first"], b["last"]) for b in evaluation["bins"]] == [(1, 8), (9, 100)]
    assert all(0 <= b["correct"] <= b["words"] for b in evaluation["bins"])
    assert [family["fragment"] for family in evaluation["families"]] == ["LTL[P]"]
    assert "hybrid, window 1" in run("evaluate", folder, "--longest", "50", "--words", "1").stdout


def test_train_global_has_no_window(tmp_path: Path) -> None:
    found = run_json("train", "a.*", "--alphabet", "ab", "--attention", "global", "--out", str(tmp_path / "g"), *TINY)
    assert isinstance(found, dict)
    assert found["attention"] == "global"
    said = mistake("train", "a", "--attention", "global", "--window", "2", "--out", str(tmp_path / "h"))
    assert "global attention has no window" in said


def test_training_mistakes(tmp_path: Path) -> None:
    assert "not finished" in mistake("evaluate", str(_unfinished(tmp_path / "u")))
    assert "cannot read" in mistake("evaluate", str(tmp_path / "nothing"))
    assert "no run" in mistake("train", "(ab)*", "--out", str(_with_a_file(tmp_path / "f")), *TINY)
    assert "no member" in mistake("train", "∅", "--alphabet", "ab", "--out", str(tmp_path / "e"), *TINY)
    assert not (tmp_path / "e").exists()  # a refused training does not take the folder
    assert "diverge" in mistake("train", "a", "--out", str(tmp_path / "w"), "--attention", "diverge")


def _unfinished(folder: Path) -> Path:
    assert run("train", ".*a", "--alphabet", "ab", "--out", str(folder), *TINY).exit_code == 0
    (folder / "metrics.json").unlink()
    return folder


def _with_a_file(folder: Path) -> Path:
    folder.mkdir()
    (folder / "letter.txt").write_text("dear")
    return folder


def test_interrupted_training_goes_on(tmp_path: Path) -> None:
    shape = ("--layers", "1", "--heads", "2", "--width", "8", "--feedforward", "8", "--max-length", "8")
    options = ("-m", "lookback", "train", "b(ab)*", "--out", "run", *shape, "--steps", "600")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, *options], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        deadline = time.monotonic() + 60
        while not (tmp_path / "run" / "checkpoint.safetensors").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert out == b""
    assert b"the same command goes on" in said
    assert b"Traceback" not in said
    checkpoint = (tmp_path / "run" / "checkpoint.safetensors").read_bytes()
    assert checkpoint
    again = subprocess.run([sys.executable, *options], cwd=tmp_path, capture_output=True, env=environment, check=True)
    assert b"trained hybrid-1" in again.stdout
    assert b"step 600 of 600" in again.stderr


def test_demo_in_quick_mode(tmp_path: Path) -> None:
    result = run("demo", "--quick", "--json", "--out", str(tmp_path))
    found = json.loads(result.stdout)
    check_classification(found["classification"], Alphabet.of("abc"), CONTAINS_AB)
    networks = found["networks"]
    assert {n["attention"]: n["predicted"] for n in networks} == {"global": False, "local-1": False, "hybrid-1": True}
    assert found["agree"] == all(n["as_predicted"] for n in networks)
    assert result.exit_code == (0 if found["agree"] else 1)
    for network in networks:
        assert network["as_predicted"] == (network["flawless"] == network["predicted"])
    assert len(list(tmp_path.glob("*/run/weights.safetensors"))) == len(networks)


@pytest.mark.parametrize(
    ("arguments", "exit_code", "expected"),
    [
        (("distinguish", "", "a", "-a", "ab"), 1, "the left one, the empty expression, and not in a"),
        (("satisfies", "a*", "x = 1", "-a", "ab"), 2, "(--on M)"),
        (("satisfies", "a*", "x^99999999999 = x", "-a", "ab"), 2, "  x^99999999999 = x\n    ^\n"),
        (("compile", "Y<=-1 a", "-a", "ab"), 2, "Y takes no negative numbers"),
        (("compile", "Y^-1 a", "-a", "ab"), 2, "Y takes no negative numbers"),
    ],
)
def test_messages_tell_how_to_mend(arguments: tuple[str, ...], exit_code: int, expected: str) -> None:
    result = run(*arguments)
    assert result.exit_code == exit_code
    assert expected in result.stdout + result.stderr
