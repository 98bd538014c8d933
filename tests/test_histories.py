from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.errors import ToolkitError, UnknownLetter
from ltl.depth_types import same_type
from ltl.fragment import Fragment
from semigroups.histories import History, are_equivalent, colours
from tests.strategies import AB, ABC


def unrolled(history: History, length: int) -> str:
    """The last letters of a history."""
    return (str(history.loop) * (length // len(history.loop) + 1) + str(history.tail))[-length:]


def are_same(left: History, right: History) -> bool:
    """True iff two left-infinite words are equal: they are if they agree on this many letters [Fine & Wilf 1965]."""
    length = sum(len(word) for history in (left, right) for word in (history.loop, history.tail))
    return unrolled(left, length) == unrolled(right, length)


def spaced_letters(history: History, window: int) -> tuple[frozenset[str], frozenset[str]] | None:
    """B and N if the history is in X(B,N), by the definition; None if it is in none."""
    before, word = str(history.loop) * window, str(history.loop) + str(history.tail)
    text, letters = before + word, frozenset(word)
    free, spaced = set(), set()
    for place in range(len(before), len(text)):
        lacking = letters - set(text[place - window : place])
        if lacking - {text[place]}:
            return None
        (spaced if lacking else free).add(text[place])
    return None if free & spaced else (letters, frozenset(spaced))


def are_mixed_alike(left: History, right: History, window: int) -> bool:
    """True iff the histories are fz and gz as the structure theorem has it (docs/windows.md)."""
    length = sum(len(word) for history in (left, right) for word in (history.loop, history.tail))
    ends = unrolled(left, length), unrolled(right, length)
    for cut in range(length):
        if ends[0][length - cut :] != ends[1][length - cut :]:
            return False
        f, g = (shortened(history, cut) for history in (left, right))
        kind = spaced_letters(f, window)
        if kind is not None and kind == spaced_letters(g, window):
            least = max(window - cut, 1)
            if all(set(unrolled(f, j)) == set(unrolled(g, j)) for j in range(least, window + 1)):
                return True
    return False


def shortened(history: History, cut: int) -> History:
    """The history without its last letters."""
    tail = str(history.loop) * cut + str(history.tail)
    return History(history.loop, tail[: len(tail) - cut])


def histories(letters: str = "ab", max_loop: int = 4, max_tail: int = 3) -> st.SearchStrategy[History]:
    return st.builds(
        History, st.text(letters, min_size=1, max_size=max_loop), st.text(letters, min_size=0, max_size=max_tail)
    )


def primitive_loops(max_length: int) -> list[History]:
    """Periodic words over two letters, each once: loops that are not powers."""
    return [
        History(word, "")
        for n in range(1, max_length + 1)
        for word in map("".join, product("ab", repeat=n))
        if word not in (word + word)[1:-1]
    ]


def test_equivalent_periodic_words_of_windows_of_two_are_the_three_known_pairs() -> None:
    # theory: (ab) ~ (ba), (aab) ~ (aba), (bba) ~ (bab), and no others
    found = {
        frozenset((str(left.loop), str(right.loop)))
        for left, right in combinations(primitive_loops(6), 2)
        if are_equivalent(left, right, 2, AB)
    }
    assert found == {frozenset(pair) for pair in (("ab", "ba"), ("aab", "aba"), ("bba", "bab"))}


def test_words_in_which_all_windows_of_three_hold_both_letters_fall_together() -> None:
    loops = primitive_loops(6)
    mixed = [loop for loop in loops if all(len(set(unrolled(loop, 30)[i : i + 3])) == 2 for i in range(20))]
    assert len(mixed) > 10
    for left, right in combinations(mixed, 2):
        assert are_equivalent(left, right, 3, AB)


@given(histories(), histories())
def test_a_window_of_one_sees_everything(left: History, right: History) -> None:
    assert are_equivalent(left, right, 1, AB) == are_same(left, right)


@pytest.mark.parametrize("window", [1, 2, 3, 4])
def test_structure_of_equivalent_histories_over_two_letters(window: int) -> None:
    """Different histories are k-equivalent iff they are fz and gz with f, g in one X(B,N): all short ones."""
    listed = [
        History(loop.loop, "".join(tail))
        for loop in primitive_loops(4)
        for n in range(2)
        for tail in product("ab", repeat=n)
    ]
    n_equivalent = 0
    for left, right in combinations(listed, 2):
        if not are_same(left, right):
            expected = are_mixed_alike(left, right, window)
            n_equivalent += expected
            assert are_equivalent(left, right, window, AB) == expected, (left, right)
    assert (n_equivalent > 0) == (window > 1)


@pytest.mark.parametrize("window", [2, 3, 4])
@given(left=histories("abc", 6), right=histories("abc", 6))
def test_structure_of_equivalent_histories(window: int, left: History, right: History) -> None:
    expected = are_same(left, right) or are_mixed_alike(left, right, window)
    assert are_equivalent(left, right, window, ABC) == expected


@pytest.mark.parametrize("window", [2, 3])
@given(data=st.data())
def test_equivalent_histories_have_suffixes_of_equal_types(window: int, data: st.DataObject) -> None:
    """Suffixes of kd letters have the same depth-d type; other histories are told apart by some depth."""
    left, right = data.draw(histories(max_loop=3, max_tail=2)), data.draw(histories(max_loop=3, max_tail=2))
    fragment = Fragment(past=False, window=window)
    most = len(left.loop) + len(left.tail) + len(right.loop) + len(right.tail)  # colours, so rounds of refinement
    agree = [
        same_type(unrolled(left, window * depth), unrolled(right, window * depth), fragment, depth, AB)
        for depth in range(1, most + 1)
    ]
    if are_equivalent(left, right, window, AB):
        assert all(agree)
    else:
        text = [unrolled(history, window * (most + 1)) for history in (left, right)]
        assert not same_type(*text, fragment, most, AB)


@given(histories("abc"), st.integers(1, 4), st.integers(1, 3))
def test_colours_do_not_depend_on_how_a_history_is_written(history: History, window: int, turns: int) -> None:
    again = History(str(history.loop) * turns, str(history.loop) + str(history.tail))
    first, second = (found.tolist() for found in colours((history, again), window, ABC))
    loop = first[: len(history.loop)]
    assert second == loop * turns + first


@given(histories("abc"), histories("abc"), st.integers(1, 4))
def test_equal_colours_mean_equal_letters_and_windows_and_no_coarser_colouring_does(
    left: History, right: History, window: int
) -> None:
    found = [colour.tolist() for colour in colours((left, right), window, ABC)]
    words = [str(history.loop) + str(history.tail) for history in (left, right)]
    naive: list[list[object]] = [list(word) for word in words]
    for _ in range(len(words[0]) + len(words[1])):
        naive = [
            [
                (
                    kinds[place],
                    frozenset(kinds[at if at >= 0 else at % len(history.loop)] for at in range(place - window, place)),
                )
                for place in range(len(kinds))
            ]
            for kinds, history in zip(naive, (left, right), strict=True)
        ]
        numbers: dict[object, int] = {}
        naive = [[numbers.setdefault(kind, len(numbers)) for kind in kinds] for kinds in naive]
    assert found == naive


def test_faults_are_named() -> None:
    with pytest.raises(ToolkitError, match="loop of a history is empty"):
        History("", "a")
    with pytest.raises(UnknownLetter, match="unknown letter 'c'"):
        colours([History("c", "")], 2, AB)
    with pytest.raises(ToolkitError, match="window of 0 positions"):
        are_equivalent(History("a", ""), History("b", ""), 0, AB)
    assert colours([], 2, AB) == []


def test_letters_of_several_characters() -> None:
    up_down = Alphabet(("up", "down"))
    left, right = History(("up", "down"), ()), History(("down", "up"), ())
    assert [are_equivalent(left, right, k, up_down) for k in (1, 2)] == [False, True]
