"""A cell of a chart that several rules of a term read is read once, if the first rule always reads it."""

from dataclasses import replace

import pytest

from rulewright.library.stacks import open_packages
from runtime.answer.module_text import module_text
from runtime.graph import nodes as graph

PRICED = "terrain_price"


@pytest.fixture(scope="module")
def rules() -> graph.Graph:
    """Compile a game with prices in a chart."""
    rules = open_packages().compiled("panzer_leader").graph
    assert rules is not None
    return rules


def readings(rules: graph.Graph) -> tuple[int, int]:
    """Return how often the chart is read in the code for the answer, and in that for the decision id too."""
    text = module_text(rules, [PRICED])
    start = text.index(f"def {PRICED}_why(")
    return text[:start].count("TEC["), text[start:].count("TEC[")


def test_a_cell_that_the_first_rule_always_reads_is_read_once(rules: graph.Graph) -> None:
    assert readings(rules) == (1, 1)


def test_a_cell_that_the_first_rule_reads_conditionally_is_not_hoisted(rules: graph.Graph) -> None:
    first = rules.rules[rules.terms[PRICED].rules[0]]
    assert first.guard is not None
    waits = graph.Op("or", (graph.Op("=", (graph.Var("from"), graph.Var("to"))), first.guard))
    answer, decision = readings(replace(rules, rules={**rules.rules, first.label: replace(first, guard=waits)}))
    assert answer > 1
    assert decision > 1
