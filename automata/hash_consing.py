"""Classes of immutable values of which equal copies are one object."""

from __future__ import annotations

from typing import Any
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
