"""Models in folders: trained ones and compiled ones are read back alike."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from automata.dfa import DFA
from automata.json_object import read_object
from neural.files import read_file
from neural.program_folder import FORMAT, SavedProgram, load_program
from neural.runs import CONFIG, Run, load_run
from neural.transformer import Transformer


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A model read back from its folder, with the language that it is for: a finished training, or a program."""

    origin: Run | SavedProgram
    dfa: DFA
    model: Transformer


def load_model(directory: str | Path) -> SavedModel:
    """Read a model back; raise `ToolkitError` naming the file that is missing, broken or of something else."""
    config = Path(directory) / CONFIG
    if read_object(read_file(config), str(config)).get("format") == FORMAT:
        program = load_program(directory)
        return SavedModel(program, program.dfa, program.model)
    run = load_run(directory)
    return SavedModel(run, run.config.dfa, run.model)
