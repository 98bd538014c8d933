"""The least temporal depth at which a fragment defines a language: exact, or between two bounds, with evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from automata.alphabet import Alphabet, Word, concatenate, plain_word
from automata.dfa import DFA
from automata.equivalence import distinguish, separating_word
from automata.errors import TooLarge, ToolkitError, UnknownLetter
from automata.graph import word_to
from automata.minimize import minimize, number_by_appearance, row_keys
from ltl.compile import formula_to_dfa
from ltl.depth_types import same_type, undefinable_pair
from ltl.formula import Formula, depth
from ltl.fragment import LTL_Y, Fragment, fragment_of
from ltl.printing import print_formula
from semigroups.certificate import Definition
from semigroups.definite import definite_order
from semigroups.verdict import Verdict

MAX_TYPES = 20_000
"""Types with states that the search at one depth may look at unless the caller says otherwise."""

MAX_TYPES_OF_MANY = 2_000
"""The same where many fragments are searched one after the other."""

_MAX_CELLS = 20_000_000  # states times letters that decide, up to which LTL[Y] needs no search


@dataclass(frozen=True)
class LeastDepth:
    """Bounds on the least temporal depth of the formulas of a fragment that define a language.

    `at_most` is the depth of `formula`, or a depth at which a search ended with no word inside and no word outside of
    one type; `formula` is None only in the second case. `equal_below` is a word inside and a word outside the language
    that no formula of depth `at_least` - 1, hence none of a smaller depth, tells apart; None where `at_least` is 0.
    """

    fragment: Fragment
    alphabet: Alphabet
    at_least: int
    at_most: int
    equal_below: tuple[Word, Word] | None
    formula: Formula | None = None

    @property
    def exact(self) -> int | None:
        """The least depth where it is known, else None."""
        return self.at_least if self.at_least == self.at_most else None

    def check(self, dfa: DFA, max_states: int = MAX_TYPES) -> str | None:
        """Return None iff the bounds hold for the automaton's language, else the first fault in words.

        The pair below is read by the automaton and its types are compared; the formula is compiled and compared, or,
        where there is none, the types of depth `at_most` are searched, at most `max_states` of them (`TooLarge`).
        """
        if dfa.alphabet != self.alphabet:
            return f"the depth is over {self.alphabet.letters}, the automaton over {dfa.alphabet.letters}"
        if not 0 <= self.at_least <= self.at_most:
            return f"no depth is at least {self.at_least} and at most {self.at_most}"
        if self.equal_below is None:
            if self.at_least:
                return f"nothing shows that depth {self.at_least - 1} is too small"
        else:
            inside, outside = self.equal_below
            if not dfa.accepts(inside) or dfa.accepts(outside):
                return "of the words for the depth below, the first must be accepted and the second not"
            if not same_type(inside, outside, self.fragment, self.at_least - 1, self.alphabet):
                return f"a formula of {self.fragment.name} of depth {self.at_least - 1} tells the words apart"
        if self.formula is None:
            if undefinable_pair(dfa, self.fragment, self.at_most, max_states) is not None:
                return f"no formula of {self.fragment.name} of depth {self.at_most} defines the language"
            return None
        if depth(self.formula) != self.at_most:
            return f"the formula has depth {depth(self.formula)}, not {self.at_most}"
        if not fragment_of(self.formula) <= self.fragment:
            return f"the formula is in {fragment_of(self.formula).name}, not in {self.fragment.name}"
        try:
            word = distinguish(formula_to_dfa(self.formula, dfa.alphabet), dfa)
        except UnknownLetter as error:
            return f"the formula does not fit the automaton: {error}"
        return None if word is None else f"the formula and the automaton differ on {self.alphabet.show(word)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the bounds as plain data: {"kind": "depth", "at_least", "at_most", "equal_below", "formula"}."""
        return {
            "kind": "depth",
            "at_least": self.at_least,
            "at_most": self.at_most,
            "equal_below": None if self.equal_below is None else [plain_word(word) for word in self.equal_below],
            "formula": None if self.formula is None else print_formula(self.formula),
        }


def least_depth(dfa: DFA, fragment: Fragment, formula: Formula, max_types: int = MAX_TYPES) -> LeastDepth:
    """Return the least temporal depth of a language, or bounds on it, given a formula of the fragment that defines it.

    For LTL[Y] the least depth is the order of definiteness: a formula of depth d sees the last d letters and no more.
    Otherwise depths 0, 1, 2, ... below that of the formula are searched, each through at most `max_types` pairs of a
    type and a state; where that is not enough, the bounds stay apart. Raise `ToolkitError` if the formula is not in the
    fragment, or the fragment has since.

    >>> from ltl.syntax import parse_formula
    >>> contains_ab = DFA(Alphabet.of("ab"), [[1, 0], [1, 2], [2, 2]], 0, [False, False, True])
    >>> least_depth(contains_ab, Fragment(past=True, window=None), parse_formula("P (b & P a)")).exact
    2
    """
    if not fragment_of(formula) <= fragment:
        raise ToolkitError(f"the formula is in {fragment_of(formula).name}, not in {fragment.name}")
    at_most = depth(formula)
    minimal = minimize(dfa)
    if fragment == LTL_Y:
        order = definite_order(minimal)
        if order is not None and order * minimal.n_states <= _MAX_CELLS:
            equal = _alike_at_the_end(minimal, order)
            return LeastDepth(fragment, dfa.alphabet, order, order, equal, formula if at_most == order else None)
    equal_below: tuple[Word, Word] | None = None
    for d in range(at_most):
        try:
            pair = undefinable_pair(minimal, fragment, d, max_types)
        except TooLarge:
            return LeastDepth(fragment, dfa.alphabet, d, at_most, equal_below, formula)
        if pair is None:
            return LeastDepth(fragment, dfa.alphabet, d, d, equal_below)
        equal_below = pair
    return LeastDepth(fragment, dfa.alphabet, at_most, at_most, equal_below, formula)


def least_depths(
    dfa: DFA, verdicts: Iterable[Verdict], max_types: int = MAX_TYPES_OF_MANY
) -> dict[Fragment, LeastDepth]:
    """Return what is known of the least depth for each verdict that carries a formula without MOD, by fragment."""
    return {
        verdict.fragment: least_depth(dfa, verdict.fragment, verdict.certificate.formula, max_types)
        for verdict in verdicts
        if isinstance(verdict.certificate, Definition) and not verdict.fragment.modular
    }


def _alike_at_the_end(dfa: DFA, order: int) -> tuple[Word, Word] | None:
    """Return a word inside and one outside that share their last `order` - 1 letters; None for order 0.

    `order` is the order of definiteness, so two states are led apart by some word of `order` - 1 letters.
    """
    if order == 0:
        return None
    # States have one label in labels[j] iff all words of length j lead them to the same state.
    labels = [np.arange(dfa.n_states, dtype=np.int32)]
    for _ in range(order - 1):
        columns = (labels[-1][column] for column in dfa.delta.T)
        labels.append(number_by_appearance(row_keys(columns, dfa.n_states, dfa.n_states))[0])
    p, q = 0, int(np.flatnonzero(labels[-1] != labels[-1][0])[0])
    accesses = [word_to(dfa, dfa.start, state) for state in (p, q)]
    codes = []
    for before in reversed(labels[:-1]):
        code = int(np.flatnonzero(before[dfa.delta[p]] != before[dfa.delta[q]])[0])
        codes.append(code)
        p, q = int(dfa.delta[p, code]), int(dfa.delta[q, code])
    separating = separating_word(dfa, p, q)
    words = [
        concatenate(access, dfa.alphabet.decode(codes), separating)
        for access in accesses
        if access is not None and separating is not None
    ]
    inside, outside = words if dfa.accepts(words[0]) else reversed(words)
    return inside, outside
