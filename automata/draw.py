"""Pictures of automata, SVG and PNG, laid out by Graphviz from left to right.

The same automaton gives the same bytes on every run: text is measured and drawn in DejaVu Sans, which comes with
matplotlib, so that a machine needs no fonts of its own. In a PNG, letters of scripts that this font lacks (Chinese,
emoji) show as boxes; an SVG names them as text, for the reader's fonts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from xml.sax.saxutils import escape as escape_xml

import numpy as np

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.dot_format import escape, merge_edges, quote
from automata.errors import TooLarge, ToolkitError
from automata.graph import rejecting_sinks
from automata.labels import show_letters, show_name

MAX_DRAWN = 150
"""States, and arrows, of the largest picture unless the caller says otherwise; 200 arrows may take ten seconds."""

_INK, _DIM, _ACCENT, _ACCENT_FILL, _PAPER = "#1f2937", "#757575", "#b34700", "#ffe3c2", "#ffffff"
_FONT = "DejaVu Sans"
_FALLBACKS = "DejaVu Sans,Verdana,sans-serif"  # Verdana has almost the same widths
_LONG = 24  # characters that a label may have
_SHORT_LIST = 14  # characters of letters that are listed even where "any letter" would do


@dataclass(frozen=True)
class View:
    """What a picture shows of an automaton.

    `highlight_states` and `highlight_edges`, pairs (source, target), are drawn in colour. The rejecting sink, if
    there is one, is dimmed, or with `hide_sink` left out. More than `max_drawn` states or arrows raise `TooLarge`.
    """

    highlight_states: Collection[int] = ()
    highlight_edges: Collection[tuple[int, int]] = ()
    hide_sink: bool = False
    max_drawn: int = MAX_DRAWN


def to_svg(dfa: DFA, view: View | None = None) -> str:
    """Draw an automaton as SVG, complete in itself: no script, no reference, no ids.

    Accepting states have a double border, an arrow from nowhere marks the start, letters with the same arrow are
    listed on it, long lists in short. Black on white, so that it reads on any page. The title and the description
    say in words what the picture shows, and so do those of its states and arrows. Raise `TooLarge` (see `View`).
    """
    drawing = _render(_picture(dfa, view or View()), "svg").decode("utf-8")
    names = _state_labels(dfa)
    arrows = merge_edges(dfa)

    def title(found: re.Match[str]) -> str:
        source = int(found[1])
        if found[2] is None:
            accepting = ", accepting" if dfa.accept[source] else ""
            text = f"state {names[source]}{accepting}"
        else:
            target = int(found[2])
            text = f"{names[source]} to {names[target]}: {_cut(show_letters(arrows[source, target]), 1000)}"
        return f"<title>{escape_xml(text)}</title>"

    drawing = drawing[drawing.index("<svg") :]
    drawing = re.sub(r"<!--.*?-->\n?", "", drawing, flags=re.DOTALL)
    drawing = re.sub(r'<g id="[a-z]+[0-9]+" class=', "<g class=", drawing)
    drawing = drawing.replace(f"<title>start&#45;&gt;{dfa.start}</title>", "<title>start</title>")
    drawing = re.sub(r"<title>([0-9]+)(?:&#45;&gt;([0-9]+))?</title>", title, drawing)
    drawing = drawing.replace(f'font-family="{_FONT}"', f'font-family="{_FALLBACKS}"')
    drawing = drawing.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', ' role="img"', 1)
    heading, description = _in_words(dfa)
    inserted = f">\n<title>{escape_xml(heading)}</title>\n<desc>{escape_xml(description)}</desc>\n"
    return drawing.replace(">\n", inserted, 1)


def to_png(dfa: DFA, view: View | None = None, dots_per_inch: int = 144) -> bytes:
    """Draw an automaton as PNG, like `to_svg`."""
    return _render(_picture(dfa, view or View(), dots_per_inch), "png")


def _picture(dfa: DFA, view: View, dots_per_inch: int = 72) -> str:
    """Write the DOT text of a picture."""
    arrows = merge_edges(dfa)
    _check(dfa, view, arrows)
    sink = _rejecting_sink(dfa)
    hidden = sink if view.hide_sink else None
    labels = _state_labels(dfa)
    small = all(len(label) <= 3 for label in labels)
    font = f"fontname={quote(_FONT)}, fontsize=12, fontcolor={quote(_INK)}, color={quote(_INK)}"
    lines = [
        f"rankdir=LR; bgcolor={quote(_PAPER)}; dpi={dots_per_inch}; pad=0.1; nodesep=0.3; ranksep=0.5",
        f"node [shape={'circle' if small else 'ellipse'}, margin=0.06, width=0.45, height=0.45, {font}]",
        f"edge [arrowsize=0.7, {font}]",
        "{ rank=source; start [shape=point, width=0.01, style=invis] }",
    ]
    for q, label in enumerate(labels):
        if q == hidden:
            continue
        look = [f"label={quote(escape(label))}"]
        if dfa.accept[q]:
            look.append("peripheries=2")
        if q in view.highlight_states:
            look.append(f"style=filled, fillcolor={quote(_ACCENT_FILL)}, color={quote(_ACCENT)}, penwidth=2")
        elif q == sink:
            look.append(f"style=dashed, color={quote(_DIM)}, fontcolor={quote(_DIM)}")
        lines.append(f"{q} [{', '.join(look)}]")
    lines.append(f"start -> {dfa.start}")
    for (source, target), letters in arrows.items():
        if hidden in (source, target):
            continue
        look = [f"label={quote(escape(' ' + _arrow_label(letters, dfa.alphabet) + ' '))}"]
        if (source, target) in view.highlight_edges:
            look.append(f"color={quote(_ACCENT)}, fontcolor={quote(_ACCENT)}, penwidth=2")
        elif target == sink:
            look.append(f"style=dashed, color={quote(_DIM)}, fontcolor={quote(_DIM)}")
        lines.append(f"{source} -> {target} [{', '.join(look)}]")
    return "digraph {\n" + "".join(f"{line};\n" for line in lines) + "}\n"


def _check(dfa: DFA, view: View, arrows: dict[tuple[int, int], list[str]]) -> None:
    """Raise `TooLarge` for too large a picture and `ToolkitError` for a highlight of what is not there."""
    for what, count in (("states", dfa.n_states), ("arrows", len(arrows))):
        if count > view.max_drawn:
            raise TooLarge(f"{what} of the picture", count, view.max_drawn, "max_drawn")
    for q in sorted(view.highlight_states):
        if not 0 <= q < dfa.n_states:
            raise ToolkitError(f"cannot highlight state {q}; states are 0..{dfa.n_states - 1}")
    for source, target in sorted(view.highlight_edges):
        if (source, target) not in arrows:
            raise ToolkitError(f"cannot highlight the edge from state {source} to {target}: there is none")


def _rejecting_sink(dfa: DFA) -> int | None:
    """Return the first rejecting state, not the start, that no letter leaves; None if there is none."""
    return next((q for q in np.flatnonzero(rejecting_sinks(dfa)).tolist() if q != dfa.start), None)


def _state_labels(dfa: DFA) -> list[str]:
    return [_cut(show_name(name)) for name in dfa.names or map(str, range(dfa.n_states))]


def _arrow_label(letters: list[str], alphabet: Alphabet) -> str:
    """Write the letters of an arrow: all of them if few, else "any letter", "all but a", or the first ones."""
    listed = show_letters(letters)
    if len(listed) <= _SHORT_LIST or len(letters) == 1:
        return _cut(listed)
    if len(letters) == len(alphabet):
        return "any letter"
    present = set(letters)
    others = "all but " + show_letters(letter for letter in alphabet if letter not in present)
    if min(len(others), len(listed)) <= _LONG:
        return min(others, listed, key=len)
    first = _cut(show_letters(letters[:3]))
    return f"{first}, … ({len(letters)} letters)" if len(letters) > 3 else first


def _cut(text: str, length: int = _LONG) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _in_words(dfa: DFA) -> tuple[str, str]:
    """Return a title and a description of an automaton."""
    labels = _state_labels(dfa)
    plural = "" if dfa.n_states == 1 else "s"
    letters = _cut(show_letters(dfa.alphabet), 1000)
    heading = f"Automaton with {dfa.n_states} state{plural} over {{{letters}}}"
    accepting = ", ".join(labels[q] for q in np.flatnonzero(dfa.accept).tolist())
    return heading, f"The start state is {labels[dfa.start]}; accepting: {accepting or 'none'}."


def _render(dot: str, kind: str) -> bytes:
    """Lay out DOT text from left to right and draw it."""
    import pygraphviz

    _use_shipped_font()
    graph = pygraphviz.AGraph(string=dot)
    try:
        drawing: bytes = graph.draw(format=kind, prog="dot")
    finally:
        graph.close()
    return drawing


@cache
def _use_shipped_font() -> None:
    """Make Graphviz take its fonts from matplotlib's folder.

    Its font library reads its configuration once, when it first measures text, from the file that an environment
    variable names; so a first graph is drawn with the variable set, and with standard error shut, for the library
    may complain there about the machine's own configuration. Later changes of the file are not looked for.
    """
    import pygraphviz

    spec = find_spec("matplotlib")
    folders = spec.submodule_search_locations if spec is not None else None
    if not folders:
        raise ToolkitError("pictures need the fonts of matplotlib; install matplotlib")
    fonts = escape_xml(str(Path(folders[0], "mpl-data", "fonts", "ttf")))
    with TemporaryDirectory() as folder:
        configuration = Path(folder, "fonts.conf")
        configuration.write_text(
            f'<?xml version="1.0"?><fontconfig><dir>{fonts}</dir>'
            "<config><rescan><int>0</int></rescan></config></fontconfig>",
            encoding="utf-8",
        )
        with _environment("FONTCONFIG_FILE", str(configuration)), _standard_error_shut():
            pygraphviz.AGraph(string=f"digraph {{ a [fontname={quote(_FONT)}] }}").draw(format="svg", prog="dot")


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


@contextmanager
def _standard_error_shut() -> Iterator[None]:
    """Send what C libraries write to standard error nowhere."""
    try:
        kept = os.dup(2)
    except OSError:  # there is no standard error
        yield
        return
    try:
        with TemporaryFile() as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
