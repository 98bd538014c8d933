"""From regular expressions to minimal automata; the one door to everything about regular expressions."""

from __future__ import annotations

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.elimination import dfa_to_regex
from automata.errors import MAX_STATES, TooLarge, UnknownLetter
from automata.minimize import minimize
from automata.nfa import determinize
from automata.operations import intersection
from automata.regex_print import print_regex
from automata.regex_syntax import parse_regex
from automata.regex_tree import Complement, Intersection, Letters, Regex, Repetition, inferred_alphabet, subexpressions
from automata.thompson import thompson

__all__ = ["Regex", "dfa_to_regex", "inferred_alphabet", "parse_regex", "print_regex", "regex_to_dfa"]

_WORTH_REDUCING = range(64, 16_384)  # states with which a part is minimised apart, if that makes it smaller


def regex_to_dfa(regex: Regex | str, alphabet: Alphabet | None = None, max_states: int = MAX_STATES) -> DFA:
    """Return the minimal automaton of an expression, given as a value or in the notation of `regex_syntax`.

    Without an alphabet, that of the letters mentioned, in code-point order, is taken where this is unambiguous.
    Complements and intersections are computed on minimal automata; what lies between them becomes one automaton with
    silent moves, which is determinised and minimised. Raise `TooLarge` where the automata built on the way have more
    than `max_states` states together, `ParseError` or `UnknownLetter` for letters outside the alphabet, and
    `ToolkitError` where no alphabet can be inferred.

    >>> regex_to_dfa("(a|b)*a")
    DFA(Alphabet(letters=('a', 'b')), [[1, 0], [1, 0]], start=0, accepting=[1])
    """
    if isinstance(regex, str):
        regex = parse_regex(regex, alphabet)
    letters = inferred_alphabet(regex) if alphabet is None else alphabet
    classes = _letter_classes(regex, letters)
    small = _Compiler(regex, letters, classes, max_states).compile()
    return DFA(letters, small.delta[:, classes], small.start, small.accept)


def _letter_classes(regex: Regex, alphabet: Alphabet) -> list[int]:
    """Number the letters so that those which the expression cannot tell apart have one number.

    Classes are numbered by their first letters, so that numbering states breadth first is the same over classes.
    """
    used: list[list[int]] = [[] for _ in alphabet]
    for i, node in enumerate(subexpressions(regex)):
        if isinstance(node, Letters):
            for letter in node.letters:
                if letter not in alphabet:
                    raise UnknownLetter(letter, alphabet.letters)
                used[alphabet.index[letter]].append(i)
    number: dict[tuple[int, ...], int] = {}
    return [number.setdefault(tuple(nodes), len(number)) for nodes in used]


class _Compiler:
    """The automata of the parts of one expression, over one representative of each class of letters."""

    def __init__(self, regex: Regex, alphabet: Alphabet, classes: list[int], max_states: int) -> None:
        self.regex = regex
        self.nodes = subexpressions(regex)
        self.alphabet = Alphabet(tuple(alphabet.letters[classes.index(i)] for i in range(max(classes, default=-1) + 1)))
        self.codes: dict[Letters, list[int]] = {}
        for node in self.nodes:
            if isinstance(node, Letters):
                mentioned = {classes[alphabet.index[letter]] for letter in node.letters}
                self.codes[node] = [i for i in range(len(self.alphabet)) if (i in mentioned) != node.others]
        self.max_states = max_states
        self.built = 0  # states of all automata made
        self.automata: dict[Regex, DFA] = {}
        self.size: dict[Regex, int] = {}  # states that a part adds to an automaton with silent moves, at most
        self.tried: dict[Regex, int] = {}  # the size when something inside was last minimised

    def compile(self) -> DFA:
        """Return the minimal automaton, visiting children before parents."""
        for node in self.nodes:
            match node:
                case Complement(operand):
                    inner = self._automaton(operand)
                    self._keep(node, DFA(self.alphabet, inner.delta, inner.start, ~inner.accept), inner.n_states)
                case Intersection(parts):
                    result = self._automaton(parts[0])
                    for part in parts[1:]:
                        result = intersection(result, self._automaton(part), self.max_states)
                    self._keep(node, result, result.n_states)
                case _:
                    self._measure(node)
                    if node is not self.regex:
                        self._reduce(node)
        return self._automaton(self.regex)

    def _automaton(self, node: Regex) -> DFA:
        if node not in self.automata:
            deterministic = determinize(thompson(node, self.alphabet, self.codes, self.automata), self.max_states)
            self._keep(node, minimize(deterministic), deterministic.n_states)
        return self.automata[node]

    def _keep(self, node: Regex, dfa: DFA, built: int) -> None:
        self.automata[node] = dfa
        self.size[node] = self.tried[node] = dfa.n_states
        self.built += built
        if self.built > self.max_states:
            raise TooLarge("the automata of an expression and its parts, in states", self.built, self.max_states)

    def _measure(self, node: Regex) -> None:
        size = sum(self.size[part] + 1 for part in node.operands)
        if isinstance(node, Repetition):
            size *= max(node.least, 1) if node.most is None else node.most
        self.size[node] = size + 2
        self.tried[node] = max((self.tried[part] for part in node.operands), default=0)
        if size > self.max_states:
            raise TooLarge("an expression with its repetitions written out, in states", size, self.max_states)

    def _reduce(self, node: Regex) -> None:
        """Put the minimal automaton of a large part in its place if that is smaller; try again at twice the size."""
        size = self.size[node]
        if size not in _WORTH_REDUCING or size < 2 * self.tried[node]:
            return
        self.tried[node] = size
        try:
            dfa = minimize(determinize(thompson(node, self.alphabet, self.codes, self.automata), 2 * size))
        except TooLarge:
            return
        if dfa.n_states < size:
            self._keep(node, dfa, dfa.n_states)
