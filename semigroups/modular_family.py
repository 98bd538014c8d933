"""Pumping families for fragments with modular predicates: evidence that no formula defines a language."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from automata.alphabet import Alphabet, Word, concatenate, plain_word
from automata.dfa import DFA
from automata.errors import ToolkitError, UnknownLetter
from automata.minimize import minimize
from ltl.depth_types import same_type
from ltl.fragment import LTL_P_MOD, LTL_PY_MOD, LTL_Y_MOD, Fragment
from semigroups.certificate_data import read_words, require_as_written

_SHOWN_PAIRS = 3
_SHOWN_LETTERS = 1_000  # of both words of a pair together
_COMPARED_LETTERS = 20_000


@dataclass(frozen=True)
class ModularFamily:
    """Words inside and outside a language, one pair for each n >= 1, which moduli and depths up to n do not tell apart.

    More exactly: no formula of the fragment, LTL[P,MOD], LTL[Y,MOD] or LTL[P,Y,MOD], of depth n or less tells the n-th
    pair apart if all its moduli divide M = lcm(1, ..., n); for LTL[Y,MOD] whatever its moduli. So a formula of depth d
    with moduli m1, m2, ... fails for every n >= max(d, m1, m2, ...).

    The words are those of two states p, q of the minimal automaton: `access` leads the start to p, `separating` leads
    p to acceptance and q to rejection. With s = `access`, u = `loop`, x = `there`, y = `back`, z = `separating`, where
    u is not empty and fixes p, the pair is

    - LTL[P,MOD]: s (XY)^n z and s (XY)^n X z with X = u^i x and Y = y u^j, where x leads p to q and y leads q to p,
      |u| divides |x| and |y|, and i and j are the least numbers such that M divides |X| and |Y|;
    - LTL[P,Y,MOD]: s (v X v Y)^n v z and s (v X v Y)^n v X v z with the same X and Y, where u fixes q too, and v = u^h
      with the least h >= 1 such that M divides |v|;
    - LTL[Y,MOD]: s u^n z and t u^n z, where t = `other_access` leads the start to q, |t| = |s|, and u fixes q too.

    The numbers exist: |X| = |u| (i + |x| / |u|), so i = -|x| / |u| modulo M / gcd(M, |u|) will do, and so on.

    Why they are not told apart. Annotate the letter at each position with the position's residue modulo M. A formula
    whose moduli divide M is, judged on annotated words, a formula without MOD over annotated letters, of the same
    operators and depth. At the end position its moduli see the residue of N + 1, which is the same for both words: the
    lengths differ by |X| or |vX|, which M divides, or not at all. With s', X', Y', v', z' for the annotated parts,
    which are the same wherever they stand, since M divides the lengths of X, Y and v:

    - the words are s'(X'Y')^n z' and s'(X'Y')^n X'z', or s'(v'X'v'Y')^n v'z' and s'(v'X'v'Y')^n v'X'v'z', and v has
      at least M >= n letters. These are pairs as in `PumpingFamily`, and the proof there, for which any letters will
      do, shows that formulas of LTL[P] or LTL[P,Y] of depth n do not tell them apart;
    - for LTL[Y,MOD], with any M, the annotated words are equally long and share the last n letters and more.
    """

    fragment: Fragment
    alphabet: Alphabet
    access: Word
    separating: Word
    loop: Word
    other_access: Word | None = None
    there: Word | None = None
    back: Word | None = None

    def pair(self, n: int) -> tuple[Word, Word]:
        """Return the n-th pair (inside, outside), n >= 1; raise `ToolkitError` if words are missing or do not fit."""
        fault = self._fault_in_words()
        if fault is not None:
            raise ToolkitError(fault)
        if n < 1:
            raise ToolkitError(f"pairs of a pumping family are numbered from 1, not {n}")
        u = self.loop
        if self.other_access is not None:
            tail = concatenate(u * n, self.separating)
            return concatenate(self.access, tail), concatenate(self.other_access, tail)
        cycle = modulus_of_pair(n) // math.gcd(modulus_of_pair(n), len(u))
        x, y = ((), ()) if self.there is None or self.back is None else (self.there, self.back)
        there = concatenate(u * (-(len(x) // len(u)) % cycle), x)
        back = concatenate(y, u * (-(len(y) // len(u)) % cycle))
        v = u * (cycle if self.fragment.window is not None else 0)
        stem = concatenate(self.access, concatenate(v, there, v, back) * n, v)
        return concatenate(stem, self.separating), concatenate(stem, there, v, self.separating)

    def check(self, dfa: DFA, max_depth: int = 3) -> str | None:
        """Return None iff the family shows that the automaton's language is not in the fragment, else the first fault.

        The lengths are compared and the loops run on the minimal automaton; where they are as they should be, all pairs
        are inside and outside. For n = 1, ..., `max_depth` the pairs are read by the automaton, and their depth-n types
        are compared, with moduli that divide lcm(1, ..., n), as long as a pair has at most 20,000 letters; beyond, the
        proof above stands.
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
            modulus = modulus_of_pair(n)
            if len(inside) + len(outside) > _COMPARED_LETTERS:
                break
            if not same_type(inside, outside, self.fragment, n, self.alphabet, modulus=modulus):
                return f"a formula of {self.fragment.name} of depth {n} and modulus {modulus} tells pair {n} apart"
        return None

    def _words(self) -> dict[str, Word | None]:
        return {name: getattr(self, name) for name in _WORDS}

    def _fault_in_words(self) -> str | None:
        if self.fragment not in _OWN_WORDS:
            return f"modular families are for LTL[P,MOD], LTL[Y,MOD] and LTL[P,Y,MOD], not for {self.fragment.name}"
        wanted = {*_COMMON_WORDS, *_OWN_WORDS[self.fragment]}
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
        if not len(self.loop):
            return "the loop word is empty"
        if self.other_access is not None and len(self.other_access) != len(self.access):
            return f"the two access words differ in length: {len(self.access)} and {len(self.other_access)} letters"
        for name, word in (("there", self.there), ("back", self.back)):
            if word is not None and len(word) % len(self.loop):
                return f"the length {len(self.loop)} of the loop does not divide the {len(word)} letters of {name}"
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
        if run(p, self.loop) != p:
            return "the loop word does not fix the first state"
        if self.fragment.window is not None and run(q, self.loop) != q:
            return "the loop word does not fix the second state"
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as plain data: {"kind": "modular pumping", "pairs", and the words that make them}.

        The pairs are {"n", "modulus", "inside", "outside"}, with lcm(1, ..., n) as modulus: the first one, and the next
        two as long as the words of a pair have together at most 1,000 letters. Words are strings if all letters are
        single characters, else lists of letters.
        """
        pairs: list[dict[str, Any]] = []
        for n in range(1, _SHOWN_PAIRS + 1):
            inside, outside = self.pair(n)
            if pairs and len(inside) + len(outside) > _SHOWN_LETTERS:
                break
            modulus = modulus_of_pair(n)
            pairs.append({"n": n, "modulus": modulus, "inside": plain_word(inside), "outside": plain_word(outside)})
        words = {name: plain_word(word) for name, word in self._words().items() if word is not None}
        return {"kind": "modular pumping", "pairs": pairs, **words}


_COMMON_WORDS = ("access", "separating", "loop")
_WORDS = (*_COMMON_WORDS, "other_access", "there", "back")
# Those that the families of each fragment have besides the common ones.
_OWN_WORDS = {LTL_P_MOD: ("there", "back"), LTL_Y_MOD: ("other_access",), LTL_PY_MOD: ("there", "back")}


def modulus_of_pair(n: int) -> int:
    """Return lcm(1, ..., n): moduli that divide it do not tell the n-th pair apart, and all up to n do divide it."""
    return math.lcm(*range(1, n + 1))


def read_modular_family(data: Mapping[str, object], fragment: Fragment, alphabet: Alphabet) -> ModularFamily:
    """Read back what `ModularFamily.to_dict` gave; raise `ToolkitError` naming the key for anything else.

    All keys and no others, the pairs as the words give them. What is read is well-formed, not yet true: `check` it.

    >>> family = ModularFamily(LTL_Y_MOD, Alphabet.of("ab"), "b", "", "a", other_access="a")  # contains b
    >>> read_modular_family(family.to_dict(), LTL_Y_MOD, Alphabet.of("ab")) == family
    True
    """
    family = ModularFamily(fragment, alphabet, **read_words(data, _WORDS, _COMMON_WORDS, alphabet))
    require_as_written(data, family.to_dict())
    return family
