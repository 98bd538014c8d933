"""The forms in which people know a language, each checked by reading it as a language again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from automata.dfa import DFA
from automata.errors import TooLarge
from ltl.fragment import LTL_P
from semigroups.definite import definite_order
from semigroups.factor_grammar import factor_grammar
from semigroups.factor_search import factor_form
from semigroups.forbidden import admits
from semigroups.polynomial import polynomial
from semigroups.strictly_local import strictly_local_order
from semigroups.strictly_piecewise import strictly_piecewise_order
from semigroups.subsequence_grammar import subsequence_grammar
from semigroups.suffixes import suffix_form


class Form(Protocol):
    """A description of a language that can be read as a language again."""

    def check(self, dfa: DFA) -> str | None:
        """Return None iff the form is well made and describes the automaton's language, else the fault."""

    def to_dict(self) -> dict[str, Any]:
        """Return the form as plain data for JSON."""


@dataclass(frozen=True)
class Forms:
    """The forms that a language has, by name, and for those that it has but that are too large, the limit reached."""

    found: tuple[tuple[str, Form], ...]
    bounds: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the forms as plain data for JSON, by name; {"bound": ...} for one that is too large."""
        return {
            **{name: form.to_dict() for name, form in self.found},
            **{name: {"bound": bound} for name, bound in self.bounds},
        }


_FACTOR_STEPS = 300_000  # a second or less: the form is one of several


def _factors(minimal: DFA, order: int) -> Form:
    # The order below is tried as well, for the words that show that it will not do.
    return factor_form(minimal, order, _FACTOR_STEPS, first_order=order - 1)


def forms_of(minimal: DFA, local_order: int | None) -> Forms:
    """Return the forms of the language of a minimal automaton.

    - "polynomial": a disjoint union of left-deterministic monomials, where LTL[P] defines the language;
    - "suffixes": short words, and suffixes that decide longer ones, where it is definite;
    - "factors": prefixes, factors and suffixes of the least length that decides, where it is locally testable, of
      order `local_order`; None leaves the form out;
    - "forbidden factors", where it is strictly local; "forbidden subsequences", where it is strictly piecewise.

    >>> from automata.alphabet import Alphabet
    >>> starts_with_a = DFA(Alphabet.of("ab"), [[1, 2], [1, 1], [2, 2]], 0, [False, True, False])
    >>> [name for name, _ in forms_of(starts_with_a, 2).found]
    ['polynomial', 'factors', 'forbidden factors']
    """
    wanted: list[tuple[str, Callable[[], bool], Callable[[], Form]]] = [
        ("polynomial", lambda: admits(minimal, LTL_P), lambda: polynomial(minimal)),
        ("suffixes", lambda: definite_order(minimal) is not None, lambda: suffix_form(minimal)),
        ("factors", lambda: local_order is not None, lambda: _factors(minimal, local_order or 1)),
        ("forbidden factors", lambda: strictly_local_order(minimal) is not None, lambda: factor_grammar(minimal)),
        (
            "forbidden subsequences",
            lambda: strictly_piecewise_order(minimal) is not None,
            lambda: subsequence_grammar(minimal),
        ),
    ]
    found: list[tuple[str, Form]] = []
    bounds: list[tuple[str, str]] = []
    for name, applies, make in wanted:
        try:
            if applies():
                found.append((name, make()))
        except TooLarge as error:
            bounds.append((name, str(error)))
    return Forms(tuple(found), tuple(bounds))
