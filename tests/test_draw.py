"""Pictures: what they show, that they are safe and legible, and that they never hang."""

import os
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.draw import MAX_DRAWN, View, to_png, to_svg
from automata.errors import TooLarge, ToolkitError
from tests.hostile import hostile_dfas
from tests.strategies import AB

SVG = "{http://www.w3.org/2000/svg}"
# Contains ab, and a rejecting sink after c.
WITH_SINK = DFA(Alphabet.of("abc"), [[1, 0, 3], [1, 2, 3], [2, 2, 3], [3, 3, 3]], 0, [False, False, True, False])


def groups(svg: str, kind: str) -> dict[str, ElementTree.Element]:
    """The states or arrows of a picture by their titles."""
    root = ElementTree.fromstring(svg)
    found = [group for group in root.iter(f"{SVG}g") if group.get("class") == kind]
    return {group.findtext(f"{SVG}title", ""): group for group in found}


def shown(group: ElementTree.Element) -> list[str]:
    return [(text.text or "").strip() for text in group.iter(f"{SVG}text")]


def test_states_arrows_and_letters_are_shown():
    svg = to_svg(WITH_SINK)
    states = groups(svg, "node")
    assert {title: shown(group) for title, group in states.items()} == {
        "state 0": ["0"],
        "state 1": ["1"],
        "state 2, accepting": ["2"],
        "state 3": ["3"],
    }
    borders = {title: len(group.findall(f"{SVG}ellipse")) for title, group in states.items()}
    assert borders == {"state 0": 1, "state 1": 1, "state 2, accepting": 2, "state 3": 1}
    assert {title: shown(group) for title, group in groups(svg, "edge").items()} == {
        "start": [],
        "0 to 1: a": ["a"],
        "0 to 0: b": ["b"],
        "0 to 3: c": ["c"],
        "1 to 1: a": ["a"],
        "1 to 2: b": ["b"],
        "1 to 3: c": ["c"],
        "2 to 2: a, b": ["a, b"],
        "2 to 3: c": ["c"],
        "3 to 3: a, b, c": ["a, b, c"],
    }


def test_the_picture_runs_from_left_to_right_from_the_start():
    places = {title: float(group[1].get("cx", "")) for title, group in groups(to_svg(WITH_SINK), "node").items()}
    assert places["state 0"] < places["state 1"] < places["state 2, accepting"]


def test_title_and_description_say_what_is_shown():
    root = ElementTree.fromstring(to_svg(WITH_SINK))
    assert root.get("role") == "img"
    assert root.tag == f"{SVG}svg"
    assert (root[0].tag, root[0].text) == (f"{SVG}title", "Automaton with 4 states over {a, b, c}")
    assert (root[1].tag, root[1].text) == (f"{SVG}desc", "The start state is 0; accepting: 2.")


def test_the_sink_is_dimmed_or_left_out():
    dimmed = groups(to_svg(WITH_SINK), "node")["state 3"].find(f"{SVG}ellipse")
    plain = groups(to_svg(WITH_SINK), "node")["state 1"].find(f"{SVG}ellipse")
    assert dimmed is not None
    assert plain is not None
    assert dimmed.get("stroke-dasharray")
    assert not plain.get("stroke-dasharray")
    hidden = to_svg(WITH_SINK, View(hide_sink=True))
    assert set(groups(hidden, "node")) == {"state 0", "state 1", "state 2, accepting"}
    assert not any("3" in title for title in groups(hidden, "edge"))
    # The start of the empty language is no sink to hide.
    assert set(groups(to_svg(DFA(AB, [[0, 0]], 0, [False]), View(hide_sink=True)), "node")) == {"state 0"}


def test_highlights_stand_out_and_must_exist():
    svg = to_svg(WITH_SINK, View(highlight_states=[1], highlight_edges=[(0, 1), (1, 1)]))
    lit = {
        title
        for kind in ("node", "edge")
        for title, group in groups(svg, kind).items()
        if group[1].get("stroke-width") == "2"
    }
    assert lit == {"state 1", "0 to 1: a", "1 to 1: a"}
    with pytest.raises(ToolkitError, match=r"cannot highlight state 4; states are 0\.\.3"):
        to_svg(WITH_SINK, View(highlight_states=[4]))
    with pytest.raises(ToolkitError, match="cannot highlight the edge from state 1 to 0: there is none"):
        to_png(WITH_SINK, View(highlight_edges=[(1, 0)]))


@pytest.mark.parametrize(
    ("letters", "label"),
    [
        ("abcdefghijklmnopqrstuvwxyz", "any letter"),
        ("bcdefghijklmnopqrstuvwxyz", "all but a"),
        ("abcde", "a, b, c, d, e"),
        ("abcdefgh", "a, b, c, d, e, f, g, h"),
        ("abcdefghijklmn", "a, b, c, … (14 letters)"),
    ],
)
def test_long_lists_are_shown_in_short_and_told_in_full(letters, label):
    alphabet = Alphabet.of("abcdefghijklmnopqrstuvwxyz")
    row = [int(letter in letters) for letter in alphabet]
    arrows = groups(to_svg(DFA(alphabet, [row, [1] * 26], 0, [False, True])), "edge")
    title = f"0 to 1: {', '.join(letters)}"
    assert shown(arrows[title]) == [label]


def test_long_names_and_letters_are_cut():
    dfa = DFA(Alphabet(("x" * 50_000,)), [[0]], 0, [True], ["y" * 50_000])
    svg = to_svg(dfa)
    assert len(svg) < 5000 + len(dfa.alphabet.letters[0])
    assert {len(text) for group in groups(svg, "node").values() for text in shown(group)} == {24}


@given(hostile_dfas())
def test_any_letters_and_names_make_a_safe_picture(dfa):
    svg = to_svg(dfa)
    root = ElementTree.fromstring(svg.encode("utf-8"))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "g", "title", "desc", "text", "ellipse", "path", "polygon")
    }
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not [name for name in attributes if "href" in name or name.startswith("on") or name in ("id", "style")]
    assert re.findall('https?://[^" ]*', re.sub(">[^<]*<", "><", svg)) == ["http://www.w3.org/2000/svg"]
    assert "<!" not in svg
    assert len([g for g in root.iter(f"{SVG}g") if g.get("class") == "node"]) == dfa.n_states
    arrows = {(q, int(target)) for q in range(dfa.n_states) for target in dfa.delta[q]}
    assert len([g for g in root.iter(f"{SVG}g") if g.get("class") == "edge"]) == len(arrows) + 1


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def test_every_line_and_text_has_contrast_on_its_own_white_ground():
    """At least 4.5 to 1, as the Web Content Accessibility Guidelines ask, whatever page the picture stands on."""
    svg = to_svg(WITH_SINK, View(highlight_states=[1], highlight_edges=[(0, 1)]))
    root = ElementTree.fromstring(svg)
    ground = root.find(f"{SVG}g/{SVG}polygon")
    assert ground is not None
    assert (ground.get("fill"), ground.get("stroke")) == ("#ffffff", "none")
    fills = {e.get("fill", "") for e in root.iter(f"{SVG}ellipse")} - {"none"}
    inks = {e.get("stroke", "") for e in root.iter() if e.get("stroke")} | {
        e.get("fill", "") for e in root.iter(f"{SVG}text")
    }
    inks -= {"none", "transparent"}
    assert len(inks) == 3
    for ink in inks:
        assert 1.05 / (luminance(ink) + 0.05) >= 4.5
    darkest_text = min(luminance(ink) for ink in inks)
    for fill in fills:
        assert (luminance(fill) + 0.05) / (darkest_text + 0.05) >= 4.5


def pixels(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and the raw rows of a PNG."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    place, data, size = 8, b"", (0, 0)
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        body = png[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        elif kind == b"IDAT":
            data += body
        place += 12 + length
    return (*size, zlib.decompress(data))


def test_png_has_the_size_of_the_svg_and_shows_the_letters():
    root = ElementTree.fromstring(to_svg(WITH_SINK))
    width, height, drawn = pixels(to_png(WITH_SINK, dots_per_inch=144))
    assert width == pytest.approx(2 * float(root.get("width", "").removesuffix("pt")), abs=3)
    assert height == pytest.approx(2 * float(root.get("height", "").removesuffix("pt")), abs=3)
    other = DFA(Alphabet.of("abd"), WITH_SINK.delta, 0, WITH_SINK.accept)
    assert pixels(to_png(other))[2] != drawn


def test_a_machine_without_fonts_draws_the_same_picture(tmp_path):
    """Also with a font configuration of its own; and the caller's environment is as it was."""
    nothing = tmp_path / "fonts.conf"
    nothing.write_text('<?xml version="1.0"?><fontconfig></fontconfig>')
    program = """
import os, sys
from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.draw import to_png, to_svg
before = dict(os.environ)
dfa = DFA(Alphabet(("é", "∅", "W")), [[1, 0, 0], [1, 1, 0]], 0, [False, True])
sys.stdout.buffer.write(to_svg(dfa).encode() + to_png(dfa))
assert dict(os.environ) == before
"""
    path = {"PYTHONPATH": str(Path(__file__).parents[1])}
    runs = [
        subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
        for environment in (
            {**os.environ, **path},
            {**os.environ, **path, "FONTCONFIG_FILE": str(nothing), "HOME": str(tmp_path)},
        )
    ]
    assert runs[0].stdout == runs[1].stdout
    assert [run.stderr for run in runs] == [b"", b""]


def test_too_large_a_picture_is_refused_at_once():
    n = MAX_DRAWN + 1
    chain = DFA(Alphabet.of("a"), np.minimum(np.arange(n) + 1, n - 1)[:, None], 0, np.arange(n) == n - 1)
    with pytest.raises(TooLarge, match=r"states of the picture: .* raise max_drawn"):
        to_svg(chain)
    assert len(groups(to_svg(chain, View(max_drawn=n)), "edge")) == n + 1
    size = 20
    letters = Alphabet(tuple(map(str, range(size))))
    full = DFA(letters, np.tile(np.arange(size), (size, 1)), 0, [True] * size)
    with pytest.raises(TooLarge, match="arrows of the picture") as caught:
        to_png(full)
    assert (caught.value.reached, caught.value.limit) == (size * size, MAX_DRAWN)


def test_other_pictures_before_it_change_nothing():
    before = to_svg(WITH_SINK), to_png(WITH_SINK)
    to_png(DFA(AB, [[0, 0]], 0, [True], ["a long name"]), View(highlight_states=[0]), dots_per_inch=300)
    assert (to_svg(WITH_SINK), to_png(WITH_SINK)) == before


def test_the_empty_alphabet_has_a_picture():
    svg = to_svg(DFA(Alphabet(()), [[]], 0, [True]))
    assert set(groups(svg, "edge")) == {"start"}
