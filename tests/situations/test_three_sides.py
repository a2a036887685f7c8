"""A game of three sides on points with an option on it: findings on its card under both, and its victory conditions."""

from pathlib import Path

import pytest

from rulewright.checks.card_library import checked_cards
from rulewright.checks.proofs import list_findings
from rulewright.library.stacks import open_packages

RULES = """
side ant, bee, cat
feature space: hall
kind token
kind boss
relation leads(leader: boss, led: token) one leader
track token.moved: yes_no = no until end of going
enum grade: modest, grand
scale grades: 'modest' = 0, 'grand' = 1
max level(SIDE: side): grades otherwise 'modest'
  reads "the level of {SIDE}"
outcome level from level

define is_led(t: token): yes_no [house] = t has leader
  reads "{t} is led" denied "{t} is not led"

action go by player in going [house] "Go." preferring none "it is a toy" {
  choose t from {t in all token where t.side = player and not t.moved and is_led(t)}
  choose to from neighbors(t.space)
  set t.moved to yes
  move t to to
}
sequence three [house] {
  each turn in 1..3 { each player in scenario.order { phase going "Going" { offer go until yes } } }
}
"""
MAP = """board: ring
kind: points
spaces: {A: {at: [0, 0], is: hall}, B: {at: [20, 0]}, C: {at: [10, 10]}}
connections: [A-B-C-A]
---
scenario: round
title: Round
uses: three
cites: house
map: [[ring]]
turns: 3
order: [ant, bee, cat]
forces:
  - {side: ant, placed: [{unit: mite, at: A}, {unit: head, at: A}], relations: {leads: [{leader: head, led: mite}]}}
  - {side: bee, placed: [{unit: mite, at: B}]}
  - {side: cat, placed: [{unit: mite, at: C}]}
victory:
  bee: {grand: "some(t in all token where t.side = bee and t.space is hall)"}
---
pieces: token
cites: house
columns: [id]
rows: [[mite]]
---
pieces: boss
cites: house
columns: [id]
rows: [[head]]
"""
OPTION = """
after end of going [house] "Somebody in a hall is moved." {
  if some(t in all token where t.moved) {
    choose t from {t in all token where t.space is hall} by player
    choose to from neighbors(t.space) by player
    move t to to
  }
}
"""


def package(folder: Path, side: str, option: str = "") -> Path:
    """Write the game, with `side` as the name of a parameter, and an option."""
    for name, kind, on, rules in (
        ("three", "base", "", RULES.replace("SIDE", side)),
        ("shove", "optional", "three", option),
    ):
        (folder / name).mkdir(parents=True)
        stands = f"on: [{on}]\n" if on else "playable: yes\n"
        (folder / name / "layer.yaml").write_text(f"layer: {name}\ntitle: {name.title()}\nkind: {kind}\n{stands}")
        (folder / name / "r.rules").write_text(rules)
    (folder / "three" / "map.yaml").write_text(MAP)
    return folder


def stack_findings(folder: Path, stack: str) -> list[str]:
    """Return the findings of a stack."""
    compiled = open_packages((folder,)).compiled(stack)
    assert compiled.graph is not None, compiled.diagnostics
    return [f"{each.code} {each.message}" for each in list_findings(compiled)]


@pytest.mark.parametrize("side", ["owner", "of"])
def test_victory_conditions_have_the_parameter_of_the_levels(tmp_path: Path, side: str) -> None:
    found = package(tmp_path, side)
    assert not [each for each in stack_findings(found, "three") if "there is no name" in each]


def test_an_option_is_checked_on_a_card_of_its_base(tmp_path: Path) -> None:
    found = package(tmp_path, "of", OPTION)
    stack = open_packages((found,)).compiled("three+shove")
    assert [(name, card.name.text) for name, card in checked_cards(stack)] == [("three+shove", "round")]
    message = stack_findings(found, "three+shove")
    assert [each for each in message if each.startswith("R0578") and "`t`" in each]
    assert not [each for each in stack_findings(found, "three") if each.startswith("R0578")]


def test_a_card_of_the_same_layers_under_another_name_is_checked(tmp_path: Path) -> None:
    """`shove` stands on `three`, so `three+shove` is the same stack."""
    found = package(tmp_path, "of", OPTION)
    for file in found.rglob("*.yaml"):
        file.write_text(file.read_text().replace("uses: three\n", "uses: three+shove\n"))
    packages = open_packages((found,))
    for name in ("shove", "three+shove"):
        assert [card.name.text for _, card in checked_cards(packages.compiled(name))] == ["round"]
    assert checked_cards(packages.compiled("three")) == ()


def test_relations_of_a_card_are_not_reported_as_unset_under_an_option(tmp_path: Path) -> None:
    found = package(tmp_path, "of", OPTION)
    assert not [each for each in stack_findings(found, "three+shove") if "leads" in each]


def test_an_option_without_procedures_is_checked_on_no_card(tmp_path: Path) -> None:
    option = "always led-is-somebody [house] every(t in all token where t is token)"
    stack = open_packages((package(tmp_path, "of", option),)).compiled("three+shove")
    assert checked_cards(stack) == ()


def test_an_option_is_not_checked_on_a_card_without_its_required_fact(tmp_path: Path) -> None:
    required = 'track scenario.depth: 0..9 required "how deep it is"\n'
    stack = open_packages((package(tmp_path, "of", required + OPTION),)).compiled("three+shove")
    assert checked_cards(stack) == ()
