"""Changes write names that need quotes as expressions that the parser reads."""

from dataclasses import replace

import pytest

from compiler.source.parse import parse_expression
from rulewright.write.change.cells import cell_expression
from rulewright.write.change.guard_tests import common_conditions
from runtime.graph import nodes as graph
from runtime.witness.position_file import expression_text, quote_name
from tests.toys.build import member, num, params, row, table
from tests.toys.hares import HARE, hares

NAMES = ("plain", "8-ball", "Jäger", "größe", "two words")


@pytest.mark.parametrize("name", NAMES)
def test_a_written_name_is_parsed_again(name: str) -> None:
    rules = hares()
    counter = replace(rules.counters["red_hare"], id=name)
    rules = replace(rules, counters={name: counter})
    conditions = common_conditions(rules, params(u=HARE))
    chart = table("chart", params(way=graph.Enum("way")), (("", graph.Number(0, 9, "")),), [row(name, value=num(2))])
    texts = (
        quote_name(name),
        expression_text(member("way", name)),
        *(each for each in conditions if each.startswith("u.counter = ")),
        cell_expression(chart.rows[0], chart, rules.vocabulary),
    )
    assert len(texts) == 4
    for text in texts:
        assert text
        assert name in text
        assert parse_expression(text, "text")[1] == (), text
