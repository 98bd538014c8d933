"""One property for each theorem that the project states.

The classes are recognised here by definitions of their own, written with networkx from the definitions in the
literature, so that the deciding code of `semigroups` is not what confirms the theorems it rests on.
"""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from automata.dfa import DFA
from automata.minimize import minimize
from automata.operations import complement, intersection, left_quotient, reversal, union
from automata.regex import regex_to_dfa
from ltl.compile import formula_to_dfa
from ltl.depth_types import definable_at_depth, same_type
from ltl.formula import TRUE, Yesterday, depth
from ltl.fragment import LTL_P, LTL_PY, LTL_S, LTL_Y, Fragment, fragment_of
from ltl.semantics import holds_batch
from neural.pattern import AttentionPattern
from neural.program import compile_program
from neural.program_weights import LOGIT
from neural.train import new_model
from neural.transformer import Transformer, TransformerConfig
from semigroups.certificate import Definition, PumpingFamily
from semigroups.classify import decide
from semigroups.forbidden import admits
from tests.strategies import AB, ABC, all_words, dfas, formulas, small_minimal_dfas, transformations, words

FRAGMENTS = [LTL_P, LTL_Y, LTL_PY]


def is_partially_ordered(dfa: DFA) -> bool:
    """True iff every cycle of the graph is a loop at one state."""
    graph = nx.DiGraph((p, q) for p in range(dfa.n_states) for q in dfa.delta[p].tolist() if p != q)
    return nx.is_directed_acyclic_graph(graph)


def pair_graph(dfa: DFA, *, inside_components: bool) -> nx.DiGraph:
    """Pairs of distinct states with an edge for each letter that keeps them distinct (and in their component)."""
    graph = nx.DiGraph((p, q) for p in range(dfa.n_states) for q in dfa.delta[p].tolist())
    component = {q: i for i, part in enumerate(nx.strongly_connected_components(graph)) for q in part}
    pairs = nx.DiGraph()
    for p, q in combinations(range(dfa.n_states), 2):
        for s, t in zip(dfa.delta[p].tolist(), dfa.delta[q].tolist(), strict=True):
            kept = len({component[x] for x in (p, q, s, t)}) == 1 or not inside_components
            if s != t and kept:
                pairs.add_edge((p, q), (min(s, t), max(s, t)))
    return pairs


def is_definite(dfa: DFA) -> bool:
    """True iff long enough words lead all states to one (no pair of states is kept apart for ever)."""
    return nx.is_directed_acyclic_graph(pair_graph(dfa, inside_components=False))


def is_locally_r_trivial(dfa: DFA) -> bool:
    """True iff no pair of states is kept apart for ever inside one strongly connected component."""
    return nx.is_directed_acyclic_graph(pair_graph(dfa, inside_components=True))


def is_counter_free(dfa: DFA) -> bool:
    """True iff no word permutes two or more states in a cycle, by closing the set of transformations."""
    orbits = (nx.DiGraph(enumerate(f)) for f in transformations(dfa))
    return all(len(cycle) == 1 for orbit in orbits for cycle in nx.simple_cycles(orbit))


CHARACTERISED = {LTL_P: is_partially_ordered, LTL_Y: is_definite, LTL_PY: is_locally_r_trivial}


# Formulas of a fragment define languages of its class.


@given(formulas(ABC, window=None))
def test_global_attention_logic_defines_partially_ordered_automata(formula):
    """LTL[P] = R-trivial = partially ordered DFA [Li & Cotterell 2025]."""
    assert is_partially_ordered(formula_to_dfa(formula, ABC))


@given(formulas(ABC, past=False))
def test_local_attention_logic_defines_definite_languages(formula):
    """LTL[Y] = definite languages [Li & Cotterell 2026]."""
    assert is_definite(formula_to_dfa(formula, ABC))


@given(formulas(ABC))
def test_hybrid_attention_logic_defines_locally_r_trivial_languages(formula):
    """LTL[P,Y] = locally R-trivial semigroups [Cohen, Perrin & Pin 1993; Li & Cotterell 2026]."""
    assert is_locally_r_trivial(formula_to_dfa(formula, ABC))


@given(formulas(AB, since=True, max_leaves=8))
def test_since_defines_star_free_languages(formula):
    """LTL[S] = star-free = counter-free [Kamp 1968; McNaughton & Papert 1971]."""
    assert is_counter_free(formula_to_dfa(formula, AB))


# Decisions: the automaton, the algebra and the logic say the same.


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
@given(dfa=dfas(max_states=7))
def test_decisions_follow_the_characterisation(fragment, dfa):
    assert admits(minimize(dfa), fragment) == CHARACTERISED[fragment](minimize(dfa))


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
def test_decisions_agree_with_depth_types_on_all_small_automata(fragment):
    """Every minimal automaton with up to three states over two letters that a decision admits is definable at depth
    2; no other is [checked to depth 2 here, to depth 3 once]."""
    for dfa in small_minimal_dfas(AB, 3):
        assert definable_at_depth(dfa, fragment, 2) == admits(dfa, fragment)


# Certificates.


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
def test_every_certificate_of_every_small_automaton_checks(fragment):
    for dfa in small_minimal_dfas(AB, 3):
        verdict = decide(dfa, fragment)
        assert isinstance(verdict.certificate, Definition if verdict.holds else PumpingFamily)
        assert verdict.certificate.check(dfa) is None


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
@given(dfa=dfas(max_states=6))
def test_every_certificate_of_random_automata_checks(fragment, dfa):
    assert decide(minimize(dfa), fragment).certificate.check(dfa) is None


@pytest.mark.parametrize(
    ("fragment", "logic"),
    [
        (LTL_P, formulas(AB, window=None)),
        (LTL_Y, formulas(AB, past=False, widest=1)),
        (LTL_PY, formulas(AB, widest=1)),
    ],
    ids=["LTL[P]", "LTL[Y]", "LTL[P,Y]"],
)
@given(data=st.data())
def test_no_formula_of_the_fragment_tells_a_pumping_pair_apart(fragment, logic, data):
    """The pumping lemma: the n-th pair satisfies the same formulas of depth up to n."""
    dfa = data.draw(dfas(AB, max_states=5).map(minimize).filter(lambda d: not admits(d, fragment)))
    formula = data.draw(logic)
    family = decide(dfa, fragment).certificate
    inside, outside = family.pair(max(1, depth(formula)))
    assert (dfa.accepts(inside), dfa.accepts(outside)) == (True, False)
    assert len(set(holds_batch(formula, [inside, outside], AB).tolist())) == 1


# Separations.

ENDS_WITH_A = regex_to_dfa(".*a", AB)
BEGINS_WITH_A = regex_to_dfa("a.*", AB)
CONTAINS_AB = regex_to_dfa(".*ab.*", ABC)
DYCK_OF_DEPTH_TWO = regex_to_dfa("(a(ab)*b)*", AB)


def test_global_and_local_attention_are_incomparable_and_the_hybrid_is_above_both():
    """[Li & Cotterell 2026]: witness languages for every separation."""
    table = {
        dfa: [admits(dfa, fragment) for fragment in FRAGMENTS]
        for dfa in (ENDS_WITH_A, BEGINS_WITH_A, CONTAINS_AB, DYCK_OF_DEPTH_TWO)
    }
    assert table == {
        ENDS_WITH_A: [False, True, True],
        BEGINS_WITH_A: [True, False, True],
        CONTAINS_AB: [False, False, True],
        DYCK_OF_DEPTH_TWO: [False, False, False],
    }


@given(dfas(max_states=6).map(minimize))
def test_the_hybrid_recognises_what_either_pattern_does(dfa):
    if admits(dfa, LTL_P) or admits(dfa, LTL_Y):
        assert admits(dfa, LTL_PY)


def test_the_alphabet_is_part_of_the_language():
    """ "Contains ab" is in LTL[P] over two letters and not over three."""
    assert admits(regex_to_dfa(".*ab.*", AB), LTL_P)
    assert not admits(CONTAINS_AB, LTL_P)


# Closure properties of the classes.


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.name)
@given(data=st.data())
def test_the_classes_are_closed_under_boolean_operations_and_left_quotients(fragment, data):
    members = dfas(AB, max_states=4).map(minimize).filter(lambda d: admits(d, fragment))
    left, right = data.draw(members), data.draw(members)
    prefix = data.draw(dfas(AB, max_states=3))
    for result in (
        complement(left),
        union(left, right),
        intersection(left, right),
        left_quotient(left, prefix),
    ):
        assert admits(result, fragment)


def test_neither_pattern_is_closed_under_reversal():
    assert admits(ENDS_WITH_A, LTL_Y)
    assert not admits(reversal(ENDS_WITH_A), LTL_Y)
    assert admits(BEGINS_WITH_A, LTL_P)
    assert not admits(reversal(BEGINS_WITH_A), LTL_P)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["prefix", "factor", "suffix"]),
            st.text("abc", min_size=1, max_size=3),
            st.booleans(),
        ),
        min_size=1,
        max_size=4,
    ),
    st.booleans(),
)
def test_locally_testable_languages_are_recognised_by_the_hybrid(conditions, join):
    """Boolean combinations of prefixes, suffixes and factors [Brzozowski & Simon 1973] lie in LTL[P,Y]."""
    shapes = {"prefix": "{}.*", "factor": ".*{}.*", "suffix": ".*{}"}
    parts = [("" if kept else "~") + f"({shapes[kind].format(text)})" for kind, text, kept in conditions]
    assert admits(regex_to_dfa(("&" if join else "|").join(parts), ABC), LTL_PY)


# Windows.


@given(formulas(AB, max_leaves=6), st.integers(1, 4))
def test_a_wider_window_is_definable_by_the_next_narrower_one(formula, k):
    """Y<=(k+1) f == Y<=k f | (Y<=k true & !Y<=k !Y<=k f)."""
    wide = Yesterday(formula, k + 1)
    narrow = Yesterday(formula, k) | (Yesterday(TRUE, k) & ~Yesterday(~Yesterday(formula, k), k))
    words = all_words(AB, 7)
    assert holds_batch(wide, words, AB).tolist() == holds_batch(narrow, words, AB).tolist()


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("n", [1, 2])
def test_windows_of_two_or_more_cannot_see_the_last_letter(k, n):
    """(a b^(k-1))^n a against (a b^(k-1))^n: alike up to depth n for local k and hybrid k, told apart at depth n + 1
    [Li & Cotterell 2026, Lemma C.1]."""
    block = "a" + "b" * (k - 1)
    for past in (False, True):
        fragment = Fragment(past=past, window=k)
        assert same_type(block * n + "a", block * n, fragment, n, AB)
        assert not same_type(block * n + "a", block * n, fragment, n + 1, AB)


@given(formulas(AB, max_leaves=6))
def test_the_least_fragment_of_a_formula_contains_its_language(formula):
    fragment = fragment_of(formula)
    assert fragment <= LTL_PY <= LTL_S
    for named in FRAGMENTS:
        if fragment <= named:
            assert admits(formula_to_dfa(formula, AB), named)


# The theorems on the transformer itself: compiled weights, and weights of any kind.

COMPILED = {
    "global": formulas(ABC, window=None),
    "local-1": formulas(ABC, past=False, widest=2),
    "local-3": formulas(ABC, past=False, window=3, widest=5),
    "hybrid-1": formulas(ABC, widest=1, max_leaves=20),
    "hybrid-2": formulas(ABC, window=2, widest=4),
}


@pytest.mark.parametrize("name", COMPILED)
@given(data=st.data())
def test_every_formula_of_the_fragment_has_a_transformer_of_the_pattern(name, data):
    """[Li & Cotterell 2025; 2026]: what the fragment defines, the pattern recognises, here by compiled weights."""
    formula = data.draw(COMPILED[name])
    pattern = AttentionPattern.parse(name)
    program = compile_program(formula, ABC, pattern)
    assert program.model.config.pattern == pattern
    assert program.longest is None or program.longest > 10_000
    rng = np.random.default_rng(0)
    dfa = formula_to_dfa(formula, ABC)
    for batch in (ABC.encode_batch(all_words(ABC, 6)), rng.integers(3, size=(4, 150)), rng.integers(3, size=(2, 300))):
        expected = np.where(dfa.accepts_batch(batch), LOGIT, -LOGIT)
        assert np.abs(program.model.logits(batch) - expected).max() < 0.05


@pytest.mark.parametrize(
    ("name", "logic"),
    [
        ("global", formulas(AB, window=None)),
        ("local-1", formulas(AB, past=False, widest=2)),
        ("local-2", formulas(AB, past=False, window=2)),
        ("hybrid-1", formulas(AB, widest=2)),
        ("hybrid-2", formulas(AB, window=2)),
        ("hybrid-3", formulas(AB, window=3, widest=4)),
    ],
)
@given(data=st.data())
def test_no_compiled_transformer_tells_a_pumping_pair_apart_within_its_depth(name, logic, data):
    """The n-th pair looks alike to every transformer of the pattern with at most n layers, compiled ones among them."""
    pattern = AttentionPattern.parse(name)
    refuted = dfas(AB, max_states=4).map(lambda dfa: decide(dfa, pattern.fragment)).filter(lambda v: v.holds is False)
    certificate = data.draw(refuted).certificate
    assume(certificate is not None)
    model = compile_program(data.draw(logic), AB, pattern).model
    pair = certificate.pair(model.config.layers)
    assume(max(map(len, pair)) <= 600)
    logits = model.logits(pair)
    assert abs(logits[0] - logits[1]) < 0.1


def random_transformer(name: str, layers: int, seed: int, scale: float) -> Transformer:
    """A transformer with weights of any kind, in double precision."""
    config = TransformerConfig(AttentionPattern.parse(name), layers=layers, heads=2, width=16, feedforward=16)
    model = new_model(AB, config, seed).double()
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(scale)
    return model


def exact_logits(model: Transformer, words: list[str]) -> np.ndarray:
    with torch.inference_mode():
        return model(torch.from_numpy(AB.encode_batch(words).astype(np.int64))).numpy()


@given(
    st.integers(1, 4), st.integers(1, 3), st.integers(0, 999), st.floats(0.1, 20), words(max_size=9), words(max_size=9),
    st.data(),
)  # fmt: skip
def test_local_attention_of_any_weights_reads_the_last_letters_alone(window, layers, seed, scale, one, other, data):
    """With L layers of window k, words of k L letters or more with the same last k L letters have the same logit."""
    reach = window * layers
    tail = data.draw(st.text("ab", min_size=reach, max_size=reach))
    model = random_transformer(f"local-{window}", layers, seed, scale)
    first, second = exact_logits(model, [one + tail, other + tail])
    assert abs(first - second) < 1e-9 * (1 + abs(first))


@given(st.integers(1, 3), st.integers(0, 999), st.floats(0.1, 20), st.integers(0, 9), st.integers(0, 9))
def test_local_attention_of_window_two_of_any_weights_does_not_see_how_the_letters_alternate(
    layers, seed, scale, more, others
):
    """The periodic histories (ab)^-inf and (ba)^-inf look alike: ..abab and ..baba from 2 L letters on."""
    model = random_transformer("local-2", layers, seed, scale)
    logits = exact_logits(model, ["ab" * (layers + more), "ba" * (layers + others)])
    assert abs(logits[0] - logits[1]) < 1e-9 * (1 + abs(logits[0]))


@given(st.integers(1, 3), st.integers(0, 999), st.floats(0.1, 1.5))
def test_hybrid_attention_of_window_two_of_any_weights_converges_on_the_alternating_family(layers, seed, scale):
    """(ab)^n and (ba)^n have the same last two letters but for their order, and as many of each before: what is left
    of the difference comes from the first positions, whose share of a global head is of the order of 1 / n."""
    model = random_transformer("hybrid-2", layers, seed, scale)

    def difference(n: int) -> float:
        """Return the distance of the two end states, the vectors that the readout reads."""
        states: list[torch.Tensor] = []
        hook = model.norm.register_forward_hook(lambda _, __, output: states.append(output))
        exact_logits(model, ["ab" * n, "ba" * n])
        hook.remove()
        return float((states[0][0] - states[0][1]).norm())

    # From n to 8 n by a factor 8, logarithms apart; of the weights drawn here at least by 2.
    assert difference(400) < difference(50) / 2 + 1e-9


@given(st.integers(0, 999), st.floats(0.1, 3))
def test_one_layer_of_global_attention_of_any_weights_reads_no_order(seed, scale):
    """Without positions a global head averages over a bag of letters."""
    model = random_transformer("global", 1, seed, scale)
    logits = exact_logits(model, ["aabbb", "babab", "bbbaa"])
    assert np.ptp(logits) < 1e-9 * (1 + np.abs(logits).max())
