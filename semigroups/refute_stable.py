"""Deciding equations on the stable semigroup T, which holds every idempotent of S.

Idempotents that are R-related in S are so in T (each is the other's left unit), and R-related idempotents have
isomorphic local monoids, so one from each R-class tells about all. What S satisfies needs no look at T, a part of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from automata.errors import TooLarge
from semigroups.refute import Failure, refute_aperiodic, refute_definite, refute_r_trivial
from semigroups.refute_local import refute_locally_r_trivial, same_class
from semigroups.semigroup import FiniteSemigroup
from semigroups.stable import StableSemigroup
from semigroups.syntactic import SyntacticSemigroup


def refute_quasi_aperiodic(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute x^w x = x^w on T: one look at each element."""
    if refute_aperiodic(syntactic) is None:
        return None
    elements = syntactic.stable.elements
    omega = syntactic.semigroup.omega(elements)
    failing = np.flatnonzero(syntactic.semigroup.product(omega, elements) != omega)
    return (0, {"x": int(elements[failing[0]])}) if len(failing) else None


def refute_quasi_r_trivial(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute (xy)^w x = (xy)^w on T: its R-classes are single elements; s x = t and t y = s for two R-related s, t."""
    if refute_r_trivial(syntactic) is None:
        return None
    stable = syntactic.stable
    pair = same_class(stable.elements, _labels(stable))
    if pair is None:
        return None
    x, y = (_factor(stable, stable.elements, *ends) for ends in (pair, pair[::-1]))
    return 0, {"x": x, "y": y}


def refute_quasi_definite(syntactic: SyntacticSemigroup, max_assignments: int) -> Failure | None:
    """Refute y x^w = x^w on T. Raise `TooLarge` when more than `max_assignments` products are needed."""
    if refute_definite(syntactic) is None:
        return None
    stable = syntactic.stable
    semigroup = syntactic.semigroup
    idempotents = _one_from_each_r_class(semigroup)
    for count, x in enumerate(idempotents.tolist(), start=1):
        _limit(count * len(stable), max_assignments)
        moving = np.flatnonzero(semigroup.product(stable.elements, x) != x)
        if len(moving):
            return 0, {"x": x, "y": int(stable.elements[moving[0]])}
    return None


def refute_quasi_locally_r_trivial(syntactic: SyntacticSemigroup, max_assignments: int) -> Failure | None:
    """Refute (e^w x e^w y e^w)^w x e^w = (e^w x e^w y e^w)^w on T: no two elements of eTe are R-related in T.

    Raise `TooLarge` when more than `max_assignments` elements are looked at.
    """
    if refute_locally_r_trivial(syntactic) is None:
        return None
    stable = syntactic.stable
    semigroup = syntactic.semigroup
    labels = _labels(stable)
    for count, e in enumerate(_one_from_each_r_class(semigroup).tolist(), start=1):
        _limit(count * len(semigroup), max_assignments)
        local = np.intersect1d(semigroup.local_monoid(e), stable.elements, assume_unique=True)
        pair = same_class(local, labels)
        if pair is not None:
            x, y = (_factor(stable, local, *ends) for ends in (pair, pair[::-1]))
            return 0, {"e": e, "x": x, "y": y}
    return None


def _labels(stable: StableSemigroup) -> NDArray[np.int32]:
    """R-class in T of each element of S that is in T, -1 for the others."""
    labels = np.full(len(stable.syntactic), -1, dtype=np.int32)
    labels[stable.elements] = stable.r_classes
    return labels


def _factor(stable: StableSemigroup, elements: NDArray[np.int32], source: int, target: int) -> int:
    """Return the first of the elements that leads the source to the target by multiplication on the right."""
    leading = stable.syntactic.semigroup.product(source, elements) == target
    if not leading.any():
        raise AssertionError(f"no element leads from {source} to {target}")
    return int(elements[np.argmax(leading)])


def _one_from_each_r_class(semigroup: FiniteSemigroup) -> NDArray[np.intp]:
    """Return the first idempotent of each R-class that holds any."""
    idempotents = np.flatnonzero(semigroup.is_idempotent)
    return idempotents[np.sort(np.unique(semigroup.r_classes[idempotents], return_index=True)[1])]


def _limit(reached: int, limit: int) -> None:
    if reached > limit:
        raise TooLarge("assignments of elements to variables", reached, limit, "max_assignments")
