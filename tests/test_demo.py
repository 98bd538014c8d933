"""Trainings side by side: what an outcome means, what is concluded, and what happens when a worker fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from automata.dfa import DFA
from automata.errors import ToolkitError
from lookback.demo import QUICK, Outcome, conclude, demo_experiments, run_demo
from neural.evaluation import BinResult, Cell, Evaluation, FamilyResult
from neural.pattern import AttentionPattern
from neural.store import RUN, folder_of, open_store
from semigroups.classify import classify
from tests.strategies import AB

GLOBAL, LOCAL, HYBRID = (AttentionPattern.parse(name) for name in ("global", "local-1", "hybrid-1"))
ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])


def outcome(pattern: AttentionPattern, predicted: bool | None, correct: int = 10, family_correct: int = 4) -> Outcome:
    bins = (BinResult(1, 5, False, words=10, members=5, distinct=9, trained=2, correct=correct),)
    family = FamilyResult("LTL[P]", pairs=2, pairs_correct=family_correct // 2, words=4, correct=family_correct)
    cells = (
        Cell("uniform", True, 5, words=10, correct=correct),
        Cell("pumping LTL[P]", True, 8, words=4, correct=family_correct),
    )
    evaluation = Evaluation(bins, cells, (family,), 0)
    return Outcome(pattern, predicted, 100, True, 1.5, evaluation)


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
    assert "ran out of steps" in conclude([replace(outcome(HYBRID, True, correct=9), converged=False)])
    assert "local-1 cannot recognise the language, yet" in conclude([outcome(LOCAL, False), working])
    assert conclude([outcome(LOCAL, None), working]).startswith("Where there is a verdict")


def test_experiments_run_side_by_side_and_keep_their_order(tmp_path: Path) -> None:
    classification = classify(ENDS_WITH_A, windows=())
    scale = replace(QUICK, steps=10, longest=20)
    experiments = demo_experiments("ends with a", classification, 3, scale)
    told: list[tuple[int, int, str]] = []
    outcomes = run_demo(experiments, classification, tmp_path, lambda *report: told.append(report))
    assert [(o.pattern, o.predicted) for o in outcomes] == [(GLOBAL, False), (LOCAL, True), (HYBRID, True)]
    for number, found in enumerate(outcomes):
        steps = [step for which, step, _ in told if which == number]
        assert steps == sorted(steps)
        assert steps[-1] == found.steps <= scale.steps
        assert (number, found.steps, "done") in told
        assert found.evaluation.tested_lengths[-1] == scale.longest
        assert [family.fragment for family in found.evaluation.families] == ["LTL[P]"]
    assert run_demo(experiments, classification, tmp_path, lambda *_: None) == outcomes


def test_a_mistake_in_a_worker_is_told(tmp_path: Path) -> None:
    classification = classify(ENDS_WITH_A, windows=())
    experiments = demo_experiments("ends with a", classification, 0, replace(QUICK, steps=10))
    run = folder_of(tmp_path, experiments[1]) / RUN
    open_store(tmp_path)
    run.mkdir(parents=True)
    (run / "letter.txt").write_text("dear")
    with pytest.raises(ToolkitError, match=r"local-1: .*'letter\.txt' and no run"):
        run_demo(experiments, classification, tmp_path, lambda *_: None)
    assert (run / "letter.txt").read_text() == "dear"
