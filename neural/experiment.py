"""An experiment: a network to train on a language and the tests that judge it, as a value with a key of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from automata.dfa import DFA
from automata.errors import ToolkitError
from ltl.fragment import Fragment
from neural.architectures import architecture, network_name, prediction
from neural.evaluate import LONGEST, require_feasible
from neural.pattern import AttentionPattern
from neural.positions import Positions
from neural.run_config import RunConfig
from semigroups.certificate import PumpingFamily
from semigroups.classify import FRAGMENTS
from semigroups.decide import decide
from semigroups.window_family import WindowFamily

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from semigroups.verdict import Family, Verdict

FORMAT = "lookback-experiment"
"""What the field "format" of an experiment says."""

VERSION = 1
"""The version of the format that is written."""


@dataclass(frozen=True)
class EvaluationConfig:
    """How to judge a network: `per_class` members and as many others of each tested length, none above `longest`.

    Raise `ToolkitError` for numbers that are not integers from 1 on, and for more words than fit into memory.
    """

    per_class: int = 10
    longest: int = LONGEST

    def __post_init__(self) -> None:
        for name in ("per_class", "longest"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10**6:
                raise ToolkitError(f"{name} is an integer from 1 to 1,000,000, not {value!r}")
        require_feasible(self.per_class, self.longest)


@dataclass(frozen=True)
class Experiment:
    """A training and its evaluation: all that the result depends on, but for the versions of the software.

    `language` is a name for people. `refuted` holds the fragments whose pumping families are among the tests.
    """

    language: str
    config: RunConfig
    evaluation: EvaluationConfig
    refuted: tuple[Fragment, ...]

    @property
    def pattern(self) -> AttentionPattern:
        """The attention pattern of the network."""
        return self.config.shape.pattern

    @property
    def positions(self) -> Positions:
        """How positions enter the network."""
        return self.config.shape.positions

    @property
    def name(self) -> str:
        """Language, attention, positions if there are any, seed and learning rate, for people."""
        recipe = self.config.recipe
        network = network_name(self.pattern, self.positions)
        return f"{self.language} {network} seed {recipe.seed} rate {recipe.learning_rate:g}"

    def content(self) -> dict[str, Any]:
        """Return everything but the name of the language as plain values for JSON."""
        shape, recipe, dfa = self.config.shape, self.config.recipe, self.config.dfa
        return {
            "format": FORMAT,
            "version": VERSION,
            "attention": self.pattern.name,
            "positions": self.positions.name,
            "transformer": shape.sizes(),
            "training": _plain(recipe),
            "evaluation": {**_plain(self.evaluation), "families": [fragment.name for fragment in self.refuted]},
            "language": {
                "alphabet": list(dfa.alphabet),
                "start": int(dfa.start),
                "accepting": dfa.accept.nonzero()[0].tolist(),
                "transitions": dfa.delta.tolist(),
            },
        }

    def key(self) -> str:
        """Return the digest of the content, 64 hexadecimal digits: equal iff the content is.

        No name, path, version or order of fields has a part in it.
        """
        return sha256(json.dumps(self.content(), sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def to_json(self) -> str:
        """Write the content, with the name and the key, for people and other programs."""
        return json.dumps({"name": self.language, "key": self.key(), **self.content()}, indent=2) + "\n"

    def families(self) -> tuple[Family, ...]:
        """Return the pumping families that are among the tests."""
        return pumping_families(decide(self.config.dfa, fragment) for fragment in self.refuted)


def verdicts_for(dfa: DFA, pattern: AttentionPattern, positions: Positions) -> tuple[Verdict, ...]:
    """Return the verdicts that concern a network: on LTL[P], LTL[Y], LTL[P,Y], and on the logics of its attention.

    For a window k these are LTL[Y<=k] and LTL[P,Y<=k]; with positions, that of the row of `neural.architectures`.

    >>> from automata.alphabet import Alphabet
    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> [verdict.fragment.name for verdict in verdicts_for(ends_with_a, AttentionPattern("local", 2), Positions())]
    ['LTL[P]', 'LTL[Y]', 'LTL[P,Y]', 'LTL[Y<=2]', 'LTL[P,Y<=2]']
    """
    asked = list(FRAGMENTS)
    if pattern.window is not None:
        asked += [Fragment(past, pattern.window) for past in (False, True)]
    row = architecture(pattern, positions)
    if row.fragment is not None:
        asked.append(row.fragment)
    return tuple(decide(dfa, fragment) for fragment in dict.fromkeys(asked))


def pumping_families(verdicts: Iterable[Verdict]) -> tuple[Family, ...]:
    """Return the pumping families among the certificates: the hardest words for the patterns that fail.

    Those against predicates MOD are left out: they are too long for these tests.
    """
    certificates = (verdict.certificate for verdict in verdicts)
    return tuple(found for found in certificates if isinstance(found, PumpingFamily | WindowFamily))


def make_experiment(
    language: str, config: RunConfig, evaluation: EvaluationConfig, verdicts: Iterable[Verdict]
) -> Experiment:
    """Return the experiment whose tests include the pumping families among the certificates of the verdicts."""
    refuted = tuple(family.fragment for family in pumping_families(verdicts))
    return Experiment(language, config, evaluation, refuted)


def predicted(dfa: DFA, pattern: AttentionPattern, positions: Positions) -> bool | None:
    """Tell whether theory says that such a network can recognise the language; None if it does not say."""
    return prediction(pattern, positions, verdicts_for(dfa, pattern, positions))


def _plain(value: DataclassInstance) -> dict[str, Any]:
    """Return the fields of a value; a number that is meant to be a float is one, so that 1 and 1.0 are the same."""
    meant = {field.name: field.type for field in fields(value)}
    return {name: float(found) if meant[name] == "float" else found for name, found in asdict(value).items()}
