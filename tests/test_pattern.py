"""Attention patterns: names, errors, the fragment of each, and what verdicts say about it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.errors import ToolkitError
from ltl.fragment import LTL_P, LTL_PY, LTL_Y, LTL_Y_MOD, Fragment
from neural.pattern import AttentionPattern

patterns = st.just(AttentionPattern("global")) | st.builds(
    AttentionPattern, st.sampled_from(["local", "hybrid"]), st.integers(1, 99)
)


@dataclass(frozen=True)
class Said:
    """As much of a verdict as a prediction reads."""

    fragment: Fragment
    holds: bool | None


@given(patterns)
def test_names_are_read_back(pattern):
    assert AttentionPattern.parse(pattern.name) == pattern


def test_fragments_are_those_of_the_theorems():
    assert AttentionPattern("global").fragment == LTL_P
    assert AttentionPattern("local", 1).fragment == LTL_Y
    assert AttentionPattern("hybrid", 1).fragment == LTL_PY
    assert AttentionPattern("local", 3).fragment == Fragment(past=False, window=3)
    assert AttentionPattern("hybrid", 2).fragment == Fragment(past=True, window=2)


@given(patterns)
def test_the_source_is_that_of_the_theorem(pattern):
    assert ("2505.23623" if pattern.kind == "global" else "2605.00768") in pattern.source


def test_the_widest_window_has_a_name_and_a_wider_one_is_refused():
    widest = AttentionPattern("local", 999_999_999)
    assert AttentionPattern.parse(widest.name) == widest
    with pytest.raises(ToolkitError, match="999,999,999"):
        AttentionPattern("local", 10**9)


@pytest.mark.parametrize(
    "text", ["", "globl", "local", "hybrid", "global-1", "local-0", "local--1", "local-x", "LOCAL-1"]
)
def test_other_names_are_refused(text):
    with pytest.raises(ToolkitError):
        AttentionPattern.parse(text)


@pytest.mark.parametrize("window", [0, -1, True, 1.0, "1"])
def test_windows_are_positive_integers(window):
    with pytest.raises(ToolkitError, match="integer from 1 to 999,999,999"):
        AttentionPattern("local", window)


def test_a_verdict_on_the_fragment_decides():
    verdicts = [Said(LTL_P, False), Said(LTL_Y, None), Said(LTL_PY, True)]
    told = [AttentionPattern.parse(name).prediction(verdicts) for name in ("global", "local-1", "hybrid-1")]
    assert told == [False, None, True]


@pytest.mark.parametrize("window", [2, 3, 7])
def test_no_for_window_one_is_no_for_wider_windows_and_yes_is_not_yes(window):
    local, hybrid = AttentionPattern("local", window), AttentionPattern("hybrid", window)
    no = [Said(LTL_P, False), Said(LTL_Y, False), Said(LTL_PY, False)]
    assert local.prediction(no) is hybrid.prediction(no) is False
    yes = [Said(LTL_Y, True), Said(LTL_PY, True)]
    assert local.prediction(yes) is hybrid.prediction(yes) is None
    assert local.prediction([Said(LTL_PY, True), Said(LTL_P, False)]) is None
    assert hybrid.prediction([*yes, Said(hybrid.fragment, False)]) is False
    assert AttentionPattern("global").prediction([Said(LTL_PY, True)]) is None


def test_inclusions_of_fragments_are_used():
    assert AttentionPattern("global").prediction([Said(LTL_PY, False)]) is False
    assert AttentionPattern("hybrid", 3).prediction([Said(LTL_P, True)]) is True
    assert AttentionPattern("hybrid", 2).prediction([Said(Fragment(past=True, window=3), True)]) is True
    assert AttentionPattern("hybrid", 3).prediction([Said(Fragment(past=True, window=2), True)]) is None
    assert AttentionPattern("local", 2).prediction([Said(LTL_Y_MOD, False)]) is False


def test_patterns_start_without_torch():
    code = "import sys, neural.pattern; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
