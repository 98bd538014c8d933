from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automata.alphabet import Alphabet
from automata.dfa import DFA
from automata.errors import TooLarge, ToolkitError
from automata.minimize import minimize
from automata.operations import complement, intersection, union
from automata.regex import regex_to_dfa
from ltl.compile import formula_to_dfa
from ltl.depth_types import definable_at_depth
from ltl.fragment import LTL_P, LTL_PY, LTL_S, LTL_Y, Fragment
from semigroups.forbidden import admits
from semigroups.window import decide_window
from semigroups.window_family import WindowFamily
from semigroups.window_pattern import find_window_family
from tests.strategies import AB, ABC, dfas, formulas, small_minimal_dfas

LOCAL = [Fragment(False, k) for k in (2, 3, 4)]
HYBRID = [Fragment(True, k) for k in (2, 3, 4)]
FRAGMENTS = [*LOCAL, *HYBRID]

NO_FACTOR_BB = DFA(AB, [[0, 1], [0, 2], [2, 2]], 0, [True, True, False])
ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])


def holds(dfa: DFA, fragment: Fragment) -> bool | None:
    return decide_window(dfa, fragment, certify=False).holds


def base(fragment: Fragment) -> Fragment:
    """The fragment with a window of one position, which the given one lies within."""
    return LTL_PY if fragment.past else LTL_Y


def by_last_letters(alphabet: Alphabet, order: int, accepted: list[bool]) -> DFA:
    """The automaton in which the last letters, at most `order` of them, decide; the words in length order."""
    words = [word for n in range(order + 1) for word in product(range(len(alphabet)), repeat=n)]
    number = {word: place for place, word in enumerate(words)}
    delta = [[number[(*word, code)[-order:]] for code in range(len(alphabet))] for word in words]
    return minimize(DFA(alphabet, np.array(delta), 0, accepted))


def definite_dfas(alphabet: Alphabet, order: int) -> st.SearchStrategy[DFA]:
    n_words = sum(len(alphabet) ** n for n in range(order + 1))
    accepted = st.lists(st.booleans(), min_size=n_words, max_size=n_words)
    return accepted.map(lambda chosen: by_last_letters(alphabet, order, chosen))


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
def test_verdicts_agree_with_depth_types_on_all_small_automata(fragment: Fragment) -> None:
    """All minimal automata with up to three states over two letters are decided, each as depth-2 types say; those
    that windows of one position leave out are outside."""
    n_outside = 0
    for dfa in small_minimal_dfas(AB, 3):
        if admits(dfa, base(fragment)):
            answer = holds(dfa, fragment)
            assert answer == definable_at_depth(dfa, fragment, 2)
            n_outside += not answer
        else:
            assert holds(dfa, fragment) is False
    assert n_outside > 0


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
def test_every_certificate_of_a_no_checks_on_all_small_automata(fragment: Fragment) -> None:
    n_families = n_inherited = 0
    for dfa in small_minimal_dfas(AB, 3):
        is_inherited = not admits(dfa, base(fragment))
        if not (is_inherited and n_inherited >= 100) and not holds(dfa, fragment):
            family = decide_window(dfa, fragment).certificate
            assert isinstance(family, WindowFamily)
            assert family.fragment == fragment
            assert family.check(dfa, max_depth=1) is None
            n_families += 1
            n_inherited += is_inherited
    assert n_families > n_inherited == 100


@pytest.mark.parametrize("fragment", [LOCAL[0], HYBRID[0]], ids=lambda fragment: fragment.name)
def test_every_certificate_of_a_yes_checks_on_all_automata_of_two_states(fragment: Fragment) -> None:
    n_formulas = 0
    for dfa in small_minimal_dfas(AB, 2):
        verdict = decide_window(dfa, fragment)
        assert verdict.bound is None
        assert verdict.certificate is not None
        assert verdict.certificate.check(dfa) is None
        n_formulas += bool(verdict.holds)
    assert n_formulas >= 2


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
@given(data=st.data())
def test_formulas_of_the_fragment_define_what_the_verdict_says_they_may(
    fragment: Fragment, data: st.DataObject
) -> None:
    window = fragment.window or 1
    logic = formulas(AB, past=fragment.past, window=window, widest=window, max_leaves=6)
    assert holds(formula_to_dfa(data.draw(logic), AB), fragment) is True


@pytest.mark.parametrize("past", [False, True], ids=["local", "hybrid"])
@given(dfa=dfas(max_states=5).map(minimize), window=st.integers(2, 5))
def test_every_family_of_random_automata_checks(past: bool, dfa: DFA, window: int) -> None:
    fragment = Fragment(past, window)
    if not holds(dfa, fragment):
        family = decide_window(dfa, fragment).certificate
        assert isinstance(family, WindowFamily)
        assert family.check(dfa, max_depth=2) is None


@pytest.mark.parametrize("window", [2, 3])
@given(dfa=st.one_of(definite_dfas(AB, 3), definite_dfas(ABC, 2)))
def test_definite_languages_by_theorem_a(window: int, dfa: DFA) -> None:
    """A language of order d in LTL[Y<=k] is definable; one that is not has equal types at every depth tried."""
    fragment = Fragment(False, window)
    if holds(dfa, fragment):
        assert any(definable_at_depth(dfa, fragment, depth, 100_000) for depth in range(5))
    else:
        assert not any(definable_at_depth(dfa, fragment, depth, 100_000) for depth in range(4))


@pytest.mark.parametrize("window", [2, 3])
@given(dfa=dfas(ABC, max_states=4).map(minimize).filter(lambda dfa: admits(dfa, LTL_PY)))
def test_hybrid_languages_by_theorem_b(window: int, dfa: DFA) -> None:
    """With three letters, where spaced letters matter: types of depth 1 and 2, within a limit, say the same."""
    fragment = Fragment(True, window)
    try:
        is_defined = any(definable_at_depth(dfa, fragment, depth, 5000) for depth in range(3))
    except TooLarge:
        return
    assert holds(dfa, fragment) >= is_defined


@given(dfas(max_states=5).map(minimize))
def test_classes_shrink_as_the_window_grows_and_lie_between_their_neighbours(dfa: DFA) -> None:
    for past in (False, True):
        answers = [holds(dfa, Fragment(past, k)) for k in (2, 3, 4, 5)]
        assert answers == sorted(answers, reverse=True)  # a yes for k + 1 is a yes for k
        assert admits(dfa, LTL_PY if past else LTL_Y) >= answers[0]
    for k in (2, 3):
        hybrid = holds(dfa, Fragment(True, k))
        assert hybrid >= admits(dfa, LTL_P)
        assert hybrid >= holds(dfa, Fragment(False, k))


@pytest.mark.parametrize("fragment", [LOCAL[0], HYBRID[1]], ids=lambda fragment: fragment.name)
@given(data=st.data())
def test_classes_are_closed_under_boolean_operations(fragment: Fragment, data: st.DataObject) -> None:
    members = dfas(AB, max_states=4).map(minimize).filter(lambda dfa: holds(dfa, fragment) is True)
    left, right = data.draw(members), data.draw(members)
    for result in (complement(left), union(left, right), intersection(left, right)):
        assert holds(minimize(result), fragment) is True


def test_known_languages() -> None:
    # theory: "no bb" is in LTL[P,Y<=2] and not in LTL[P,Y<=3]; "ends with a" is in none of the classes for k >= 2
    assert [holds(NO_FACTOR_BB, Fragment(True, k)) for k in (2, 3, 4)] == [True, False, False]
    assert [holds(ENDS_WITH_A, fragment) for fragment in FRAGMENTS] == [False] * 6


def test_letters_that_come_back_after_k_plus_one_positions_can_be_all() -> None:
    # With k + 1 letters in turn, their order is lost: (abc) and (bac), say, are 2-equivalent after b, a and a, b.
    dfa = regex_to_dfa(".*abcabc|.*bcabca|.*cabcab", ABC)
    family = find_window_family(dfa, Fragment(False, 2))
    assert family is not None
    assert (set(family.loop), set(family.other_loop)) == ({"a", "b", "c"}, {"a", "b", "c"})
    assert family.check(dfa) is None


def test_a_history_may_leave_its_component_unseen() -> None:
    # Between any two a there are two b. After ... bba the state accepts; after ... babbab and a it does not, and P does
    # not see it: each of the last letters is one of mixed words in which all windows of three hold both letters.
    dfa = DFA(AB, [[1, 0], [2, 3], [2, 2], [2, 0]], 0, [True, True, False, True])
    family = WindowFamily(Fragment(True, 3), AB, "a", "bba", "", "bab", "a", "", there="b", back="ba")
    assert family.check(dfa) is None
    assert [holds(dfa, fragment) for fragment in HYBRID] == [True, False, False]
    assert definable_at_depth(dfa, HYBRID[0], 2)


@given(st.one_of(definite_dfas(AB, 4), definite_dfas(ABC, 2)), st.integers(2, 4))
def test_past_does_not_help_where_the_last_letters_decide(dfa: DFA, window: int) -> None:
    """A definite language is in LTL[P,Y<=k] iff it is in LTL[Y<=k]."""
    assert holds(dfa, Fragment(True, window)) == holds(dfa, Fragment(False, window))


@given(dfas(AB, max_states=4).map(minimize), st.sampled_from(FRAGMENTS))
def test_letters_that_act_alike_are_one(dfa: DFA, fragment: Fragment) -> None:
    doubled = DFA(Alphabet.of("abAB"), np.concatenate((dfa.delta, dfa.delta), axis=1), dfa.start, dfa.accept)
    assert holds(doubled, fragment) == holds(dfa, fragment)
    if not holds(dfa, fragment):
        family = decide_window(doubled, fragment).certificate
        assert isinstance(family, WindowFamily)
        assert family.check(doubled, max_depth=1) is None


def test_limits_are_named_in_the_verdict() -> None:
    with pytest.raises(TooLarge, match="raise max_recencies"):
        find_window_family(ENDS_WITH_A, Fragment(False, 3), max_recencies=3)
    verdict = decide_window(ENDS_WITH_A, Fragment(False, 3), certify=False, max_recencies=3)
    assert verdict.holds is None
    assert verdict.bound is not None
    assert "max_recencies" in verdict.bound
    assert "formula" in verdict.bound


def test_wide_windows_and_many_letters_take_no_time() -> None:
    letters = Alphabet.of("abcdefghijklmnopqrstuvwxyz")
    ends_with_vowel = regex_to_dfa(".*[aeiou]", letters)
    for past in (False, True):
        assert holds(ends_with_vowel, Fragment(past, 12)) is False
        assert holds(regex_to_dfa("a.*", letters), Fragment(True, 12)) is True
    assert holds(NO_FACTOR_BB, Fragment(True, 40)) is False


def test_other_fragments_are_refused_by_name() -> None:
    for fragment in (LTL_P, LTL_Y, LTL_PY, LTL_S):
        with pytest.raises(ToolkitError, match=r"k >= 2, not for LTL"):
            decide_window(ENDS_WITH_A, fragment)


def test_empty_alphabet_and_trivial_languages_are_in_every_class() -> None:
    for dfa in (DFA(Alphabet(()), [[]], 0, [True]), DFA(AB, [[0, 0]], 0, [False]), DFA(AB, [[0, 0]], 0, [True])):
        assert [holds(dfa, fragment) for fragment in FRAGMENTS] == [True] * 6
