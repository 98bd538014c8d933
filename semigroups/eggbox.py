"""Egg-box pictures of syntactic semigroups: text, SVG and HTML.

A D-class is a box; its rows are R-classes, its columns L-classes, its cells H-classes. Elements are named by their
least words, idempotents have a star, cells that are groups are shaded. D-classes are drawn from the top of the J-order
down.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from xml.sax.saxutils import escape

from semigroups.eggbox_cells import MAX_DRAWN, Box, Cell, boxes
from semigroups.syntactic import SyntacticSemigroup

_CHARACTER, _LINE, _MARGIN, _GAP = 8, 18, 8, 36  # pixels

_EMPTY = "The semigroup has no elements."

_SVG_STYLE = (
    ".eggbox{--ink:#1f2937;--paper:#ffffff;--shade:#ffe3c2}"
    "@media (prefers-color-scheme:dark){.eggbox{--ink:#e5e7eb;--paper:#111827;--shade:#5b3a16}}"
    ".eggbox text{font:13px ui-monospace,monospace;fill:var(--ink);white-space:pre}"
    ".eggbox line,.eggbox rect{stroke:var(--ink)}.eggbox line{stroke-opacity:.4}"
    ".eggbox .paper{fill:var(--paper);stroke:none}.eggbox .cell{fill:var(--paper)}.eggbox .group{fill:var(--shade)}"
)

_HTML_STYLE = (
    ".eggbox table{border-collapse:collapse;margin:0 0 1.5em}.eggbox caption{text-align:left;padding:.25em 0}"
    ".eggbox th,.eggbox td{border:1px solid currentColor;padding:.25em .5em;text-align:left;vertical-align:top}"
    ".eggbox th{font-weight:normal;opacity:.7}.eggbox td{font-family:ui-monospace,monospace}"
    ".eggbox .group{background:rgb(255 150 50/.25)}"
)


def to_text(syntactic: SyntacticSemigroup, max_drawn: int = MAX_DRAWN) -> str:
    """Draw the D-classes with box characters. Raise `TooLarge` if there are more than `max_drawn` H-classes.

    >>> from automata.alphabet import Alphabet
    >>> from automata.dfa import DFA
    >>> from semigroups.syntactic import syntactic_semigroup
    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> print(to_text(syntactic_semigroup(ends_with_a)))
    D0: 1 × 2 of 1, regular
    ┌────┬────┐
    │ *a │ *b │
    └────┴────┘
    """
    drawn = boxes(syntactic, max_drawn)
    return "\n\n".join("\n".join(_text_lines(box)) for box in drawn) if drawn else _EMPTY


def _text_lines(box: Box) -> Iterator[str]:
    widths = _column_widths(box)
    rules = ["─" * (width + 2) for width in widths]
    yield box.heading
    yield f"┌{'┬'.join(rules)}┐"
    for i, row in enumerate(box.rows):
        if i:
            yield f"├{'┼'.join(rules)}┤"
        for line in range(max(len(cell.lines) for cell in row)):
            texts = [cell.lines[line] if line < len(cell.lines) else "" for cell in row]
            padded = [text + " " * (width - _width(text)) for text, width in zip(texts, widths, strict=True)]
            yield f"│ {' │ '.join(padded)} │"
    yield f"└{'┴'.join(rules)}┘"


def to_html(syntactic: SyntacticSemigroup, max_drawn: int = MAX_DRAWN) -> str:
    """Draw the D-classes as tables in an HTML fragment, complete in itself: no script, no reference, no ids.

    Raise `TooLarge` if there are more than `max_drawn` H-classes.
    """
    drawn = boxes(syntactic, max_drawn)
    tables = "\n".join(map(_table, drawn)) if drawn else f"<p>{_EMPTY}</p>"
    return (
        f'<section class="eggbox" aria-label="Egg-box picture">\n<style>{_HTML_STYLE}</style>\n{tables}\n</section>\n'
    )


def _table(box: Box) -> str:
    heads = "".join(f'<th scope="col">L{j}</th>' for j in range(1, len(box.rows[0]) + 1))
    lines = [f"<table>\n<caption>{escape(box.heading)}</caption>", f"<thead><tr><td></td>{heads}</tr></thead>\n<tbody>"]
    for i, row in enumerate(box.rows, start=1):
        cells = "".join(map(_table_cell, row))
        lines.append(f'<tr><th scope="row">R{i}</th>{cells}</tr>')
    return "\n".join([*lines, "</tbody>\n</table>"])


def _table_cell(cell: Cell) -> str:
    tag = '<td class="group">' if cell.is_group else "<td>"
    return f"{tag}{'<br>'.join(map(escape, cell.lines))}</td>"


def to_svg(syntactic: SyntacticSemigroup, max_drawn: int = MAX_DRAWN) -> str:
    """Draw the D-classes as SVG, complete in itself, for light and dark surroundings: no script, no reference, no ids.

    D-classes of one level stand side by side, lines lead to the classes next below. The description says in words
    what the picture shows. Raise `TooLarge` if there are more than `max_drawn` H-classes.
    """
    drawn = boxes(syntactic, max_drawn)
    levels = [list(level) for _, level in groupby(drawn, key=lambda box: box.level)]
    widths = [sum(map(_box_width, level)) + _GAP * (len(level) - 1) for level in levels]
    total = max(widths, default=_CHARACTER * len(_EMPTY))
    places: dict[int, tuple[int, int]] = {}
    y = _GAP
    for level, width in zip(levels, widths, strict=True):
        x = _GAP + (total - width) // 2
        for box in level:
            places[box.number] = (x, y)
            x += _box_width(box) + _GAP
        y += max(map(_box_height, level)) + _GAP
    body = [line for box in drawn for line in _svg_lines(box, drawn, places)]
    body += [part for box in drawn for part in _svg_box(box, *places[box.number])]
    if not drawn:
        body.append(f'<text x="{_GAP}" y="{_GAP}">{_EMPTY}</text>')
    size = f'width="{total + 2 * _GAP}" height="{y}"'
    description = "; ".join(box.heading for box in drawn) or _EMPTY
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="eggbox" role="img" {size} '
        f'viewBox="0 0 {total + 2 * _GAP} {y}">',
        f"<title>Egg-box picture of {len(syntactic)} elements</title>",
        f"<desc>{escape(description)}</desc>",
        f"<style>{_SVG_STYLE}</style>",
        '<rect class="paper" width="100%" height="100%"/>',
    ]
    return "\n".join([*head, *body, "</svg>"]) + "\n"


def _svg_lines(box: Box, drawn: list[Box], places: dict[int, tuple[int, int]]) -> Iterator[str]:
    x, y = places[box.number]
    for lower in box.covers:
        low_x, low_y = places[lower]
        ends = f'x1="{x + _box_width(box) // 2}" y1="{y + _box_height(box)}"'
        yield f'<line {ends} x2="{low_x + _box_width(drawn[lower]) // 2}" y2="{low_y}"/>'


def _svg_box(box: Box, x: int, y: int) -> Iterator[str]:
    yield f'<text x="{x}" y="{y + _LINE - 5}">{escape(box.heading)}</text>'
    y += _LINE + 2
    columns = [_CHARACTER * width + 2 * _MARGIN for width in _column_widths(box)]
    for row in box.rows:
        height = _row_height(row)
        left = x
        for cell, width in zip(row, columns, strict=True):
            kind = "group" if cell.is_group else "cell"
            yield f'<rect class="{kind}" x="{left}" y="{y}" width="{width}" height="{height}"/>'
            for i, line in enumerate(cell.lines):
                yield f'<text x="{left + _MARGIN}" y="{y + _MARGIN + _LINE * i + 13}">{escape(line)}</text>'
            left += width
        y += height


def _box_width(box: Box) -> int:
    cells = sum(_CHARACTER * width + 2 * _MARGIN for width in _column_widths(box))
    return max(cells, _CHARACTER * _width(box.heading))


def _box_height(box: Box) -> int:
    return _LINE + 2 + sum(map(_row_height, box.rows))


def _row_height(row: tuple[Cell, ...]) -> int:
    return _LINE * max(len(cell.lines) for cell in row) + 2 * _MARGIN


def _column_widths(box: Box) -> list[int]:
    return [max(_width(line) for cell in column for line in cell.lines) for column in zip(*box.rows, strict=True)]


def _width(text: str) -> int:
    """Return the columns that a text takes in a fixed-width font: wide characters two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
