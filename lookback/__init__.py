"""Lookback tells which attention pattern can recognise a regular language, and why.

The names most used, from the five packages; each is loaded when it is first asked for, so that nothing waits
for torch.

>>> import lookback
>>> dfa = lookback.read_language(".*ab.*", lookback.Alphabet.of("abc"))
>>> lookback.decide(dfa, lookback.LTL_P).holds, lookback.decide(dfa, lookback.LTL_PY).holds
(False, True)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from automata.alphabet import Alphabet as Alphabet
    from automata.catalogue import language as language
    from automata.dfa import DFA as DFA
    from automata.equivalence import distinguish as distinguish
    from automata.errors import ToolkitError as ToolkitError
    from automata.minimize import minimize as minimize
    from automata.regex import dfa_to_regex as dfa_to_regex
    from automata.regex import regex_to_dfa as regex_to_dfa
    from automata.sample import sample_words as sample_words
    from lookback.inputs import parse_alphabet as parse_alphabet
    from lookback.inputs import read_language as read_language
    from ltl.compile import formula_to_dfa as formula_to_dfa
    from ltl.fragment import LTL_P as LTL_P
    from ltl.fragment import LTL_PY as LTL_PY
    from ltl.fragment import LTL_Y as LTL_Y
    from ltl.fragment import fragment_of as fragment_of
    from ltl.syntax import parse_formula as parse_formula
    from ltl.syntax import print_formula as print_formula
    from neural.pattern import AttentionPattern as AttentionPattern
    from semigroups.classify import classify as classify
    from semigroups.decide import decide as decide

_HOME = {
    "DFA": "automata.dfa",
    "LTL_P": "ltl.fragment",
    "LTL_PY": "ltl.fragment",
    "LTL_Y": "ltl.fragment",
    "Alphabet": "automata.alphabet",
    "AttentionPattern": "neural.pattern",
    "ToolkitError": "automata.errors",
    "classify": "semigroups.classify",
    "decide": "semigroups.decide",
    "dfa_to_regex": "automata.regex",
    "distinguish": "automata.equivalence",
    "formula_to_dfa": "ltl.compile",
    "fragment_of": "ltl.fragment",
    "language": "automata.catalogue",
    "minimize": "automata.minimize",
    "parse_alphabet": "lookback.inputs",
    "parse_formula": "ltl.syntax",
    "print_formula": "ltl.syntax",
    "read_language": "lookback.inputs",
    "regex_to_dfa": "automata.regex",
    "sample_words": "automata.sample",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
