"""The table of varieties: classes of languages that equations define, and which contains which."""

from __future__ import annotations

from collections.abc import Mapping

from semigroups.local_varieties import LOCAL_VARIETIES
from semigroups.variety_row import Variety
from semigroups.whole_varieties import WHOLE_VARIETIES

VARIETIES: Mapping[str, Variety] = {row.name: row for row in WHOLE_VARIETIES + LOCAL_VARIETIES}
"""The varieties by name."""


def consequences(answers: Mapping[str, bool]) -> dict[str, bool]:
    """Return what answers about some varieties imply about all: members stay so upwards, non-members downwards.

    >>> found = consequences({"definite": True, "R-trivial": False})
    >>> found["locally testable"], found["piecewise testable"], "solvable" in found, "group" in found
    (True, False, True, False)
    """
    found = {name: answer for name, answer in answers.items() if name in VARIETIES}
    for name, above in _ABOVE.items():
        if found.get(name):
            found |= dict.fromkeys(above, True)
    for name, above in _ABOVE.items():
        if any(answers.get(larger) is False for larger in above):
            found[name] = False
    return {name: found[name] for name in VARIETIES if name in found}


def _above(name: str) -> frozenset[str]:
    """Return the names of all classes of the table that contain a class, itself among them."""
    found = {name}
    waiting = [name]
    while waiting:
        new = set(VARIETIES[waiting.pop()].implies) - found
        found |= new
        waiting += sorted(new)
    return frozenset(found)


_ABOVE: Mapping[str, frozenset[str]] = {name: _above(name) for name in VARIETIES}
