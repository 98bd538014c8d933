"""MLRegTest, languages whose class is known by construction: published sizes, and no class label contradicted.

Three automata lie in tests/data (CC BY 4.0, see the README there). If the whole sample lies beside the checkout, all of
it is tested.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

import pytest

from automata.dfa import DFA
from automata.formats import from_att, read_automaton, read_symbols, to_att
from automata.minimize import minimize
from semigroups.factor_grammar import factor_grammar
from semigroups.strictly_local import strictly_local_order, suffix_substitution
from semigroups.strictly_piecewise import deleted_letter, strictly_piecewise_order
from semigroups.subsequence_grammar import subsequence_grammar
from semigroups.syntactic import SyntacticSemigroup, syntactic_semigroup
from semigroups.testability import local_testability_order
from semigroups.tier import Evidence, tier_strictly_local_evidence, tier_strictly_local_order, tier_violation
from semigroups.variety import VARIETIES

_TESTS = Path(__file__).resolve().parent
_BESIDE = _TESTS.parents[1] / "shared" / "mlregtest"
FOLDER = _BESIDE if (_BESIDE / "reference.csv").exists() else _TESTS / "data" / "mlregtest"

# The classes that each label promises not to be in, as the benchmark's README gives them.
OUTSIDE = {
    "SL": ["PT"],
    "SP": ["TLTT"],
    "TSL": ["PLT"],
    "LT": ["TSL", "PT"],
    "TLT": ["TSL", "PLT"],
    "LTT": ["TLT", "PT"],
    "TLTT": ["TLT", "PLT"],
    "PT": ["TLTT"],
    "PLT": ["PT", "TLTT"],
    "TPLT": ["TLTT", "PLT"],
    "SF": ["TPLT"],
    "Zp": ["SF"],
    "Reg": ["SF"],
}
VARIETY = {
    "LT": "locally testable",
    "LTT": "locally threshold testable",
    "PLT": "dot-depth one",
    "PT": "piecewise testable",
    "SF": "star-free",
}
ON_TIER = {"TLT": "locally testable", "TLTT": "locally threshold testable", "TPLT": "dot-depth one"}


class Language:
    """One automaton of the benchmark, minimised, with its syntactic semigroup."""

    def __init__(self, row: Mapping[str, str]) -> None:
        self.row = row
        symbols = FOLDER / f"alph{row['letters']}.txt"
        letters = read_symbols(symbols.read_bytes(), str(symbols))
        self.dfa = read_automaton(FOLDER / "att" / f"{row['name']}.att", letters)
        self.minimal = minimize(self.dfa)

    @cached_property
    def syntactic(self) -> SyntacticSemigroup:
        return syntactic_semigroup(self.minimal)

    def against(self, label: str) -> Evidence | None:
        """Return evidence that the language is not in the class of a label, None if it is in it."""
        if label in VARIETY:
            return VARIETIES[VARIETY[label]].violation(self.syntactic)
        if label in ON_TIER:
            return tier_violation(self.minimal, ON_TIER[label])
        if label == "TSL":
            evidence = tier_strictly_local_evidence(self.minimal)
            return evidence if tier_strictly_local_order(self.minimal) is None else None
        return {"SL": suffix_substitution, "SP": deleted_letter}[label](self.minimal)


def rows() -> list[dict[str, str]]:
    with (FOLDER / "reference.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", [pytest.param(row, id=row["name"]) for row in rows()])
def test_published_sizes_and_labels(row: dict[str, str]) -> None:
    language = Language(row)
    assert language.minimal.n_states == int(row["minimal_complete_states"])
    assert language.syntactic.monoid_size == int(row["monoid_size"])
    assert minimize(from_att(to_att(language.minimal), language.minimal.alphabet)) == language.minimal
    label = row["name"].split(".")[2]
    if label not in ("Zp", "Reg"):
        assert language.against(label) is None
    for other in OUTSIDE[label]:
        evidence = language.against(other)
        assert evidence is not None
        assert evidence.check(language.dfa) is None


LEAST_K: Mapping[str, Callable[[Language], int | None]] = {
    "SL": lambda language: strictly_local_order(language.minimal),
    "SP": lambda language: strictly_piecewise_order(language.minimal),
    "TSL": lambda language: tier_strictly_local_order(language.minimal),
    "LT": lambda language: local_testability_order(language.syntactic),
}
GRAMMAR: Mapping[str, Callable[[DFA], Evidence]] = {
    "SL": factor_grammar,
    "SP": subsequence_grammar,
    "TSL": tier_strictly_local_evidence,
}


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row["name"]) for row in rows() if row["name"].split(".")[2] in LEAST_K]
)
def test_least_order_is_the_width_in_the_name(row: dict[str, str]) -> None:
    language = Language(row)
    _, _, label, width, *_ = row["name"].split(".")
    assert LEAST_K[label](language) == int(width)
    if label in GRAMMAR:
        assert GRAMMAR[label](language.minimal).check(language.dfa) is None
