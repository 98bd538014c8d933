r"""Letters and names as labels: text for people, from which the very same letters and names are read again.

A plain letter stands as it is; letters are separated by ", ". A letter that is not plain - one that holds
white space, a comma, a double quote or an unprintable character - is written as a JSON string: `","`, `"\n"`,
`"\""`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from reprlib import repr as show_short

_JSON_STRING = r'"(?:[^"\\]|\\.)*"'
_ITEM = re.compile(rf"\s*(?:({_JSON_STRING})(?=\s*(?:[,\n]|\Z))|([^,\n]*))\s*(?:([,\n])|\Z)", re.DOTALL)


def show_letter(letter: str) -> str:
    r"""Write one letter: as it is if plain, else as a JSON string.

    >>> print(*map(show_letter, ["a", "b0", "é", ",", "\n"]))
    a b0 é "," "\n"
    """
    return letter if letter.isprintable() and not re.search(r'[\s,"]', letter) else json.dumps(letter)


def show_letters(letters: Iterable[str]) -> str:
    """Write several letters, separated by ", "."""
    return ", ".join(map(show_letter, letters))


def read_letters(text: str) -> list[str]:
    r"""Read letters as `show_letters` writes them; white space around them is free, a line end separates them too.

    Raise `ValueError` if a letter is missing next to a comma. The text "," alone is that letter.

    >>> read_letters('a,b, ",", "\\""')
    ['a', 'b', ',', '"']
    """
    if not text.strip():
        return []
    if text.strip() == ",":
        return [","]
    letters = []
    place = 0
    more = True
    while more:
        item = _ITEM.match(text, place)
        assert item is not None  # the pattern matches anything up to a separator or the end
        letter = _unquote(item[1]) if item[1] else item[2].strip()
        if not letter:
            raise ValueError(f"a letter is missing in {show_short(text)}")
        letters.append(letter)
        place = item.end()
        more = item[3] is not None
    return letters


def show_name(name: str) -> str:
    """Write the name of a state: as it is if printable, else (or if it begins with a quote) as a JSON string."""
    return name if name.isprintable() and not name.startswith('"') else json.dumps(name)


def read_name(text: str) -> str:
    """Read a name as `show_name` writes it; any other text is a name as it stands."""
    return _unquote(text)


def _unquote(text: str) -> str:
    """Return what a JSON string stands for, and any other text as it is."""
    if not re.fullmatch(_JSON_STRING, text, re.DOTALL):
        return text
    try:
        return str(json.loads(text))
    except json.JSONDecodeError:
        return text
