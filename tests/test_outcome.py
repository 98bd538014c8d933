"""Outcomes of networks: what they mean, what is said of one and concluded from several."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from lookback.outcome import Outcome, Trained, conclude, judgement
from neural.evaluation import BinResult, Cell, Evaluation, FamilyResult
from neural.pattern import AttentionPattern
from neural.positions import Positions

GLOBAL, LOCAL, HYBRID = (AttentionPattern.parse(name) for name in ("global", "local-1", "hybrid-1"))


def outcome(
    pattern: AttentionPattern, predicted: bool | None, correct: int = 10, family_correct: int = 4, words: int = 10
) -> Outcome:
    bins = (BinResult(1, 5, False, words=words, members=5, distinct=9, trained=2, correct=correct),)
    family = FamilyResult("LTL[P]", pairs=2, pairs_correct=family_correct // 2, words=4, correct=family_correct)
    cells = (
        Cell("uniform", True, 5, words=words, correct=correct),
        Cell("pumping LTL[P]", True, 8, words=4, correct=family_correct),
    )
    evaluation = Evaluation(bins, cells, (family,), 0)
    return Outcome(pattern, Positions(), predicted, Trained(100, True, 1.5), evaluation)


def test_an_outcome_is_flawless_only_without_any_mistake() -> None:
    assert outcome(HYBRID, True).flawless
    assert not outcome(HYBRID, True, correct=9).flawless
    assert not outcome(HYBRID, True, family_correct=3).flawless


def test_as_predicted() -> None:
    assert outcome(HYBRID, True).as_predicted is True
    assert outcome(HYBRID, True, correct=9).as_predicted is False
    assert outcome(GLOBAL, False, family_correct=2).as_predicted is True
    assert outcome(GLOBAL, False).as_predicted is False
    assert outcome(GLOBAL, None).as_predicted is None


def test_the_conclusion_is_honest() -> None:
    failing, working = outcome(GLOBAL, False, correct=6), outcome(HYBRID, True)
    assert conclude([failing, working]).startswith("The networks did what the verdicts say")
    said = conclude([failing, outcome(HYBRID, True, correct=9)])
    assert "not all" in said
    assert "hybrid-1 can recognise the language, yet" in said
    assert "ran out of steps" not in said
    assert "ran out of steps" in conclude([replace(outcome(HYBRID, True, correct=9), trained=Trained(1, False, 0.1))])
    assert "local-1 cannot recognise the language, yet" in conclude([outcome(LOCAL, False), working])
    assert conclude([outcome(LOCAL, None), working]).startswith("Where there is a verdict")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            outcome(GLOBAL, False, correct=10, family_correct=2),
            "100.0 % on random words, 50.0 % on the LTL[P] pumping family: not recognised, as proved",
        ),
        (outcome(HYBRID, True), "100.0 % on the LTL[P] pumping family: no mistake, as can be"),
        (outcome(HYBRID, True, correct=9), "90.0 % on random words.*: mistakes that it need not make"),
        (outcome(GLOBAL, False), "no mistake found, yet there are words on which this attention must fail"),
        (outcome(GLOBAL, None), "no mistake, and the theory does not say"),
        (outcome(GLOBAL, None, correct=9), "mistakes, and the theory does not say"),
    ],
)
def test_judgements(found: Outcome, said: str) -> None:
    assert re.search(said.replace("[", r"\[").replace("]", r"\]"), judgement(found))


def test_a_compiled_network_has_no_training() -> None:
    compiled = replace(outcome(HYBRID, True), trained=None)
    assert compiled.to_dict()["training"] is None
    assert compiled.as_predicted is True
    assert "ran out" not in conclude([replace(outcome(HYBRID, True, correct=9), trained=None)])


def test_positions_are_named() -> None:
    found = replace(outcome(GLOBAL, False), positions=Positions("periodic-rotary", 4))
    assert found.name == "global periodic-rotary-4"
    assert "global periodic-rotary-4 cannot recognise" in conclude([found])
