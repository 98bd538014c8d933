"""Tables of a grid of experiments: for the terminal, Markdown, LaTeX, CSV.

Shares are in percent, rounded down, so that 100.0 means all.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from dataclasses import asdict

from rich.cells import cell_len
from rich.table import Table

from lookback.display import plain_table
from lookback.experiment_summary import Entry, Summary
from lookback.options import printable
from lookback.outcome import rounded_down

_NOTHING = "–"
_GAP = 3  # columns of a terminal between two columns of a table


def _count(entry: Entry) -> str:
    return f"{entry.converged} of {len(entry.results)}"


def _mean_and_deviation(entry: Entry) -> str:
    if entry.mean is None or entry.deviation is None:
        return percent(entry.mean)
    return f"{percent(entry.mean)} ± {percent(entry.deviation)}"


def _perfect_length(entry: Entry) -> str:
    if not entry.results:
        return _NOTHING
    if entry.longest_perfect is None:
        return "none"
    return f"{entry.longest_perfect}{' (all)' if entry.perfect else ''}"


_MEASURES: tuple[tuple[str, Callable[[Entry], str]], ...] = (
    ("in theory", lambda entry: {True: "can", False: "cannot", None: "open"}[entry.predicted]),
    ("best", lambda entry: percent(entry.best)),
    ("mean ± sd", _mean_and_deviation),
    ("N*", _perfect_length),
    ("converged", lambda entry: _count(entry) if entry.results else _NOTHING),
    ("near words", lambda entry: percent(entry.near)),
    ("own pumping family", lambda entry: percent(entry.pumping)),
    ("published", lambda entry: _NOTHING if entry.published is None else f"{entry.published:.1f}"),
)


def percent(share: float | None) -> str:
    """Write a share in percent, rounded down; a dash if there is none.

    >>> percent(0.9999), percent(1.0), percent(None)
    ('99.9', '100.0', '–')
    """
    return _NOTHING if share is None else rounded_down(share)


def sheet(summary: Summary) -> list[list[str]]:
    """Return the rows of the table as texts: language, measure, one text for each column; the first row is the head."""
    rows = [["language", "", *(column.name for column in summary.grid.columns)]]
    for entries in summary.entries:
        name = entries[0].language.name
        for measure, show in _MEASURES:
            texts = [show(entry) for entry in entries]
            if measure not in ("own pumping family", "published") or any(text != _NOTHING for text in texts):
                rows.append([name, measure, *texts])
                name = ""
    return rows


def notes(summary: Summary) -> list[str]:
    """Return what has to be said under the table, a paragraph each: languages, tests, recipe, source, versions."""
    grid = summary.grid
    first = grid.experiments[0]
    recipe, shape, plan = first.config.recipe, first.config.shape, first.evaluation
    seeds = dict.fromkeys(experiment.config.recipe.seed for experiment in grid.experiments)
    rates = dict.fromkeys(f"{experiment.config.recipe.learning_rate:g}" for experiment in grid.experiments)
    found = [
        f"{summary.done} of {len(grid.experiments)} runs: seeds {', '.join(map(str, seeds))}, "
        f"learning rates {', '.join(rates)}. Shares are in percent, rounded down, so that 100.0 means all.",
        f"best, mean ± sd: accuracy of the runs on random words of lengths {recipe.max_length + 1} to {plan.longest}, "
        "half of them near the boundary of the language; sd is the standard deviation between runs. N*: the greatest "
        f"tested length, from {recipe.min_length} on, up to which a run judged every random word right, of the best "
        "run. converged: runs whose loss became as low as the recipe asks. near words: mean accuracy on the words near "
        "the boundary alone. own pumping family: mean accuracy on the words that the logic of this attention is proved "
        "not to tell apart; 50 is guessing.",
        "Languages. "
        + " ".join(
            f"{language.name}: {language.text} over {{{', '.join(language.dfa.alphabet)}}}"
            + (f" ({language.remark})." if language.remark else ".")
            for language in grid.languages
        ),
        f"Networks: {shape.layers} layers, {shape.heads} heads, width {shape.width}, feed-forward {shape.feedforward}. "
        f"Training: {', '.join(f'{name} {value}' for name, value in asdict(recipe).items() if name in _TOLD)}.",
        *([f"Published: {grid.published.source}."] if grid.published is not None else []),
        *(f"Made with {versions}." for versions in summary.versions),
    ]
    return found + _departures(summary)


_TOLD = ("steps", "batch", "min_length", "max_length", "near", "ends", "weight_decay", "clip", "smoothing", "stop_loss")


def _departures(summary: Summary) -> list[str]:
    """Say where the networks did not what theory lets one expect."""
    entries = [entry for row in summary.entries for entry in row if entry.results]

    def named(chosen: Iterable[Entry]) -> str:
        return "; ".join(f"{entry.language.name} {entry.column.name}" for entry in chosen)

    found = [
        ("Can in theory, yet no run judged every random word right", lambda e: e.predicted is True and not e.perfect),
        (
            "Cannot in theory, yet a run judged every random word right, though not every word of the other tests",
            lambda e: e.predicted is False and e.perfect and not e.flawless,
        ),
        (
            "Cannot in theory, yet a run judged every test word right",
            lambda e: e.predicted is False and e.flawless,
        ),
    ]
    return [f"{text}: {chosen}." for text, holds in found if (chosen := named(filter(holds, entries)))]


def terminal_tables(summary: Summary, width: int) -> list[Table]:
    """The table for a terminal of so many columns: in several parts, side parts below each other, if it is wider."""
    rows = [[printable(text) for text in row] for row in sheet(summary)]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    parts: list[list[int]] = [[]]
    for i in range(2, len(widths)):
        if parts[-1] and sum(widths[j] + _GAP for j in (0, 1, *parts[-1], i)) > width:
            parts.append([])
        parts[-1].append(i)
    return [_terminal_table([[row[i] for i in (0, 1, *part)] for row in rows]) for part in parts]


def _terminal_table(rows: list[list[str]]) -> Table:
    table = plain_table()
    for i, name in enumerate(rows[0]):
        table.add_column(name, justify="left" if i < 2 else "right", no_wrap=True)
    for row in rows[1:]:
        if row[0] and table.row_count:
            table.add_section()
        table.add_row(*row)
    return table


def markdown_table(summary: Summary) -> str:
    """The table in Markdown, with the notes under it."""
    head, *rows = sheet(summary)
    lines = [_markdown_row(head), "|---|---|" + "---:|" * (len(head) - 2), *map(_markdown_row, rows), ""]
    for note in notes(summary):
        lines += [_markdown(note), ""]
    return "\n".join(lines)


def latex_table(summary: Summary) -> str:
    r"""The table as a LaTeX tabular with the rules of booktabs, the notes as comments under it."""
    head, *rows = sheet(summary)
    lines = [rf"\begin{{tabular}}{{ll{'r' * (len(head) - 2)}}}", r"\toprule", _latex_row(head), r"\midrule"]
    for i, row in enumerate(rows):
        if row[0] and i:
            lines.append(r"\addlinespace")
        lines.append(_latex_row(row))
    lines += [r"\bottomrule", r"\end{tabular}", *(f"% {printable(note)}" for note in notes(summary))]
    return "\n".join(lines) + "\n"


def csv_table(summary: Summary) -> str:
    """The numbers, a line for each language and column; shares in percent, unrounded; nothing where there is none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        (
            *("language", "text", "alphabet", "attention", "positions", "logic", "predicted", "runs", "done"),
            *("best", "mean", "sd", "perfect_lengths", "converged", "near", "own_pumping_family", "published"),
        )
    )
    for entry in (entry for row in summary.entries for entry in row):
        shares = [entry.best, entry.mean, entry.deviation, entry.near, entry.pumping]
        best, mean, deviation, near, pumping = ("" if share is None else f"{100 * share:.4f}" for share in shares)
        writer.writerow(
            (
                *(entry.language.name, entry.language.text, " ".join(entry.language.dfa.alphabet)),
                *(entry.column.pattern.name, entry.column.positions.name, entry.fragment),
                {True: "yes", False: "no", None: ""}[entry.predicted],
                *(len(entry.experiments), len(entry.results), best, mean, deviation),
                " ".join("none" if n is None else str(n) for n in entry.perfect_lengths),
                *(entry.converged, near, pumping, "" if entry.published is None else entry.published),
            )
        )
    return text.getvalue()


def _markdown_row(texts: Iterable[str]) -> str:
    return f"| {' | '.join(map(_markdown, texts))} |"


def _markdown(text: str) -> str:
    r"""Write a text so that Markdown shows it as it is."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|~" else c for c in printable(text))


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "Σ": r"$\Sigma$",
    "±": r"$\pm$",
    "ε": r"$\varepsilon$",
    "∅": r"$\emptyset$",
    "≤": r"$\leq$",
    "–": "--",
    "*": r"$^*$",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}


def _latex_row(texts: Iterable[str]) -> str:
    return " & ".join("".join(_LATEX.get(c, c) for c in printable(text)) for text in texts) + r" \\"
