"""Fields of a TOML document, read strictly: each fault names the file and the field."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from automata.errors import FormatError, ToolkitError
from automata.json_object import check_fields, quote_names

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_T = TypeVar("_T")
_D = TypeVar("_D", bound="DataclassInstance")

_KINDS: dict[type, str] = {
    str: "a text",
    int: "an integer",
    float: "a number",
    dict: "a table",
    list: "a list",
}
_SHOWN = 40  # characters of a wrong value that a message shows


@dataclass(frozen=True)
class Fields:
    """A table of the document `source`; `where` is its place, empty for the whole document.

    All methods raise `FormatError`.
    """

    source: str
    where: str
    table: Mapping[str, Any]

    def check(self, required: Sequence[str], optional: Sequence[str] = ()) -> None:
        """See that the table has the required fields and no others than these and the optional ones."""
        check_fields(self.table, required, self.source, optional=optional, where=self.where)

    def fail(self, field: str, problem: str) -> NoReturn:
        """Raise the error that names a field and what is wrong with it."""
        raise FormatError(self.source, None, f'"{self._place(field)}": {problem}')

    def get(self, field: str, kind: type[_T]) -> _T:
        """Return a field, which must be of a kind: a float may be written as an integer."""
        return self._typed(field, self.table[field], kind)

    def items(self, field: str, kind: type[_T]) -> list[_T]:
        """Return the items of a list that is not empty, each of a kind."""
        found = self.get(field, list)
        if not found:
            self.fail(field, "an empty list; name at least one")
        return [self._typed(f"{field}[{i}]", item, kind) for i, item in enumerate(found)]

    def distinct(self, field: str, items: Iterable[Hashable]) -> None:
        """See that no item comes twice."""
        seen: set[Hashable] = set()
        for item in items:
            if item in seen:
                self.fail(field, f"{show(item)} is given twice")
            seen.add(item)

    def parsed(self, field: str, read: Callable[[str], _T]) -> list[_T]:
        """Return what the texts of a list mean, no two the same."""
        found: list[_T] = []
        for i, text in enumerate(self.items(field, str)):
            try:
                value = read(text)
            except ToolkitError as error:
                self.fail(f"{field}[{i}]", str(error))
            if value in found:
                self.fail(field, f"{show(text)} is given twice")
            found.append(value)
        return found

    def below(self, field: str) -> Fields:
        """Return the fields of a table in this one; none if it is not there."""
        return Fields(self.source, self._place(field), self.get(field, dict) if field in self.table else {})

    def value(self, kind: type[_D], without: Sequence[str] = ()) -> _D:
        """Return a frozen value with the fields of this table, and its own defaults for those that are not here."""
        floats = {field.name: field.type == "float" for field in fields(kind)}
        self.check([], [name for name in floats if name not in without])
        given: dict[str, Any] = {name: self.get(name, float if floats[name] else int) for name in self.table}
        try:
            return kind(**given)
        except ToolkitError as error:
            raise FormatError(self.source, None, f'"{self.where}": {error}') from None

    def known(self, field: str, names: Sequence[str]) -> None:
        """See that the name of a field is one of those known."""
        if field not in names:
            close = get_close_matches(field, names, n=1)
            hint = f'did you mean "{close[0]}"?' if close else f"there are {quote_names(names)}"
            self.fail(field, f"unknown name; {hint}")

    def _place(self, field: str) -> str:
        return f"{self.where}.{field}" if self.where else field

    def _typed(self, field: str, value: object, kind: type[_T]) -> _T:
        if kind is float and type(value) is int and abs(value) < 10**300:
            return kind(value)  # type: ignore[call-arg]
        if type(value) is not kind:
            self.fail(field, f"expected {_KINDS[kind]}, found {show(value)}")
        return value


def show(value: object) -> str:
    """Write a value of a document as TOML does, cut short.

    >>> show("a"), show(True), show([1])
    ('"a"', 'true', 'a list')
    """
    if isinstance(value, dict | list):
        return _KINDS[type(value)]
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
