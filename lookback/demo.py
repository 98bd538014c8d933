"""Trainings side by side: one transformer for each attention pattern, judged against what theory predicts of it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any

from automata.dfa import DFA
from automata.errors import ToolkitError
from lookback.progress import Tell
from neural.pattern import AttentionPattern
from semigroups.certificate import PumpingFamily
from semigroups.classify import Classification
from semigroups.verdict import Family
from semigroups.window_family import WindowFamily

if TYPE_CHECKING:
    from neural.evaluation import Evaluation


@dataclass(frozen=True)
class Scale:
    """How long the trainings and tests of a demonstration may take."""

    steps: int
    max_length: int
    longest: int
    per_class: int
    layers: int
    width: int


PATTERNS = (AttentionPattern("global"), AttentionPattern("local", 1), AttentionPattern("hybrid", 1))
"""The attention patterns that are trained side by side."""

FULL = Scale(steps=1000, max_length=40, longest=500, per_class=10, layers=4, width=64)
"""The recipe of `neural.train`, tested up to length 500: a few minutes."""

QUICK = Scale(steps=30, max_length=10, longest=100, per_class=2, layers=2, width=16)
"""Seconds; too short a training for the networks to become what they can be."""


@dataclass(frozen=True)
class Job:
    """A training and its test, in a folder of its own."""

    dfa: DFA
    pattern: AttentionPattern
    predicted: bool | None
    families: tuple[Family, ...]
    seed: int
    scale: Scale
    directory: Path


@dataclass(frozen=True)
class Outcome:
    """What became of a job: whether the pattern can recognise the language in theory, the training, the tests."""

    pattern: AttentionPattern
    predicted: bool | None
    steps: int
    converged: bool
    cpu_seconds: float
    evaluation: Evaluation

    @property
    def flawless(self) -> bool:
        """True iff every test word was judged right, those of the pumping families included."""
        return self.evaluation.flawless

    @property
    def as_predicted(self) -> bool | None:
        """True iff the network is flawless and theory says that it can be, or neither; None if theory does not say."""
        return None if self.predicted is None else self.predicted == self.flawless

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values for JSON."""
        return {
            "attention": self.pattern.name,
            "predicted": self.predicted,
            "flawless": self.flawless,
            "as_predicted": self.as_predicted,
            "steps": self.steps,
            "converged": self.converged,
            "cpu_seconds": self.cpu_seconds,
            "evaluation": self.evaluation.to_dict(),
        }


def pumping_families(classification: Classification) -> tuple[Family, ...]:
    """Return the pumping families among the certificates: the hardest words for the patterns that fail.

    Those against predicates MOD are left out: their words are long, and for models with periodic positions.
    """
    certificates = (verdict.certificate for verdict in classification.verdicts)
    return tuple(found for found in certificates if isinstance(found, PumpingFamily | WindowFamily))


def conclude(outcomes: Sequence[Outcome]) -> str:
    """Say in a sentence whether the networks did what the verdicts say, and name those that did not."""
    wrong = [outcome for outcome in outcomes if outcome.as_predicted is False]
    if not wrong and all(outcome.as_predicted for outcome in outcomes):
        return (
            "The networks did what the verdicts say: where the answer is yes, not one mistake on any test word; where "
            "it is no, mistakes."
        )
    if not wrong:
        return "Where there is a verdict, the networks did what it says."
    faults = [
        f"{outcome.pattern.name} can recognise the language, yet this network made mistakes"
        + ("" if outcome.converged else " (its training ran out of steps before it had learned)")
        if outcome.predicted
        else f"{outcome.pattern.name} cannot recognise the language, yet this network made no mistake on any test word"
        for outcome in wrong
    ]
    return f"The networks did not all do what the verdicts say: {'; '.join(faults)}."


@dataclass(frozen=True)
class _Report:
    """From a worker: number of the job, steps done, a remark; lastly what the tests gave, or the words of an error."""

    number: int
    step: int
    remark: str
    outcome: Outcome | None = None
    error: str | None = None


def run_side_by_side(jobs: Sequence[Job], tell: Tell, workers: int | None = None) -> list[Outcome]:
    """Do the jobs in worker processes, one thread each, as many as there are cores; return the outcomes.

    The folder of each job holds its run; a job whose folder holds an unfinished run goes on where that stopped. Raise
    `ToolkitError` where a job does or where a worker ends by itself.
    """
    context = multiprocessing.get_context("spawn")
    waiting: multiprocessing.Queue[tuple[int, Job] | None] = context.Queue()
    reports: multiprocessing.Queue[_Report] = context.Queue()
    count = min(len(jobs), cores() if workers is None else workers)
    for item in [*enumerate(jobs), *[None] * count]:
        waiting.put(item)
    processes: list[BaseProcess] = [
        context.Process(target=_work, args=(waiting, reports), daemon=True) for _ in range(count)
    ]
    found: dict[int, Outcome] = {}
    try:
        for process in processes:
            process.start()
        while len(found) < len(jobs):
            report = _next_report(reports, processes)
            if report.error is not None:
                raise ToolkitError(f"{jobs[report.number].pattern.name}: {report.error}")
            tell(report.number, report.step, report.remark)
            if report.outcome is not None:
                found[report.number] = report.outcome
    finally:
        for process in processes:
            if process.pid is not None:
                process.terminate()
                process.join()
    return [found[number] for number in range(len(jobs))]


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def use_one_thread() -> None:
    """Make torch compute in one thread, unless the user says otherwise; only before torch is loaded has it effect."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def _next_report(reports: multiprocessing.Queue[_Report], processes: Sequence[BaseProcess]) -> _Report:
    """Wait for a report; raise `ToolkitError` if a worker has failed."""
    while True:
        with suppress(Empty):
            return reports.get(timeout=0.5)
        for process in processes:
            if process.exitcode:
                raise ToolkitError(
                    f"a training process ended by itself with status {process.exitcode} (a negative number is the "
                    "signal that killed it: 9 is mostly a lack of memory); with --out DIR the same command goes on"
                )


def _work(waiting: multiprocessing.Queue[tuple[int, Job] | None], reports: multiprocessing.Queue[_Report]) -> None:
    """Do jobs until there are no more: what a worker process runs. Ctrl-C is the parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    use_one_thread()
    while (item := waiting.get()) is not None:
        number, job = item
        try:
            _do(number, job, reports)
        except ToolkitError as error:
            reports.put(_Report(number, 0, "failed", error=str(error)))


def _end_with_parent() -> None:
    """End this process as soon as the one that started it is gone, even if that was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(number: int, job: Job, reports: multiprocessing.Queue[_Report]) -> None:
    from neural.run_config import RunConfig
    from neural.runs import load_run, train_run
    from neural.train import TrainConfig
    from neural.transformer import TransformerConfig

    scale = job.scale
    shape = TransformerConfig(job.pattern, layers=scale.layers, width=scale.width, feedforward=2 * scale.width)
    recipe = TrainConfig(seed=job.seed, steps=scale.steps, max_length=scale.max_length)
    for progress in train_run(job.directory, RunConfig(job.dfa, shape, recipe)):
        reports.put(_Report(number, progress.step, f"loss {progress.average_loss:.4f}"))
    run = load_run(job.directory)
    metrics = run.metrics
    reports.put(_Report(number, metrics.steps, "trained, now tested"))
    evaluation = run.evaluate(job.families, per_class=scale.per_class, longest=scale.longest)
    outcome = Outcome(job.pattern, job.predicted, metrics.steps, metrics.converged, metrics.cpu_seconds, evaluation)
    reports.put(_Report(number, metrics.steps, "done", outcome))
