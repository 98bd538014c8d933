"""Evaluation: accuracy by length, N*, pumping families, and what the sets of words share, with automata as networks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from automata.alphabet import Alphabet, Codes
from automata.dfa import DFA
from automata.errors import AlphabetMismatch, FormatError, ToolkitError
from ltl.fragment import LTL_P
from neural.evaluate import evaluate, evaluate_family
from neural.evaluation import Cell, Evaluation
from neural.train import TrainConfig, trained_words
from semigroups.certificate import PumpingFamily
from tests.strategies import AB

ENDS_WITH_A = DFA(AB, [[1, 0], [1, 0]], 0, [False, True])
NOTHING = DFA(AB, [[0, 0]], 0, [False])
# Pairs a(ba)^n and a(ba)^n b: the longer word of pair n has 2n + 2 letters.
FAMILY = PumpingFamily(LTL_P, AB, access="a", separating="", there="b", back="a")


@dataclass(frozen=True)
class RightUpTo:
    """The automaton's answer on words up to a length, the opposite on longer ones."""

    dfa: DFA
    length: int

    @property
    def alphabet(self) -> Alphabet:
        return self.dfa.alphabet

    def accepts(self, word: Sequence[str]) -> bool:
        return bool(self.accepts_batch([word])[0])

    def accepts_batch(self, words: Codes | Iterable[Sequence[str]]) -> np.ndarray:
        batch = self.alphabet.as_batch(words)
        return self.dfa.accepts_batch(batch) ^ ((batch != len(self.alphabet)).sum(axis=1) > self.length)


def test_the_automaton_itself_is_perfect():
    evaluation = evaluate(ENDS_WITH_A, ENDS_WITH_A, families=[FAMILY])
    assert [result.accuracy for result in evaluation.bins] == [1.0] * 6
    assert [(result.first, result.last) for result in evaluation.bins] == [
        (1, 40), (41, 100), (101, 200), (201, 300), (301, 400), (401, 500)
    ]  # fmt: skip
    assert [result.generalises for result in evaluation.bins] == [False, True, True, True, True, True]
    assert [result.members for result in evaluation.bins] == [400, 100, 160, 160, 160, 160]
    assert evaluation.perfect_length == evaluation.tested_lengths[-1] == 500
    assert evaluation.tested_lengths[:40] == tuple(range(1, 41))
    assert (evaluation.fewest_words, evaluation.most_words) == (20, 20)
    (family,) = evaluation.families
    assert (family.fragment, family.pairs, family.words) == ("LTL[P]", 249, 498)
    assert (family.accuracy, family.pairs_correct) == (1.0, 249)
    assert evaluation.flawless
    assert evaluation.kinds == ("uniform", "near", "periodic", "pumping LTL[P]")


def test_a_recognizer_that_never_accepts_is_right_on_half_of_the_words():
    evaluation = evaluate(NOTHING, ENDS_WITH_A, longest=200, families=[FAMILY])
    assert [result.accuracy for result in evaluation.bins] == [0.5, 0.5, 0.5]
    assert evaluation.perfect_length is None
    assert evaluation.families[0].accuracy == 0.5
    assert evaluation.families[0].pairs_correct == 0


@pytest.mark.parametrize("right_up_to", [0, 1, 39, 43, 72, 78, 99, 100, 499, 500])
def test_perfect_length_is_the_greatest_tested_length_up_to_which_all_is_right(right_up_to):
    evaluation = evaluate(RightUpTo(ENDS_WITH_A, right_up_to), ENDS_WITH_A)
    right = [length for length in evaluation.tested_lengths if length <= right_up_to]
    assert evaluation.perfect_length == (right[-1] if right else None)


def test_accuracy_of_a_bin_counts_its_words():
    evaluation = evaluate(RightUpTo(ENDS_WITH_A, 72), ENDS_WITH_A, longest=100)
    lengths = [length for length in evaluation.tested_lengths if length > 40]
    share = sum(length <= 72 for length in lengths) / len(lengths)
    assert 0.3 < share < 0.7
    assert [result.accuracy for result in evaluation.bins] == [1.0, share]


def test_a_rhythm_of_the_language_does_not_fall_through():
    """Lengths divisible by seven: who rejects every word longer than 40 is found out in every bin."""
    sevens = DFA(AB, [[(q + 1) % 7] * 2 for q in range(7)], 0, [q == 0 for q in range(7)])
    rejecting = DFA(AB, [[min(q + 1, 41)] * 2 for q in range(42)], 0, [q % 7 == 0 and q < 41 for q in range(42)])
    evaluation = evaluate(rejecting, sevens)
    assert [result.accuracy == 1 for result in evaluation.bins] == [True, False, False, False, False, False]
    assert all(result.members for result in evaluation.bins)


def test_families_are_judged_by_the_automaton():
    # The family belongs to "ends with a"; against the empty language all its words are outside.
    result, _ = evaluate_family(NOTHING, NOTHING, FAMILY)
    assert (result.accuracy, result.pairs_correct) == (1.0, 249)


@pytest.mark.parametrize(("longest", "pairs"), [(3, 0), (4, 1), (5, 1), (20, 9), (102, 50), (104, 51)])
def test_pairs_are_no_longer_than_asked(longest, pairs):
    result, cells = evaluate_family(RightUpTo(ENDS_WITH_A, longest), ENDS_WITH_A, FAMILY, longest)
    assert (result.pairs, result.words, result.correct) == (pairs, 2 * pairs, 2 * pairs)
    assert result.accuracy == (1.0 if pairs else None)
    # Both members of each pair: a(ba)^n of 2n + 1 letters, and one letter more outside.
    found = {(cell.member, cell.length, cell.words, cell.correct) for cell in cells}
    assert found == {(member, 2 * n + 2 - member, 1, 1) for n in range(1, pairs + 1) for member in (True, False)}
    assert {cell.kind for cell in cells} <= {"pumping LTL[P]"}


def test_h32_leakage_is_reported():
    # Over two letters there are 1 + 2 + 4 + 8 words of length 0 to 3; 7 of them end with a.
    recipe = TrainConfig(min_length=0, max_length=3, batch=100)
    seen = trained_words(ENDS_WITH_A, recipe, 10)
    assert len(seen) == 15
    training, *beyond = evaluate(
        ENDS_WITH_A, ENDS_WITH_A, trained=recipe.lengths, seen=seen, per_class=100, longest=200
    ).bins
    assert (training.words, training.members, training.distinct, training.trained) == (700, 300, 15, 15)
    assert not training.generalises
    assert [(result.first, result.last, result.generalises) for result in beyond] == [(4, 100, True), (101, 200, True)]
    assert all(result.trained == 0 for result in beyond)


def test_words_seen_in_training_are_counted():
    recipe = TrainConfig(max_length=6)
    seen = trained_words(ENDS_WITH_A, recipe, 1)
    (part,) = evaluate(ENDS_WITH_A, ENDS_WITH_A, trained=recipe.lengths, seen=seen, per_class=200, longest=6).bins
    assert part.distinct == 2 + 4 + 8 + 16 + 32 + 64
    assert part.trained == len(seen) < 32


def test_the_seed_decides_the_words():
    one, again, other = (evaluate(NOTHING, ENDS_WITH_A, seed=seed, longest=100) for seed in (1, 1, 2))
    assert one == again
    assert [result.distinct for result in one.bins] != [result.distinct for result in other.bins]


def test_plain_values_for_json():
    evaluation = evaluate(NOTHING, ENDS_WITH_A, families=[FAMILY], longest=100)
    plain = json.loads(json.dumps(evaluation.to_dict()))
    assert [part["accuracy"] for part in plain["bins"]] == [0.5, 0.5]
    assert plain["perfect_length"] is None
    assert plain["families"][0]["accuracy"] == 0.5
    assert plain["cells"][0] == ["uniform", True, 1, 5, 0]
    assert Evaluation.from_dict(plain, "here") == evaluation


BROKEN = [
    (lambda plain: plain.pop("cells"), "missing"),
    (lambda plain: plain.update(more=1), "more"),
    (lambda plain: plain.update(seed=True), "seed"),
    (lambda plain: plain.update(bins=3), "expected a list"),
    (lambda plain: plain["cells"].append(["near", True, 5, 2, 3]), "more words are right"),
    (lambda plain: plain["cells"].append(["near", True, 5, 0, 0]), "no words"),
    (lambda plain: plain["cells"].append(["near", 1, 5, 2, 2]), "not a Cell"),
    (lambda plain: plain["cells"].append(["near", True, -5, 2, 2]), "not a Cell"),
    (lambda plain: plain["cells"].append(["near", True, 5, 2]), "not a Cell"),
    (lambda plain: plain["families"].append("LTL[P]"), "not a FamilyResult"),
    (lambda plain: plain["bins"][0].update(accuracy=0.75), "do not fit together"),
    (lambda plain: plain.update(perfect_length=7), "do not fit together"),
]


@pytest.mark.parametrize(("spoil", "said"), BROKEN)
def test_broken_evaluations_are_refused(spoil, said):
    plain = evaluate(NOTHING, ENDS_WITH_A, families=[FAMILY], longest=50).to_dict()
    spoil(plain)
    with pytest.raises(FormatError, match=said):
        Evaluation.from_dict(plain, "here")


def test_cells_count_every_word_once():
    evaluation = evaluate(RightUpTo(ENDS_WITH_A, 44), ENDS_WITH_A, per_class=4, longest=60)
    assert len({(cell.kind, cell.member, cell.length) for cell in evaluation.cells}) == len(evaluation.cells)
    for result in evaluation.bins:
        inside = [
            c for c in evaluation.cells if c.kind in ("uniform", "near") and result.first <= c.length <= result.last
        ]
        assert sum(cell.words for cell in inside) == result.words
        assert sum(cell.words for cell in inside if cell.member) == result.members
        assert sum(cell.correct for cell in inside) == result.correct
    for kind, words in (("uniform", 2), ("near", 2)):
        for length in evaluation.tested_lengths:
            for member in (True, False):
                (cell,) = [c for c in evaluation.cells if (c.kind, c.member, c.length) == (kind, member, length)]
                assert (cell.words, cell.correct) == (words, words if length <= 44 else 0)
    periodic = [cell for cell in evaluation.cells if cell.kind == "periodic"]
    assert {cell.length for cell in periodic} == set(evaluation.tested_lengths)
    assert sum(cell.words for cell in periodic) == 4 * len(evaluation.tested_lengths)


def test_accuracy_of_kinds_labels_and_lengths():
    evaluation = evaluate(NOTHING, ENDS_WITH_A, families=[FAMILY], longest=100)
    assert evaluation.accuracy() == 0.5
    assert evaluation.accuracy(["near", "pumping LTL[P]"], member=True) == 0.0
    assert evaluation.accuracy(["near", "periodic"], member=False, beyond=40) == 1.0
    assert evaluation.accuracy(["pumping LTL[P]"], beyond=98) == 0.5
    assert evaluation.accuracy(["pumping LTL[Y]"]) is None
    assert not evaluation.flawless


class _Mistake:
    """Right on everything but one word."""

    def __init__(self, dfa: DFA, wrong: str) -> None:
        self.dfa, self.alphabet, self.wrong = dfa, dfa.alphabet, wrong

    def accepts(self, word: Sequence[str]) -> bool:
        return bool(self.accepts_batch([word])[0])

    def accepts_batch(self, words: Codes | Iterable[Sequence[str]]) -> np.ndarray:
        batch = self.alphabet.as_batch(words)
        return self.dfa.accepts_batch(batch) ^ [self.alphabet.decode(row) == self.wrong for row in batch.tolist()]


def test_one_mistake_on_a_pumping_pair_is_seen_where_random_words_see_none():
    word = FAMILY.pair(40)[0]
    evaluation = evaluate(_Mistake(ENDS_WITH_A, word), ENDS_WITH_A, families=[FAMILY])
    assert evaluation.accuracy() == 1.0
    assert evaluation.perfect_length == 500
    assert not evaluation.flawless
    assert [cell for cell in evaluation.cells if cell.correct < cell.words] == [
        Cell("pumping LTL[P]", True, len(word), 1, 0)
    ]


def test_alphabets_must_agree():
    with pytest.raises(AlphabetMismatch):
        evaluate(DFA(Alphabet.of("ba"), [[0, 0]], 0, [False]), ENDS_WITH_A)


@pytest.mark.parametrize("sizes", [{"longest": 10**7}, {"per_class": 10**6}])
def test_more_words_than_memory_holds_are_refused_at_once(sizes):
    with pytest.raises(ToolkitError, match="test fewer words of each length or shorter ones"):
        evaluate(NOTHING, ENDS_WITH_A, **sizes)


def test_at_least_one_word_of_each_length():
    with pytest.raises(ToolkitError, match="1 or more"):
        evaluate(NOTHING, ENDS_WITH_A, per_class=0)
