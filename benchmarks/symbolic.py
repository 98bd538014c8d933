"""Figures of the symbolic side: reading words, compiling formulas, deciding fragments."""

from __future__ import annotations

import resource
from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.minimize import minimize
from benchmarks.figure import Figure, seconds
from ltl.compile import formula_to_dfa
from ltl.formula import Letter, Past, yesterday_power
from ltl.fragment import LTL_P, LTL_PY, LTL_Y
from semigroups.forbidden import admits

AB = Alphabet.of("ab")


def figures() -> Iterator[Figure]:
    yield from reading()
    yield from compiling()
    yield from deciding()


def random_dfa(n_states: int, seed: int) -> DFA:
    rng = np.random.default_rng(seed)
    return DFA(AB, rng.integers(0, n_states, (n_states, 2)), 0, rng.random(n_states) < 0.5)


def reading() -> Iterator[Figure]:
    dfa = random_dfa(1000, 0)
    batch = np.random.default_rng(1).integers(0, 2, (100_000, 200)).astype(np.int8)
    taken = seconds(lambda: dfa.accepts_batch(batch))
    flat = dfa.delta.ravel().astype(np.intp)
    indices = np.ascontiguousarray(batch[:4096].T).astype(np.intp)
    floor = seconds(lambda: [flat[row] for row in indices]) / indices.size
    rate = batch.size / taken
    yield Figure(
        "accepts_batch, 1,000 states",
        f"{rate:.2e} letters/s",
        ">= 2e8",
        rate >= 2e8,
        f"{1 / floor / rate:.1f} x slower than bare gathers without a chain of states",
    )


def compiling() -> Iterator[Figure]:
    letter = Letter("a")
    sizes = []
    taken = seconds(lambda: sizes.append(formula_to_dfa(yesterday_power(letter, 12), AB).n_states))
    half = seconds(lambda: formula_to_dfa(yesterday_power(letter, 11), AB))
    yield Figure(
        f"Y^12 a to {sizes[0]:,} states",
        f"{taken:.3f} s",
        "< 0.3 s, 4,096 states",
        taken < 0.3 and sizes[0] == 4096,
        f"compiling Y^11 a, half the states: {half:.3f} s",
    )

    def nested() -> None:
        formula = letter
        for _ in range(300):
            formula = Past(formula)
        sizes.append(formula_to_dfa(formula, AB).n_states)

    taken = seconds(nested)
    yield Figure(
        f"P nested 300 deep to {sizes[-1]} states",
        f"{taken:.3f} s",
        "< 1 s",
        taken < 1 and sizes[-1] == 301,
        "-",
    )


def deciding() -> Iterator[Figure]:
    large = random_dfa(1_000_000, 2)
    smallest: list[DFA] = []
    to_minimise = seconds(lambda: smallest.append(minimize(large)), repeat=1)
    graph = csr_array(
        (
            np.ones(2 * smallest[0].n_states, np.int8),
            smallest[0].delta.ravel(),
            np.arange(smallest[0].n_states + 1) * 2,
        )
    )
    peer = seconds(lambda: connected_components(graph, connection="strong"), repeat=1)
    for fragment in (LTL_P, LTL_Y):
        taken = to_minimise + seconds(lambda fragment=fragment: admits(smallest[0], fragment), repeat=1)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        yield Figure(
            f"{fragment.name}, random DFA of 1,000,000 states",
            f"{taken:.2f} s, {memory:.2f} GiB (minimising {to_minimise:.2f} s)",
            "< 10 s, < 2 GB",
            taken < 10 and memory < 2e9 / 2**30,
            f"scipy's components alone: {peer:.2f} s",
        )
    rng = np.random.default_rng(3)
    words = {"w* for a random w": rng.integers(0, 2, 5000), "(a^4999 b)*": np.arange(5000) == 4999}
    for name, word in words.items():
        dfa = iteration(word)
        decided: list[bool] = []
        taken = seconds(lambda dfa=dfa, decided=decided: decided.append(admits(dfa, LTL_PY)), repeat=1)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        yield Figure(
            f"LTL[P,Y], one component of 5,000 states, {name}",
            f"{taken:.2f} s, peak {memory:.2f} GiB",
            "< 10 s, in the class",
            taken < 10 and decided == [True],
            "12.5 million pairs of states, no cycle among them",
        )


def iteration(word: np.ndarray) -> DFA:
    """The minimal automaton of w* for a primitive w: one component, a cycle of |w| states, and a sink."""
    n = len(word)
    delta = np.full((n + 1, 2), n)
    delta[np.arange(n), word.astype(int)] = (np.arange(n) + 1) % n
    return minimize(DFA(AB, delta, 0, np.arange(n + 1) == 0))
