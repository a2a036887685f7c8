"""A mutant of a card has the line of the altered value as its origin."""

from pathlib import Path

from rulewright.games.scenarios import load_card
from runtime.mutation.card_mutants import card_mutants
from tests.situations.pier import CARD, FAR, package


def test_mutants_of_a_card_have_the_line_of_the_altered_value(tmp_path: Path) -> None:
    text = CARD.replace("AREA", "{region: jetty}").replace("EDGE", "north")
    package(tmp_path, card_yaml=text, far_yaml=FAR)
    rules = load_card("outing", None, [tmp_path]).graph
    assert rules is not None
    assert rules.scenario is not None
    lines = text.splitlines()
    found: dict[str, str] = {}
    for mutant in card_mutants(rules, rules.scenario):
        found.setdefault(mutant.name.partition(": ")[2], lines[mutant.origin.line - 1])
    assert found["order"].startswith("order: ")
    assert found["set_up"].startswith("set_up: ")
    assert found["scenario.count"].startswith("facts: ")
    assert found["scenario.jetty"].startswith("regions: ")
    assert "{bob: 3}" in found["bob of First"]
    assert "{bob: 1, tom: 1}" in found["bob of Second"]
    assert "{bob: 1, tom: 1}" in found["tom of Second"]
    assert "side: blue" in found["tom of blue"]
    assert found["turns"].startswith("scenario: ")
