"""Deciding the equations with two idempotents: locally threshold testable languages, and dot-depth one.

Both speak of the category whose objects are the idempotents and whose arrows from e to f are the elements of eSf.
Idempotents of one J-class are isomorphic objects, and where e is J-below f its arrows are among those of f, up to
isomorphism, so `FiniteSemigroup.top_idempotents` stand for all.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from automata.errors import TooLarge
from semigroups.refute import Failure, left_factor, refute_aperiodic, refute_j_trivial, right_factor
from semigroups.refute_local import refute_locally_l_trivial, refute_locally_r_trivial
from semigroups.semigroup import FiniteSemigroup
from semigroups.syntactic import SyntacticSemigroup


def refute_threshold_testable(syntactic: SyntacticSemigroup, max_assignments: int) -> Failure | None:
    """Refute x^w x = x^w; e^w x f^w y e^w z f^w = e^w z f^w y e^w x f^w.

    For each arrow y from f to e the products xyz of arrows x, z from e to f make a symmetric matrix, which depends
    only on what y does behind the arrows x; where f = e this says that eSe is commutative. Raise `TooLarge` when more
    than `max_assignments` products are needed.
    """
    failure = refute_aperiodic(syntactic)
    if failure is not None:
        return failure
    semigroup = syntactic.semigroup
    counter = _Counter(max_assignments)
    for e in semigroup.top_idempotents.tolist():
        local = semigroup.local_monoid(e)
        for side in _sides(len(local)):
            counter.add(side**2)
            pair = _asymmetry(semigroup.product(local[:side, None], local[:side]))
            if pair is not None:
                return 1, {"e": e, "x": int(local[pair[0]]), "f": e, "y": e, "z": int(local[pair[1]])}
    for e, f, there, back in _pairs(semigroup):
        for side in _sides(max(len(there), len(back))):
            found = _asymmetric_product(semigroup, there[:side], back[:side], counter)
            if found is not None:
                x, y, z = found
                return 1, {"e": e, "x": x, "f": f, "y": y, "z": z}
    return None


def refute_dot_depth_one(syntactic: SyntacticSemigroup, max_assignments: int) -> Failure | None:
    """Refute (e^w x f^w y)^w e^w x f^w t (e^w z f^w t)^w = (e^w x f^w y)^w (e^w z f^w t)^w, Knast's equation.

    With p = (exfy)^w and r = px, q = (ezft)^w and l = tq it says r l = p q, for all r in eSf that are R-related to an
    idempotent p of eSe and all l in fSe that are L-related to an idempotent q of eSe. Where f = e this says that eSe is
    J-trivial, and then r fixes p and l fixes q; where S itself is, the equation holds. Raise `TooLarge` when more than
    `max_assignments` pairs are needed.
    """
    if refute_j_trivial(syntactic) is None:
        return None
    failure = refute_locally_r_trivial(syntactic)
    if failure is not None:
        e, x, y = (failure[1][name] for name in "exy")
        return 0, {"e": e, "x": x, "f": e, "y": y, "t": e, "z": e}
    failure = refute_locally_l_trivial(syntactic)
    if failure is not None:
        e, z, t = (failure[1][name] for name in "exy")
        return 0, {"e": e, "x": e, "f": e, "y": e, "t": t, "z": z}
    semigroup = syntactic.semigroup
    counter = _Counter(max_assignments)
    for e, f, there, back in _pairs(semigroup):
        local = semigroup.local_monoid(e)
        idempotents = local[semigroup.is_idempotent[local]]
        right, p = _related(there, idempotents, semigroup.r_classes)
        left, q = _related(back, idempotents, semigroup.l_classes)
        for side in _sides(max(len(right), len(left))):
            counter.add(len(right[:side]) * len(left[:side]))
            products = semigroup.product(right[:side, None], left[:side])
            apart = products != semigroup.product(p[:side, None], q[:side])
            if apart.any():
                i, j = np.unravel_index(int(np.argmax(apart)), apart.shape)
                y = right_factor(semigroup, int(right[i]), int(p[i]))
                z = left_factor(semigroup, int(left[j]), int(q[j]))
                return 0, {"e": e, "x": int(right[i]), "f": f, "y": y, "t": int(left[j]), "z": z}
    return None


class _Counter:
    """Products made so far, with a limit."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.count = 0

    def add(self, number: int) -> None:
        self.count += number
        if self.count > self.limit:
            raise TooLarge("assignments of elements to variables", self.count, self.limit, "max_assignments")


def _asymmetric_product(
    semigroup: FiniteSemigroup, there: NDArray[np.int32], back: NDArray[np.int32], counter: _Counter
) -> tuple[int, int, int] | None:
    """Return arrows x, z of `there` and y of `back` with xyz different from zyx."""
    counter.add(len(there) * len(back))
    loops, place = np.unique(semigroup.product(there[:, None], back), return_inverse=True)
    columns, first = np.unique(place.reshape(len(there), -1), axis=1, return_index=True)
    order = np.argsort(first)
    counter.add(len(loops) * len(there))
    products = semigroup.product(loops[:, None], there)
    for column, y in zip(columns.T[order], back[first[order]].tolist(), strict=True):
        counter.add(len(there) ** 2)
        pair = _asymmetry(products[column])
        if pair is not None:
            return int(there[pair[0]]), y, int(there[pair[1]])
    return None


def _asymmetry(matrix: NDArray[np.int32]) -> tuple[int, int] | None:
    """Return the first place where a square matrix differs from its transpose."""
    apart = matrix != matrix.T
    return divmod(int(np.argmax(apart)), len(matrix)) if apart.any() else None


def _sides(length: int) -> Iterator[int]:
    """Count how many of the first elements to look at: eight, then ever twice as many, up to all."""
    side = 8
    while side < length:
        yield side
        side *= 2
    yield side


def _pairs(semigroup: FiniteSemigroup) -> Iterator[tuple[int, int, NDArray[np.int32], NDArray[np.int32]]]:
    """List the pairs of two top idempotents e, f with the arrows from e to f and from f to e, sorted."""
    tops = semigroup.top_idempotents.tolist()
    for e in tops if len(tops) > 1 else []:
        right, left = semigroup.right_ideal(e), semigroup.left_ideal(e)
        for f in tops:
            if f == e:
                continue
            there = np.intersect1d(right, semigroup.left_ideal(f), assume_unique=True)
            back = np.intersect1d(semigroup.right_ideal(f), left, assume_unique=True)
            yield e, f, there, back


def _related(
    arrows: NDArray[np.int32], idempotents: NDArray[np.int32], classes: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the arrows whose class holds one of the idempotents, and that one; no two idempotents share a class."""
    by_class = np.full(len(classes), -1, dtype=np.int32)
    by_class[classes[idempotents]] = idempotents
    found = by_class[classes[arrows]]
    return arrows[found >= 0], found[found >= 0]
