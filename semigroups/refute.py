"""Deciding equations on Cayley graphs, without multiplication tables: classes read on the whole S or M.

Each function returns the first failure that it meets, or None where the equations hold; elements are those of S, and
len(S) stands for an adjoined identity. `O(nk)` counts the edges of a Cayley graph, n elements times k generators.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from semigroups.semigroup import FiniteSemigroup
from semigroups.syntactic import SyntacticSemigroup

Failure: TypeAlias = tuple[int, dict[str, int]]
"""Number of the equation that fails, and the elements that its variables are then."""


def refute_trivial(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute x = 1: the identity is the one element of M."""
    return _other_than_identity(syntactic, np.arange(len(syntactic), dtype=np.int32))


def refute_group(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute x^w = 1: the identity is the one idempotent of M."""
    return _other_than_identity(syntactic, np.flatnonzero(syntactic.semigroup.is_idempotent))


def refute_commutative_group(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute x^w = 1; xy = yx."""
    return refute_group(syntactic) or renumbered(1, _refute_commutative(syntactic.semigroup))


def refute_semilattice(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute xy = yx; x^2 = x: generators commute, and are idempotent, which then makes all products so."""
    semigroup = syntactic.semigroup
    failure = _refute_commutative(semigroup)
    others = np.flatnonzero(~semigroup.is_idempotent[semigroup.generators])
    if failure is None and len(others):
        return 1, {"x": int(semigroup.generators[others[0]])}
    return failure


def refute_commutative_aperiodic(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute xy = yx; x^w x = x^w."""
    return _refute_commutative(syntactic.semigroup) or renumbered(1, refute_aperiodic(syntactic))


def refute_aperiodic(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute x^w x = x^w: no two elements share an H-class, which two components decide; O(nk).

    The least element that fails is then found by looking at ever more elements at once.
    """
    semigroup = syntactic.semigroup
    size = len(semigroup)
    if not size or int(semigroup.h_classes.max()) + 1 == size:
        return None

    def fails(x: NDArray[np.int32]) -> NDArray[np.bool_]:
        omega = semigroup.omega(x)
        return np.not_equal(semigroup.product(omega, x), omega)

    return 0, {"x": _first(semigroup, fails)}


def refute_r_trivial(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute (xy)^w x = (xy)^w: the components of the right Cayley graph are single elements; O(nk).

    An edge s -x-> t inside a component and a way y back give s(xy)^w = s and s(xy)^w x = t.
    """
    semigroup = syntactic.semigroup
    edge = _inner_edge(semigroup.right, semigroup.r_classes)
    if edge is None:
        return None
    source, letter, target = edge
    return 0, {"x": int(semigroup.generators[letter]), "y": right_factor(semigroup, target, source)}


def refute_l_trivial(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute y(xy)^w = (xy)^w: the dual, on the left Cayley graph, where (xy)^w s = s and y(xy)^w s = t."""
    semigroup = syntactic.semigroup
    edge = _inner_edge(semigroup.left, semigroup.l_classes)
    if edge is None:
        return None
    source, letter, target = edge
    return 0, {"x": left_factor(semigroup, target, source), "y": int(semigroup.generators[letter])}


def refute_j_trivial(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute one of the last two."""
    return refute_r_trivial(syntactic) or renumbered(1, refute_l_trivial(syntactic))


def refute_da(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute (xy)^w x (xy)^w = (xy)^w: regular elements are idempotent; O(nk).

    A regular x that is not has an idempotent p = xy in its R-class; were pxp = p, then x·x = x p x = p x = x.
    """
    semigroup = syntactic.semigroup
    return first_moved(semigroup, np.flatnonzero(regular(semigroup)))


def refute_definite(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute y x^w = x^w: it is enough that generators leave every idempotent as it is; O(nk)."""
    return _moved_idempotent(syntactic.semigroup, syntactic.semigroup.left)


def refute_reverse_definite(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute x^w y = x^w: the dual."""
    return _moved_idempotent(syntactic.semigroup, syntactic.semigroup.right)


def refute_nilpotent(syntactic: SyntacticSemigroup) -> Failure | None:
    """Refute one of the last two: in both, a zero is the one idempotent, or S is empty."""
    return refute_definite(syntactic) or renumbered(1, refute_reverse_definite(syntactic))


def regular(semigroup: FiniteSemigroup) -> NDArray[np.bool_]:
    """Mark the elements s with s x s = s for some x, bool[n]: those whose R-class holds an idempotent."""
    holds_one = np.zeros(len(semigroup), dtype=np.bool_)
    holds_one[semigroup.r_classes[semigroup.is_idempotent]] = True
    return holds_one[semigroup.r_classes]


def first_moved(semigroup: FiniteSemigroup, elements: NDArray[np.integer]) -> Failure | None:
    """Return the first of some regular elements x that is not idempotent, and y with xy idempotent and R-related to x.

    Among the idempotents of the R-class it is the first.
    """
    others = elements[~semigroup.is_idempotent[elements]]
    if not len(others):
        return None
    x = int(others[0])
    peers = np.logical_and(semigroup.r_classes == semigroup.r_classes[x], semigroup.is_idempotent)
    return 0, {"x": x, "y": right_factor(semigroup, x, int(np.argmax(peers)))}


def renumbered(number: int, failure: Failure | None) -> Failure | None:
    """Return the failure under another number of the equation."""
    return None if failure is None else (number, failure[1])


def right_factor(semigroup: FiniteSemigroup, source: int, target: int) -> int:
    """Return the first x with source·x = target, which there must be."""
    return _first(semigroup, lambda x: semigroup.product(source, x) == target)


def left_factor(semigroup: FiniteSemigroup, source: int, target: int) -> int:
    """Return the first x with x·source = target, which there must be."""
    return _first(semigroup, lambda x: semigroup.product(x, source) == target)


def _first(semigroup: FiniteSemigroup, holds: Callable[[NDArray[np.int32]], NDArray[np.bool_]]) -> int:
    """Return the first element that fits, by looking at ever more elements at once."""
    begin, end = 0, len(semigroup.generators)
    while begin < len(semigroup):
        elements = np.arange(begin, min(end, len(semigroup)), dtype=np.int32)
        fitting = np.flatnonzero(holds(elements))
        if len(fitting):
            return int(elements[fitting[0]])
        begin, end = end, 2 * end
    raise AssertionError("no element fits, though one must")


def _refute_commutative(semigroup: FiniteSemigroup) -> Failure | None:
    """It is enough that generators commute."""
    products = semigroup.right[semigroup.generators]
    apart = products != products.T
    if not apart.any():
        return None
    x, y = divmod(int(np.argmax(apart)), len(apart))
    return 0, {"x": int(semigroup.generators[x]), "y": int(semigroup.generators[y])}


def _other_than_identity(syntactic: SyntacticSemigroup, elements: NDArray[np.integer]) -> Failure | None:
    others = elements[elements != (-1 if syntactic.identity is None else syntactic.identity)]
    return (0, {"x": int(others[0])}) if len(others) else None


def _inner_edge(graph: NDArray[np.int32], classes: NDArray[np.int32]) -> tuple[int, int, int] | None:
    """Return the first edge (source, letter, target) between two elements of one class, or None."""
    sources = np.arange(len(graph))[:, None]
    inner = (classes[graph] == classes[sources]) & (graph != sources)
    if not inner.any():
        return None
    source, letter = divmod(int(np.argmax(inner)), graph.shape[1])
    return source, letter, int(graph[source, letter])


def _moved_idempotent(semigroup: FiniteSemigroup, graph: NDArray[np.int32]) -> Failure | None:
    """Return the first idempotent x that a generator y moves."""
    idempotents = np.flatnonzero(semigroup.is_idempotent)
    moved = graph[idempotents] != idempotents[:, None]
    if not moved.any():
        return None
    row, letter = divmod(int(np.argmax(moved)), graph.shape[1])
    return 0, {"x": int(idempotents[row]), "y": int(semigroup.generators[letter])}
