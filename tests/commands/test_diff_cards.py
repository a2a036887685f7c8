"""`diff` of two situation cards, of cards that layers correct, and of the durations of statuses and tracks."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulewright.lab.contrast.card_differences import card_differences, cards_data
from rulewright.library.stacks import load_from, open_edition, open_packages
from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game
from runtime.graph import nodes as graph

Capture = pytest.CaptureFixture[str]

SECOND = """
scenario: other_toy
title: The Other Game
uses: toy
map: [[toy_field]]
turns: 8
order: [south, north]
facts: {goal: C4}
forces:
  - {side: north, units: {runner: 3}, sets_up: {columns: 1..2}}
  - {side: south, units: {cart: 2}, enters: {edge: east, turn: 2}}
"""
FIX = {
    "layer.yaml": "layer: fix\ntitle: Fix\nkind: rulings\non: [toy]\n",
    "fix.yaml": "patch: first_toy\ncites: TOY.6\nforces: [{side: north, unit: runner, expect: 2, now: 4}]\n",
}
MORE = """patch: first_toy
cites: TOY.6
turns: {expect: 6, now: 7}
facts: [{fact: goal, expect: B4, now: C4}]
"""
LATE = {
    "layer.yaml": "layer: late\ntitle: Late\nkind: variant\non: [toy]\n",
    "late.rules": "status unit: slow until end of movement\ntrack unit.tries: 0..3 = 0\n",
}
LATER = {
    "layer.yaml": "layer: later\ntitle: Later\nkind: variant\non: [toy]\n",
    "later.rules": "status unit: slow until end of game\ntrack unit.tries: 0..5 = 1 until end of turn\n",
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a folder with a small game, a second card of it, and three layers on it."""
    new_game("toy", tmp_path / "set")
    files = {"toy/other.yaml": SECOND}
    for layer, texts in (("fix", FIX), ("late", LATE), ("later", LATER)):
        files |= {f"{layer}/{name}": text for name, text in texts.items()}
    for name, text in files.items():
        (tmp_path / "set" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "set" / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def compared(a: str, b: str, capsys: Capture) -> dict[str, Any]:
    """Return the JSON of `diff` of two names."""
    assert run(["diff", a, b, "--path", "set", "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_two_cards(capsys: Capture) -> None:
    (card,) = compared("first_toy", "other_toy", capsys)["cards"]
    assert [(each["about"], each["says"]) for each in card["says"]] == [
        ("title", "The Other Game instead of The First Game of Toy"),
        ("turns", "8 turns instead of 6 turns"),
        ("set-up", "south and north instead of north and south"),
        ("order", "south and north instead of north and south"),
        ("special", "goal: C4 instead of B4"),
        ("forces", "north: 3 runner instead of 2"),
        ("forces", "north: in A2, B2, C2 and D2 as well"),
        ("forces", "south, entry: turn 2 instead of before the game"),
    ]


def test_diff_lists_what_a_layer_corrects_on_a_card(capsys: Capture) -> None:
    assert compared("toy", "toy+fix", capsys)["cards"] == [
        {
            "a": "first_toy",
            "b": "first_toy",
            "says": [{"about": "forces", "says": "north: 4 runner instead of 2"}],
            "dependents": [],
        }
    ]
    assert compared("toy", "toy", capsys)["cards"] == []


def test_two_layers_that_change_the_same_card(capsys: Capture) -> None:
    more = {"layer.yaml": FIX["layer.yaml"].replace("fix", "more"), "fix.yaml": MORE}
    for name, text in more.items():
        Path("set/more").mkdir(exist_ok=True)
        Path("set/more", name).write_text(text)
    (card,) = compared("toy+fix", "toy+more", capsys)["cards"]
    assert [(each["about"], each["says"]) for each in card["says"]] == [
        ("turns", "7 turns instead of 6 turns"),
        ("special", "goal: C4 instead of B4"),
        ("forces", "north: 2 runner instead of 4"),
    ]


def test_terms_that_read_a_changed_card_are_listed(capsys: Capture) -> None:
    late = 'rule rest [house] "They rest." may_enter forbidden when game.turn > scenario.turns / 2\n'
    manifest = FIX["layer.yaml"]
    layers = {
        "tired": {"layer.yaml": manifest.replace("fix", "tired"), "rest.rules": late},
        "more": {"layer.yaml": manifest.replace("fix", "more").replace("toy", "tired"), "card.yaml": MORE},
    }
    for layer, files in layers.items():
        Path("set", layer).mkdir()
        for name, text in files.items():
            Path("set", layer, name).write_text(text)
    assert "may_enter" in compared("tired", "tired+more", capsys)["cards"][0]["dependents"]
    assert run(["diff", "tired", "tired+more", "--path", "set"]) == 0
    lines = capsys.readouterr().out.splitlines()
    expected = "No question is answered differently in the same position; games on first_toy differ as listed below."
    assert lines[0] == expected
    assert any(line.startswith("  Questions that depend on this: ") for line in lines)


def other_than(value: Any) -> Any:
    """Return another value of the same type; None where there is none."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}x"
        case dict():
            return dict([*value.items()][1:])
        case (first, *rest):
            return (*rest, other_than(first)) if is_dataclass(first) else tuple(rest)
        case graph.StartNotes():
            return replace(value, side_tracks=(("red", "spent", graph.Num(Fraction(2), "")),))
        case graph.Posted():
            return replace(value, at=f"{value.at}x")
        case _:
            return None


SAID_ELSEWHERE = {"name", "stack", "cites", "gaps", "origin", "corrections", "other_corrections", "regions", "lines"}


def test_a_change_of_any_field_of_a_card_is_a_difference() -> None:
    package_set = open_packages()
    for name in ("bridge_at_millbrook", "landing_at_mill_cove", "before_the_tide", "before_winter"):
        card = package_set.library.scenarios[name]
        rules = package_set.compiled(card.uses.text, card).graph
        assert rules is not None
        assert rules.scenario is not None
        assert not list(card_differences(rules, rules))
        for edited in edits(rules.scenario):
            assert list(card_differences(rules, replace(rules, scenario=edited))), edited


NOTED: dict[str, dict[str, Any]] = {
    "marks": {"marks": ("slow",)}, "tracks": {"tracks": (("spent", graph.Num(Fraction(2), "")),)},
}  # fmt: skip


def edits(card: graph.Scenario) -> Iterator[graph.Scenario]:
    """Yield cards with one change: of a field of the card, its board, a force or a placed counter."""
    for part in fields(card):
        if part.name not in {*SAID_ELSEWHERE, "board", "facts", "forces"} and getattr(card, part.name):
            yield replace(card, **{part.name: other_than(getattr(card, part.name))})
    for part in fields(card.board):
        if part.name not in SAID_ELSEWHERE and getattr(card.board, part.name):
            yield replace(card, board=replace(card.board, **{part.name: other_than(getattr(card.board, part.name))}))
    for number, force in enumerate(card.forces):
        for part in fields(force):
            if part.name not in SAID_ELSEWHERE and getattr(force, part.name):
                changed = replace(force, **{part.name: other_than(getattr(force, part.name))})
                yield replace(card, forces=(*card.forces[:number], changed, *card.forces[number + 1 :]))
        for at, each in enumerate(force.placed):
            for part in fields(each):
                edited: dict[str, Any] = {part.name: f"{getattr(each, part.name)}x", **NOTED.get(part.name, {})}
                posted = replace(each, **edited)
                placed = (*force.placed[:at], posted, *force.placed[at + 1 :])
                changed = replace(force, placed=placed)
                yield replace(card, forces=(*card.forces[:number], changed, *card.forces[number + 1 :]))


LINKS = "Ashholt-Vale_Fair, Birchholt-Vale_Fair, High_Pike to Tarn, Low_Pike to Tarn"


def layer_with_links(folder: Path, change: str) -> Path:
    """Write a layer that changes the links of a card on areas; return the given folder."""
    layer = folder / "snow"
    layer.mkdir()
    (layer / "layer.yaml").write_text("layer: snow\ntitle: Snow\nkind: variant\non: [two_clans]\n")
    (layer / "card.yaml").write_text(f"patch: before_winter\ncites: house\nlinks: {{{change}}}\n")
    return folder


@pytest.mark.parametrize(
    ("change", "messages"),
    [
        (f"expect: [{LINKS}], now: [High_Pike to Tarn, Ashholt-Vale_Fair]",
         ["connections: not Birchholt-Vale_Fair and Low_Pike to Tarn any more"]),
        (f"expect: [{LINKS}], now: [{LINKS.replace(' to ', '-')}]",
         ["connections: High_Pike-Tarn and Low_Pike-Tarn as well and not High_Pike to Tarn and Low_Pike to Tarn any"
          " more"]),
    ],
)  # fmt: skip
def test_changed_links_are_listed(tmp_path: Path, change: str, messages: list[str]) -> None:
    package_set = open_packages([layer_with_links(tmp_path, change)])
    card = package_set.library.scenarios["before_winter"]
    before, after = (package_set.compiled(name, card) for name in ("two_clans", "two_clans+snow"))
    assert after.graph is not None, after.diagnostics
    assert before.graph is not None
    assert [text for _, text in card_differences(before.graph, after.graph)] == messages


@pytest.mark.parametrize(
    ("file", "was", "now", "messages"),
    [
        ("other.yaml", "turns: 8", "turns: 9", {"other_toy": ["9 turns instead of 8 turns"]}),
        ("field.yaml", "marsh: [B3, C3]", "marsh: [B2, C3]", {"first_toy": ["map"], "other_toy": ["map"]}),
        ("other.yaml", "runner: 3", "walker: 3",
         {"other_toy": ["not compared: it does not compile under the second"]}),
        ("other.yaml", "scenario: other_toy", "scenario: another_toy",
         {"another_toy": ["the situation is new"], "other_toy": ["the situation is gone"]}),
        ("other.yaml", "turns: 8", "turns: 8  # hours", {}),
    ],
)  # fmt: skip
def test_editions_with_another_card(
    file: str, was: str, now: str, messages: dict[str, list[str]], tmp_path: Path
) -> None:
    shutil.copytree(tmp_path / "set" / "toy", tmp_path / "old" / "toy")
    place = tmp_path / "set" / "toy" / file
    assert was in place.read_text()
    place.write_text(place.read_text().replace(was, now))
    old, new = (load_from(open_edition([tmp_path / each], [], "toy"), "toy") for each in ("old", "set"))
    found = {each["b"]: [line["about"] if file == "field.yaml" else line["says"] for line in each["says"]]
             for each in cards_data(old, new)}  # fmt: skip
    assert found == messages
