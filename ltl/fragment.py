"""Fragments of past temporal logic: which temporal operators a formula may use."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass

from automata.errors import ParseError, ToolkitError
from ltl.formula import Formula, Mod, Past, Since, Yesterday, subformulas


@dataclass(frozen=True)
class Fragment:
    """The set of formulas over letters, Boolean operators and some of P, Y<=k, S and the predicates MOD(r,m).

    `past` tells whether P is there, `window` which Y<=k is (None: no Y), `since` whether S is, `modular` whether
    MOD(r,m) is, for every m. Strict since defines P and Y (`P f` is `true S f`, `Y f` is `false S f`), so with `since`
    the two are set to True and 1, and the only such fragments are LTL[S] and LTL[S,MOD]. Likewise MOD and Y<=k define
    Y, since for any m >= k `Y f` is the disjunction, over the residues r of m, of
    `MOD(r,m) & Y<=k (MOD(r-1,m) & f)` [Li & Cotterell 2026]. So with `modular` any window is set to 1.

    `f <= g` iff g's operators define f's. The order of the windows is turned round: Y<=k defines Y<=(k+1), since
    `Y<=(k+1) f` is `Y<=k f | (Y<=k true & !Y<=k !Y<=k f)`, while Y<=(k+1) does not define Y<=k over two or more
    letters. So LTL[Y] is the greatest of the LTL[Y<=k]. The order is partial: P, Y and MOD do not define each other.

    >>> LTL_P <= LTL_PY, LTL_P <= LTL_Y, Fragment(past=False, window=2) <= LTL_Y
    (True, False, True)
    >>> Fragment(past=True, window=2).name, LTL_S.name
    ('LTL[P,Y<=2]', 'LTL[S]')
    >>> Fragment(past=False, window=2, modular=True) == LTL_Y_MOD
    True
    """

    past: bool
    window: int | None
    since: bool = False
    modular: bool = False

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
            if self.modular:
                object.__setattr__(self, "window", 1)

    @property
    def name(self) -> str:
        """Name in the notation of the literature; LTL[] has no temporal operator. `parse_fragment` reads it back."""
        operators = ["S"] if self.since else ["P"] if self.past else []
        if self.window is not None and not self.since:
            operators.append("Y" if self.window == 1 else f"Y<={self.window}")
        if self.modular:
            operators.append("MOD")
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
        if self.modular and not other.modular:
            return False
        return self.window is None or (other.window is not None and other.window <= self.window)

    def __lt__(self, other: Fragment) -> bool:
        return self != other and self <= other


LTL_P = Fragment(past=True, window=None)
LTL_Y = Fragment(past=False, window=1)
LTL_PY = Fragment(past=True, window=1)
LTL_S = Fragment(past=True, window=1, since=True)
LTL_P_MOD = Fragment(past=True, window=None, modular=True)
LTL_Y_MOD = Fragment(past=False, window=1, modular=True)
LTL_PY_MOD = Fragment(past=True, window=1, modular=True)
LTL_S_MOD = Fragment(past=True, window=1, since=True, modular=True)


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
        modular=any(isinstance(f, Mod) for f in nodes),
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
    past, since, modular, windows = False, False, False, set[int]()
    place = outside.start(1)
    for part in outside[1].split(",") if outside[1].strip() else []:
        found = re.fullmatch(r"\s*(?:(P)|(S)|(MOD)|(Y)\s*(?:(?:<=|≤)\s*([0-9]{1,18}))?)\s*", part)
        if not found or (found[5] and not int(found[5])):
            expected = ["P", "Y", "Y<=k with k >= 1", "S", "MOD"]
            raise ParseError(text, place, expected, f"unknown operator {part.strip()!r}")
        past, since, modular = past or bool(found[1]), since or bool(found[2]), modular or bool(found[3])
        if found[4]:
            windows.add(int(found[5] or 1))
        place += len(part) + 1
    return Fragment(past, min(windows, default=None), since, modular)
