"""Causes beside others: one part changed by several layers, changes that cancel out, rules that break."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.errors import UsageError
from rulewright.games import load_scenario
from rulewright.lab.effect_attribution import changed_units
from tests.commands.planting import say
from tests.sample import LONG, sampled

GATHER = """action gather by player in foraging [house] "Gather." reads "{w} gathers" replaces action gather {
  choose w from {w in all walker where w.side = player and WHO and w is not laden and w.hex is bed} preferring 5
  legal w.hex is not picked
  legal w.walked < w.pace
  mark w as laden
  mark w.hex as picked
  set w.walked to w.pace
}
"""
TURNS = "patch: before_the_tide\ncites: house\nturns: {expect: WAS, now: NOW}\n"
TITLE = "---\npatch: before_the_tide\ncites: house\ntitle: {expect: WAS, now: NOW}\n"
RISE = 'rule RULE [house] "A 3 lifts the water by so much."\n  rise is NOW\n  exception to BELOW\n  when d = 3\n'
TIDE = 'resolution tide() [house] "By fives." replaces resolution tide {\n  roll d: die\n  set game.water to W\n}\n'
STILL = 'rule still-water [house] "It does not rise."\n  rise is 0\n  replaces tide-rises\n'


def filled(text: str, **words: str) -> str:
    for name, word in words.items():
        text = text.replace(name, word)
    return text


# Layers by name: the layer below, the rules, and the changes of the card.
LAYERS = {
    "all_gather": ("low_tide", filled(GATHER, WHO="w.pace > 0 steps"), filled(TURNS, WAS="12", NOW="11")),
    "south_gathers": ("all_gather", filled(GATHER, WHO="w.side = south"), filled(TURNS, WAS="11", NOW="10")),
    "retitled": ("low_tide", "", filled(TURNS, WAS="12", NOW="9") + filled(TITLE, WAS="Before the Tide", NOW="Mud")),
    "undone": (
        "low_tide",
        filled(RISE, RULE="three-too", NOW="1", BELOW="tide-rises")
        + filled(RISE, RULE="three-not", NOW="0", BELOW="three-too"),
        "",
    ),
    "guarded": (
        "low_tide",
        filled(TIDE, W="game.water + 5 * rise(d)") + STILL + filled(GATHER, WHO="w.side = south"),
        "",
    ),
    "deluge": ("low_tide", filled(TIDE, W="game.water + 9 * rise(d)") + STILL.replace("rise is 0", "rise is 2"), ""),
    "flooding": ("low_tide", filled(TIDE, W="game.water + 9 * rise(d)"), ""),
}  # fmt: skip


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    for name, (on, rules, card) in LAYERS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "layer.yaml").write_text(
            f"layer: {name}\ntitle: T\nkind: variant\non: [{on}]\ncites: house\n"
        )
        for file, text in (("r.rules", rules), ("card.yaml", card)):
            if text:
                (tmp_path / name / file).write_text(text)
    return tmp_path


def searched(packages: Path, rules: tuple[str, ...], games: int, *options: str, code: int = 0) -> str:
    named = [word for each in rules for word in ("--rules", each)]
    command = ["compare", "before_the_tide", "--path", str(packages), *named, "--which", "-j", "1", "-n", str(games)]
    done = say([*command, *options])
    assert done.code == code, done.err
    return done.out


def causes_of(packages: Path, *rules: str, games: int = 40, code: int = 0) -> dict[str, dict[str, Any]]:
    """Search for causes; return them by the name of the ablated unit."""
    causes = json.loads(searched(packages, rules, games, "--format", "json", code=code))["causes"]
    return {each["without"]: each for each in causes}


def text_of(packages: Path, *rules: str, games: int = 40, code: int = 0) -> str:
    """Search for causes; return the printed text in one line."""
    return " ".join(searched(packages, rules, games, code=code).split())


@sampled(0)
def test_layers_that_change_one_part_are_separate_units(packages: Path) -> None:
    """Both layers replace `gather`, and only the upper one withholds it from north; both change the turns."""
    found = causes_of(packages, "low_tide", "low_tide+south_gathers")
    assert found["south_gathers"]["state"] == found["change of action gather of south_gathers"]["state"] == "found"
    assert found["before_the_tide[turns] of south_gathers"]["state"] == "open"
    # The card of the upper layer expects the value of the lower one, so the lower layer is ablated part by part.
    assert found["all_gather"]["state"] == "refused"
    assert found["change of action gather of all_gather"]["state"] == "open"
    assert found["change of action gather of all_gather"]["estimate"] == 0
    assert found["before_the_tide[turns] of all_gather"]["state"] == "refused"


@sampled(0)
def test_only_layers_above_the_baseline_are_units(packages: Path) -> None:
    found = causes_of(packages, "low_tide+all_gather", "low_tide+south_gathers")
    assert set(found) == {"before_the_tide[turns] of south_gathers", "change of action gather of south_gathers"}


@pytest.mark.parametrize(
    ("label", "turns"), [("before_the_tide[turns]", 12), ("before_the_tide[turns] of south_gathers", 11)]
)
def test_a_label_can_name_the_part_of_one_layer(packages: Path, label: str, turns: int) -> None:
    loaded = load_scenario("before_the_tide", "low_tide+south_gathers", [packages], (label,))
    assert loaded.graph, loaded.diagnostics
    assert loaded.graph.scenario
    assert loaded.graph.scenario.turns == turns
    with pytest.raises(UsageError, match="--ablate"):
        load_scenario(
            "before_the_tide", "low_tide+all_gather", [packages], (f"{label.partition(' ')[0]} of all_gather",)
        )


def test_two_changes_of_a_card_are_one_group(packages: Path) -> None:
    found = changed_units("before_the_tide", ["low_tide", "low_tide+retitled"], [packages], card="")
    assert [(each.name, each.labels) for each in found] == [
        ("before_the_tide (card)", ("before_the_tide[turns]", "before_the_tide[title]"))
    ]


def test_groups_of_several_layers_have_unique_names(packages: Path) -> None:
    """The games of an ablation are stored under its name."""
    for layer, was, now in (("one", "12", "11"), ("two", "11", "10")):
        (packages / layer).mkdir()
        below = "low_tide" if layer == "one" else "one"
        (packages / layer / "layer.yaml").write_text(
            f"layer: {layer}\ntitle: T\nkind: variant\non: [{below}]\ncites: house\n"
        )
        titles = {"WAS": "Before the Tide" if layer == "one" else "one", "NOW": layer}
        (packages / layer / "card.yaml").write_text(filled(TURNS, WAS=was, NOW=now) + filled(TITLE, **titles))
    found = changed_units("before_the_tide", ["low_tide", "low_tide+two"], [packages], card="")
    names = [
        part.name for layer in found for part in (layer, *layer.parts, *(p for each in layer.parts for p in each.parts))
    ]
    assert len(set(names)) == len(names)
    assert "before_the_tide (card) of two" in names


@sampled(0)
def test_changes_that_cancel_out_are_reported(packages: Path) -> None:
    found = causes_of(packages, "low_tide", "low_tide+undone", games=60)
    output = text_of(packages, "low_tide", "low_tide+undone", games=60)
    assert found["three-not"]["state"] == "found"
    assert "all changes together leave every game as it was: what matters does so beside the others" in output


@LONG
def test_an_ablation_that_breaks_every_game_hides_no_other_cause(packages: Path) -> None:
    """Without still water the water exceeds its range; the change of `gather` is found all the same."""
    found = causes_of(packages, "low_tide", "low_tide+guarded", code=1)
    output = text_of(packages, "low_tide", "low_tide+guarded", code=1)
    assert found["still-water"]["state"] == "refused"
    assert found["still-water"]["broken"] == 40
    assert (
        "not played without still-water: the rules break in each of 40 pairs of games, for instance `game.water` is set"
        in output
    )
    assert found["change of action gather"]["state"] == "found"
    assert found["change of action gather"]["broken"] == 0
    assert "of all changes together" not in output
    assert "all changes together leave" not in output


def test_if_every_game_breaks_no_search_is_made(packages: Path) -> None:
    """With one player, and with the last of several."""
    for options in ((), ("--players", "random", "--players", "greedy")):
        output = " ".join(searched(packages, ("low_tide", "low_tide+deluge"), 2, *options, code=1).split())
        assert "nothing to search, as the rules broke in each pair of games" in output


@sampled(0)
def test_rules_that_break_remove_no_pairs_of_others(packages: Path) -> None:
    """The last of three stacks breaks: the comparison of the first two is the same without it."""
    command = ["compare", "before_the_tide", "--path", str(packages), "-j", "1", "-n", "40", "--format", "json"]
    two = [*command, "--rules", "low_tide", "--rules", "low_tide+south_gathers"]
    alone, beside = (json.loads(say([*two, *more]).out) for more in ((), ("--rules", "low_tide+flooding")))
    assert beside["broken"] > 20
    remaining = {key: beside["differences"][0][key] for key in ("estimate", "pairs", "rules", "changes")}
    assert remaining == {key: alone["differences"][0][key] for key in remaining}
    assert [each["n"] for each in beside["arms"]][:2] == [40, 40]
