"""Reading files of every format: kinds of files, published automata, damaged bytes, the same bytes on every run."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import AlphabetMismatch, FormatError, TooLarge, ToolkitError
from automata.formats import from_att, from_dot, from_json, read_automaton, to_att, to_dot, to_json
from automata.minimize import minimize
from tests.strategies import AB

ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
FOUR = Alphabet.of("abcd")

# Acceptors as MLRegTest writes them, with the states of their minimal complete automata.
EMBEDDED = [
    # No factor aa: after anything but a, after a, and the sink.
    ("no-aa", "0\t0\tb\tb\n0\t0\tc\tc\n0\t0\td\td\n0\t1\ta\ta\n1\t0\tb\tb\n1\t0\tc\tc\n1\t0\td\td\n0\n1\n", FOUR, 3),
    # An even number of a: complete, no sink.
    (
        "even-a",
        "".join(f"{q}\t{q ^ (x == 'a')}\t{x}\t{x}\n" for q in (0, 1) for x in "abcd") + "0\n",
        FOUR,
        2,
    ),
    # The subsequence ab is forbidden; states 5 and 9 are equivalent.
    (
        "no-subsequence-ab",
        "3\t3\tb\tb\n3\t3\tc\tc\n3\t3\td\td\n3\t5\ta\ta\n5\t9\ta\ta\n5\t9\tc\tc\n5\t5\td\td\n"
        "9\t5\ta\ta\n9\t5\tc\tc\n9\t9\td\td\n3\n5\n9\n",
        FOUR,
        3,
    ),
]


@pytest.mark.parametrize(("text", "alphabet", "states"), [pytest.param(*row[1:], id=row[0]) for row in EMBEDDED])
def test_known_automata_have_their_known_sizes(text, alphabet, states):
    smallest = minimize(from_att(text, alphabet))
    assert smallest.n_states == states
    assert minimize(from_att(to_att(smallest), alphabet)) == smallest


def test_read_automaton_picks_the_format_by_the_suffix(tmp_path):
    for name, text in [
        ("a.json", to_json(ENDS_WITH_A)),
        ("b.JSON", "\ufeff" + to_json(ENDS_WITH_A)),
        ("c.att", to_att(ENDS_WITH_A)),
        ("d.dot", to_dot(ENDS_WITH_A)),
        ("e.gv", to_dot(ENDS_WITH_A).replace("\n", "\r\n")),
    ]:
        (tmp_path / name).write_bytes(text.encode("utf-8"))
        assert read_automaton(tmp_path / name, AB) == ENDS_WITH_A
        assert read_automaton(str(tmp_path / name), AB) == ENDS_WITH_A


def test_readers_do_not_minimise(tmp_path):
    twins = DFA(AB, [[1, 1], [0, 0], [2, 2]], 0, [True, True, False], ["p", "q", "unreachable"])
    for suffix, write in ((".json", to_json), (".dot", to_dot)):
        path = tmp_path / f"twins{suffix}"
        path.write_text(write(twins), encoding="utf-8")
        assert read_automaton(path) == twins
        assert read_automaton(path).names == twins.names


def test_files_that_cannot_be_read_say_why(tmp_path):
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "bare").write_text("")
    (tmp_path / "a.att").write_text("0\n")
    for name, problem in [
        ("none.json", "no such file"),
        ("folder.json", "a directory; expected a file"),
        ("a.txt", r"the suffix '\.txt'; expected \.json, \.att, \.dot or \.gv"),
        ("bare", r"no suffix; expected \.json, \.att, \.dot or \.gv"),
        ("a.att", "an AT&T file does not declare its alphabet; give the alphabet"),
        ("a" * 5000 + ".json", "cannot be read: |no such file"),
        ("a\0.json", "no such file|cannot be read"),
    ]:
        with pytest.raises(FormatError, match=problem) as caught:
            read_automaton(tmp_path / name)
        assert caught.value.source == str(tmp_path / name)


def test_a_pipe_is_refused_rather_than_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(FormatError, match="a device or pipe; expected a file"):
        read_automaton(tmp_path / "pipe.json")


def test_limits_are_typed(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(to_json(ENDS_WITH_A))
    with pytest.raises(TooLarge, match="max_bytes") as caught:
        read_automaton(path, max_bytes=10)
    assert caught.value.reached == path.stat().st_size
    with pytest.raises(TooLarge, match="max_states"):
        read_automaton(path, max_states=1)
    with pytest.raises(AlphabetMismatch):
        read_automaton(path, Alphabet.of("abc"))


VALID = {
    "json": to_json(DFA(AB, [[1, 0], [2, 0], [2, 2]], 0, [False, True, False], ["q:0", 'q"1', "é"])).encode(),
    "att": to_att(DFA(AB, [[1, 0], [2, 0], [2, 2]], 0, [False, True, True])).encode(),
    "dot": to_dot(DFA(AB, [[1, 0], [2, 0], [2, 2]], 0, [False, True, False], ["q:0", 'q"1', "é"])).encode(),
}
READERS = {"json": from_json, "att": lambda data: from_att(data, AB), "dot": from_dot}


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """A valid file with a few bytes changed, put in, taken out or doubled."""
    kind = draw(st.sampled_from(sorted(VALID)))
    data = bytearray(VALID[kind])
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(data)))
        end = min(len(data), place + draw(st.integers(0, 5)))
        likely = st.sampled_from(
            [b'"', b"\\", b"\n", b"[", b"]", b"{", b"}", b"-", b"9", b",", b"\0", b"\xff", b"<", b"="]
        )
        data[place:end] = draw(st.sampled_from([bytes(data[place:end]) * 2, b""]) | likely | st.binary(max_size=3))
    return kind, bytes(data)


def read_or_refuse(kind: str, data: bytes) -> DFA | None:
    """The automaton in the data, or None where the reader refuses it with an error of ours; all else gets through."""
    try:
        return READERS[kind](data)
    except ToolkitError:
        return None


@given(st.lists(damaged(), min_size=5, max_size=20))
def test_damaged_files_give_an_automaton_or_an_error_of_ours(files):
    for kind, data in files:
        dfa = read_or_refuse(kind, data)
        assert dfa is None or from_json(to_json(dfa)) == dfa


@given(st.sampled_from(sorted(VALID)), st.binary(max_size=60))
def test_any_bytes_give_an_automaton_or_an_error_of_ours(kind, data):
    dfa = read_or_refuse(kind, data)
    assert dfa is None or dfa.n_states <= len(data) + 1


def test_h23_json_keeps_odd_names_and_letters():
    names = ["q:0", 'q"1', "a b", "é", "two\nlines"]
    letters = Alphabet(('"', "\\", "->"))
    dfa = DFA(letters, np.arange(15).reshape(5, 3) % 5, 2, [True, False, True, False, False], names)
    back = from_json(to_json(dfa))
    assert back == dfa
    assert back.names == tuple(names)


H22 = """
import sys
from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.draw import to_png, to_svg
from automata.formats import from_att, from_dot, to_att, to_dot, to_json
from automata.minimize import minimize
from automata.regex import regex_to_dfa

dfa = regex_to_dfa("(ab|cd)*(e|fg)*", Alphabet.of("abcdefg"))
renamed = minimize(from_att(to_att(dfa), dfa.alphabet))
texts = [f(d) for d in (dfa, renamed) for f in (to_json, to_att, to_dot, to_svg)]
texts.append(from_dot(to_dot(dfa).replace('alphabet="a, b, c, d, e, f, g"', "x=y")).alphabet.letters)
sys.stdout.buffer.write(repr((texts, to_png(dfa))).encode())
"""


def test_h22_the_same_bytes_under_every_hash_seed():
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", H22],
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(Path(__file__).parents[1])},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for seed in range(4)
    ]
    outputs = [run.communicate() for run in runs]
    assert [run.returncode for run in runs] == [0] * 4, outputs[0][1]
    assert len(set(outputs)) == 1
    assert len(outputs[0][0]) > 10_000
    assert outputs[0][1] == b""
