"""Expressions as values: sharing, copies, walks, inferred alphabets."""

import copy
import pickle

import pytest
from hypothesis import given

from automata.errors import ToolkitError
from automata.regex_tree import (
    ANY_LETTER,
    EMPTY,
    EPSILON,
    Complement,
    Concatenation,
    Intersection,
    Letters,
    Repetition,
    Union,
    inferred_alphabet,
    subexpressions,
)
from tests.regexes import regexes
from tests.strategies import ABC

A, B = Letters(("a",)), Letters(("b",))


def test_equal_expressions_are_one_object_and_others_are_not():
    assert Union((A, B)) is Union((Letters(("a",)), Letters(("b",))))
    assert Letters(("b", "a", "b")) is Letters(("a", "b"))
    assert len({A, B, Union((A, B)), Union((B, A)), Concatenation((A, B)), Letters(("a",), others=True)}) == 6
    assert len({Repetition(A, 0, 1), Repetition(A, 0, None), Repetition(A, 1, 1), EPSILON, EMPTY, ANY_LETTER}) == 6


@given(regexes(ABC))
def test_copies_are_the_same_object(regex):
    assert pickle.loads(pickle.dumps(regex)) is regex
    assert copy.deepcopy(regex) is regex


@given(regexes(ABC))
def test_subexpressions_come_before_what_they_are_part_of(regex):
    nodes = subexpressions(regex)
    assert nodes[-1] is regex
    assert len(set(nodes)) == len(nodes)
    for i, node in enumerate(nodes):
        assert set(node.operands) <= set(nodes[:i])


def test_deep_expressions_are_walked_printed_and_copied():
    deep = A
    for _ in range(20_000):
        deep = Complement(deep)
    assert len(subexpressions(deep)) == 20_001
    assert str(deep) == "~" * 20_000 + "a"
    assert pickle.loads(pickle.dumps(deep)) is deep


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Intersection(()), "at least one part"),
        (lambda: Repetition(A, 2, 1), "at least 2 and at most 1"),
        (lambda: Repetition(A, -1, None), "at least -1"),
        (lambda: inferred_alphabet(Complement(A)), "~ depends on the alphabet"),
        (lambda: inferred_alphabet(Union((A, ANY_LETTER))), r"\. depends on the alphabet"),
        (lambda: inferred_alphabet(Letters(("a",), others=True)), r"\[\^\.\.\.\] depends on the alphabet"),
        (lambda: inferred_alphabet(EPSILON), "mentions no letter"),
    ],
)
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ToolkitError, match=message):
        make()


def test_the_inferred_alphabet_holds_the_letters_mentioned():
    assert inferred_alphabet(Union((B, Repetition(Letters(("b0", "a")), 0, None)))).letters == ("a", "b", "b0")
