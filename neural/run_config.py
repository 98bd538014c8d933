"""What a run's config.json and metrics.json say: frozen values, written as JSON and read strictly."""

from __future__ import annotations

import json
import platform
import re
import sys
from dataclasses import asdict, dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from textwrap import indent
from typing import TYPE_CHECKING, Any, TypeVar

from automata.dfa import DFA
from automata.errors import FormatError, ToolkitError
from automata.json_format import from_json, to_json
from automata.json_object import check_fields, read_object, show_value
from neural.pattern import AttentionPattern
from neural.positions import Positions
from neural.train import TrainConfig
from neural.transformer import TransformerConfig

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_T = TypeVar("_T", bound="DataclassInstance")

FORMAT = "lookback-run"
"""What the field "format" of config.json says."""

VERSION = 2
"""The version of the format that is written, and the only one that is read."""


@dataclass(frozen=True)
class RunConfig:
    """All that a training depends on: the language, the shape of the network, the recipe (with the seed).

    Raise `ToolkitError` if learned positions do not reach the longest training words.
    """

    dfa: DFA
    shape: TransformerConfig
    recipe: TrainConfig

    def __post_init__(self) -> None:
        reach = self.shape.positions.longest
        if reach is not None and reach < self.recipe.max_length:
            raise ToolkitError(
                f"{self.shape.positions.name} positions reach words of {reach} letters, and training has words of "
                f"{self.recipe.max_length}: learned-{self.recipe.max_length + 1} or more"
            )

    def to_json(self) -> str:
        """Write the configuration, with the versions of what will run it."""
        shape = asdict(self.shape)
        del shape["pattern"], shape["positions"]
        head = {
            "format": FORMAT,
            "version": VERSION,
            "attention": self.shape.pattern.name,
            "positions": self.shape.positions.name,
            "transformer": shape,
            "training": asdict(self.recipe),
            "versions": _versions(),
        }
        language = indent(to_json(self.dfa).rstrip(), "  ").lstrip()
        return json.dumps(head, indent=2)[:-2] + f',\n  "language": {language}\n}}\n'

    @classmethod
    def from_json(cls, data: bytes, source: str) -> RunConfig:
        """Read a configuration as `to_json` writes it; raise `FormatError` naming `source` and the fault."""
        plain = read_object(data, source)
        names = ["format", "version", "attention", "positions", "transformer", "training", "versions", "language"]
        check_fields(plain, names, source)
        if plain["format"] != FORMAT or plain["version"] != VERSION or isinstance(plain["version"], bool):
            found = f"{show_value(plain['format'])} and {show_value(plain['version'])}"
            raise FormatError(source, None, f'expected "format": "{FORMAT}" and "version": {VERSION}, found {found}')
        try:
            pattern = AttentionPattern.parse(str(plain["attention"]))
        except ToolkitError as error:
            raise FormatError(source, None, f'"attention": {error}') from None
        try:
            positions = Positions.parse(str(plain["positions"]))
        except ToolkitError as error:
            raise FormatError(source, None, f'"positions": {error}') from None
        shape = _value(
            TransformerConfig, plain["transformer"], "transformer", source, pattern=pattern, positions=positions
        )
        recipe = _value(TrainConfig, plain["training"], "training", source)
        dfa = from_json(json.dumps(plain["language"]), f"{source}, language")
        try:
            return cls(dfa, shape, recipe)
        except ToolkitError as error:
            raise FormatError(source, None, str(error)) from None


@dataclass(frozen=True)
class Metrics:
    """What a finished training came to: steps, last loss, its moving average, CPU seconds, evaluation if made.

    `weights_sha256` is the digest of the file of weights, in hexadecimal. `converged` tells whether the average loss
    fell below the recipe's bound; otherwise the steps ran out.
    """

    steps: int
    loss: float
    average_loss: float
    converged: bool
    cpu_seconds: float
    weights_sha256: str
    evaluation: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.steps, bool) or not isinstance(self.steps, int) or self.steps < 1:
            raise ToolkitError(f"steps is an integer from 1 on, not {self.steps!r}")
        for name in ("loss", "average_loss", "cpu_seconds"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= sys.float_info.max:
                raise ToolkitError(f"{name} is a finite number from 0 on, not {number!r}")
        if not isinstance(self.converged, bool):
            raise ToolkitError(f"converged is true or false, not {self.converged!r}")
        if not isinstance(self.weights_sha256, str) or not re.fullmatch("[0-9a-f]{64}", self.weights_sha256):
            raise ToolkitError(f"weights_sha256 is a digest of 64 hexadecimal digits, not {self.weights_sha256!r}")
        if self.evaluation is not None and not isinstance(self.evaluation, dict):
            raise ToolkitError("evaluation is an object or null")

    def to_json(self) -> str:
        """Write the metrics."""
        return json.dumps(asdict(self), indent=2) + "\n"

    @classmethod
    def from_json(cls, data: bytes, source: str) -> Metrics:
        """Read metrics as `to_json` writes them; raise `FormatError` naming `source` and the fault."""
        return _value(cls, read_object(data, source), "", source)


def _versions() -> dict[str, str]:
    """Return the versions of what computes the result."""
    found = {"python": platform.python_version()}
    for package in ("lookback-attention", "torch", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a source tree
            found[package] = "not installed"
    return found


def _value(kind: type[_T], plain: object, where: str, source: str, **given: Any) -> _T:
    """Read a frozen value from the object of its fields; those `given` are not in the object."""
    place = f'"{where}": ' if where else ""
    if not isinstance(plain, dict):
        raise FormatError(source, None, f"{place}expected an object")
    names = [field.name for field in fields(kind) if field.name not in given]
    check_fields(plain, names, source, where=where)
    try:
        return kind(**plain, **given)
    except ToolkitError as error:
        raise FormatError(source, None, f"{place}{error}") from None
