"""Commands about languages, none of which needs torch: classify, compile, distinguish, accepts, sample."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from automata.alphabet import Alphabet, Word
from automata.dfa import DFA
from automata.errors import MAX_STATES, ToolkitError
from lookback.inputs import (
    parse_lengths,
    parse_word,
    read_formula_language,
    read_language,
    read_languages,
)
from lookback.options import (
    AlphabetOption,
    JsonOption,
    LanguageArgument,
    MaxAssignmentsOption,
    MaxCasesOption,
    MaxCellsOption,
    MaxDrawnOption,
    MaxElementsOption,
    MaxPairsOption,
    MaxStatesOption,
    SeedOption,
    WindowsOption,
    given,
    print_json,
    printable,
    read_alphabet,
    read_windows,
    write_text,
)

if TYPE_CHECKING:
    import numpy as np

    from automata.near import NearSampler
    from automata.sample import WordSampler

_LINES = 4096  # words that are read or drawn together


class Target(StrEnum):
    """What `lookback compile` writes."""

    JSON = "json"
    ATT = "att"
    DOT = "dot"
    SVG = "svg"
    REGEX = "regex"


def classify(
    language: LanguageArgument,
    alphabet: AlphabetOption = None,
    as_json: JsonOption = False,
    windows: WindowsOption = None,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Also draw the minimal automaton into this file."),
    ] = None,
    max_states: MaxStatesOption = MAX_STATES,
    max_pairs: MaxPairsOption = None,
    max_cases: MaxCasesOption = None,
    max_elements: MaxElementsOption = None,
    max_cells: MaxCellsOption = None,
    max_assignments: MaxAssignmentsOption = None,
    max_drawn: MaxDrawnOption = None,
) -> None:
    """Say which attention patterns can recognise a language, and prove it.

    Every yes comes with a formula, every no with pairs of words that the pattern cannot tell apart. The exit
    status is 0 whatever the verdicts are.
    """
    from semigroups.classify import classify as classify_dfa
    from semigroups.depth import least_depths
    from semigroups.forms import forms_of

    dfa = read_language(language, read_alphabet(alphabet), max_states)
    if svg is not None:
        write_text(svg, _drawn(dfa, max_drawn))
    limits = given(
        max_pairs=max_pairs,
        max_cases=max_cases,
        max_elements=max_elements,
        max_cells=max_cells,
        max_assignments=max_assignments,
    )
    classification = classify_dfa(dfa, windows=read_windows(windows), **limits)
    forms = forms_of(classification.dfa, classification.order("locally testable").least)
    depths = least_depths(classification.dfa, classification.verdicts)
    if as_json:
        from lookback.record import classification_json

        least = {fragment.name: bounds.to_dict() for fragment, bounds in depths.items()}
        print_json({**classification_json(classification), "least depths": least, "forms": forms.to_dict()})
    else:
        from lookback.display import classification_view, show

        show(classification_view(classification, forms, depths))


def compile_formula(
    formula: Annotated[str, typer.Argument(metavar="FORMULA", help="A past formula, with or without ltl: before it.")],
    alphabet: AlphabetOption = None,
    to: Annotated[Target, typer.Option("--to", help="What to print.")] = Target.JSON,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --to json.")] = False,
    max_states: MaxStatesOption = MAX_STATES,
    max_drawn: MaxDrawnOption = None,
    max_size: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Symbols that a regular expression may have.")
    ] = None,
) -> None:
    """Turn a past formula into its minimal automaton, or a regular expression."""
    dfa = read_formula_language(formula.removeprefix("ltl:"), read_alphabet(alphabet), max_states)
    text = _written(dfa, Target.JSON if as_json else to, max_drawn, max_size)
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def distinguish(
    left: LanguageArgument,
    right: LanguageArgument,
    alphabet: AlphabetOption = None,
    as_json: JsonOption = False,
    max_states: MaxStatesOption = MAX_STATES,
) -> None:
    """Compare two languages: a shortest word in one alone, if there is one.

    The exit status is 0 if the languages are equal and 1 if they differ. Without --alphabet both are read
    over the alphabet that one of them brings (a file or a name), or else over the letters of the two
    expressions together.
    """
    from automata import equivalence

    first, second = read_languages([left, right], read_alphabet(alphabet), max_states)
    word = equivalence.distinguish(first, second)
    side = None if word is None else "left" if first.accepts(word) else "right"
    if as_json:
        print_json({"equal": word is None, "word": word, "in": side})
    elif word is None:
        print("equal")
    else:
        shown = [printable(text) or "the empty expression" for text in (left, right)]
        inside, outside = shown if side == "left" else reversed(shown)
        word_text = _shown(word, first.alphabet)
        print(f"they differ: {word_text} is in the {side} one, {inside}, and not in {outside}")
    if word is not None:
        raise typer.Exit(1)


def accepts(
    language: LanguageArgument,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORD...",
            help="Words: letters side by side, or parted by white space where a letter is longer than one character; "
            "'' is the empty word. Without any, they are read from standard input, one a line.",
            show_default=False,
        ),
    ] = None,
    alphabet: AlphabetOption = None,
    as_json: JsonOption = False,
    max_states: MaxStatesOption = MAX_STATES,
) -> None:
    """Say for each word whether it is in a language.

    The exit status is 0 if all words are in it, 1 if some are not.
    """
    dfa = read_language(language, read_alphabet(alphabet), max_states)
    texts: Iterable[tuple[str, str]]
    if words is None or not words:
        texts = ((f"line {number}", line.rstrip("\r\n")) for number, line in enumerate(sys.stdin, 1))
    else:
        texts = ((f"word {number}", word) for number, word in enumerate(words, 1))
    answers = _answers(dfa, texts)
    everything = True
    rows = []
    for word, answer in answers:
        everything &= answer
        if as_json:
            rows.append({"word": word, "accepted": answer})
        else:
            print(f"{_shown(word, dfa.alphabet)}\t{'yes' if answer else 'no'}")
    if as_json:
        print_json({"words": rows})
    if not everything:
        raise typer.Exit(1)


def sample(
    language: LanguageArgument,
    length: Annotated[
        str,
        typer.Option("--length", "-l", metavar="N|N..M", help="Length of the words, or the least and the greatest."),
    ],
    count: Annotated[int, typer.Option("--count", "-n", min=0, metavar="N", help="How many words.")] = 10,
    seed: SeedOption = 0,
    outside: Annotated[bool, typer.Option("--outside", help="Words that are not in the language.")] = False,
    near: Annotated[
        bool, typer.Option("--near", help="Words that one edit takes across the language's border.")
    ] = False,
    alphabet: AlphabetOption = None,
    as_json: JsonOption = False,
    max_states: MaxStatesOption = MAX_STATES,
) -> None:
    """Draw words of a language at random, all words of the lengths being equally likely.

    With --near, one letter replaced, inserted, deleted or swapped with its neighbour takes the word across
    the border; with --outside --near the words are outside, and one edit takes them inside. Near words are drawn with
    all lengths equally likely, and of a length by how many words and edits lead to them.
    """
    import numpy as np

    from automata.near import NearSampler
    from automata.sample import WordSampler

    dfa = read_language(language, read_alphabet(alphabet), max_states)
    lengths = parse_lengths(length)
    sampler = (NearSampler if near else WordSampler).of(dfa, lengths, inside=not outside, max_states=max_states)
    words = _drawn_words(sampler, np.random.default_rng(seed), count, dfa.alphabet)
    if as_json:
        print_json({"words": list(words)})
    else:
        for word in words:
            print(_shown(word, dfa.alphabet))


def _drawn_words(
    sampler: WordSampler | NearSampler, rng: np.random.Generator, count: int, alphabet: Alphabet
) -> Iterator[Word]:
    """Draw words in blocks, so that there may be more of them than memory holds."""
    for first in range(0, count, _LINES):
        yield from alphabet.decode_batch(sampler.draw(rng, min(_LINES, count - first)))


def languages(as_json: JsonOption = False) -> None:
    """List the catalogue: the names that may be written after @, what they are and where they come from."""
    from automata.catalogue import families, language, names
    from lookback.display import catalogue_table, show

    entries = [language(name) for name in names()]
    if as_json:
        listed = [
            {"name": e.name, "alphabet": list(e.dfa.alphabet), "description": e.description, "source": e.source}
            for e in entries
        ]
        print_json({"languages": listed, "families": list(families())})
    else:
        show(catalogue_table(entries))
        print(f"and for any number N or word WORD: {', '.join(f'@{family}' for family in families())}")


def _drawn(dfa: DFA, max_drawn: int | None) -> str:
    from automata.draw import View, to_svg

    return to_svg(dfa, View(**given(max_drawn=max_drawn)))


def _written(dfa: DFA, to: Target, max_drawn: int | None, max_size: int | None) -> str:
    """Return the automaton in the format asked for."""
    from automata import formats

    if to is Target.JSON:
        return formats.to_json(dfa)
    if to is Target.ATT:
        return formats.to_att(dfa)
    if to is Target.DOT:
        return formats.to_dot(dfa)
    if to is Target.SVG:
        return _drawn(dfa, max_drawn)
    from automata.regex import dfa_to_regex, print_regex

    return print_regex(dfa_to_regex(dfa, **given(max_size=max_size)))


def _answers(dfa: DFA, texts: Iterable[tuple[str, str]]) -> Iterator[tuple[Word, bool]]:
    """Yield each word with whether it is accepted, in blocks, so that standard input may be endless."""
    source = iter(texts)
    while block := list(islice(source, _LINES)):
        words = []
        for place, text in block:
            try:
                words.append(parse_word(text, dfa.alphabet))
            except ToolkitError as error:
                error.add_note(f"in {place}: {text[:60]!r}")
                raise
        yield from zip(words, dfa.accepts_batch(words).tolist(), strict=True)


def _shown(word: Word, alphabet: Alphabet) -> str:
    return printable(alphabet.show(word))
