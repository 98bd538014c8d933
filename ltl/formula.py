"""Formulas of past temporal logic on finite words: hash-consed nodes, the sugar over them, walks without recursion.

A word w1..wN has positions 1..N, which carry one letter each, and the end position N+1, which carries none. A word
satisfies a formula iff the formula holds at N+1. All temporal operators are strict: they do not see the position at
which they are evaluated.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import reduce
from typing import Any

from automata.alphabet import Alphabet
from automata.errors import ToolkitError, UnknownLetter
from automata.hash_consing import HashConsed, distinct_parts

MAX_WINDOW = 10**18
"""Greatest window k of Y<=k: beyond the length of any word, and small enough for 64-bit counters."""

MAX_MODULUS = 10**18
"""Greatest modulus m of MOD(r,m), for the same reasons."""


@dataclass(frozen=True, eq=False, repr=False, slots=True, weakref_slot=True)
class Formula(metaclass=HashConsed):
    """A formula: `Top`, `Letter`, `Mod`, `Not`, `And`, `Or`, `Past`, `Yesterday` or `Since`; all else is sugar.

    Formulas are hash-consed: building one twice gives the same object, so that shared subformulas are stored once,
    `==` is identity and hashing takes constant time. A formula is therefore a directed acyclic graph, which may be
    exponentially smaller than the tree it stands for. `~f`, `f & g` and `f | g` build `Not`, `And` and `Or` and
    simplify nothing.

    >>> a, b = Letter("a"), Letter("b")
    >>> Past(a) & ~b is Past(a) & ~b
    True
    >>> Past(a) & ~b
    parse_formula('P a & !b')
    """

    @property
    def operands(self) -> tuple[Formula, ...]:
        """Immediate subformulas, left to right."""
        return ()

    def __invert__(self) -> Formula:
        return Not(self)

    def __and__(self, other: Formula) -> Formula:
        return And(self, other) if isinstance(other, Formula) else NotImplemented

    def __or__(self, other: Formula) -> Formula:
        return Or(self, other) if isinstance(other, Formula) else NotImplemented

    def __str__(self) -> str:
        from ltl.printing import print_formula

        return print_formula(self)

    def __repr__(self) -> str:
        return f"parse_formula({str(self)!r})"

    def _repr_latex_(self) -> str:
        from ltl.printing import print_formula

        return f"${print_formula(self, 'latex')}$"

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as a flat list of nodes, which has no depth, and intern again on reading."""
        place: dict[object, int] = {}
        nodes = []
        for f in subformulas(self):
            place[f] = len(place)
            values = [getattr(f, field.name) for field in fields(f)]
            nodes.append((type(f), [place[g] for g in f.operands], values[len(f.operands) :]))
        return _rebuild, (nodes,)


def _check_operands(*operands: object) -> None:
    for operand in operands:
        if not isinstance(operand, Formula):
            raise ToolkitError(f"an operand must be a formula, not {operand!r}; letters are written Letter('a')")


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Top(Formula):
    """The constant true."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Letter(Formula):
    """True iff the position carries this letter; false at the end position."""

    letter: str

    def __post_init__(self) -> None:
        if not isinstance(self.letter, str) or not self.letter:
            raise ToolkitError(f"a letter must be a non-empty string, not {self.letter!r}")


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Mod(Formula):
    """`MOD(r,m)`: true at position n, be it a letter's or the end's, iff n is congruent to r = `residue` modulo m.

    The residue is kept reduced, 0 <= r < m. The end position of a word of N letters is N+1.

    >>> Mod(5, 3) is Mod(-1, 3)
    True
    """

    residue: int
    modulus: int

    def __post_init__(self) -> None:
        try:
            residue, modulus = operator.index(self.residue), operator.index(self.modulus)
        except TypeError:
            raise ToolkitError(f"MOD takes whole numbers, not {self.residue!r} and {self.modulus!r}") from None
        if not 1 <= modulus <= MAX_MODULUS:
            raise ToolkitError(f"a modulus is at least 1 and at most {MAX_MODULUS:,}, not {modulus}")
        object.__setattr__(self, "residue", residue % modulus)
        object.__setattr__(self, "modulus", modulus)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class _Unary(Formula):
    """An operator on one formula."""

    operand: Formula

    def __post_init__(self) -> None:
        _check_operands(self.operand)

    @property
    def operands(self) -> tuple[Formula, ...]:
        """The formula that the operator is applied to."""
        return (self.operand,)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class _Binary(Formula):
    """An operator on two formulas."""

    left: Formula
    right: Formula

    def __post_init__(self) -> None:
        _check_operands(self.left, self.right)

    @property
    def operands(self) -> tuple[Formula, ...]:
        """The two formulas joined."""
        return (self.left, self.right)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Not(_Unary):
    """Negation."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class And(_Binary):
    """Conjunction."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Or(_Binary):
    """Disjunction."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Past(_Unary):
    """`P f` (strict once): true at n iff f holds at some m < n."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Yesterday(_Unary):
    """`Y<=k f` with k = `window` >= 1: true at n iff f holds at some m with max(1, n-k) <= m < n; `Y` is `Y<=1`."""

    window: int = 1

    def __post_init__(self) -> None:
        _check_operands(self.operand)
        try:
            window = operator.index(self.window)
        except TypeError:
            raise ToolkitError(f"a window is a whole number, not {self.window!r}") from None
        if window < 1:
            raise ToolkitError(f"a window of {window} positions sees nothing; the least is 1")
        if window > MAX_WINDOW:
            raise ToolkitError(f"a window has at most {MAX_WINDOW:,} positions; what sees all that came before is P")
        object.__setattr__(self, "window", window)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Since(_Binary):
    """`f S g` (strict since): true at n iff g holds at some m < n and f at every position strictly between m and n."""


TRUE = Top()
"""The constant true."""

FALSE = Not(TRUE)
"""The constant false."""

FIRST = Not(Past(TRUE))
"""True at the first position only (of the empty word, at its end position, which is then the first)."""


def conjunction(formulas: Iterable[Formula]) -> Formula:
    """Return the conjunction of formulas, grouped to the left; `TRUE` is dropped, and of none it is `TRUE`."""
    return reduce(And, [f for f in formulas if f is not TRUE] or [TRUE])


def disjunction(formulas: Iterable[Formula]) -> Formula:
    """Return the disjunction of formulas, grouped to the left; `FALSE` is dropped, and of none it is `FALSE`."""
    return reduce(Or, [f for f in formulas if f is not FALSE] or [FALSE])


def implies(left: Formula, right: Formula) -> Formula:
    """Return `left -> right`, that is `!left | right`."""
    return Or(Not(left), right)


def iff(left: Formula, right: Formula) -> Formula:
    """Return `left <-> right`, that is `(left -> right) & (right -> left)`."""
    return And(implies(left, right), implies(right, left))


def once(f: Formula) -> Formula:
    """Return `O f` (f now or before), that is `f | P f`."""
    return Or(f, Past(f))


def historically(f: Formula) -> Formula:
    """Return `H f` (f at all positions strictly before), that is `!P !f`."""
    return Not(Past(Not(f)))


def weak_yesterday(f: Formula, window: int = 1) -> Formula:
    """Return `Z<=k f` (f at all of the last k positions there are), that is `!Y<=k !f`; true at the first position."""
    return Not(Yesterday(Not(f), window))


def yesterday_power(f: Formula, n: int) -> Formula:
    """Return `Y^n f`, n-fold `Y`: f held exactly n positions before; `Y^0 f` is f."""
    if n < 0:
        raise ToolkitError(f"Y^n needs n >= 0, not {n}")
    for _ in range(n):
        f = Yesterday(f)
    return f


def subformulas(f: Formula) -> tuple[Formula, ...]:
    """Return the distinct subformulas, f itself last: operands before what is built on them, left before right.

    >>> a = Letter("a")
    >>> [str(g) for g in subformulas(Past(a) & ~a)]
    ['a', 'P a', '!a', 'P a & !a']
    """
    return distinct_parts(f)


def depth(f: Formula) -> int:
    """Return the temporal depth: the deepest nesting of `P`, `Y<=k` and `S`."""
    depths: dict[Formula, int] = {}
    for g in subformulas(f):
        deepest = max((depths[operand] for operand in g.operands), default=0)
        depths[g] = deepest + isinstance(g, Past | Yesterday | Since)
    return depths[f]


def size(f: Formula) -> int:
    """Return the number of distinct subformulas, f among them: the size of the graph, not of the tree."""
    return len(subformulas(f))


def check_letters(formulas: Iterable[Formula], alphabet: Alphabet) -> None:
    """Raise `UnknownLetter` if one of the formulas is a letter outside the alphabet."""
    for f in formulas:
        if isinstance(f, Letter) and f.letter not in alphabet:
            raise UnknownLetter(f.letter, alphabet.letters)


def _rebuild(nodes: list[tuple[type[Formula], list[int], list[Any]]]) -> Formula:
    built: list[Formula] = []
    for kind, operands, rest in nodes:
        built.append(kind(*(built[i] for i in operands), *rest))
    return built[-1]
