"""The study of windows: verdicts on LTL[Y<=k] and LTL[P,Y<=k] against the definition by depth-d types.

`python -m benchmarks.windows` looks at minimal automata one after the other and prints a table: how many languages
are outside the fragment with k = 1 already, how many are outside for the window alone, how many inside, and at which
depth a formula exists. Every family of a "no" is checked. A "no" with a formula, or with a family that fails, is a
contradiction and makes the exit status 1. With `--record FILE` each verdict is a line of the file as soon as it is
known, and a later run with the same file goes on where the first one stopped. docs/windows.md holds the results.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge
from automata.minimize import minimize
from ltl.depth_types import definable_at_depth
from ltl.fragment import LTL_PY, LTL_Y, Fragment
from semigroups.forbidden import admits
from semigroups.window import decide_window

SETS = ("all", "random", "definite")


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    fragments = [Fragment(past, k) for past in (False, True) for k in options.windows]
    ends = time.process_time() + options.seconds
    known: dict[str, str] = {}
    if options.record and options.record.exists():
        known = dict(json.loads(line) for line in options.record.read_text(encoding="utf-8").splitlines())
    counts: dict[str, Counter[str]] = {fragment.name: Counter() for fragment in fragments}
    with ExitStack() as stack:
        record = stack.enter_context(options.record.open("a", encoding="utf-8")) if options.record else None
        for number, dfa in enumerate(_automata(options)):
            if time.process_time() > ends:
                print(f"stopped after {number:,} automata: the time is over", file=sys.stderr)
                break
            within = {base: admits(dfa, base) for base in (LTL_Y, LTL_PY)}
            for fragment in fragments:
                key = f"{options.set} {options.letters} {options.states} {options.seed} {number} {fragment.name}"
                if key not in known:
                    base = LTL_PY if fragment.past else LTL_Y
                    known[key] = _answer(dfa, fragment, options) if within[base] else "outside with k = 1"
                    if record is not None:
                        record.write(json.dumps([key, known[key]]) + "\n")
                counts[fragment.name][known[key]] += 1
    _show(counts)
    return int(any(answer.startswith("contradiction") for counter in counts.values() for answer in counter))


def _options(arguments: list[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks.windows", description=__doc__.split("\n\n")[0])
    parser.add_argument("--set", choices=SETS, default="all", help="all automata of a size, or random ones")
    parser.add_argument("--letters", type=int, default=2, help="size of the alphabet")
    parser.add_argument(
        "--states",
        type=int,
        default=3,
        help="states of `all`, most states of `random`, most letters that decide membership in `definite`",
    )
    parser.add_argument("--number", type=int, default=1000, help="random automata in LTL[P,Y]")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--windows", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--depth", type=int, default=3, help="greatest depth of the search by types")
    parser.add_argument("--max-states", type=int, default=20_000, help="size at which the search by types gives up")
    parser.add_argument("--seconds", type=float, default=600, help="CPU time after which no automaton is taken")
    parser.add_argument("--record", type=Path, help="file of verdicts, added to and gone on from")
    return parser.parse_args(arguments)


def _answer(dfa: DFA, fragment: Fragment, options: Namespace) -> str:
    verdict = decide_window(dfa, fragment, certify=False)
    depth = _least_depth(dfa, fragment, options)
    if isinstance(depth, str) and fragment.past:  # without P there are fewer types, and its formulas serve
        local = _least_depth(dfa, Fragment(False, fragment.window), options)
        depth = local if isinstance(local, int) else depth
    if verdict.holds:
        return f"inside, depth {depth}"
    if verdict.holds is None:
        return "undecided"
    if isinstance(depth, int):
        return "contradiction: outside, with a formula"
    family = decide_window(dfa, fragment).certificate
    fault = "no family" if family is None else family.check(dfa)
    return "outside" if fault is None else f"contradiction: {fault}"


def _least_depth(dfa: DFA, fragment: Fragment, options: Namespace) -> int | str:
    """Return the least depth of a formula, as far as it is searched for."""
    for depth in range(options.depth + 1):
        try:
            if definable_at_depth(dfa, fragment, depth, options.max_states):
                return depth
        except TooLarge:
            return "not found in time"
    return f"> {options.depth}"


def _automata(options: Namespace) -> Iterator[DFA]:
    alphabet = Alphabet.of("abcdefghijklmnopqrstuvwxyz"[: options.letters])
    if options.set == "all":
        yield from _all_minimal(alphabet, options.states)
        return
    rng = np.random.default_rng(options.seed)
    draw = _random if options.set == "random" else _definite
    found = 0
    while found < options.number:
        dfa = draw(alphabet, options.states, rng)
        if dfa.n_states > 1 and admits(dfa, LTL_PY):
            found += 1
            yield dfa


def _all_minimal(alphabet: Alphabet, n: int) -> Iterator[DFA]:
    """Yield all minimal automata with n states, each once: states are numbered as a breadth-first search finds them."""
    for targets in product(range(n), repeat=n * len(alphabet)):
        found = 1
        for place, target in enumerate(targets):
            if place // max(len(alphabet), 1) >= found or target > found:
                break
            found += target == found
        else:
            if found < n:
                continue
            delta = np.reshape(targets, (n, len(alphabet)))
            for accept in product([False, True], repeat=n):
                dfa = DFA(alphabet, delta, 0, accept)
                if minimize(dfa).n_states == n:
                    yield dfa


def _random(alphabet: Alphabet, most: int, rng: np.random.Generator) -> DFA:
    n = int(rng.integers(2, most + 1))
    return minimize(DFA(alphabet, rng.integers(0, n, (n, len(alphabet))), 0, rng.random(n) < 0.5))


def _definite(alphabet: Alphabet, most: int, rng: np.random.Generator) -> DFA:
    """Return the automaton of a language in which the last letters, at most so many, decide membership at random."""
    order = int(rng.integers(1, most + 1))
    words = [word for n in range(order + 1) for word in product(range(len(alphabet)), repeat=n)]
    number = {word: place for place, word in enumerate(words)}
    delta = [[number[(*word, code)[-order:]] for code in range(len(alphabet))] for word in words]
    return minimize(DFA(alphabet, np.array(delta), 0, rng.random(len(words)) < rng.choice([0.1, 0.3, 0.5])))


def _show(counts: dict[str, Counter[str]]) -> None:
    answers = sorted({answer for counter in counts.values() for answer in counter})
    table = Table("fragment", "languages", *answers)
    for name, counter in counts.items():
        table.add_row(name, f"{counter.total():,}", *(f"{counter[answer]:,}" for answer in answers))
    Console(width=None if sys.stdout.isatty() else 200).print(table)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
