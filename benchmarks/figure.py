"""One measured figure and how it is timed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A measurement: what was done, the result, the aim, and a peer or floor measured in the same run."""

    name: str
    value: str
    aim: str
    met: bool
    peer: str


def seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """Return the best CPU time of a few runs, in seconds."""
    best = float("inf")
    for _ in range(repeat):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best
