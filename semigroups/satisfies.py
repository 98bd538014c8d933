"""Whether a language satisfies an omega-equation: evaluation for all assignments of elements, in growing boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import lcm, prod
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Word
from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError
from semigroups.equation import Equation, Violation, violation
from semigroups.omega_term import OMEGA, Power, evaluate
from semigroups.semigroup import FiniteSemigroup
from semigroups.syntactic import MAX_CELLS, MAX_ELEMENTS, SyntacticSemigroup, syntactic_semigroup

ReadOn: TypeAlias = Literal["S", "M", "local", "stable"]
"""What the variables of an equation range over: the syntactic semigroup S of the non-empty words, the syntactic monoid
M, each local monoid eSe in turn (with e for 1), or the stable semigroup."""

MAX_ASSIGNMENTS = 10_000_000
"""Assignments of elements to variables that are tried unless the caller says otherwise: a second or a few."""

_CHUNK = 1 << 18  # assignments evaluated at once
_TABLE = 2048  # elements up to which a multiplication table is worth its memory


def satisfies(
    dfa: DFA,
    equation: Equation | str,
    read_on: ReadOn = "S",
    *,
    max_assignments: int = MAX_ASSIGNMENTS,
    max_elements: int = MAX_ELEMENTS,
    max_cells: int = MAX_CELLS,
) -> Violation | None:
    """Return None iff the language of an automaton satisfies an omega-equation, else evidence that it does not.

    `read_on` tells over which elements the variables range: "S", "M", "local" or "stable". Variables that occur under
    ^w alone range over idempotents. Assignments are tried in boxes that double in size, elements in order of their
    least words, so the words of the evidence are short; the evidence names the equation that breaks on S or M, which
    for "local" is the localized one. Raise `TooLarge` when more than `max_assignments` are needed, or by the limits of
    `syntactic_semigroup`; `ParseError` for an unreadable equation; `ToolkitError` for the constant 1 on "S" or
    "stable".

    >>> from automata.alphabet import Alphabet
    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> satisfies(ends_with_a, "y x^w = x^w") is None, satisfies(ends_with_a, "xy = yx").assignment
    (True, (('x', 'a'), ('y', 'b')))
    """
    law = Equation.parse(equation) if isinstance(equation, str) else equation
    if read_on not in get_args(ReadOn):
        raise ToolkitError(f"an equation is read on 'S', 'M', 'local' or 'stable', not on {read_on!r}")
    return first_violation(syntactic_semigroup(dfa, max_elements, max_cells), (law,), read_on, max_assignments)


def first_violation(
    syntactic: SyntacticSemigroup,
    equations: tuple[Equation, ...],
    read_on: ReadOn,
    max_assignments: int = MAX_ASSIGNMENTS,
) -> Violation | None:
    """Return evidence against the first of the equations that fails, None if all hold; errors as in `satisfies`."""
    if read_on in ("S", "stable") and any(equation.has_identity for equation in equations):
        raise ToolkitError("an equation with the constant 1 is about monoids; read it on 'M' or 'local' (--on M)")
    search = _Search(syntactic.semigroup, max_assignments)
    for equation in equations:
        failure = _first_failure(search, syntactic, equation, read_on)
        if failure is not None:
            return spell_failure(syntactic, equation, failure, read_on)
    return None


def spell_failure(
    syntactic: SyntacticSemigroup, equation: Equation, failure: dict[str, int], read_on: ReadOn
) -> Violation:
    """Return the evidence that a failing assignment of elements of S, with len(S) for an adjoined identity, makes."""
    law = equation.localize() if read_on == "local" else equation
    words: dict[str, Word] = {}
    index = None
    if read_on == "stable":
        stable = syntactic.stable
        index = stable.index
        words = {variable: stable.word(element) for variable, element in failure.items()}
    else:
        for variable, element in failure.items():
            words[variable] = syntactic.alphabet.decode([]) if element == len(syntactic) else syntactic.word(element)
    found = violation(syntactic.dfa, law, words, "S" if read_on == "local" else read_on, index)
    if found is None:
        raise AssertionError(f"{law}: the failing assignment {words} does not fail")
    return found


def _first_failure(
    search: _Search, syntactic: SyntacticSemigroup, equation: Equation, read_on: ReadOn
) -> dict[str, int] | None:
    semigroup = syntactic.semigroup
    everything = np.arange(len(semigroup), dtype=np.int32)
    if read_on == "S":
        return search.run(equation, everything, None)
    if read_on == "M":
        unit = len(semigroup) if syntactic.identity is None else syntactic.identity
        return search.run(equation, np.union1d(everything, [unit]).astype(np.int32), unit)
    if read_on == "stable":
        return search.run(equation, syntactic.stable.elements, None)
    law = equation.localize()
    (unit_name,) = set(law.variables) - set(equation.variables)
    for e in semigroup.top_idempotents.tolist():
        failure = search.run(equation, semigroup.local_monoid(e), e)
        if failure is not None:
            return {unit_name: e, **failure}
    return None


@dataclass
class _Search:
    """Evaluation of equations on elements of one semigroup, in which n stands for an adjoined identity."""

    semigroup: FiniteSemigroup
    max_assignments: int
    tried: int = 0
    use_table: bool = False

    def run(self, equation: Equation, elements: NDArray[np.int32], unit: int | None) -> dict[str, int] | None:
        """Return the first assignment of sorted elements, closed under products, that breaks the equation, or None."""
        idempotents = elements[np.append(self.semigroup.is_idempotent, True)[elements]]
        domains = [idempotents if v in equation.idempotent_variables else elements for v in equation.variables]
        if not len(elements):
            return None
        powers = {s: self._powers(s, elements) for s in equation.left + equation.right if isinstance(s, Power)}
        before = 0
        for sizes in _boxes([len(domain) for domain in domains]):
            self.tried += prod(sizes) - before
            before = prod(sizes)
            if self.tried > self.max_assignments:
                what = "assignments of elements to variables"
                raise TooLarge(what, self.tried, self.max_assignments, "max_assignments")
            self.use_table = len(self.semigroup) ** 2 < min(before, _TABLE**2)
            box = [domain[:size] for domain, size in zip(domains, sizes, strict=True)]
            found = self._first_in_box(equation, box, unit, powers)
            if found is not None:
                return found
        return None

    def _first_in_box(
        self,
        equation: Equation,
        box: list[NDArray[np.int32]],
        unit: int | None,
        powers: dict[Power, NDArray[np.int32]],
    ) -> dict[str, int] | None:
        """Evaluate both sides: the last variables on axes of their own, the combinations of the others by chunks."""
        split = len(box)
        while split and prod(map(len, box[split - 1 :])) <= _CHUNK:
            split -= 1
        leading, trailing = box[:split], box[split:]
        rows = max(1, _CHUNK // prod(map(len, trailing)))
        total = prod(map(len, leading))
        for begin in range(0, total, rows):
            combinations = np.arange(begin, min(total, begin + rows))
            places = np.unravel_index(combinations, [len(domain) for domain in leading]) if leading else ()
            columns = [domain[place] for domain, place in zip(leading, places, strict=True)]
            shape = (len(combinations), *map(len, trailing))
            axes = [column.reshape(-1, *[1] * len(trailing)) for column in columns]
            axes += [d.reshape(-1, *[1] * (len(trailing) - 1 - i)) for i, d in enumerate(trailing)]
            values = dict(zip(equation.variables, axes, strict=True))
            if unit is not None:
                values["1"] = np.array(unit, dtype=np.int32)
            left, right = (
                evaluate(side, values, self._multiply, lambda x, power: powers[power][x])
                for side in (equation.left, equation.right)
            )
            failing = np.broadcast_to(left != right, shape)
            if failing.any():
                first = np.unravel_index(int(np.argmax(failing)), shape)
                found = [int(column[first[0]]) for column in columns]
                found += [int(domain[place]) for domain, place in zip(trailing, first[1:], strict=True)]
                return dict(zip(equation.variables, found, strict=True))
        return None

    def _multiply(self, x: NDArray[np.int32], y: NDArray[np.int32]) -> NDArray[np.int32]:
        if self.use_table:
            return self._table[x, y]
        size = np.int32(len(self.semigroup))
        if not (np.any(x == size) or np.any(y == size)):
            return self.semigroup.product(x, y)
        products = self.semigroup.product(np.minimum(x, size - 1), np.minimum(y, size - 1)) if size else x
        return np.where(x == size, y, np.where(y == size, x, products)).astype(np.int32)

    @cached_property
    def _table(self) -> NDArray[np.int32]:
        """All products, the adjoined identity last, int32[n + 1, n + 1]."""
        everything = np.arange(len(self.semigroup), dtype=np.int32)
        products = np.pad(self.semigroup.product(everything[:, None], everything), (0, 1))
        products[-1, :-1] = products[:-1, -1] = everything
        products[-1, -1] = len(everything)
        return products

    def _powers(self, power: Power, elements: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the power of each element, and of the identity last; 0 for what is not among `elements`."""
        table = np.zeros(len(self.semigroup) + 1, dtype=np.int32)
        table[-1] = len(self.semigroup)
        x = elements[elements < len(self.semigroup)]
        if power == OMEGA:
            table[x] = self.semigroup.omega(x)
        elif not power.omega:
            table[x] = self._raise(x, power.shift)
        elif power.shift > 0:
            table[x] = self.semigroup.product(self.semigroup.omega(x), self._raise(x, power.shift))
        else:
            omega = self.semigroup.omega(x)
            orders = np.bincount(self.semigroup.h_classes)[self.semigroup.h_classes[np.unique(omega)]]
            exponent = power.shift % lcm(*orders.tolist())
            turned = self.semigroup.product(omega, x)
            table[x] = self._raise(turned, exponent) if exponent else omega
        return table

    def _raise(self, x: NDArray[np.int32], exponent: int) -> NDArray[np.int32]:
        """Return the elements to a positive power, by repeated squaring."""
        result = x
        for bit in bin(exponent)[3:]:
            result = self.semigroup.product(result, result)
            if bit == "1":
                result = self.semigroup.product(result, x)
        return result


def _boxes(sizes: list[int]) -> Iterator[list[int]]:
    """Count how many elements of each domain to take: eight, then ever twice as many, up to all."""
    side = 8
    while True:
        yield [min(size, side) for size in sizes]
        if side >= max(sizes, default=0):
            return
        side *= 2
