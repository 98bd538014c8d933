"""From a language to an exact transformer of an attention pattern, or the certificate that there is none."""

from __future__ import annotations

from automata.dfa import DFA
from automata.errors import NotDefinable, ToolkitError
from ltl.formula import Formula
from ltl.fragment import Fragment, fragment_of
from neural.architectures import architecture
from neural.pattern import AttentionPattern
from neural.positions import Positions
from neural.program import MAX_WEIGHTS, SCORE, Program, compile_program
from semigroups.certificate import Definition
from semigroups.decide import decide
from semigroups.synthesize import MAX_CASES


def logic_of(pattern: AttentionPattern, *, periodic: bool) -> Fragment:
    """Return the fragment that a pattern recognises, without positions or with periodic sinusoids."""
    row = architecture(pattern, Positions("periodic-sinusoidal", 2) if periodic else Positions())
    assert row.fragment is not None
    return row.fragment


def realise(
    dfa: DFA,
    pattern: AttentionPattern,
    formula: Formula | None = None,
    *,
    periodic: bool = False,
    score: float = SCORE,
    max_cases: int = MAX_CASES,
    max_weights: int = MAX_WEIGHTS,
) -> Program:
    """Return a program for a language: of its own formula, if it has one in the fragment, or of the certificate's.

    `periodic` allows periodic sinusoidal positions, and so predicates MOD. Raise `NotDefinable` with the verdict if the
    fragment does not define the language, and `TooLarge` or another `ToolkitError` if a limit was reached.

    >>> from automata.alphabet import Alphabet
    >>> ends_with_a = DFA(Alphabet.of("ab"), [[1, 0], [1, 0]], 0, [False, True])
    >>> realise(ends_with_a, AttentionPattern("local", 1)).formula
    parse_formula('Y a')
    >>> realise(ends_with_a, AttentionPattern("global"))
    Traceback (most recent call last):
    automata.errors.NotDefinable: global attention cannot recognise the language: LTL[P] does not define it
    """
    fragment = logic_of(pattern, periodic=periodic)
    if formula is None or not fragment_of(formula) <= fragment:
        verdict = decide(dfa, fragment, max_cases=max_cases)
        if verdict.holds is False:
            raise NotDefinable(
                f"{pattern.name} attention cannot recognise the language: {fragment.name} does not define it", verdict
            )
        if not isinstance(verdict.certificate, Definition):
            raise ToolkitError(f"there is no formula of {fragment.name} to compile: {verdict.bound}")
        formula = verdict.certificate.formula
    return compile_program(formula, dfa.alphabet, pattern, score=score, max_weights=max_weights)
