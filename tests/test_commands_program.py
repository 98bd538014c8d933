"""`lookback program`: complete models on disk, refusals with certificates, and `evaluate` on what it wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from automata.errors import NotDefinable
from automata.regex import regex_to_dfa
from lookback.inputs import read_language
from ltl.formula import Mod, subformulas
from ltl.syntax import parse_formula
from neural.pattern import AttentionPattern
from neural.realise import logic_of, realise
from neural.saved import load_model
from semigroups.certificate import Definition, read_certificate
from semigroups.decide import decide
from tests.strategies import AB, ABC, all_words
from tests.test_cli import mistake, run, run_json


@pytest.mark.parametrize(
    ("language", "letters", "options"),
    [
        (".*ab.*", "abc", ["--window", "2"]),
        (".*a", "ab", ["--attention", "local"]),
        ("a.*", "ab", ["--attention", "global", "--score", "20"]),
        ("ltl:P (a & Y<=3 b)", "ab", ["--window", "2"]),
        ("((a|b)(a|b))*", "ab", ["--attention", "global", "--positions", "periodic-sinusoidal"]),
        ("ltl:MOD(1,3) & Y a", "ab", ["--attention", "local", "--positions", "periodic-sinusoidal", "--window", "3"]),
        ("@dyck-1", "", ["--attention", "hybrid"]),
    ],
)
def test_what_is_written_recognises_the_language(language, letters, options, tmp_path: Path) -> None:
    folder = str(tmp_path / "model")
    alphabet = ["--alphabet", letters] if letters else []
    facts = run_json("program", language, "--out", folder, *alphabet, *options)
    found = load_model(folder)
    words = all_words(found.dfa.alphabet, 7)
    assert found.model.accepts_batch(words).tolist() == found.dfa.accepts_batch(words).tolist()
    assert found.dfa == read_language(language, found.dfa.alphabet)
    assert facts["margin"] > 9.9
    assert facts["weights"] == sum(weight.numel() for weight in found.model.parameters())


def test_the_user_formula_is_compiled_as_it_is_written(tmp_path: Path) -> None:
    """`P a & P b` and `P (b & P a) | P (a & P b)` are equivalent; the second has a layer more."""
    for number, (text, layers) in enumerate([("P a & P b", 1), ("P (b & P a) | P (a & P b)", 2)]):
        facts = run_json("program", f"ltl:{text}", "--alphabet", "ab", "--out", str(tmp_path / str(number)))
        assert (facts["formula"], facts["transformer"]["layers"]) == (text, layers)


def test_text_says_what_a_reader_needs(tmp_path: Path) -> None:
    said = run("program", ".*ab.*", "--alphabet", "abc", "--out", str(tmp_path / "m")).stdout
    assert "hybrid-1 attention, no positions: layers 2, heads 2," in said
    assert "formula: P (b & Y a)" in said
    assert "exact in single precision for words of up to 683,687 letters" in said
    assert "least margin 10.000, without rounding 10" in said
    assert "lookback verify" in said


@pytest.mark.parametrize(
    ("language", "attention", "fragment"),
    [(".*ab.*", "global", "LTL[P]"), (".*ab.*", "local", "LTL[Y]"), ("(aa)*", "hybrid", "LTL[P,Y]")],
)
def test_a_refusal_has_a_certificate_that_checks(language, attention, fragment, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    arguments = ["program", language, "--alphabet", "abc", "--attention", attention, "--out", str(folder)]
    refusal = run_json(*arguments, status=1)
    assert (refusal["fragment"], refusal["holds"]) == (fragment, False)
    pattern = AttentionPattern(attention, None if attention == "global" else 1)
    certificate = read_certificate(refusal["certificate"], pattern.fragment, ABC)
    assert certificate.check(regex_to_dfa(language, ABC)) is None
    result = run(*arguments)
    assert result.exit_code == 1
    assert f"cannot recognise the language: {fragment} does not define it" in result.stdout
    assert "tells the two words of row n apart" in result.stdout
    assert not folder.exists()


def test_mistakes(tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "m"), "--alphabet", "ab"]
    assert "global attention has no window" in mistake("program", "a", *out, "--attention", "global", "--window", "2")
    assert "the score is a number" in mistake("program", "a*", *out, "--score", "0")
    assert "too low" in mistake("program", "ltl:Y<=3 a", *out, "--window", "3", "--score", "0.5")
    assert "--max-weights" in mistake("program", "ltl:Y^10 a", *out, "--max-weights", "1000")
    assert "unknown letter" in mistake("program", "ltl:P c", *out)
    assert not (tmp_path / "m").exists()
    run("program", "a*", *out)
    assert "choose a new or an empty folder" in mistake("program", "a*", *out)
    (tmp_path / "file").write_text("")
    assert "cannot write into" in mistake("program", "a*", "--alphabet", "ab", "--out", str(tmp_path / "file"))


def test_evaluate_reads_a_program_like_a_trained_model(tmp_path: Path) -> None:
    folder = str(tmp_path / "m")
    run("program", ".*ab.*", "--alphabet", "abc", "--out", folder)
    judged = run_json("evaluate", folder, "--longest", "100", "--words", "2")
    assert (judged["predicted"], judged["flawless"], judged["training"]) == (True, True, None)
    assert [family["fragment"] for family in judged["evaluation"]["families"]] == ["LTL[P]", "LTL[Y]"]
    said = run("evaluate", folder, "--longest", "60", "--words", "1").stdout
    assert "no mistake, as can be" in said
    assert "steps of training" not in said


@pytest.mark.parametrize("score", ["4", "6"])  # proved to 8 and to 57 letters
def test_a_program_is_not_tested_beyond_the_length_that_is_proved(score: str, tmp_path: Path) -> None:
    folder = str(tmp_path / "m")
    facts = run_json("program", "ltl:P a", "--alphabet", "ab", "--out", folder, "--score", score)
    judged = run_json("evaluate", folder, "--longest", "500", "--words", "1")
    assert max(cell[2] for cell in judged["evaluation"]["cells"]) == facts["longest"] < 100
    assert judged["flawless"]


@pytest.mark.parametrize("name", ["global", "local-1", "local-2", "hybrid-1", "hybrid-3"])
def test_realise_follows_the_verdict(name: str) -> None:
    pattern = AttentionPattern.parse(name)
    for text in ("a*", ".*a", "a.*", ".*ab.*", "(ab)*"):
        dfa = regex_to_dfa(text, AB)
        verdict = decide(dfa, pattern.fragment)
        if verdict.holds:
            program = realise(dfa, pattern)
            words = all_words(AB, 8)
            assert program.model.accepts_batch(words).tolist() == dfa.accepts_batch(words).tolist()
            assert isinstance(verdict.certificate, Definition)
            assert program.formula == verdict.certificate.formula
        else:
            with pytest.raises(NotDefinable) as refusal:
                realise(dfa, pattern)
            assert refusal.value.certificate == verdict


def test_a_formula_outside_the_fragment_is_replaced_by_an_equivalent_one_inside() -> None:
    # Y true is P true.
    dfa = read_language("ltl:Y true", AB)
    program = realise(dfa, AttentionPattern("global"), parse_formula("Y true"))
    assert str(program.formula) == "P true"


def test_periodic_positions_only_where_they_are_asked_for() -> None:
    assert logic_of(AttentionPattern("hybrid", 2), periodic=True).name == "LTL[P,Y,MOD]"
    assert logic_of(AttentionPattern("hybrid", 2), periodic=False).name == "LTL[P,Y<=2]"
    program = realise(regex_to_dfa("(aa)*", AB), AttentionPattern("hybrid", 2), periodic=True)
    assert any(isinstance(f, Mod) for f in subformulas(program.formula))
