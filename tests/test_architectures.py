"""The table of architectures: inclusions between its rows, where each comes from, and what it predicts."""

from __future__ import annotations

from typing import get_args

import pytest

from automata.alphabet import Alphabet
from automata.regex import regex_to_dfa
from neural.architectures import architecture, architectures, prediction
from neural.pattern import AttentionPattern, Kind
from neural.positions import PositionKind, Positions
from semigroups.classify import classify
from tests.strategies import AB, ABC

LANGUAGES = [".*a", "a.*", ".*a.*b.*", ".*ab.*", "(ab)*", "bb.*", "(..)*", "(a(ab)*b)*", "(b*ab*a)*b*", "", "~()"]

PERIODIC = ["periodic-sinusoidal", "periodic-rotary"]


@pytest.mark.parametrize("text", LANGUAGES)
def test_what_architectures_recognise_follows_their_inclusions(text):
    """A wider window, soft attention without positions, and the non-strict mask give less; the rest as the logics."""
    found = classify(regex_to_dfa(text, ABC), windows=(2, 3))
    rows = {row.name: row for row in architectures((1, 2, 3))}
    can = {name: row.prediction(found) for name, row in rows.items() if row.status != "open"}
    assert None not in can.values()
    for weaker, stronger in [
        ("global-nonstrict", "global"),
        *((f"{kind}-{k + 1}", f"{kind}-{k}") for kind in ("local", "hybrid") for k in (1, 2)),
        *((f"local-{k}", f"hybrid-{k}") for k in (1, 2, 3)),
        *(("global", f"hybrid-{k}") for k in (1, 2, 3)),
        *((name, f"{name[:-2]}-{p}") for p in PERIODIC for name in ("local-1", "local-3", "hybrid-1")),
        *(("global", f"global-{p}") for p in PERIODIC),
        *((f"local-{p}", f"hybrid-{p}") for p in PERIODIC),
        *((f"global-{p}", f"hybrid-{p}") for p in PERIODIC),
        ("hybrid-1", "rightmost-hard"),
        ("rightmost-hard", "recurrent"),
    ]:
        assert can[weaker] <= can[stronger], (weaker, stronger)
    assert can["leftmost-hard"] == can["global"]
    assert can["local-rotary"] == can["local-offset-bias"] == can["local-periodic-rotary"] == can["local-1"]
    assert can["hybrid-offset-bias"] == can["hybrid-1"]
    assert can["rightmost-hard"] == can["float-softmax"] == can["state-space"]


def test_every_row_of_the_table_says_where_it_comes_from():
    rows = architectures((1, 2))
    assert len({row.name for row in rows}) == len(rows) == 5 + 17 + 6
    for row in rows:
        assert row.source
        assert "precision" in row.arithmetic or "floating point" in row.arithmetic
    assert {row.name for row in rows if row.status == "partly known"} == {"global-nonstrict", "float-softmax"}


def test_every_pattern_with_every_kind_of_positions_has_a_row():
    rows = set(architectures((2,)))
    for positions in get_args(PositionKind):
        number = 8 if positions.startswith(("learned", "periodic")) else None
        for kind in get_args(Kind):
            if (kind, positions) != ("global", "offset-bias"):
                pattern = AttentionPattern(kind, None if kind == "global" else 2)
                assert architecture(pattern, Positions(positions, number)) in rows


def test_a_row_whose_class_is_open_predicts_nothing():
    found = classify(regex_to_dfa("a.*", AB), windows=())
    rows = [row for row in architectures((1,)) if row.status == "open"]
    assert {row.name for row in rows} == {
        *(f"{kind}-{positions}" for positions in ("learned", "sinusoidal") for kind in ("global", "local", "hybrid")),
        "global-rotary",
        "hybrid-rotary",
    }
    assert {row.prediction(found) for row in rows} == {None}
    assert {row.logic for row in rows} == {"open"}
    assert prediction(AttentionPattern("global"), Positions("rotary"), found.verdicts) is None


@pytest.mark.parametrize(
    ("text", "attention", "positions", "expected"),
    [
        ("(..)*", "global", "none", False),
        ("(..)*", "global", "periodic-rotary-2", True),
        ("(..)*", "global", "periodic-sinusoidal-6", True),
        ("(..)*", "global", "periodic-sinusoidal-3", None),  # a period that its formula cannot use
        ("(..)*", "local-2", "periodic-sinusoidal-2", True),
        ("(..)*", "local-2", "periodic-rotary-2", False),  # local heads see differences of positions alone
        (".*a", "local-2", "none", False),
        (".*a", "local-2", "rotary", True),
        (".*a", "local-2", "offset-bias", True),
        (".*a", "local-2", "periodic-rotary-2", True),
        (".*a", "local-3", "periodic-rotary-2", None),  # offsets 1 and 3 look alike
        ("a.*", "global", "periodic-rotary-2", True),
        ("~()", "local-3", "periodic-rotary-2", True),
        ("(b*ab*a)*b*", "hybrid-1", "periodic-sinusoidal-2", False),
    ],
)
def test_predictions_for_attention_with_positions(text, attention, positions, expected):
    found = classify(regex_to_dfa(text, AB), windows=(2, 3))
    pattern = AttentionPattern.parse(attention)
    assert prediction(pattern, Positions.parse(positions), found.verdicts) is expected


def test_the_non_strict_mask_loses_bb():
    found = classify(regex_to_dfa("bb.*", Alphabet.of("ab")), windows=())
    rows = {row.name: row.prediction(found) for row in architectures((1,))}
    assert (rows["global"], rows["global-nonstrict"]) == (True, False)
