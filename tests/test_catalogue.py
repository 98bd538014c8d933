"""Every catalogue language against a predicate that knows no automata, and against the published facts."""

import re
import tomllib
from itertools import product
from pathlib import Path

import pytest

from automata.alphabet import Alphabet
from automata.catalogue import Language, families, language, names
from automata.errors import TooLarge, ToolkitError, UnknownLetter
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from automata.sample import word_counts

FACTS = tomllib.loads(Path(__file__).with_name("golden.toml").read_text(encoding="utf-8"))["language"]


def heights(word):
    """Number of open brackets after each prefix, a opening and b closing."""
    return [word[:i].count("a") - word[:i].count("b") for i in range(len(word) + 1)]


def is_bounded_dyck(word, depth):
    return min(heights(word)) >= 0 and max(heights(word)) <= depth and heights(word)[-1] == 0


def is_rdp_1(word):
    """The last a has no b0 before it and no b1 after it."""
    if "a" not in word:
        return False
    last = len(word) - 1 - word[::-1].index("a")
    return "b0" not in word[:last] and "b1" not in word[last:]


def is_ldp_1(word):
    """The first a has no b0 before it and no b1 after it."""
    return "a" in word and "b0" not in word[: word.index("a")] and "b1" not in word[word.index("a") :]


def is_ldp_2(word):
    """The first a1 has no b0 before it; the first a2 after it no b1 in between and no b2 after."""
    if "a1" not in word:
        return False
    first = word.index("a1")
    rest = word[first + 1 :]
    if "a2" not in rest:
        return False
    second = rest.index("a2")
    return "b0" not in word[:first] and "b1" not in rest[:second] and "b2" not in rest[second:]


def runs(word):
    return [match.group() for match in re.finditer("0+|1+", word)]


def is_tomita_3(word):
    """No odd run of 0s anywhere after an odd run of 1s."""
    return re.search("1.*0", "".join(run[0] for run in runs(word) if len(run) % 2)) is None


def at(word, place, letter):
    return len(word) >= abs(place) and word[place] == letter


PREDICATES = {
    "begins-with-a": lambda w: w.startswith("a"),
    "begins-with-bb": lambda w: w.startswith("bb"),
    "ends-with-a": lambda w: w.endswith("a"),
    "ends-with-ab": lambda w: w.endswith("ab"),
    "contains-a": lambda w: "a" in w,
    "contains-ab": lambda w: "ab" in w,
    "contains-ab-2": lambda w: "ab" in w,
    "a-then-b": lambda w: "a" in w and "b" in w[w.index("a") :],
    "a-to-b": lambda w: w.startswith("a") and w.endswith("b"),
    "ab-star": lambda w: w == "ab" * (len(w) // 2),
    "dyck-2": lambda w: is_bounded_dyck(w, 2),
    "dyck-3": lambda w: is_bounded_dyck(w, 3),
    "even-length": lambda w: len(w) % 2 == 0,
    "parity-b": lambda w: w.count("b") % 2 == 0,
    "rdp-1": is_rdp_1,
    "rdp-1-extra-letter": is_rdp_1,
    "ldp-1": is_ldp_1,
    "ldp-2": is_ldp_2,
    "tomita-1": lambda w: "0" not in w,
    "tomita-2": lambda w: w == "10" * (len(w) // 2),
    "tomita-3": is_tomita_3,
    "tomita-4": lambda w: "000" not in w,
    "tomita-5": lambda w: w.count("0") % 2 == 0 and w.count("1") % 2 == 0,
    "tomita-6": lambda w: (w.count("0") - w.count("1")) % 3 == 0,
    "tomita-7": lambda w: w.count("10") < 2,
}

MEMBERS_OF_FAMILIES = {
    "begins-with-abba": ("ab", lambda w: w.startswith("abba")),
    "ends-with-abab": ("ab", lambda w: w.endswith("abab")),
    "contains-aba": ("abc", lambda w: "aba" in w),
    "sequence-aab": ("abc", lambda w: re.search("a.*a.*b", w) is not None),
    "sequence-ab": ("abc", lambda w: re.search("a.*b", w) is not None),
    "dyck-0": ("ab", lambda w: w == ""),
    "dyck-1": ("ab", lambda w: is_bounded_dyck(w, 1)),
    "dyck-5": ("ab", lambda w: is_bounded_dyck(w, 5)),
    "mod-1": ("ab", lambda w: True),
    "mod-3": ("ab", lambda w: len(w) % 3 == 0),
    "y-1": ("ab", lambda w: at(w, -1, "a")),
    "y-3": ("ab", lambda w: at(w, -3, "a")),
}


EXPRESSIONS = {
    "begins-with-bb": "bb.*",
    "ends-with-ab": ".*ab",
    "contains-ab": ".*ab.*",
    "contains-ab-2": ".*ab.*",
    "a-then-b": ".*a.*b.*",
    "a-to-b": "a.*b",
    "ab-star": "(ab)*",
    "dyck-2": "(a(ab)*b)*",
    "dyck-5": "(a(a(a(a(ab)*b)*b)*b)*b)*",
    "even-length": "(..)*",
    "parity-b": "a*(ba*ba*)*",
    "rdp-1": "[^'b0']* a [^a'b1']*",
    "rdp-1-extra-letter": "[^'b0']* a [^a'b1']*",
    "ldp-1": "[^a'b0']* a [^'b1']*",
    "ldp-2": "[^'a1''b0']* 'a1' [^'a2''b1']* 'a2' [^'b2']*",
    "tomita-1": "1*",
    "tomita-2": "(10)*",
    "tomita-3": "~(((0|1)*0)*1(11)*(0(0|1)*1)*0(00)*(1(0|1)*)*)",
    "tomita-4": "~(.*000.*)",
    "tomita-5": "(00|11|(01|10)(00|11)*(01|10))*",
    "tomita-6": "(01|(1|00)(10)*(0|11))*",
    "tomita-7": "0*1*0*1*",
    "sequence-aab": ".*a.*a.*b.*",
    "mod-7": ".{7}*",
    "y-5": ".*a.{4}",
}


def words_of(alphabet, size=20_000):
    """All words over an alphabet, as strings where they can be, up to length 8 or as many as come to `size`."""
    length = 8
    while len(alphabet) ** (length + 1) > size * max(len(alphabet) - 1, 1):
        length -= 1
    for n in range(length + 1):
        for word in product(alphabet, repeat=n):
            yield "".join(word) if alphabet.is_single_character else word


@pytest.mark.parametrize("name", names())
def test_listed_languages_are_what_they_say(name):
    dfa = language(name).dfa
    words = list(words_of(dfa.alphabet))
    assert dfa.accepts_batch(words).tolist() == [PREDICATES[name](word) for word in words]


@pytest.mark.parametrize("name", MEMBERS_OF_FAMILIES)
def test_members_of_families_are_what_they_say(name):
    letters, predicate = MEMBERS_OF_FAMILIES[name]
    dfa = language(name).dfa
    assert dfa.alphabet == Alphabet.of(letters)
    words = list(words_of(dfa.alphabet))
    assert dfa.accepts_batch(words).tolist() == [predicate(word) for word in words]


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_languages_are_those_of_their_expressions(name):
    dfa = language(name).dfa
    assert regex_to_dfa(EXPRESSIONS[name], dfa.alphabet) == dfa


@pytest.mark.parametrize("name", [*names(), *MEMBERS_OF_FAMILIES])
def test_entries_are_complete_values(name):
    entry = language(name)
    assert isinstance(entry, Language)
    assert entry.name == name
    assert entry.description
    assert "{0}" not in entry.description
    assert entry.source
    assert minimize(entry.dfa) == entry.dfa


@pytest.mark.parametrize("fact", FACTS, ids=[f"{fact['name']}-{len(fact['alphabet'])}" for fact in FACTS])
def test_published_sizes_and_counts(fact):
    dfa = language(fact["name"], Alphabet.of(fact["alphabet"])).dfa
    assert dfa.n_states == fact["states"]
    if counts := fact.get("counts"):
        assert word_counts(dfa, len(counts) - 1) == counts


def test_every_listed_language_has_published_facts():
    known = {(fact["name"], tuple(fact["alphabet"])) for fact in FACTS}
    assert known >= {(name, language(name).dfa.alphabet.letters) for name in names() if name != "contains-a"}
    assert ("contains-a", ("a", "b")) in known


def test_the_alphabet_is_part_of_the_language():
    wider = language("ab-star", Alphabet.of("abc")).dfa
    assert wider.accepts("abab")
    assert not wider.accepts("abc")
    assert language("contains-ab", Alphabet.of("ab")).dfa == language("contains-ab-2").dfa
    assert language("rdp-1", Alphabet(("a", "b0", "b1", "c"))).dfa == language("rdp-1-extra-letter").dfa
    long_letters = language("ends-with-b0 a", Alphabet(("a", "b0"))).dfa
    assert long_letters.accepts(("a", "b0", "a"))
    assert not long_letters.accepts(("a", "a"))
    for name in ("ab-star", "dyck-2", "parity-b", "a-then-b", "rdp-1"):
        with pytest.raises(UnknownLetter):
            language(name, Alphabet.of("xy"))
    with pytest.raises(UnknownLetter):
        language("y-2", Alphabet(()))


def test_families_are_named_by_patterns():
    prefixes = {family.removesuffix("WORD").removesuffix("N") for family in families()}
    assert all(any(name.startswith(prefix) for prefix in prefixes) for name in MEMBERS_OF_FAMILIES)
    assert all(any(name.startswith(prefix) for name in MEMBERS_OF_FAMILIES) for prefix in prefixes)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("end-with-a", "no language named 'end-with-a' in the catalogue; did you mean 'ends-with-a'"),
        ("tomita-8", "did you mean 'tomita-"),
        ("ends-with-", "did you mean"),
        ("zzz", "it has begins-with-a, .*, mod-N and y-N"),
        ("dyck-x", "dyck-N takes a number N from 0 on, not 'x'"),
        ("mod-0", "mod-N takes a number N from 1 on, not '0'"),
        ("y-٣", "y-N takes a number"),
    ],
)
def test_unknown_names_are_answered_with_near_ones(name, problem):
    with pytest.raises(ToolkitError, match=problem):
        language(name)


def test_large_members_meet_the_limit_at_once():
    with pytest.raises(TooLarge, match="reached 1,048,576, more than the limit of 1,000,000"):
        language("y-20")
    for name in ("y-999999999999", "dyck-999999999999", "mod-999999999999"):
        with pytest.raises(TooLarge, match="raise max_states"):
            language(name)
    assert language("dyck-2000").dfa.n_states == 2002
