"""Constructors of formulas that keep them small."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from automata.alphabet import Alphabet
from ltl.formula import FALSE, TRUE, Formula, Letter, Not, Past, Yesterday, conjunction, disjunction


def negation(f: Formula) -> Formula:
    """Return the negation of f, without a double one."""
    return f.operand if isinstance(f, Not) else Not(f)


def all_of(formulas: Iterable[Formula]) -> Formula:
    """Return the conjunction, each conjunct once, without neutral ones; FALSE if one is FALSE or negates another."""
    parts = dict.fromkeys(formulas)
    if FALSE in parts or any(negation(f) in parts for f in parts if isinstance(f, Not)):
        return FALSE
    return conjunction(parts)


def any_of(formulas: Iterable[Formula]) -> Formula:
    """Return the disjunction, each disjunct once, without neutral ones; TRUE if one is TRUE or negates another."""
    parts = dict.fromkeys(formulas)
    if TRUE in parts or any(negation(f) in parts for f in parts if isinstance(f, Not) and f is not FALSE):
        return TRUE
    return disjunction(parts)


def past(f: Formula) -> Formula:
    """Return `P f`, which is FALSE if f is."""
    return f if f is FALSE else Past(f)


def yesterday(f: Formula) -> Formula:
    """Return `Y f`, which is FALSE if f is."""
    return f if f is FALSE else Yesterday(f)


def letter_among(codes: Sequence[int], alphabet: Alphabet) -> Formula:
    """Return the shorter formula that holds where a position, not the end, carries one of these letters.

    >>> letter_among([0, 2, 3], Alphabet.of("abcd")) is Not(Letter("b"))
    True
    """
    if len(codes) == len(alphabet):
        return TRUE
    if 2 * len(codes) <= len(alphabet):
        return any_of(Letter(alphabet.letters[code]) for code in codes)
    return Not(any_of(Letter(letter) for code, letter in enumerate(alphabet) if code not in codes))


def by_letter(cases: Mapping[int, Formula | None], alphabet: Alphabet) -> Formula:
    """Return a formula that holds at a position, not the end, iff the case of the letter there does.

    `cases` maps each code to a formula, to None where any value will do; a missing code stands for FALSE.

    >>> from ltl.formula import Past
    >>> a, p = Letter("a"), Past(Letter("c"))
    >>> by_letter({0: TRUE, 1: p, 2: p}, Alphabet.of("abc")) is a | p
    True
    """
    groups: dict[Formula, list[int]] = {}
    free = []
    for code in range(len(alphabet)):
        case = cases.get(code, FALSE)
        if case is None:
            free.append(code)
        else:
            groups.setdefault(case, []).append(code)
    if not groups:
        return FALSE
    if free:
        groups[max(groups, key=lambda case: len(groups[case]))].extend(free)
    always = sorted(groups.pop(TRUE, []))
    never = groups.pop(FALSE, [])
    if len(groups) == 1 and not never:
        # The only other case may as well be asked for at the letters for which all is well.
        return any_of([letter_among(always, alphabet) if always else FALSE, *groups])
    parts = [letter_among(always, alphabet)] if always else []
    parts.extend(all_of([letter_among(sorted(codes), alphabet), case]) for case, codes in groups.items())
    return any_of(parts)
