"""Sentences of shipped rules are changed while their laws stay: R0541 reports numbers and denials."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from compiler.analysis.findings.prose_differs import ProseDiffers, prose_differs
from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph
from tests.sample import sampled


@cache
def compiled(stack: str) -> graph.Graph:
    rules = open_packages(()).compiled(stack).graph
    assert rules is not None
    return rules


def claims_of_sentences(stack: str, sentences: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the rule and the quoted words of each finding, with other sentences for some rules."""
    rules = compiled(stack)
    changed = {label: replace(rules.rules[label], prose=sentence) for label, sentence in sentences.items()}
    problems = prose_differs(replace(rules, rules={**rules.rules, **changed}))
    return [(problem.rule.label, problem.stated) for problem in problems if isinstance(problem, ProseDiffers)]


# By stack and rule, sentences that contradict their laws, and the quoted words.
TURNED = {
    "panzer_leader": {
        "overruns-may-crowd": ("An overrun must not exceed the stacking limit.", "must not"),
        "passengers-do-not-walk": ("A unit that was carried this turn moves by itself.", ""),
        "sighted-firing": ("A plane sights an enemy in woods or a town, at a distance of up to 11.", "up to 11"),
        "armor-leaves-a-wreck": ("A vehicle may not leave a wreck.", "may not"),
    },
    "quick_time": {"infantry-hurries": ("Infantry must not go at quick time.", "must not")},
}


@sampled(1)
@pytest.mark.parametrize("stack", TURNED)
def test_a_sentence_that_contradicts_its_law_is_found(stack: str) -> None:
    assert claims_of_sentences(stack, {}) == []
    claims = claims_of_sentences(stack, {label: sentence for label, (sentence, _) in TURNED[stack].items()})
    assert sorted(claims) == sorted((label, words) for label, (_, words) in TURNED[stack].items() if words)


@sampled(1)
@pytest.mark.parametrize(
    ("stack", "label", "sentence"),
    [
        ("low_tide", "no-wading", "Everybody stays out of the sea."),
        ("low_tide", "no-wading", "Nobody gets into the sea."),
        ("panzer_grenadier", "one-shot-a-turn", "Whoever has fired holds its fire from then on."),
        ("panzer_leader", "no-artillery", "Artillery rests while others overrun."),
    ],
)
def test_a_paraphrase_is_no_finding(stack: str, label: str, sentence: str) -> None:
    assert claims_of_sentences(stack, {label: sentence}) == []
