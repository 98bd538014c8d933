"""Progress of experiments: what counts as done, the time left, lines where there is no terminal."""

from __future__ import annotations

import pytest

from lookback.experiment_progress import Tally, show_experiments
from neural.store import State
from tests.tiny_experiments import tiny

DONE = State("done", 120, 0.1, trained=True)


def test_a_tally_counts_steps_and_knows_what_was_there_before():
    tally = Tally([99, 99, 99, 99])
    assert [tally.note(0, DONE), tally.note(1, State("unfinished", 50)), tally.note(2, State("missing"))] == [True] * 3
    assert (tally.made, tally.before, tally.done) == (1.5, 1.5, 1)
    assert tally.time_left(tally.started + 10) == "time left unknown"
    assert not tally.note(1, State("running", 75))
    assert not tally.note(1, DONE)
    assert (tally.made, tally.before, tally.done) == (2.0, 1.5, 2)
    # Half an experiment in ten seconds, two to go.
    assert tally.time_left(tally.started + 10) == "about 0:00:40 left"


def test_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]):
    experiments = [tiny(seed=seed) for seed in range(4)]
    with show_experiments(experiments) as tell:
        tell(0, DONE)
        for number in (1, 2, 3):
            tell(number, State("missing"))
        assert capsys.readouterr().err == ""
        tell(1, State("running", 60, 0.5))
        tell(1, DONE)
        tell(2, DONE)
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(",")[0] for line in lines] == ["2 of 4 experiments done", "3 of 4 experiments done"]
    assert lines[0].endswith(f"the last: {experiments[1].name}")


def test_many_experiments_print_few_lines(capsys: pytest.CaptureFixture[str]):
    experiments = [tiny(seed=seed) for seed in range(100)]
    with show_experiments(experiments) as tell:
        for number in range(100):
            tell(number, State("missing"))
        for number in range(100):
            tell(number, DONE)
    assert len(capsys.readouterr().err.splitlines()) == 20


def test_bars_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    experiments = [tiny(seed=seed) for seed in range(2)]
    with show_experiments(experiments) as tell:
        tell(0, State("missing"))
        tell(1, State("missing"))
        tell(0, State("running", 60, 0.5))
        tell(0, DONE)
    assert "1 of 2 done" in capsys.readouterr().err
