"""What a run's config.json and metrics.json say: frozen values, written as JSON and read strictly."""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from textwrap import indent
from typing import TYPE_CHECKING, Any, TypeVar

from automata.dfa import DFA
from automata.errors import FormatError, ToolkitError, join_words
from automata.file_text import decode_text
from automata.json_format import from_json, to_json
from neural.pattern import AttentionPattern
from neural.train import TrainConfig
from neural.transformer import TransformerConfig

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_T = TypeVar("_T", bound="DataclassInstance")

FORMAT = "lookback-run"
"""What the field "format" of config.json says."""

VERSION = 1
"""The version of the format that is written, and the only one that is read."""


@dataclass(frozen=True)
class RunConfig:
    """All that a training depends on: the language, the shape of the network, the recipe (with the seed)."""

    dfa: DFA
    shape: TransformerConfig
    recipe: TrainConfig

    def to_json(self) -> str:
        """Write the configuration, with the versions of what will run it."""
        shape = asdict(self.shape)
        del shape["pattern"]
        head = {
            "format": FORMAT,
            "version": VERSION,
            "attention": self.shape.pattern.name,
            "transformer": shape,
            "training": asdict(self.recipe),
            "versions": _versions(),
        }
        language = indent(to_json(self.dfa).rstrip(), "  ").lstrip()
        return json.dumps(head, indent=2)[:-2] + f',\n  "language": {language}\n}}\n'

    @classmethod
    def from_json(cls, data: bytes, source: str) -> RunConfig:
        """Read a configuration as `to_json` writes it; raise `FormatError` naming `source` and the fault."""
        plain = _object(data, source)
        names = ["format", "version", "attention", "transformer", "training", "versions", "language"]
        _check_names(plain, names, "", source)
        if plain["format"] != FORMAT or plain["version"] != VERSION or isinstance(plain["version"], bool):
            raise FormatError(
                source, None, f'expected "format": "{FORMAT}" and "version": {VERSION}, found {plain["format"]!r} and '
                f"{plain['version']!r}"
            )  # fmt: skip
        try:
            pattern = AttentionPattern.parse(str(plain["attention"]))
        except ToolkitError as error:
            raise FormatError(source, None, f'"attention": {error}') from None
        shape = _value(TransformerConfig, plain["transformer"], "transformer", source, pattern=pattern)
        recipe = _value(TrainConfig, plain["training"], "training", source)
        return cls(from_json(json.dumps(plain["language"]), f"{source}, language"), shape, recipe)


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
        return _value(cls, _object(data, source), "", source)


def _versions() -> dict[str, str]:
    """Return the versions of what computes the result."""
    found = {"python": platform.python_version()}
    for package in ("lookback-attention", "torch", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a source tree
            found[package] = "not installed"
    return found


def _object(data: bytes, source: str) -> dict[str, Any]:
    """Parse a JSON object without fields given twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise FormatError(source, None, f"a field is given twice among {_quoted(name for name, _ in pairs)}")
        return found

    try:
        plain = json.loads(decode_text(data, source), object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise FormatError(source, None, "lists or objects are nested too deep") from None
    except FormatError:
        raise
    except ValueError:  # Python refuses to convert integers of thousands of digits
        raise FormatError(source, None, "an integer has thousands of digits") from None
    if not isinstance(plain, dict):
        raise FormatError(source, None, "expected a JSON object")
    return plain


def _check_names(plain: dict[str, Any], names: list[str], where: str, source: str) -> None:
    """Raise `FormatError` unless the object has these fields and no others."""
    place = f'"{where}": ' if where else ""
    if missing := [name for name in names if name not in plain]:
        raise FormatError(source, None, f"{place}the field {_quoted(missing)} is missing")
    if unknown := [name for name in plain if name not in names]:
        raise FormatError(source, None, f"{place}unknown field {_quoted(unknown)}; the fields are {_quoted(names)}")


def _value(kind: type[_T], plain: object, where: str, source: str, **given: Any) -> _T:
    """Read a frozen value from the object of its fields; those `given` are not in the object."""
    place = f'"{where}": ' if where else ""
    if not isinstance(plain, dict):
        raise FormatError(source, None, f"{place}expected an object")
    names = [field.name for field in fields(kind) if field.name not in given]
    _check_names(plain, names, where, source)
    try:
        return kind(**plain, **given)
    except ToolkitError as error:
        raise FormatError(source, None, f"{place}{error}") from None


def _quoted(names: Iterable[str]) -> str:
    return join_words([f'"{name}"' for name in names], "and")
