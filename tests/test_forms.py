"""The forms in which people know a language: which there are, and that each reads as the language again."""

from __future__ import annotations

import pytest
from hypothesis import given

from automata.regex import regex_to_dfa
from semigroups.classify import classify
from semigroups.forms import forms_of
from tests.strategies import AB, ABC, dfas


def forms(dfa):
    found = classify(dfa, certify=False, windows=())
    return found, forms_of(found.dfa, found.order("locally testable").least)


@given(dfas(max_states=4))
def test_a_language_has_the_forms_of_its_classes_and_each_is_the_language(dfa):
    found, known = forms(dfa)
    named = dict(known.found)
    assert not known.bounds
    for name, form in named.items():
        assert form.check(dfa) is None, name
        assert str(form)
    classes = {m.name: m.holds for m in found.memberships}
    assert ("polynomial" in named) == classes["R-trivial"]
    assert ("suffixes" in named) == classes["definite"]
    assert ("factors" in named) == classes["locally testable"]
    assert ("forbidden factors" in named) == classes["strictly local"]
    assert ("forbidden subsequences" in named) == classes["strictly piecewise"]
    assert list(known.to_dict()) == list(named)
    if "factors" in named:
        assert named["factors"].order == found.order("locally testable").least
    if "forbidden factors" in named:
        assert named["forbidden factors"].k == found.order("strictly local").least
    if "forbidden subsequences" in named:
        assert named["forbidden subsequences"].k == found.order("strictly piecewise").least


@pytest.mark.parametrize(
    ("text", "name", "shown"),
    [
        ("a*b*", "forbidden subsequences", "words without the subsequences ba"),
        (".*", "forbidden factors", "all words"),
        (".*", "forbidden subsequences", "all words"),
        ("a.*", "forbidden factors", "words without ⋊⋉, ⋊b"),
        (".*a", "suffixes", ".*a"),
    ],
)
def test_forms_for_people(text, name, shown):
    _, known = forms(regex_to_dfa(text, AB))
    assert str(dict(known.found)[name]) == shown


def test_a_form_that_is_too_large_says_so():
    many = regex_to_dfa("(.*a.*a.*)&(.*b.*b.*)&(.*c.*c.*)", ABC)
    _, known = forms(many)
    for name, bound in known.bounds:
        assert "limit" in bound
        assert known.to_dict()[name] == {"bound": bound}
    dict(known.found)["polynomial"].check(many)
