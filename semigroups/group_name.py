"""Names of small groups, given only where invariants prove the isomorphism type."""

from __future__ import annotations

from math import factorial

import numpy as np
from numpy.typing import NDArray

MAX_LISTED = 120
"""Order up to which the elements of a non-commutative group are listed to find its name."""


def name_group(permutations: NDArray[np.int32], order: int) -> str:
    """Name the group of the given order that permutations int32[g, d] of 0..d-1 generate.

    A commutative group is a product of cyclic ones, each order dividing the next: "C2 x C6". A group of order n! or
    n!/2 that acts faithfully on n points is "S3", "A5" and so on. Up to order `MAX_LISTED` there are also the dihedral
    groups "D4" (of order 8), the dicyclic "Q8", "Dic3", the non-commutative groups of order pq "C7 : C3", and those of
    order 12, 24 and 60 that their Sylow subgroups tell: "A4", "S4", "C2 x A4", "SL(2,3)", "A5". Of everything else the
    answer is "group of order n"; the trivial group is "1".

    >>> name_group(np.array([[1, 2, 0], [1, 0, 2]], dtype=np.int32), 6)
    'S3'
    """
    if order == 1:
        return "1"
    if is_commutative(permutations):
        return _commutative(permutations)
    degree = permutations.shape[1]
    for letter, index in (("S", 1), ("A", 2)):
        if factorial(degree) == index * order:
            return f"{letter}{degree}"
    found = _listed(_closure(permutations)) if order <= MAX_LISTED else None
    return found or f"group of order {order}"


def is_commutative(permutations: NDArray[np.int32]) -> bool:
    """True iff the permutations int32[g, d] commute with one another."""
    return all(np.array_equal(g[h], h[g]) for i, g in enumerate(permutations) for h in permutations[:i])


def _commutative(permutations: NDArray[np.int32]) -> str:
    """Invariant factors from the orders of the cyclic parts, which are powers of primes."""
    from sympy.combinatorics import Permutation, PermutationGroup

    degree = permutations.shape[1]
    group = PermutationGroup([Permutation(row, size=degree) for row in permutations.tolist()])
    factors: list[int] = []
    seen: dict[int, int] = {}  # parts met so far of each prime, the largest first
    for part in sorted((int(part) for part in group.abelian_invariants()), reverse=True):
        prime = next(p for p in range(2, part + 1) if part % p == 0)
        place = seen.get(prime, 0)
        seen[prime] = place + 1
        factors[place : place + 1] = [part * (factors[place] if place < len(factors) else 1)]
    return " x ".join(f"C{factor}" for factor in reversed(factors))


def _closure(permutations: NDArray[np.int32]) -> NDArray[np.int32]:
    """List the elements of a small group, int32[order, d], the identity first."""
    identity = tuple(range(permutations.shape[1]))
    listed = [identity]
    known = {identity}
    generators = permutations.tolist()
    for element in listed:  # the list grows while it is read
        for generator in generators:
            product = tuple(generator[point] for point in element)
            if product not in known:
                known.add(product)
                listed.append(product)
    return np.array(listed, dtype=np.int32)


def _listed(elements: NDArray[np.int32]) -> str | None:
    """Name a non-commutative group given by all its elements, int32[order, d], the identity first."""
    order, points = elements.shape
    identity = np.arange(points)
    orders = np.zeros(order, dtype=np.int64)
    power = elements
    for exponent in range(1, order + 1):
        orders[(orders == 0) & np.all(power == identity, axis=1)] = exponent
        power = np.take_along_axis(elements, power, axis=1)
    return (
        _cyclic_of_index_two(elements, orders)
        or _two_primes(order)
        or _by_sylow_subgroups(order, np.bincount(orders, minlength=6).tolist(), _centre_is_trivial(elements))
    )


def _cyclic_of_index_two(elements: NDArray[np.int32], orders: NDArray[np.int64]) -> str | None:
    """D_n or Dic_n: x x = 1, or x x = r^(n/2), for all x outside of a cyclic subgroup of index two, r its generator.

    Either makes x invert r, because xr is outside too.
    """
    half = len(elements) // 2
    for r in elements[orders == half]:
        powers = [np.arange(len(r))]
        for _ in range(half - 1):
            powers.append(r[powers[-1]])
        inside = np.any(np.all(elements[:, None, :] == np.array(powers)[None, :, :], axis=2), axis=1)
        outside = elements[~inside]
        squares = np.take_along_axis(outside, outside, axis=1)
        if np.all(squares == powers[0]):
            return f"D{half}" if half != 3 else "S3"
        if half % 2 == 0 and np.all(squares == powers[half // 2]):
            return f"Dic{half // 2}" if half != 4 else "Q8"
    return None


def _two_primes(order: int) -> str | None:
    """The one non-commutative group of order pq, q < p both prime, is a semidirect product."""
    small = next(q for q in range(2, order + 1) if order % q == 0)
    large = order // small
    if large == small or large == 1 or any(large % q == 0 for q in range(2, large)):
        return None
    return f"C{large} : C{small}"


def _by_sylow_subgroups(order: int, of_order: list[int], centre_is_trivial: bool) -> str | None:
    """Groups of order 12 and 24 with four Sylow 3-subgroups act on these; of order 60 with six Sylow 5-subgroups: A5.

    The kernel of the action holds no element of order 3, so it is trivial or a central subgroup of order two.
    """
    if order == 12 and of_order[3] == 8:
        return "A4"
    if order == 24 and of_order[3] == 8:
        if centre_is_trivial:
            return "S4"
        return "SL(2,3)" if of_order[2] == 1 else "C2 x A4"
    if order == 60 and of_order[5] == 24:
        return "A5"
    return None


def _centre_is_trivial(elements: NDArray[np.int32]) -> bool:
    """True iff only the identity, the first element, commutes with all."""
    return not any(all(np.array_equal(x[y], y[x]) for y in elements) for x in elements[1:])
