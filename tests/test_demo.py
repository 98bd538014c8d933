"""The demonstration: trainings side by side in a store, and what happens when a worker fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from automata.dfa import DFA
from automata.errors import ToolkitError
from lookback.demo import QUICK, demo_experiments, run_demo
from neural.pattern import AttentionPattern
from neural.store import RUN, folder_of, open_store
from semigroups.classify import classify
from tests.strategies import AB

GLOBAL, LOCAL, HYBRID = (AttentionPattern.parse(name) for name in ("global", "local-1", "hybrid-1"))
ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])


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
        assert found.trained is not None
        assert steps[-1] == found.trained.steps <= scale.steps
        assert (number, found.trained.steps, "done") in told
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
