"""Comparing languages: shortest separating words, inclusion, emptiness, finiteness."""

from __future__ import annotations

from collections import deque

import numpy as np

from automata.alphabet import Word, require_same_alphabet
from automata.dfa import DFA
from automata.graph import breadth_first, live_states, strong_components


def distinguish(left: DFA, right: DFA) -> Word | None:
    """Return a shortest word in exactly one of the two languages, the first in alphabet order; None if they are equal.

    Raise `AlphabetMismatch` unless both alphabets are the same, order included.

    >>> from automata.alphabet import Alphabet
    >>> ab = Alphabet.of("ab")
    >>> ends_with_a = DFA(ab, [[1, 0], [1, 0]], 0, [False, True])
    >>> contains_a = DFA(ab, [[1, 0], [1, 1]], 0, [False, True])
    >>> distinguish(ends_with_a, contains_a)
    'ab'
    """
    require_same_alphabet(left.alphabet, right.alphabet)
    both = np.concatenate((left.delta, right.delta + left.n_states))
    accept = np.concatenate((left.accept, right.accept))
    codes = _least_separating(both.tolist(), accept.tolist(), left.start, left.n_states + right.start)
    return None if codes is None else left.alphabet.decode(codes)


def separating_word(dfa: DFA, p: int, q: int) -> Word | None:
    """Return the least word z such that exactly one of p.z and q.z accepts; None if the states are equivalent."""
    codes = _least_separating(dfa.delta.tolist(), dfa.accept.tolist(), p, q)
    return None if codes is None else dfa.alphabet.decode(codes)


def _least_separating(rows: list[list[int]], accept: list[bool], p: int, q: int) -> list[int] | None:
    """Return the least word that tells p from q: breadth-first search over pairs, merged as by Hopcroft and Karp.

    A pair of states already known to stand or fall together is not followed, so fewer pairs than states are. No
    shorter or earlier answer is lost: let t = uw be the least separating word and suppose the pair reached by u were
    dropped. Then pairs reached by words v before u link its two states, w separates one of these pairs, and vw
    would separate p from q before uw does.
    """
    leader = list(range(len(rows)))

    def find(state: int) -> int:
        while leader[state] != state:
            leader[state] = leader[leader[state]]
            state = leader[state]
        return state

    if accept[p] != accept[q]:
        return []
    if p == q:
        return None
    leader[find(p)] = find(q)
    # Each entry: the two states, the entry it came from, the letter read.
    pairs: list[tuple[int, int, int, int]] = [(p, q, -1, -1)]
    queue = deque([0])
    while queue:
        origin = queue.popleft()
        left, right = pairs[origin][:2]
        for code, (s, t) in enumerate(zip(rows[left], rows[right], strict=True)):
            if accept[s] != accept[t]:
                codes = [code]
                while pairs[origin][2] >= 0:
                    codes.append(pairs[origin][3])
                    origin = pairs[origin][2]
                return codes[::-1]
            s_leader, t_leader = find(s), find(t)
            if s_leader != t_leader:
                leader[s_leader] = t_leader
                queue.append(len(pairs))
                pairs.append((s, t, origin, code))
    return None


def includes(larger: DFA, smaller: DFA) -> bool:
    """True iff every word of `smaller`'s language is in `larger`'s.

    Explores the reachable pairs of states, at most the product of the two sizes. Raise `AlphabetMismatch` unless both
    alphabets are the same, order included.
    """
    require_same_alphabet(larger.alphabet, smaller.alphabet)
    width = smaller.n_states
    seen = {larger.start * width + smaller.start}
    frontier = np.array(sorted(seen), dtype=np.int64)
    while len(frontier):
        p, q = frontier // width, frontier % width
        if bool(np.any(smaller.accept[q] & ~larger.accept[p])):
            return False
        reached = np.unique(larger.delta[p].astype(np.int64) * width + smaller.delta[q])
        fresh = [pair for pair in reached.tolist() if pair not in seen]
        seen.update(fresh)
        frontier = np.array(fresh, dtype=np.int64)
    return True


def is_empty(dfa: DFA) -> bool:
    """True iff no word is accepted."""
    return not bool(dfa.accept[breadth_first(dfa.delta, dfa.start).order].any())


def is_finite(dfa: DFA) -> bool:
    """True iff finitely many words are accepted: no cycle lies on a path from the start to an accepting state."""
    order = np.array(breadth_first(dfa.delta, dfa.start).order)
    useful = np.zeros(dfa.n_states, dtype=np.bool_)
    useful[order] = True
    useful &= live_states(dfa)
    inside = np.where(useful[:, None] & useful[dfa.delta], dfa.delta, np.int32(-1))
    if bool((inside == np.arange(dfa.n_states)[:, None]).any()):
        return False
    components = strong_components(inside)
    return len(np.unique(components)) == dfa.n_states
