"""Sharing of equal values, and the walk over the parts of one."""

from itertools import pairwise

from automata.hash_consing import HashConsed, distinct_parts


class Pair(metaclass=HashConsed):
    __match_args__ = ("operands",)

    def __init__(self, *operands):
        self.operands = operands


def test_values_of_different_classes_with_equal_fields_differ():
    class Other(Pair):
        pass

    assert Pair() is Pair()
    assert Pair() is not Pair(Pair())
    assert Pair() is not Other()


def test_each_part_comes_once_operands_first_and_left_before_right():
    leaf = Pair()
    left = Pair(leaf)
    right = Pair(left, leaf)
    assert distinct_parts(Pair(right, left)) == (leaf, left, right, Pair(right, left))
    assert distinct_parts(Pair(left, right)) == (leaf, left, right, Pair(left, right))


def test_neither_depth_nor_sharing_costs_more_than_the_parts_do():
    node = Pair()
    for _ in range(20_000):
        node = Pair(node, node)
    parts = distinct_parts(node)
    assert len(parts) == 20_001
    assert all(whole.operands == (part, part) for part, whole in pairwise(parts))
