"""The stable semigroup of a language: what words of lengths divisible by the stability index do.

With h(A^i) the images of the words of length i, the stability index is the least s >= 1 with h(A^s) = h(A^2s), and the
stable semigroup is h(A^s): the images of all non-empty words of lengths divisible by s. It holds every idempotent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Word
from automata.errors import TooLarge, ToolkitError
from automata.graph import strong_components
from semigroups.green import green_structure
from semigroups.semigroup import FiniteSemigroup
from semigroups.syntactic import SyntacticSemigroup
from semigroups.transformations import MAX_CELLS

MAX_STEPS = 100_000
"""Word lengths up to which the stability index is looked for unless the caller says otherwise."""


@dataclass(frozen=True, eq=False)
class StableSemigroup:
    """The stable semigroup T = h(A^s) of a language, inside its syntactic semigroup S.

    `index` is the stability index s, `period` the least p with h(A^i) = h(A^(i+p)) for all large i, a divisor of s.
    `elements` are the elements of T as numbers in S, sorted, int32[m]. Over the empty alphabet T is empty, s = p = 1.
    """

    syntactic: SyntacticSemigroup
    index: int
    period: int
    elements: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.elements)

    @cached_property
    def r_classes(self) -> NDArray[np.int32]:
        """R-class in T (equal right ideals of T) of each of `elements`, as labels, int32[m].

        t leads to t h(w) for all w of lengths divisible by p: elements are in one class iff the graph of pairs
        (element, length modulo p) holds them in one component, since going round makes words as long as needed.
        """
        semigroup = self.syntactic.semigroup
        return semigroup.r_classes if len(self) == len(semigroup) else self._classes(semigroup.right)

    @cached_property
    def l_classes(self) -> NDArray[np.int32]:
        """L-class in T (equal left ideals of T) of each of `elements`, as labels, int32[m]."""
        semigroup = self.syntactic.semigroup
        return semigroup.l_classes if len(self) == len(semigroup) else self._classes(semigroup.left)

    @cached_property
    def h_classes(self) -> NDArray[np.int32]:
        """H-class in T (both R and L) of each of `elements`, as labels, int32[m]."""
        pairs = self.r_classes.astype(np.int64) * (int(self.l_classes.max(initial=0)) + 1) + self.l_classes
        return np.asarray(np.unique(pairs, return_inverse=True)[1], dtype=np.int32)

    def _classes(self, graph: NDArray[np.int32]) -> NDArray[np.int32]:
        layers = [self.elements]
        for _ in range(self.period - 1):
            layers.append(_next(graph, layers[-1]))
        begins = np.cumsum([0] + [len(layer) for layer in layers])
        place = np.empty(len(graph), dtype=np.int32)
        edges = []
        for i in range(self.period):
            following = (i + 1) % self.period
            place[layers[following]] = np.arange(begins[following], begins[following + 1], dtype=np.int32)
            edges.append(place[graph[layers[i]]])
        return strong_components(np.concatenate(edges))[: len(self)]

    def word(self, element: int) -> Word:
        """Return the word of length s, the first in alphabet order, whose image is an element of T."""
        if element not in self.elements:
            raise ToolkitError(f"element {element} is not in the stable semigroup")
        semigroup = self.syntactic.semigroup
        lengths, left = self._members_by_length, self._left_by_letter
        codes = []
        goals = np.zeros(len(semigroup), dtype=np.bool_)
        goals[element] = True
        for length in range(self.index - 1, 0, -1):
            rest = np.unpackbits(lengths[length - 1], count=len(semigroup)).view(np.bool_)
            # Of the words read so far some letter goes on to one whose rest is as long as it must be.
            for code, column in enumerate(left):
                reaching = goals[column] & rest
                if reaching.any():
                    codes.append(code)
                    goals = reaching
                    break
        codes.append(int(np.argmax(goals[semigroup.generators])))
        return self.syntactic.alphabet.decode(codes)

    @cached_property
    def _left_by_letter(self) -> NDArray[np.int32]:
        """The left Cayley graph, a row for each letter."""
        return np.ascontiguousarray(self.syntactic.semigroup.left.T)

    @cached_property
    def _members_by_length(self) -> list[NDArray[np.uint8]]:
        """h(A^i) for i = 1..s-1 as packed bits."""
        semigroup = self.syntactic.semigroup
        if self.index * len(semigroup) // 8 > MAX_CELLS:
            raise TooLarge("words of the stable semigroup, bytes", self.index * len(semigroup) // 8, MAX_CELLS)
        packed, elements = [], np.unique(semigroup.generators)
        for _ in range(self.index - 1):
            packed.append(_pack(elements, len(semigroup)))
            elements = _next(semigroup.right, elements)
        return packed


def stable_semigroup(syntactic: SyntacticSemigroup, max_steps: int = MAX_STEPS) -> StableSemigroup:
    """Return the stable semigroup of a language.

    The sets h(A), h(A^2), ... are walked through until one comes back, i0 and p being where the cycle begins and how
    long it is; s is the least multiple of p from i0 on. Raises `TooLarge` when no set has come back within `max_steps`.

    >>> from automata.alphabet import Alphabet
    >>> from automata.dfa import DFA
    >>> from semigroups.syntactic import syntactic_semigroup
    >>> even_length = syntactic_semigroup(DFA(Alphabet.of("ab"), [[1, 1], [0, 0]], 0, [True, False]))
    >>> stable = stable_semigroup(even_length)
    >>> stable.index, [stable.word(element) for element in stable.elements.tolist()]
    (2, ['aa'])
    """
    semigroup = syntactic.semigroup
    if not len(semigroup):
        return StableSemigroup(syntactic, 1, 1, np.empty(0, dtype=np.int32))
    elements = np.unique(semigroup.generators)
    seen: dict[bytes, int] = {}
    length = 1
    while True:
        digest = blake2b(_pack(elements, len(semigroup)).tobytes(), digest_size=32).digest()
        if digest in seen:
            break
        seen[digest] = length
        if length >= max_steps:
            raise TooLarge("stability index, word lengths", length + 1, max_steps, "max_steps", on_command_line=False)
        elements = _next(semigroup.right, elements)
        length += 1
    begin = seen[digest]
    period = length - begin
    index = -(-begin // period) * period
    for _ in range((index - begin) % period):
        elements = _next(semigroup.right, elements)
    elements.flags.writeable = False
    return StableSemigroup(syntactic, index, period, elements)


def own_semigroup(
    stable: StableSemigroup, max_cells: int = MAX_CELLS // 10
) -> tuple[FiniteSemigroup, NDArray[np.int32]]:
    """Return the stable semigroup as a semigroup of its own, and the number in S of each of its elements, int32[m].

    Generators are chosen from the top of the J-order of S down, each outside of what those before it generate. Raises
    `TooLarge` when elements times generators pass `max_cells`.
    """
    semigroup = stable.syntactic.semigroup
    generators = _generators(stable, max_cells)
    right, left = (
        np.searchsorted(stable.elements, products).astype(np.int32)
        for products in (
            semigroup.product(stable.elements[:, None], generators[None, :]),
            semigroup.product(generators[None, :], stable.elements[:, None]),
        )
    )
    images = np.searchsorted(stable.elements, generators).astype(np.int32)
    order = _by_least_words(right, images)
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return FiniteSemigroup(number[right[order]], number[left[order]], number[images]), stable.elements[order]


def _generators(stable: StableSemigroup, max_cells: int) -> NDArray[np.int32]:
    semigroup = stable.syntactic.semigroup
    if not len(stable):
        return stable.elements
    green = green_structure(semigroup)
    levels = green.levels[green.d_class_of[stable.elements]]
    candidates = stable.elements[np.lexsort((stable.elements, levels))]
    generated = np.zeros(len(semigroup), dtype=np.bool_)
    generators = np.empty(0, dtype=np.int32)
    while not generated[candidates].all():
        new = candidates[np.argmin(generated[candidates])]
        generators = np.append(generators, new)
        if len(stable) * len(generators) > max_cells:
            size = len(stable) * len(generators)
            raise TooLarge("stable semigroup, elements times generators", size, max_cells, "max_cells")
        frontier = np.append(semigroup.product(np.flatnonzero(generated), new), new)
        while len(frontier):
            frontier = np.unique(frontier[~generated[frontier]])
            generated[frontier] = True
            frontier = semigroup.product(frontier[:, None], generators).ravel()
    return generators


def _by_least_words(right: NDArray[np.int32], generators: NDArray[np.int32]) -> NDArray[np.int32]:
    """List the elements by their least words over the generators: breadth first, a whole length at a time."""
    seen = np.zeros(len(right), dtype=np.bool_)
    levels: list[NDArray[np.int32]] = []
    arrivals = generators
    while True:
        new = arrivals[~seen[arrivals]]
        first = np.sort(np.unique(new, return_index=True)[1])
        if not len(first):
            return np.concatenate(levels) if levels else np.empty(0, dtype=np.int32)
        levels.append(new[first])
        seen[levels[-1]] = True
        arrivals = right[levels[-1]].ravel()


def _next(graph: NDArray[np.int32], elements: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return where one generator leads from the elements, sorted."""
    reached = np.zeros(len(graph), dtype=np.bool_)
    reached[graph[elements]] = True
    return np.flatnonzero(reached).astype(np.int32)


def _pack(elements: NDArray[np.int32], size: int) -> NDArray[np.uint8]:
    member = np.zeros(size, dtype=np.bool_)
    member[elements] = True
    return np.packbits(member)
