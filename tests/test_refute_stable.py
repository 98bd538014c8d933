"""Decisions on the stable semigroup: languages that lengths help to define, and the limits of the search."""

from __future__ import annotations

import pytest

from automata.alphabet import Alphabet
from automata.errors import TooLarge
from automata.operations import intersection
from automata.regex import regex_to_dfa
from semigroups.syntactic import syntactic_semigroup
from semigroups.variety import VARIETIES
from tests.equation_tables import holds, table_of
from tests.strategies import AB

QUASI = [name for name, row in VARIETIES.items() if row.read_on == "stable"]


@pytest.mark.parametrize(
    ("pattern", "classes"),
    [
        ("(..)*", {"quasi-aperiodic", "quasi-R-trivial", "quasi-definite", "quasi-locally R-trivial"}),
        ("(ab)*", {"quasi-aperiodic", "quasi-R-trivial", "quasi-locally R-trivial"}),
        ("(..)*a", {"quasi-aperiodic", "quasi-definite", "quasi-locally R-trivial"}),
        ("(.b)*.a.*", {"quasi-aperiodic", "quasi-R-trivial", "quasi-locally R-trivial"}),
        ("(b*ab*a)*b*", set()),
    ],
)
def test_known_languages(pattern, classes):
    syntactic = syntactic_semigroup(regex_to_dfa(pattern, AB))
    table = table_of(syntactic.dfa)
    for name in QUASI:
        row = VARIETIES[name]
        found = row.violation(syntactic)
        assert (found is None) == all(holds(table, equation, "stable") for equation in row.equations), (pattern, name)
        assert (found is None) == (name in classes), (pattern, name)
        if found is not None:
            assert found.check(syntactic.dfa) is None
            assert all(len(word) % found.index == 0 for _, word in found.assignment)


def test_members_cut_with_the_even_lengths():
    """A language of a class, cut with the even lengths, is in the class with modular predicates."""
    even = regex_to_dfa("(..)*", AB)
    plain = {"star-free": "quasi-aperiodic", "R-trivial": "quasi-R-trivial", "definite": "quasi-definite"}
    for name, quasi in plain.items():
        pattern, letters = VARIETIES[name].member
        dfa = intersection(regex_to_dfa(pattern, Alphabet.of(letters)), even)
        assert VARIETIES[name].violation(syntactic_semigroup(dfa)) is not None or name == "star-free"
        assert VARIETIES[quasi].violation(syntactic_semigroup(dfa)) is None


def test_limits():
    last_of_an_odd_length = syntactic_semigroup(regex_to_dfa("(..)*a", AB))
    row = VARIETIES["quasi-definite"]
    assert row.violation(last_of_an_odd_length) is None
    with pytest.raises(TooLarge, match="raise max_assignments"):
        row.violation(last_of_an_odd_length, max_assignments=1)
    row = VARIETIES["quasi-locally R-trivial"]
    with pytest.raises(TooLarge, match="raise max_assignments"):
        row.violation(syntactic_semigroup(regex_to_dfa("(a(ab)*b)*", AB)), max_assignments=1)
