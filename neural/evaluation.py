"""What tests say of a recogniser, as a value: counts by kind of word, label and length, and what follows from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

from automata.errors import FormatError
from automata.json_object import check_fields

_T = TypeVar("_T", "Cell", "BinResult", "FamilyResult")

RANDOM_KINDS = ("uniform", "near")
"""The kinds of random words, of which bins and N* are made."""


def pumping_kind(fragment: str) -> str:
    """Return the kind of the words of a pumping family against a fragment, given by its name."""
    return f"pumping {fragment}"


@dataclass(frozen=True)
class Cell:
    """How many test words of one kind, one label and one length were judged right.

    `kind` is `uniform`, `near` (the boundary of the language), `periodic`, or `pumping LTL[P]` and so on; `member`
    tells whether the words are in the language.
    """

    kind: str
    member: bool
    length: int
    words: int
    correct: int


@dataclass(frozen=True)
class BinResult:
    """How many random words of the lengths `first`..`last` were judged right.

    `members` of the `words` are in the language; `distinct` of them are different; `trained` of these also occurred in
    training. `generalises` tells that all lengths lie strictly above the training lengths.
    """

    first: int
    last: int
    generalises: bool
    words: int
    members: int
    distinct: int
    trained: int
    correct: int

    @property
    def accuracy(self) -> float:
        """Share of the words judged as the automaton does, 0..1."""
        return self.correct / self.words

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the accuracy as plain values."""
        return {**asdict(self), "accuracy": self.accuracy}


@dataclass(frozen=True)
class FamilyResult:
    """How the words of a pumping family against `fragment` were judged, for n from 1 to `pairs`.

    Each pair has one word on either side of the language's boundary; `pairs_correct` had both judged right.
    """

    fragment: str
    pairs: int
    pairs_correct: int
    words: int
    correct: int

    @property
    def accuracy(self) -> float | None:
        """Share of the words judged as the automaton does; None if even the first pair is too long."""
        return self.correct / self.words if self.words else None

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the accuracy as plain values."""
        return {**asdict(self), "accuracy": self.accuracy}


@dataclass(frozen=True)
class Evaluation:
    """What tests say of a recogniser: it was right on these words, which proves nothing about others.

    The bins are of random words; the cells, in the order of kind, label and length, are of all words.
    """

    bins: tuple[BinResult, ...]
    cells: tuple[Cell, ...]
    families: tuple[FamilyResult, ...]
    seed: int

    @property
    def tested_lengths(self) -> tuple[int, ...]:
        """The lengths of the random words, rising."""
        return tuple(sorted(self._words_by_length()))

    @property
    def perfect_length(self) -> int | None:
        """N*: the greatest tested length up to which every random word was judged right; None if not even the least."""
        failed = {cell.length for cell in self.cells if cell.kind in RANDOM_KINDS and cell.correct < cell.words}
        perfect = [length for length in self.tested_lengths if not failed or length < min(failed)]
        return perfect[-1] if perfect else None

    @property
    def fewest_words(self) -> int:
        """The least number of random words of one tested length."""
        return min(self._words_by_length().values())

    @property
    def most_words(self) -> int:
        """The greatest number of random words of one tested length."""
        return max(self._words_by_length().values())

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of test words, in the order of the cells."""
        return tuple(dict.fromkeys(cell.kind for cell in self.cells))

    @property
    def flawless(self) -> bool:
        """True iff every test word was judged right."""
        return all(cell.correct == cell.words for cell in self.cells)

    def accuracy(
        self, kinds: Iterable[str] = RANDOM_KINDS, *, member: bool | None = None, beyond: int = -1
    ) -> float | None:
        """Return the share judged right of the words of some kinds that have more than `beyond` letters.

        With `member`, of the members or the non-members alone; None if there is no such word.
        """
        wanted = set(kinds)
        cells = [
            cell
            for cell in self.cells
            if cell.kind in wanted and cell.length > beyond and member in (None, cell.member)
        ]
        words = sum(cell.words for cell in cells)
        return sum(cell.correct for cell in cells) / words if words else None

    def _words_by_length(self) -> Counter[int]:
        found: Counter[int] = Counter()
        for cell in self.cells:
            if cell.kind in RANDOM_KINDS:
                found[cell.length] += cell.words
        return found

    def _is_consistent(self) -> bool:
        """True iff bins and families count what the cells count."""
        for result in self.bins:
            cells = [c for c in self.cells if c.kind in RANDOM_KINDS and result.first <= c.length <= result.last]
            if (result.words, result.members, result.correct) != (
                sum(cell.words for cell in cells),
                sum(cell.words for cell in cells if cell.member),
                sum(cell.correct for cell in cells),
            ):
                return False
        return all(
            (family.words, family.correct)
            == tuple(
                sum(getattr(cell, name) for cell in self.cells if cell.kind == pumping_kind(family.fragment))
                for name in ("words", "correct")
            )
            for family in self.families
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values for JSON; a cell is a list of its five fields."""
        return {
            "seed": self.seed,
            "bins": [result.to_dict() for result in self.bins],
            "perfect_length": self.perfect_length,
            "families": [result.to_dict() for result in self.families],
            "cells": [list(asdict(cell).values()) for cell in self.cells],
        }

    @classmethod
    def from_dict(cls, plain: object, source: str) -> Evaluation:
        """Read what `to_dict` gave; raise `FormatError` naming `source` and the fault for anything else."""
        if not isinstance(plain, dict):
            raise FormatError(source, None, "an evaluation is an object")
        check_fields(plain, ["seed", "bins", "perfect_length", "families", "cells"], source, where="evaluation")
        seed = plain["seed"]
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise FormatError(source, None, '"evaluation": the seed is an integer from 0 on')
        names = [field.name for field in fields(Cell)]
        rows = [
            dict(zip(names, row, strict=True)) if isinstance(row, list) and len(row) == len(names) else row
            for row in _listed(plain["cells"], source)
        ]
        found = cls(
            bins=_read(BinResult, _listed(plain["bins"], source), source),
            cells=_read(Cell, rows, source),
            families=_read(FamilyResult, _listed(plain["families"], source), source),
            seed=seed,
        )
        if found.to_dict() != plain or not found._is_consistent():
            raise FormatError(source, None, '"evaluation": the numbers do not fit together')
        return found


def _listed(plain: object, source: str) -> list[Any]:
    if not isinstance(plain, list):
        raise FormatError(source, None, '"evaluation": expected a list')
    return plain


def _read(kind: type[_T], rows: list[Any], source: str) -> tuple[_T, ...]:
    """Read values of one kind, each from the object of its fields (and its accuracy)."""
    types = {field.name: field.type for field in fields(kind)}
    found = []
    for row in rows:
        values = {name: value for name, value in row.items() if name != "accuracy"} if isinstance(row, dict) else {}
        if values.keys() != types.keys() or any(
            type(value).__name__ != types[name] or (types[name] == "int" and value < 0)
            for name, value in values.items()
        ):
            raise FormatError(source, None, f'"evaluation": not a {kind.__name__}: {row!r:.80}')
        if "correct" in values and not values["correct"] <= values["words"]:
            raise FormatError(source, None, f'"evaluation": more words are right than there are: {row!r:.80}')
        if kind is not FamilyResult and not values["words"]:
            raise FormatError(source, None, f'"evaluation": no words: {row!r:.80}')
        found.append(kind(**values))
    return tuple(found)
