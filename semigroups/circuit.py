"""The circuit class of a regular language, read off the groups in its syntactic monoid.

- AC0 (constant depth, unbounded fan-in) iff the stable semigroup is aperiodic ("quasi-aperiodic"); Barrington, Compton,
  Straubing & Thérien, Regular languages in NC1, 1992.
- ACC0 (with counting gates of fixed moduli; inside TC0) if every group in the syntactic monoid is solvable; Barrington
  & Thérien, Finite monoids and the fine structure of NC1, 1988.
- Complete for NC1 otherwise; Barrington, Bounded-width polynomial-size branching programs recognize exactly those
  languages in NC1, 1989. Then it is outside ACC0 unless ACC0 = NC1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet, Word, plain_word
from automata.dfa import DFA
from automata.graph import breadth_first
from automata.minimize import minimize
from semigroups.semigroup import FiniteSemigroup
from semigroups.stable import MAX_STEPS, stable_semigroup
from semigroups.subgroup import MaximalSubgroup, maximal_subgroup
from semigroups.syntactic import SyntacticSemigroup

AC0 = "AC0"
ACC0 = "ACC0"
NC1_COMPLETE = "NC1-complete"

_LEAST_NON_SOLVABLE = 60  # the alternating group on five points


@dataclass(frozen=True)
class EqualLengthGroup:
    """Evidence that a language is not in AC0: two words of one length that lie in a group of the syntactic semigroup.

    `unit` acts on the states of the minimal automaton as an idempotent e, `rotation`, as long a word, as an element g
    != e of a group with unit e. Powers and products padded with `unit` give words of one length for all of the group.
    """

    alphabet: Alphabet
    unit: Word
    rotation: Word

    def __str__(self) -> str:
        unit, rotation = self.alphabet.show(self.unit), self.alphabet.show(self.rotation)
        return f"{rotation} acts as an element of a group whose unit is {unit}, a word of the same length"

    def check(self, dfa: DFA) -> str | None:
        """Return None iff the evidence holds for the language of the automaton, else the fault in words."""
        if dfa.alphabet != self.alphabet:
            return "the alphabets differ"
        if not self.unit or len(self.unit) != len(self.rotation):
            return "the words must be non-empty and of one length"
        minimal = minimize(dfa)
        states = range(minimal.n_states)
        e = [minimal.run(self.unit, q)[-1] for q in states]
        g = [minimal.run(self.rotation, q)[-1] for q in states]
        if any(e[e[q]] != e[q] for q in states):
            return "the unit is not idempotent"
        if any(not g[e[q]] == e[g[q]] == g[q] for q in states):
            return "the rotation is moved by the unit"
        if len({g[p] for p in e}) != len(set(e)):
            return "the rotation does not permute the states that the unit leads to"
        return "both words act alike" if g == e else None

    def to_dict(self) -> dict[str, Any]:
        """Return the evidence as plain data for JSON; words as strings or lists."""
        return {
            "kind": "equal-length group",
            "unit": plain_word(self.unit),
            "rotation": plain_word(self.rotation),
        }


@dataclass(frozen=True)
class NonSolvableGroup:
    """Evidence that a language is complete for NC1: words that permute some states and generate a non-solvable group.

    `points` are access words of distinct states of the minimal automaton, `generators` words that permute these states.
    """

    alphabet: Alphabet
    points: tuple[Word, ...]
    generators: tuple[Word, ...]

    def __str__(self) -> str:
        words = ", ".join(map(self.alphabet.show, self.generators))
        return f"the words {words} permute {len(self.points)} states; their group is not solvable"

    def check(self, dfa: DFA) -> str | None:
        """Return None iff the evidence holds for the language of the automaton, else the fault in words.

        Solvability is left to sympy.
        """
        from sympy.combinatorics import Permutation, PermutationGroup

        if dfa.alphabet != self.alphabet:
            return "the alphabets differ"
        minimal = minimize(dfa)
        states = [minimal.run(word)[-1] for word in self.points]
        if len(set(states)) != len(states):
            return "two access words lead to one state"
        permutations = []
        for word in self.generators:
            images = [minimal.run(word, state)[-1] for state in states]
            if sorted(images) != sorted(states):
                return f"{self.alphabet.show(word)} does not permute the states"
            permutations.append(Permutation([states.index(image) for image in images]))
        if not permutations or PermutationGroup(permutations).is_solvable:
            return "the group is solvable"
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return the evidence as plain data for JSON; words as strings or lists."""
        return {
            "kind": "non-solvable group",
            "points": [plain_word(word) for word in self.points],
            "generators": [plain_word(word) for word in self.generators],
        }


@dataclass(frozen=True)
class CircuitClass:
    """The circuit class of a regular language, "AC0", "ACC0" or "NC1-complete", and the evidence against less.

    The evidence shows that an ACC0 language is not in AC0, and that an NC1-complete one has a non-solvable group. That
    there are no such groups has no certificate apart from the enumeration of the semigroup: AC0 comes without evidence,
    and the upper bound of ACC0 too.
    """

    name: str
    evidence: EqualLengthGroup | NonSolvableGroup | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the class as plain data for JSON: {"name", "evidence"}."""
        return {"name": self.name, "evidence": None if self.evidence is None else self.evidence.to_dict()}


def circuit_class(syntactic: SyntacticSemigroup, max_steps: int = MAX_STEPS) -> CircuitClass:
    """Return the circuit class of a regular language, given by its syntactic semigroup.

    Raise `TooLarge` as `stable_semigroup` does.

    >>> from semigroups.syntactic import syntactic_semigroup
    >>> even_length = DFA(Alphabet.of("ab"), [[1, 1], [0, 0]], 0, [True, False])
    >>> circuit_class(syntactic_semigroup(even_length)).name
    'AC0'
    >>> parity = DFA(Alphabet.of("ab"), [[1, 0], [0, 1]], 0, [True, False])
    >>> circuit_class(syntactic_semigroup(parity))
    CircuitClass(name='ACC0', evidence=EqualLengthGroup(alphabet=Alphabet(letters=('a', 'b')), unit='b', rotation='a'))
    """
    semigroup = syntactic.semigroup
    order_of_class = np.bincount(semigroup.h_classes)
    if not (order_of_class > 1).any():
        return CircuitClass(AC0)
    for group in _large_groups(semigroup, order_of_class):
        if not group.is_solvable:
            return CircuitClass(NC1_COMPLETE, _non_solvable_evidence(syntactic, group))
    stable = stable_semigroup(syntactic, max_steps)
    # Every idempotent is in the stable semigroup, so each group of S meets it in a group.
    omega = semigroup.omega(stable.elements)
    turning = np.flatnonzero(
        np.logical_and(omega != stable.elements, semigroup.product(omega, stable.elements) == stable.elements)
    )
    if not len(turning):
        return CircuitClass(AC0)
    unit, rotation = (stable.word(int(elements[turning[0]])) for elements in (omega, stable.elements))
    return CircuitClass(ACC0, EqualLengthGroup(syntactic.alphabet, unit, rotation))


def _large_groups(semigroup: FiniteSemigroup, order_of_class: NDArray[np.integer[Any]]) -> list[MaximalSubgroup]:
    """Return one maximal subgroup from each regular D-class, where it is large enough not to be solvable."""
    idempotents = np.flatnonzero(semigroup.is_idempotent)
    _, first = np.unique(semigroup.j_classes[idempotents], return_index=True)
    chosen = idempotents[np.sort(first)]
    large = chosen[order_of_class[semigroup.h_classes[chosen]] >= _LEAST_NON_SOLVABLE]
    return [maximal_subgroup(semigroup, int(idempotent)) for idempotent in large]


def _non_solvable_evidence(syntactic: SyntacticSemigroup, group: MaximalSubgroup) -> NonSolvableGroup:
    """Return the words of the group's generators and the smallest orbit of states on which they are not solvable.

    The group acts faithfully on the states that its unit fixes, so it embeds into the product of its actions on the
    orbits; one of these is not solvable.
    """
    from sympy.combinatorics import Permutation, PermutationGroup

    delta = syntactic.dfa.delta
    words = [syntactic.semigroup.word(int(element)) for element in group.generators]
    fixed = np.flatnonzero(_action(delta, syntactic.semigroup.word(group.idempotent)) == np.arange(len(delta)))
    images = [np.searchsorted(fixed, _action(delta, word)[fixed]).tolist() for word in words]
    acting = PermutationGroup([Permutation(row) for row in images])
    tree = breadth_first(delta, syntactic.dfa.start)
    decode = syntactic.alphabet.decode
    for orbit in sorted(map(sorted, acting.orbits()), key=lambda points: (len(points), points)):
        place = {point: i for i, point in enumerate(orbit)}
        if not PermutationGroup([Permutation([place[row[point]] for point in orbit]) for row in images]).is_solvable:
            points = [decode(tree.codes_to(int(fixed[point])) or []) for point in orbit]
            return NonSolvableGroup(syntactic.alphabet, tuple(points), tuple(map(decode, words)))
    raise AssertionError("a group that is solvable on every orbit is solvable")


def _action(delta: NDArray[np.int32], codes: list[int]) -> NDArray[np.int32]:
    """Return where a word leads each state."""
    states = np.arange(len(delta), dtype=np.int32)
    for code in codes:
        states = delta[states, code]
    return states
