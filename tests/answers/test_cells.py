"""A cell of a chart that several rules of a term read is read once, if the first rule reads it in any case."""

from dataclasses import replace

import pytest

from rulewright.library.stacks import open_packages
from runtime.answer.generate import module_text
from runtime.graph import nodes as graph

PRICED = "terrain_price"


@pytest.fixture(scope="module")
def rules() -> graph.Graph:
    """The rules of a game whose prices come out of a chart."""
    rules = open_packages().compiled("panzer_leader").graph
    assert rules is not None
    return rules


def readings(rules: graph.Graph) -> tuple[int, int]:
    """Return how often the chart is read where the answer is wanted, and where the decision id is wanted too."""
    text = module_text(rules, [PRICED])
    start = text.index(f"def {PRICED}_why(")
    return text[:start].count("TEC["), text[start:].count("TEC[")


def test_a_cell_is_read_once(rules: graph.Graph) -> None:
    assert readings(rules) == (1, 1)


def test_a_cell_that_is_read_under_a_condition_stays_where_it_is(rules: graph.Graph) -> None:
    first = rules.rules[rules.terms[PRICED].rules[0]]
    assert first.guard is not None
    waits = graph.Op("or", (graph.Op("=", (graph.Var("from"), graph.Var("to"))), first.guard))
    answer, decision = readings(replace(rules, rules={**rules.rules, first.label: replace(first, guard=waits)}))
    assert answer > 1
    assert decision > 1
