"""A value that is worked out in stages is one function, unless a stage may do without the one before it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rulewright.library.stacks import open_packages
from runtime.answer.generate import module
from runtime.graph import nodes as graph

STAGED = "strength_as"


@pytest.fixture(scope="module")
def rules() -> graph.Graph:
    """The rules of a game whose strengths have stages."""
    made = open_packages().compiled("panzer_leader").graph
    assert made is not None
    return made


def function(rules: graph.Graph, name: str) -> str:
    text = module(rules, [STAGED])
    return text[text.index(f"def {name}(") : text.index(f"def {name}_why")]


def test_stages_follow_each_other_in_one_function(rules: graph.Graph) -> None:
    body = function(rules, STAGED)
    assert f"{STAGED}__" not in body.replace(f"TERM_{STAGED}__", "")
    stages = [body.index(label) for label in ("printed-factor", "long-shots-halved", "weapon-effect", "height-halves")]
    assert stages == sorted(stages)


def test_a_term_with_a_cap_asks_its_last_stage(rules: graph.Graph) -> None:
    term = replace(rules.terms[STAGED], capped=(0, 12))
    body = function(replace(rules, terms={**rules.terms, STAGED: term}), STAGED)
    assert f"value = {STAGED}__sharing(s, firer, attack, class_)\n    value = clamp(value, 0, 12)" in body


def test_a_stage_that_may_do_without_the_one_before_it_does_not_ask_it(rules: graph.Graph) -> None:
    rule = replace(rules.rules["height-halves"], value=graph.Num(Fraction(3), "factors"))
    other = replace(rules, rules={**rules.rules, rule.label: rule})
    assert function(other, STAGED).splitlines()[-3:-2] == [f"    return {STAGED}__sharing(s, firer, attack, class_)"]
