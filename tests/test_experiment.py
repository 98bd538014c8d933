"""Experiments: the key, the pumping families, grids from TOML and every mistake in them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from automata.dfa import DFA
from automata.errors import ToolkitError
from lookback.experiment_file import parse_grid, read_grid
from ltl.fragment import LTL_P, LTL_PY, LTL_Y, Fragment
from neural.experiment import EvaluationConfig, predicted, pumping_families, verdicts_for
from neural.pattern import AttentionPattern
from neural.positions import Positions
from neural.train import TrainConfig
from semigroups.classify import classify
from tests.tiny_experiments import ENDS_WITH_A, GRID, tiny

FILES = sorted((Path(__file__).parents[1] / "experiments").glob("*.toml"))
GLOBAL, LOCAL, LOCAL_2, HYBRID_2 = map(AttentionPattern.parse, ("global", "local-1", "local-2", "hybrid-2"))
SMALL = 'attention = ["global"]\n[[languages]]\nname = "ends with a"\nlanguage = ".*a"\nalphabet = "ab"\n'


# The value and its key


def test_the_key_is_that_of_the_content_alone():
    experiment = tiny()
    assert replace(experiment, language="another name").key() == experiment.key()
    named = DFA(ENDS_WITH_A.alphabet, ENDS_WITH_A.delta, 0, ENDS_WITH_A.accept, names=("p", "q"))
    assert replace(experiment, config=replace(experiment.config, dfa=named)).key() == experiment.key()
    whole, floating = (
        replace(experiment, config=replace(experiment.config, recipe=TrainConfig(learning_rate=rate)))
        for rate in (1, 1.0)
    )
    assert whole.key() == floating.key()


def test_the_key_is_the_digest_of_the_content_written_out():
    content = (
        '{"attention":"local-1","evaluation":{"families":["LTL[P]"],"longest":20,"per_class":1},'
        '"format":"lookback-experiment","language":{"accepting":[1],"alphabet":["a","b"],"start":0,'
        '"transitions":[[1,0],[1,0]]},"positions":"none",'
        '"training":{"batch":32,"clip":1.0,"ends":0.3,"learning_rate":0.001,"max_length":8,"min_length":1,"near":0.5,'
        '"seed":0,"smoothing":0.97,"steps":120,"stop_loss":0.0,"weight_decay":0.01},'
        '"transformer":{"feedforward":8,"heads":2,"layers":1,"width":8},"version":1}'
    )
    assert tiny().key() == sha256(content.encode()).hexdigest()


def test_whatever_the_result_depends_on_is_in_the_key():
    experiment = tiny()
    config = experiment.config
    others = [
        tiny(seed=1),
        tiny(steps=121),
        tiny("local-2"),
        replace(experiment, config=replace(config, shape=replace(config.shape, width=10))),
        replace(experiment, config=replace(config, shape=replace(config.shape, positions=Positions("rotary")))),
        replace(experiment, config=replace(config, dfa=DFA(ENDS_WITH_A.alphabet, [[0, 1]] * 2, 0, [False, True]))),
        replace(experiment, config=replace(config, recipe=replace(config.recipe, learning_rate=2e-3))),
        replace(experiment, evaluation=EvaluationConfig(2, 20)),
        replace(experiment, evaluation=EvaluationConfig(1, 21)),
        replace(experiment, refuted=()),
    ]
    assert len({other.key() for other in [experiment, *others]}) == len(others) + 1


def test_the_key_is_the_same_in_every_process():
    script = "from tests.tiny_experiments import tiny; print(tiny().key(), end='')"
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[1])},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "7")
    }
    assert found == {tiny().key()}


def test_the_json_says_all_of_it_and_no_version_of_software():
    experiment = tiny()
    plain = json.loads(experiment.to_json())
    assert plain["name"] == "ends with a"
    assert plain["key"] == experiment.key()
    assert plain["attention"] == "local-1"
    assert plain["training"]["steps"] == 120
    assert plain["evaluation"] == {"per_class": 1, "longest": 20, "families": ["LTL[P]"]}
    assert plain["language"]["alphabet"] == ["a", "b"]
    assert "versions" not in plain


@pytest.mark.parametrize("options", [{"per_class": 0}, {"longest": True}, {"longest": 2.0}, {"per_class": 10**9}])
def test_numbers_of_an_evaluation(options):
    with pytest.raises(ToolkitError, match=f"{next(iter(options))} is an integer"):
        EvaluationConfig(**options)


def test_families_are_those_of_the_negative_verdicts():
    assert [family.fragment for family in pumping_families(classify(ENDS_WITH_A, windows=()).verdicts)] == [LTL_P]
    wide = [family.fragment for family in pumping_families(classify(ENDS_WITH_A, windows=(2,)).verdicts)]
    assert wide == [LTL_P, Fragment(past=False, window=2), Fragment(past=True, window=2)]
    for experiment in (tiny("global"), tiny("local-2")):
        families = experiment.families()
        assert tuple(family.fragment for family in families) == experiment.refuted
        assert all(family.check(ENDS_WITH_A) is None for family in families)


def test_verdicts_and_predictions_are_about_the_attention():
    def fragments(pattern, positions=Positions()):  # noqa: B008
        return [verdict.fragment for verdict in verdicts_for(ENDS_WITH_A, pattern, positions)]

    assert fragments(GLOBAL) == fragments(LOCAL) == [LTL_P, LTL_Y, LTL_PY]
    assert fragments(LOCAL_2)[3:] == [Fragment(False, 2), Fragment(True, 2)]
    assert fragments(GLOBAL, Positions("periodic-rotary", 4))[3].name == "LTL[P,MOD]"
    for pattern, expected in ((GLOBAL, False), (LOCAL, True), (LOCAL_2, False), (HYBRID_2, False)):
        assert predicted(ENDS_WITH_A, pattern, Positions()) is expected
    assert predicted(ENDS_WITH_A, LOCAL_2, Positions("offset-bias")) is True
    assert predicted(ENDS_WITH_A, GLOBAL, Positions("learned", 600)) is None


# Grids


def test_a_grid_is_every_combination_in_order():
    text = SMALL.replace('["global"]', '["global", "local-1"]\nseeds = [3, 4]\nlearning_rates = [1e-3, 1]')
    grid = parse_grid(text, "x.toml")
    assert len(grid.experiments) == 8
    assert grid.experiments[1].name == "ends with a global seed 3 rate 1"
    recipes = [(e.pattern.name, e.config.recipe.seed, e.config.recipe.learning_rate) for e in grid.experiments]
    assert recipes == [(p, s, r) for p in ("global", "local-1") for s in (3, 4) for r in (1e-3, 1)]
    assert {e.key() for e in grid.experiments_of(grid.languages[0], grid.columns[1])} == {
        e.key() for e in grid.experiments[4:]
    }


def test_what_is_left_out_is_as_the_defaults_have_it():
    (experiment,) = parse_grid(SMALL, "x.toml").experiments
    assert experiment.config.recipe == TrainConfig()
    assert experiment.evaluation == EvaluationConfig()
    assert experiment.positions == Positions()
    assert experiment.config.dfa == ENDS_WITH_A


def test_options_reach_their_places():
    grid = parse_grid(GRID.format(steps=77), "x.toml")
    experiment = grid.experiments[0]
    assert (experiment.config.recipe.steps, experiment.config.recipe.max_length) == (77, 8)
    assert (experiment.config.shape.layers, experiment.config.shape.width) == (1, 8)
    assert experiment.evaluation == EvaluationConfig(1, 20)
    assert grid.experiments[2] == tiny("local-1", 0, 77)
    assert grid.published is None


def test_published_numbers():
    text = SMALL + '[published]\nsource = "a paper"\naccuracy."ends with a" = { global = 58 }\n'
    published = parse_grid(text, "x.toml").published
    assert published is not None
    assert (published.source, published.accuracy) == ("a paper", {("ends with a", "global"): 58.0})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_files_that_come_with_the_project(path):
    grid = read_grid(path)
    keys = {experiment.key() for experiment in grid.experiments}
    assert len(keys) == len(grid.experiments)


def test_the_published_table():
    grid = read_grid(next(path for path in FILES if path.name == "table-1.toml"))
    assert len(grid.experiments) == 8 * 7 * 3
    assert grid.published is not None
    assert len(grid.published.accuracy) == 8 * 7
    theory = {
        language.name: {c.name: predicted(language.dfa, c.pattern, c.positions) for c in grid.columns}
        for language in grid.languages
    }
    # What shared tables of the literature say of global, local and hybrid attention with window 1.
    assert {name: (row["global"], row["local-1"], row["hybrid-1"]) for name, row in theory.items()} == {
        "Σ*a": (False, True, True),
        "Σ*ab": (False, True, True),
        "aΣ*": (True, False, True),
        "Σ*aΣ*bΣ*": (True, False, True),
        "(ab)*": (False, False, True),
        "Σ*abΣ*": (False, False, True),
        "RDP-1": (False, False, True),
        "Dyck, depth 2": (False, False, False),
    }
    assert all(language.remark for language in grid.languages)


# Mistakes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("attention = [", "not TOML"),
        (SMALL + "\n[training]\nsteps = 1\nsteps = 2", "not TOML: Cannot overwrite"),
        ("a = " + "[" * 5000, "not TOML"),
        (SMALL.replace("attention", "atention"), r'the field "attention" is missing'),
        (SMALL.replace("attention", "seedz = [1]\nattention"), r'unknown field "seedz"; did you mean "seeds"'),
        (SMALL + "[training]\nstepps = 3", r'"training": unknown field "stepps"; did you mean "steps"'),
        (SMALL + "[training]\nseed = 3", r'"training": unknown field "seed"'),
        (SMALL + "[training]\nlearning_rate = 3.0", r'"training": unknown field "learning_rate"'),
        (SMALL + "[transformer]\nlayer = 3", r'"transformer": unknown field "layer"; did you mean "layers"'),
        (SMALL + "[evaluation]\nlongst = 3", r'did you mean "longest"'),
        (
            SMALL.replace("alphabet", "alphabeth"),
            r'"languages\[0\]": unknown field "alphabeth"; did you mean "alphabet"',
        ),
        (SMALL.replace('["global"]', '"global"'), r'"attention": expected a list, found "global"'),
        (SMALL.replace('["global"]', "[]"), r'"attention": an empty list'),
        (SMALL.replace('["global"]', "[1]"), r'"attention\[0\]": expected a text, found 1'),
        (SMALL.replace('["global"]', '["lokal-1"]'), r'"attention\[0\]": unknown attention pattern \'lokal-1\''),
        (SMALL.replace('["global"]', '["global", "global"]'), r'"attention": "global" is given twice'),
        (SMALL.replace("attention", "seeds = [true]\nattention"), r'"seeds\[0\]": expected an integer, found true'),
        (SMALL.replace("attention", "seeds = [0.5]\nattention"), r'"seeds\[0\]": expected an integer, found 0.5'),
        (SMALL.replace("attention", "seeds = [-1]\nattention"), r"seed is an integer from 0"),
        (SMALL.replace("attention", "seeds = [1, 1]\nattention"), r'"seeds": 1 is given twice'),
        (SMALL.replace("attention", "seeds = []\nattention"), r'"seeds": an empty list'),
        (SMALL.replace("attention", "learning_rates = [1, 1.0]\nattention"), r'"learning_rates": 1.0 is given twice'),
        (SMALL.replace("attention", "learning_rates = [inf]\nattention"), r"learning_rate is a number"),
        (SMALL.replace("attention", 'learning_rates = ["x"]\nattention'), r'"learning_rates\[0\]": expected a number'),
        (SMALL.replace("attention", "seeds = [1979-05-27]\nattention"), r"expected an integer, found 1979-05-27"),
        (SMALL.replace("attention", 'positions = ["rotari"]\nattention'), r"unknown positions 'rotari'"),
        (SMALL.replace("attention", 'positions = ["offset-bias"]\nattention'), r"ends with a, global offset-bias: "),
        (SMALL + "[training]\nsteps = 1.5", r'"training.steps": expected an integer, found 1.5'),
        (SMALL + '[training]\nnear = "x"', r'"training.near": expected a number, found "x"'),
        (SMALL + "[training]\nsteps = 0", r'"training": steps is an integer from 1'),
        (SMALL + "[transformer]\nwidth = 7", r"a width of 7 is not a multiple of 4"),
        (SMALL + "[transformer]\nwidth = true", r'"transformer.width": expected an integer, found true'),
        (SMALL.replace('".*a"', '".*("'), r'"languages\[0\].language": '),
        (SMALL.replace('alphabet = "ab"', ""), r'"languages\[0\].language": .*alphabet'),
        (SMALL + '[[languages]]\nname = "ends with a"\nlanguage = "b"', r'"languages\[1\].name": .* is given twice'),
        (SMALL + '[[languages]]\nname = "x"\nlanguage = "(a|b)*a"', r'"languages\[1\].language": the same language'),
        (SMALL + '[published]\nsource = "x"', r'"published": the field "accuracy" is missing'),
        (SMALL + '[published]\nsource = "x"\naccuracy."ends with b" = {}', r'did you mean "ends with a"'),
        (SMALL + '[published]\nsource = "x"\naccuracy."ends with a" = {globl = 1}', r'did you mean "global"'),
        (SMALL + '[published]\nsource = "x"\naccuracy."ends with a" = {global = 101}', r"lies in 0..100, not 101"),
        (SMALL + "[published]\nsource = 1\naccuracy = {}", r'"published.source": expected a text, found 1'),
    ],
)
def test_mistakes_name_the_file_and_the_key(text, said):
    with pytest.raises(ToolkitError, match=said) as found:
        parse_grid(text, "my.toml")
    assert str(found.value).startswith("my.toml: ")


def test_too_many_experiments():
    with pytest.raises(ToolkitError, match="100,001 experiments"):
        parse_grid(SMALL.replace("attention", f"seeds = {list(range(100_001))}\nattention"), "x.toml")


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ToolkitError, match="no such file"):
        read_grid(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"# \xe9\n")
    with pytest.raises(ToolkitError, match=r"latin\.toml, line 1: byte 0xe9 is not UTF-8"):
        read_grid(tmp_path / "latin.toml")
