"""From automata to regular expressions, by eliminating states."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from automata.dfa import DFA
from automata.graph import live_states
from automata.minimize import minimize
from automata.regex_simplify import MAX_SIZE, Simplifier
from automata.regex_tree import EMPTY, EPSILON, Regex


def dfa_to_regex(dfa: DFA, max_size: int = MAX_SIZE) -> Regex:
    """Return an expression of the language, the same for all automata of it.

    States of the minimal automaton are eliminated one after the other, each time the one that adds least to the
    expressions between the others (Delgado and Morais 2004). The expression can be exponentially larger than the
    automaton; raise `TooLarge` beyond `max_size` symbols.

    >>> from automata.alphabet import Alphabet
    >>> print(dfa_to_regex(DFA(Alphabet.of("ab"), [[0, 1], [0, 1]], 0, [True, False])))
    (b*a)*
    """
    dfa = minimize(dfa)
    make = Simplifier(dfa.alphabet, max_size)
    # The expressions between states; two more states, one before the start and one after the accepting states, stay.
    before, after = dfa.n_states, dfa.n_states + 1
    out: list[dict[int, Regex]] = [{} for _ in range(dfa.n_states + 2)]
    into: list[set[int]] = [set() for _ in range(dfa.n_states + 2)]

    def join(source: int, target: int, label: Regex) -> None:
        known = out[source].get(target)
        out[source][target] = label if known is None else make.union(known, label)
        into[target].add(source)

    def weight(state: int) -> tuple[int, int]:
        """Return the number of symbols that eliminating the state adds, and how many it joins."""
        loop = make.size(out[state][state]) if state in out[state] else 0
        incoming = [make.size(out[p][state]) for p in into[state] if p != state]
        outgoing = [make.size(label) for q, label in out[state].items() if q != state]
        n_in, n_out = len(incoming), len(outgoing)
        added = sum(incoming) * (n_out - 1) + sum(outgoing) * (n_in - 1) + loop * (n_in * n_out - 1)
        return added, sum(incoming) + sum(outgoing)

    live = live_states(dfa)
    for p in live.nonzero()[0].tolist():
        letters: dict[int, set[str]] = {}
        for letter, q in zip(dfa.alphabet, dfa.delta[p].tolist(), strict=True):
            if live[q]:
                letters.setdefault(q, set()).add(letter)
        for q, some in letters.items():
            join(p, q, make.letters(some))
        if dfa.accept[p]:
            join(p, after, EPSILON)
    if live[dfa.start]:
        join(before, dfa.start, EPSILON)
    weights = {state: weight(state) for state in live.nonzero()[0].tolist()}
    queue = [(value, state) for state, value in weights.items()]
    heapify(queue)
    while queue:
        value, state = heappop(queue)
        if weights.get(state) != value:
            continue  # done, or out of date
        del weights[state]
        loop = make.star(out[state].pop(state, EMPTY))
        into[state].discard(state)
        sources = sorted(into[state])
        for p in sources:
            prefix = make.concatenation(out[p].pop(state), loop)
            for q, label in out[state].items():
                join(p, q, make.concatenation(prefix, label))
        for q in out[state]:
            into[q].discard(state)
        for changed in {*sources, *out[state]} & weights.keys():
            weights[changed] = weight(changed)
            heappush(queue, (weights[changed], changed))
        out[state] = {}
    return out[before].get(after, EMPTY)
