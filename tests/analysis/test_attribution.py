"""A difference is attributed to the changes that cause it, and not to others that apply in the same position."""

from dataclasses import replace
from pathlib import Path

import pytest

from runtime.witness.behavioral_diff import DifferingTerms, behavioral_diff
from runtime.witness.reversion import revert_changes
from runtime.witness.structural_difference import structural_difference
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


def compared(option: str, folder: Path, patch: str = "") -> DifferingTerms:
    """Compare the game without and with an option; assert that reverting all changes gives the first graph."""
    files = {
        "game/layer.yaml": "layer: game\ntitle: Game\nkind: base\ncites: house\n",
        "game/game.rules": BASE,
        "game/prices.yaml": TABLE,
        "game/option/layer.yaml": "layer: option\ntitle: Option\nkind: optional\non: [game]\ncites: house\n",
        "game/option/option.rules": option,
    }
    files |= {"game/option/patch.yaml": patch} if patch else {}
    a, b = compiled(files, folder, "game"), compiled(files, folder, "game+option")
    undone = revert_changes(a, b, structural_difference(a, b))
    assert undone is not None
    left = [
        each for each in structural_difference(a, replace(undone, examples=a.examples)) if each.operation != "printed"
    ]
    assert left == []
    return behavioral_diff(a, b)


def test_a_changed_cell_is_no_cause_of_a_difference_of_another_term(tmp_path: Path) -> None:
    found = compared(LEAP, tmp_path, PATCH)
    rules_by_term = {term.term: [group.rules for group in term.groups] for term in found.terms}
    assert rules_by_term["may_cross"] == [("leap",)]
    assert rules_by_term["price"] == [("prices[horse]",)]


@pytest.mark.parametrize("option", [f"{SLOW}\n{BUT}"])
def test_a_change_that_cancels_another_has_a_witness_beside_it(tmp_path: Path, option: str) -> None:
    found = {each.label: each for each in compared(option, tmp_path).changes}
    assert {label: each.status for label, each in found.items()} == {"slow": "witness", "but": "witness"}
    witness = found["but"].witness
    assert witness is not None
    assert (witness.a, witness.b) == ("forbidden", "allowed")
    assert "together with the other changes" in found["but"].reason


STAGED = """
measure MP "point"
side north, south
kind rider has speed: 0..12 MP
feature hex: bog
status rider: shaken until end of turn
status rider: worn until end of game
value pace(mover: rider): 0..12 MP in stages printed, final
  reads "the pace of {mover}"
rule as-printed "What is printed counts." pace.printed is mover.speed
rule rounded "Fractions are rounded up." pace.final is round_up(previous)
resolution race(mover: rider, other: rider) "Who is slower tires." {
  if pace(mover) >= pace(other) { do tire(other) }
}
resolution tire(mover: rider) "A rider tires." {
  if mover is worn { remove mover } else { mark mover as worn }
}
example "a race" {
  row A, B
  piece R: rider of north at A (speed 4 MP)
  piece S: rider of south at B (speed 2 MP)
  do race(R, S)
  ask (S is worn) = yes
}
"""
PUT_BEFORE = """
extend stages pace: muddy after printed
rule in-mud "In a bog a rider has half its pace." pace.muddy is previous / 2 when mover.hex is bog
rule shaken-first "Only who is shaken tires."
  wraps resolution tire by { if mover is shaken { proceed } else { mark mover as shaken } }
"""


def test_an_inserted_stage_is_no_cause_of_differences_that_its_rules_make(tmp_path: Path) -> None:
    layer = "layer: {name}\ntitle: Game\nkind: {kind}\ncites: house\n{on}"
    files = {
        "game/layer.yaml": layer.format(name="game", kind="base", on=""),
        "game/game.rules": STAGED,
        "game/option/layer.yaml": layer.format(name="option", kind="optional", on="on: [game]\n"),
        "game/option/option.rules": PUT_BEFORE,
    }
    plain, muddy = compiled(files, tmp_path, "game"), compiled(files, tmp_path, "game+option")
    found = behavioral_diff(plain, muddy)
    assert {term.term: [group.rules for group in term.groups] for term in found.terms if not term.only} == {
        "pace.final": [("in-mud",)]
    }
    assert found.behavior.rules == ()
    assert [(each.name, each.differs) for each in found.behavior.procedures] == [("tire", 1)]
    following = {
        each.label: each.status for each in found.changes if each.label in {"rounded", "default of pace.final"}
    }
    assert following == {"rounded": "same", "default of pace.final": "same"}
