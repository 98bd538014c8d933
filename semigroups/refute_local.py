"""Deciding equations in all local monoids eSe, one for each idempotent e.

The monoids of `FiniteSemigroup.top_idempotents` tell about all; each costs O(nk). Elements of eSe are R-, L-related or
regular in eSe iff they are in S. A failure names e too.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from semigroups.refute import Failure, first_moved, left_factor, regular, renumbered, right_factor
from semigroups.semigroup import FiniteSemigroup
from semigroups.syntactic import SyntacticSemigroup

Local = Callable[[FiniteSemigroup, int, NDArray[np.int32]], Failure | None]


def refute_locally_trivial(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute x = 1 in eSe: there is but e."""
    return _everywhere(syntactic, lambda _, e, local: next(((0, {"x": int(x)}) for x in local[:2] if x != e), None))


def refute_locally_semilattice(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute x^2 = x; xy = yx in eSe: idempotents commute iff they are R- and L-trivial.

    Two R-related idempotents x, y have xy = y and yx = x, two L-related ones xy = x and yx = y.
    """
    return _everywhere(syntactic, _semilattice)


def refute_locally_r_trivial(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute (xy)^w x = (xy)^w in eSe; ways s y = t and t z = s give s(eyeze)^w = s and s(eyeze)^w eye = t."""
    return _everywhere(syntactic, _r_trivial)


def refute_locally_l_trivial(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute y(xy)^w = (xy)^w in eSe, the dual."""
    return _everywhere(syntactic, _l_trivial)


def refute_locally_j_trivial(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute one of the last two."""
    return refute_locally_r_trivial(syntactic) or renumbered(1, refute_locally_l_trivial(syntactic))


def refute_locally_da(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute (xy)^w x (xy)^w = (xy)^w in eSe: its regular elements are idempotent."""
    marks = regular(syntactic.semigroup)
    return _everywhere(syntactic, lambda semigroup, _, local: first_moved(semigroup, local[marks[local]]))


def same_class(elements: NDArray[np.int32], classes: NDArray[np.int32]) -> tuple[int, int] | None:
    """Return two of the elements that are in one class: the first that repeats one, after the one it repeats."""
    labels = classes[elements]
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    repeats = np.flatnonzero(first[inverse] != np.arange(len(elements)))
    if not len(repeats):
        return None
    second = int(repeats[0])
    return int(elements[first[inverse[second]]]), int(elements[second])


def _everywhere(syntactic: SyntacticSemigroup, refute: Local) -> Failure | None:
    semigroup = syntactic.semigroup
    for e in semigroup.top_idempotents.tolist():
        failure = refute(semigroup, e, semigroup.local_monoid(e))
        if failure is not None:
            return failure[0], {**failure[1], "e": e}
    return None


def _semilattice(semigroup: FiniteSemigroup, _: int, local: NDArray[np.int32]) -> Failure | None:
    others = local[~semigroup.is_idempotent[local]]
    if len(others):
        return 0, {"x": int(others[0])}
    for classes in (semigroup.r_classes, semigroup.l_classes):
        pair = same_class(local, classes)
        if pair is not None:
            return 1, {"x": pair[0], "y": pair[1]}
    return None


def _r_trivial(semigroup: FiniteSemigroup, _: int, local: NDArray[np.int32]) -> Failure | None:
    pair = same_class(local, semigroup.r_classes)
    if pair is None:
        return None
    x, y = (right_factor(semigroup, *ends) for ends in (pair, pair[::-1]))
    return 0, {"x": x, "y": y}


def _l_trivial(semigroup: FiniteSemigroup, _: int, local: NDArray[np.int32]) -> Failure | None:
    pair = same_class(local, semigroup.l_classes)
    if pair is None:
        return None
    y, x = (left_factor(semigroup, *ends) for ends in (pair, pair[::-1]))
    return 0, {"x": x, "y": y}
