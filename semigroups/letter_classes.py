"""Letters that do the same in an automaton, taken as one."""

from __future__ import annotations

import numpy as np

from automata.alphabet import Alphabet
from automata.dfa import DFA
from ltl.formula import FALSE, And, Formula, Letter, Not, Or, Past, Yesterday, subformulas
from ltl.simplifying import letter_among


def merge_letters(dfa: DFA) -> tuple[DFA, dict[str, list[int]]]:
    """Return the automaton over the first letter of each class of letters with equal columns, and the classes.

    A class is given as the codes of its letters. Formulas for the automaton returned become formulas for `dfa` by
    `split_letters`; those for `dfa` serve as they are, since a first letter carries the same as itself.

    >>> dfa = DFA(Alphabet.of("abc"), [[1, 0, 1], [1, 0, 1]], 0, [False, True])
    >>> merge_letters(dfa)[0].alphabet.letters, merge_letters(dfa)[1]
    (('a', 'b'), {'a': [0, 2], 'b': [1]})
    """
    classes: dict[bytes, list[int]] = {}
    for code, column in enumerate(dfa.delta.T):
        classes.setdefault(column.tobytes(), []).append(code)
    firsts = [codes[0] for codes in classes.values()]
    letters = tuple(dfa.alphabet.letters[code] for code in firsts)
    merged = DFA(Alphabet(letters), np.take(dfa.delta, firsts, axis=1), dfa.start, dfa.accept)
    return merged, dict(zip(letters, classes.values(), strict=True))


def split_letters(formula: Formula, classes: dict[str, list[int]], alphabet: Alphabet) -> Formula:
    """Return a formula that holds at the end of a word iff `formula` holds when letters are taken for their classes.

    >>> from ltl.formula import Past
    >>> split_letters(Past(Letter("a")) & ~Letter("a"), {"a": [0, 2], "b": [1]}, Alphabet.of("abc"))
    parse_formula('P !b & !false')
    """
    at_letters: dict[Formula, Formula] = {}  # what to ask for at positions that carry a letter
    at_end: dict[Formula, Formula] = {}
    for f in subformulas(formula):
        here = [at_letters[operand] for operand in f.operands]
        if isinstance(f, Letter):
            at_letters[f], at_end[f] = letter_among(classes[f.letter], alphabet), FALSE
        elif isinstance(f, Past):
            at_letters[f] = at_end[f] = Past(*here)
        elif isinstance(f, Yesterday):
            at_letters[f] = at_end[f] = Yesterday(here[0], f.window)
        elif isinstance(f, Not | And | Or):
            at_letters[f] = type(f)(*here)
            at_end[f] = type(f)(*(at_end[operand] for operand in f.operands))
        else:
            at_letters[f] = at_end[f] = f
    return at_end[formula]
