"""Files of experiments: a grid of languages, attention patterns, positions, seeds and learning rates in TOML.

    attention = ["global", "local-1", "hybrid-1"]
    positions = ["none"]                # ["none"] if left out
    seeds = [0, 1, 2]                   # [0]
    learning_rates = [1e-3]             # that of the default recipe

    [[languages]]                       # once for each language
    name = "ends with a"
    language = ".*a"                    # as the command line takes it
    alphabet = "ab"                     # may be left out where the command line lets it
    remark = "the usual two letters"    # printed under the table; may be left out

    [training]                          # of `neural.train.TrainConfig`, but for seed and learning_rate
    [transformer]                       # layers, heads, width, feedforward
    [evaluation]                        # per_class, longest

    [published]                         # numbers to compare with; may be left out
    source = "where they stand"
    accuracy."ends with a" = { global = 58.4, local-1 = 100.0 }

Reading is strict: what is unknown, of another type, missing or given twice is an error that names the file and the key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from automata.dfa import DFA
from automata.errors import FormatError, ToolkitError
from automata.file_text import decode_text, read_bytes
from lookback.inputs import parse_alphabet, read_language
from lookback.toml_fields import Fields, show
from neural.architectures import network_name
from neural.experiment import EvaluationConfig, Experiment, make_experiment, verdicts_for
from neural.pattern import AttentionPattern
from neural.positions import Positions
from neural.run_config import RunConfig
from neural.train import TrainConfig
from neural.transformer import TransformerConfig

_DEFAULTS: dict[str, Any] = {
    "positions": ["none"],
    "seeds": [TrainConfig.seed],
    "learning_rates": [TrainConfig.learning_rate],
}
_SIZES = ("layers", "heads", "width", "feedforward")
_MOST = 100_000  # experiments of a file


@dataclass(frozen=True)
class GridLanguage:
    """A language of a grid: its name for people, the text as typed, a remark, its automaton."""

    name: str
    text: str
    remark: str
    dfa: DFA


@dataclass(frozen=True)
class Column:
    """A kind of network of a grid: its attention and its positions."""

    pattern: AttentionPattern
    positions: Positions

    @property
    def name(self) -> str:
        """The attention and, if there are any, the positions: hybrid-1, hybrid-1 rotary."""
        return network_name(self.pattern, self.positions)


@dataclass(frozen=True)
class Published:
    """Accuracies in percent that a source gives, by name of the language and of the column."""

    source: str
    accuracy: Mapping[tuple[str, str], float]


@dataclass(frozen=True)
class Grid:
    """What a file of experiments says, expanded: all experiments, in the order of languages, columns, seeds, rates."""

    source: str
    languages: tuple[GridLanguage, ...]
    columns: tuple[Column, ...]
    experiments: tuple[Experiment, ...]
    published: Published | None

    def experiments_of(self, language: GridLanguage, column: Column) -> tuple[Experiment, ...]:
        """Return the experiments of a language and a column: one for each seed and learning rate."""
        each = len(self.experiments) // (len(self.languages) * len(self.columns))
        first = (self.languages.index(language) * len(self.columns) + self.columns.index(column)) * each
        return self.experiments[first : first + each]


def read_grid(path: Path) -> Grid:
    """Read a file of experiments; raise `FormatError` for whatever is wrong with it."""
    return parse_grid(read_bytes(path, str(path)), str(path))


def parse_grid(data: str | bytes, source: str) -> Grid:
    r"""Read the text of a file of experiments named `source`; raise `FormatError` for whatever is wrong with it.

    >>> grid = parse_grid('attention = ["global"]\nlanguages = [{name = "all a", language = "a*"}]', "x.toml")
    >>> [experiment.name for experiment in grid.experiments]
    ['all a global seed 0 rate 0.001']
    """
    text = decode_text(data, source)
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(source, None, f"not TOML: {error}") from None
    except (RecursionError, ValueError):  # nested too deep, or an integer of thousands of digits
        raise FormatError(source, None, "not TOML that can be read: too deep, or with too long a number") from None
    top = Fields(source, "", plain)
    top.check(["attention", "languages"], [*_DEFAULTS, "training", "transformer", "evaluation", "published"])
    top = Fields(source, "", {**_DEFAULTS, **plain})
    languages = _languages(top)
    patterns, positions = top.parsed("attention", AttentionPattern.parse), top.parsed("positions", Positions.parse)
    columns = tuple(Column(pattern, position) for position in positions for pattern in patterns)
    seeds, rates = top.items("seeds", int), top.items("learning_rates", float)
    top.distinct("seeds", seeds)
    top.distinct("learning_rates", rates)
    count = len(languages) * len(columns) * len(seeds) * len(rates)
    if count > _MOST:
        raise FormatError(source, None, f"{count:,} experiments, more than {_MOST:,}; write several files")
    recipe = top.below("training").value(TrainConfig, without=("seed", "learning_rate"))
    evaluation = top.below("evaluation").value(EvaluationConfig)
    sizes = top.below("transformer")
    sizes.check([], _SIZES)
    experiments = []
    for language, column in product(languages, columns):
        try:
            given = {name: sizes.get(name, int) for name in sizes.table}
            shape = TransformerConfig(column.pattern, **given, positions=column.positions)
            verdicts = verdicts_for(language.dfa, column.pattern, column.positions)
            for seed, rate in product(seeds, rates):
                config = RunConfig(language.dfa, shape, replace(recipe, seed=seed, learning_rate=rate))
                experiments.append(make_experiment(language.name, config, evaluation, verdicts))
        except FormatError:
            raise
        except ToolkitError as error:
            raise FormatError(source, None, f"{language.name}, {column.name}: {error}") from None
    return Grid(source, languages, columns, tuple(experiments), _published(top, languages, columns))


def _languages(top: Fields) -> tuple[GridLanguage, ...]:
    found: list[GridLanguage] = []
    for i, table in enumerate(top.items("languages", dict)):
        entry = Fields(top.source, f"languages[{i}]", table)
        entry.check(["name", "language"], ["alphabet", "remark"])
        texts = {field: entry.get(field, str) for field in table}
        try:
            alphabet = parse_alphabet(texts["alphabet"]) if "alphabet" in texts else None
            dfa = read_language(texts["language"], alphabet)
        except ToolkitError as error:
            entry.fail("language", "\n".join([str(error), *getattr(error, "__notes__", ())]))
        for other in found:
            if other.name == texts["name"]:
                entry.fail("name", f"{show(other.name)} is given twice")
            if other.dfa == dfa:
                entry.fail("language", f"the same language as that named {show(other.name)}; keep one")
        found.append(GridLanguage(texts["name"], texts["language"], texts.get("remark", ""), dfa))
    return tuple(found)


def _published(top: Fields, languages: Sequence[GridLanguage], columns: Sequence[Column]) -> Published | None:
    if "published" not in top.table:
        return None
    entry = top.below("published")
    entry.check(["source", "accuracy"])
    found: dict[tuple[str, str], float] = {}
    rows = entry.below("accuracy")
    for language in rows.table:
        rows.known(language, [known.name for known in languages])
        row = rows.below(language)
        for column in row.table:
            row.known(column, [known.name for known in columns])
            percent = row.get(column, float)
            if not 0 <= percent <= 100:
                row.fail(column, f"a share in percent lies in 0..100, not {percent:g}")
            found[language, column] = percent
    return Published(entry.get("source", str), found)
