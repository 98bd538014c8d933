"""Run the benchmarks and print one table; the exit status is 1 if a figure misses its aim.

`python -m benchmarks symbolic` runs one group alone.
"""

from __future__ import annotations

import sys
from importlib import import_module

from rich.console import Console
from rich.table import Table

GROUPS = ("symbolic", "semigroups", "collection", "temporal", "networks")


def main(groups: list[str]) -> int:
    """Measure the groups named, all of them if none is."""
    if not set(groups) <= set(GROUPS):
        print(f"unknown group; there are: {', '.join(GROUPS)}", file=sys.stderr)
        return 2
    table = Table("figure", "measured", "aim", "met", "beside it, in the same run")
    missed = False
    for group in groups or GROUPS:
        for figure in import_module(f"benchmarks.{group}").figures():
            print(f"{figure.name}: {figure.value}", file=sys.stderr)
            table.add_row(figure.name, figure.value, figure.aim, "yes" if figure.met else "NO", figure.peer)
            missed |= not figure.met
    Console(width=None if sys.stdout.isatty() else 200).print(table)
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
