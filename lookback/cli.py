"""The command `lookback`.

Exit status: 0, an answer was given (and it is yes where the command asks a yes-no question); 1, the answer is
no, two languages differ, or something was left undone; 2, the input cannot be read, which the message on
standard error explains; 130, interrupted.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from automata.errors import ToolkitError
from lookback import (
    commands_algebra,
    commands_atlas,
    commands_experiment,
    commands_language,
    commands_program,
    commands_training,
    commands_verify,
)

_STREAMS = (("stdout", "w", "backslashreplace"), ("stderr", "w", "backslashreplace"), ("stdin", "r", "surrogateescape"))


class _Commands(TyperGroup):
    """The group of commands; turns a user's mistake into a message and exit status 2."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except ToolkitError as error:
            message = "\n".join([str(error), *getattr(error, "__notes__", ())])
            # One column for each character, so that a caret stays where it points.
            safe = "".join(c if c.isprintable() or c == "\n" else "?" for c in message)
            print(f"lookback: {safe}", file=sys.stderr)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            raise typer.Exit(130) from None


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"lookback {version('lookback-attention')}")
        except PackageNotFoundError:
            print("lookback (not installed: run from a source tree, its version is unknown)")
        raise typer.Exit


@app.callback()
def _lookback(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Tell which attention pattern can recognise a regular language, and why.

    Exit status: 0, an answer was given (yes, where the command asks a yes-no question); 1, the answer is no,
    two languages differ, or something was left undone; 2, the input cannot be read; 130, interrupted.
    """


app.command()(commands_language.classify)
app.command("compile")(commands_language.compile_formula)
app.command()(commands_language.distinguish)
app.command()(commands_language.accepts)
app.command()(commands_language.sample)
app.command()(commands_language.languages)
app.command()(commands_atlas.atlas)
app.command()(commands_algebra.satisfies)
app.command()(commands_algebra.eggbox)
app.command()(commands_training.train)
app.command()(commands_training.evaluate)
app.command()(commands_training.demo)
app.command()(commands_program.program)
app.command()(commands_verify.verify)
app.command()(commands_verify.extract)
app.add_typer(commands_experiment.app, name="experiment")


def main() -> None:
    """Run the command line."""
    # Letters may be any Unicode: what a terminal cannot show is shown escaped, what is not UTF-8 is an
    # unknown letter.
    for name, mode, errors in _STREAMS:
        if getattr(sys, name) is None:  # closed by whoever started the command
            setattr(sys, name, io.TextIOWrapper(io.FileIO(os.devnull, mode), encoding="utf-8"))
        getattr(sys, name).reconfigure(errors=errors)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `lookback ... | head` ends quietly
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except (OSError, MemoryError) as error:
        # What is left in the buffer goes nowhere, or it would fail once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        cause = error.strerror if isinstance(error, OSError) else "out of memory"
        print(f"lookback: the answer cannot be given: {cause or error}", file=sys.stderr)
        sys.exit(2)
