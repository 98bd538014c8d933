"""Immutable values of which equal copies are one object, and the walk over the parts of one that never recurses."""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeVar
from weakref import WeakValueDictionary

_made: WeakValueDictionary[tuple[object, ...], Any] = WeakValueDictionary()


class HashConsed(type):
    """The class of classes whose instances with equal fields are one object, kept as long as it is used.

    `==` is then identity, and comparing and hashing take constant time however deeply the values are nested. The
    fields are those in `__match_args__`, which dataclasses provide; they are read after the checks and
    normalisations of `__post_init__`.
    """

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return the instance with these fields, making it only if there is none."""
        value = super().__call__(*args, **kwargs)
        key = (cls, *(getattr(value, name) for name in value.__match_args__))
        return _made.setdefault(key, value)


class _Node(Protocol):
    @property
    def operands(self) -> tuple[Self, ...]: ...


_N = TypeVar("_N", bound=_Node)


def distinct_parts(root: _N) -> tuple[_N, ...]:
    """Return what a value is made of, each part once, the value last: operands before what is built on them."""
    found: dict[_N, None] = {}
    entered: set[_N] = set()
    stack = [root]
    while stack:
        node = stack[-1]
        if node in entered:
            stack.pop()
            found.setdefault(node)
        else:
            entered.add(node)
            stack.extend(operand for operand in reversed(node.operands) if operand not in entered)
    return tuple(found)
