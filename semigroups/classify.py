"""The classification of a language: its verdicts by fragment, its classes, orders and circuit class."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError, join_words
from automata.minimize import minimize
from ltl.fragment import LTL_P, LTL_P_MOD, LTL_PY, LTL_PY_MOD, LTL_Y, LTL_Y_MOD, Fragment
from semigroups.circuit import CircuitClass, circuit_class
from semigroups.decide import decide
from semigroups.definite import definite_order
from semigroups.hierarchy import HIERARCHY, Limits
from semigroups.orders import generalised_definite_order, reverse_definite_order
from semigroups.pairs import MAX_PAIRS
from semigroups.satisfies import MAX_ASSIGNMENTS
from semigroups.strictly_local import strictly_local_order
from semigroups.strictly_piecewise import strictly_piecewise_order
from semigroups.syntactic import MAX_CELLS, MAX_ELEMENTS, SyntacticSemigroup, syntactic_semigroup
from semigroups.synthesize import MAX_CASES
from semigroups.testability import local_testability_order
from semigroups.tier import tier_strictly_local_order
from semigroups.variety import VARIETIES, consequences
from semigroups.verdict import Evidence, Verdict

FRAGMENTS: tuple[Fragment, ...] = (LTL_P, LTL_Y, LTL_PY)
"""The fragments of global attention, and of local and hybrid attention with window 1."""

MODULAR_FRAGMENTS: tuple[Fragment, ...] = (LTL_P_MOD, LTL_Y_MOD, LTL_PY_MOD)
"""The fragments with modular predicates, where all windows are equally strong."""

WINDOWS: tuple[int, ...] = (2, 3, 4)
"""The windows besides 1 that are decided unless the caller names others."""


def fragments(windows: Iterable[int] = WINDOWS) -> tuple[Fragment, ...]:
    """Return the fragments that a classification with these windows decides, in its order.

    >>> [fragment.name for fragment in fragments([2])]
    ['LTL[P]', 'LTL[Y]', 'LTL[P,Y]', 'LTL[Y<=2]', 'LTL[P,Y<=2]', 'LTL[P,MOD]', 'LTL[Y,MOD]', 'LTL[P,Y,MOD]']
    """
    wide = [Fragment(past, window) for window in sorted({*windows} - {1}) for past in (False, True)]
    return (*FRAGMENTS, *wide, *MODULAR_FRAGMENTS)


@dataclass(frozen=True)
class Membership:
    """Whether a language belongs to a class of `VARIETIES` or `HIERARCHY`, with the evidence if it does not.

    `holds` is None where `bound` says why it was not computed. With a bound, a yes or no follows from other answers.
    """

    name: str
    holds: bool | None
    evidence: Evidence | None = None
    bound: str | None = None

    def __bool__(self) -> NoReturn:
        raise TypeError("a membership may be undecided and is not a truth value; read its `holds`: True, False or None")


@dataclass(frozen=True)
class Order:
    """The least number of letters that a kind of test needs to decide a language.

    `least` is None where no number does, or where `bound` says why it was not computed.
    """

    name: str
    least: int | None
    bound: str | None = None


@dataclass(frozen=True)
class Classification:
    """Everything that is decided about one language.

    `dfa` is the minimal automaton; `verdicts` are about fragments of temporal logic, `memberships` about the classes of
    `VARIETIES` and `HIERARCHY`. `circuit` is the circuit class, `semigroup_size` and `monoid_size` count the elements
    of the syntactic semigroup and monoid; all three are None where these are too large.
    """

    dfa: DFA
    verdicts: tuple[Verdict, ...]
    memberships: tuple[Membership, ...]
    orders: tuple[Order, ...]
    circuit: CircuitClass | None
    semigroup_size: int | None
    monoid_size: int | None

    @property
    def alphabet(self) -> Alphabet:
        """The declared letters, in order."""
        return self.dfa.alphabet

    def verdict(self, fragment: Fragment) -> Verdict:
        """Return the verdict on one of the fragments decided; raise `ToolkitError` for another."""
        for verdict in self.verdicts:
            if verdict.fragment == fragment:
                return verdict
        known = join_words([verdict.fragment.name for verdict in self.verdicts], "and")
        raise ToolkitError(f"the classification has verdicts on {known}, not on {fragment.name}")

    def membership(self, name: str) -> Membership:
        """Return the answer for a class by name; raise `ToolkitError` for another."""
        for membership in self.memberships:
            if membership.name == name:
                return membership
        known = join_words([membership.name for membership in self.memberships], "and")
        raise ToolkitError(f"there is no class named {name!r}; there are {known}")

    def order(self, name: str) -> Order:
        """Return one of the orders by name; raise `ToolkitError` for another."""
        for order in self.orders:
            if order.name == name:
                return order
        known = join_words([order.name for order in self.orders], "and")
        raise ToolkitError(f"there is no order named {name!r}; there are {known}")

    def to_dict(self) -> dict[str, Any]:
        """Return the classification as plain data for JSON; words as strings or lists of letters."""
        bounds = {m.name: m.bound for m in self.memberships if m.bound is not None}
        bounds |= {f"order: {order.name}": order.bound for order in self.orders if order.bound is not None}
        return {
            "alphabet": list(self.alphabet),
            "states": self.dfa.n_states,
            "semigroup": self.semigroup_size,
            "monoid": self.monoid_size,
            "fragments": {verdict.fragment.name: verdict.to_dict() for verdict in self.verdicts},
            "varieties": {membership.name: membership.holds for membership in self.memberships},
            "violations": {m.name: m.evidence.to_dict() for m in self.memberships if m.evidence is not None},
            "orders": {order.name: order.least for order in self.orders},
            "circuit class": None if self.circuit is None else self.circuit.name,
            "circuit evidence": None
            if self.circuit is None or self.circuit.evidence is None
            else self.circuit.evidence.to_dict(),
            "bounds": bounds,
        }


def classify(
    dfa: DFA,
    *,
    certify: bool = True,
    windows: Iterable[int] = WINDOWS,
    max_elements: int = MAX_ELEMENTS,
    max_cells: int = MAX_CELLS,
    max_pairs: int = MAX_PAIRS,
    max_cases: int = MAX_CASES,
    max_assignments: int = MAX_ASSIGNMENTS,
) -> Classification:
    """Classify the language of an automaton: every fragment, every class, every order.

    Fragments, orders and the classes of `HIERARCHY` are decided on the minimal automaton, with the limits of `decide`;
    varieties and the circuit class on the syntactic semigroup, with the limits of `syntactic_semigroup`, and of
    `max_assignments` assignments of elements to the variables of an equation. Where the semigroup is
    too large, what follows from the answers given without it is answered, without evidence, and the rest left open;
    `bound` says why. The other way round, a fragment left open for a limit is answered by the variety that is the same
    class.

    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> found = classify(ends_with_a)
    >>> [verdict.holds for verdict in found.verdicts[:3]], found.order("definite").least, found.circuit.name
    ([False, True, True], 1, 'AC0')
    """
    minimal = minimize(dfa)
    verdicts = tuple(
        decide(minimal, fragment, certify=certify, max_pairs=max_pairs, max_cases=max_cases)
        for fragment in fragments(windows)
    )
    limits = Limits(max_pairs, max_elements, max_cells)
    subregular = tuple(_subregular(minimal, name, limits) for name in HIERARCHY)
    orders = tuple(_order(name, partial(least, minimal, max_pairs)) for name, least in _ORDERS)
    syntactic: SyntacticSemigroup | None = None
    circuit: CircuitClass | None = None
    try:
        syntactic = syntactic_semigroup(minimal, max_elements, max_cells)
        varieties = tuple(_variety(syntactic, name, max_assignments) for name in VARIETIES)
        orders += (_order("locally testable", partial(local_testability_order, syntactic)),)
        circuit = circuit_class(syntactic)
    except TooLarge as error:
        if syntactic is None:
            varieties = _implied(verdicts, orders, subregular, _too_large(error))
            orders += (Order("locally testable", None, _too_large(error)),)
    answers = {membership.name: membership.holds for membership in varieties}
    subregular = tuple(
        replace(m, holds=True) if m.holds is None and answers.get(HIERARCHY[m.name].contains or "") else m
        for m in subregular
    )
    same = {row.fragment: name for name, row in VARIETIES.items() if row.fragment is not None}
    return Classification(
        minimal,
        tuple(
            v
            if v.holds is not None or v.fragment.name not in same
            else replace(v, holds=answers[same[v.fragment.name]])
            for v in verdicts
        ),
        varieties + subregular,
        orders,
        circuit,
        None if syntactic is None else len(syntactic),
        None if syntactic is None else syntactic.monoid_size,
    )


def _too_large(error: TooLarge) -> str:
    """Say why nothing is computed on the syntactic semigroup."""
    option = f"--{error.option.replace('_', '-')}"
    if error.option == "max_elements":
        return f"not computed: monoid larger than {error.limit:,} ({option})"
    return f"not computed: {error.what} larger than {error.limit:,} ({option})"


def _variety(syntactic: SyntacticSemigroup, name: str, max_assignments: int) -> Membership:
    try:
        found = VARIETIES[name].violation(syntactic, max_assignments)
    except TooLarge as error:
        return Membership(name, None, bound=f"not computed: {error}")
    return Membership(name, found is None, found)


def _subregular(minimal: DFA, name: str, limits: Limits) -> Membership:
    try:
        found = HIERARCHY[name].refute(minimal, limits)
    except TooLarge as error:
        return Membership(name, None, bound=_too_large(error))
    return Membership(name, found is None, found)


_ORDERS: tuple[tuple[str, Callable[[DFA, int], int | None]], ...] = (
    ("definite", lambda minimal, _: definite_order(minimal)),
    ("reverse definite", lambda minimal, _: reverse_definite_order(minimal)),
    ("generalised definite", generalised_definite_order),
    ("strictly local", strictly_local_order),
    ("tier-based strictly local", tier_strictly_local_order),
    ("strictly piecewise", strictly_piecewise_order),
)


def _order(name: str, least: Callable[[], int | None]) -> Order:
    try:
        return Order(name, least())
    except TooLarge as error:
        return Order(name, None, f"not computed: {error}")


def _implied(
    verdicts: Iterable[Verdict], orders: Iterable[Order], subregular: Iterable[Membership], bound: str
) -> tuple[Membership, ...]:
    """Return what answers given on the automaton alone say about the varieties."""
    holds: dict[str, bool] = {}
    by_fragment = {verdict.fragment.name: verdict.holds for verdict in verdicts}
    by_order = {order.name: order.least is not None for order in orders if order.bound is None}
    for name, row in VARIETIES.items():
        answer = by_fragment.get(row.fragment) if row.fragment is not None else by_order.get(name)
        if answer is not None:
            holds[name] = answer
    for membership in subregular:
        if membership.holds:
            holds |= {name: True for name in HIERARCHY[membership.name].implies if name in VARIETIES}
    known = consequences(holds)
    return tuple(Membership(name, known.get(name), bound=bound) for name in VARIETIES)
