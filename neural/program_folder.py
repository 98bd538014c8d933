"""Folders of compiled transformers: config.json and weights.safetensors, all that is needed to use them elsewhere.

config.json has the alphabet and the language as an automaton, the shape, the formula, the score, the length up to which
the weights are exact, the margin of the self-check and the digest of the weights. The weights are those of
`neural.transformer.Transformer`: embedding (the letters in the alphabet's order, then the end symbol), layers, norm,
readout.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

import torch

from automata.dfa import DFA
from automata.errors import FormatError, ToolkitError
from ltl.formula import Formula
from ltl.printing import print_formula
from ltl.syntax import parse_formula
from neural.checkpoint import dump_weights, load_weights
from neural.config_json import read_config, read_value, write_config
from neural.files import read_file, write_whole
from neural.program import Program
from neural.runs import CONFIG, WEIGHTS
from neural.transformer import Transformer

FORMAT = "lookback-program"
"""What the field "format" of config.json says."""

VERSION = 1
"""The version of the format that is written, and the only one that is read."""


@dataclass(frozen=True)
class ProgramFacts:
    """What is told of a program beside its weights; the fields are those of `neural.program.Program`."""

    formula: str
    computed: str
    score: float
    longest: int | None
    margin: float
    checked: int
    weights_sha256: str

    def __post_init__(self) -> None:
        for name in ("formula", "computed", "weights_sha256"):
            if not isinstance(getattr(self, name), str):
                raise ToolkitError(f"{name} is a string, not {getattr(self, name)!r}")
        for name in ("score", "margin"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e30:
                raise ToolkitError(f"{name} is a number above 0, not {value!r}")
        for name in ("longest", "checked"):
            value = getattr(self, name)
            if name == "longest" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ToolkitError(f"{name} is an integer from 1 on, not {value!r}")

    @property
    def reach(self) -> str:
        """The words for which the weights are proved to be exact, for people."""
        return "words of every length" if self.longest is None else f"words of up to {self.longest:,} letters"


@dataclass(frozen=True, eq=False)
class SavedProgram:
    """A compiled transformer read back: the automaton of its language, the formula, what is told of it, the model."""

    dfa: DFA
    formula: Formula
    facts: ProgramFacts
    model: Transformer


def save_program(directory: str | Path, program: Program, dfa: DFA) -> ProgramFacts:
    """Write a program for the language of an automaton into a new or empty folder and return what is told of it.

    Raise `ToolkitError` if there is anything in the folder, or it cannot be written. The weights are written first, so
    a folder without config.json is none of a program.
    """
    directory = Path(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        others = sorted(path.name for path in directory.iterdir() if not path.name.endswith(".tmp"))
    except OSError as error:
        raise ToolkitError(f"cannot write into {str(directory)!r}: {error.strerror or error}") from None
    if others:
        raise ToolkitError(f"{str(directory)!r} holds {others[0]!r}; choose a new or an empty folder")
    weights = dump_weights(program.model)
    facts = ProgramFacts(
        formula=print_formula(program.formula),
        computed=print_formula(program.computed),
        score=program.score,
        longest=program.longest,
        margin=program.margin,
        checked=program.checked,
        weights_sha256=sha256(weights).hexdigest(),
    )
    config = write_config(FORMAT, VERSION, program.model.config, dfa, {"program": asdict(facts)})
    write_whole(directory / WEIGHTS, weights)
    write_whole(directory / CONFIG, config.encode())
    return facts


def load_program(directory: str | Path) -> SavedProgram:
    """Read a program back; raise `ToolkitError` naming the file that is missing or not as `save_program` writes it."""
    directory = Path(directory)
    source = str(directory / CONFIG)
    plain, shape, dfa = read_config(read_file(directory / CONFIG), source, FORMAT, VERSION, ("program",))
    facts = read_value(ProgramFacts, plain["program"], "program", source)
    try:
        formula = parse_formula(facts.formula, dfa.alphabet)
        parse_formula(facts.computed, dfa.alphabet)
    except ToolkitError as error:
        raise FormatError(source, None, f'"program": {error}') from None
    with torch.device("meta"):  # takes no memory before the file is known to have weights of this shape
        model = Transformer(dfa.alphabet, shape)
    weights = read_file(directory / WEIGHTS)
    load_weights(model, weights, str(directory / WEIGHTS))
    if sha256(weights).hexdigest() != facts.weights_sha256:
        raise FormatError(str(directory / WEIGHTS), None, f"not the weights whose digest {CONFIG} gives")
    return SavedProgram(dfa, formula, facts, model)
