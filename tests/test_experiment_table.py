"""Tables and figures of made-up results: every number by hand, every character shown as it is."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from rich.console import Console

from lookback.experiment_file import parse_grid
from lookback.experiment_summary import Entry, Summary, summarise
from lookback.experiment_table import csv_table, latex_table, markdown_table, notes, percent, sheet, terminal_tables
from lookback.plots import accuracy_by_length, accuracy_figure, loss_figure
from neural.evaluation import Cell, Evaluation
from neural.run_config import Metrics
from neural.store import Result

GRID = parse_grid(
    """
attention = ["global", "local-1"]
positions = ["none", "learned-60"]
seeds = [0, 1, 2]

[[languages]]
name = "$Σ*a$ & _so_ | on"
language = ".*a"
alphabet = "ab"
remark = "two letters"

[training]
steps = 100
max_length = 10

[evaluation]
longest = 40

[published]
source = "a paper"
accuracy."$Σ*a$ & _so_ | on" = { global = 58.4 }
""",
    "x.toml",
)


def result(uniform: int, near: int, pumping: int | None = None, converged: bool = True) -> Result:
    """Ten uniform and ten near words of length 20 with so many right, none wrong of those of length 8."""
    cells = [
        Cell("uniform", True, 8, 10, 10),
        Cell("uniform", True, 20, 10, uniform),
        Cell("near", False, 20, 10, near),
    ]
    cells += [Cell("periodic", True, 30, 10, 10)]
    if pumping is not None:
        cells += [Cell("pumping LTL[P]", True, 5, 8, pumping), Cell("pumping LTL[Y]", True, 5, 8, 0)]
    metrics = Metrics(90, 0.1, 0.1, converged, 1.0, "0" * 64)
    return Result(metrics, Evaluation((), tuple(cells), (), 0))


def entry(number: int, predicted: bool | None, *results: Result) -> Entry:
    column = GRID.columns[number]
    fragment = {0: "LTL[P]", 1: "LTL[Y]"}.get(number, "open")
    published = 58.4 if number == 0 else None
    experiments = GRID.experiments_of(GRID.languages[0], column)
    return Entry(GRID.languages[0], column, fragment, predicted, published, experiments, results)


ENTRIES = (
    entry(0, False, result(5, 2, 4, converged=False), result(10, 10, 6), result(9, 9, 8)),
    entry(1, True, result(10, 9)),
    entry(2, None),
    entry(3, None, result(10, 10), result(10, 10)),
)
SUMMARY = Summary(GRID, (ENTRIES,), (), ("python 3, torch 2",))


def test_the_numbers_of_an_entry():
    first = ENTRIES[0]
    assert first.accuracies == (0.35, 1.0, 0.9)
    assert first.best == 1.0
    assert first.mean == pytest.approx(0.75)
    assert first.deviation == pytest.approx(0.35)  # deviations -0.4, 0.25, 0.15: (0.16 + 0.0625 + 0.0225) / 2 = 0.35^2
    assert first.near == pytest.approx(0.7)
    assert first.pumping == pytest.approx(0.75)
    assert first.perfect_lengths == (8, 20, 8)
    assert (first.longest_perfect, first.perfect, first.flawless, first.converged) == (20, True, False, 2)
    nothing = ENTRIES[2]
    assert (nothing.best, nothing.mean, nothing.deviation, nothing.near, nothing.pumping) == (None,) * 5
    assert (nothing.longest_perfect, nothing.perfect, nothing.converged) == (None, False, 0)
    assert ENTRIES[1].deviation is None
    assert ENTRIES[3].flawless


@pytest.mark.parametrize(
    ("share", "text"),
    [(None, "–"), (0.0, "0.0"), (1.0, "100.0"), (0.9999, "99.9"), (0.35, "35.0"), (0.5 + 1e-12, "50.0")],
)
def test_shares_are_rounded_down(share, text):
    assert percent(share) == text


def test_the_sheet():
    name = GRID.languages[0].name
    assert sheet(SUMMARY) == [
        ["language", "", "global", "local-1", "global learned-60", "local-1 learned-60"],
        [name, "in theory", "cannot", "can", "open", "open"],
        ["", "best", "100.0", "95.0", "–", "100.0"],
        ["", "mean ± sd", "75.0 ± 35.0", "95.0", "–", "100.0 ± 0.0"],
        ["", "N*", "20 (all)", "8", "–", "20 (all)"],
        ["", "converged", "2 of 3", "1 of 1", "–", "2 of 2"],
        ["", "near words", "70.0", "90.0", "–", "100.0"],
        ["", "own pumping family", "75.0", "–", "–", "–"],
        ["", "published", "58.4", "–", "–", "–"],
    ]


def test_the_notes_say_what_was_done_and_where_networks_and_theory_differ():
    said = "\n".join(notes(SUMMARY))
    name = GRID.languages[0].name
    assert "6 of 12 runs: seeds 0, 1, 2, learning rates 0.001" in said
    assert "lengths 11 to 40" in said
    assert f"{name}: .*a over {{a, b}} (two letters)." in said
    assert "Published: a paper." in said
    assert "Made with python 3, torch 2." in said
    assert f"Can in theory, yet no run judged every random word right: {name} local-1." in said
    assert (
        f"Cannot in theory, yet a run judged every random word right, though not every word of the other tests: {name} "
        in said
    )
    assert "judged every test word right:" not in said


@pytest.mark.parametrize(("width", "parts"), [(40, 4), (90, 2), (200, 1)])
def test_a_terminal_shows_whole_cells_in_as_many_parts_as_it_needs(width, parts):
    tables = terminal_tables(SUMMARY, width)
    console = Console(width=max(width, 70))
    with console.capture() as captured:
        console.print(*tables)
    shown = captured.get()
    assert len(tables) == parts, shown
    assert shown.count("own pumping family") == parts
    for row in sheet(SUMMARY):
        assert all(text in shown for text in row)
    assert "…" not in shown


def test_markdown_shows_names_as_they_are():
    lines = markdown_table(SUMMARY).splitlines()
    assert lines[0] == "| language |  | global | local-1 | global learned-60 | local-1 learned-60 |"
    assert lines[1] == "|---|---|---:|---:|---:|---:|"
    assert lines[2].startswith(r"| $Σ\*a$ & \_so\_ \| on | in theory | cannot |")
    assert all(line.replace(r"\|", "").count("|") == 7 for line in lines[:10])


def test_latex_shows_names_as_they_are():
    lines = latex_table(SUMMARY).splitlines()
    assert lines[0] == r"\begin{tabular}{llrrrr}"
    assert lines[4].startswith(r"\$$\Sigma$$^*$a\$ \& \_so\_ | on & in theory & cannot & can")
    assert lines[6] == r" & mean $\pm$ sd & 75.0 $\pm$ 35.0 & 95.0 & -- & 100.0 $\pm$ 0.0 \\"
    assert all(line.startswith("%") for line in lines[lines.index(r"\end{tabular}") + 1 :])


def test_csv_has_a_line_for_each_language_and_column():
    rows = list(csv.DictReader(csv_table(SUMMARY).splitlines()))
    assert len(rows) == 4
    assert rows[0] == {
        "language": GRID.languages[0].name,
        "text": ".*a",
        "alphabet": "a b",
        "attention": "global",
        "positions": "none",
        "logic": "LTL[P]",
        "predicted": "no",
        "runs": "3",
        "done": "3",
        "best": "100.0000",
        "mean": "75.0000",
        "sd": "35.0000",
        "perfect_lengths": "8 20 8",
        "converged": "2",
        "near": "70.0000",
        "own_pumping_family": "75.0000",
        "published": "58.4",
    }
    assert (rows[2]["positions"], rows[2]["predicted"], rows[2]["mean"]) == ("learned-60", "", "")


def test_an_empty_store_has_an_empty_summary(tmp_path: Path):
    summary = summarise(GRID, tmp_path)
    assert (summary.done, summary.broken, summary.versions) == (0, (), ())
    assert [found.predicted for found in summary.entries[0]] == [False, True, None, None]
    assert sheet(summary)[2] == ["", "best", "–", "–", "–", "–"]


def test_accuracy_by_length_is_of_all_runs_together():
    assert accuracy_by_length(ENTRIES[0]) == ([8.0, 20.0], [1.0, 45 / 60])
    assert accuracy_by_length(ENTRIES[2]) == ([], [])
    many = Result(ENTRIES[0].results[0].metrics, Evaluation((), tuple(_cells(range(1, 49))), (), 0))
    lengths, shares = accuracy_by_length(entry(0, False, many))
    assert lengths == [n + 0.5 for n in range(1, 48, 2)]
    assert shares == [1.0] * 20 + [0.0] * 4


def _cells(lengths: range) -> list[Cell]:
    return [Cell("uniform", True, n, 2, 2 if n <= 40 else 0) for n in lengths]


def test_figures_have_a_panel_for_each_language_and_say_what_theory_says(tmp_path: Path):
    (axes,) = accuracy_figure(SUMMARY).axes
    assert axes.get_title() == r"\$Σ*a\$ & _so_ | on"
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        "global, cannot",
        "local-1, can",
        "global learned-60, open",
        "local-1 learned-60, open",
    ]
    lines = axes.get_lines()[:4]
    assert [line.get_linestyle() for line in lines] == ["--", "-", ":", ":"]
    assert list(lines[0].get_ydata()) == [100.0, 75.0]
    assert axes.get_xlim() == (0, 40)
    (axes,) = loss_figure(SUMMARY, tmp_path).axes
    assert axes.get_yscale() == "log"
    assert len(axes.get_lines()) == 12
