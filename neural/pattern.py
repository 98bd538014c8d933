"""Attention patterns, the temporal logic that each can recognise, and the table of architectures. No torch here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from automata.errors import ToolkitError, join_words
from ltl.fragment import LTL_P, Fragment

if TYPE_CHECKING:
    from semigroups.classify import Classification
    from semigroups.verdict import Verdict

Kind: TypeAlias = Literal["global", "local", "hybrid"]
"""Which heads there are: global ones, local ones, or both kinds side by side in every layer."""

Status: TypeAlias = Literal["theorem", "partly known", "conjecture"]
"""How well the class of an architecture is known."""

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


@dataclass(frozen=True)
class Architecture:
    """A row of the architecture table: a kind of sequence model, and the class of languages that it recognises.

    The class is that of `fragment`, or of the class named `language_class` among those of a classification, or
    all regular languages where both are None. `status` is "theorem", "conjecture", or "partly known"; `arithmetic`
    is what the source assumes of numbers, and `source` names the proof.
    """

    name: str
    description: str
    fragment: Fragment | None
    language_class: str | None
    status: Status
    arithmetic: str
    source: str

    @property
    def logic(self) -> str:
        """The class of languages for people: a fragment of temporal logic, a class by name, or "regular"."""
        if self.fragment is not None:
            return self.fragment.name
        return self.language_class or "regular"

    def prediction(self, classification: Classification) -> bool | None:
        """Tell whether this architecture can recognise the classified language; None if the classification is silent.

        What a conjecture or a partly known class says is told as well: read `status`.
        """
        if self.fragment is not None:
            return implied(self.fragment, classification.verdicts)
        if self.language_class is not None:
            return classification.membership(self.language_class).holds
        return True


def architectures(windows: Iterable[int]) -> tuple[Architecture, ...]:
    """Return the architecture table, with local and hybrid rows for each of the windows.

    >>> [row.name for row in architectures([1])][:6]
    ['global', 'local-1', 'hybrid-1', 'global-periodic', 'local-1-periodic', 'hybrid-1-periodic']
    """
    windows = tuple(windows)
    patterns = [AttentionPattern("global")]
    patterns += [AttentionPattern(kind, window) for window in windows for kind in ("local", "hybrid")]
    plain = [
        Architecture(
            pattern.name, f"{pattern.kind} attention", pattern.fragment, None, "theorem", ARITHMETIC, pattern.source
        )
        for pattern in patterns
    ]
    return (*plain, *map(_periodic, patterns), *_OTHERS)


def _periodic(pattern: AttentionPattern) -> Architecture:
    """The pattern with positions that repeat with some period, at least the window: rotary angles or sinusoids."""
    status, source = _PERIODIC[pattern.kind]
    return Architecture(
        f"{pattern.name}-periodic",
        f"{pattern.kind} attention with periodic positions",
        Fragment(pattern.fragment.past, 1 if pattern.window else None, modular=True),
        None,
        status,
        "fixed precision, strict causal soft attention, rotary or sinusoidal positions looked up modulo a period"
        + (" not less than the window" if pattern.window else ""),
        source,
    )


_PERIODIC: dict[Kind, tuple[Status, str]] = {
    "global": ("theorem", "Jerad et al. 2026, arXiv 2608.11909: periodic positions add the predicates MOD to LTL[P]"),
    "local": (
        "theorem",
        "Li & Cotterell 2026, arXiv 2605.00768: with MOD, Y<=k defines Y (a disjunction of MOD & Y<=k (MOD & f))",
    ),
    "hybrid": (
        "conjecture",
        "by analogy with both: Jerad et al. 2026, arXiv 2608.11909, and Li & Cotterell 2026, arXiv 2605.00768",
    ),
}

_OTHERS = (
    Architecture(
        "global-nonstrict",
        "global attention that sees its own position",
        None,
        "LTL[O]",
        "partly known",
        "fixed precision, causal soft attention with the diagonal, no positional encoding",
        "the non-strict O f = f | P f defines LTL[O], the stutter-invariant part of LTL[P], so bb.* is lost; that "
        "the architecture recognises just this class is not proved in a source",
    ),
    Architecture(
        "leftmost-hard",
        "leftmost unique hard attention",
        LTL_P,
        None,
        "theorem",
        "finite precision, strict causal mask, ties go to the leftmost position, no positional encoding",
        "Jerad, Svete, Li & Cotterell 2025, arXiv 2503.14615: leftmost unique hard attention recognises LTL[P]",
    ),
    Architecture(
        "rightmost-hard",
        "rightmost unique hard attention",
        None,
        "star-free",
        "theorem",
        "finite precision, strict causal mask, ties go to the rightmost position, no positional encoding",
        "Yang, Chiang & Angluin 2024, Masked hard-attention transformers recognize exactly the star-free languages",
    ),
    Architecture(
        "float-softmax",
        "softmax attention summed from left to right in floating point",
        None,
        "star-free",
        "partly known",
        "floating point, rounding after every addition, sums in the order of positions",
        "Nowak et al. 2026, arXiv 2607.26988 (its abstract): LTL[S]; another order of summation changes the class",
    ),
    Architecture(
        "state-space",
        "state-space model with non-negative diagonal gates",
        None,
        "star-free",
        "theorem",
        "fixed precision, input-dependent diagonal recurrence with non-negative entries",
        "Sarrof, Veitsman & Hahn 2024, arXiv 2405.17394: of regular languages, exactly the star-free ones",
    ),
    Architecture(
        "recurrent",
        "recurrent network with a non-linear state update",
        None,
        None,
        "theorem",
        "fixed precision, so finitely many states",
        "Merrill 2019, Sequential neural networks as automata: exactly the regular languages",
    ),
)
