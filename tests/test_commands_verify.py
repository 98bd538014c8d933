"""The commands verify and extract: what they print, their exit status, and what they say to each mistake."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from automata.equivalence import distinguish
from automata.formats import from_json
from lookback.inputs import parse_alphabet, read_language
from neural.saved import load_model
from tests.strategies import AB, all_words
from tests.test_cli import mistake, run, run_json

TINY = ("--layers", "1", "--heads", "2", "--width", "8", "--feedforward", "8", "--steps", "3", "--max-length", "5")
CONTAINS_AB = read_language(".*ab.*", parse_alphabet("ab"))


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A network that recognises "contains ab" over {a, b}."""
    folder = str(tmp_path_factory.mktemp("exact") / "model")
    assert run("program", ".*ab.*", "--alphabet", "ab", "--out", folder).exit_code == 0
    return folder


@pytest.fixture(scope="module")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A network that was trained for three steps."""
    folder = str(tmp_path_factory.mktemp("untrained") / "run")
    assert run("train", ".*ab.*", "--alphabet", "ab", "--out", folder, *TINY).exit_code == 0
    return folder


def test_verify_an_exact_network(exact: str) -> None:
    result = run("verify", exact, "--budget", "1000", "--samples", "500")
    assert result.exit_code == 0, result.output
    said = " ".join(result.stdout.split())
    assert "agrees on all 511 words of up to 8 letters; this says nothing of longer words" in said
    assert "if it behaves like an automaton with at most 4 states, it agrees on all words; if not" in said
    assert "differs on 0 of 500 random words of 0 to 100 letters: with confidence 99 %" in said
    assert "no disagreement was found\nits weights are proved to be exact for words of up to " in result.stdout
    assert result.stderr == ""


def test_verify_in_json(exact: str) -> None:
    found = run_json("verify", exact, "--budget", "100", "--extra-states", "2", "--samples", "50", "--longest", "9")
    assert isinstance(found, dict)
    assert found["agree"] is True
    checks = found["checks"]
    assert (checks["exhaustive"]["length"], checks["exhaustive"]["words"]) == (5, 63)
    assert (checks["conformance"]["states"], checks["conformance"]["extra_states"]) == (3, 2)
    assert (checks["sampled"]["lengths"], checks["sampled"]["count"], checks["sampled"]["errors"]) == ([0, 9], 50, 0)
    assert [check["disagreement"] for check in checks.values()] == [None] * 3


def test_verify_finds_the_least_disagreement(untrained: str) -> None:
    model = load_model(untrained).model
    wrong = [word for word in all_words(AB, 8) if model.accepts(word) != CONTAINS_AB.accepts(word)]
    found = run_json("verify", untrained, "--budget", "600", "--samples", "100", status=1)
    assert isinstance(found, dict)
    assert found["agree"] is False
    assert found["checks"]["exhaustive"]["disagreement"] == wrong[0]
    result = run("verify", untrained, "--budget", "600", "--samples", "100")
    assert result.exit_code == 1
    assert f"differs on {wrong[0] or 'ε'}" in " ".join(result.stdout.split())
    assert result.stdout.endswith("the network does not recognise its language\n")


def test_verify_says_what_was_not_compared(exact: str, tmp_path: Path) -> None:
    result = run("verify", exact, "--budget", "7", "--extra-states", "40", "--samples", "5")
    assert result.exit_code == 0
    said = " ".join(result.stdout.split())
    assert "not compared: words of the test suite: reached" in said
    assert "on the command line --max-words" in said
    folder = str(tmp_path / "learned")
    options = ("--attention", "local", "--positions", "learned-7", *TINY)
    assert run("train", ".*ab.*", "--alphabet", "ab", "--out", folder, *options).exit_code == 0
    found = run_json("verify", folder, "--extra-states", "4", "--samples", "100", status=1)
    assert isinstance(found, dict)
    assert found["checks"]["exhaustive"]["length"] <= 6
    assert found["checks"]["sampled"]["lengths"] == [0, 6]
    assert "learned positions reach words of 6" in found["checks"]["conformance"]["not compared"]


def test_the_seed_decides_the_random_words(untrained: str) -> None:
    def errors(seed: str) -> int:
        found = run_json("verify", untrained, "--budget", "1", "--samples", "300", "--seed", seed, status=1)
        assert isinstance(found, dict)
        return int(found["checks"]["sampled"]["errors"])

    assert errors("1") == errors("1")
    assert len({errors(seed) for seed in "1234"}) > 1


def test_long_work_tells_how_far_it_is(exact: str) -> None:
    result = run("verify", exact, "--budget", "70000", "--samples", "5", "--longest", "3")
    assert result.exit_code == 0
    assert " of 65,535 short words" in result.stderr


def test_extract_an_exact_network(exact: str, tmp_path: Path) -> None:
    out = tmp_path / "learned.json"
    options = ("--samples", "500", "--longest", "30", "--out", str(out))
    result = run("extract", exact, *options)
    assert result.exit_code == 0, result.output
    said = " ".join(result.stdout.split())
    assert "learned 3 states in" in said
    assert "no counterexample was found any more" in said
    assert "the learned automaton accepts exactly the language" in said
    assert "LTL[P] yes yes" in said
    assert "LTL[Y] no no" in said
    assert "recognised by hybrid-1 yes yes" in said
    assert from_json(out.read_text()) == CONTAINS_AB
    assert run("distinguish", ".*ab.*", str(out)).exit_code == 0


def test_extract_in_json(exact: str) -> None:
    found = run_json("extract", exact, "--samples", "100", "--longest", "20")
    assert isinstance(found, dict)
    assert (found["stable"], found["end"], found["equal"], found["distinguishing word"]) == (True, "stable", True, None)
    assert from_json(json.dumps(found["automaton"])) == CONTAINS_AB
    assert found["learned"] == found["language"]
    assert found["learned"]["fragments"]["LTL[P]"]["holds"] is True


def test_extract_what_was_really_learned(untrained: str, tmp_path: Path) -> None:
    out = tmp_path / "learned.json"
    options = ("--max-states", "20", "--max-rounds", "30", "--samples", "100", "--longest", "20", "--out", str(out))
    found = run_json("extract", untrained, *options)
    assert isinstance(found, dict)
    learned = from_json(out.read_text())
    assert (found["states"], found["equal"]) == (learned.n_states, False)
    assert found["distinguishing word"] == distinguish(learned, CONTAINS_AB)
    result = run("extract", untrained, *options)
    assert result.exit_code == 0
    assert "the learned automaton has another language: " in " ".join(result.stdout.split())


@pytest.mark.parametrize("bound", ["--max-rounds", "--max-queries"])
def test_extract_ends_at_its_bounds(exact: str, bound: str) -> None:
    found = run_json("extract", exact, bound, "1", "--samples", "50", "--longest", "10")
    assert isinstance(found, dict)
    assert (found["stable"], f"--max-{found['end']}", found["states"]) == (False, bound, 1)
    result = run("extract", exact, bound, "1", "--samples", "50", "--longest", "10")
    assert f"({bound}): the network may not behave like an automaton" in " ".join(result.stdout.split())


def test_mistakes(exact: str, tmp_path: Path) -> None:
    for command in ("verify", "extract"):
        assert "cannot read" in mistake(command, str(tmp_path / "missing"))
        assert "between 0 and 1" in mistake(command, exact, "--confidence", "99", "--longest", "3")
        assert run(command, exact, "--longest", "-1").exit_code == 2
    assert run("verify", exact, "--budget", "0").exit_code == 2
    assert run("verify", exact, "--extra-states", "-1").exit_code == 2
    assert "cannot write" in mistake("extract", exact, "--samples", "9", "--out", str(tmp_path / "no" / "where.json"))


@pytest.mark.parametrize(
    ("command", "options"),
    [("verify", ["--budget", "500000"]), ("extract", ["--max-rounds", "5", "--samples", "3000000"])],
)
def test_an_interruption_is_quiet(exact: str, command: str, options: list[str]) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-m", "lookback", command, exact, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline()  # it tells how far it is: the work has begun
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert out == b""
    assert b"Traceback" not in said
