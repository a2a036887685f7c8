"""A difference is laid to the changes that make it, not to those that spoke beside."""

from dataclasses import replace
from pathlib import Path

import pytest

from runtime.witness.differ import Difference, diff
from runtime.witness.patch import reverted
from runtime.witness.structure import structural_difference
from tests.analysis.planted import compiled

BASE = """
measure MP "point"
side north, south
enum gait: foot, horse
kind rider has speed: 0..12 MP, gait: gait
feature hex: bog
feature hexside: wall, hedge
value price(mover: rider, to: hex): 0..12 MP
verdict may_cross(mover: rider, from: hex, to: hex) default allowed
rule as-printed "The chart has it." price is prices[mover.gait]
rule pay "One pays." may_cross forbidden when price(mover, to) > mover.speed
rule walls "Walls stop." may_cross forbidden when between(from, to) is wall
"""
TABLE = """
table: prices
cites: house
keys: {gait: gait}
cell: MP
grid: {foot: 1, horse: 2}
"""
PATCH = "patch: prices\ncites: house\nset: [{gait: horse, expect: 2, now: 3}]\n"
LEAP = 'rule leap "Horses leap." exception to walls when mover.gait = horse'
SLOW = 'rule slow "Nobody crosses hedges." may_cross forbidden when between(from, to) is hedge'
BUT = 'rule but "Horses do." exception to slow when mover.gait = horse'


def compared(option: str, folder: Path, patch: str = "") -> Difference:
    """Compare the game without and with an option."""
    files = {
        "game/layer.yaml": "layer: game\ntitle: Game\nkind: base\ncites: house\n",
        "game/game.rules": BASE,
        "game/prices.yaml": TABLE,
        "game/option/layer.yaml": "layer: option\ntitle: Option\nkind: optional\non: [game]\ncites: house\n",
        "game/option/option.rules": option,
    }
    files |= {"game/option/patch.yaml": patch} if patch else {}
    a, b = compiled(files, folder, "game"), compiled(files, folder, "game+option")
    undone = reverted(a, b, structural_difference(a, b))
    assert undone is not None
    left = [each for each in structural_difference(a, replace(undone, examples=a.examples)) if each.how != "printed"]
    assert left == []
    return diff(a, b)


def test_a_cell_that_spoke_beside_is_no_cause(tmp_path: Path) -> None:
    found = compared(LEAP, tmp_path, PATCH)
    laid = {term.term: [group.rules for group in term.groups] for term in found.terms}
    assert laid["may_cross"] == [("leap",)]
    assert laid["price"] == [("prices[horse]",)]


@pytest.mark.parametrize("option", [f"{SLOW}\n{BUT}"])
def test_what_takes_back_another_change_is_shown_beside_it(tmp_path: Path, option: str) -> None:
    found = {each.label: each for each in compared(option, tmp_path).changes}
    assert {label: each.status for label, each in found.items()} == {"slow": "witness", "but": "witness"}
    shown = found["but"].witness
    assert shown is not None
    assert (shown.a, shown.b) == ("forbidden", "allowed")
    assert "beside the other changes" in found["but"].why
