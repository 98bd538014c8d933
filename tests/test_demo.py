"""Trainings side by side: what an outcome means, what is concluded, and what happens when a worker fails."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from automata.dfa import DFA
from automata.errors import ToolkitError
from lookback.demo import QUICK, Job, Outcome, conclude, cores, pumping_families, run_side_by_side
from ltl.fragment import LTL_P, Fragment
from neural.evaluation import BinResult, Cell, Evaluation, FamilyResult
from neural.pattern import AttentionPattern
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


def test_families_are_those_of_the_negative_verdicts() -> None:
    assert [family.fragment for family in pumping_families(classify(ENDS_WITH_A, windows=()))] == [LTL_P]
    wide = [family.fragment for family in pumping_families(classify(ENDS_WITH_A, windows=(2,)))]
    assert wide == [LTL_P, Fragment(past=False, window=2), Fragment(past=True, window=2)]


def test_jobs_run_side_by_side_and_keep_their_order(tmp_path: Path) -> None:
    classification = classify(ENDS_WITH_A, windows=())
    families = pumping_families(classification)
    scale = replace(QUICK, steps=10, longest=20)
    jobs = [
        Job(ENDS_WITH_A, p, p.prediction(classification.verdicts), families, 3, scale, tmp_path / p.name)
        for p in (GLOBAL, LOCAL, HYBRID)
    ]
    told: list[tuple[int, int, str]] = []
    outcomes = run_side_by_side(jobs, lambda *report: told.append(report), workers=2)
    assert [(o.pattern, o.predicted) for o in outcomes] == [(GLOBAL, False), (LOCAL, True), (HYBRID, True)]
    for number, found in enumerate(outcomes):
        steps = [step for job, step, _ in told if job == number]
        assert steps == sorted(steps)
        assert steps[-1] == found.steps <= scale.steps
        assert found.evaluation.tested_lengths[-1] == scale.longest
        assert [family.fragment for family in found.evaluation.families] == ["LTL[P]"]


def test_a_mistake_in_a_worker_is_told(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    job = Job(ENDS_WITH_A, LOCAL, True, (), 0, QUICK, tmp_path)
    with pytest.raises(ToolkitError, match=r"local-1: .* and no run"):
        run_side_by_side([job], lambda *_: None)


def test_a_worker_that_dies_is_noticed() -> None:
    from lookback.demo import _next_report

    context = multiprocessing.get_context("spawn")
    process = context.Process(target=os._exit, args=(7,))
    process.start()
    with pytest.raises(ToolkitError, match="status 7"):
        _next_report(context.Queue(), [process])


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    started = f"""
from pathlib import Path
from dataclasses import replace
from lookback.demo import QUICK, Job, run_side_by_side
from tests.test_demo import ENDS_WITH_A, GLOBAL

if __name__ == "__main__":
    scale = replace(QUICK, steps=4000, max_length=40, width=64)
    job = Job(ENDS_WITH_A, GLOBAL, None, (), 0, scale, Path({str(tmp_path / "run")!r}))
    run_side_by_side([job], lambda *_: print("going", flush=True))
"""
    script = tmp_path / "started.py"
    script.write_text(started)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"going\n"
        process.kill()
        process.communicate(timeout=20)  # the worker has the pipe too: it ends only when the worker is gone


def test_cores() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)
