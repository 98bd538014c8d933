"""Attention patterns and the temporal logic that each can recognise. No torch here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from automata.errors import ToolkitError, join_words
from ltl.fragment import Fragment

if TYPE_CHECKING:
    from semigroups.verdict import Verdict

Kind: TypeAlias = Literal["global", "local", "hybrid"]
"""Which heads there are: global ones, local ones, or both kinds side by side in every layer."""

ARITHMETIC = "fixed precision, strict causal soft attention, no positional encoding"
"""The arithmetic for which the correspondence of `AttentionPattern.fragment` is proved."""

_SOURCES = {
    "global": "Li & Cotterell 2025, arXiv 2505.23623: global attention recognises LTL[P]",
    "local": "Li & Cotterell 2026, arXiv 2605.00768: local attention with window k recognises LTL[Y<=k]",
    "hybrid": "Li & Cotterell 2026, arXiv 2605.00768: global and local heads together recognise LTL[P,Y<=k]",
}


@dataclass(frozen=True)
class AttentionPattern:
    """What the heads of a transformer see: `global`, `local` with a window, or `hybrid`, some heads of each kind.

    Positions count from 1. At position n a global head sees every m < n, and a local head with window k every m with
    max(1, n-k) <= m < n. Neither sees n itself, so the first position sees nothing and its attention output is the
    zero vector. `window` is k, from 1 to 999,999,999, and None for `global`. Raise `ToolkitError` for anything else.

    >>> pattern = AttentionPattern.parse("hybrid-1")
    >>> pattern, pattern.name, pattern.fragment.name
    (AttentionPattern(kind='hybrid', window=1), 'hybrid-1', 'LTL[P,Y]')
    """

    kind: Kind
    window: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ToolkitError(f"unknown kind of attention {self.kind!r}; expected {join_words(get_args(Kind), 'or')}")
        if self.kind == "global":
            if self.window is not None:
                raise ToolkitError(f"global attention has no window, found {self.window!r}; leave it out")
        elif self.window is None:
            raise ToolkitError(f"{self.kind} attention needs a window: {self.kind}-1 sees one position back")
        elif isinstance(self.window, bool) or not isinstance(self.window, int) or not 1 <= self.window < 10**9:
            raise ToolkitError(
                f"the window of {self.kind} attention is an integer from 1 to 999,999,999, not {self.window!r}"
            )

    @classmethod
    def parse(cls, name: str) -> AttentionPattern:
        """Read a name as `name` writes it: global, local-1, hybrid-2; raise `ToolkitError` for any other text."""
        match = re.fullmatch(r"(global|local|hybrid)(?:-([0-9]{1,9}))?", name)
        if match is None:
            raise ToolkitError(
                f"unknown attention pattern {name!r}; expected global, local-K or hybrid-K with the window K, "
                "such as local-1"
            )
        kind, window = match.groups()
        return cls(kind, None if window is None else int(window))  # type: ignore[arg-type]

    @property
    def name(self) -> str:
        """The kind and, where there is one, the window: global, local-1, hybrid-1."""
        return self.kind if self.window is None else f"{self.kind}-{self.window}"

    @property
    def fragment(self) -> Fragment:
        """The fragment of temporal logic that defines exactly the recognisable languages, under `ARITHMETIC`.

        Global attention is the operator P, local attention with window k is Y<=k, hybrid attention both.
        [Li & Cotterell 2025; Li & Cotterell 2026]
        """
        return Fragment(past=self.kind != "local", window=self.window)

    @property
    def source(self) -> str:
        """The source of the correspondence with `fragment`, which assumes `ARITHMETIC`."""
        return _SOURCES[self.kind]

    def prediction(self, verdicts: Iterable[Verdict]) -> bool | None:
        """Tell whether this attention can recognise the language with these verdicts; None if they do not say.

        The verdict of `fragment` itself decides. Without it, a yes for operators that this fragment's define is a yes,
        and a no for operators that define this fragment's is a no: `Fragment` has the order.
        """
        return implied(self.fragment, verdicts)


def implied(fragment: Fragment, verdicts: Iterable[Verdict]) -> bool | None:
    """Tell whether a fragment defines the language with these verdicts on fragments; None if they do not say."""
    holds = {verdict.fragment: verdict.holds for verdict in verdicts}
    if holds.get(fragment) is not None:
        return holds[fragment]
    if any(answer is True and smaller <= fragment for smaller, answer in holds.items()):
        return True
    if any(answer is False and fragment <= larger for larger, answer in holds.items()):
        return False
    return None
