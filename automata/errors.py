"""The errors that users of the toolkit can cause, and what each of them says.

Every message says what was found, where, what was expected and, where there is one, how to mend it. A mistake of
theirs is always a `ToolkitError`; any other exception is a fault of ours.
"""

from __future__ import annotations

from collections.abc import Iterable

MAX_STATES = 1_000_000
"""States that a construction may reach unless the caller says otherwise."""

BYTES_PER_STATE = 1024
"""Memory that what belongs to states may take, all together, for each state that is allowed."""

_WINDOW = 60  # columns of the offending line that an error shows on either side of the caret


class ToolkitError(ValueError):
    """A mistake in what the toolkit was given: text, file, alphabet, size or option."""


class ParseError(ToolkitError):
    """A text that is not in the language it is read as.

    `text` is the whole text, `position` the offset (from 0) of the first character that cannot be read, `expected`
    what could have stood there, `hint` how to mend it. The message shows the line with a caret under the column.

    >>> print(ParseError("ab)", 2, ["a letter", "the end"], "unexpected ')'"))
    unexpected ')' at column 3; expected a letter or the end
      ab)
        ^
    """

    def __init__(
        self,
        text: str,
        position: int,
        expected: Iterable[str] = (),
        problem: str = "unexpected text",
        hint: str = "",
    ) -> None:
        self.text = text
        self.position = position
        self.expected = tuple(expected)
        self.problem = problem
        self.hint = hint
        super().__init__(self._message())

    def _message(self) -> str:
        before = self.text[: self.position]
        line_number = before.count("\n") + 1
        line_start = before.rfind("\n") + 1
        column = self.position - line_start
        line = self.text[line_start:].split("\n", 1)[0]
        where = f"column {column + 1}" if "\n" not in self.text else f"line {line_number}, column {column + 1}"
        parts = [f"{self.problem} at {where}"]
        if self.expected:
            parts[0] += f"; expected {join_words(self.expected, 'or')}"
        first = max(0, column - _WINDOW)
        shown = line[first : column + _WINDOW].replace("\t", " ")
        left = "..." if first else ""
        right = "..." if column + _WINDOW < len(line) else ""
        parts.append(f"  {left}{shown}{right}")
        parts.append("  " + " " * (len(left) + column - first) + "^")
        if self.hint:
            parts.append(self.hint)
        return "\n".join(parts)


class FormatError(ToolkitError):
    """A file that breaks its format: names the file and, where there is one, the line (from 1)."""

    def __init__(self, source: str, line: int | None, problem: str) -> None:
        self.source = source
        self.line = line
        self.problem = problem
        super().__init__(f"{source}, line {line}: {problem}" if line is not None else f"{source}: {problem}")


class UnknownLetter(ToolkitError):
    """A word or expression that uses a letter outside the declared alphabet; `position` counts from 0."""

    def __init__(self, letter: str, letters: tuple[str, ...], position: int | None = None) -> None:
        self.letter = letter
        self.letters = letters
        self.position = position
        where = "" if position is None else f" at position {position + 1}"
        super().__init__(f"unknown letter {letter!r}{where}; the alphabet is {show_alphabet(letters)}")


class AlphabetMismatch(ToolkitError):
    """Two values over different alphabets (the order counts) where one alphabet is needed."""

    def __init__(self, left: tuple[str, ...], right: tuple[str, ...]) -> None:
        self.left = left
        self.right = right
        super().__init__(
            f"two different alphabets, {show_alphabet(left)} and {show_alphabet(right)}; "
            "declare the same letters in the same order for both"
        )


class TooLarge(ToolkitError):
    """A computation that passed its limit; `reached` is the size when it stopped, `option` what raises the limit.

    `on_command_line` tells whether the command line has the option too.
    """

    def __init__(
        self, what: str, reached: int, limit: int, option: str = "max_states", on_command_line: bool = True
    ) -> None:
        self.what = what
        self.reached = reached
        self.limit = limit
        self.option = option
        place = f" (on the command line --{option.replace('_', '-')})" if on_command_line else " in Python"
        super().__init__(
            f"{what}: reached {reached:,}, more than the limit of {limit:,}; raise {option} to go on{place}"
        )


class NoSuchWord(ToolkitError):
    """A request for words where there are none, such as members of a length that the language lacks."""


class NotDefinable(ToolkitError):
    """A language that the asked fragment cannot define; `certificate` is the evidence."""

    def __init__(self, message: str, certificate: object = None) -> None:
        self.certificate = certificate
        super().__init__(message)


def join_words(words: Iterable[str], last: str) -> str:
    """Join words as English does: "a, b or c"."""
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def show_alphabet(letters: tuple[str, ...]) -> str:
    """Show an alphabet in braces, cut after forty letters: {a, b, c}."""
    shown = ", ".join(letters[:40])
    return "{" + shown + (f", ... ({len(letters)} letters)" if len(letters) > 40 else "") + "}"
