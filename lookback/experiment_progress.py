"""Progress of many experiments on standard error: bars and the time left on a terminal, some lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from lookback.options import printable

if TYPE_CHECKING:
    from lookback.scheduler import Tell
    from neural.experiment import Experiment
    from neural.store import State

_LINES = 20  # lines about experiments that are done, where there is no terminal


@dataclass(eq=False)
class Tally:
    """How much of many experiments is done: a finished one counts 1, another by the steps made of those it may make."""

    steps: Sequence[int]
    states: dict[int, State] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)
    before: float = 0.0

    def note(self, number: int, state: State) -> None:
        """Take down a state; the first of each experiment is what had been done before."""
        first = number not in self.states
        self.states[number] = state
        if first:
            self.before += self.share(number)

    def share(self, number: int) -> float:
        """Return how much of an experiment is done, 0..1."""
        state = self.states[number]
        return 1.0 if state.phase == "done" else state.step / (self.steps[number] + 1)

    @property
    def done(self) -> int:
        """How many experiments are done."""
        return sum(state.phase == "done" for state in self.states.values())

    def time_left(self) -> str:
        """Say how long the rest takes at the speed so far; nothing before there is a speed."""
        made = sum(map(self.share, self.states))
        if made - self.before < 0.05:
            return "time left unknown"
        seconds = (time.monotonic() - self.started) * (len(self.steps) - made) / (made - self.before)
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
        BarColumn(bar_width=20),
        TextColumn("{task.fields[remark]}", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:
        whole = progress.add_task("experiments", total=len(experiments), remark="")
        bars: dict[int, TaskID] = {}

        def tell(number: int, state: State) -> None:
            tally.note(number, state)
            shares = sum(map(tally.share, tally.states))
            remark = f"{tally.done} of {len(experiments)} done, {tally.time_left()}"
            progress.update(whole, completed=shares, remark=remark)
            if state.phase == "running":
                if number not in bars:
                    steps = tally.steps[number]
                    bars[number] = progress.add_task(printable(experiments[number].name), total=steps, remark="")
                progress.update(bars[number], completed=state.step, remark=_loss(state))
            elif number in bars:
                progress.remove_task(bars.pop(number))

        yield tell


def _plain_lines(experiments: Sequence[Experiment], tally: Tally) -> Tell:
    every = max(1, len(experiments) // _LINES)

    def tell(number: int, state: State) -> None:
        first = number not in tally.states
        tally.note(number, state)
        if state.phase == "done" and not first and (tally.done % every == 0 or tally.done == len(experiments)):
            name = printable(experiments[number].name)
            print(
                f"{tally.done} of {len(experiments)} experiments done, {tally.time_left()}; the last: {name}",
                file=sys.stderr,
                flush=True,
            )

    return tell


def _loss(state: State) -> str:
    return "" if state.average_loss is None else f"step {state.step}, loss {state.average_loss:.4f}"
