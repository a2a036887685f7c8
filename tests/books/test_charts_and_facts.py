"""The printed charts equal published facts about these games, if a folder of such facts is available."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest
import yaml

from compiler.rulebook.charts import PrintedChart, printed_chart
from rulewright.library.stacks import open_packages
from runtime.graph.words import number
from tests.importing.situations import find_facts

FACTS = find_facts()
pytestmark = pytest.mark.skipif(FACTS is None, reason="CHARTS NOT COMPARED: no folder of facts; set RULEWRIGHT_FACTS")

GAMES = pytest.mark.parametrize("game", ["panzer_leader", "panzerblitz"])
RESULTS = {"o": "none", "D": "dispersed", "DD": "double_dispersed", "X": "eliminated"}
PLANES = {"no effect": "none", "driven off": "damaged", "shot down": "eliminated"}
# By group of movers of the terrain chart, its name in the facts; by terrain, its name, for terrain with a known price.
MOVERS = {"dismounted units": "default-non-vehicle", "vehicle": "default-vehicle", "truck": "truck", "wagon": "wagon"}
GROUNDS = {"clear": (), "town": ("roaded",), "slope": ("sloped",), "swamp": ("swamp",), "pond": ("water",)}


def facts(name: str) -> Any:
    assert FACTS is not None
    return yaml.safe_load((FACTS / name).read_text(encoding="utf-8"))


@cache
def chart(game: str, name: str) -> PrintedChart:
    book = open_packages(()).compiled(game).graph
    assert book
    return printed_chart(book, book.tables[name])


def grid(drawn: PrintedChart) -> dict[str, dict[str, str]]:
    assert drawn.grid
    return {
        row.heads[0]: {head: cell.text for head, cell in zip(drawn.heads, row.cells, strict=True)} for row in drawn.rows
    }


@GAMES
def test_combat_results_equal_the_facts(game: str) -> None:
    known = facts("crt.yaml")["combat_results_table"]
    printed = grid(chart(game, "crt"))
    assert {
        int(die.replace("−", "-")): {odds: RESULTS[cell] for odds, cell in row.items()} for die, row in printed.items()
    } == known["by_die"]


def test_anti_aircraft_results_equal_the_facts() -> None:
    known = facts("crt.yaml")["anti_aircraft_table"]["by_die"]
    printed = grid(chart("panzer_leader", "aa_table"))
    assert {
        int(die): {head.replace(" ", "_"): PLANES[cell] for head, cell in row.items()} for die, row in printed.items()
    } == known


@GAMES
def test_movement_costs_equal_the_facts(game: str) -> None:
    sets = facts("movement.yaml")["rule_sets"]
    printed = grid(chart(game, "tec"))
    compared = 0
    for ground, attributes in GROUNDS.items():
        for mover, set_ in MOVERS.items():
            known = sets[set_]["attributes"]
            if attributes and attributes[0] not in known and attributes[0] != "sloped":
                continue  # The facts have no price of a swamp for infantry.
            extra = [known.get(each, 0) for each in attributes]
            want = "barred" if "prohibited" in extra else number(sets[set_]["base_cost"] + sum(map(Fraction, extra)))
            assert printed[ground][mover] == want, (ground, mover)
            compared += 1
    assert compared >= 18


def test_weapon_effects_equal_the_facts() -> None:
    known = facts("weapons.yaml")["direct_fire"]["target_class"]
    times = {"2": "x2", "1": "x1", "1/2": "1/2", "0": "may_not_fire"}
    compared = 0
    for row in chart("panzerblitz", "weapons").rows:
        weapons, target, near = row.heads
        for weapon in (one for one in weapons.split(", ") if one in known):
            for_target = known[weapon][target.replace("-", "_")]
            range_ = {"yes": "range_at_most_half", "no": "beyond_half", "any": "any_range"}[near]
            want = for_target if isinstance(for_target, str) else for_target[range_]
            assert times[row.cells[0].text] == str(want), (weapon, target, near)
            compared += 1
    assert compared == 11
