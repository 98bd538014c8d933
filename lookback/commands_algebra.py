"""Commands about syntactic semigroups: satisfies, eggbox."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from automata.errors import MAX_STATES
from lookback.inputs import read_language
from lookback.options import (
    AlphabetOption,
    JsonOption,
    LanguageArgument,
    MaxAssignmentsOption,
    MaxCellsOption,
    MaxElementsOption,
    MaxStatesOption,
    given,
    print_json,
    read_alphabet,
)


class ReadOn(StrEnum):
    """What the variables of an equation range over."""

    SEMIGROUP = "S"
    MONOID = "M"
    LOCAL = "local"
    STABLE = "stable"


class Picture(StrEnum):
    """How an egg-box picture is written."""

    TEXT = "text"
    SVG = "svg"
    HTML = "html"


def satisfies(
    language: LanguageArgument,
    equation: Annotated[
        str, typer.Argument(metavar="EQUATION", help="Such as '(xy)^w x = (xy)^w': ^w is the idempotent power.")
    ],
    alphabet: AlphabetOption = None,
    on: Annotated[
        ReadOn,
        typer.Option(
            "--on",
            help="Variables are non-empty words (S), words (M), of each local monoid eSe (local), or words of the "
            "stable lengths (stable).",
        ),
    ] = ReadOn.SEMIGROUP,
    as_json: JsonOption = False,
    max_states: MaxStatesOption = MAX_STATES,
    max_assignments: MaxAssignmentsOption = None,
    max_elements: MaxElementsOption = None,
    max_cells: MaxCellsOption = None,
) -> None:
    """Say whether the syntactic semigroup of a language satisfies an equation between omega-terms.

    A no comes with words for the variables, and a context that tells the two sides apart. The exit status is 0 for
    yes, 1 for no.
    """
    from lookback.display import show, violation_view
    from semigroups.equation import Equation
    from semigroups.satisfies import satisfies as decide

    law = Equation.parse(equation)
    dfa = read_language(language, read_alphabet(alphabet), max_states)
    limits = given(max_assignments=max_assignments, max_elements=max_elements, max_cells=max_cells)
    found = decide(dfa, law, on.value, **limits)
    if as_json:
        print_json({"satisfied": found is None, "violation": None if found is None else found.to_dict()})
    elif found is None:
        print("yes")
    else:
        show(violation_view(found))
    if found is not None:
        raise typer.Exit(1)


def eggbox(
    language: LanguageArgument,
    alphabet: AlphabetOption = None,
    to: Annotated[Picture, typer.Option("--to", help="What to print.")] = Picture.TEXT,
    max_states: MaxStatesOption = MAX_STATES,
    max_elements: MaxElementsOption = None,
    max_cells: MaxCellsOption = None,
    max_boxes: Annotated[
        int | None, typer.Option("--max-drawn", min=1, metavar="N", help="Boxes (H-classes) that a picture may have.")
    ] = None,
) -> None:
    """Draw the syntactic semigroup: its D-classes as boxes of R-classes (rows) and L-classes (columns).

    Elements are named by their least words; idempotents carry a star, and boxes that are groups the group's name.
    """
    from semigroups import eggbox as pictures
    from semigroups.syntactic import syntactic_semigroup

    dfa = read_language(language, read_alphabet(alphabet), max_states)
    syntactic = syntactic_semigroup(dfa, **given(max_elements=max_elements, max_cells=max_cells))
    draw = {Picture.TEXT: pictures.to_text, Picture.SVG: pictures.to_svg, Picture.HTML: pictures.to_html}[to]
    text = draw(syntactic, **given(max_drawn=max_boxes))
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
