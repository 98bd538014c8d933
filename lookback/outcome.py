"""What became of a network: theory's prediction beside what tests say, and the conclusion in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import floor
from typing import TYPE_CHECKING, Any

from neural.architectures import network_name
from neural.pattern import AttentionPattern
from neural.positions import Positions

if TYPE_CHECKING:
    from neural.evaluation import Evaluation
    from neural.run_config import Metrics
    from neural.transformer import TransformerConfig


@dataclass(frozen=True)
class Trained:
    """How a network was trained: steps, whether the loss fell as low as the recipe asks, CPU seconds."""

    steps: int
    converged: bool
    cpu_seconds: float


@dataclass(frozen=True)
class Outcome:
    """What became of a network: whether it can recognise the language in theory, the training, the tests.

    `trained` is None for a compiled network.
    """

    pattern: AttentionPattern
    positions: Positions
    predicted: bool | None
    trained: Trained | None
    evaluation: Evaluation

    @property
    def name(self) -> str:
        """Attention, and positions if there are any."""
        return network_name(self.pattern, self.positions)

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
            "positions": self.positions.name,
            "predicted": self.predicted,
            "flawless": self.flawless,
            "as_predicted": self.as_predicted,
            "training": None if self.trained is None else asdict(self.trained),
            "evaluation": self.evaluation.to_dict(),
        }


def outcome_of_training(
    shape: TransformerConfig, predicted: bool | None, metrics: Metrics, evaluation: Evaluation
) -> Outcome:
    """Return the outcome of a finished training."""
    trained = Trained(metrics.steps, metrics.converged, metrics.cpu_seconds)
    return Outcome(shape.pattern, shape.positions, predicted, trained, evaluation)


def judgement(outcome: Outcome) -> str:
    """Say in a sentence what tests and theory together say of one network."""
    evaluation = outcome.evaluation
    random = evaluation.accuracy()
    said = "no random words" if random is None else f"{percent(random)} on random words"
    shares = [(family.accuracy, family.fragment) for family in evaluation.families if family.accuracy is not None]
    if shares:
        share, fragment = min(shares)
        said += f", {percent(share)} on the {fragment} pumping family"
    if outcome.predicted is None:
        return f"{said}: {'no mistake' if outcome.flawless else 'mistakes'}, and the theory does not say"
    if outcome.predicted:
        return f"{said}: " + ("no mistake, as can be" if outcome.flawless else "mistakes that it need not make")
    if outcome.flawless:
        return f"{said}: no mistake found, yet there are words on which this attention must fail"
    return f"{said}: not recognised, as proved"


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
        f"{outcome.name} can recognise the language, yet this network made mistakes"
        + (
            " (its training ran out of steps before it had learned)"
            if outcome.trained is not None and not outcome.trained.converged
            else ""
        )
        if outcome.predicted
        else f"{outcome.name} cannot recognise the language, yet this network made no mistake on any test word"
        for outcome in wrong
    ]
    return f"The networks did not all do what the verdicts say: {'; '.join(faults)}."


def percent(share: float) -> str:
    """Write a share 0..1 in percent, rounded down, so that 100 % means all.

    >>> percent(1.0), percent(0.9999), percent(0.29)
    ('100.0 %', '99.9 %', '29.0 %')
    """
    return f"{rounded_down(share)} %"


def rounded_down(share: float) -> str:
    """Write a share 0..1 in percent without the sign, rounded down to one digit."""
    return f"{floor(1000 * share + 1e-9) / 10:.1f}"
