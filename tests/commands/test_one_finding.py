"""`check --alone` reports one edit as one finding."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game
from tests.sample import sampled


def found(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    run(["check", "toy", "--path", str(folder), "--alone", "--format", "json"])
    return list(json.loads(capsys.readouterr().out)["diagnostics"])


DEFEATED = """rule carts [TOY.3] "Carts pay three."
  entry_cost is 3 MP
  exception to price-of-ground, tired-legs, tired-carts, carts-in-marsh
  when mover.gait = wheel

rule tired-carts [TOY.3] "Tired carts pay two."
  entry_cost is 2 MP
  exception to tired-legs
  when mover is tired and mover.gait = wheel

rule carts-in-marsh [TOY.3] "Carts pay four in a marsh."
  entry_cost is 4 MP
  exception to price-of-ground, tired-carts, tired-legs
  when mover.gait = wheel and to is marsh
"""
DEAD = """define wild(mover: unit) [TOY.3] = mover.movement > 20 MP
  reads "{mover} is wild"

rule wild-in-marsh [TOY.3] "The wild enter no marsh."
  may_enter forbidden
  when wild(mover) and to is marsh

rule wild-and-tired [TOY.3] "The wild stay where they are when tired."
  may_enter forbidden
  when wild(mover) and mover is tired
"""


@sampled(1)
@pytest.mark.parametrize(
    ("law", "code", "rules"),
    [(DEFEATED, "R0503", ["tired-carts", "carts-in-marsh"]), (DEAD, "R0502", ["wild-in-marsh", "wild-and-tired"])],
    ids=["one defeater", "one condition"],
)
def test_rules_that_never_apply_for_one_reason(
    law: str, code: str, rules: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = new_game("toy", tmp_path).folder
    with (folder / "moving.rules").open("a") as file:
        file.write(law)
    lines = (folder / "moving.rules").read_text().splitlines()
    [finding] = (each for each in found(folder, capsys) if each["code"] in ("R0502", "R0503"))
    assert finding["code"] == code
    assert {lines.index(line) + 1 for line in lines for name in rules if line.startswith(f"rule {name} ")} <= {
        each["line"] for each in finding["spans"]
    }
