"""Fragments of past temporal logic: which temporal operators a formula may use."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass

from automata.errors import ParseError, ToolkitError
from ltl.formula import Formula, Past, Since, Yesterday, subformulas


@dataclass(frozen=True)
class Fragment:
    """The set of formulas over letters, Boolean operators and some of P, Y<=k and S.

    `past` tells whether P is there, `window` which Y<=k is (None: no Y), `since` whether S is. Strict since defines the
    others (`P f` is `true S f`, `Y f` is `false S f`), so with `since` the two are set to True and 1, and the only
    such fragment is LTL[S].

    `f <= g` iff g's operators define f's. The order of the windows is turned round: Y<=k defines Y<=(k+1), since
    `Y<=(k+1) f` is `Y<=k f | (Y<=k true & !Y<=k !Y<=k f)`, while Y<=(k+1) does not define Y<=k over two or more
    letters. So LTL[Y] is the greatest of the LTL[Y<=k]. The order is partial: P and Y do not define each other.

    >>> LTL_P <= LTL_PY, LTL_P <= LTL_Y, Fragment(past=False, window=2) <= LTL_Y
    (True, False, True)
    >>> Fragment(past=True, window=2).name, LTL_S.name
    ('LTL[P,Y<=2]', 'LTL[S]')
    """

    past: bool
    window: int | None
    since: bool = False

    def __post_init__(self) -> None:
        if self.since:
            object.__setattr__(self, "past", True)
            object.__setattr__(self, "window", 1)
        if self.window is not None:
            try:
                object.__setattr__(self, "window", operator.index(self.window))
            except TypeError:
                raise ToolkitError(f"a window is a whole number or None, not {self.window!r}") from None
            if self.window < 1:
                raise ToolkitError(f"a window of {self.window} positions sees nothing; the least is 1")

    @property
    def name(self) -> str:
        """Name in the notation of the literature; LTL[] has no temporal operator. `parse_fragment` reads it back."""
        if self.since:
            return "LTL[S]"
        operators = ["P"] if self.past else []
        if self.window is not None:
            operators.append("Y" if self.window == 1 else f"Y<={self.window}")
        return f"LTL[{','.join(operators)}]"

    def __str__(self) -> str:
        return self.name

    def __le__(self, other: Fragment) -> bool:
        if not isinstance(other, Fragment):
            return NotImplemented
        if self.since and not other.since:
            return False
        if self.past and not other.past:
            return False
        return self.window is None or (other.window is not None and other.window <= self.window)

    def __lt__(self, other: Fragment) -> bool:
        return self != other and self <= other


LTL_P = Fragment(past=True, window=None)
LTL_Y = Fragment(past=False, window=1)
LTL_PY = Fragment(past=True, window=1)
LTL_S = Fragment(past=True, window=1, since=True)


def fragment_of(formula: Formula) -> Fragment:
    """Return the least fragment whose operators define those that the formula uses.

    Of several windows it is the least one, which defines the others. The formula is taken as it is written: an
    equivalent one may lie in a smaller fragment.

    >>> from ltl.formula import Letter
    >>> a = Letter("a")
    >>> fragment_of(Past(a) & Yesterday(a, 3) & Yesterday(a, 2)).name
    'LTL[P,Y<=2]'
    """
    nodes = subformulas(formula)
    return Fragment(
        past=any(isinstance(f, Past) for f in nodes),
        window=min((f.window for f in nodes if isinstance(f, Yesterday)), default=None),
        since=any(isinstance(f, Since) for f in nodes),
    )


def parse_fragment(text: str) -> Fragment:
    """Return the fragment of a name such as "LTL[P,Y<=2]"; the order of the operators is free.

    Raise `ParseError`.

    >>> parse_fragment("LTL[P, Y<=2]") == Fragment(past=True, window=2)
    True
    """
    outside = re.fullmatch(r"\s*LTL\s*\[(.*)\]\s*", text)
    if not outside:
        raise ParseError(
            text, 0, ["a name such as LTL[P], LTL[Y], LTL[P,Y<=2] or LTL[S]"], "not the name of a fragment"
        )
    past, since, windows = False, False, set[int]()
    place = outside.start(1)
    for part in outside[1].split(",") if outside[1].strip() else []:
        found = re.fullmatch(r"\s*(?:(P)|(S)|(Y)\s*(?:(?:<=|≤)\s*([0-9]{1,18}))?)\s*", part)
        if not found or found[4] == "0":
            raise ParseError(text, place, ["P", "Y", "Y<=k with k >= 1", "S"], f"unknown operator {part.strip()!r}")
        past, since = past or bool(found[1]), since or bool(found[2])
        if found[3]:
            windows.add(int(found[4] or 1))
        place += len(part) + 1
    return Fragment(past, min(windows, default=None), since)
