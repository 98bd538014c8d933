"""From a formula to the layers of a transformer: which head or gate computes what, and in which layer. No torch here.

Every node of a plan is one bit at each position n = 1..N+1. Nodes refer to earlier ones by literals, a node's number
and whether its bit is turned round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from automata.alphabet import Alphabet
from automata.errors import ToolkitError
from ltl.formula import And, Formula, Letter, Mod, Not, Or, Past, Since, Top, Yesterday, check_letters, subformulas

FAN_IN = 32
"""Most literals that one gate joins; longer conjunctions become trees of gates."""


@dataclass(frozen=True)
class Literal:
    """The bit of a node, turned round if `negated`."""

    node: int
    negated: bool = False

    def __invert__(self) -> Literal:
        return Literal(self.node, not self.negated)


@dataclass(frozen=True)
class Token:
    """True iff the symbol is among these: one entry for each letter, the last for the end symbol."""

    symbols: tuple[bool, ...]


@dataclass(frozen=True)
class Remainder:
    """True iff the position is `residue` modulo `modulus`."""

    residue: int
    modulus: int


@dataclass(frozen=True)
class Head:
    """True iff the operand is true at a position that the head sees: all before, or the last ones of the window."""

    operand: Literal
    is_local: bool


@dataclass(frozen=True)
class Gate:
    """True iff all operands are true."""

    operands: tuple[Literal, ...]


Node: TypeAlias = Token | Remainder | Head | Gate


@dataclass(frozen=True)
class Plan:
    """Nodes, operands before what is made of them, and the layer of each: 0 for the embedding.

    A head works in the attention of its layer on bits of earlier layers; a gate in the feed-forward part of its layer
    on gates of earlier layers and heads of earlier layers or its own. `output` is the formula's bit.
    """

    nodes: tuple[Node, ...]
    layers: tuple[int, ...]
    output: Literal

    @property
    def depth(self) -> int:
        """Number of layers, not counting the embedding."""
        return max(self.layers)

    def count(self, layer: int, is_local: bool) -> int:
        """Return the number of global or of local heads of a layer."""
        return sum(
            isinstance(node, Head) and node.is_local == is_local and at == layer
            for node, at in zip(self.nodes, self.layers, strict=True)
        )


def plan(formula: Formula, alphabet: Alphabet) -> Plan:
    """Return a plan for a formula without S whose Y<=k have one window, which is left to whoever builds the heads.

    Combinations of letters are read off the embedding; conjunctions, and disjunctions by De Morgan, are flattened as
    far as `FAN_IN` allows. So a formula of temporal depth d takes d layers wherever each of its Boolean layers is one
    conjunction or disjunction of literals. Raise `UnknownLetter`, and `ToolkitError` for S or several windows.

    >>> from ltl.syntax import parse_formula
    >>> found = plan(parse_formula("P (b & Y a)"), Alphabet.of("abc"))
    >>> for node, layer in zip(found.nodes, found.layers, strict=True):
    ...     print(layer, node)
    0 Token(symbols=(True, False, False, False))
    1 Head(operand=Literal(node=0, negated=False), is_local=True)
    0 Token(symbols=(False, True, False, False))
    1 Gate(operands=(Literal(node=2, negated=False), Literal(node=1, negated=False)))
    2 Head(operand=Literal(node=3, negated=False), is_local=False)
    """
    order = subformulas(formula)
    check_letters(order, alphabet)
    if any(isinstance(f, Since) for f in order):
        raise ToolkitError("attention cannot compute S; write the formula with P and Y<=k")
    windows = sorted({f.window for f in order if isinstance(f, Yesterday)})
    if len(windows) > 1:
        raise ToolkitError(f"all local heads have one window, found {windows}; see ltl.to_window")
    builder = _Builder(order, alphabet)
    conjuncts = {}
    needed = {_core(formula)[0]}
    for f in reversed(order):
        if f in needed:
            conjuncts[f] = builder.conjuncts(f)
            # A gate makes one token of those that it joins.
            needed.update(part for part, _ in conjuncts[f] if not isinstance(f, And | Or) or part not in builder.tokens)
    for f in order:
        if f in needed:
            builder.add(f, conjuncts[f])
    core, negated = _core(formula)
    output = builder.literals[core]
    return Plan(tuple(builder.nodes), tuple(builder.layers), ~output if negated else output)


_Part: TypeAlias = tuple[Formula, bool]
"""A formula that is no negation, and whether it is negated."""


class _Builder:
    """The nodes of a plan as they are made, each once."""

    def __init__(self, order: Sequence[Formula], alphabet: Alphabet) -> None:
        self.tokens = _token_functions(order, alphabet)
        self.uses = Counter(_core(operand)[0] for f in order if not isinstance(f, Not) for operand in f.operands)
        self.numbers: dict[Node, int] = {}
        self.nodes: list[Node] = []
        self.layers: list[int] = []
        self.literals: dict[Formula, Literal] = {}

    def conjuncts(self, f: Formula) -> list[_Part]:
        """Return the parts that f joins (their negations if it is a disjunction), or the operand it looks back on."""
        if f in self.tokens or isinstance(f, Mod):
            return []
        if not isinstance(f, And | Or):
            return [_core(f.operands[0])]
        turned = isinstance(f, Or)
        waiting = [(operand, turned) for operand in reversed(f.operands)]
        found: dict[_Part, None] = {}
        while waiting:
            operand, negated = waiting.pop()
            part, odd = _core(operand)
            negated ^= odd
            joins_alike = isinstance(part, Or if negated else And) and part not in self.tokens
            if joins_alike and (self.uses[part] == 1 or len(found) + len(waiting) + 2 <= FAN_IN):
                waiting += [(inner, negated) for inner in reversed(part.operands)]
            else:
                found[part, negated] = None
        return list(found)

    def add(self, f: Formula, parts: list[_Part]) -> None:
        """Make the node of a formula, those of its parts being there."""
        match f:
            case _ if f in self.tokens:
                self.literals[f] = self.token(self.tokens[f])
            case Mod(residue, modulus):
                self.literals[f] = Literal(self.number(Remainder(residue, modulus)))
            case Past() | Yesterday():
                ((operand, negated),) = parts
                literal = self.literals[operand]
                head = Head(~literal if negated else literal, isinstance(f, Yesterday))
                self.literals[f] = Literal(self.number(head))
            case _:
                joined = self.join(parts)
                self.literals[f] = ~joined if isinstance(f, Or) else joined

    def join(self, parts: list[_Part]) -> Literal:
        """Return the conjunction of parts: those that are read off the embedding first made one."""
        symbols = None
        literals: dict[Literal, None] = {}
        for f, negated in parts:
            if f in self.tokens:
                values = self.tokens[f] ^ negated
                symbols = values if symbols is None else symbols & values
            else:
                literals[~self.literals[f] if negated else self.literals[f]] = None
        if symbols is not None and not (symbols.all() and literals):
            literals = {self.token(symbols): None, **literals}
        joined = list(literals)
        while len(joined) > FAN_IN:
            joined = [self.gate(joined[i : i + FAN_IN]) for i in range(0, len(joined), FAN_IN)]
        return self.gate(joined)

    def token(self, symbols: NDArray[np.bool_]) -> Literal:
        return Literal(self.number(Token(tuple(symbols.tolist()))))

    def gate(self, literals: list[Literal]) -> Literal:
        return literals[0] if len(literals) == 1 else Literal(self.number(Gate(tuple(literals))))

    def number(self, node: Node) -> int:
        """Return the number of a node, making it if it is new."""
        if node not in self.numbers:
            self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
            self.layers.append(self.layer(node))
        return self.numbers[node]

    def layer(self, node: Node) -> int:
        match node:
            case Head(operand):
                return self.layers[operand.node] + 1
            case Gate(operands):
                # A head's bit is there for the gates of its own layer, a gate's for those of the next.
                return max(self.layers[i.node] + isinstance(self.nodes[i.node], Gate) for i in operands) or 1
            case _:
                return 0


def _core(f: Formula) -> _Part:
    """Strip negations and tell whether their number is odd."""
    negated = False
    while isinstance(f, Not):
        f, negated = f.operand, not negated
    return f, negated


def _token_functions(order: Sequence[Formula], alphabet: Alphabet) -> dict[Formula, NDArray[np.bool_]]:
    """Return the subformulas whose truth the symbol decides: for each letter and the end, bool[n_letters + 1]."""
    found: dict[Formula, NDArray[np.bool_]] = {}
    symbols = np.arange(len(alphabet) + 1)
    for f in order:
        match f:
            case Top():
                found[f] = np.ones(len(symbols), dtype=bool)
            case Letter(letter):
                found[f] = symbols == alphabet.index[letter]
            case Not(operand) if operand in found:
                found[f] = ~found[operand]
            case And(left, right) if left in found and right in found:
                found[f] = found[left] & found[right]
            case Or(left, right) if left in found and right in found:
                found[f] = found[left] | found[right]
    return found
