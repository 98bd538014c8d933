"""Outcomes as tables: shares rounded down, a row for each kind of word."""

from __future__ import annotations

from lookback.outcome_table import outcome_table
from tests.test_display import cells
from tests.test_outcome import GLOBAL, HYBRID, outcome


def test_outcomes() -> None:
    rows = cells(outcome_table([outcome(GLOBAL, False, correct=9, family_correct=2), outcome(HYBRID, True)]))
    assert ["can", "recognise", "it", "no", "yes"] in rows
    assert ["right,", "lengths", "1-5", "90.0", "%", "100.0", "%"] in rows
    assert ["right,", "pumping", "LTL[P]", "50.0", "%", "100.0", "%"] in rows
    assert ["N*", "none", "5", "(all)"] in rows


def test_almost_all_is_not_all() -> None:
    rows = cells(outcome_table([outcome(GLOBAL, False, correct=9999, words=10_000)]))
    assert ["right,", "lengths", "1-5", "99.9", "%"] in rows
