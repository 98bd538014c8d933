"""The least k for which a language is locally k-testable.

For k >= 1 a language is k-testable iff words w with the same factors of length k of #^(k-1) w #^(k-1) are all inside or
all outside, where # marks the edges: words of length k - 1 or more with the same prefix and suffix of length k - 1 and
the same factors of length k, while shorter words stand for themselves. McNaughton & Papert, Counter-free automata,
1971. To tell whether there is such a k takes polynomial time, the least one is NP-hard to find; Kim, McNaughton &
McCloskey, A polynomial time algorithm for the local testability problem of deterministic finite automata, 1991.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from automata.errors import TooLarge
from semigroups.semigroup import FiniteSemigroup
from semigroups.syntactic import SyntacticSemigroup
from semigroups.variety import VARIETIES

MAX_NODES = 2_000_000
"""Pairs of an element and a place in a word that the search may visit unless the caller says otherwise."""

_BLOCK = 1 << 22  # images of states compared at once


def local_testability_order(syntactic: SyntacticSemigroup, max_nodes: int = MAX_NODES) -> int | None:
    """Return the least k such that a language is locally k-testable, given by its syntactic semigroup; None if none is.

    A return to a word x is a word r such that x r ends in x. The language is k-testable iff for every x of length k - 1
    all returns r, s to x have x r r = x r and x r s = x s r in the syntactic semigroup. They are then what it takes to
    turn any way through the graph of factors into any other with the same ends and edges (Simon, in Eilenberg,
    Automata, languages, and machines B, 1976, chapter VIII); and r r visits what r does, s r what r s does.

    Returns to y x are returns to x, so if x passes this test, y x does. From the empty word, words that fail are
    lengthened at the left until all pass. First returns, those that meet x at their ends alone, generate the others
    and are enough. Letters that act alike count once. Raise `TooLarge` beyond `max_nodes` steps: there can be
    exponentially many words that fail.

    >>> from automata.alphabet import Alphabet
    >>> from automata.dfa import DFA
    >>> from semigroups.syntactic import syntactic_semigroup
    >>> contains_ab = DFA(Alphabet.of("abc"), [[1, 0, 0], [1, 2, 0], [2, 2, 2]], 0, [False, False, True])
    >>> local_testability_order(syntactic_semigroup(contains_ab))
    2
    """
    if VARIETIES["locally testable"].violation(syntactic) is not None:
        return None
    semigroup, dfa = syntactic.semigroup, syntactic.dfa
    letters = np.unique(semigroup.generators, return_index=True)[1].tolist()
    # Where each element leads each state, the empty word in the last row.
    images = np.stack([np.append(semigroup.act(dfa.delta, q), np.int32(q)) for q in range(dfa.n_states)], axis=1)
    failing: list[tuple[int, ...]] = [()]
    order = nodes = 0
    while failing:
        order += 1
        longer: list[tuple[int, ...]] = []
        for x in failing:
            first_returns, visited = _first_returns(semigroup, x, letters)
            nodes += visited
            if nodes > max_nodes:
                raise TooLarge("least order of local testability, steps", nodes, max_nodes, "max_nodes", False)
            if not _are_commuting_idempotents(images, x, first_returns, semigroup):
                longer.extend((letter, *x) for letter in letters)
        failing = longer
    return order


def _first_returns(semigroup: FiniteSemigroup, x: tuple[int, ...], letters: Sequence[int]) -> tuple[list[int], int]:
    """Return the elements x r for the first returns r to x, sorted, and how many steps it took to find them.

    A place is the number of letters of x that end the word read (as in Knuth, Morris and Pratt's search) with the
    element that the word is.
    """
    end = len(x)
    follow = _matches(x, letters)
    right, generators = semigroup.right, semigroup.generators
    start = semigroup.image(x) if x else -1
    seen = {(end, start)}
    waiting = [(end, start)]
    found = set()
    while waiting:
        matched, element = waiting.pop()
        for letter in letters:
            after = follow[matched][letter], int(right[element, letter] if element >= 0 else generators[letter])
            if after[0] == end:
                found.add(after[1])
            elif after not in seen:
                seen.add(after)
                waiting.append(after)
    return sorted(found), len(seen) * len(letters)


def _matches(x: tuple[int, ...], letters: Sequence[int]) -> list[dict[int, int]]:
    """Return for i = 0..len(x) and each letter how many letters of x end the first i of x with the letter added."""
    follow: list[dict[int, int]] = []
    border = 0  # where the search is after the first i letters of x but for the first one
    for i in range(len(x) + 1):
        row = dict(follow[border]) if i else dict.fromkeys(letters, 0)
        if i < len(x):
            row[x[i]] = i + 1
        follow.append(row)
        if 0 < i < len(x):
            border = follow[border][x[i]]
    return follow


def _are_commuting_idempotents(
    images: NDArray[np.int32], x: tuple[int, ...], returns: list[int], semigroup: FiniteSemigroup
) -> bool:
    """True iff x r r = x r and x r s = x s r for all the returns, given as elements x r.

    A return acts on the states that x leads to; the rows below hold for each return where it leads each of these.
    """
    after_x = images[semigroup.image(x) if x else -1]
    points, origins = np.unique(after_x, return_index=True)
    rows = np.unique(np.searchsorted(points, images[returns][:, origins]), axis=0)
    if not np.array_equal(np.take_along_axis(rows, rows, axis=1), rows):
        return False
    step = max(1, _BLOCK // max(1, rows.size))
    for begin in range(0, len(rows), step):
        some = rows[begin : begin + step]
        # [i, j, p]: first i, then j; and the other way round.
        one = rows[:, some].swapaxes(0, 1)
        other = some[:, rows]
        if not np.array_equal(one, other):
            return False
    return True
