"""Pumping families for windows: evidence that LTL[Y<=k] or LTL[P,Y<=k] does not define a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from automata.alphabet import Alphabet, Word, concatenate, plain_word
from automata.dfa import DFA
from automata.errors import ToolkitError, UnknownLetter
from automata.minimize import minimize
from ltl.depth_types import same_type
from ltl.fragment import Fragment
from semigroups.certificate_data import read_words, require_as_written

KIND = "window pumping"
"""The "kind" of a family as plain data."""

_SHOWN_PAIRS = 4


@dataclass(frozen=True)
class WindowFamily:
    """Words inside and outside a language, one pair for each n >= 1, which no formula of depth n or less tells apart.

    The words are those of two states p, q of the minimal automaton. With x = `loop`, y = `other_loop` (not empty,
    p.x = p, q.y = q), t = `tail`, t' = `other_tail`, z = `separating`, the state p.tz accepts and q.t'z rejects. The
    start leads by `access` to p. The pair is, with x^N and y^N short for the least powers of kn + |x| and of kn + |y|
    letters at least,

    - LTL[Y<=k]: access x^N t z and other_access y^N t' z, where other_access leads the start to q;
    - LTL[P,Y<=k]: base x^N t z and base x^N there y^N t' z, where there leads p to q, back leads q to p, and
      base = access (x^N there y^N back)^(n+1).

    Take the positions of the left-infinite words xxx...t and yyy...t' with the coarsest colouring in which the colour
    of a position fixes its letter and the set of colours of the k positions before it. A family has to satisfy

    (a) for j = k, k - 1, ..., k - |z| (not below 1), the last j positions of both words have the same colours;
    (b) with P, each colour of t is one of the loop x, and each of t' one of y.

    Why depth n does not tell the pair apart. Let T_d(i) be the depth-d type of position i: its letter, the set of
    T_(d-1) of the k positions before and, with P, the set S_(d-1)(i) of T_(d-1) of all positions before. Without P,
    T_d looks back at most kd letters, and positions with the same colour have the same T_d, as far as those letters
    are those of the left-infinite word. By (a) the sets of T_d of the last k positions before z agree for all d < n.

    - LTL[Y<=k]: so the first letter of z has the same T_d, d <= n, in both words; so has each next letter, since the
      k positions before it are letters of z and, by (a), positions whose T_(d-1) make the same set. The end of the
      word sees the same sets.
    - LTL[P,Y<=k]: let M be the block that base repeats, and number its copies; the last, broken off, is n + 2. First,
      by induction on d: T_d of the r-th position of a copy is the same in all copies beyond the d-th, and S_d(i) is
      one set S_d for all i in copies beyond the (d+1)-th. For the copy before has the same letters, M has more than k
      of them, and what occurs in a copy beyond the d-th has occurred in copy d + 1. Second, by induction on d < n and
      along the tails: positions of x^N t and y^N t' after base, with kd predecessors there, have the same T_d if they
      have the same colour, and all of them see S_d of the past. For the sets of T_(d-1) of the k positions before are
      the same; and a position of a tail has, by (b), the colour of one in the last turn of the loop, which has kd
      predecessors in the power, hence the T_d of that one, which is in S_d already. So both words have, for d < n, the
      past S_d before z and, by (a), the same sets of T_d of the last k positions. The letters of z then have the same
      T_d, d <= n, one after the other, and add the same to both.
    """

    fragment: Fragment
    alphabet: Alphabet
    access: Word
    loop: Word
    tail: Word
    other_loop: Word
    other_tail: Word
    separating: Word
    other_access: Word | None = None
    there: Word | None = None
    back: Word | None = None

    def pair(self, n: int) -> tuple[Word, Word]:
        """Return the n-th pair (inside, outside), n >= 1; raise `ToolkitError` if words are missing.

        >>> ab = Alphabet.of("ab")
        >>> no_factor_bb = Fragment(past=True, window=3)
        >>> family = WindowFamily(no_factor_bb, ab, "", "ba", "", "ab", "", "b", there="b", back="a")
        >>> [word[-10:] for word in family.pair(1)]
        ['ababababab', 'bababababb']
        """
        fault = self._fault_in_words()
        if fault is not None:
            raise ToolkitError(fault)
        if n < 1:
            raise ToolkitError(f"pairs of a pumping family are numbered from 1, not {n}")
        least = n * self._window
        x, y = (loop * (1 - (-least // len(loop))) for loop in (self.loop, self.other_loop))
        tail, other_tail = concatenate(self.tail, self.separating), concatenate(self.other_tail, self.separating)
        if self.there is None or self.back is None:
            other_access = self.access if self.other_access is None else self.other_access
            return concatenate(self.access, x, tail), concatenate(other_access, y, other_tail)
        base = concatenate(self.access, concatenate(x, self.there, y, self.back) * (n + 1), x)
        return concatenate(base, tail), concatenate(base, self.there, y, other_tail)

    def check(self, dfa: DFA, max_depth: int = 3) -> str | None:
        """Return None iff the family shows that the automaton's language is not in the fragment, else the first fault.

        The loops are run on the minimal automaton and the colours are compared; where both are right, the proof above
        stands for every n. The n-th pair is run, and its depth-n types are compared, for n = 1, ..., `max_depth`.
        """
        if dfa.alphabet != self.alphabet:
            return f"the family is over {self.alphabet.letters}, the automaton over {dfa.alphabet.letters}"
        fault = self._fault_in_words() or self._fault_in_loops(minimize(dfa)) or self._fault_in_colours()
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

    @property
    def _window(self) -> int:
        return self.fragment.window or 1

    def _words(self) -> dict[str, Word | None]:
        return {name: getattr(self, name) for name in _WORDS}

    def _fault_in_words(self) -> str | None:
        if self.fragment.window is None or self.fragment != Fragment(self.fragment.past, self.fragment.window):
            return f"window families are for LTL[Y<=k] and LTL[P,Y<=k], not for {self.fragment.name}"
        unwanted = ("other_access",) if self.fragment.past else ("there", "back")
        for name, word in self._words().items():
            if (word is None) != (name in unwanted):
                return f"a family for {self.fragment.name} {'needs' if word is None else 'has no'} {name} word"
            if word is None:
                continue
            if not isinstance(word, str if self.alphabet.is_single_character else tuple):
                return f"the {name} word {word!r} is not written as words over this alphabet are"
            try:
                self.alphabet.encode(word)
            except UnknownLetter as error:
                return f"the {name} word: {error}"
        for name, word in (("loop", self.loop), ("other_loop", self.other_loop)):
            if not len(word):
                return f"the {name} word is empty"
        return None

    def _fault_in_loops(self, dfa: DFA) -> str | None:
        def run(state: int, word: Word | None) -> int:
            return dfa.run(() if word is None else word, state)[-1]

        p = run(dfa.start, self.access)
        q = run(p, self.there) if self.fragment.past else run(dfa.start, self.other_access)
        if self.fragment.past and run(q, self.back) != p:
            return "the back word does not lead the second state to the first"
        if run(p, self.loop) != p:
            return "the loop word does not fix the first state"
        if run(q, self.other_loop) != q:
            return "the other_loop word does not fix the second state"
        if not dfa.accept[run(p, concatenate(self.tail, self.separating))]:
            return "the first state rejects after the tail and the separating word"
        if dfa.accept[run(q, concatenate(self.other_tail, self.separating))]:
            return "the second state accepts after the other_tail and the separating word"
        return None

    def _fault_in_colours(self) -> str | None:
        """Check (a) and (b)."""
        k = self._window
        turns = len(self.loop), len(self.other_loop)
        left, right = _colours([(self.loop, self.tail), (self.other_loop, self.other_tail)], k)
        for last in range(k, max(k - len(self.separating), 1) - 1, -1):
            if _before(left, turns[0], len(left), last) != _before(right, turns[1], len(right), last):
                return f"the last {last} positions before the separating word do not have the same colours"
        for name, found, turn in (("tail", left, turns[0]), ("other_tail", right, turns[1])):
            if self.fragment.past and not set(found[turn:]) <= set(found[:turn]):
                return f"the {name} word has a colour that its loop has not"
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as plain data: {"kind": "window pumping", "pairs": [...], and the words}.

        The first four pairs are {"n", "inside", "outside"}; words are strings if all letters are single characters,
        else lists of letters.
        """
        pairs = []
        for n in range(1, _SHOWN_PAIRS + 1):
            inside, outside = self.pair(n)
            pairs.append({"n": n, "inside": plain_word(inside), "outside": plain_word(outside)})
        words = {name: plain_word(word) for name, word in self._words().items() if word is not None}
        return {"kind": KIND, "pairs": pairs, **words}


_WORDS = ("access", "loop", "tail", "other_loop", "other_tail", "separating", "other_access", "there", "back")


def _before(colours: list[int], turn: int, place: int, count: int) -> frozenset[int]:
    """Return the colours of so many positions before a place, where the first `turn` positions repeat for ever."""
    places = range(place - count, place)
    return frozenset(colours[at if at >= 0 else at % turn] for at in places)


def _colours(sides: list[tuple[Word, Word]], window: int) -> list[list[int]]:
    """Colour one turn of each loop, with its tail: refine by the colours in the window as long as colours split."""
    kinds: list[list[object]] = [[*loop, *tail] for loop, tail in sides]
    n_colours = 0
    while True:
        numbers: dict[object, int] = {}
        coloured = [[numbers.setdefault(kind, len(numbers)) for kind in side] for side in kinds]
        if len(numbers) == n_colours:
            return coloured
        n_colours = len(numbers)
        kinds = [
            [(colour, _before(side, len(loop), place, window)) for place, colour in enumerate(side)]
            for side, (loop, _) in zip(coloured, sides, strict=True)
        ]


def read_window_family(data: Mapping[str, object], fragment: Fragment, alphabet: Alphabet) -> WindowFamily:
    """Return the family of which `to_dict` gave the data; raise `ToolkitError` naming the key for anything else.

    All keys must be there and no others, and the pairs as the words give them. What is read is well-formed, not yet
    true: `check` it.

    >>> ab = Alphabet.of("ab")
    >>> family = WindowFamily(Fragment(False, 2), ab, "", "ab", "", "ba", "", "", other_access="")
    >>> read_window_family(family.to_dict(), family.fragment, ab) == family
    True
    """
    family = WindowFamily(fragment, alphabet, **read_words(data, _WORDS, _WORDS[:6], alphabet))
    require_as_written(data, family.to_dict())
    return family
