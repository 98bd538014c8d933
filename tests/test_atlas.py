"""The atlas: records of many languages, the journal that survives interruptions, and the table in three formats."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from filelock import FileLock

from automata.alphabet import Alphabet
from automata.errors import ToolkitError
from automata.formats import to_att, to_json
from automata.regex import regex_to_dfa
from lookback.atlas import Entry, Job, classified, entries, make_records, read_journal
from lookback.atlas_table import row, write_table
from tests.strategies import AB, ABC

JOB = Job(windows=(2,), max_states=1000, time_limit=60.0)
TEXTS = {"ends": ".*a", "factor": ".*ab.*", "starts": "a.*", "even": "(..)*"}


def quiet(name: str, before: bool) -> None:
    assert isinstance(name, str)


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "languages"
    (place / "deep").mkdir(parents=True)
    for name, text in TEXTS.items():
        (place / f"{name}.json").write_text(to_json(regex_to_dfa(text, AB)))
    (place / "deep" / "three.att").write_text(to_att(regex_to_dfa(".*ab.*", ABC)))
    (place / "broken.json").write_text('{"states": ')
    (place / "notes.txt").write_text("no automaton")
    return place


def command(folder, out, *options: str) -> list[str]:
    return [
        *(sys.executable, "-m", "lookback", "atlas", str(folder), "--out", str(out)),
        *("--alphabet-for", "*.att=abc", "--windows", "none", *options),
    ]


def run(folder, out, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run(command(folder, out, *options), capture_output=True, text=True, check=False)


def test_directories_give_their_automata_and_patterns_give_alphabets(folder):
    found = entries([str(folder), "@even-length"], None, [("*.att", ("a", "b", "c"))])
    names = [os.path.relpath(entry.language, folder) for entry in found[:-1]]
    assert names == sorted(["broken.json", "deep/three.att", *(f"{name}.json" for name in TEXTS)])
    assert [entry.letters for entry in found if entry.letters] == [("a", "b", "c")]
    assert found[-1] == Entry("@even-length", None)


def test_empty_sources_are_refused(tmp_path):
    with pytest.raises(ToolkitError, match="holds no automata"):
        entries([str(tmp_path)], None)
    with pytest.raises(ToolkitError, match="no language"):
        entries([], None)


def test_a_record_says_what_is_wrong_with_a_language():
    assert "Infinity" not in (classified(Entry("a(", ("a",)), JOB)["error"])
    assert classified(Entry("a(", ("a",)), JOB)["classification"] is None
    too_large = classified(Entry("(a|b)*a(a|b){12}", ("a", "b")), JOB)
    assert "1,000" in too_large["error"]
    assert classified(Entry("nowhere.json", None), JOB)["error"].startswith("nowhere.json")


def test_the_command_marks_broken_rows_and_does_the_rest(folder, tmp_path):
    out = tmp_path / "atlas.csv"
    done = run(folder, out)
    assert done.returncode == 1, done.stderr
    assert "broken.json" in done.stderr
    assert "5 of 6 languages" in done.stdout
    with out.open(newline="") as file:
        rows = {os.path.basename(found["language"]): found for found in csv.DictReader(file)}
    assert len(rows) == 6
    assert rows["broken.json"]["error"]
    assert rows["broken.json"]["LTL[P]"] == ""
    assert [rows[f"{name}.json"]["LTL[P]"] for name in TEXTS] == ["no", "yes", "yes", "no"]
    assert [rows[f"{name}.json"]["local-1"] for name in TEXTS] == ["yes", "no", "no", "no"]
    assert rows["three.att"]["letters"] == '["a", "b", "c"]'
    assert rows["three.att"]["LTL[P]"] == "no"
    assert not list(tmp_path.glob("*.partial"))


def test_the_formats_say_the_same(folder, tmp_path):
    from pyarrow import parquet

    wanted = entries([str(folder)], None, [("*.att", ("a", "b", "c"))])
    records = [classified(entry, JOB) for entry in wanted]
    for ending in ("csv", "parquet", "jsonl"):
        write_table(tmp_path / f"t.{ending}", records)
    columns = list(row(records[-1]))
    rows = [{name: row(record).get(name) for name in columns} for record in records]
    assert parquet.read_table(tmp_path / "t.parquet").to_pylist() == rows
    assert [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()] == records
    with (tmp_path / "t.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    shown = {True: "yes", False: "no", None: ""}
    for found, expected in zip(read, rows, strict=True):
        for name, value in expected.items():
            assert found[name] == (shown[value] if value is None or isinstance(value, bool) else str(value))
    with pytest.raises(ToolkitError, match="must end in"):
        write_table(tmp_path / "t.xlsx", records)


def test_the_journal_is_taken_up_where_it_was_cut(tmp_path):
    wanted = [Entry(text, ("a", "b")) for text in TEXTS.values()]
    journal = tmp_path / "journal"
    told: list[tuple[str, bool]] = []
    first = make_records(wanted, JOB, journal, 2, quiet)
    whole = journal.read_bytes()
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 1 + len(wanted)
    for kept in (b"", lines[0][:9], lines[0], b"".join(lines[:3]), b"".join(lines[:3]) + lines[3][:-20]):
        journal.write_bytes(kept)
        told.clear()
        assert make_records(wanted, JOB, journal, 2, lambda name, before: told.append((name, before))) == first
        assert sum(before for _, before in told) == max(0, kept.count(b"\n") - 1)
        assert sorted(journal.read_bytes().splitlines()) == sorted(whole.splitlines())


def test_a_journal_of_another_job_and_a_damaged_one_are_refused(tmp_path):
    journal = tmp_path / "journal"
    make_records([Entry("a", ("a",))], JOB, journal, 1, quiet)
    with pytest.raises(ToolkitError, match="other options"):
        read_journal(journal, replace(JOB, windows=(2, 3)))
    journal.write_bytes(journal.read_bytes() + b"[1, 2]\n")
    with pytest.raises(ToolkitError, match="line 3 is damaged"):
        read_journal(journal, JOB)


def test_a_language_past_the_time_limit_is_marked(tmp_path):
    slow = Entry("ltl:Y^40 a", ("a", "b"))
    job = replace(JOB, max_states=10**9, time_limit=1.0)
    record = make_records([slow, Entry("a", ("a",))], job, tmp_path / "journal", 1, quiet)
    assert "time limit of 1 s" in record[0]["error"]
    assert record[1]["error"] is None


def test_an_interrupted_command_resumes_and_gives_the_same_table(folder, tmp_path):
    undisturbed, disturbed = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert run(folder, undisturbed).returncode == 1
    journal = tmp_path / "b.jsonl.partial"
    work = subprocess.Popen(
        command(folder, disturbed, "--processes", "1"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not journal.exists() or journal.read_bytes().count(b"\n") < 2):
        time.sleep(0.01)
    work.send_signal(signal.SIGINT)
    assert work.wait(timeout=60) in (130, 1)
    again = run(folder, disturbed, "--processes", "1")
    assert again.returncode == 1
    assert disturbed.read_bytes() == undisturbed.read_bytes()
    assert not journal.exists()


def test_the_windows_option_refuses_zero(folder, tmp_path):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "lookback", "atlas", str(folder)),
            *("--out", str(tmp_path / "t.csv")),
            "--windows",
            "0..2",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "window of 0" in done.stderr


def test_letters_may_look_like_anything():
    record = classified(Entry("regex:[,]", (",", '"', "\n")), JOB)
    assert json.loads(row(record)["letters"]) == list(Alphabet((",", '"', "\n")))


def test_one_command_at_a_time_writes_a_table(folder, tmp_path):
    out = tmp_path / "t.csv"
    with FileLock(tmp_path / "t.csv.lock"):
        refused = run(folder, out)
    assert refused.returncode == 2
    assert "another command is at work on" in refused.stderr
    assert not out.exists()
    assert run(folder, out).returncode == 1
    assert out.exists()
    assert not list(tmp_path.glob("t.csv.*"))


def test_records_are_kept_in_an_ordinary_file(tmp_path):
    (tmp_path / "t.csv.partial").symlink_to("/dev/zero")
    with pytest.raises(ToolkitError, match="no ordinary file"):
        read_journal(tmp_path / "t.csv.partial", JOB)
