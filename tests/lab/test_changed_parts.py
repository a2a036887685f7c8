"""The parts that a stack adds to another one, and what `compare --which` tells of each."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.games.scenarios import load_scenario
from rulewright.lab.changed_parts import changed_parts
from rulewright.lab.experiment_setup import load_stacks
from rulewright.system.errors import UsageError
from tests.commands.planting import say
from tests.lab.bench import without_sizes
from tests.lab.test_designers_changes import KNOWN
from tests.sample import sampled

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
FLOODS = """case floods "Floods" {
  rule early-flood [house] "At a spring tide a 3 is enough."
    rise is 1
    exception to tide-rises
    when d = 3
}
"""
FEWER, STILL_FEWER = (TURNS.replace("WAS", old).replace("NOW", new) for old, new in (("12", "11"), ("11", "10")))
LAYERS = {
    "all_gather": ("low_tide", GATHER.replace("WHO", "w.pace > 0 steps"), FEWER),
    "south_gathers": ("all_gather", GATHER.replace("WHO", "w.side = south"), STILL_FEWER),
}


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Write the layers."""
    for name, (on, rules, card) in LAYERS.items():
        (tmp_path / name).mkdir()
        manifest = f"layer: {name}\ntitle: T\nkind: variant\non: [{on}]\ncites: house\n"
        for file, text in (("layer.yaml", manifest), ("r.rules", rules), ("card.yaml", card)):
            (tmp_path / name / file).write_text(text)
    return tmp_path


def parts(packages: Path, *rules: str) -> tuple[str, ...]:
    return changed_parts("before_the_tide", rules, [packages], "before_the_tide")


def test_parts_that_several_layers_change_have_the_name_of_their_layer(packages: Path) -> None:
    assert parts(packages, "low_tide", "low_tide+south_gathers") == (
        "change of action gather of all_gather", "before_the_tide of all_gather",
        "change of action gather of south_gathers", "before_the_tide of south_gathers",
    )  # fmt: skip
    above = parts(packages, "low_tide+all_gather", "low_tide+south_gathers")
    assert above == ("change of action gather of south_gathers", "before_the_tide of south_gathers")


def test_rules_of_cases_are_parts_and_other_cards_are_none(tmp_path: Path) -> None:
    (tmp_path / "floods").mkdir()
    for file, text in (
        ("layer.yaml", "layer: floods\ntitle: T\nkind: variant\non: [low_tide]\ncites: house\n"),
        ("r.rules", FLOODS),
    ):
        (tmp_path / "floods" / file).write_text(text)
    assert parts(tmp_path, "low_tide", "low_tide+floods") == ("early-flood",)


@pytest.mark.parametrize("rules", [("low_tide",), (), ("low_tide", "low_tide")])
def test_equal_or_single_rules_have_no_parts(rules: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--which"):
        parts(tmp_path, *rules)


@pytest.mark.parametrize(
    ("label", "turns"), [("before_the_tide[turns]", 12), ("before_the_tide[turns] of south_gathers", 11)]
)
def test_a_label_can_name_the_part_of_one_layer(packages: Path, label: str, turns: int) -> None:
    loaded = load_scenario("before_the_tide", "low_tide+south_gathers", [packages], (label,))
    assert loaded.graph, loaded.diagnostics
    assert loaded.graph.scenario
    assert loaded.graph.scenario.turns == turns


@pytest.mark.parametrize(
    ("label", "left"),
    [("yard[north, placed]", 1), ("yard", 1), ("yard[title]", 2), ("fighter[thrower_south]", 2)],
)
def test_parts_of_a_card_are_reverted(label: str, left: int) -> None:
    loaded = load_stacks("yard", ["toss", "toss+long_toss"], [label], [KNOWN])
    plain, whole, without_it = (each.graph for each in loaded)
    assert plain.scenario
    assert whole.scenario
    assert without_it.scenario
    placed = [sum(len(force.placed) for force in card.forces if force.side == "north")
              for card in (plain.scenario, whole.scenario, without_it.scenario)]  # fmt: skip
    assert placed == [1, 2, left]
    assert (without_it.scenario.title == plain.scenario.title) == (label in ("yard", "yard[title]"))
    assert (without_it.counters == plain.counters) == label.startswith("fighter")


def test_an_action_is_left_out_with_its_offers() -> None:
    loaded = load_stacks("yard", ["toss+finders"], ["action find", "action rest"], [KNOWN])
    names = [{each.name for each in one.graph.procedures.values() if each.what == "action"} for one in loaded]
    assert names == [{"throw_die", "find", "rest"}, {"throw_die", "rest"}, {"throw_die", "find"}]


def played(stack: str, games: int) -> tuple[dict[str, Any], str]:
    """Play a toy with and without each part; return the data, and the printed text in one line without sizes."""
    command = ["compare", "yard", "--path", str(KNOWN), "--rules", "toss", "--rules", stack, "--which", "-j", "1"]
    done = say([*command, "-n", str(games)])
    assert not done.code, done.err
    data = json.loads(say([*command, "-n", str(games), "--format", "json"]).out)
    return data, without_sizes(" ".join(done.out.split()))


@sampled(0)
def test_each_part_has_a_verdict_and_a_needed_one_is_not_left_out() -> None:
    """North finds points that others throw for; nobody can rest, and finding needs its resolution."""
    data, output = played("toss+finders", 60)
    findings = {each["rules"].partition(" without ")[2]: each["finding"] for each in data["verdicts"]}
    assert findings == {"": "more", "action find": "less", "action rest": "untried"}
    assert data["not_played"] == ["not played without resolution gain: there is no resolution `gain`"]
    assert data["not_played"][0] in output


@sampled(0)
def test_the_part_of_a_card_that_matters_is_told_from_a_counter() -> None:
    """A second thrower of north matters; a printed value of a counter of south does not."""
    data, output = played("toss+long_toss", 60)
    findings = {each["rules"].partition(" without ")[2]: each["finding"] for each in data["verdicts"]}
    assert findings["yard"] == "less"
    assert findings["fighter"] in ("open", "untried")
    assert "toss+long_toss without yard instead of toss+long_toss: the north side wins less often" in output
