"""Runs: a folder for each training, with all that is needed to repeat, resume, reload and judge it.

- config.json: the language as an automaton, the attention, both configurations, versions; there before the first step.
- checkpoint.safetensors: weights, optimiser and progress of an unfinished training, replaced every few steps.
- weights.safetensors and metrics.json: the trained model; steps, loss, CPU seconds and, once made, the evaluation.

Every file is written under another name and then renamed, so a run that is killed leaves no half-written file. A
training is finished iff metrics.json is there.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from automata.errors import FormatError, ToolkitError
from neural.checkpoint import dump_training, dump_weights, load_training, load_weights
from neural.evaluate import LONGEST, evaluate
from neural.evaluation import Evaluation
from neural.files import read_file, write_whole
from neural.run_config import Metrics, RunConfig
from neural.train import Progress, TrainConfig, Training, new_model, require_trainable, train, trained_words
from neural.transformer import Transformer, TransformerConfig

if TYPE_CHECKING:
    from semigroups.verdict import Family

CONFIG, CHECKPOINT, WEIGHTS, METRICS = "config.json", "checkpoint.safetensors", "weights.safetensors", "metrics.json"
"""The names of the files of a run."""

CHECKPOINT_EVERY = 50
"""Steps of a training after which a checkpoint is made, unless the caller says otherwise."""


@dataclass(frozen=True, eq=False)
class Run:
    """A finished training read back from its folder."""

    directory: Path
    config: RunConfig
    metrics: Metrics
    model: Transformer

    def evaluate(self, families: Iterable[Family] = (), *, per_class: int = 10, longest: int = LONGEST) -> Evaluation:
        """Evaluate the model against the language.

        No test word is longer than `longest`, nor than learned positions reach.
        """
        dfa, recipe = self.config.dfa, self.config.recipe
        reach = self.config.shape.positions.longest
        return evaluate(
            self.model,
            dfa,
            trained=recipe.lengths,
            seen=trained_words(dfa, recipe, self.metrics.steps),
            families=families,
            per_class=per_class,
            longest=longest if reach is None else min(longest, reach),
            seed=recipe.seed,
        )

    def record(self, evaluation: Evaluation) -> None:
        """Write an evaluation into metrics.json."""
        _write_metrics(self.directory, replace(self.metrics, evaluation=evaluation.to_dict()))


def train_run(
    directory: str | Path, config: RunConfig, *, every: int = 10, checkpoint_every: int = CHECKPOINT_EVERY
) -> Iterator[Progress]:
    """Train in a folder and yield the progress every few steps and at the end.

    A new or empty folder starts a run. A folder with an unfinished run of the same configuration resumes it after its
    last checkpoint, with the same result as if it had never been stopped; a finished one yields its end at once. Raise
    `ToolkitError` if the folder holds anything else or cannot be written; `NoSuchWord`, before anything is written, if
    the language has no member or no non-member of the training lengths.
    """
    directory = Path(directory)
    if not (directory / CONFIG).exists():
        require_trainable(config.dfa, config.recipe)  # before the folder is taken
    _claim(directory, config)
    if (directory / METRICS).exists():
        metrics = _read_metrics(directory)
        yield Progress(metrics.steps, metrics.loss, metrics.average_loss, finished=True)
        return
    training = Training(config.dfa, config.shape, config.recipe)
    spent = 0.0
    if (directory / CHECKPOINT).exists():
        spent = load_training(training, read_file(directory / CHECKPOINT, "a run"), str(directory / CHECKPOINT))
    began = time.process_time() - spent
    for progress in train(training, every=1):
        if progress.finished:
            break
        if progress.step % every == 0:
            yield progress  # before the checkpoint, so that whoever takes notes has noted all steps that it covers
        if progress.step % checkpoint_every == 0:
            _claim(directory, config)  # another process may have taken the empty folder at the same moment
            write_whole(directory / CHECKPOINT, dump_training(training, time.process_time() - began))
    progress = training.progress
    weights = dump_weights(training.model)
    metrics = Metrics(
        steps=progress.step,
        loss=progress.loss,
        average_loss=progress.average_loss,
        converged=progress.average_loss < config.recipe.stop_loss,
        cpu_seconds=time.process_time() - began,
        weights_sha256=sha256(weights).hexdigest(),
    )
    _claim(directory, config)
    write_whole(directory / WEIGHTS, weights)
    _write_metrics(directory, metrics)
    (directory / CHECKPOINT).unlink(missing_ok=True)
    yield progress


def load_run(directory: str | Path) -> Run:
    """Read a finished run back; raise `ToolkitError` naming the file that is missing or not as a run writes it."""
    directory = Path(directory)
    config = RunConfig.from_json(read_file(directory / CONFIG, "a run"), str(directory / CONFIG))
    if not (directory / METRICS).exists():
        raise ToolkitError(
            f"the training in {str(directory)!r} is not finished; train into the same folder to resume it"
        )
    metrics = _read_metrics(directory)
    if metrics.steps > config.recipe.steps:
        raise FormatError(
            str(directory / METRICS), None, f"{metrics.steps} steps, more than the {config.recipe.steps} of the recipe"
        )
    model = new_model(config.dfa.alphabet, config.shape, config.recipe.seed)
    weights = read_file(directory / WEIGHTS, "a run")
    load_weights(model, weights, str(directory / WEIGHTS))
    if sha256(weights).hexdigest() != metrics.weights_sha256:
        raise FormatError(str(directory / WEIGHTS), None, f"not the weights whose digest {METRICS} gives")
    return Run(directory, config, metrics, model)


def _claim(directory: Path, config: RunConfig) -> None:
    """Make a folder that of this run; raise `ToolkitError` if it is something else's."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        others = sorted(path.name for path in directory.iterdir() if not path.name.endswith(".tmp"))
    except OSError as error:
        raise ToolkitError(f"cannot use {str(directory)!r} as the folder of a run: {error.strerror or error}") from None
    if CONFIG in others:
        found = RunConfig.from_json(read_file(directory / CONFIG, "a run"), str(directory / CONFIG))
        if found != config:
            raise ToolkitError(
                f"{str(directory)!r} holds another run: {_difference(found, config)}; "
                "choose another folder, or the same options to resume that one"
            )
    elif others:
        raise ToolkitError(f"{str(directory)!r} holds {others[0]!r} and no run; choose a new or an empty folder")
    else:
        write_whole(directory / CONFIG, config.to_json().encode())


def _difference(found: RunConfig, asked: RunConfig) -> str:
    """Name the first thing in which two configurations differ."""
    if found.dfa != asked.dfa:
        return "its language is another automaton"
    pairs: list[tuple[TransformerConfig | TrainConfig, ...]] = [
        (found.shape, asked.shape),
        (found.recipe, asked.recipe),
    ]
    return next(
        f"its {field.name} is {getattr(there, field.name)}, not {getattr(here, field.name)}"
        for there, here in pairs
        for field in fields(there)
        if getattr(there, field.name) != getattr(here, field.name)
    )


def _read_metrics(directory: Path) -> Metrics:
    return Metrics.from_json(read_file(directory / METRICS, "a run"), str(directory / METRICS))


def _write_metrics(directory: Path, metrics: Metrics) -> None:
    write_whole(directory / METRICS, metrics.to_json().encode())
