"""Generalised regular expressions as immutable trees, and walks over them that never recurse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from automata.alphabet import Alphabet
from automata.errors import ToolkitError
from automata.hash_consing import HashConsed, distinct_parts


@dataclass(frozen=True, eq=False, repr=False, slots=True, weakref_slot=True)
class Regex(metaclass=HashConsed):
    """An expression: `Letters`, `Concatenation`, `Union`, `Intersection`, `Complement` or `Repetition`.

    Equal expressions are one object, so that shared subexpressions are stored once, `==` is identity and hashing
    takes constant time. `str` writes the expression in the notation of `automata.regex_syntax`.

    >>> print(Union((Repetition(Letters(("a",)), 0, None), EPSILON, EMPTY)))
    a*|ε|∅
    """

    @property
    def operands(self) -> tuple[Regex, ...]:
        """Immediate subexpressions, left to right."""
        return ()

    def __str__(self) -> str:
        from automata.regex_print import print_regex

        return print_regex(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as a flat list of nodes, which has no depth, and share again on reading."""
        nodes = subexpressions(self)
        place = {node: i for i, node in enumerate(nodes)}
        return _rebuild, ([(type(node), [place[part] for part in node.operands], node._settings) for node in nodes],)

    @property
    def _settings(self) -> tuple[Any, ...]:
        """The fields that are no expressions."""
        return ()


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Letters(Regex):
    """The words of one letter, which is among `letters` or, if `others`, is any letter of the alphabet but these.

    `letters` is sorted and freed of repetitions. `Letters((), others=True)` is any letter.
    """

    letters: tuple[str, ...]
    others: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "letters", tuple(sorted(set(self.letters))))

    @property
    def _settings(self) -> tuple[Any, ...]:
        return self.letters, self.others


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class _Parts(Regex):
    """An operator on any number of expressions."""

    parts: tuple[Regex, ...]

    @property
    def operands(self) -> tuple[Regex, ...]:
        """The expressions joined."""
        return self.parts


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Concatenation(_Parts):
    """The words made of a word of each part, in order; of no parts, the empty word alone."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Union(_Parts):
    """The words in at least one part; of no parts, no word."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Intersection(_Parts):
    """The words in all of the parts, of which there is at least one."""

    def __post_init__(self) -> None:
        if not self.parts:
            raise ToolkitError("an intersection needs at least one part; all words are Complement(EMPTY)")


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Complement(Regex):
    """The words over the alphabet that are not in the operand."""

    operand: Regex

    @property
    def operands(self) -> tuple[Regex, ...]:
        """The expression complemented."""
        return (self.operand,)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Repetition(Regex):
    """The words made of at least `least` and at most `most` words of the operand; None sets no upper bound."""

    operand: Regex
    least: int
    most: int | None

    def __post_init__(self) -> None:
        if self.least < 0 or (self.most is not None and self.most < self.least):
            raise ToolkitError(f"no number is at least {self.least} and at most {self.most}")

    @property
    def operands(self) -> tuple[Regex, ...]:
        """The expression repeated."""
        return (self.operand,)

    @property
    def _settings(self) -> tuple[Any, ...]:
        return self.least, self.most


EPSILON = Concatenation(())
"""The language of the empty word alone."""

EMPTY = Union(())
"""The empty language."""

ANY_LETTER = Letters((), others=True)
"""The words of one letter."""


def _rebuild(nodes: list[tuple[type[Regex], list[int], tuple[Any, ...]]]) -> Regex:
    made: list[Regex] = []
    for kind, places, settings in nodes:
        operands = [made[i] for i in places]
        made.append(kind(tuple(operands)) if issubclass(kind, _Parts) else kind(*operands, *settings))
    return made[-1]


def subexpressions(regex: Regex) -> tuple[Regex, ...]:
    """Return the distinct subexpressions, the expression included, children before parents, left to right."""
    return distinct_parts(regex)


def inferred_alphabet(regex: Regex) -> Alphabet:
    """Return the alphabet of the letters mentioned, in code-point order.

    Raise `ToolkitError` where that is no safe guess: if the expression mentions no letter, or uses `.`, `[^...]` or
    `~`, whose meaning depends on the alphabet.
    """
    letters: set[str] = set()
    for node in subexpressions(regex):
        if isinstance(node, Complement) or (isinstance(node, Letters) and node.others):
            raise ToolkitError(f"the meaning of {_dependent(node)} depends on the alphabet; {ALPHABET_RULE}")
        if isinstance(node, Letters):
            letters.update(node.letters)
    if not letters:
        raise ToolkitError(f"the expression mentions no letter; {ALPHABET_RULE}")
    return Alphabet(tuple(sorted(letters)))


ALPHABET_RULE = (
    "declare the alphabet, for example --alphabet abc or alphabet=Alphabet.of('abc'); without one, the letters that "
    "the expression mentions are taken, and only if there are any and none of . [^...] ~ is used"
)
"""When an alphabet is inferred, for error messages."""


def _dependent(node: Regex) -> str:
    if isinstance(node, Complement):
        return "~"
    return "." if node == ANY_LETTER else "[^...]"
