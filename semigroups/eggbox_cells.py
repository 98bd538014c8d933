"""What an egg-box picture of a syntactic semigroup shows, whatever it is drawn as."""

from __future__ import annotations

from dataclasses import dataclass

from automata.errors import TooLarge
from automata.labels import show_letter
from semigroups.green import DClass, covers, green_structure
from semigroups.syntactic import SyntacticSemigroup

MAX_DRAWN = 1000
"""H-classes of the largest picture unless the caller says otherwise."""

_LISTED = 6  # elements of an H-class that are listed
_LONG = 24  # characters that the name of an element may have


@dataclass(frozen=True)
class Cell:
    """An H-class: its lines of text, a star at the idempotent, and whether it is a group."""

    lines: tuple[str, ...]
    is_group: bool


@dataclass(frozen=True)
class Box:
    """A D-class: a heading, its H-classes in rows (R-classes) and columns (L-classes), its level, 0 at the top.

    `covers` are the numbers of the D-classes next below it in the J-order.
    """

    number: int
    heading: str
    rows: tuple[tuple[Cell, ...], ...]
    level: int
    covers: tuple[int, ...]


def boxes(syntactic: SyntacticSemigroup, max_drawn: int = MAX_DRAWN) -> list[Box]:
    """Return the D-classes from the top down; raise `TooLarge` if there are more than `max_drawn` H-classes."""
    n_cells = int(syntactic.semigroup.h_classes.max(initial=-1)) + 1
    if n_cells > max_drawn:
        raise TooLarge("egg-box picture, H-classes", n_cells, max_drawn, "max_drawn")
    green = green_structure(syntactic.semigroup)
    below: dict[int, list[int]] = {}
    for upper, lower in covers(green):
        below.setdefault(upper, []).append(lower)
    return [_box(syntactic, d, int(green.levels[d.number]), tuple(below.get(d.number, ()))) for d in green]


def _box(syntactic: SyntacticSemigroup, d: DClass, level: int, below: tuple[int, ...]) -> Box:
    group = d.group
    shape = f"{d.n_rows} × {d.n_columns} of {d.h_size}"
    kind = "not regular" if group is None else f"group {group.name}" if d.h_size > 1 else "regular"
    order = f", above {', '.join(f'D{number}' for number in below)}" if below else ""
    name = group.name if group is not None and d.h_size > 1 else ""
    cells = zip(d.cells.tolist(), d.idempotents.tolist(), strict=True)
    rows = tuple(
        tuple(_cell(syntactic, elements, idempotent, name) for elements, idempotent in zip(*row, strict=True))
        for row in cells
    )
    return Box(d.number, f"D{d.number}: {shape}, {kind}{order}", rows, level, below)


def _cell(syntactic: SyntacticSemigroup, elements: list[int], idempotent: int, group: str) -> Cell:
    """Lay out one H-class: the idempotent first, then the other elements by their least words."""
    others = [element for element in elements if element != idempotent]
    lines = [] if idempotent < 0 else [f"*{element_name(syntactic, idempotent)}"]
    lines += [element_name(syntactic, element) for element in others[: _LISTED - len(lines)]]
    if len(lines) < len(elements):
        lines.append(f"… {len(elements)} in all")
    if group and idempotent >= 0:
        lines.append(f"[{group}]")
    return Cell(tuple(lines), idempotent >= 0)


def element_name(syntactic: SyntacticSemigroup, element: int) -> str:
    """Name an element by its least word; a long word is cut in the middle and led by the element's number.

    Letters that are not plain are quoted; the letters of a word are spaced if any is quoted or longer than one.
    """
    shown = [show_letter(letter) for letter in syntactic.word(element)]
    spaced = any(len(show_letter(letter)) > 1 for letter in syntactic.alphabet)
    name = (" " if spaced else "").join(shown)
    if len(name) <= _LONG:
        return name
    half = (_LONG - 1) // 2
    return f"s{element}: {name[:half]}…{name[-half:]}"
