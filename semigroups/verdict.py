"""A verdict: whether a fragment of temporal logic defines a language, with evidence that is checked elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from automata.alphabet import Word
from automata.dfa import DFA
from ltl.fragment import Fragment


class Evidence(Protocol):
    """Evidence about the language of an automaton, for or against a class."""

    def check(self, dfa: DFA) -> str | None:
        """Return None iff the evidence holds for the language of the automaton, else the fault in words."""

    def to_dict(self) -> dict[str, Any]:
        """Return the evidence as plain data for JSON."""


class Certificate(Evidence, Protocol):
    """Evidence for a verdict: a formula for a yes, a family of word pairs for a no; "kind" in its data says which."""

    @property
    def fragment(self) -> Fragment:
        """The fragment that the verdict is about."""


class Family(Certificate, Protocol):
    """A certificate of a no: pairs of words that formulas of growing depth do not tell apart."""

    def pair(self, n: int) -> tuple[Word, Word]:
        """Return the n-th pair, n >= 1: a word inside the language and one outside."""


@dataclass(frozen=True)
class Verdict:
    """Whether a fragment defines a language, with the evidence.

    `holds` is None only where a limit was reached; `certificate` is a `Definition` for a yes and a `PumpingFamily`
    for a no, None if none was asked for or it would have passed a limit. `bound` says which limit was reached, None
    if none was. A verdict is not a truth value: read `holds`.
    """

    fragment: Fragment
    holds: bool | None
    certificate: Certificate | None = None
    bound: str | None = None

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict may be undecided and is not a truth value; read its `holds`: True, False or None")

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain data: {"holds", "certificate"} and, where a limit was reached, "bound"."""
        plain: dict[str, Any] = {
            "holds": self.holds,
            "certificate": None if self.certificate is None else self.certificate.to_dict(),
        }
        return plain if self.bound is None else {**plain, "bound": self.bound}
