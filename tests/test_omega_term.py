"""Omega-terms: exponents, and terms in local monoids."""

from __future__ import annotations

import pytest

from automata.errors import ParseError
from semigroups.omega_term import OMEGA, Power, evaluate, localized, read_term


def read(text: str) -> tuple[str | Power, ...]:
    return read_term(text, 0, len(text))


@pytest.mark.parametrize(
    ("text", "power"),
    [
        ("x^w", OMEGA),
        ("x^ω", OMEGA),
        ("x ^ w", OMEGA),
        ("x^(w+1)", Power(True, 1)),
        ("x^{ω - 1}", Power(True, -1)),
        ("x^3", Power(False, 3)),
        ("x^{12}", Power(False, 12)),
    ],
)
def test_exponents(text, power):
    assert read(text) == ("x", power)
    assert read(f"x{power}") == ("x", power)


@pytest.mark.parametrize(
    ("power", "exponent", "value"),
    [(OMEGA, 6, 6), (Power(True, 2), 6, 8), (Power(True, -1), 6, 11), (Power(True, -1), 1, 1), (Power(False, 3), 6, 3)],
)
def test_powers_where_an_exponent_makes_idempotents(power, exponent, value):
    assert power.at(exponent) == value


def test_the_power_omega_minus_one_is_the_inverse_in_a_cyclic_group():
    """x = 2 modulo 5 has x^4 = 1: the powers with exponent 4 are idempotent, and x^(w-1) is 3, for 2 * 3 = 6."""
    assert pow(2, Power(True, -1).at(4), 5) == 3


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("x^0", 3),
        ("x^", 3),
        ("x^y", 3),
        ("x^(w+1", 3),
        ("x^(w+1}", 3),
        ("x^w+1", 4),
        ("^w", 1),
        ("x^1234567890", 3),
        ("2x", 1),
        ("éx", 1),
        ("xw", 2),
        ("((x)", 1),
        ("x)", 2),
        ("", 1),
    ],
)
def test_what_is_no_term_is_shown_its_place(text, column):
    with pytest.raises(ParseError) as caught:
        read(text)
    assert caught.value.position + 1 == column


def test_w_is_no_variable_and_the_message_says_so():
    with pytest.raises(ParseError, match="w is the exponent omega"):
        read("xw")


def test_deep_and_long_terms():
    assert read("(" * 5000 + "x" + ")^w" * 5000) == ("x", *[OMEGA] * 5000)
    assert read("x" + " ^ 2" * 5000)[1:] == (Power(False, 2),) * 5000


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("x", "e^w x e^w"),
        ("1", "e^w"),
        ("1x1", "e^w x e^w"),
        ("xy", "e^w x e^w y e^w"),
        ("x^w y", "(e^w x e^w)^w y e^w"),
        ("x(yz)^(w-1) t", "e^w x (e^w y e^w z e^w)^(w-1) t e^w"),
        ("x^2 y^3", "(e^w x e^w)^2 (e^w y e^w)^3"),
        ("1^w", "(e^w)^w"),
    ],
)
def test_terms_in_local_monoids(text, local):
    assert localized(read(text), "e") == local


def test_a_localized_term_is_the_term_with_every_variable_between_idempotents():
    """By evaluation in words: squeezing out repeated e, both are the same word."""

    def spell(text: str, values: dict[str, str]) -> str:
        word = evaluate(read(text), values, str.__add__, lambda u, power: u * power.at(2))
        while "ee" in word:
            word = word.replace("ee", "e")
        return word

    for text in ("xyx", "(xy)^w x", "x^w y^3 x^(w+1)", "((x^w y)^2 1 x)^w 1"):
        squeezed = {"e": "e", "x": "exe", "y": "eye", "1": "e"}
        assert spell(localized(read(text), "e"), {"e": "e", "x": "x", "y": "y"}) == spell(text, squeezed)
