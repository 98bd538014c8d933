"""Varieties of regular languages decided on the syntactic semigroup: one table row for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from automata.graph import breadth_first
from semigroups.equation import Equation, Violation, violation
from semigroups.semigroup import FiniteSemigroup
from semigroups.syntactic import SyntacticSemigroup

Failure: TypeAlias = tuple[int, dict[str, int]]
"""Number of the equation that fails, and the elements of S that its variables are then."""


@dataclass(frozen=True)
class Variety:
    """A class of languages defined by omega-equations on syntactic semigroups or monoids.

    A language belongs iff all `equations` hold for all elements of the object that `read_on` names: "S", the
    semigroup of non-empty words, or "M", the monoid. `refute` decides on the Cayley graphs of S and returns a failure
    among the elements of S, or None; where `read_on` is "M" the equations hold on M iff they hold on S.
    """

    name: str
    equations: tuple[Equation, ...]
    read_on: str
    refute: Callable[[FiniteSemigroup], Failure | None]
    reference: str

    def violation(self, syntactic: SyntacticSemigroup) -> Violation | None:
        """Return None if the language belongs, else evidence against it, in shortest words of the elements."""
        failure = self.refute(syntactic.semigroup)
        if failure is None:
            return None
        number, elements = failure
        words = {variable: syntactic.word(element) for variable, element in elements.items()}
        found = violation(syntactic.dfa, self.equations[number], words)
        if found is None:
            raise AssertionError(f"{self.name}: the failing assignment {words} does not fail")
        return found


def is_aperiodic(semigroup: FiniteSemigroup) -> bool:
    """True iff x^w x = x^w for all x: no group but trivial ones divides S (star-free; Schützenberger 1965)."""
    return _refute_aperiodic(semigroup) is None


def is_r_trivial(semigroup: FiniteSemigroup) -> bool:
    """True iff (xy)^w x = (xy)^w for all x, y: no two elements generate one right ideal. The same on S and on M."""
    return _refute_r_trivial(semigroup) is None


def is_l_trivial(semigroup: FiniteSemigroup) -> bool:
    """True iff y(xy)^w = (xy)^w for all x, y: no two elements generate one left ideal. The same on S and on M."""
    return _refute_l_trivial(semigroup) is None


def is_j_trivial(semigroup: FiniteSemigroup) -> bool:
    """True iff S is R-trivial and L-trivial (piecewise testable; Simon 1975). The same on S and on M."""
    return _refute_j_trivial(semigroup) is None


def is_definite(semigroup: FiniteSemigroup) -> bool:
    """True iff y x^w = x^w for all x, y of S: every idempotent e has s e = e."""
    return _refute_definite(semigroup) is None


def is_reverse_definite(semigroup: FiniteSemigroup) -> bool:
    """True iff x^w y = x^w for all x, y of S: every idempotent e has e s = e."""
    return _refute_reverse_definite(semigroup) is None


def is_nilpotent(semigroup: FiniteSemigroup) -> bool:
    """True iff y x^w = x^w = x^w y for all x, y of S: a zero is the one idempotent, or S is empty."""
    return _refute_nilpotent(semigroup) is None


def is_locally_r_trivial(semigroup: FiniteSemigroup) -> bool:
    """True iff eSe is R-trivial for every idempotent e of S."""
    return _refute_locally_r_trivial(semigroup) is None


def is_locally_testable(semigroup: FiniteSemigroup) -> bool:
    """True iff eSe is idempotent and commutative for every idempotent e of S (McNaughton 1974)."""
    return _refute_locally_testable(semigroup) is None


def _refute_aperiodic(semigroup: FiniteSemigroup) -> Failure | None:
    """S is aperiodic iff no two elements share an H-class, which two components decide; O(nk).

    The least element that fails is then found by looking at ever more elements at once.
    """
    size = len(semigroup)
    if not size or int(semigroup.h_classes.max()) + 1 == size:
        return None
    begin, end = 0, len(semigroup.generators)
    while begin < size:
        x = np.arange(begin, min(end, size), dtype=np.int32)
        omega = semigroup.omega(x)
        failing = np.flatnonzero(semigroup.product(omega, x) != omega)
        if len(failing):
            return 0, {"x": int(x[failing[0]])}
        begin, end = end, 2 * end
    raise AssertionError("two elements share an H-class, yet every x^w x is x^w")


def _refute_r_trivial(semigroup: FiniteSemigroup) -> Failure | None:
    """S is R-trivial iff the components of the right Cayley graph are single elements; O(nk).

    An edge s -x-> t inside a component and a way y back give s(xy)^w = s and s(xy)^w x = t.
    """
    edge = _inner_edge(semigroup.right, semigroup.r_classes)
    if edge is None:
        return None
    source, letter, target = edge
    x = int(semigroup.generators[letter])
    return 0, {"x": x, "y": semigroup.image(_way(semigroup.right, target, source))}


def _refute_l_trivial(semigroup: FiniteSemigroup) -> Failure | None:
    """The dual of R-triviality, on the left Cayley graph: (xy)^w s = s and y(xy)^w s = t."""
    edge = _inner_edge(semigroup.left, semigroup.l_classes)
    if edge is None:
        return None
    source, letter, target = edge
    y = int(semigroup.generators[letter])
    return 0, {"x": semigroup.image(_way(semigroup.left, target, source)[::-1]), "y": y}


def _refute_j_trivial(semigroup: FiniteSemigroup) -> Failure | None:
    return _refute_r_trivial(semigroup) or _numbered(1, _refute_l_trivial(semigroup))


def _refute_definite(semigroup: FiniteSemigroup) -> Failure | None:
    """It is enough that generators leave every idempotent as it is; O(nk)."""
    return _moved_idempotent(semigroup, semigroup.left)


def _refute_reverse_definite(semigroup: FiniteSemigroup) -> Failure | None:
    return _moved_idempotent(semigroup, semigroup.right)


def _refute_nilpotent(semigroup: FiniteSemigroup) -> Failure | None:
    return _refute_definite(semigroup) or _numbered(1, _refute_reverse_definite(semigroup))


def _refute_locally_r_trivial(semigroup: FiniteSemigroup) -> Failure | None:
    """Two elements s, t of eSe are R-related in eSe iff they are in S; O(nk) for each of the top idempotents.

    Ways s y = t and t z = s then give s(eyeze)^w = s and s(eyeze)^w eye = t.
    """
    for e in semigroup.top_idempotents.tolist():
        pair = _same_class(semigroup.local_monoid(e), semigroup.r_classes)
        if pair is not None:
            y, z = (semigroup.image(_way(semigroup.right, *ends)) for ends in (pair, pair[::-1]))
            return 0, {"x": e, "y": y, "z": z}
    return None


def _refute_locally_testable(semigroup: FiniteSemigroup) -> Failure | None:
    """A monoid of idempotents is commutative iff it is R- and L-trivial; O(nk) for each of the top idempotents.

    Two R-related idempotents s, t have st = t and ts = s, two L-related ones st = s and ts = t.
    """
    for e in semigroup.top_idempotents.tolist():
        local = semigroup.local_monoid(e)
        others = local[~semigroup.is_idempotent[local]]
        if len(others):
            return 0, {"x": e, "y": int(others[0])}
        for classes in (semigroup.r_classes, semigroup.l_classes):
            pair = _same_class(local, classes)
            if pair is not None:
                return 1, {"x": e, "y": pair[0], "z": pair[1]}
    return None


def _numbered(number: int, failure: Failure | None) -> Failure | None:
    return None if failure is None else (number, failure[1])


def _inner_edge(graph: NDArray[np.int32], classes: NDArray[np.int32]) -> tuple[int, int, int] | None:
    """Return the first edge (source, letter, target) between two elements of one class, or None."""
    sources = np.arange(len(graph))[:, None]
    inner = (classes[graph] == classes[sources]) & (graph != sources)
    if not inner.any():
        return None
    source, letter = divmod(int(np.argmax(inner)), graph.shape[1])
    return source, letter, int(graph[source, letter])


def _way(graph: NDArray[np.int32], source: int, target: int) -> list[int]:
    """Return the least way between two elements of one component, as generators in the order walked."""
    codes = breadth_first(graph, source).codes_to(target)
    if codes is None:
        raise AssertionError(f"no way from {source} to {target}")
    return codes


def _moved_idempotent(semigroup: FiniteSemigroup, graph: NDArray[np.int32]) -> Failure | None:
    """Return the first idempotent x that a generator y moves."""
    idempotents = np.flatnonzero(semigroup.is_idempotent)
    moved = graph[idempotents] != idempotents[:, None]
    if not moved.any():
        return None
    row, letter = divmod(int(np.argmax(moved)), graph.shape[1])
    return 0, {"x": int(idempotents[row]), "y": int(semigroup.generators[letter])}


def _same_class(elements: NDArray[np.int32], classes: NDArray[np.int32]) -> tuple[int, int] | None:
    """Return two of the elements that are in one class: the first that repeats one, after the one it repeats."""
    labels = classes[elements]
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    repeats = np.flatnonzero(first[inverse] != np.arange(len(elements)))
    if not len(repeats):
        return None
    second = int(repeats[0])
    return int(elements[first[inverse[second]]]), int(elements[second])


def _row(
    name: str, equations: str, read_on: str, refute: Callable[[FiniteSemigroup], Failure | None], reference: str
) -> Variety:
    return Variety(name, tuple(map(Equation.parse, equations.split("; "))), read_on, refute, reference)


VARIETIES: Mapping[str, Variety] = {
    row.name: row
    for row in (
        _row("star-free", "x^w x = x^w", "M", _refute_aperiodic, "Schützenberger 1965"),
        _row("R-trivial", "(xy)^w x = (xy)^w", "M", _refute_r_trivial, "Eilenberg 1976; Pin 1986"),
        _row("L-trivial", "y(xy)^w = (xy)^w", "M", _refute_l_trivial, "Eilenberg 1976; Pin 1986"),
        _row(
            "piecewise testable", "(xy)^w x = (xy)^w; y(xy)^w = (xy)^w", "M", _refute_j_trivial, "Simon 1975; Pin 1986"
        ),
        _row("definite", "y x^w = x^w", "S", _refute_definite, "Eilenberg 1976"),
        _row("reverse definite", "x^w y = x^w", "S", _refute_reverse_definite, "Eilenberg 1976"),
        _row("finite or cofinite", "y x^w = x^w; x^w y = x^w", "S", _refute_nilpotent, "Eilenberg 1976"),
        _row(
            "locally testable",
            "x^w y x^w y x^w = x^w y x^w; x^w y x^w z x^w = x^w z x^w y x^w",
            "S",
            _refute_locally_testable,
            "McNaughton 1974; Brzozowski and Simon 1973",
        ),
        _row(
            "locally R-trivial",
            "(x^w y x^w z x^w)^w x^w y x^w = (x^w y x^w z x^w)^w",
            "S",
            _refute_locally_r_trivial,
            "Straubing 1985",
        ),
    )
}
"""The varieties by name."""
