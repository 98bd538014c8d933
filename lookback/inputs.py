"""What people type: languages, alphabets, words and lengths as text.

A LANGUAGE is one of

- `@name`, a language of the catalogue;
- `ltl:FORMULA`, a past formula, read at the end of the word;
- a path that ends in `.json`, `.att`, `.dot` or `.gv`, an automaton; such a text always names a file, also
  when the file is missing, and no other text does: write `regex:a.dot` for the expression;
- anything else, or `regex:EXPRESSION`, a generalised regular expression.

An ALPHABET is declared by one of

- `abc`: every character is a letter;
- `b0 b1 a` or `a,b0`: white space or commas part the letters (`b0,` is one letter of two characters);
- `json:["a", ","]`: a JSON list, for letters that hold white space or commas;
- `@FILE`: an OpenFst symbol table, whose first column holds the letters (number 0 is the empty word, no
  letter);
- the empty text: the alphabet without letters.

The alphabet is part of a language: "contains ab" over {a, b} is another language than over {a, b, c}. Where
it is left out, an expression takes its own letters in code-point order, unless it holds `.`, `[^...]`, `~` or
no letter at all, whose meaning depends on the alphabet. Formulas and `.att` files must be given one. A name has
a default alphabet and is built over another one that is given. A JSON or DOT file holds its own; a given one
must have the same letters, perhaps in another order.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from automata.alphabet import Alphabet, Word
from automata.dfa import DFA
from automata.errors import MAX_STATES, AlphabetMismatch, FormatError, ParseError, ToolkitError, UnknownLetter

Kind: TypeAlias = Literal["regex", "ltl", "name", "file"]

SUFFIXES = (".json", ".att", ".dot", ".gv")
_ALPHABET_RULE = "declare it, for example --alphabet abc"


def read_language(text: str, alphabet: Alphabet | None = None, max_states: int = MAX_STATES) -> DFA:
    """Return the minimal automaton of a LANGUAGE as people type it (see the module's description).

    Raise a child of `ToolkitError`: `ParseError`, `FormatError`, `UnknownLetter`, `AlphabetMismatch`,
    `TooLarge`.

    >>> read_language("ltl:Y a", Alphabet.of("ab")) == read_language("(a|b)*a")
    True
    """
    from automata.minimize import minimize

    kind, body = split_kind(text)
    if kind == "regex":
        from automata.regex import regex_to_dfa

        return regex_to_dfa(body, alphabet, max_states)
    if kind == "ltl":
        return read_formula_language(body, alphabet, max_states)
    if kind == "name":
        from automata.catalogue import language

        return language(body, alphabet, max_states).dfa
    return _over(minimize(_read_file(Path(body), alphabet, max_states)), alphabet, text)


def read_formula_language(text: str, alphabet: Alphabet | None, max_states: int = MAX_STATES) -> DFA:
    """Return the minimal automaton of a past formula; the alphabet must be given."""
    from ltl.compile import formula_to_dfa
    from ltl.syntax import parse_formula

    if alphabet is None:
        raise ToolkitError(
            "a formula does not say its alphabet, and over another alphabet it defines another language; "
            + _ALPHABET_RULE
        )
    return formula_to_dfa(parse_formula(text, alphabet), alphabet, max_states)


def read_languages(texts: Sequence[str], alphabet: Alphabet | None = None, max_states: int = MAX_STATES) -> list[DFA]:
    """Return minimal automata of several LANGUAGES over one alphabet, so that they can be compared.

    Without a given alphabet, the first text that brings one (a JSON or DOT file, a name) decides for all;
    `AlphabetMismatch` is raised if another brings other letters. Expressions alone are read over the union of
    their letters, in code-point order.

    >>> [dfa.alphabet.letters for dfa in read_languages(["a*", "(ab)*"])]
    [('a', 'b'), ('a', 'b')]
    """
    if alphabet is None:
        brought = [read_language(text, None, max_states).alphabet for text in texts if _brings_alphabet(text)]
        if brought:
            alphabet = brought[0]
            for other in brought:
                if set(other) != set(alphabet):
                    raise AlphabetMismatch(alphabet.letters, other.letters)
        elif all(split_kind(text)[0] == "regex" for text in texts):
            from automata.regex import parse_regex
            from automata.regex_tree import inferred_alphabet

            inferred = [inferred_alphabet(parse_regex(split_kind(text)[1])) for text in texts]
            alphabet = Alphabet.of(sorted({letter for letters in inferred for letter in letters}))
    return [read_language(text, alphabet, max_states) for text in texts]


def split_kind(text: str) -> tuple[Kind, str]:
    """Tell which kind of LANGUAGE a text is, and return it without its prefix.

    >>> split_kind("regex:a.dot"), split_kind("a.dot"), split_kind(".*a")
    (('regex', 'a.dot'), ('file', 'a.dot'), ('regex', '.*a'))
    """
    if text.startswith("regex:"):
        return "regex", text.removeprefix("regex:")
    if text.startswith("ltl:"):
        return "ltl", text.removeprefix("ltl:")
    if text.startswith("@"):
        return "name", text.removeprefix("@")
    return ("file" if Path(text).suffix.lower() in SUFFIXES else "regex"), text


def parse_alphabet(text: str) -> Alphabet:
    """Return the alphabet that a text declares (see the module's description).

    >>> parse_alphabet("abc").letters, parse_alphabet("b0 b1,a").letters, parse_alphabet("").letters
    (('a', 'b', 'c'), ('b0', 'b1', 'a'), ())
    >>> parse_alphabet('json:["a", ","]').letters
    ('a', ',')
    """
    if text.startswith("json:"):
        return Alphabet(tuple(_json_letters(text)))
    if text.startswith("@") and len(text) > 1:
        from automata.file_text import read_bytes
        from automata.formats import read_symbols

        source = text.removeprefix("@")
        try:
            data = read_bytes(Path(source), source)
        except FormatError as error:
            raise ToolkitError(
                f"cannot read the symbol table {source!r}: {error.problem}; to declare '@' as a letter, do not "
                "put it first"
            ) from None
        return read_symbols(data, source)
    if re.search(r"[\s,]", text):
        letters = [letter for letter in re.split(r"[\s,]+", text) if letter]
        if not letters:
            raise ToolkitError(
                f"the alphabet {text!r} has no letters between its separators; "
                'write json:[" ", ","] for letters that are white space or commas, and "" for the empty alphabet'
            )
        return Alphabet(tuple(letters))
    return Alphabet.of(text)


def parse_word(text: str, alphabet: Alphabet) -> Word:
    """Return a word as people type it; raise `UnknownLetter` with the place.

    Over single-character letters the text is the word; otherwise white space parts the letters, or the text
    is a JSON list after `json:`. The empty text is the empty word, and so is ε unless it is a letter.

    >>> parse_word("aba", Alphabet.of("ab")), parse_word("ε", Alphabet.of("ab"))
    ('aba', '')
    >>> parse_word("b0 a", Alphabet.of(["a", "b0"]))
    ('b0', 'a')
    """
    letters: Sequence[str] = text
    if text == "ε" and text not in alphabet:
        letters = ""
    elif not alphabet.is_single_character and text.startswith("json:"):
        letters = _json_letters(text)
    try:
        return alphabet.decode(alphabet.encode(letters).tolist())
    except UnknownLetter as error:
        if not alphabet.is_single_character:
            error.add_note("white space parts the letters of a word, as some letters are longer than one character")
        elif error.letter.isspace():
            error.add_note("the letters of a word stand side by side, without spaces")
        raise


def parse_lengths(text: str) -> range:
    """Return the lengths that a text such as `7` or `10..40` (both ends included) names.

    >>> parse_lengths("10..40"), parse_lengths("7")
    (range(10, 41), range(7, 8))
    """
    found = re.fullmatch(r"\s*([0-9]{1,9})(?:\s*\.\.\s*([0-9]{1,9}))?\s*", text)
    if not found:
        raise ToolkitError(f"{text!r} is no length; write one number or a range such as 10..40")
    least = int(found[1])
    greatest = int(found[2] or found[1])
    if greatest < least:
        raise ToolkitError(f"the lengths {text!r} run backwards; write {greatest}..{least}")
    return range(least, greatest + 1)


def _json_letters(text: str) -> list[str]:
    """Return the strings of a JSON list after `json:`."""
    try:
        letters = json.loads(text.removeprefix("json:"))
    except json.JSONDecodeError as error:
        raise ParseError(text, len("json:") + error.pos, ["a JSON list of letters"], error.msg) from None
    except (RecursionError, ValueError):  # nested too deep, or an integer too long: no list of letters either
        letters = None
    if not isinstance(letters, list) or not all(isinstance(letter, str) for letter in letters):
        raise ParseError(
            text, len("json:"), ['a JSON list of letters such as json:["a", ","]'], "not a list of strings"
        )
    return letters


def _brings_alphabet(text: str) -> bool:
    """True iff the text is a name of the catalogue or a file of a format that declares its letters."""
    kind, body = split_kind(text)
    return kind == "name" or (kind == "file" and Path(body).suffix.lower() != ".att")


def _over(dfa: DFA, alphabet: Alphabet | None, source: str) -> DFA:
    """Return a minimal automaton with its letters in the order of `alphabet`, which must hold the same."""
    from automata.minimize import minimize

    if alphabet is None or alphabet == dfa.alphabet:
        return dfa
    if set(alphabet) != set(dfa.alphabet):
        mismatch = AlphabetMismatch(dfa.alphabet.letters, alphabet.letters)
        mismatch.add_note(
            f"the first belongs to {source} and is part of its language; leave --alphabet out, or give the same letters"
        )
        raise mismatch
    return minimize(DFA(alphabet, dfa.delta[:, dfa.alphabet.encode(alphabet.letters)], dfa.start, dfa.accept))


def _read_file(path: Path, alphabet: Alphabet | None, max_states: int) -> DFA:
    """Read an automaton over its own alphabet; a .att file over the one given."""
    from automata.formats import read_automaton

    if path.suffix.lower() == ".att":
        if alphabet is None:
            raise ToolkitError(
                f"{path}: a .att file does not declare its alphabet; {_ALPHABET_RULE}, or --alphabet @FILE"
            )
        return read_automaton(path, alphabet, max_states)
    try:
        return read_automaton(path, None, max_states)
    except FormatError as error:
        if not os.path.exists(path):
            error.add_note(f"for the regular expression write regex:{path}")
        raise
