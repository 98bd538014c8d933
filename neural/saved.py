"""Models in folders: trained ones and compiled ones are read back alike."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from automata.dfa import DFA
from neural.runs import load_run
from neural.transformer import Transformer


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A model read back from its folder, with the language that it is for."""

    directory: Path
    dfa: DFA
    model: Transformer


def load_model(directory: str | Path) -> SavedModel:
    """Read a model back; raise `ToolkitError` naming the file that is missing or broken."""
    run = load_run(directory)
    return SavedModel(run.directory, run.config.dfa, run.model)
