"""What a run's config.json and metrics.json say: frozen values, written as JSON and read strictly."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict, dataclass
from typing import Any

from automata.dfa import DFA
from automata.errors import FormatError, ToolkitError
from automata.json_object import read_object
from neural.config_json import read_config, read_value, write_config
from neural.train import TrainConfig
from neural.transformer import TransformerConfig

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
        return write_config(FORMAT, VERSION, self.shape, self.dfa, {"training": asdict(self.recipe)})

    @classmethod
    def from_json(cls, data: bytes, source: str) -> RunConfig:
        """Read a configuration as `to_json` writes it; raise `FormatError` naming `source` and the fault."""
        plain, shape, dfa = read_config(data, source, FORMAT, VERSION, ("training",))
        recipe = read_value(TrainConfig, plain["training"], "training", source)
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
        return read_value(cls, read_object(data, source), "", source)
