"""Figures of a grid of experiments: accuracy against length, and the loss against steps. The same bytes on every run.

A panel for each language, a colour for each kind of network; the line says what theory predicts: solid where the
network can recognise the language, dashed where it cannot, dotted where that is open.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import matplotlib
import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from automata.errors import ToolkitError, join_words
from lookback.experiment_summary import Entry, Summary
from lookback.options import printable
from neural.evaluation import RANDOM_KINDS
from neural.store import losses_of

FORMATS = ("svg", "png", "pdf")
"""The formats of figures, which are also the endings of their files."""

_COLOURS = ("#000000", "#56b4e9", "#0072b2", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#999999")  # Okabe & Ito
_LINES = {True: ("-", "can"), False: ("--", "cannot"), None: (":", "open")}
_POINTS = 24  # of a line; each is the accuracy on all words of neighbouring lengths
_WIDTH, _HEIGHT = 6.5, 2.8  # inches of a panel with its legend
_DATES = {"svg": "Date", "png": None, "pdf": "CreationDate"}

_Draw: TypeAlias = Callable[[Axes, Entry, dict[str, Any]], None]
"""Draws an entry into the axes, its lines with the properties given."""


def accuracy_figure(summary: Summary) -> Figure:
    """Accuracy on random words against their length, all runs together; a thin line ends the training lengths."""

    def draw(axes: Axes, entry: Entry, look: dict[str, Any]) -> None:
        lengths, shares = accuracy_by_length(entry)
        axes.plot(lengths, [100 * share for share in shares], **look)

    figure = _panels(summary, draw)
    first = summary.grid.experiments[0]
    trained = first.config.recipe.max_length
    for axes in figure.axes:
        axes.axvline(trained, color="#999999", linewidth=0.8)
        axes.set_xlim(0, max(trained, first.evaluation.longest))
        axes.set_ylim(-3, 103)
        axes.set_xlabel("length")
        axes.set_ylabel("right, %")
    return figure


def loss_figure(summary: Summary, store: Path) -> Figure:
    """Average loss against the step, a line for each run; raise `FormatError` if a file of losses is damaged."""

    def draw(axes: Axes, entry: Entry, look: dict[str, Any]) -> None:
        for i, experiment in enumerate(entry.experiments):
            points = losses_of(store, experiment)
            shared = {**look, "linewidth": 0.9, "label": look["label"] if i == 0 else None}
            axes.plot([step for step, _ in points], [loss for _, loss in points], **shared)

    figure = _panels(summary, draw)
    for axes in figure.axes:
        axes.set_yscale("log")
        axes.set_xlim(0, summary.grid.experiments[0].config.recipe.steps)
        axes.set_xlabel("step")
        axes.set_ylabel("loss")
    return figure


def accuracy_by_length(entry: Entry) -> tuple[list[float], list[float]]:
    """Return mean lengths and accuracies, 0..1, of all runs on groups of neighbouring tested lengths."""
    words: dict[int, int] = {}
    correct: dict[int, int] = {}
    for result in entry.results:
        for cell in result.evaluation.cells:
            if cell.kind in RANDOM_KINDS:
                words[cell.length] = words.get(cell.length, 0) + cell.words
                correct[cell.length] = correct.get(cell.length, 0) + cell.correct
    lengths = sorted(words)
    groups = [group.tolist() for group in np.array_split(lengths, min(_POINTS, len(lengths)))] if lengths else []
    return (
        [sum(group) / len(group) for group in groups],
        [sum(correct[n] for n in group) / sum(words[n] for n in group) for group in groups],
    )


def write_figure(figure: Figure, path: Path) -> None:
    """Write a figure in the format that the ending of the file says; raise `ToolkitError` where that is impossible."""
    kind = figure_format(path)
    data = io.BytesIO()
    date = _DATES[kind]
    # Whatever the user has set for matplotlib, the figure is the same.
    style, salt = matplotlib.style.context("default"), matplotlib.rc_context({"svg.hashsalt": "lookback"})
    with style, salt, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a letter that the font lacks shows as a box
        figure.savefig(data, format=kind, dpi=150, metadata={} if date is None else {date: None})
    try:
        path.write_bytes(data.getvalue())
    except OSError as error:
        raise ToolkitError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


def figure_format(path: Path) -> str:
    """Return the format that the ending of a file says; raise `ToolkitError` for another ending.

    >>> figure_format(Path("loss.SVG"))
    'svg'
    """
    kind = path.suffix.removeprefix(".").lower()
    if kind not in FORMATS:
        raise ToolkitError(
            f"no format of figures ends in {path.suffix!r}; name a file that ends in "
            f"{join_words([f'.{known}' for known in FORMATS], 'or')}"
        )
    return kind


def _panels(summary: Summary, draw: _Draw) -> Figure:
    """Draw all entries, each in the panel of its language."""
    count = len(summary.entries)
    columns = min(2, count)
    rows = -(-count // columns)
    with matplotlib.style.context("default"):
        figure = Figure(figsize=(_WIDTH * columns, _HEIGHT * rows), layout="constrained")
        for number, entries in enumerate(summary.entries):
            axes = figure.add_subplot(rows, columns, number + 1)
            axes.set_title(_text(entries[0].language.name), fontsize=10)
            for i, entry in enumerate(entries):
                line, said = _LINES[entry.predicted]
                look = {
                    "linestyle": line,
                    "color": _COLOURS[i % len(_COLOURS)],
                    "label": _text(f"{entry.column.name}, {said}"),
                    "linewidth": 3 - 2 * i / len(entries),  # thinner and thinner: no line hides another
                }
                draw(axes, entry, look)
            axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8, frameon=False)
    return figure


def _text(text: str) -> str:
    """Write a text so that matplotlib reads no formula in it."""
    return printable(text).replace("$", r"\$")
