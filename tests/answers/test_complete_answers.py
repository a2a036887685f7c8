"""Answers of `ask` are complete without levels: the rule behind an auxiliary rule, the question of a ruling."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run

POSITION = Path(__file__).parents[2] / "docs" / "positions" / "crowded-road.yaml"


def test_an_auxiliary_rule_is_followed_to_the_rules_behind_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "panzer_leader", "-p", str(POSITION), "may_enter(H, A, B, road, march)"]) == 0
    output = capsys.readouterr().out
    answer, *lines = output.splitlines()
    assert answer == "No. H may not enter B from A."
    assert "    - The move is at the road rate; the number of other units and wrecks in B is 3, at least 3." in lines
    assert "    - H is vehicular; the hexside between A and B is green." in lines
    assert output.index("[crowded-road:") < output.index("[green-bars-vehicles:") < output.index("  Related rulings: ")
    assert lines[-1].startswith("  Rules that do not apply here: ")


def test_a_rule_with_a_source_is_followed_on_demand_only(capsys: pytest.CaptureFixture[str]) -> None:
    question = ["ask", "panzer_leader", "-p", str(POSITION), "entry_cost(T, B, C, terrain, march)"]
    assert run(question) == 0
    brief = capsys.readouterr().out
    assert run([*question, "--explain"]) == 0
    price = "The terrain of C costs T 3 movement points. [chart-price: "
    assert (price in brief, price in capsys.readouterr().out) == (False, True)


def test_members_of_which_a_condition_fails_are_no_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", "panzer_leader", "-p", str(POSITION), "can_see(P, A)", "--explain"]) == 0
    output = capsys.readouterr().out
    assert "    - Something blocks the line from P's hex to A: A/B.\n" in output
    assert "    - Something blocks the line from C to A at A/B. [cover-at-the-foot: " in output
    assert "B/C" not in output  # The line crosses this hexside, too, and it blocks nothing.


def test_the_answer_of_a_ruling_stands_behind_its_question(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "tank.yaml"
    file.write_text(
        "position: tank\nstack: pl1940\nboard: {rows: [[A]]}\n"
        "pieces: [{name: P, type: pz3_40, at: A}, {name: R, type: rifle40, at: A}]\n"
    )
    assert run(["ask", "pl1940", "-p", str(file), "may_carry(P, R)"]) == 0
    rule = capsys.readouterr().out.splitlines()[1]
    assert rule.startswith("  4.512 Q1 May German infantry ride on armored vehicles? Not")
