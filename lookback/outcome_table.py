"""Networks side by side as the terminal shows them: what theory predicts of each, and what tests say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from lookback.display import pattern_name, plain_table, yes_no
from lookback.outcome import Outcome, percent

if TYPE_CHECKING:
    from neural.evaluation import Evaluation


def outcome_table(outcomes: Sequence[Outcome]) -> Table:
    """What theory predicts of networks on one language and what tests say of them, a column for each network."""
    table = plain_table("", *(_network_name(outcome) for outcome in outcomes))
    table.add_row("can recognise it", *(yes_no(outcome.predicted) for outcome in outcomes))
    evaluations = [outcome.evaluation for outcome in outcomes]
    first = evaluations[0]
    for i, tested in enumerate(first.bins):
        results = [evaluation.bins[i] for evaluation in evaluations]
        table.add_row(f"right, lengths {tested.first}-{tested.last}", *(percent(result.accuracy) for result in results))
    table.add_row("N*", *map(_perfect_length, evaluations))
    beyond = first.bins[0].last
    for kind in first.kinds:
        if kind in _KINDS:
            table.add_row(_KINDS[kind], *(_by_label(evaluation, kind, beyond) for evaluation in evaluations))
    for i, family in enumerate(first.families):
        found = [evaluation.families[i] for evaluation in evaluations]
        table.add_row(f"right, pumping {family.fragment}", *(_share(result.accuracy) for result in found))
    if any(outcome.trained is not None for outcome in outcomes):
        steps = ("none" if outcome.trained is None else str(outcome.trained.steps) for outcome in outcomes)
        table.add_row("steps of training", *steps)
    fewest, most = first.fewest_words, first.most_words
    longest = first.tested_lengths[-1]
    table.caption = (
        "N*: the greatest tested length up to which no random word was judged wrong. "
        f"{most if fewest == most else f'{fewest} to {most}'} random words of each tested length up to {longest}. "
        f"By kind: of the words in the language / not in it, lengths above {beyond}."
    )
    table.caption_justify = "left"
    return table


_KINDS = {"uniform": "right, uniform", "near": "right, near the boundary", "periodic": "right, periodic"}


def _network_name(outcome: Outcome) -> str:
    positions = outcome.positions
    return pattern_name(outcome.pattern) + ("" if positions.kind == "none" else f", {positions.name}")


def _by_label(evaluation: Evaluation, kind: str, beyond: int) -> str:
    return " / ".join(_share(evaluation.accuracy([kind], member=member, beyond=beyond)) for member in (True, False))


def _share(share: float | None) -> str:
    return "no words" if share is None else percent(share)


def _perfect_length(evaluation: Evaluation) -> str:
    if evaluation.perfect_length is None:
        return "none"
    everything = evaluation.perfect_length == evaluation.tested_lengths[-1]
    return f"{evaluation.perfect_length}{' (all)' if everything else ''}"
