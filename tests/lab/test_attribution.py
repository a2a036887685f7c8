"""Attribution of an effect to changed rules: first by groups, then by the rules of the groups that matter."""

import json
import re
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from rulewright.engines import NATIVE, PYTHON
from rulewright.errors import UsageError
from rulewright.lab.attribution_report import attribution_sentences, causes_data
from rulewright.lab.effect_attribution import (
    FOUND,
    OPEN,
    REFUSED,
    SMALL,
    UNUSED,
    AblationResult,
    AblationUnit,
    EffectAttribution,
    changed_units,
)
from rulewright.lab.experiment import Experiment
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
from rulewright.library.ablation import without_labels
from rulewright.library.stacks import open_packages
from runtime.experiment.processes import WorkersLost
from runtime.experiment.summary import Summary
from tests.commands.planting import say
from tests.lab.bench import run
from tests.lab.test_designers_changes import KNOWN
from tests.sample import LONG, sampled

TIDE = {
    "layer.yaml": "layer: spring_tide\ntitle: Spring Tide\nkind: variant\non: [low_tide]\n",
    "tide.rules": """
case floods "Floods" {
  rule early-flood [house] "At a spring tide a 3 is enough."
    rise is 1
    exception to tide-rises
    when d = 3

  rule flood-on-a-nine [house] "Nines are thrown by nobody."
    rise is 0
    exception to tide-rises, early-flood
    when d = 3 and game.turn > 100
}

rule boards-on-the-mud [house] "Boards lie on the mud: it costs one."
  exception to mud-clings, mud-and-a-basket
""",
}
CALM = {
    "layer.yaml": "layer: calm\ntitle: Calm\nkind: variant\non: [low_tide]\n",
    "calm.rules": """
rule calm-sand [house] "Sand stays as it is."
  exception to mud-and-a-basket
  when game.turn > 90
""",
}


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Write two variants of Low Tide."""
    for layer in (TIDE, CALM):
        folder = tmp_path / layer["layer.yaml"].split("\n")[0].removeprefix("layer: ")
        folder.mkdir()
        for name, text in layer.items():
            (folder / name).write_text(text)
    return tmp_path


def names(found: tuple[AblationUnit, ...]) -> dict[str, tuple[str, ...]]:
    return {each.name: tuple(part.name for part in each.parts) for each in found}


def test_units_of_a_layer(packages: Path) -> None:
    """A case is a group of its rules; a rule outside of cases is a unit of its own."""
    found = changed_units("before_the_tide", ["low_tide", "low_tide+spring_tide"], [packages], card="")
    assert names(found) == {"floods (case or chart)": ("early-flood", "flood-on-a-nine"), "boards-on-the-mud": ()}


def test_units_of_two_layers(packages: Path) -> None:
    found = changed_units("before_the_tide", ["low_tide", "low_tide+spring_tide+calm"], [packages], card="")
    assert names(found) == {"spring_tide": ("floods (case or chart)", "boards-on-the-mud"), "calm": ("calm-sand",)}
    assert found[-1].labels == ("early-flood", "flood-on-a-nine", "boards-on-the-mud")


@pytest.mark.parametrize("rules", [["low_tide"], [], ["low_tide", "low_tide"]])
def test_equal_or_single_rules_have_no_units(rules: list[str]) -> None:
    with pytest.raises(UsageError, match="--which"):
        changed_units("before_the_tide", rules, [], card="")


def test_several_rules_are_left_out_together(packages: Path) -> None:
    library = open_packages([packages]).library
    left = without_labels(library, "low_tide+spring_tide", ["early-flood", "boards-on-the-mud"])
    assert left is not library
    with pytest.raises(UsageError, match="no rule, action, patched cell, table or card `nothing`"):
        without_labels(library, "low_tide", ["nothing"])


def search(packages: Path, games: int) -> tuple[list[AblationResult], Summary, list[str]]:
    """Play the tide, and search for the cause; return the causes, the summary and the played ablations."""
    rules = ["low_tide", "low_tide+spring_tide"]
    stacks = load_stacks("before_the_tide", rules, [], [packages])
    # The engine changes no result (tests/core); compiled code takes half of the time.
    engine = NATIVE if find_spec("wasmtime") else PYTHON
    experiment = replace(
        set_up(stacks, parse_seatings(stacks, ["greedy"], swaps_sides=False), "1", None), engine=engine
    )
    summary = run(experiment, games)
    played: list[str] = []

    def play(each: Experiment, what: str) -> Summary:
        played.append(what)
        return run(each, games)

    searching = EffectAttribution(experiment, "before_the_tide", rules[-1], [packages], play)
    units = changed_units("before_the_tide", rules, [packages], card="")
    return list(searching.attribute(units, summary)), summary, played


@sampled(0)
def test_the_rule_is_found_in_its_group(packages: Path) -> None:
    """Without the group north wins more often; only one of its rules is live. Without boards south wins less often."""
    causes, summary, played = search(packages, 140)
    found = {each.unit.name: each.state for each in causes}
    assert found["floods (case or chart)"] == FOUND
    assert found["early-flood"] == FOUND
    assert found["flood-on-a-nine"] == UNUSED
    assert found["boards-on-the-mud"] == FOUND
    assert len(played) == 2
    group = next(each for each in causes if each.unit.parts)
    alone = next(each for each in causes if each.unit.name == "early-flood")
    assert group.effects[0].wins.estimate == alone.effects[0].wins.estimate > 0
    # Three rules: a rule alone has a third of the error of its level, a group of two has two thirds.
    assert group.effects[0].error == pytest.approx(2 * alone.effects[0].error)
    lines = list(attribution_sentences(causes, summary))
    assert any("without early-flood: north wins +" in line and "IT MATTERS" in line for line in lines)
    assert any("so not played without: flood-on-a-nine" in line for line in lines)
    assert json.loads(json.dumps(causes_data(causes)))[0]["labels"] == ["early-flood", "flood-on-a-nine"]


def test_few_games_establish_no_cause(packages: Path) -> None:
    """A group that is not established is no cause and is not split."""
    causes, summary, played = search(packages, 4)
    assert {each.state for each in causes} == {OPEN}
    assert len(played) == 1
    assert "no part and no group is established" in list(attribution_sentences(causes, summary))[-1]


@sampled(1)
@pytest.mark.parametrize(
    ("states", "message"),
    [
        ([UNUSED], "  no part was used, so none was left out: more games, other players or situations may use some"),
        ([SMALL], "  no cause to find: each part that was left out changes that by less than 5 points"),
        ([SMALL, UNUSED], "  no cause to find: each part that was left out changes that by less than 5 points"),
        ([SMALL, OPEN], "  no part and no group is established as the cause: more games may find one"),
    ],
)
def test_the_sentence_without_a_cause_has_the_reason(states: list[str], message: str, packages: Path) -> None:
    """More games are recommended only if they could establish a cause that is not excluded yet."""
    _, summary, _ = search(packages, 4)
    causes = [AblationResult(AblationUnit(f"rule-{n}", (f"rule-{n}",)), state) for n, state in enumerate(states)]
    assert list(attribution_sentences(causes, summary))[-1] == message


CELLS = {
    "layer.yaml": "layer: rare_cell\ntitle: A Rare Cell\nkind: variant\non: [long_frost]\n",
    "cells.yaml": """
patch: results
cites: house
set:
  - {row: 6, column: '1-2', expect: attacker_loses, now: nothing_gives}
""",
}


@LONG
def test_a_cell_without_lookups_is_not_ablated(tmp_path: Path) -> None:
    """If all pairs of games are equal, no ablation of a cell that no game looked up is played."""
    (tmp_path / "rare_cell").mkdir()
    for name, text in CELLS.items():
        (tmp_path / "rare_cell" / name).write_text(text)
    stacks = ["--rules", "long_frost", "--rules", "long_frost+rare_cell"]
    command = ["compare", "first_snow", "--path", str(tmp_path), *stacks, "--which", "-n", "10", "-j", "1"]
    done = say([*command, "--format", "json"])
    assert not done.code, done.err
    assert [(each["without"], each["state"]) for each in json.loads(done.out)["causes"]] == [
        ("results[6, 1-2]", UNUSED)
    ]


@sampled(0)
def test_a_cell_of_two_layers_without_lookups_is_not_ablated(tmp_path: Path) -> None:
    """The label of a part that several layers change has the name of its layer."""
    other = {
        "layer.yaml": CELLS["layer.yaml"].replace("rare_cell", "rarer_cell").replace("[long_frost]", "[rare_cell]"),
        "cells.yaml": CELLS["cells.yaml"].replace("attacker_loses, now: nothing_gives", "nothing_gives, now: exchange"),
    }
    for layer, files in (("rare_cell", CELLS), ("rarer_cell", other)):
        (tmp_path / layer).mkdir()
        for name, text in files.items():
            (tmp_path / layer / name).write_text(text)
    stacks = ["--rules", "long_frost", "--rules", "long_frost+rare_cell+rarer_cell"]
    command = ["compare", "first_snow", "--path", str(tmp_path), *stacks, "--which", "-n", "6", "-j", "1"]
    done = say([*command, "--format", "json"])
    assert not done.code, done.err
    causes = [(each["without"], each["labels"], each["state"]) for each in json.loads(done.out)["causes"]]
    assert causes == [(layer, [f"results[6, 1-2] of {layer}"], UNUSED) for layer in ("rare_cell", "rarer_cell")]


COUNTERS = {
    "layer.yaml": "layer: horses\ntitle: Cavalry Armies\nkind: variant\non: [long_frost]\n",
    "counters.yaml": """
patch: corps
cites: house
add counters:
  - {id: cavalry, side: raiders, strength: 2, movement: 5, back: "-", traits: []}
set:
  - {id: foot, column: strength, expect: 4, now: 1}
""",
}


@pytest.mark.long
def test_a_counter_that_was_never_in_play_is_not_ablated(tmp_path: Path) -> None:
    """Its group matters because of another counter; no ablation of this counter alone is played."""
    (tmp_path / "horses").mkdir()
    for name, text in COUNTERS.items():
        (tmp_path / "horses" / name).write_text(text)
    stacks = ["--rules", "long_frost", "--rules", "long_frost+horses"]
    command = ["compare", "first_snow", "--path", str(tmp_path), *stacks, "--which", "-n", "100", "-j", "1"]
    done = say([*command, "--heard", "4", "--format", "json"])
    assert not done.code, done.err
    assert [(each["without"], each["state"]) for each in json.loads(done.out)["causes"]] == [
        ("corps (counters)", FOUND),
        ("corps[foot]", FOUND),
        ("corps[cavalry]", UNUSED),
    ]


TWICE = {
    "layer.yaml": "layer: halt\ntitle: The Column Halts\nkind: variant\non: [long_frost]\n",
    "halt.rules": """
rule no-steps [house] "The Column halts."
  may_enter forbidden
  when a.side = raiders

rule no-steps-at-all [house] "Whoever is not of the Guard halts."
  may_enter forbidden
  when a.side != keepers
""",
}


@pytest.mark.long
def test_two_sufficient_parts_are_reported_as_such(tmp_path: Path) -> None:
    """Of two rules that forbid the same, either can be left out without an effect."""
    (tmp_path / "halt").mkdir()
    for name, text in TWICE.items():
        (tmp_path / "halt" / name).write_text(text)
    stacks = ["--rules", "long_frost", "--rules", "long_frost+halt"]
    command = ["compare", "first_snow", "--path", str(tmp_path), *stacks, "--which", "-j", "1", "--heard", "4"]
    findings = {"20": "no part and no group is established", "200": "leaving out one part changes that by"}
    for games, finding in findings.items():
        output = " ".join(say([*command, "-n", games]).out.split())
        assert f"all changes together: raiders wins less often; but {finding}" in output
        assert "several parts may each be enough for the effect" in output
        assert "only no-steps: raiders wins -" in output
        assert "only no-steps-at-all: raiders wins -" in output
        assert "no cause to find" not in output


@sampled(0)
def test_the_search_names_its_player_if_there_are_several(packages: Path) -> None:
    stacks = ["--rules", "low_tide", "--rules", "low_tide+spring_tide", "--path", str(packages)]
    command = ["compare", "before_the_tide", *stacks, "--which", "-n", "4", "-j", "1"]
    both = say([*command, "--players", "random", "--players", "greedy"]).out
    assert "played only by the last of the 2 players or seatings, greedy (" in " ".join(both.split())
    assert "played only by" not in say([*command, "--players", "greedy"]).out


@LONG
def test_the_search_plays_both_seatings_of_players_who_exchange_sides(packages: Path) -> None:
    """North wins each game with one of them and none with the other, so the rules show in levels alone."""
    stacks = ["--rules", "low_tide", "--rules", "low_tide+spring_tide", "--path", str(packages)]
    command = ["compare", "before_the_tide", *stacks, "--which", "-n", "40", "-j", "1", "--players", "greedy,random"]
    swapped = [*command, "--swap"]
    causes = {each["without"]: each for each in json.loads(say([*swapped, "--format", "json"]).out)["causes"]}
    flood = causes["early-flood"]
    assert (flood["state"], flood["of"]) == (FOUND, "levels")
    both = {one["players"]: one["level"]["estimate"] for one in flood["by_players"]}
    assert list(both) == ["greedy,random", "random,greedy"]
    assert both["greedy,random"] > 0 > both["random,greedy"]
    words = " ".join(say(swapped).out.split())
    assert "without early-flood: with greedy,random north wins +0.0%" in words
    assert "IT MATTERS (in levels)" in words
    assert "that levels change without it" in words
    assert "played only by" not in words
    third = " ".join(say([*swapped, "--players", "random", "-n", "4"]).out.split())
    assert "played only by the last of the 3 players or seatings, random (" in third


@sampled(0)
def test_an_interrupted_search_reports_the_stored_games(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The games of the experiment are stored, those of the search are not; lost workers have the same message."""
    stacks = ["--rules", "low_tide", "--rules", "low_tide+spring_tide", "--path", str(packages)]
    file = tmp_path / "kept.jsonl"
    command = ["compare", "before_the_tide", *stacks, "--which", "-n", "4", "-j", "1", "--out", str(file)]
    notice = f"4 games are kept in {file}; the games of the search for causes are not kept, and are played again; to go"
    for raised in (KeyboardInterrupt(), WorkersLost("nobody is left")):

        def fail(*_: object, raised: BaseException = raised) -> None:
            raise raised

        monkeypatch.setattr(EffectAttribution, "attribute", fail)
        done = say(command)
        assert done.code == (130 if isinstance(raised, KeyboardInterrupt) else 2)
        assert notice in " ".join(done.err.split())
    monkeypatch.undo()
    assert "which of the changed rules it was" in say(command).out


def test_the_sentences_on_parts_that_cannot_be_left_out_alone(packages: Path) -> None:
    _, summary, _ = search(packages, 2)
    group = AblationUnit("a group", ("a", "b"), (AblationUnit("a", ("a",)), AblationUnit("b", ("b",))))
    lines = list(attribution_sentences([AblationResult(group, REFUSED, reason="b names a")], summary))
    assert "not played without a group, 2 parts: b names a" in lines[1]
    together = list(
        attribution_sentences([AblationResult(group, FOUND), AblationResult(group.parts[0], OPEN)], summary)
    )
    assert "they matter together" in together[-2]
    assert together[-1].endswith(
        "it is settled of a group that who wins changes without it; whether it is so of a stays open"
    )
    one, other = group.parts
    beside = list(attribution_sentences([AblationResult(one, FOUND), AblationResult(other, OPEN)], summary))
    assert "of all changes together no effect is established" in beside[-2]
    assert not any("of all changes together" in line for line in together)


def causes_of(*words: str) -> tuple[dict[str, dict[str, Any]], str]:
    """Search a toy for causes; return them by the name of the ablated unit, and the printed text."""
    command = ["compare", "yard", "--path", str(KNOWN), "--rules", "toss", "--which", "-j", "1", *words]
    done = say(command)
    assert not done.code, done.err
    found = json.loads(say([*command, "--format", "json"]).out)["causes"]
    return {each["without"]: each for each in found}, " ".join(done.out.split())


@sampled(0)
def test_the_cause_is_a_part_of_a_card() -> None:
    """A second thrower of north matters; the title, and a printed value of a counter of south, do not."""
    found, output = causes_of("--rules", "toss+long_toss", "-n", "60")
    assert found["yard (card)"]["labels"] == ["yard[title]", "yard[north, placed]"]
    states = {name: each["state"] for name, each in found.items()}
    assert states["yard (card)"] == states["yard[north, placed]"] == FOUND
    assert states["yard[title]"] == states["fighter[thrower_south]"] == OPEN
    assert "without yard[north, placed]: north wins -" in output
    same = "whether it matters stays open, though all 60 pairs of games came out the same"
    assert re.search(rf"without yard\[title\]: [^:]*: {same}", output)


@sampled(0)
def test_the_cause_is_an_action_and_a_needed_resolution_is_refused() -> None:
    """North finds points that others throw for; nobody can rest, and finding needs its resolution."""
    found, output = causes_of("--rules", "toss+finders", "-n", "60")
    assert found["action find"]["state"] == FOUND
    assert found["action find"]["estimate"] < 0
    assert found["action rest"]["state"] == UNUSED
    assert found["resolution gain"]["state"] == REFUSED
    assert "not played without resolution gain: there is no resolution `gain`" in output


@pytest.mark.parametrize(
    ("stack", "label", "left"),
    [
        ("toss+long_toss", "yard[north, placed]", 1),
        ("toss+long_toss", "yard", 1),
        ("toss+long_toss", "yard[title]", 2),
        ("toss+long_toss", "fighter[thrower_south]", 2),
    ],
)
def test_parts_of_a_card_are_reverted(stack: str, label: str, left: int) -> None:
    loaded = load_stacks("yard", ["toss", stack], [label], [KNOWN])
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


def test_only_the_played_card_has_units(tmp_path: Path) -> None:
    """A layer may change many cards; changes of the others cannot be the cause."""
    (tmp_path / "both").mkdir()
    (tmp_path / "both" / "layer.yaml").write_text(
        "layer: both\ntitle: Both\nkind: variant\non: [long_frost]\ncites: house\n"
    )
    (tmp_path / "both" / "cards.yaml").write_text(
        "patch: first_snow\ncites: house\nturns: {expect: 4, now: 3}\n---\n"
        "patch: winter_road\ncites: house\ntitle: {expect: The Winter Road, now: Another Road}\n"
    )
    every = [changed_units(card, ["long_frost", "long_frost+both"], [tmp_path], card) for card in ("first_snow", "")]
    assert [[each.name for each in found] for found in every] == [
        ["first_snow[turns]"],
        ["first_snow[turns]", "winter_road[title]"],
    ]
