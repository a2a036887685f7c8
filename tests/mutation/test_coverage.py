"""The coverage report counts and lists the parts that no example reaches, until an example reaches them."""

import json
from pathlib import Path

import pytest

from rulewright.checks.testing import run_tests
from rulewright.library.stacks import open_packages
from rulewright.serve.cli.app import run

RULES = """measure MP "points" side red, blue
trait unit: wheeled
status unit: loaded, seen, late
kind unit has speed: 0..9 MP
feature hex: bog

verdict may_enter(u: unit, to: hex) default allowed
rule no-bog [house] "Wheels stop at bogs."
  may_enter forbidden
  when u is wheeled and to is bog
rule no-wading [house] "Loaded ones do not wade."
  may_enter forbidden
  when u is loaded and to is bog

action load by player [house] "Load one of one's own." {
  choose u from {x in all unit where x.side = player}
  legal u is not loaded
  mark u as loaded
  if u is seen {
    mark u as late
    do ring(u)
  }
}
action look by player [house] "Look at one." {
  choose u from {x in all unit where x.side = player}
  mark u as seen
}
resolution ring(u: unit) [house] "Ring the bell." {
  for each x in {x in all unit where x is seen} { unmark x as seen }
}
"""
FIRST = """
example "carts" {
  row A, B bog
  piece C: cart at A
  set game.player to red
  ask may_enter(C, B) = forbidden by no-bog
  act load(u: C)
  ask C is loaded
}
"""
OTHER = """
example "late" {
  row A, B bog
  piece C: cart at A
  piece M: mule at A
  set game.player to blue
  act look(u: M)
  act load(u: M)
  ask M is seen no
  ask may_enter(M, B) = forbidden by no-wading
}
"""
COUNTERS = """pieces: unit
columns: [id, side, speed, traits]
rows:
  - [cart, red, 3, [wheeled]]
  - [mule, blue, 2, []]
"""


@pytest.fixture
def ford(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a game with one example to a temporary folder, which replaces the folder of the shipped rules."""
    monkeypatch.setattr("rulewright.library.shipped_folders.rules_folder", lambda: tmp_path)
    (tmp_path / "sources.yaml").write_text("sources: []\n")
    (tmp_path / "layer.yaml").write_text("layer: ford\ntitle: Ford\nkind: base\n")
    (tmp_path / "units.yaml").write_text(COUNTERS)
    (tmp_path / "ford.rules").write_text(RULES + FIRST)
    return tmp_path


def reported_lines(capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    """Return the lines that `test` prints of the game."""
    assert run(["test", "ford", "--alone", *options]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.usefixtures("ford")
def test_parts_that_no_example_reaches_are_counted_and_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert reported_lines(capsys)[0] == (
        "no example reaches 1 of 2 rules, 1 of 2 actions and 1 of 1 resolutions; --uncovered lists them"
    )
    listed = reported_lines(capsys, "--uncovered")
    at = {line.rpartition("ford.rules:")[2].partition(": ")[::2] for line in listed if line.startswith("uncovered: ")}
    assert at == {
        ("11", "rule no-wading"), ("24", "action look"), ("28", "resolution ring"),
    }  # fmt: skip
    assert "examples reach every one of 1 question" in listed
    assert any(line.startswith("looked at: 1 case that ran; not looked at: ") for line in listed)


def test_parts_that_an_example_reaches_are_not_listed(ford: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (ford / "more.rules").write_text(OTHER.replace("ask M is seen no", "ask M is not seen"))
    assert "reach" not in "".join(reported_lines(capsys))
    assert "examples reach every one of 2 rules, 1 question, 2 actions and 1 resolution" in reported_lines(
        capsys, "--uncovered"
    )


@pytest.mark.usefixtures("ford")
def test_the_data_count_every_kind_of_part(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads("\n".join(reported_lines(capsys, "--format", "json")))["uncovered"]
    assert {kind: (each["of"], len(each["uncovered"])) for kind, each in data.items()} == {
        "rules": (2, 1), "questions": (1, 0), "lines of charts": (0, 0), "actions": (2, 1), "resolutions": (1, 1),
        "hooks": (0, 0),
    }  # fmt: skip


def test_a_layer_below_is_not_counted_where_its_examples_are_left_out(ford: Path) -> None:
    (ford / "rapids").mkdir()
    (ford / "rapids/layer.yaml").write_text("layer: rapids\ntitle: Rapids\nkind: variant\non: [ford]\n")
    (ford / "rapids/rapids.rules").write_text(
        "verdict may_sink(u: unit) default allowed\n"
        'rule rapid [house] "It sinks not."\n  may_sink forbidden\n  when u is loaded\n'
        'example "x" {\n  row A\n  piece C: cart at A (loaded)\n  ask may_sink(C) = forbidden by rapid\n}\n'
    )
    (ford / "flood").mkdir()
    (ford / "flood/layer.yaml").write_text("layer: flood\ntitle: Flood\nkind: variant\non: [rapids]\n")
    (ford / "flood/flood.rules").write_text('example "x" {\n  ask 1 + 1 = 2\n}\n')
    package_set = open_packages([ford])
    counted = {}
    for stack in ("flood", "rapids", "rapids+flood"):
        rules = package_set.compiled(stack).graph
        assert rules is not None
        counted[stack] = run_tests(package_set, stack).coverage_report(rules).counts["rules"]
    assert counted == {"flood": 0, "rapids": 1, "rapids+flood": 1}
