"""Answers of `ask` are complete without levels: the rule behind an auxiliary rule, the question of a ruling."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run

POSITION = Path(__file__).parents[2] / "docs" / "positions" / "crowded-road.yaml"
ANSWER = """\
H may not enter B from A.
  forbidden, by crowded-road [PLS.ROAD.03, PLQ.ROAD.01, PLQ.ROAD.06] (through barriers-hold, through rate-needs-road)
    Three units or wrecks in the hex ahead end the road rate; those in the hex left behind do not count.
    The road rate; the number of other units and wrecks in B is 3, at least 3.
    Clarified by crowded-town [PLQ.ROAD.03], out-of-the-crowd [PLQ.ROAD.06, PLQ.ROAD.07], passing-in-one-hex \
[PLQ.ROAD.01] and wrecks-alone-close-nothing [PLQ.WRECK.01].
  forbidden, by green-bars-vehicles [PLQ.MOVE.05, PBQ.MOVE.03, PBB.03] (through barriers-hold)
    Vehicles, wagons among them, do not cross green hexsides.
    H is vehicular; the hexside between A and B is green.
    Clarified by wagons-are-vehicles [PLQ.MOVE.05].

Not so:
"""


def test_an_auxiliary_rule_is_followed_to_the_rules_behind_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "panzer_leader", "-p", str(POSITION), "may_enter(H, A, B, road, march)"]) == 0
    assert capsys.readouterr().out.startswith(ANSWER)


def test_a_rule_with_a_source_is_followed_on_demand_only(capsys: pytest.CaptureFixture[str]) -> None:
    question = ["ask", "panzer_leader", "-p", str(POSITION), "may_use_road(H, A, B, march)"]
    assert run(question) == 0
    brief = capsys.readouterr().out
    assert run([*question, "--explain"]) == 0
    by_others = "The number of other units and wrecks in B is 3, by others"
    assert (by_others in brief, by_others in capsys.readouterr().out) == (False, True)


def test_the_answer_of_a_ruling_stands_behind_its_question(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "tank.yaml"
    file.write_text(
        "position: tank\nstack: pl1940\nboard: {rows: [[A]]}\n"
        "pieces: [{name: P, type: pz3_40, at: A}, {name: R, type: rifle40, at: A}]\n"
    )
    assert run(["ask", "pl1940", "-p", str(file), "may_carry(P, R)"]) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("    May German infantry ride on armored vehicles? Not")
