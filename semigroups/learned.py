"""Learning a formula from words: guess one that is right at a sample, look for a word where it is wrong, go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.errors import TooLarge
from automata.graph import breadth_first
from ltl.compile import formula_to_dfa
from ltl.formula import Formula
from semigroups.consistent import Labelled, Search, consistent_formula
from semigroups.observed import CodeWord, Observed, SampleTypes

_FIRST = 130  # words of the first sample
_TURNS = 3  # longest word that is repeated in the words to check by
_TAIL = 2  # longest word that follows the repetitions


def learned_formula(minimal: DFA, search: Search, words: Iterable[CodeWord]) -> Formula | None:
    """Return a formula that defines the automaton's language, among those looked for.

    Formulas are guessed from short words and checked at `words`, which makes that quick, and at last by compiling them,
    so that the answer is right whatever the words are.

    Return None where the words seen show that no formula of the fragment of depth up to `search.max_depth` will do, as
    a word inside and one outside have the same type of that depth; and, without decisions or with a bound for the size,
    where nothing is found. Raise `TooLarge` when more formulas were wrong than allowed.
    """
    texts = Observed(words)
    sample = texts.words[:_FIRST]
    for _ in range(search.max_rounds):
        accept = minimal.accepts_batch(texts.batch(search.alphabet))
        labelled = Labelled(accept, ~accept)
        depth = SampleTypes(texts, search.fragment).least_depth(labelled.inside, labelled.outside, search.max_depth)
        if depth is None:
            return None
        formula = consistent_formula(search, texts, labelled, depth, sample)
        if formula is None:
            return None
        word = distinguish(formula_to_dfa(formula, search.alphabet), minimal)
        if word is None:
            return formula
        sample.append(tuple(search.alphabet.encode(word).tolist()))
        texts = Observed([*texts.words, sample[-1]])
    raise TooLarge("formulas found wrong", search.max_rounds + 1, search.max_rounds, "max_rounds", False)


def telling_words(minimal: DFA, length: int, max_letters: int) -> list[CodeWord]:
    """Return words that show what is hard to define: for each state a way there, a repeated word and a tail.

    Before them come all short words. What is repeated goes on for `length` letters at least; all words together have
    at most `max_letters` letters, give or take one word.
    """
    words: list[CodeWord] = []
    letters = 0
    for word in _candidate_words(minimal, length, max_letters):
        words.append(word)
        letters += len(word)
        if letters > max_letters:
            break
    return words


def _candidate_words(minimal: DFA, length: int, max_letters: int) -> Iterator[CodeWord]:
    m = len(minimal.alphabet)
    n = 0
    while m and (n + 1) * m**n <= max_letters // 2:
        yield from product(range(m), repeat=n)
        n += 1
    tree = breadth_first(minimal.delta, minimal.start)
    for period in range(1, _TURNS + 1):
        for turn in product(range(m), repeat=period):
            for state in tree.order:
                access = tuple(tree.codes_to(state) or ())
                for tail_length in range(_TAIL + 1):
                    for tail in product(range(m), repeat=tail_length):
                        yield access + turn * -(-length // period) + tail
