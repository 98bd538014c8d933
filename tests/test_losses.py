"""The file of losses: each tenth step and the last one, once, whatever happens in between."""

from __future__ import annotations

import pytest

from automata.errors import ToolkitError
from neural.losses import LossLog, read_losses
from neural.train import Progress


def note(path, steps, last=None):
    with LossLog(path) as log:
        for step in steps:
            log.note(Progress(step, 9.0, step / 1000, finished=step == last))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "losses.jsonl"


def test_each_tenth_step_and_the_last(path):
    note(path, range(1, 38), last=37)
    assert read_losses(path) == [(10, 0.01), (20, 0.02), (30, 0.03), (37, 0.037)]


def test_no_file_no_losses(path):
    assert read_losses(path) == []


def test_steps_told_again_are_written_once(path):
    note(path, range(1, 38))
    note(path, range(11, 41), last=40)
    note(path, [40], last=40)
    assert read_losses(path) == [(10, 0.01), (20, 0.02), (30, 0.03), (40, 0.04)]


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_line_that_a_crash_cut_short_is_written_anew(path, cut):
    note(path, range(1, 31))
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert read_losses(path) == [(10, 0.01), (20, 0.02)]
    note(path, range(11, 31))
    assert path.read_bytes() == whole


def test_losses_that_are_missing_are_told(path):
    note(path, range(1, 21))
    with pytest.raises(ToolkitError, match=r"losses\.jsonl: the losses between step 20 and step 50 are missing"):
        note(path, range(41, 60))
    assert read_losses(path) == [(10, 0.01), (20, 0.02)]


@pytest.mark.parametrize(
    "line",
    ["{}", "[10]", "[10, 1, 2]", "[true, 0.5]", "[10, 1]", "[10, NaN]", "[10, -0.5]", "[0, 0.5]", "[11, 0.5]", "x"],
)
def test_damage_is_found(path, line):
    path.write_text(f"{line}\n")
    with pytest.raises(ToolkitError, match=r"losses\.jsonl, line 1: expected"):
        read_losses(path)
    with pytest.raises(ToolkitError, match=r"losses\.jsonl, line 1: expected"):
        note(path, [10])
    assert path.read_text() == f"{line}\n"


def test_steps_in_another_order(path):
    path.write_text("[10, 0.5]\n[10, 0.5]\n")
    with pytest.raises(ToolkitError, match="line 2"):
        read_losses(path)
    path.write_text("[7, 0.5]\n[10, 0.5]\n")  # only the last may be between two tens
    with pytest.raises(ToolkitError, match="line 2"):
        read_losses(path)


def test_a_file_that_cannot_be_written(tmp_path):
    with pytest.raises(ToolkitError, match="cannot write"):
        note(tmp_path / "nowhere" / "losses.jsonl", [10])


def test_a_disk_that_is_full(path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ToolkitError, match=r"losses\.jsonl.*No space left"):
        note(path, range(1, 11))
