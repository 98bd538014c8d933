"""What came of a grid of experiments: for each language and kind of network, the theory and the runs side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean, stdev

from automata.errors import ToolkitError
from lookback.experiment_file import Column, Grid, GridLanguage
from neural.architectures import architecture
from neural.evaluation import RANDOM_KINDS, Evaluation, pumping_kind
from neural.experiment import Experiment, predicted
from neural.runs import CONFIG
from neural.store import RUN, Result, folder_of, result_of, state_of


@dataclass(frozen=True, eq=False)
class Entry:
    """A language and a kind of network: what theory predicts, what is published, and the results that there are.

    `fragment` names the logic of the attention, "open" if it is not known; `predicted` is None where theory does not
    say; `published` is in percent. Accuracies are shares, 0..1, of the words longer than all training words unless
    said otherwise; None where there are no results or no such words.
    """

    language: GridLanguage
    column: Column
    fragment: str
    predicted: bool | None
    published: float | None
    experiments: tuple[Experiment, ...]
    results: tuple[Result, ...]

    @cached_property
    def accuracies(self) -> tuple[float, ...]:
        """Accuracy of each run on random words, half of them near the boundary."""
        return self._accuracies(RANDOM_KINDS)

    @property
    def best(self) -> float | None:
        """The greatest accuracy of a run."""
        return max(self.accuracies, default=None)

    @property
    def mean(self) -> float | None:
        """The mean accuracy of the runs."""
        return fmean(self.accuracies) if self.accuracies else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the accuracies of the runs, as of a sample; None for fewer than two."""
        return stdev(self.accuracies) if len(self.accuracies) > 1 else None

    @property
    def near(self) -> float | None:
        """The mean accuracy on words near the boundary."""
        return _mean(self._accuracies(("near",)))

    @cached_property
    def pumping(self) -> float | None:
        """The mean accuracy on the pumping family of the attention's own logic, all lengths; None if it has none."""
        return _mean(self._accuracies((pumping_kind(self.fragment),), beyond=-1))

    @property
    def perfect_lengths(self) -> tuple[int | None, ...]:
        """N* of each run."""
        return tuple(result.evaluation.perfect_length for result in self.results)

    @property
    def longest_perfect(self) -> int | None:
        """The greatest N* of a run; None if there is none."""
        return max((n for n in self.perfect_lengths if n is not None), default=None)

    @property
    def perfect(self) -> bool:
        """True iff some run judged every random word right."""
        return any(result.evaluation.perfect_length == _longest(result.evaluation) for result in self.results)

    @property
    def flawless(self) -> bool:
        """True iff some run judged every test word right, those of the pumping families included."""
        return any(result.evaluation.flawless for result in self.results)

    @property
    def converged(self) -> int:
        """How many runs got the loss as low as the recipe asks."""
        return sum(result.metrics.converged for result in self.results)

    def _accuracies(self, kinds: Sequence[str], beyond: int | None = None) -> tuple[float, ...]:
        limit = self.experiments[0].config.recipe.max_length if beyond is None else beyond
        found = (result.evaluation.accuracy(kinds, beyond=limit) for result in self.results)
        return tuple(accuracy for accuracy in found if accuracy is not None)


@dataclass(frozen=True, eq=False)
class Summary:
    """The entries of a grid, language by language, those of a language in the order of the columns.

    `broken` says what is wrong with the folders that could not be read, `versions` what made the results.
    """

    grid: Grid
    entries: tuple[tuple[Entry, ...], ...]
    broken: tuple[str, ...]
    versions: tuple[str, ...]

    @property
    def done(self) -> int:
        """How many experiments have results."""
        return sum(len(entry.results) for row in self.entries for entry in row)


def summarise(grid: Grid, store: Path) -> Summary:
    """Collect the results that a store has of a grid; what is not done, or broken, is left out."""
    broken: list[str] = []
    versions: set[str] = set()

    def results(experiments: Sequence[Experiment]) -> tuple[Result, ...]:
        found = []
        for experiment in experiments:
            state = state_of(store, experiment)
            if state.problem is not None:
                broken.append(f"{experiment.name}: {state.problem}")
            elif state.phase == "done":
                try:
                    found.append(result_of(store, experiment))
                    versions.add(_versions(folder_of(store, experiment) / RUN / CONFIG))
                except ToolkitError as error:
                    broken.append(f"{experiment.name}: {error}")
        return tuple(found)

    def entry(language: GridLanguage, column: Column) -> Entry:
        experiments = grid.experiments_of(language, column)
        row = architecture(column.pattern, column.positions)
        return Entry(
            language,
            column,
            row.logic,
            predicted(language.dfa, column.pattern, column.positions),
            None if grid.published is None else grid.published.accuracy.get((language.name, column.name)),
            experiments,
            results(experiments),
        )

    entries = tuple(tuple(entry(language, column) for column in grid.columns) for language in grid.languages)
    return Summary(grid, entries, tuple(broken), tuple(sorted(versions)))


def _versions(path: Path) -> str:
    """Say in a line which versions made a run."""
    try:
        versions = json.loads(path.read_bytes())["versions"]
        return ", ".join(f"{name} {number}" for name, number in sorted(versions.items()))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        raise ToolkitError(f"cannot read the versions in {str(path)!r}; expected a file of a run") from None


def _mean(numbers: Sequence[float]) -> float | None:
    return fmean(numbers) if numbers else None


def _longest(evaluation: Evaluation) -> int:
    return evaluation.tested_lengths[-1]
