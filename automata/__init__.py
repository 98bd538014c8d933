"""Words, regular expressions and finite automata.

The values most code needs stand here; everything else is imported from the module that it lives in.
"""

from automata.alphabet import Alphabet, Codes, Word
from automata.dfa import DFA, Recognizer
from automata.errors import ToolkitError

__all__ = ["DFA", "Alphabet", "Codes", "Recognizer", "ToolkitError", "Word"]
