"""Periods of strongly connected components, and the cyclic classes into which they cut the states."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automata.graph import strong_components


@dataclass(frozen=True)
class CyclicClasses:
    """The strongly connected components of a graph on n states, each cut into as many classes as its period says.

    The period d of a component is the greatest common divisor of the lengths of its cycles, 1 if it has none. Its
    states fall into d cyclic classes, numbered 0 to d - 1: every edge inside leads from a class to the next one, modulo
    d. For p and q in the component, the lengths of the paths from p to q are, from some length on, all the numbers that
    are the class of q less the class of p modulo d, and no other numbers are lengths.

    `component`, `period` and `number` give each state's component, the period of that, and the class in it, int32[n].
    `label`, int32[n], is one number for component and class together: two states have one label iff they share both.
    """

    component: NDArray[np.int32]
    period: NDArray[np.int32]
    number: NDArray[np.int32]
    label: NDArray[np.int32]

    @property
    def modulus(self) -> int:
        """Least common multiple of all periods."""
        return math.lcm(*np.unique(self.period).tolist())


def cyclic_classes(delta: NDArray[np.int32]) -> CyclicClasses:
    """Cut the graph of a complete table of successors, int32[n, k], into cyclic classes, in linear time.

    >>> classes = cyclic_classes(np.array([[1], [2], [3], [1]], dtype=np.int32))
    >>> classes.period.tolist(), classes.modulus, classes.number.tolist()
    ([1, 3, 3, 3], 3, [0, 0, 1, 2])
    """
    component = strong_components(delta)
    n_components = int(component.max()) + 1
    inside = component[delta] == component[:, None]
    height = _heights(delta, component, inside)
    tails = np.nonzero(inside)[0]
    # Along a cycle the heights come back to where they were, so its length is the sum of these gaps.
    gaps = np.abs(height[tails] + 1 - height[delta[inside]])
    periods = np.zeros(n_components, dtype=np.int64)
    np.gcd.at(periods, component[tails], gaps)
    period = np.maximum(periods, 1)[component]
    number = height % period
    label = np.unique(np.stack((component.astype(np.int64), number)), axis=1, return_inverse=True)[1].reshape(-1)
    return CyclicClasses(component, period.astype(np.int32), number.astype(np.int32), label.astype(np.int32))


def _heights(delta: NDArray[np.int32], component: NDArray[np.int32], inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each state its height in a tree that spans its component, the first state being the root."""
    rows, within = delta.tolist(), inside.tolist()
    height = [-1] * len(rows)
    for root in np.unique(component, return_index=True)[1].tolist():
        height[root] = 0
        queue = [root]
        for state in queue:  # the list grows while it is read
            for target, stays in zip(rows[state], within[state], strict=True):
                if stays and height[target] < 0:
                    height[target] = height[state] + 1
                    queue.append(target)
    return np.array(height, dtype=np.int64)
