"""What the configuration files of models share: the shape of a transformer and the language, as strict JSON."""

from __future__ import annotations

import json
import platform
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, version
from textwrap import indent
from typing import TYPE_CHECKING, Any, TypeVar

from automata.dfa import DFA
from automata.errors import FormatError, ToolkitError
from automata.json_format import from_json, to_json
from automata.json_object import check_fields, read_object, show_value
from neural.pattern import AttentionPattern
from neural.positions import Positions
from neural.transformer import TransformerConfig

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_T = TypeVar("_T", bound="DataclassInstance")

SHARED = ("format", "version", "attention", "positions", "transformer", "versions", "language")
"""The fields that every configuration has."""


def write_config(kind: str, number: int, shape: TransformerConfig, dfa: DFA, more: dict[str, Any]) -> str:
    """Write a configuration of a format and its version: the shape, what more there is, the language.

    The versions of what computes the result are noted too.
    """
    head = {
        "format": kind,
        "version": number,
        "attention": shape.pattern.name,
        "positions": shape.positions.name,
        "transformer": shape.sizes(),
        **more,
        "versions": _versions(),
    }
    language = indent(to_json(dfa).rstrip(), "  ").lstrip()
    return json.dumps(head, indent=2)[:-2] + f',\n  "language": {language}\n}}\n'


def read_config(
    data: bytes, source: str, kind: str, number: int, more: tuple[str, ...]
) -> tuple[dict[str, Any], TransformerConfig, DFA]:
    """Read what `write_config` wrote: all fields, the shape and the language.

    Raise `FormatError` naming `source` and the fault: another format or version, a field missing or not known.
    """
    plain = read_object(data, source)
    check_fields(plain, [*SHARED, *more], source)
    if plain["format"] != kind or plain["version"] != number or isinstance(plain["version"], bool):
        found = f"{show_value(plain['format'])} and {show_value(plain['version'])}"
        raise FormatError(source, None, f'expected "format": "{kind}" and "version": {number}, found {found}')
    try:
        pattern = AttentionPattern.parse(str(plain["attention"]))
    except ToolkitError as error:
        raise FormatError(source, None, f'"attention": {error}') from None
    try:
        positions = Positions.parse(str(plain["positions"]))
    except ToolkitError as error:
        raise FormatError(source, None, f'"positions": {error}') from None
    shape = read_value(
        TransformerConfig, plain["transformer"], "transformer", source, pattern=pattern, positions=positions
    )
    return plain, shape, from_json(json.dumps(plain["language"]), f"{source}, language")


def read_value(kind: type[_T], plain: object, where: str, source: str, **given: Any) -> _T:
    """Read a frozen value from the object of its fields; those `given` are not in the object."""
    place = f'"{where}": ' if where else ""
    if not isinstance(plain, dict):
        raise FormatError(source, None, f"{place}expected an object")
    names = [field.name for field in fields(kind) if field.name not in given]
    check_fields(plain, names, source, where=where)
    try:
        return kind(**plain, **given)
    except ToolkitError as error:
        raise FormatError(source, None, f"{place}{error}") from None


def _versions() -> dict[str, str]:
    """Return the versions of what computes the result."""
    found = {"python": platform.python_version()}
    for package in ("lookback-attention", "torch", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a source tree
            found[package] = "not installed"
    return found
