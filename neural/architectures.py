"""The table of architectures: which languages each kind of sequence model recognises, and by which theorem.

No torch here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ltl.formula import Mod, subformulas
from ltl.fragment import LTL_P, LTL_P_MOD, LTL_PY, LTL_PY_MOD, LTL_Y, LTL_Y_MOD, Fragment
from neural.pattern import ARITHMETIC, AttentionPattern, Kind, implied
from neural.positions import PositionKind, Positions
from semigroups.certificate import Definition

if TYPE_CHECKING:
    from semigroups.classify import Classification
    from semigroups.verdict import Verdict

Status: TypeAlias = Literal["theorem", "partly known", "open"]
"""How well the class of an architecture is known."""


@dataclass(frozen=True)
class Architecture:
    """A row of the architecture table: a kind of sequence model, and the class of languages that it recognises.

    The class is that of `fragment`, or of the class named `language_class` among those of a classification; where both
    are None it is that of all regular languages, or, if `status` says so, "open". `arithmetic` is what the source
    assumes of numbers, and `source` names the proof.
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
        """The class of languages for people: a fragment of temporal logic, a class by name, "regular" or "open"."""
        if self.fragment is not None:
            return self.fragment.name
        return self.language_class or ("open" if self.status == "open" else "regular")

    def prediction(self, classification: Classification) -> bool | None:
        """Tell whether this architecture can recognise the classified language.

        None if the classification is silent or the class is open. What a partly known class says is told as well: read
        `status`.
        """
        if self.status == "open":
            return None
        if self.fragment is not None:
            return implied(self.fragment, classification.verdicts)
        if self.language_class is not None:
            return classification.membership(self.language_class).holds
        return True


def architectures(windows: Iterable[int]) -> tuple[Architecture, ...]:
    """Return the architecture table, with local and hybrid rows for each of the windows.

    With positions the window no longer matters, and one row stands for all.

    >>> [row.name for row in architectures([1])][:6]
    ['global', 'local-1', 'hybrid-1', 'global-learned', 'local-learned', 'hybrid-learned']
    """
    windows = tuple(windows)
    patterns = [AttentionPattern("global")]
    patterns += [AttentionPattern(kind, window) for window in windows for kind in ("local", "hybrid")]
    return (*map(_plain, patterns), *_WITH_POSITIONS.values(), *_OTHERS)


def architecture(pattern: AttentionPattern, positions: Positions) -> Architecture:
    """Return the row of an attention pattern with positions.

    >>> architecture(AttentionPattern("local", 2), Positions("offset-bias")).logic
    'LTL[Y]'
    """
    return _plain(pattern) if positions.kind == "none" else _WITH_POSITIONS[positions.kind, pattern.kind]


def network_name(pattern: AttentionPattern, positions: Positions) -> str:
    """Name a network for people: the attention and, if there are any, the positions.

    >>> network_name(AttentionPattern("hybrid", 1), Positions("rotary"))
    'hybrid-1 rotary'
    """
    return pattern.name if positions.kind == "none" else f"{pattern.name} {positions.name}"


def prediction(pattern: AttentionPattern, positions: Positions, verdicts: Iterable[Verdict]) -> bool | None:
    """Tell whether attention with such positions can recognise the language with these verdicts.

    None if the row is open, the verdicts do not say, or a period is given and nothing is known of this one: a row with
    predicates MOD is about some period, and a formula needs one that all its moduli divide.
    """
    verdicts = tuple(verdicts)
    row = architecture(pattern, positions)
    if row.status == "open" or row.fragment is None:
        return None
    answer = implied(row.fragment, verdicts)
    period, window = positions.number, pattern.window
    if answer is not True or period is None:
        return answer
    if implied(pattern.fragment, verdicts):
        return True
    if window is not None and window > max(period, 1):  # some offsets of the window look alike
        return None
    formulas = [
        verdict.certificate.formula
        for verdict in verdicts
        if verdict.fragment <= row.fragment and isinstance(verdict.certificate, Definition)
    ]
    moduli = [{part.modulus for part in subformulas(formula) if isinstance(part, Mod)} for formula in formulas]
    return True if any(all(period % m == 0 for m in found) for found in moduli) else None


def _plain(pattern: AttentionPattern) -> Architecture:
    return Architecture(
        pattern.name, f"{pattern.kind} attention", pattern.fragment, None, "theorem", ARITHMETIC, pattern.source
    )


_JERAD = "Jerad et al. 2026, arXiv 2608.11909: periodic positions add the predicates MOD to LTL[P]"
_NOTES = "docs/positions.md, from Li & Cotterell 2026, arXiv 2605.00768"
_FIXED = "fixed precision, strict causal soft attention"
_PERIOD = f"{_FIXED}, positions looked up modulo a period, not less than the window"

_KNOWN: dict[tuple[PositionKind, Kind], tuple[Fragment | None, Status, str, str]] = {
    ("periodic-sinusoidal", "global"): (LTL_P_MOD, "theorem", _PERIOD, _JERAD),
    ("periodic-sinusoidal", "local"): (LTL_Y_MOD, "theorem", _PERIOD, _NOTES),
    ("periodic-sinusoidal", "hybrid"): (LTL_PY_MOD, "theorem", _PERIOD, _NOTES),
    ("periodic-rotary", "global"): (LTL_P_MOD, "theorem", _PERIOD, _JERAD),
    ("periodic-rotary", "local"): (LTL_Y, "theorem", f"{_PERIOD}, angles without rounding", _NOTES),
    ("periodic-rotary", "hybrid"): (LTL_PY_MOD, "theorem", _PERIOD, _NOTES),
    ("rotary", "local"): (LTL_Y, "theorem", f"{_FIXED}, angles without rounding", _NOTES),
    ("offset-bias", "local"): (LTL_Y, "theorem", f"{_FIXED}, a learned bias for each offset", _NOTES),
    ("offset-bias", "hybrid"): (LTL_PY, "theorem", f"{_FIXED}, a learned bias for each offset", _NOTES),
}
"""What is known of attention with positions: the logic, how well, for which arithmetic, from where."""


_OPEN: tuple[None, Status, str, str] = (
    None,
    "open",
    f"{_FIXED}, positions rounded to it",
    "docs/positions.md: what is missing",
)


def _with_positions(positions: PositionKind, kind: Kind) -> Architecture:
    fragment, status, arithmetic, source = _KNOWN.get((positions, kind), _OPEN)
    described = f"{kind} attention with " + (
        "a bias for each offset" if positions == "offset-bias" else f"{positions} positions"
    )
    return Architecture(f"{kind}-{positions}", described, fragment, None, status, arithmetic, source)


_WITH_POSITIONS = {
    (positions, kind): _with_positions(positions, kind)
    for positions in get_args(PositionKind)
    for kind in get_args(Kind)
    if positions != "none" and (positions, kind) != ("offset-bias", "global")
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
