"""Progress of many experiments on standard error: bars and the time left on a terminal, some lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from lookback.options import printable

if TYPE_CHECKING:
    from lookback.scheduler import Tell
    from neural.experiment import Experiment
    from neural.store import State

_LINES = 20  # lines about experiments that are done, where there is no terminal
_LITTLE = 0.05  # of one experiment, before which there is no speed
_WIDTH = 36  # characters of a name beside a bar


class Tally:
    """How much of many experiments is done: a finished one counts 1, another by the steps made of those it may make.

    `made` is the sum, `before` that of what had been done before, `done` the number of experiments that are done.
    """

    def __init__(self, steps: Sequence[int]) -> None:
        self.steps = steps
        self.started = time.monotonic()
        self.made, self.before, self.done = 0.0, 0.0, 0
        self._shares: dict[int, float] = {}

    def note(self, number: int, state: State) -> bool:
        """Take down the state of an experiment; tell whether it is the first, which had been reached before."""
        first = number not in self._shares
        share = 1.0 if state.phase == "done" else state.step / (self.steps[number] + 1)
        gain = share - self._shares.get(number, 0.0)
        self._shares[number] = share
        self.made += gain
        self.done += state.phase == "done"
        if first:
            self.before += gain
        return first

    def time_left(self, now: float) -> str:
        """Say how long the rest takes at the speed so far; there is none before much has been done."""
        if self.made - self.before < _LITTLE:
            return "time left unknown"
        seconds = (now - self.started) * (len(self.steps) - self.made) / (self.made - self.before)
        return f"about {timedelta(seconds=round(seconds))} left"


@contextmanager
def show_experiments(experiments: Sequence[Experiment]) -> Iterator[Tell]:
    """Show the progress of experiments for as long as the context lasts."""
    console = Console(stderr=True, highlight=False, markup=False)
    tally = Tally([experiment.config.recipe.steps for experiment in experiments])
    if not console.is_terminal:
        yield _plain_lines(experiments, tally)
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=12),
        TextColumn("{task.fields[remark]}", markup=False),
    )
    with Progress(*columns, console=console) as progress:
        whole = progress.add_task("experiments", total=len(experiments), remark="")
        bars: dict[int, TaskID] = {}

        def tell(number: int, state: State) -> None:
            tally.note(number, state)
            remark = f"{tally.done} of {len(experiments)} done, {tally.time_left(time.monotonic())}"
            progress.update(whole, completed=tally.made, remark=remark)
            if state.phase == "running":
                if number not in bars:
                    steps = tally.steps[number]
                    name = printable(experiments[number].name)[:_WIDTH]
                    bars[number] = progress.add_task(name, total=steps, remark="")
                progress.update(bars[number], completed=state.step, remark=_loss(state))
            elif number in bars:
                progress.remove_task(bars.pop(number))

        yield tell


def _plain_lines(experiments: Sequence[Experiment], tally: Tally) -> Tell:
    every = max(1, len(experiments) // _LINES)

    def tell(number: int, state: State) -> None:
        first = tally.note(number, state)
        if state.phase == "done" and not first and (tally.done % every == 0 or tally.done == len(experiments)):
            left, name = tally.time_left(time.monotonic()), printable(experiments[number].name)
            said = f"{tally.done} of {len(experiments)} experiments done, {left}; the last: {name}"
            print(said, file=sys.stderr, flush=True)

    return tell


def _loss(state: State) -> str:
    return "" if state.average_loss is None else f"loss {state.average_loss:.4f}, step {state.step}"
