"""The automata of MLRegTest: the verdicts of the three fragments, alone and with certificates that are checked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from automata.dfa import DFA
from automata.formats import read_automaton, read_symbols
from automata.minimize import minimize
from benchmarks.figure import Figure, seconds
from semigroups.classify import FRAGMENTS
from semigroups.decide import decide
from semigroups.forbidden import admits

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "mlregtest"


def figures() -> Iterator[Figure]:
    if not FOLDER.is_dir():
        yield Figure("MLRegTest", "not measured", "-", False, f"absent: {FOLDER} is not there")
        return
    paths = sorted((FOLDER / "att").glob("*.att"))
    automata: list[DFA] = []
    reading = seconds(lambda: automata.extend(map(read, paths)), repeat=1)
    deciding = seconds(lambda: [admits(dfa, fragment) for dfa in automata for fragment in FRAGMENTS], repeat=1)
    yield Figure(
        f"MLRegTest, {len(paths)} languages: files read and minimised, 3 verdicts each",
        f"{reading + deciding:.2f} s, one core",
        "< 1 s",
        reading + deciding < 1,
        f"reading and minimising alone: {reading:.2f} s",
    )
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(read, paths[:2]))  # the workers have started
        began = time.perf_counter()
        faults = sum(pool.map(certified_faults, paths, chunksize=10))
        taken = time.perf_counter() - began
    yield Figure(
        f"MLRegTest, {len(paths)} languages: 3 verdicts each with certificates, checked",
        f"{taken:.1f} s, two cores, {faults} faults",
        "< 30 s, no fault",
        taken < 30 and not faults,
        "-",
    )


def read(path: Path) -> DFA:
    """Read one automaton over the letters of its file of symbols, and minimise it."""
    table = FOLDER / f"alph{int(path.name.partition('.')[0])}.txt"
    return minimize(read_automaton(path, read_symbols(table.read_bytes(), str(table))))


def certified_faults(path: Path) -> int:
    """Return how many of the three verdicts have no certificate, or one whose check fails."""
    dfa = read(path)
    certificates = [decide(dfa, fragment).certificate for fragment in FRAGMENTS]
    return sum(found is None or found.check(dfa) is not None for found in certificates)
