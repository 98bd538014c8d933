"""What the terminal shows: hostile letters, long words and formulas, tables, progress."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout

import pytest
from rich.console import Console, RenderableType

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.regex import regex_to_dfa
from lookback.display import (
    architecture_table,
    class_table,
    classification_view,
    show,
    show_word,
    verdict_view,
)
from lookback.options import print_json, printable
from lookback.progress import show_count, show_progress
from lookback.record import classification_json
from ltl.formula import Letter, Past, Yesterday, conjunction, disjunction
from ltl.fragment import LTL_P, LTL_PY, LTL_Y
from semigroups.certificate import Definition
from semigroups.classify import classify, fragments
from semigroups.depth import least_depths
from semigroups.forms import forms_of
from semigroups.verdict import Verdict
from tests.strategies import AB, ABC


def shown(view: RenderableType, width: int = 200) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False, markup=False, emoji=False)
    console.print(view)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def view(dfa: DFA) -> RenderableType:
    found = classify(dfa, windows=(2,))
    forms = forms_of(found.dfa, found.order("locally testable").least)
    return classification_view(found, forms, least_depths(found.dfa, found.verdicts))


def cells(view: RenderableType) -> list[list[str]]:
    """Return the words of each line of a table."""
    return [line.split() for line in shown(view).splitlines()]


def test_printable() -> None:
    assert printable("a\n\x1b[2J\u2028é∧\ud800") == "a\\n\\x1b[2J\\u2028é∧\\ud800"


@pytest.mark.parametrize("letters", [("[red]", "[/red]"), ("[bold", ":smile:"), ("\n", "\x1b"), ("\\", "'")])
def test_hostile_letters_are_shown_as_they_are(letters: tuple[str, str]) -> None:
    alphabet = Alphabet(letters)
    dfa = DFA(alphabet, [[1, 0], [1, 0]], 0, [False, True])
    text = shown(view(dfa))
    assert f"alphabet  {printable(letters[0])}, {printable(letters[1])}\n" in text
    assert "\x1b" not in text
    assert printable(alphabet.show((letters[0],))) in text


def test_words() -> None:
    assert show_word("", AB).plain == "ε"
    assert show_word(("b0", "a"), Alphabet.of(["a", "b0"])).plain == "b0 a"
    assert show_word("ab" * 30, AB).plain == "ab" * 30
    long = show_word("a" + "b" * 999, AB).plain
    assert long.startswith("abbb")
    assert long.endswith("bbb (1000 letters)")
    assert len(long) < 100


@pytest.mark.parametrize(
    ("language", "expected"),
    [(".*ab.*", ("no", "no", "yes")), (".*a", ("no", "yes", "yes")), ("a.*", ("yes", "no", "yes"))],
)
def test_architectures(language: str, expected: tuple[str, str, str]) -> None:
    classification = classify(regex_to_dfa(language, ABC))
    rows = cells(architecture_table(classification))
    assert ["global", expected[0], "LTL[P]", "theorem"] in rows
    assert ["local-1", expected[1], "LTL[Y]", "theorem"] in rows
    assert ["hybrid-1", expected[2], "LTL[P,Y]", "theorem"] in rows
    assert ["recurrent", "yes", "regular", "theorem"] in rows


def test_open_verdicts_say_so() -> None:
    text = shown(verdict_view(Verdict(LTL_PY, None, bound="pairs: reached 9"), AB))
    assert "LTL[P,Y]: undecided" in text
    assert "pairs: reached 9" in text


def test_pumping_pairs_are_those_of_the_certificate() -> None:
    classification = classify(regex_to_dfa(".*a", AB))
    verdict = classification.verdict(LTL_P)
    rows = cells(verdict_view(verdict, AB))
    certificate = verdict.certificate
    assert certificate is not None
    assert not isinstance(certificate, Definition)
    for n in (1, 2, 3):
        assert [str(n), *certificate.pair(n)] in rows


def test_a_formula_that_is_long_is_described() -> None:
    short = Yesterday(Letter("a"))
    assert "depth 1, size 2" in shown(verdict_view(Verdict(LTL_Y, True, Definition(LTL_Y, short)), AB))
    long = disjunction(conjunction([Past(Letter(f"letter{i}{j}")) for j in range(20)]) for i in range(20))
    text = shown(verdict_view(Verdict(LTL_P, True, Definition(LTL_P, long)), AB))
    assert "--json" in text
    assert "letter1" not in text


def test_a_formula_folds_and_loses_nothing() -> None:
    formula = conjunction([Past(Letter(f"letter{i}")) for i in range(60)])
    text = shown(verdict_view(Verdict(LTL_P, True, Definition(LTL_P, formula)), AB), width=40)
    assert max(map(len, text.splitlines())) <= 40
    assert "letter59" in text.replace("\n  ", "")


def test_varieties_show_what_breaks_the_equation() -> None:
    classification = classify(regex_to_dfa("(aa)*", Alphabet.of("a")))
    rows = cells(class_table(classification))
    assert ["star-free", "no", "x^w", "x", "=", "x^w", "fails", "for", "x", "=", "a"] in rows


def test_json_of_a_classification() -> None:
    found = classification_json(classify(regex_to_dfa("(ab)*", AB)))
    assert list(found)[:2] == ["alphabet", "states"]
    assert list(found["fragments"]) == [fragment.name for fragment in fragments()]
    assert {"global", "local-1", "hybrid-4", "global-periodic-rotary", "rightmost-hard"} <= set(found["architectures"])
    assert found["architectures"]["hybrid-1"] is True
    assert found["architectures"]["global"] is False
    assert found["varieties"]["star-free"] is True


def test_show_leaves_no_blanks_at_line_ends() -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        show(view(regex_to_dfa("ab", AB)))
    assert out.getvalue().count("\n") > 10
    assert all(line == line.rstrip() for line in out.getvalue().split("\n"))


def test_json_is_ascii() -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        print_json({"é": ["∧", "\ud800"]})
    assert out.getvalue().isascii()


def test_progress_without_a_terminal_is_a_few_lines() -> None:
    said = io.StringIO()
    with redirect_stderr(said), show_progress(["one", "two"], 100) as tell:
        for step in range(1, 101):
            tell(0, step, f"loss {1 / step:.2f}")
        tell(1, 33, "loss 1")
    assert said.getvalue().splitlines() == [
        "one: step 20 of 100, loss 0.05",
        "one: step 40 of 100, loss 0.03",
        "one: step 60 of 100, loss 0.02",
        "one: step 80 of 100, loss 0.01",
        "one: step 100 of 100, loss 0.01",
        "two: step 33 of 100, loss 1",
    ]


def test_progress_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    said = io.StringIO()
    with redirect_stderr(said), show_progress(["one"], 100) as tell:
        tell(0, 100, "loss 0.5")
    assert "100/100" in said.getvalue()
    assert "loss 0.5" in said.getvalue()


def test_counted_work_without_a_terminal_is_a_few_lines() -> None:
    said = io.StringIO()
    with redirect_stderr(said), show_count("languages", 10) as tell:
        for number in range(10):
            tell(f"l{number}\n", number < 4)
    assert said.getvalue().splitlines() == [
        "6 of 10 languages, the last one l5\\n",
        "8 of 10 languages, the last one l7\\n",
        "10 of 10 languages, the last one l9\\n",
    ]


def test_counted_work_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    said = io.StringIO()
    with redirect_stderr(said), show_count("languages", 2) as tell:
        tell("one", True)
        tell("two", False)
    assert "2/2" in said.getvalue()
