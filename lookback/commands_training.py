"""Commands that train and judge transformers: train, evaluate, demo."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from automata.errors import MAX_STATES
from lookback.inputs import parse_alphabet, read_language
from lookback.options import (
    AlphabetOption,
    AttentionOption,
    JsonOption,
    LanguageArgument,
    MaxStatesOption,
    ModelArgument,
    SeedOption,
    WindowOption,
    given,
    print_json,
    read_alphabet,
    read_pattern,
)
from lookback.workers import use_one_thread

DEMO_LANGUAGE, DEMO_ALPHABET = ".*ab.*", "abc"
"""Contains ab, over three letters: for hybrid attention alone."""


def train(
    language: LanguageArgument,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Folder of the run.", show_default=False)],
    attention: AttentionOption = "hybrid",
    window: WindowOption = None,
    positions: Annotated[
        str,
        typer.Option(
            "--positions",
            metavar="KIND",
            help="none, learned-N, sinusoidal, rotary, periodic-sinusoidal-M, periodic-rotary-M or offset-bias.",
        ),
    ] = "none",
    seed: SeedOption = 0,
    steps: Annotated[int | None, typer.Option("--steps", min=1, metavar="N", help="Most steps.")] = None,
    batch: Annotated[int | None, typer.Option("--batch", min=2, metavar="N", help="Words of a step.")] = None,
    max_length: Annotated[
        int | None, typer.Option("--max-length", min=1, metavar="N", help="Greatest length of a training word.")
    ] = None,
    learning_rate: Annotated[float | None, typer.Option("--learning-rate", metavar="X", help="Rate of AdamW.")] = None,
    layers: Annotated[int | None, typer.Option("--layers", min=1, metavar="N", help="Layers.")] = None,
    heads: Annotated[int | None, typer.Option("--heads", min=1, metavar="N", help="Heads of a layer.")] = None,
    width: Annotated[int | None, typer.Option("--width", min=1, metavar="N", help="Coordinates of a position.")] = None,
    feedforward: Annotated[
        int | None, typer.Option("--feedforward", min=1, metavar="N", help="Width of the feed-forward part.")
    ] = None,
    alphabet: AlphabetOption = None,
    as_json: JsonOption = False,
    max_states: MaxStatesOption = MAX_STATES,
) -> None:
    """Train a transformer to recognise a language, in a folder that the run keeps.

    What is left out is as the default recipe has it; config.json in the folder says all of it. A training that was
    stopped goes on where it was when the same command is given again.
    """
    from lookback.progress import show_progress

    use_one_thread()
    from neural.positions import Positions
    from neural.run_config import RunConfig
    from neural.runs import CHECKPOINT_EVERY, load_run, train_run
    from neural.train import TrainConfig
    from neural.transformer import TransformerConfig

    dfa = read_language(language, read_alphabet(alphabet), max_states)
    pattern = read_pattern(attention, window)
    sizes = given(layers=layers, heads=heads, width=width, feedforward=feedforward)
    shape = TransformerConfig(pattern, **sizes, positions=Positions.parse(positions))
    recipe = TrainConfig(
        seed=seed, **given(steps=steps, batch=batch, max_length=max_length, learning_rate=learning_rate)
    )
    step = 0
    try:
        with show_progress([pattern.name], recipe.steps) as tell:
            for progress in train_run(out, RunConfig(dfa, shape, recipe)):
                step = progress.step
                tell(0, step, f"loss {progress.average_loss:.4f}")
    except KeyboardInterrupt:
        print(
            f"\nlookback: stopped after step {step}; the same command goes on in {str(out)!r} "
            f"from the last checkpoint, made every {CHECKPOINT_EVERY} steps",
            file=sys.stderr,
        )
        raise
    metrics = load_run(out).metrics
    if as_json:
        print_json(
            {
                "directory": str(out),
                "attention": pattern.name,
                "steps": metrics.steps,
                "converged": metrics.converged,
                "loss": metrics.loss,
                "average_loss": metrics.average_loss,
                "cpu_seconds": metrics.cpu_seconds,
            }
        )
        return
    end = "the loss is as low as the recipe asks" if metrics.converged else "the steps ran out"
    print(f"trained {pattern.name} for {metrics.steps} steps: {end} (average {metrics.average_loss:.4f})")
    print(f"judge it with: lookback evaluate {out}")


def evaluate(
    directory: ModelArgument,
    per_class: Annotated[
        int, typer.Option("--words", min=1, metavar="N", help="Members, and as many others, of each tested length.")
    ] = 10,
    longest: Annotated[
        int,
        typer.Option(
            "--longest",
            min=1,
            metavar="N",
            help="Greatest tested length beyond the training lengths, all of which are tested.",
        ),
    ] = 500,
    as_json: JsonOption = False,
) -> None:
    """Judge a transformer, trained or compiled, against its language: accuracy by kind of word, label and length, N*.

    The exit status is 0 however good it is. Tests find mistakes and never prove that there are none.
    """
    from lookback.display import show
    from lookback.outcome import Outcome, judgement, outcome_of_training
    from lookback.outcome_table import outcome_table
    from semigroups.classify import classify

    use_one_thread()
    from neural.architectures import prediction
    from neural.evaluate import TRAINED
    from neural.evaluate import evaluate as evaluate_model
    from neural.experiment import pumping_families
    from neural.runs import Run
    from neural.saved import load_model
    from neural.store import EXPERIMENT

    found = load_model(directory)
    shape = found.model.config
    pattern = shape.pattern
    classification = classify(found.dfa, windows=() if pattern.window is None else (pattern.window,))
    families = pumping_families(classification.verdicts)
    predicted = prediction(pattern, shape.positions, classification.verdicts)
    origin = found.origin
    if isinstance(origin, Run):
        evaluation = origin.evaluate(families, per_class=per_class, longest=longest)
        if not (origin.directory.parent / EXPERIMENT).exists():  # the result of an experiment stays as it is
            origin.record(evaluation)
        outcome = outcome_of_training(shape, predicted, origin.metrics, evaluation)
    else:
        exact = origin.facts.longest
        longest = longest if exact is None else min(longest, exact)
        usual = range(1, min(TRAINED[-1], longest) + 1)
        evaluation = evaluate_model(
            found.model, found.dfa, trained=usual, families=families, per_class=per_class, longest=longest
        )
        outcome = Outcome(pattern, shape.positions, predicted, None, evaluation)
    if as_json:
        print_json({"directory": str(directory), **outcome.to_dict()})
        return
    show(outcome_table([outcome]))
    print(judgement(outcome))


def demo(
    seed: SeedOption = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Keep the three runs in this folder, a store of experiments."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Seconds instead of minutes: networks too small to show much.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show it all on "words over a, b, c that contain ab": the verdict, three trainings side by side, one table.

    The exit status is 0 if the trained networks did what the verdict says, 1 if one did not.
    """
    from lookback.demo import FULL, QUICK, demo_experiments, run_demo
    from lookback.display import classification_view, show
    from lookback.outcome import conclude
    from lookback.outcome_table import outcome_table
    from lookback.progress import show_progress
    from lookback.record import classification_json
    from semigroups.classify import classify
    from semigroups.depth import least_depths
    from semigroups.forms import forms_of

    dfa = read_language(DEMO_LANGUAGE, parse_alphabet(DEMO_ALPHABET))
    classification = classify(dfa, windows=())
    scale = QUICK if quick else FULL
    if not as_json:
        print(f"lookback classify '{DEMO_LANGUAGE}' --alphabet {DEMO_ALPHABET} --windows none\n")
        forms = forms_of(classification.dfa, classification.order("locally testable").least)
        show(classification_view(classification, forms, least_depths(classification.dfa, classification.verdicts)))
        print(f"Now three transformers are trained on words up to length {scale.max_length}.", flush=True)
    use_one_thread()
    experiments = demo_experiments(DEMO_LANGUAGE, classification, seed, scale)
    with ExitStack() as stack:
        folder = out if out is not None else Path(stack.enter_context(TemporaryDirectory(prefix="lookback-")))
        tell = stack.enter_context(show_progress([e.pattern.name for e in experiments], scale.steps))
        outcomes = run_demo(experiments, classification, folder, tell)
    agree = all(outcome.as_predicted for outcome in outcomes)
    if as_json:
        print_json(
            {
                "language": DEMO_LANGUAGE,
                "classification": classification_json(classification),
                "networks": [outcome.to_dict() for outcome in outcomes],
                "agree": agree,
            }
        )
    else:
        show(outcome_table(outcomes))
        print(conclude(outcomes))
    if not agree:
        raise typer.Exit(1)
