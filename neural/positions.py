"""Positional encodings: what a transformer is told of where a letter stands. No torch here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from automata.errors import ToolkitError, join_words

PositionKind: TypeAlias = Literal[
    "none", "learned", "sinusoidal", "rotary", "periodic-sinusoidal", "periodic-rotary", "offset-bias"
]
"""The ways in which positions enter."""

_NUMBERED = {
    "learned": "length of its table",
    "periodic-sinusoidal": "period",
    "periodic-rotary": "period",
}
_MOST = 10**6


@dataclass(frozen=True)
class Positions:
    """How positions i = 1..N+1 enter a transformer; the end symbol stands at N+1.

    - `none`: not at all.
    - `learned`: a vector for each position, added to the embedding; `number` is how many there are, so a word may have
      one letter less.
    - `sinusoidal`: sines and cosines of i over wavelengths from 2π to 20,000π, added to the embedding
      [Vaswani et al. 2017].
    - `rotary`: queries and keys are turned by angles that are multiples of i; scores see differences of positions
      alone [Su et al. 2021].
    - `periodic-sinusoidal`: sines and cosines of 2πji/m for all j up to m/2, through a learned linear map, added to the
      embedding; `number` is the period m. Every function of i modulo m is linear in them.
    - `periodic-rotary`: queries and keys are turned by multiples of 2πi/m; `number` is the period m.
    - `offset-bias`: a learned number for each head and each offset 1..k of a local window, added to the score.

    `number` is an integer from 2 (`learned`: 1) to 1,000,000, and None for the other kinds. Raise `ToolkitError` for
    anything else.

    >>> Positions.parse("periodic-rotary-4"), Positions().name
    (Positions(kind='periodic-rotary', number=4), 'none')
    """

    kind: PositionKind = "none"
    number: int | None = None

    def __post_init__(self) -> None:
        kinds = get_args(PositionKind)
        if self.kind not in kinds:
            raise ToolkitError(f"unknown kind of positions {self.kind!r}; expected {join_words(kinds, 'or')}")
        what = _NUMBERED.get(self.kind)
        if what is None:
            if self.number is not None:
                raise ToolkitError(f"{self.kind} positions take no number, found {self.number!r}; leave it out")
            return
        least = 1 if self.kind == "learned" else 2
        if isinstance(self.number, bool) or not isinstance(self.number, int) or not least <= self.number <= _MOST:
            raise ToolkitError(
                f"{self.kind} positions need the {what}, an integer from {least} to {_MOST:,}, not {self.number!r}: "
                f"{self.kind}-{64 if self.kind == 'learned' else 4}, say"
            )

    @classmethod
    def parse(cls, name: str) -> Positions:
        """Read a name as `name` writes it: none, rotary, periodic-sinusoidal-4; raise `ToolkitError` for others."""
        match = re.fullmatch(r"([a-z]+(?:-[a-z]+)?)(?:-([0-9]{1,9}))?", name)
        kinds = get_args(PositionKind)
        if match is None or match[1] not in kinds:
            known = [f"{kind}-N" if kind in _NUMBERED else kind for kind in kinds]
            raise ToolkitError(f"unknown positions {name!r}; expected {join_words(known, 'or')}")
        kind, number = match.groups()
        return cls(kind, None if number is None else int(number))  # type: ignore[arg-type]

    @property
    def name(self) -> str:
        """The kind and, where there is one, the number: none, learned-512, periodic-rotary-4."""
        return self.kind if self.number is None else f"{self.kind}-{self.number}"

    @property
    def added(self) -> bool:
        """True iff a vector for each position is added to the embedding."""
        return self.kind in ("learned", "sinusoidal", "periodic-sinusoidal")

    @property
    def turned(self) -> bool:
        """True iff queries and keys are turned by angles."""
        return self.kind in ("rotary", "periodic-rotary")

    @property
    def longest(self) -> int | None:
        """Length of the longest word that has positions for all letters and the end symbol; None if any has."""
        return None if self.kind != "learned" or self.number is None else self.number - 1
