"""Commands about grids of experiments: experiment run, status, table, plot."""

from __future__ import annotations

import sys
import time
from collections import Counter
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer
from rich.console import Console, Group
from rich.text import Text

from automata.errors import ToolkitError
from lookback.display import show
from lookback.options import JsonOption, print_json, printable, write_text
from lookback.workers import Pool, cores, local_pool, use_one_thread

if TYPE_CHECKING:
    from lookback.experiment_file import Grid
    from lookback.experiment_summary import Summary

Format: TypeAlias = Literal["terminal", "markdown", "latex", "csv"]
"""The ways to write a table."""

app = typer.Typer(
    no_args_is_help=True,
    help="Train and judge a grid of networks, given in a TOML file, and show what came of it.",
    context_settings={"help_option_names": ["-h", "--help"]},
)

FileArgument: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE.toml", help="The grid: languages, attention, seeds.", show_default=False)
]
StoreOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--store", "-s", metavar="DIR", help="Folder of the results; results/NAME for NAME.toml if left out."),
]


OutOption: TypeAlias = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="File to write; standard output if left out.")
]


@app.command()
def run(
    file: FileArgument,
    store: StoreOption = None,
    processes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Worker processes, or SLURM jobs; all cores if left out.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="ADDRESS",
            help="Work on the Dask cluster at this address (tcp://HOST:PORT) or, with 'slurm', on one of --processes "
            "SLURM jobs. All its machines must share the store.",
            show_default=False,
        ),
    ] = None,
    cluster_options: Annotated[
        list[str] | None,
        typer.Option(
            "--cluster-option",
            metavar="NAME=VALUE",
            help="Of SLURM jobs: queue, account, walltime, memory, ...; may be repeated.",
            show_default=False,
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(min=0, metavar="SECONDS", help="Stop at checkpoints after this time; the same command goes on."),
    ] = None,
) -> None:
    """Do all experiments of a grid that the store lacks, side by side.

    The command may be stopped or killed at any moment, and several may work on one store at once: what is done is
    kept, and the same command goes on with the rest. The exit status is 1 if something is left undone.
    """
    began = time.time()
    grid, folder = _read(file, store)
    from lookback.experiment_progress import show_experiments
    from lookback.scheduler import run_experiments

    deadline = None if time_limit is None else began + time_limit
    try:
        with show_experiments(grid.experiments) as tell, _pool(processes, cluster, cluster_options or []) as pool:
            report = run_experiments(folder, grid.experiments, pool, tell, deadline=deadline)
    except KeyboardInterrupt:
        print(f"\nlookback: interrupted; the same command goes on from {printable(str(folder))}", file=sys.stderr)
        raise
    total = len(grid.experiments)
    print(f"{report.done} of {total} experiments done in {printable(str(folder))}")
    for number, problem in sorted(report.failures.items()):
        print(f"{printable(grid.experiments[number].name)}: {printable(problem)}", file=sys.stderr)
    if report.done < total:
        left = total - report.done - len(report.failures)
        if left:
            print(f"{left} left undone at the time limit; the same command goes on", file=sys.stderr)
        raise typer.Exit(1)


@app.command()
def status(file: FileArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Tell how far the experiments of a grid are: done, running, unfinished, missing or broken."""
    grid, folder = _read(file, store)
    from neural.store import check_store, folder_of, state_of

    check_store(folder)
    states = [state_of(folder, experiment) for experiment in grid.experiments]
    counts = Counter(state.phase for state in states)
    if as_json:
        rows = [
            {
                "experiment": experiment.name,
                "folder": str(folder_of(folder, experiment)),
                "phase": state.phase,
                "step": state.step,
                "problem": state.problem,
            }
            for experiment, state in zip(grid.experiments, states, strict=True)
        ]
        print_json(
            {
                "store": str(folder),
                "counts": {str(phase): count for phase, count in counts.items()},
                "experiments": rows,
            }
        )
        return
    print(f"{len(states)} experiments in {printable(str(folder))}")
    for phase in ("done", "running", "unfinished", "missing", "broken"):
        print(f"  {phase:<10}  {counts[phase]}")
    for experiment, state in zip(grid.experiments, states, strict=True):
        if state.phase in ("running", "unfinished"):
            name, steps = printable(experiment.name), experiment.config.recipe.steps
            print(f"{state.phase}: {name}, step {state.step} of at most {steps}")
        if state.problem is not None:
            print(f"broken: {printable(experiment.name)}: {printable(state.problem)}")


@app.command()
def table(
    file: FileArgument,
    store: StoreOption = None,
    style: Annotated[Format, typer.Option("--format", help="How to write the table.")] = "terminal",
    out: OutOption = None,
) -> None:
    """Put the results of a grid side by side: a block for each language, a column for each kind of network.

    What is not done is left out. The exit status is 1 if a folder of the store is broken.
    """
    grid, folder = _read(file, store)
    from lookback.experiment_summary import summarise
    from lookback.experiment_table import csv_table, latex_table, markdown_table, notes, terminal_tables
    from neural.store import check_store

    check_store(folder)
    summary = summarise(grid, folder)
    if style == "terminal":
        if out is not None:
            raise ToolkitError("a table for the terminal goes to no file; give --format markdown, latex or csv too")
        tables = terminal_tables(summary, Console().width)
        show(Group(*tables, *(Text(printable(note) + "\n") for note in notes(summary))))
    else:
        text = {"markdown": markdown_table, "latex": latex_table, "csv": csv_table}[style](summary)
        if out is None:
            sys.stdout.write(text)
        else:
            write_text(out, text)
    _tell_broken(summary)


@app.command()
def plot(
    file: FileArgument,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FIGURE", help="The figure: .svg, .png or .pdf.", show_default=False)
    ],
    store: StoreOption = None,
    loss: Annotated[
        bool, typer.Option("--loss", help="The loss against the step instead of the accuracy against the length.")
    ] = False,
) -> None:
    """Draw accuracy against length, a panel for each language, with what theory predicts of each kind of network.

    What is not done is left out. The exit status is 1 if a folder of the store is broken.
    """
    grid, folder = _read(file, store)
    from lookback.experiment_summary import summarise
    from lookback.plots import accuracy_figure, figure_format, loss_figure, write_figure
    from neural.store import check_store

    figure_format(out)
    check_store(folder)
    summary = summarise(grid, folder)
    write_figure(loss_figure(summary, folder) if loss else accuracy_figure(summary), out)
    _tell_broken(summary)


def _tell_broken(summary: Summary) -> None:
    for problem in summary.broken:
        print(f"broken, left out: {printable(problem)}", file=sys.stderr)
    if summary.broken:
        raise typer.Exit(1)


def _pool(processes: int | None, cluster: str | None, options: list[str]) -> AbstractContextManager[Pool]:
    """Return the pool that the options ask for."""
    if options and cluster != "slurm":
        raise ToolkitError("--cluster-option is for the jobs of --cluster slurm; leave it out")
    if cluster is None:
        return local_pool(processes or cores())
    from lookback.cluster import cluster_pool, slurm_pool

    if cluster != "slurm":
        if processes is not None:
            raise ToolkitError(f"the cluster at {cluster!r} has its own number of workers; leave --processes out")
        return cluster_pool(cluster)
    if processes is None:
        raise ToolkitError("--cluster slurm needs the number of jobs: --processes 10, say")
    for option in options:
        if "=" not in option:
            raise ToolkitError(f"--cluster-option takes NAME=VALUE, such as walltime=02:00:00, not {option!r}")
    return slurm_pool(processes, dict(option.split("=", 1) for option in options))


def _read(file: Path, store: Path | None) -> tuple[Grid, Path]:
    """Read the grid, and say which folder is its store."""
    use_one_thread()
    from lookback.experiment_file import read_grid

    if file.suffix != ".toml":
        raise ToolkitError(f"{str(file)!r} is no file of experiments; its name ends in .toml")
    return read_grid(file), store if store is not None else Path("results") / file.stem
