"""Certificates: evidence for a verdict that is checked without the code that produced it.

A yes is certified by a formula of the fragment, a no by a pumping family. Both are checked against the automaton, the
semantics of formulas and depth-d types alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from automata.alphabet import Alphabet, Word, concatenate, plain_word
from automata.dfa import DFA
from automata.equivalence import distinguish
from automata.errors import ToolkitError, UnknownLetter
from automata.minimize import minimize
from ltl.compile import formula_to_dfa
from ltl.depth_types import same_type
from ltl.formula import Formula, depth, size
from ltl.fragment import LTL_P, LTL_PY, LTL_Y, Fragment, fragment_of
from ltl.printing import print_formula
from semigroups.certificate_data import read_words, require_as_written
from semigroups.modular_family import read_modular_family
from semigroups.verdict import Certificate
from semigroups.window_family import read_window_family

_SHOWN_PAIRS = 4


@dataclass(frozen=True)
class Definition:
    """A formula of the fragment that defines the language."""

    fragment: Fragment
    formula: Formula

    def check(self, dfa: DFA) -> str | None:
        """Return None iff the formula is in the fragment and defines the automaton's language, else the fault.

        >>> from ltl.syntax import parse_formula
        >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
        >>> Definition(LTL_Y, parse_formula("Y a")).check(ends_with_a) is None
        True
        >>> Definition(LTL_P, parse_formula("P a")).check(ends_with_a)
        'the formula accepts ab, the automaton does not'
        """
        least = fragment_of(self.formula)
        if not least <= self.fragment:
            return f"the formula is in {least.name}, not in {self.fragment.name}"
        try:
            compiled = formula_to_dfa(self.formula, dfa.alphabet)
        except UnknownLetter as error:
            return f"the formula does not fit the automaton: {error}"
        word = distinguish(compiled, dfa)
        if word is None:
            return None
        shown = dfa.alphabet.show(word)
        if dfa.accepts(word):
            return f"the automaton accepts {shown}, the formula does not"
        return f"the formula accepts {shown}, the automaton does not"

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as plain data: {"kind": "formula", "formula", "depth", "size"}."""
        return {
            "kind": "formula",
            "formula": print_formula(self.formula),
            "depth": depth(self.formula),
            "size": size(self.formula),
        }


@dataclass(frozen=True)
class PumpingFamily:
    """Words inside and outside a language, one pair for each n >= 1, which no formula of depth n or less tells apart.

    The words are those of two states p, q of the minimal automaton: `access` leads the start to p, `separating` leads
    p to acceptance and q to rejection. With u = `loop`, x = `there`, y = `back`, z = `separating`, the pair is

    - LTL[P]: access (xy)^n z and access (xy)^n x z, where x leads p to q and y leads q to p;
    - LTL[Y]: access u^n z and other_access u^n z, where other_access leads to q, and u is non-empty and fixes p and q;
    - LTL[P,Y]: access (v x v y)^n v z and access (v x v y)^n v x v z, with x, y, u as above and v = u^m, where m is
      the least number such that v has n letters.

    Why depth n does not tell them apart. Let T_d(w) be the depth-d type of w: the last letter of w with the depth-(d-1)
    type of what is before it, if the fragment has Y, and, if it has P, the set S_d(w) of all pairs (letter, depth-(d-1)
    type of what is before it). Words satisfy the same formulas of depth d iff T_d agrees. T_d(wa) is a function of
    T_d(w), T_(d-1)(w) and a, so it is enough to compare the words without z.

    - LTL[Y]: T_d(w) depends on the last d letters only, if there are so many, and the words share n letters.
    - LTL[P,Y]: let s = access and B = v x v y, of length >= n. Claim, for d <= n: if i, j >= d, and b, c are prefixes
      of B such that sB^i b and sB^j c share their last d letters, these words have the same T_d. For d = 0 there is
      nothing to show. Otherwise their last letters agree, and what is before them has the same T_(d-1), by induction.
      And S_d(sB^i b) = S_d(sB^d): take a letter of sB^i b beyond sB^d, say the r-th of its B; the r-th letter of the
      last B of sB^d is the same, and the prefixes before both end with the same d - 1 letters, so they have the same
      T_(d-1), by induction. The claim with i = j = n and any d <= n proves the case: both words end with v, which has
      n letters.
    - LTL[P]: the same claim with B = xy and no condition on last letters; without Y nothing looks at them.
    """

    fragment: Fragment
    alphabet: Alphabet
    access: Word
    separating: Word
    other_access: Word | None = None
    loop: Word | None = None
    there: Word | None = None
    back: Word | None = None

    def pair(self, n: int) -> tuple[Word, Word]:
        """Return the n-th pair (inside, outside), n >= 1; raise `ToolkitError` if words are missing."""
        fault = self._fault_in_words()
        if fault is not None:
            raise ToolkitError(fault)
        if n < 1:
            raise ToolkitError(f"pairs of a pumping family are numbered from 1, not {n}")
        empty = self.alphabet.decode([])
        u, x, y = (empty if word is None else word for word in (self.loop, self.there, self.back))
        if not self.fragment.past:
            other = empty if self.other_access is None else self.other_access
            return concatenate(self.access, u * n, self.separating), concatenate(other, u * n, self.separating)
        v = u * -(-n // len(u)) if self.fragment == LTL_PY else empty
        stem = concatenate(self.access, concatenate(v, x, v, y) * n, v)
        return concatenate(stem, self.separating), concatenate(stem, x, v, self.separating)

    def check(self, dfa: DFA, max_depth: int = 4) -> str | None:
        """Return None iff the family shows that the automaton's language is not in the fragment, else the first fault.

        The loops are run on the minimal automaton; where they are loops, all pairs are inside and outside. The depth-n
        types of the n-th pair are compared for n = 1, ..., `max_depth`; for greater n the proof above stands.
        """
        if dfa.alphabet != self.alphabet:
            return f"the family is over {self.alphabet.letters}, the automaton over {dfa.alphabet.letters}"
        fault = self._fault_in_words() or self._fault_in_loops(minimize(dfa))
        if fault is not None:
            return fault
        for n in range(1, max_depth + 1):
            inside, outside = self.pair(n)
            if not dfa.accepts(inside):
                return f"the automaton rejects the word inside of pair {n}"
            if dfa.accepts(outside):
                return f"the automaton accepts the word outside of pair {n}"
            if not same_type(inside, outside, self.fragment, n, self.alphabet):
                return f"a formula of {self.fragment.name} of depth {n} tells pair {n} apart"
        return None

    def _words(self) -> dict[str, Word | None]:
        return {name: getattr(self, name) for name in _WORDS}

    def _fault_in_words(self) -> str | None:
        if self.fragment not in _OWN_WORDS:
            return f"pumping families are for LTL[P], LTL[Y] and LTL[P,Y], not for {self.fragment.name}"
        wanted = {"access", "separating", *_OWN_WORDS[self.fragment]}
        for name, word in self._words().items():
            if (word is not None) != (name in wanted):
                return f"a family for {self.fragment.name} {'needs' if name in wanted else 'has no'} {name} word"
            if word is None:
                continue
            if not isinstance(word, str if self.alphabet.is_single_character else tuple):
                return f"the {name} word {word!r} is not written as words over this alphabet are"
            try:
                self.alphabet.encode(word)
            except UnknownLetter as error:
                return f"the {name} word: {error}"
        if self.loop is not None and not len(self.loop):
            return "the loop word is empty"
        return None

    def _fault_in_loops(self, dfa: DFA) -> str | None:
        def run(state: int, word: Word | None) -> int:
            return dfa.run(() if word is None else word, state)[-1]

        p = run(dfa.start, self.access)
        q = run(p, self.there) if self.fragment.past else run(dfa.start, self.other_access)
        if not dfa.accept[run(p, self.separating)]:
            return "the word access separating is rejected"
        if dfa.accept[run(q, self.separating)]:
            return "the second state accepts after the separating word"
        if self.fragment.past and run(q, self.back) != p:
            return "the back word does not lead the second state to the first"
        for name, state in (("first", p), ("second", q)):
            if run(state, self.loop) != state:
                return f"the loop word does not fix the {name} state"
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as plain data: {"kind": "pumping", "pairs": [...], and the words that make them}.

        The first four pairs are {"n", "inside", "outside"}; words are strings if all letters are single characters,
        else lists of letters.
        """
        pairs = []
        for n in range(1, _SHOWN_PAIRS + 1):
            inside, outside = self.pair(n)
            pairs.append({"n": n, "inside": plain_word(inside), "outside": plain_word(outside)})
        words = {name: plain_word(word) for name, word in self._words().items() if word is not None}
        return {"kind": "pumping", "pairs": pairs, **words}


_WORDS = ("access", "separating", "other_access", "loop", "there", "back")
# Those that the families of each fragment have besides the first two.
_OWN_WORDS = {LTL_P: ("there", "back"), LTL_Y: ("other_access", "loop"), LTL_PY: ("loop", "there", "back")}


def read_certificate(data: object, fragment: Fragment, alphabet: Alphabet) -> Certificate:
    """Read back what `to_dict` gave; raise `ToolkitError` naming the key for anything else.

    Reading is strict: all keys and no others, the pairs, the depth and the size as the certificate itself gives them.
    What is read is well-formed, not yet true: `check` it.

    >>> from ltl.syntax import parse_formula
    >>> certificate = Definition(LTL_Y, parse_formula("Y a"))
    >>> read_certificate(certificate.to_dict(), LTL_Y, Alphabet.of("ab")) == certificate
    True
    """
    from ltl.syntax import parse_formula

    if not isinstance(data, Mapping):
        raise ToolkitError(f"a certificate is an object with a key 'kind', not {data!r}")
    certificate: Certificate
    match data.get("kind"):
        case "formula":
            text = data.get("formula")
            if not isinstance(text, str):
                raise ToolkitError(f"certificate key 'formula' must be a string, not {text!r}")
            certificate = Definition(fragment, parse_formula(text, alphabet))
        case "pumping":
            words = read_words(data, _WORDS, _WORDS[:2], alphabet)
            certificate = PumpingFamily(fragment, alphabet, **words)
        case "window pumping":
            certificate = read_window_family(data, fragment, alphabet)
        case "modular pumping":
            certificate = read_modular_family(data, fragment, alphabet)
        case kind:
            kinds = "'formula', 'pumping', 'window pumping' or 'modular pumping'"
            raise ToolkitError(f"certificate key 'kind' must be {kinds}, not {kind!r}")
    written = certificate.to_dict()
    # A formula may be spelled in other ways; its depth and size are its own.
    require_as_written(data, {**written, "formula": data["formula"]} if "formula" in written else written)
    return certificate
