"""Random regular expressions, and their languages by the definitions alone."""

from functools import cache
from itertools import product

from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.regex_tree import (
    ANY_LETTER,
    EMPTY,
    EPSILON,
    Complement,
    Concatenation,
    Intersection,
    Letters,
    Regex,
    Repetition,
    Union,
)


def regexes(alphabet: Alphabet, *, plain: bool = False, max_leaves: int = 8) -> st.SearchStrategy[Regex]:
    """Expressions over an alphabet; `plain` ones have no complement, no intersection and name their letters."""
    some = st.sets(st.sampled_from(list(alphabet)), min_size=1).map(tuple)
    letters = st.builds(Letters, some, st.just(False) if plain else st.booleans())
    leaves = st.one_of(letters, st.sampled_from([EPSILON, EMPTY] if plain else [ANY_LETTER, EPSILON, EMPTY]))

    def extend(inner):
        several = st.lists(inner, min_size=1, max_size=3).map(tuple)
        bounds = st.tuples(st.integers(0, 2), st.none() | st.integers(0, 2))
        options = [
            st.builds(Concatenation, several),
            st.builds(Union, several),
            st.builds(lambda r, b: Repetition(r, b[0], None if b[1] is None else b[0] + b[1]), inner, bounds),
        ]
        if not plain:
            options += [st.builds(Complement, inner), st.builds(Intersection, several)]
        return st.one_of(options)

    return st.recursive(leaves, extend, max_leaves=max_leaves)


def short_words_of(regex: Regex, alphabet: Alphabet, length: int) -> frozenset[tuple[str, ...]]:
    """The words of the language of at most so many letters, from the definition of each operator."""

    @cache
    def language(node):
        match node:
            case Letters(letters, others):
                return frozenset((letter,) for letter in alphabet if (letter in letters) != others and length > 0)
            case Concatenation(parts):
                return concatenated([language(part) for part in parts])
            case Union(parts):
                return frozenset().union(*map(language, parts))
            case Intersection(parts):
                return frozenset.intersection(*map(language, parts))
            case Complement(operand):
                every = {word for n in range(length + 1) for word in product(alphabet, repeat=n)}
                return frozenset(every - language(operand))
            case Repetition(operand, least, most):
                # The empty word apart, a word of so many letters has no more factors.
                numbers = range(least, (max(least, length) if most is None else most) + 1)
                return frozenset().union(*(concatenated([language(operand)] * n) for n in numbers))

    def concatenated(factors):
        words = {()}
        for factor in factors:
            words = {u + v for u in words for v in factor if len(u + v) <= length}
        return frozenset(words)

    return language(regex)
