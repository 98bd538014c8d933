"""Progress on standard error: moving bars on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import TypeAlias

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from lookback.options import printable

Tell: TypeAlias = Callable[[int, int, str], None]
"""Called with the number of a training, its steps done and a remark such as its loss."""

_LINES = 5  # lines that a whole training prints where there is no terminal
_FEWEST_WORDS = 20_000  # words judged between two lines, at least: some seconds


@contextmanager
def show_progress(names: Sequence[str], steps: int) -> Iterator[Tell]:
    """Show the progress of trainings of at most `steps` steps for as long as the context lasts."""
    console = Console(stderr=True, highlight=False, markup=False)
    if not console.is_terminal:
        yield _plain_lines(names, steps)
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("steps  {task.fields[remark]}", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:
        tasks = [progress.add_task(name, total=steps, remark="") for name in names]
        yield lambda number, done, remark: progress.update(tasks[number], completed=done, remark=remark)


@contextmanager
def show_count(noun: str, total: int) -> Iterator[Callable[[str, bool], None]]:
    """Show how many of `total` things are done, for as long as the context lasts.

    What it yields is called with the name of each thing done, and whether it had been done before.
    """
    console = Console(stderr=True, highlight=False, markup=False)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[remark]}", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    if not console.is_terminal:
        counter = count(1)

        def say(name: str, before: bool) -> None:
            done = next(counter)
            if not before and (done == total or done % max(1, total // _LINES) == 0):
                print(f"{done} of {total} {noun}, the last one {printable(name)}", file=sys.stderr, flush=True)

        yield say
        return
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(noun, total=total, remark="")

        def advance(name: str, before: bool) -> None:
            progress.update(task, advance=1, remark="done before" if before else printable(name)[-40:])

        yield advance


@contextmanager
def show_words(noun: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show how many words are judged, for as long as the context lasts; `total` is None where it is not known.

    What it yields is called with the number of words judged since the last call.
    """
    console = Console(stderr=True, highlight=False, markup=False)
    if not console.is_terminal:
        done = 0

        def say(count: int) -> None:
            nonlocal done
            before, done = done, done + count
            every = max(_FEWEST_WORDS, (total or 0) // _LINES)
            if done // every > before // every:
                print(f"{done:,}{'' if total is None else f' of {total:,}'} {noun}", file=sys.stderr, flush=True)

        yield say
        return
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(noun, total=total)
        yield lambda count: progress.update(task, advance=count)


def _plain_lines(names: Sequence[str], steps: int) -> Tell:
    every = max(1, steps // _LINES)
    last: dict[int, tuple[int, str]] = {}

    def tell(number: int, done: int, remark: str) -> None:
        before, said = last.get(number, (0, ""))
        last[number] = done, remark
        # A second remark at one step is about what follows the steps.
        if done // every > before // every or (done == before and remark != said):
            print(f"{names[number]}: step {done} of {steps}, {remark}", file=sys.stderr, flush=True)

    return tell
