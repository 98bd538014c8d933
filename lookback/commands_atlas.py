"""The command that classifies many languages: atlas."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from automata.errors import MAX_STATES, ToolkitError
from lookback.options import (
    AlphabetOption,
    MaxAssignmentsOption,
    MaxCasesOption,
    MaxCellsOption,
    MaxElementsOption,
    MaxPairsOption,
    MaxStatesOption,
    WindowsOption,
    given,
    printable,
    read_alphabet,
    read_windows,
)


def atlas(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES_OR_DIR...",
            help="Directories of .json, .att, .dot and .gv files, such files, or languages as `classify` takes them.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The table: .csv, .parquet or .jsonl (whole records).")
    ],
    alphabet: AlphabetOption = None,
    alphabet_for: Annotated[
        list[str] | None,
        typer.Option(
            "--alphabet-for",
            metavar="PATTERN=LETTERS",
            help="Letters for the files whose names match the pattern, such as '04.*=@alph4.txt'; may be repeated.",
            show_default=False,
        ),
    ] = None,
    windows: WindowsOption = None,
    processes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Worker processes; all cores if left out.")
    ] = None,
    time_limit: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="Time for one language; past it the row is marked.")
    ] = 60.0,
    max_states: MaxStatesOption = MAX_STATES,
    max_pairs: MaxPairsOption = None,
    max_cases: MaxCasesOption = None,
    max_elements: MaxElementsOption = None,
    max_cells: MaxCellsOption = None,
    max_assignments: MaxAssignmentsOption = None,
) -> None:
    """Classify many languages into one table, a row each, on all cores.

    The work may be interrupted at any moment; the same command goes on with what is left. A language that cannot be
    read, or that passes a limit, has a row that says so. The exit status is 1 if there is such a row.
    """
    from filelock import FileLock, Timeout

    from lookback.atlas import Job, entries, make_records
    from lookback.atlas_table import write_table, writer
    from lookback.progress import show_count

    writer(out)
    if out.is_dir() or not out.parent.is_dir():
        raise ToolkitError(f"cannot write {str(out)!r}: it is a directory, or in none; name a file in a directory")
    letters = read_alphabet(alphabet)
    by_pattern = [_pattern(text) for text in alphabet_for or ()]
    wanted = entries(sources, None if letters is None else letters.letters, by_pattern)
    limits = given(
        max_pairs=max_pairs,
        max_cases=max_cases,
        max_elements=max_elements,
        max_cells=max_cells,
        max_assignments=max_assignments,
    )
    job = Job(read_windows(windows), max_states, time_limit, tuple(sorted(limits.items())))
    journal = out.with_name(f"{out.name}.partial")
    lock = FileLock(out.with_name(f"{out.name}.lock"), timeout=0)
    try:
        with lock, show_count("languages", len(wanted)) as tell:
            records = make_records(wanted, job, journal, processes or os.cpu_count() or 1, tell)
            write_table(out, records)
            journal.unlink(missing_ok=True)
    except Timeout:
        raise ToolkitError(f"another command is at work on {str(out)!r}; wait for its end, or stop it") from None
    except KeyboardInterrupt:
        print(f"interrupted; the same command goes on from {printable(str(journal))}", file=sys.stderr)
        raise
    Path(lock.lock_file).unlink(missing_ok=True)
    broken = [record for record in records if record["error"] is not None]
    print(f"{len(records) - len(broken)} of {len(records)} languages classified in {printable(str(out))}")
    for record in broken:
        print(f"{printable(record['language'])}: {printable(record['error'])}", file=sys.stderr)
    if broken:
        raise typer.Exit(1)


def _pattern(text: str) -> tuple[str, tuple[str, ...]]:
    pattern, equals, letters = text.partition("=")
    found = read_alphabet(letters) if equals else None
    if not pattern or found is None:
        raise ToolkitError(f"--alphabet-for takes PATTERN=LETTERS, such as '04.*=@alph4.txt', not {text!r}")
    return pattern, found.letters
