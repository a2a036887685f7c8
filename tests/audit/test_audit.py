"""A step that is executed against its precondition is a contradiction, with a position that `ask` reads."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.library.stacks import PackageSet
from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game
from runtime.answer.generate import GeneratedEvaluator
from runtime.audit.audited_examples import audit_examples
from runtime.audit.audited_machine import AuditedGame
from runtime.players.player import play_out, seat_players
from runtime.players.player_names import PLAYERS
from tests.audit.games import quarrel
from tests.sample import first_of_each, sampled
from tests.soak.stacks import compiled, package_set, wanted

PACKAGES: PackageSet = package_set()
QUICK = ("before_the_tide", "hazel_ford", "easthay", "koivula", "vaudrey")
PLAYED = (*QUICK, "ridge_farm", "stony_pass", "reed_water", "two_valleys", "landing_at_mill_cove")
Capture = pytest.CaptureFixture[str]


def run_json(command: list[str], folder: Path, capsys: Capture, code: int) -> dict[str, Any]:
    """Run a command and read its JSON."""
    assert run([*command, "--path", str(folder / "packages"), "--format", "json"]) == code
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_an_example_against_a_precondition_is_a_contradiction(tmp_path: Path, capsys: Capture) -> None:
    quarrel(tmp_path, asks=False)
    found = run_json(["audit", "quarrel", "--positions", str(tmp_path)], tmp_path, capsys, 1)
    (only,) = found["contradictions"]
    expected = {"procedure": "action hit", "precondition": "blows-are-allowed", "question": "may_strike"}
    assert found["unchecked"] == [expected]
    assert (only["precondition"], only["procedure"], only["step"]) == (
        "blows-are-allowed",
        "action hit",
        "do strike",
    )
    assert only["because"] == ["tired-are-spared [Q.1]: Nobody strikes the tired."]
    answer = run_json(["ask", "quarrel", "-p", only["position"], only["question"]], tmp_path, capsys, 0)
    assert answer["value"] == "forbidden"


def test_an_action_that_asks_its_precondition_has_no_contradiction(tmp_path: Path, capsys: Capture) -> None:
    quarrel(tmp_path, asks=True)
    found = run_json(["audit", "quarrel"], tmp_path, capsys, 0)
    assert found["contradictions"] == found["unchecked"] == []
    assert found["never_executed"] == ["action hit", "action march"]


def test_an_audit_of_games_counts_evaluated_questions(tmp_path: Path, capsys: Capture) -> None:
    quarrel(tmp_path, asks=False)
    command = ["audit", "first_toy", "--rules", "quarrel", "-n", "6", "--players", "random"]
    found = run_json([*command, "--positions", str(tmp_path / "positions")], tmp_path, capsys, 1)
    assert {each["precondition"] for each in found["contradictions"]} == {"blows-are-allowed"}
    questions = {each["procedure"]: each["evaluated"] for each in found["executed"]}
    assert questions["action march"] > questions["action hit"] > 0
    assert found["contradictions"][0]["question"].startswith("may_strike(fight(by: ")


def test_a_stack_without_preconditions_is_reported(tmp_path: Path, capsys: Capture) -> None:
    quarrel(tmp_path, asks=True)
    assert run(["audit", "toy", "--path", str(tmp_path / "packages")]) == 0
    assert "declares no precondition, so no step could be checked" in capsys.readouterr().out


def test_preconditions_are_parts_of_the_graph(tmp_path: Path) -> None:
    rules = quarrel(tmp_path, asks=True).graph
    assert rules is not None
    assert [each.label for each in rules.preconditions] == [
        "blows-are-allowed", "loads-are-allowed", "marches-are-allowed",
    ]  # fmt: skip


def cards_and_stacks() -> list[Any]:
    """List cards with stacks: every run has each quick game with its first stack, and `--all` adds the others."""
    known = PACKAGES.library.scenarios
    pairs = [(card, name) for card in PLAYED for name in dict.fromkeys(wanted(PACKAGES, known[card]))]
    return first_of_each(pairs, lambda pair: pair[0] if pair[0] in QUICK else QUICK[0])


@sampled(1)
@pytest.mark.parametrize("pair", cards_and_stacks(), ids="-".join)
def test_shipped_games_have_no_contradiction(pair: tuple[str, str]) -> None:
    card, name = pair
    rules = compiled(PACKAGES, PACKAGES.library.scenarios[card], name)
    game = AuditedGame(rules, GeneratedEvaluator(rules))
    assert rules.scenario is not None
    for style in ("random", "greedy"):
        play_out(game, game.start(style), seat_players(dict.fromkeys(rules.scenario.order, PLAYERS[style]), style))
    assert sum(game.audit.evaluations.values()) > 20
    assert dict(game.audit.violations) == {}


LAYERS = tuple(name for name, layer in PACKAGES.library.layers.items() if not name.startswith("watch_"))
GAMES = {"low_tide", "panzer_grenadier", "panzerblitz", "pg_overrun", "panzerbitz_horseshoes"}


@sampled(1)
@pytest.mark.parametrize("layer", first_of_each(LAYERS, lambda name: name if name in GAMES else "low_tide"))
def test_shipped_examples_have_no_contradiction(layer: str) -> None:
    rules = PACKAGES.compiled(layer).graph
    assert rules is not None
    audit = audit_examples(rules)
    assert dict(audit.violations) == {}


@pytest.mark.parametrize(("tested", "unplayed"), [("who.side != player", []), ("who is gone", ["action hit"])])
def test_an_audit_of_games_names_what_none_of_them_executed(
    tested: str, unplayed: list[str], tmp_path: Path, capsys: Capture
) -> None:
    quarrel(tmp_path, asks=True)
    rules = tmp_path / "packages" / "quarrel" / "quarrel.rules"
    text = rules.read_text(encoding="utf-8").replace("where u.side != player", f"where {tested.replace('who', 'u')}")
    rules.write_text(text, encoding="utf-8")
    command = ["audit", "first_toy", "--rules", "quarrel", "-n", "8", "--players", "random"]
    found = run_json([*command, "--positions", str(tmp_path / "positions")], tmp_path, capsys, 0)
    assert [each for each in found["unplayed"] if each == "action hit"] == unplayed
    assert "resolution strike" in found["unplayed"] or not unplayed


def test_an_audit_of_a_stack_plays_its_cards_to_the_end(tmp_path: Path, capsys: Capture) -> None:
    """A retreat that asks nobody whether there is a hex to go to stops games that no short walk of `check` reaches."""
    folder = new_game("toy", tmp_path).folder
    retreat = (
        "after end of turn {\n  for each u in all unit {\n    if game.turn = 4 { do flee(u) }\n  }\n}\n"
        'resolution flee(u: unit) [TOY.6] "It flees." {\n  choose h from {h in neighbors(u.hex) where h is hedged_in}\n'
        "  move u to h\n}\n"
    )
    with (folder / "playing.rules").open("a") as file:
        file.write(f"\nfeature hex: hedged_in\n{retreat}")
    command = ["audit", "toy", "--path", str(folder), "--format", "json"]
    assert run(command) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["cards"], report["games"], report["stopped"]) == (["first_toy"], 0, [])
    assert run([*command, "-n", "2"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["games"], len(report["stopped"])) == (2, 2)
    assert report["stopped"][0].startswith("first_toy: the game of seed 1-1, random stopped: ")
    run(["check", "toy", "--path", str(folder)])
    assert "no game was played to its end: `audit toy -n 2` plays two of each situation" in capsys.readouterr().out


def test_each_player_plays_at_least_one_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "before_the_tide", "-n", "1"]) == 0
    out, note = capsys.readouterr()
    assert "2 games of low_tide: 1 precondition, asked " in out
    assert note == "-n 1: 2 games are played, one with each of the --players\n"
    assert run(["audit", "before_the_tide", "-n", "1", "--players", "greedy"]) == 0
    out, note = capsys.readouterr()
    assert "\n1 game of low_tide: " in out
    assert note == ""
