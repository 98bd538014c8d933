from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import ToolkitError
from automata.minimize import minimize
from automata.regex import regex_to_dfa
from ltl.depth_types import same_type
from ltl.formula import depth
from ltl.fragment import LTL_P, LTL_PY, LTL_S, Fragment
from ltl.semantics import holds_batch
from semigroups.histories import History, are_equivalent
from semigroups.window import decide_window
from semigroups.window_family import WindowFamily, read_window_family
from tests.strategies import AB, ABC, dfas, formulas

HYBRID_3 = Fragment(past=True, window=3)
LOCAL_2 = Fragment(past=False, window=2)
NO_FACTOR_BB = DFA(AB, [[0, 1], [0, 2], [2, 2]], 0, [True, True, False])
ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
# theory: (ba) and (ab) are 3-equivalent, and so they are before b; after them and b, bb has occurred in one.
NO_BB = WindowFamily(HYBRID_3, AB, "", "ba", "", "ab", "", "b", there="b", back="a")
# The state after ... aba accepts, the one after ... bab does not, and the last two letters are a and b in both.
LAST_A = WindowFamily(LOCAL_2, AB, "a", "ba", "", "ab", "", "", other_access="")


def test_known_families_check() -> None:
    assert NO_BB.check(NO_FACTOR_BB) is None
    assert LAST_A.check(ENDS_WITH_A) is None
    assert replace(LAST_A, fragment=Fragment(False, 5)).check(ENDS_WITH_A, max_depth=2) is None


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_pairs_are_inside_and_outside_and_of_equal_types(n: int) -> None:
    for family, dfa in ((NO_BB, NO_FACTOR_BB), (LAST_A, ENDS_WITH_A)):
        inside, outside = family.pair(n)
        assert (dfa.accepts(inside), dfa.accepts(outside)) == (True, False)
        assert same_type(inside, outside, family.fragment, n, AB)


def test_first_pair_as_the_docstring_makes_it() -> None:
    # kn = 2 letters and one turn more
    assert LAST_A.pair(1) == ("ababa", "abab")
    x, y = "bababa", "ababab"
    base = (x + "b" + y + "a") * 2
    assert NO_BB.pair(1) == (base + x + "b", base + x + "b" + y + "b")


def test_no_factor_bb_is_no_family_for_a_window_of_two() -> None:
    family = replace(NO_BB, fragment=Fragment(True, 2))
    assert family.check(NO_FACTOR_BB) == (
        "the last 1 positions before the separating word do not have the same colours"
    )
    inside, outside = family.pair(2)
    assert not same_type(inside, outside, family.fragment, 2, AB)


@pytest.mark.parametrize(
    ("family", "dfa", "fault"),
    [
        (NO_BB, regex_to_dfa(".*", ABC), "the family is over"),
        (replace(NO_BB, fragment=LTL_P), NO_FACTOR_BB, "not for LTL[P]"),
        (replace(NO_BB, fragment=LTL_S), NO_FACTOR_BB, "not for LTL[S]"),
        (replace(NO_BB, there=None), NO_FACTOR_BB, "a family for LTL[P,Y<=3] needs there word"),
        (replace(NO_BB, other_access=""), NO_FACTOR_BB, "a family for LTL[P,Y<=3] has no other_access word"),
        (replace(LAST_A, back=""), ENDS_WITH_A, "a family for LTL[Y<=2] has no back word"),
        (replace(NO_BB, loop=""), NO_FACTOR_BB, "the loop word is empty"),
        (replace(NO_BB, other_loop=""), NO_FACTOR_BB, "the other_loop word is empty"),
        (replace(NO_BB, tail=("a",)), NO_FACTOR_BB, "the tail word ('a',) is not written as"),
        (replace(NO_BB, separating="c"), NO_FACTOR_BB, "the separating word: unknown letter 'c'"),
        (replace(NO_BB, back="b"), NO_FACTOR_BB, "the back word does not lead the second state to the first"),
        (replace(NO_BB, loop="b"), NO_FACTOR_BB, "the loop word does not fix the first state"),
        (replace(NO_BB, other_loop="a"), NO_FACTOR_BB, "the other_loop word does not fix the second state"),
        (replace(NO_BB, separating="bb"), NO_FACTOR_BB, "the first state rejects"),
        (replace(NO_BB, separating="a"), NO_FACTOR_BB, "the second state accepts"),
        (replace(LAST_A, loop="a"), ENDS_WITH_A, "the last 2 positions before the separating word"),
    ],
)
def test_each_fault_is_found(family: WindowFamily, dfa: DFA, fault: str) -> None:
    found = family.check(dfa)
    assert found is not None
    assert fault in found


def test_tails_with_new_colours_are_refused_with_past_alone() -> None:
    # P tells a word that has had an a from one that has not; a window that has left it behind does not.
    family = WindowFamily(Fragment(True, 2), AB, "", "b", "ab", "b", "ab", "", there="", back="")
    colours = family._fault_in_colours()
    assert colours == "the tail word has a colour that its loop has not"
    local = WindowFamily(LOCAL_2, AB, "", "b", "ab", "b", "ab", "", other_access="")
    assert local._fault_in_colours() is None


def test_pairs_are_numbered_from_one() -> None:
    with pytest.raises(ToolkitError, match="numbered from 1, not 0"):
        NO_BB.pair(0)
    with pytest.raises(ToolkitError, match="needs back word"):
        replace(NO_BB, back=None).pair(1)


@pytest.mark.parametrize("family", [NO_BB, LAST_A], ids=["hybrid", "local"])
def test_what_is_written_is_read_back(family: WindowFamily) -> None:
    data = family.to_dict()
    assert data["kind"] == "window pumping"
    assert [pair["n"] for pair in data["pairs"]] == [1, 2, 3, 4]
    assert read_window_family(data, family.fragment, AB) == family
    for name in data:
        with pytest.raises(ToolkitError, match=name):
            read_window_family({key: value for key, value in data.items() if key != name}, family.fragment, AB)
        with pytest.raises(ToolkitError, match=name):
            read_window_family({**data, name: 7}, family.fragment, AB)
    with pytest.raises(ToolkitError, match="'extra' is unknown"):
        read_window_family({**data, "extra": 1}, family.fragment, AB)
    with pytest.raises(ToolkitError, match="unknown letter 'c'"):
        read_window_family({**data, "access": "c"}, family.fragment, AB)


def test_letters_of_several_characters() -> None:
    up_down = Alphabet(("up", "down"))
    dfa = DFA(up_down, ENDS_WITH_A.delta, 0, ENDS_WITH_A.accept)
    family = decide_window(dfa, LOCAL_2).certificate
    assert isinstance(family, WindowFamily)
    assert family.check(dfa) is None
    data = family.to_dict()
    assert read_window_family(data, LOCAL_2, up_down) == family
    with pytest.raises(ToolkitError, match="must be a list of letters"):
        read_window_family({**data, "access": "up"}, LOCAL_2, up_down)


def automata_outside(fragment: Fragment) -> st.SearchStrategy[DFA]:
    automata = dfas(max_states=4).map(minimize)
    return automata.filter(lambda dfa: decide_window(dfa, fragment, certify=False).holds is False)


@pytest.mark.parametrize("past", [False, True], ids=["local", "hybrid"])
@pytest.mark.parametrize("window", [2, 3])
@given(data=st.data())
def test_no_formula_of_the_fragment_tells_a_pair_apart(past: bool, window: int, data: st.DataObject) -> None:
    """The pumping lemma for windows: the n-th pair satisfies the same formulas of depth up to n."""
    fragment = Fragment(past, window)
    dfa = data.draw(automata_outside(fragment))
    family = decide_window(dfa, fragment).certificate
    assert isinstance(family, WindowFamily)
    formula = data.draw(formulas(dfa.alphabet, past=past, window=window, widest=window + 1, max_leaves=8))
    inside, outside = family.pair(max(1, depth(formula)))
    assert (dfa.accepts(inside), dfa.accepts(outside)) == (True, False)
    assert len(set(holds_batch(formula, [inside, outside], dfa.alphabet).tolist())) == 1


@pytest.mark.parametrize("past", [False, True], ids=["local", "hybrid"])
@given(data=st.data())
def test_histories_of_a_family_are_equivalent(past: bool, data: st.DataObject) -> None:
    """The colouring that the check makes and that of `semigroups.histories`, written apart, agree."""
    fragment = Fragment(past, 3)
    dfa = data.draw(automata_outside(fragment))
    family = decide_window(dfa, fragment).certificate
    assert isinstance(family, WindowFamily)
    histories = [History(family.loop, family.tail), History(family.other_loop, family.other_tail)]
    assert are_equivalent(*histories, 3, dfa.alphabet)
    for n in range(1, len(family.separating) + 1):
        word = str(family.separating)[:n]
        longer = [History(history.loop, str(history.tail) + word) for history in histories]
        assert are_equivalent(*longer, 3, dfa.alphabet)


def test_a_window_of_one_position_is_judged_like_the_others() -> None:
    family = replace(NO_BB, fragment=LTL_PY)
    assert family.check(NO_FACTOR_BB) == (
        "the last 1 positions before the separating word do not have the same colours"
    )
