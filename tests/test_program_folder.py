"""Folders of programs: written whole, read back exactly, every damage named; trained and compiled models alike."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from automata.errors import FormatError, ToolkitError
from ltl.compile import formula_to_dfa
from ltl.syntax import parse_formula
from neural.pattern import AttentionPattern
from neural.program import compile_program
from neural.program_folder import SavedProgram, load_program, save_program
from neural.run_config import RunConfig
from neural.runs import Run, train_run
from neural.saved import load_model
from neural.train import TrainConfig
from neural.transformer import TransformerConfig
from tests.strategies import ABC, all_words

FORMULA = parse_formula("P (b & Y a)", ABC)
DFA = formula_to_dfa(FORMULA, ABC)
HYBRID = AttentionPattern("hybrid", 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_program(tmp_path / "program", compile_program(FORMULA, ABC, HYBRID), DFA)
    return tmp_path / "program"


def test_a_program_is_read_back(folder: Path) -> None:
    program = compile_program(FORMULA, ABC, HYBRID)
    found = load_program(folder)
    assert (found.dfa, found.formula) == (DFA, FORMULA)
    assert found.model.config == program.model.config
    facts = found.facts
    assert (facts.score, facts.longest, facts.margin, facts.checked) == (
        program.score, program.longest, program.margin, program.checked
    )  # fmt: skip
    words = all_words(ABC, 5)
    assert np.array_equal(found.model.logits(words), program.model.logits(words))
    assert sorted(path.name for path in folder.iterdir()) == ["config.json", "weights.safetensors"]


def test_periodic_positions_and_other_windows_too(tmp_path: Path) -> None:
    formula = parse_formula("Y<=3 a & MOD(1,3)", ABC)
    save_program(tmp_path, compile_program(formula, ABC, AttentionPattern("local", 2)), formula_to_dfa(formula, ABC))
    found = load_program(tmp_path)
    words = all_words(ABC, 5)
    assert found.model.accepts_batch(words).tolist() == found.dfa.accepts_batch(words).tolist()


def test_the_same_formula_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    save_program(tmp_path / "again", compile_program(FORMULA, ABC, HYBRID), DFA)
    for name in ("config.json", "weights.safetensors"):
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_a_folder_with_anything_in_it_is_left_alone(folder: Path) -> None:
    before = (folder / "config.json").read_bytes()
    with pytest.raises(ToolkitError, match=r"holds 'config\.json'; choose a new or an empty folder"):
        save_program(folder, compile_program(FORMULA, ABC, HYBRID), DFA)
    assert (folder / "config.json").read_bytes() == before


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ToolkitError, match="cannot write into"):
        save_program(tmp_path / "file", compile_program(FORMULA, ABC, HYBRID), DFA)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda plain: plain.update(format="lookback-run"), "lookback-program"),
        (lambda plain: plain.update(version=2), '"version": 1'),
        (lambda plain: plain.update(more=1), "more"),
        (lambda plain: plain.pop("program"), "program"),
        (lambda plain: plain["program"].update(formula="P z"), "unknown letter 'z'"),
        (lambda plain: plain["program"].update(formula=3), "formula is a string"),
        (lambda plain: plain["program"].update(computed="P ("), "program"),
        (lambda plain: plain["program"].update(margin="wide"), "margin is a number"),
        (lambda plain: plain["program"].update(longest=0), "longest is an integer"),
        (lambda plain: plain["program"].update(wieght=1), "wieght"),
        (lambda plain: plain["program"].update(weights_sha256="0" * 64), "not the weights"),
        (lambda plain: plain["transformer"].update(width=16), "expected torch.float32"),
        (lambda plain: plain["transformer"].update(width=12_000, layers=1), "expected torch.float32"),
        (lambda plain: plain["transformer"].update(colour="red"), "colour"),
        (lambda plain: plain.update(attention="hybrid-0"), "attention"),
        (lambda plain: plain.update(positions="learned-9"), "position_embedding"),
    ],
)
def test_every_damage_of_the_configuration_is_named(folder: Path, spoil, said: str) -> None:
    plain = json.loads((folder / "config.json").read_text())
    spoil(plain)
    (folder / "config.json").write_text(json.dumps(plain))
    with pytest.raises(FormatError, match=said):
        load_program(folder)


def test_damaged_weights_are_named(folder: Path) -> None:
    path = folder / "weights.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"weights\.safetensors"):
        load_program(folder)
    path.write_bytes(data[:100])
    with pytest.raises(FormatError, match="not a safetensors file"):
        load_program(folder)
    path.unlink()
    with pytest.raises(ToolkitError, match=r"cannot read .*weights\.safetensors"):
        load_program(folder)


def test_trained_and_compiled_models_are_loaded_alike(folder: Path, tmp_path: Path) -> None:
    compiled = load_model(folder)
    assert isinstance(compiled.origin, SavedProgram)
    assert compiled.dfa == DFA
    assert compiled.model.accepts("cabc")
    tiny = TransformerConfig(HYBRID, layers=1, heads=2, width=8, feedforward=8)
    for _ in train_run(tmp_path / "run", RunConfig(DFA, tiny, TrainConfig(steps=2, max_length=5))):
        pass
    trained = load_model(tmp_path / "run")
    assert isinstance(trained.origin, Run)
    assert (trained.dfa, trained.model.config) == (DFA, tiny)


def test_what_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ToolkitError, match=r"cannot read .*config\.json.*expected a file of a model"):
        load_model(tmp_path)
    (tmp_path / "config.json").write_text('{"format": "something else"}')
    with pytest.raises(FormatError):
        load_model(tmp_path)
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(FormatError, match="expected an object"):
        load_model(tmp_path)
