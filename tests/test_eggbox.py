"""Egg-box pictures: what they show, that they are well-formed, safe, and the same on every run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge
from semigroups.eggbox import to_html, to_svg, to_text
from semigroups.eggbox_cells import boxes, element_name
from semigroups.green import green_structure
from semigroups.syntactic import SyntacticSemigroup, syntactic_semigroup
from tests.strategies import AB, dfas
from tests.test_transformations import full_transformations

BRANDT = DFA(AB, [[1, 2], [2, 0], [2, 2]], 0, [True, False, False])  # (ab)*
HOSTILE = ("</text><script>", "&\"'\n", "字\x00")


def transformations(degree: int, letters: tuple[str, ...] = ("a", "b", "c")) -> SyntacticSemigroup:
    accept = [state == 0 for state in range(degree)]
    return syntactic_semigroup(DFA(Alphabet.of(letters), full_transformations(degree).T, 0, accept))


def test_the_brandt_semigroup_in_text():
    """Rows aS = {a, ab}, bS = {b, ba}, columns Sa = {a, ba}, Sb = {b, ab}; aa is the zero."""
    assert to_text(syntactic_semigroup(BRANDT)).splitlines() == [
        "D0: 2 × 2 of 1, regular, above D1",
        "┌─────┬─────┐",
        "│ a   │ *ab │",
        "├─────┼─────┤",
        "│ *ba │ b   │",
        "└─────┴─────┘",
        "",
        "D1: 1 × 1 of 1, regular",
        "┌─────┐",
        "│ *aa │",
        "└─────┘",
    ]


def test_groups_are_named_and_long_classes_cut():
    text = to_text(transformations(4))
    headings = [line for line in text.splitlines() if line.startswith("D")]
    assert headings == [
        "D0: 1 × 1 of 24, group S4, above D1",
        "D1: 6 × 4 of 6, group S3, above D2",
        "D2: 7 × 6 of 2, group C2, above D3",
        "D3: 1 × 4 of 1, regular",
    ]
    assert "… 24 in all" in text
    assert text.count("*") == 1 + 12 + 24 + 4  # C(4, r) r^(4-r) idempotents of rank r
    assert [text.count(f"[{name}]") for name in ("S4", "S3", "C2")] == [1, 12, 24]


def test_a_nilpotent_semigroup_has_classes_that_are_not_regular():
    two_as = DFA(Alphabet.of("a"), [[1], [2], [3], [3]], 0, [False, False, True, False])
    headings = [box.heading for box in boxes(syntactic_semigroup(two_as))]
    assert headings == ["D0: 1 × 1 of 1, not regular, above D1", "D1: 1 × 1 of 1, not regular, above D2",
                        "D2: 1 × 1 of 1, regular"]  # fmt: skip


@given(dfas(max_states=3))
def test_every_picture_shows_every_class(dfa):
    syntactic = syntactic_semigroup(dfa)
    green = green_structure(syntactic.semigroup)
    drawn = boxes(syntactic)
    for box, d in zip(drawn, green, strict=True):
        cells = [cell for row in box.rows for cell in row]
        assert [len(box.rows), len(box.rows[0])] == [d.n_rows, d.n_columns]
        assert [cell.is_group for cell in cells] == (d.idempotents >= 0).ravel().tolist()
        if d.h_size <= 6:
            shown = {line.lstrip("*") for cell in cells for line in cell.lines if not line.startswith("[")}
            assert shown == {syntactic.word(s) for s in d.elements.tolist()}
    svg = ElementTree.fromstring(to_svg(syntactic))
    texts = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
    lines = [[box.heading, *(line for row in box.rows for cell in row for line in cell.lines)] for box in drawn]
    assert texts == [line for box in lines for line in box]
    groups = sum(int((d.idempotents >= 0).sum()) for d in green)
    assert to_svg(syntactic).count('<rect class="group"') == to_html(syntactic).count('<td class="group"') == groups
    assert len(list(svg.iter("{http://www.w3.org/2000/svg}line"))) == sum(len(box.covers) for box in drawn)


@pytest.mark.parametrize("syntactic", [transformations(4), transformations(3, HOSTILE)], ids=["plain", "hostile"])
def test_what_the_svg_draws_stays_in_its_place(syntactic):
    """Boxes do not overlap, texts begin inside of their cells, and all is inside of the picture."""
    svg = ElementTree.fromstring(to_svg(syntactic))
    width, height = int(svg.attrib["width"]), int(svg.attrib["height"])
    cells = []
    for part in svg:
        tag = part.tag.rpartition("}")[2]
        if tag == "rect" and part.attrib["class"] != "paper":
            x, y, w, h = (int(part.attrib[name]) for name in ("x", "y", "width", "height"))
            assert x >= 0
            assert y >= 0
            assert x + w <= width
            assert y + h <= height
            assert all(x >= a + c or a >= x + w or y >= b + d or b >= y + h for a, b, c, d in cells)
            cells.append((x, y, w, h))
        elif tag == "text" and not re.match(r"D\d+: ", part.text or ""):
            left, base = int(part.attrib["x"]), int(part.attrib["y"])
            x, y, w, h = cells[-1]
            assert x < left
            assert left + 8 * len(part.text or "") <= x + w
            assert y < base < y + h
        elif tag == "line":
            assert int(part.attrib["y1"]) < int(part.attrib["y2"]) <= height


class Structure(HTMLParser):
    """The tags of a fragment in order, and whether each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_hostile_letters_are_text():
    syntactic = transformations(3, HOSTILE)
    page = Structure()
    page.feed(to_html(syntactic))
    assert page.open == []
    allowed = {"section", "style", "table", "caption", "thead", "tbody", "tr", "th", "td", "br"}
    assert {tag for tag, _ in page.seen} == allowed
    assert all(attributes.get("scope") in ("row", "col") for tag, attributes in page.seen if tag == "th")
    assert sum(tag == "caption" for tag, _ in page.seen) == sum(tag == "table" for tag, _ in page.seen) == 3
    svg = ElementTree.fromstring(to_svg(syntactic))
    assert {part.tag.rpartition("}")[2] for part in svg.iter()} == {
        "svg", "title", "desc", "style", "rect", "line", "text",
    }  # fmt: skip
    assert svg.attrib["role"] == "img"
    assert all(line.isprintable() for line in to_text(syntactic).splitlines())
    assert "</text><script>" in to_text(syntactic)  # a plain letter, in a place where it is harmless


def test_no_script_no_reference_no_ids():
    for picture in (to_svg(transformations(3)), to_html(transformations(3))):
        assert not re.search(r"<script|\bid=|href|url\(|@import|\bon\w+=", picture)
        assert picture.count("http") == picture.count('xmlns="http://www.w3.org/2000/svg"')


def test_long_words_are_cut_and_numbered():
    sixty_as = DFA(Alphabet.of("a"), [[min(i + 1, 61)] for i in range(62)], 0, [i == 60 for i in range(62)])
    chain = syntactic_semigroup(sixty_as)
    assert element_name(chain, 23) == "a" * 24
    assert element_name(chain, 24) == f"s24: {'a' * 11}…{'a' * 11}"


def test_wide_letters_keep_the_lines_straight():
    text = to_text(syntactic_semigroup(DFA(Alphabet.of("字b"), [[1, 2], [2, 0], [2, 2]], 0, [True, False, False])))
    assert text.splitlines()[1:4] == ["┌──────┬──────┐", "│ 字   │ *字b │", "├──────┼──────┤"]


def test_too_large_pictures_are_refused():
    syntactic = transformations(4)
    n_cells = 1 + 6 * 4 + 7 * 6 + 4
    for draw in (to_text, to_html, to_svg):
        assert draw(syntactic, max_drawn=n_cells)
        with pytest.raises(TooLarge, match="raise max_drawn") as caught:
            draw(syntactic, max_drawn=n_cells - 1)
        assert caught.value.reached == n_cells


def test_the_empty_semigroup():
    empty = syntactic_semigroup(DFA(Alphabet(()), [[]], 0, [True]))
    for draw in (to_text, to_html, to_svg):
        assert "The semigroup has no elements." in draw(empty)
    ElementTree.fromstring(to_svg(empty))


def test_pictures_do_not_depend_on_hashes():
    code = (
        "from automata.alphabet import Alphabet; from automata.dfa import DFA; from semigroups import eggbox; "
        "from semigroups.syntactic import syntactic_semigroup as of; "
        "t3 = of(DFA(Alphabet.of('abc'), [[1, 1, 0], [2, 0, 0], [0, 2, 2]], 0, [True, False, False])); "
        "print(ascii([draw(t3) for draw in (eggbox.to_html, eggbox.to_svg, eggbox.to_text)]))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1")
    }
    assert len(found) == 1
    assert "group S3" in found.pop()
