"""What was found out about how far a recogniser agrees with a language, and exactly what that proves. No torch here."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from decimal import ROUND_CEILING, Context, Decimal
from typing import Any, TypeAlias

from automata.alphabet import Word, plain_word


@dataclass(frozen=True)
class Exhaustive:
    """All words of 0 to `length` letters were judged, which are `words` many."""

    length: int
    words: int


@dataclass(frozen=True)
class Conformance:
    """The `words` of a test suite were judged (`neural.conformance.conformance_suite`).

    The minimal automaton of the language has `states` states, and the suite allows for `extra_states` more. `reach` is
    the length of the longest words that the recogniser can judge at all, None if it can judge any.
    """

    states: int
    extra_states: int
    words: int
    reach: int | None = None


@dataclass(frozen=True)
class Sampled:
    """`count` words of lengths[0] to lengths[1] letters were drawn independently and judged, `errors` of them wrongly.

    A toss of a coin chose members or non-members of the language (all words came from one side if the other has none of
    these lengths), then a length that has such words was drawn, then one of the words, all equally likely. For words
    drawn in this way the rate of errors is at most `error_bound`, the upper end of the one-sided interval of Clopper
    and Pearson (1934): whatever the rate is, a bound found so is right with probability `confidence` at least.
    """

    lengths: tuple[int, int]
    count: int
    errors: int
    error_bound: float
    confidence: float


Scope: TypeAlias = Exhaustive | Conformance | Sampled
"""The words on which recogniser and language were compared."""


@dataclass(frozen=True)
class Agreement:
    """Whether a recogniser agrees with a language on the words of a scope.

    `disagreement` is the least word of the scope that it judges wrongly (shortest, then first in alphabet order), None
    if it judges all of them as the language has them. The text says what is proved by that, and nothing more.

    >>> print(Agreement(Exhaustive(2, 7), None))
    agrees on all 7 words of up to 2 letters; this says nothing of longer words
    >>> print(Agreement(Exhaustive(2, 7), "ab"))
    differs on ab, and agrees on every word that is shorter, or as long and before it in alphabet order
    """

    scope: Scope
    disagreement: Word | None

    def __str__(self) -> str:
        word = None if self.disagreement is None else _shown(self.disagreement)
        if isinstance(self.scope, Exhaustive):
            return _exhaustive_text(self.scope, word, empty=self.disagreement in ("", ()))
        if isinstance(self.scope, Conformance):
            return _conformance_text(self.scope, word)
        return _sampled_text(self.scope, word)

    def to_dict(self) -> dict[str, Any]:
        """Return scope, disagreement and text as plain values for JSON."""
        scope = asdict(self.scope)
        if isinstance(self.scope, Sampled):
            scope["lengths"] = list(self.scope.lengths)
        return {
            "scope": type(self.scope).__name__.lower(),
            **scope,
            "disagreement": None if self.disagreement is None else plain_word(self.disagreement),
            "says": str(self),
        }


def _exhaustive_text(scope: Exhaustive, word: str | None, *, empty: bool) -> str:
    if empty:
        return "differs on ε, the empty word"
    if word is not None:
        return (
            f"differs on {word}, and agrees on every word that is shorter, or as long and before it in alphabet order"
        )
    if scope.words == 1:
        return "agrees on the empty word; this says nothing of other words"
    return f"agrees on all {scope.words:,} words of up to {scope.length} letters; this says nothing of longer words"


def _conformance_text(scope: Conformance, word: str | None) -> str:
    suite = f"the {scope.words:,} words of a test suite"
    if word is not None:
        return f"differs on {word}, the least of {suite} on which it does"
    words = "all words" if scope.reach is None else f"all words of up to {scope.reach} letters, beyond which it ends"
    return (
        f"agrees on {suite}: if it behaves like an automaton with at most {scope.states + scope.extra_states} states, "
        f"it agrees on {words}; if not, this says nothing of other words"
    )


def _sampled_text(scope: Sampled, word: str | None) -> str:
    least = "" if word is None else f", the least of them {word}"
    first, last = scope.lengths
    lengths = f"{first}" if first == last else f"{first} to {last}"
    return (
        f"differs on {scope.errors:,} of {scope.count:,} random words of {lengths} letters{least}: with confidence "
        f"{100 * scope.confidence:g} %, it differs on at most {rounded_up(scope.error_bound)} of the words drawn so "
        "(members and non-members with equal chance if there are both, then the length, then the word)"
    )


def rounded_up(share: float) -> str:
    """Write a share in percent with two digits, rounded up, as a bound must be.

    >>> rounded_up(0.00046041), rounded_up(1.0), rounded_up(0.0999)
    ('0.047 %', '100 %', '10 %')
    """
    percent = Context(prec=2, rounding=ROUND_CEILING).create_decimal(Decimal(share) * 100)
    return f"{float(percent):g} %"


def _shown(word: Word) -> str:
    return ("" if isinstance(word, str) else " ").join(word) or "ε"
