"""From an automaton to a formula of LTL[Y<=k] or LTL[P,Y<=k] for windows of k >= 2 positions."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import product

from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError
from ltl.formula import Formula, size
from ltl.fragment import LTL_PY, Fragment
from ltl.rewrite import simplify
from semigroups.consistent import Search
from semigroups.dated_blocks import dated_formula
from semigroups.definite import definite_order
from semigroups.forbidden import admits
from semigroups.learned import learned_formula, telling_words
from semigroups.letter_classes import merge_letters, split_letters
from semigroups.observed import CodeWord, Observed, SampleTypes

_LETTERS = 10_000  # of the words that formulas are checked by
_LONG = 300  # size of a formula beyond which decisions are tried
_SHARE = 64  # how much smaller the pools are that decisions are made with
_FEW = 12  # rounds of decisions where they are the last resort or a long formula is there already


def synthesize_window(
    minimal: DFA,
    fragment: Fragment,
    *,
    max_depth: int = 8,
    max_words: int = 30_000,
    max_truth: int = 1 << 24,
    max_rounds: int = 40,
) -> Formula | None:
    """Return a formula of LTL[Y<=k] or LTL[P,Y<=k], k >= 2, that defines the language of a minimal automaton.

    For LTL[P,Y<=k] it is a small formula (`learned_formula`), else one that follows the run from component to component
    (`dated_formula`), unless decisions give a shorter one. For LTL[Y<=k] its temporal depth is the least there is, if
    there are no more than `max_words` words as long as such a formula looks back.

    Return None where no formula of depth up to `max_depth` defines the language: because it is not definite, or not
    locally R-trivial, or because a word inside and one outside were found that have the same type of that depth.
    Raise `TooLarge` where the search ended before either, after `max_rounds` formulas that were wrong or fewer; larger
    `max_words`, words looked at together, and `max_truth`, truth values of formulas kept, find more. Raise
    `ToolkitError` for another fragment.

    >>> from automata.alphabet import Alphabet
    >>> no_bb = DFA(Alphabet.of("ab"), [[0, 1], [0, 2], [2, 2]], 0, [True, True, False])
    >>> synthesize_window(no_bb, Fragment(past=True, window=2))
    parse_formula('!O (P P true & !Y<=2 a)')
    """
    window = fragment.window
    if window is None or window < 2 or fragment != Fragment(fragment.past, window):
        raise ToolkitError(f"windows of two positions or more are in LTL[Y<=k] and LTL[P,Y<=k], not in {fragment.name}")
    merged, classes = merge_letters(minimal)
    search = Search(fragment, merged.alphabet, max_depth, max_truth, max_rounds)
    formula = (_with_past if fragment.past else _window_alone)(merged, search, window, max_words)
    return None if formula is None else split_letters(formula, classes, minimal.alphabet)


def _with_past(minimal: DFA, search: Search, window: int, max_words: int) -> Formula | None:
    """Return a formula of LTL[P,Y<=k]."""
    if not admits(minimal, LTL_PY):
        return None
    words = telling_words(minimal, window * search.max_depth, _LETTERS)
    with suppress(TooLarge):
        small = learned_formula(minimal, replace(search, decide=False), words)
        if small is not None:
            return small
    decisions = replace(search, max_truth=search.max_truth // _SHARE, max_rounds=min(search.max_rounds, _FEW))
    dated = dated_formula(minimal, window, max_words=max_words, max_truth=decisions.max_truth)
    if dated is None:
        return learned_formula(minimal, decisions, words)
    dated = simplify(dated)
    if size(dated) > _LONG:
        with suppress(TooLarge):  # a formula there is already
            return learned_formula(minimal, replace(decisions, smaller_than=size(dated)), words) or dated
    return dated


def _window_alone(minimal: DFA, search: Search, window: int, max_words: int) -> Formula | None:
    """Return a formula of LTL[Y<=k].

    A formula of depth d sees the last k d letters at most. So if these decide membership of longer words, what it says
    of the words up to that length is all there is to say; and if they do not, no formula of depth d will do.
    """
    order = definite_order(minimal)
    if order is None:
        return None
    telling = telling_words(minimal, window * search.max_depth, _LETTERS)
    least = _least_depth(minimal, search, telling)
    if least is None:
        return None
    for depth in range(max(least, -(-order // window)), search.max_depth + 1):
        words = _words_up_to(window * depth, len(minimal.alphabet), max_words)
        if words is None:
            return _small_or_decided(minimal, search, telling)
        if _least_depth(minimal, replace(search, max_depth=depth), words) is not None:
            return _small_or_decided(minimal, replace(search, max_depth=depth), words)
    return None


def _least_depth(minimal: DFA, search: Search, words: list[CodeWord]) -> int | None:
    """Return the least depth at which the types of the words tell those inside from those outside; else None."""
    observed = Observed(words)
    accept = minimal.accepts_batch(observed.batch(minimal.alphabet))
    return SampleTypes(observed, search.fragment).least_depth(accept, ~accept, search.max_depth)


def _small_or_decided(minimal: DFA, search: Search, words: list[CodeWord]) -> Formula | None:
    with suppress(TooLarge):
        small = learned_formula(minimal, replace(search, decide=False), words)
        if small is not None:
            return small
    return learned_formula(minimal, replace(search, max_truth=search.max_truth // _SHARE), words)


def _words_up_to(length: int, n_letters: int, max_words: int) -> list[CodeWord] | None:
    """Return all words up to a length; None if there are more than `max_words`."""
    words: list[CodeWord] = []
    for n in range(length + 1):
        if len(words) + n_letters**n > max_words:
            return None
        words.extend(product(range(n_letters), repeat=n))
    return words
