"""Figures of the algebra: enumerating semigroups, Green's classes, the varieties; libsemigroups in the same run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from libsemigroups_pybind11 import FroidurePin, ReportGuard, Transf
from numpy.typing import NDArray

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge
from benchmarks.figure import Figure, seconds
from semigroups.green import green_structure
from semigroups.refute import refute_aperiodic
from semigroups.syntactic import SyntacticSemigroup, syntactic_semigroup
from semigroups.transformations import transformation_semigroup
from semigroups.variety import VARIETIES


def figures() -> Iterator[Figure]:
    for degree in (5, 6, 7):
        yield from full_transformations(degree)
    for degree, aim in ((8, 1), (10, 2), (12, 10)):
        yield from catalan(degree, aim)


def full_transformations(degree: int) -> Iterator[Figure]:
    """The monoid of all transformations, from a cycle, a swap and a merge."""
    points = np.arange(degree)
    cycle, swap, merge = np.roll(points, -1), points.copy(), points.copy()
    swap[:2], merge[:2] = [1, 0], [0, 0]
    generators = np.stack([cycle, swap, merge])
    repeat = 3 if degree == 7 else 100 if degree == 5 else 20
    peer = seconds(lambda: library(generators), repeat)
    sizes: list[int] = []
    taken = seconds(lambda: sizes.append(len(transformation_semigroup(generators))), repeat)
    yield Figure(
        f"all transformations of {degree} points, both Cayley graphs",
        f"{taken:.4f} s, {sizes[0]:,} elements",
        f"<= 1.5 x libsemigroups, {degree**degree:,}",
        taken <= 1.5 * peer and sizes[0] == degree**degree,
        f"libsemigroups (its own graphs, in its own memory): {peer:.4f} s",
    )
    minimal = DFA(Alphabet.of("abc"), generators.T, 0, points == 0)
    shapes: list[int] = []
    # The enumeration is part of what is timed, and taken off: what was computed once would be kept otherwise.
    green = seconds(lambda: shapes.append(classes(generators)), repeat) - taken
    answers: list[list[str]] = []
    table = seconds(lambda: answers.append(members(syntactic_semigroup(minimal))), 1) - taken
    yield Figure(
        f"all transformations of {degree} points, Green's classes",
        f"{green:.4f} s, {shapes[0]} D-classes",
        f"<= 3 x libsemigroups' enumeration, {degree}",
        green <= 3 * peer and shapes[0] == degree,
        f"libsemigroups, enumeration: {peer:.4f} s",
    )
    yield Figure(
        f"all transformations of {degree} points, {len(VARIETIES)} equational classes",
        f"{table:.4f} s, member of {', '.join(answers[0]) or 'none'}",
        "<= 3 x libsemigroups' enumeration, member of none",
        table <= 3 * peer and not answers[0],
        f"libsemigroups, enumeration: {peer:.4f} s",
    )


def catalan(degree: int, aim: float) -> Iterator[Figure]:
    """The order-preserving, extensive maps: aperiodic, as they are J-trivial."""
    points = np.arange(degree)
    letters = [points, *(np.where(points == j, j + 1, points) for j in range(degree - 1))]
    minimal = DFA(Alphabet.of("abcdefghijkl"[:degree]), np.stack(letters, axis=1), 0, points == degree - 1)
    found: list[tuple[int, bool]] = []

    def decide() -> None:
        syntactic = syntactic_semigroup(minimal)
        found.append((len(syntactic), refute_aperiodic(syntactic) is None))

    taken = seconds(decide, 1)
    peer = seconds(lambda: library(np.stack(letters)), 1)
    size, aperiodic = found[0]
    yield Figure(
        f"Catalan monoid on {degree} points, enumerated and found aperiodic",
        f"{taken:.3f} s, {size:,} elements",
        f"< {aim} s",
        taken < aim and aperiodic,
        f"libsemigroups, enumeration alone: {peer:.3f} s",
    )


def library(generators: NDArray[np.integer]) -> int:
    """Enumerate with libsemigroups (Froidure and Pin 1997), in silence."""
    silence = ReportGuard(False)
    enumeration = FroidurePin([Transf(row) for row in generators.tolist()])
    enumeration.run()
    size = int(enumeration.size())
    del silence
    return size


def classes(generators: NDArray[np.integer]) -> int:
    """Find the R-, L-, J- and H-classes and the D-classes' order; count the D-classes."""
    return len(green_structure(transformation_semigroup(generators)))


def members(syntactic: SyntacticSemigroup) -> list[str]:
    """Return the varieties that the language belongs to; those whose limits stop them are named with a mark."""
    found = []
    for name, variety in VARIETIES.items():
        try:
            if variety.violation(syntactic) is None:
                found.append(name)
        except TooLarge:
            found.append(f"{name} (not decided)")
    return found
