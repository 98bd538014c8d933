"""Options that several commands share, and the way every command prints."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from automata.alphabet import Alphabet
from automata.errors import ToolkitError
from lookback.inputs import parse_alphabet, parse_lengths
from neural.pattern import AttentionPattern, Kind

DEFAULT_WINDOWS = (2, 3, 4)
"""The windows besides 1 that are decided unless the user names others."""

LanguageArgument: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="LANGUAGE",
        help="A regular expression (or regex:...), ltl:FORMULA, @name, or a .json, .att, .dot or .gv file. "
        "Write -- before one that starts with a dash.",
        show_default=False,
    ),
]
AlphabetOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--alphabet",
        "-a",
        metavar="LETTERS",
        help="The letters, in order: abc (every character is one), 'b0 b1 a' or a,b0 (longer ones), a JSON list after "
        "json:, @FILE (an OpenFst symbol table), or '' for none. May be left out for a file or a name that brings it, "
        "and for an expression without '.', '[^', '~'.",
        show_default=False,
    ),
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
MaxStatesOption: TypeAlias = Annotated[
    int, typer.Option("--max-states", min=1, metavar="N", help="States that a construction may reach.")
]
MaxDrawnOption: TypeAlias = Annotated[
    int | None, typer.Option("--max-drawn", min=1, metavar="N", help="States, and arrows, that a picture may have.")
]
MaxPairsOption: TypeAlias = Annotated[
    int | None, typer.Option("--max-pairs", min=1, metavar="N", help="Pairs of states that a verdict may look at.")
]
MaxCasesOption: TypeAlias = Annotated[
    int | None,
    typer.Option("--max-cases", min=1, metavar="N", help="Suffixes that the synthesis of a formula may look at."),
]
MaxElementsOption: TypeAlias = Annotated[
    int | None,
    typer.Option("--max-elements", min=1, metavar="N", help="Elements that the syntactic semigroup may have."),
]
MaxCellsOption: TypeAlias = Annotated[
    int | None,
    typer.Option("--max-cells", min=1, metavar="N", help="Elements of the syntactic semigroup times states."),
]
MaxAssignmentsOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--max-assignments", min=1, metavar="N", help="Assignments of elements to the variables of an equation."
    ),
]
WindowsOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--windows",
        metavar="K..L",
        help="Windows k >= 2 of local and hybrid attention to decide besides k = 1: 2..4 if left out, 'none' for none.",
        show_default=False,
    ),
]
AttentionOption: TypeAlias = Annotated[Kind, typer.Option("--attention", help="Which heads there are.")]
WindowOption: TypeAlias = Annotated[
    int | None, typer.Option("--window", min=1, metavar="K", help="Positions that a local head sees; 1 if left out.")
]
ModelArgument: TypeAlias = Annotated[
    Path,
    typer.Argument(metavar="DIR", help="Folder of a finished training or of a compiled program.", show_default=False),
]
SeedOption: TypeAlias = Annotated[int, typer.Option("--seed", min=0, help="Seed of everything random.")]


def read_alphabet(text: str | None) -> Alphabet | None:
    """Return the alphabet that the option declares, None if it is left out."""
    return None if text is None else parse_alphabet(text)


def read_pattern(attention: Kind, window: int | None) -> AttentionPattern:
    """Return the attention pattern that two options name; the window of local heads is 1 if left out."""
    return AttentionPattern(attention, 1 if window is None and attention != "global" else window)


def read_windows(text: str | None) -> tuple[int, ...]:
    """Return the windows besides 1 that the option names; raise `ToolkitError` for 0 and for what is no range.

    >>> read_windows(None), read_windows("1..3"), read_windows("none")
    ((2, 3, 4), (2, 3), ())
    """
    if text is None:
        return DEFAULT_WINDOWS
    if text.strip() == "none":
        return ()
    windows = parse_lengths(text)
    if windows.start < 1:
        raise ToolkitError("a window of 0 positions sees nothing; the least is 1")
    return tuple(k for k in windows if k > 1)


def given(**options: Any) -> dict[str, Any]:
    """Return the options that were given, so that what is left out keeps its default elsewhere."""
    return {name: value for name, value in options.items() if value is not None}


def printable(text: str) -> str:
    r"""Return a text with everything that cannot be printed escaped as Python does: a line break is \n.

    >>> printable("a\tb")
    'a\\tb'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def print_json(value: object) -> None:
    """Print a value as JSON: keys in the order given, ASCII alone, so that any terminal takes it."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a file that the user asked for; raise `ToolkitError` where that is impossible."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ToolkitError(f"cannot write {str(path)!r}: {error.strerror or error}") from None
