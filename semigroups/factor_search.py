"""The least order at which a language is locally testable, and its form in prefixes, factors and suffixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from automata.alphabet import Word
from automata.dfa import DFA
from automata.errors import NotDefinable, TooLarge
from automata.minimize import minimize
from ltl.fragment import LTL_PY
from semigroups.factor_clauses import factor_clauses
from semigroups.factors import FactorForm
from semigroups.forbidden import forbidden_pattern
from semigroups.pumping import pumping_family

MAX_ORDER = 8
"""Greatest order of local testability that is tried unless the caller says otherwise."""

MAX_STEPS = 1_000_000
"""Steps that the search may take in all unless the caller says otherwise: letters read, differences compared."""

_Codes: TypeAlias = tuple[int, ...]
_PREFIX, _SUFFIX = -2, -1  # aspects of a word besides its factors, which are numbered from 0


def factor_form(
    dfa: DFA, max_order: int = MAX_ORDER, max_steps: int = MAX_STEPS, *, first_order: int = 1
) -> FactorForm:
    """Return a locally testable language by its prefixes, factors and suffixes of the least order that decides it.

    Order k = `first_order`, ... (the caller knows that lower ones will not do) is tried by reading all words at once,
    up to what tests of that order see of them and the state they lead to. Raise `NotDefinable`, with a `PumpingFamily`,
    where not even LTL[P,Y] defines the language; for other languages that are not locally testable no order does, and
    `TooLarge` is raised beyond `max_order`, or beyond `max_steps` steps over all orders.

    >>> from automata.alphabet import Alphabet
    >>> contains_ab = DFA(Alphabet.of("abc"), [[1, 0, 0], [1, 2, 0], [2, 2, 2]], 0, [False, False, True])
    >>> print(factor_form(contains_ab).describe())
    words of length >= 2 that contain ab
    """
    minimal = minimize(dfa)
    pattern = forbidden_pattern(minimal, LTL_PY)
    if pattern is not None:
        raise NotDefinable("the language is not locally testable", pumping_family(pattern))
    equal_below: tuple[Word, Word] | None = None
    looked_at = 0
    for order in range(max(1, first_order), max_order + 1):
        search = _Search(minimal, order, max_steps, looked_at)
        pair = search.equal_pair()
        looked_at = search.looked_at
        if pair is None:
            words = [minimal.alphabet.decode(codes) for codes, accepted in search.short.items() if accepted]
            numbers = [number for number in search.counting if number >= 0]
            clauses = factor_clauses(search.long, numbers, order, dfa.alphabet)
            return FactorForm(dfa.alphabet, order, tuple(words), clauses, equal_below)
        equal_below = minimal.alphabet.decode(pair[0]), minimal.alphabet.decode(pair[1])
    raise TooLarge("the order of local testability", max_order + 1, max_order, "max_order", False)


class _Node(NamedTuple):
    """A word so far: itself while it is short, else its prefix if that counts, its suffix, its factors that count."""

    prefix: _Codes
    suffix: _Codes
    factors: int  # bit i tells of the i-th factor that counts; -1 for a short word
    state: int


class _Search:
    """The search for two words, one inside and one outside, that are alike to tests of an order.

    At first nothing about long words counts. Words found alike on both sides that differ in other aspects (prefix,
    suffix, factors) make one of these aspects count: always a small set that meets the differences of all pairs found.
    When no two words are alike in what counts, `short` tells which words shorter than the order are members, and `long`
    for each prefix, suffix and set of factors that occur, as far as they count, whether long words with them are.
    """

    def __init__(self, dfa: DFA, order: int, max_steps: int, looked_at: int) -> None:
        self.dfa = dfa
        self.order = order
        self.max_steps = max_steps
        self.looked_at = looked_at
        self.counting: list[int] = []
        self.short: dict[_Codes, bool] = {}
        self.long: dict[tuple[_Codes, _Codes, int], bool] = {}

    def equal_pair(self) -> tuple[_Codes, _Codes] | None:
        """Return a word inside and one outside the language that are alike to all tests of the order, or None."""
        differences: list[list[int]] = []
        while True:
            self.counting = _meeting_all(differences)
            self._count(sum(map(len, differences)))
            pair = self._pair_alike_in_what_counts()
            if pair is None:
                return None
            different = self._aspects(pair[0]) ^ self._aspects(pair[1])
            if not different:
                return pair
            differences.append(sorted({kind if kind < 0 else number for kind, number in different}))

    def _count(self, steps: int) -> None:
        self.looked_at += steps
        if self.looked_at > self.max_steps:
            what = f"prefixes, suffixes and sets of factors up to order {self.order}, in steps of the search"
            raise TooLarge(what, self.looked_at, self.max_steps, "max_steps", False)

    def _aspects(self, codes: _Codes) -> set[tuple[int, int]]:
        """Return the prefix and the suffix of a long word, as numbers, and the numbers of its factors."""
        k = self.order
        factors = {(0, self._number(codes[i : i + k])) for i in range(len(codes) - k + 1)}
        return {(_PREFIX, self._number(codes[: k - 1])), (_SUFFIX, self._number(codes[len(codes) - k + 1 :])), *factors}

    def _number(self, codes: _Codes) -> int:
        number = 0
        for code in codes:
            number = number * len(self.dfa.alphabet) + code
        return number

    def _pair_alike_in_what_counts(self) -> tuple[_Codes, _Codes] | None:
        rows, accept = self.dfa.delta.tolist(), self.dfa.accept.tolist()
        bits = {number: 1 << i for i, number in enumerate(n for n in self.counting if n >= 0)}
        has_prefix, has_suffix = _PREFIX in self.counting, _SUFFIX in self.counting
        start = _Node((), (), -1, self.dfa.start)
        origin: dict[_Node, tuple[_Node, int] | None] = {start: None}
        first: dict[tuple[_Codes, _Codes, int], _Node] = {}
        self.short, self.long = {}, {}
        waiting = [start]
        for node in waiting:
            seen = (node.prefix, node.suffix if has_suffix or node.factors < 0 else (), node.factors)
            other = first.setdefault(seen, node)
            if accept[other.state] != accept[node.state]:
                inside, outside = (node, other) if accept[node.state] else (other, node)
                return _word(origin, inside), _word(origin, outside)
            if node.factors < 0:
                self.short[node.suffix] = accept[node.state]
            else:
                self.long[seen] = accept[node.state]
            self._count(len(rows[node.state]))
            for code, target in enumerate(rows[node.state]):
                longer = (*node.suffix, code)
                if len(longer) < self.order:
                    following = _Node((), longer, -1, target)
                else:
                    prefix = node.prefix if node.factors >= 0 else longer[:-1] if has_prefix else ()
                    factors = max(node.factors, 0) | bits.get(self._number(longer), 0)
                    following = _Node(prefix, longer[1:], factors, target)
                if following not in origin:
                    origin[following] = (node, code)
                    waiting.append(following)
        return None


def _word(origin: dict[_Node, tuple[_Node, int] | None], node: _Node) -> _Codes:
    codes = []
    step = origin[node]
    while step is not None:
        node, code = step
        codes.append(code)
        step = origin[node]
    return tuple(reversed(codes))


def _meeting_all(sets: Sequence[Sequence[int]]) -> list[int]:
    """Return a small set of numbers that has one of each of the sets, in order: greedily, the most useful first."""
    chosen = []
    left = [set(numbers) for numbers in sets]
    while left:
        uses = Counter(number for numbers in left for number in numbers)
        best = min(uses, key=lambda number: (-uses[number], number))
        chosen.append(best)
        left = [numbers for numbers in left if best not in numbers]
    return sorted(chosen)
