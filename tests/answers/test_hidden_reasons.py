"""Answers and refusals name the rule behind them where a search, a default or an empty choice stands between."""

import json
from pathlib import Path

import pytest

from rulewright.explain.decision_state import enter_phase
from rulewright.explain.position_questions import set_up_file
from rulewright.explain.why_not import refusal_explanation
from rulewright.games.scenarios import game_of
from rulewright.library.stacks import load_stack
from rulewright.serve.cli.app import run
from runtime.graph.document_text import block_text
from tests.toys.plain_game import plain_game

Capture = pytest.CaptureFixture[str]

POSITION = """\
position: edge
stack: toy
board: {rows: [[A, B, C, D marsh, E, F]]}
game: {depots: [A]}
pieces:
  - {name: R, type: runner, side: north, at: E}
  - {name: T, type: runner, side: north, at: B}
"""
SUPPLY = """
track scenario.depots: set of hex = {}
verdict may_supply(side: side, from: hex, to: hex) default allowed
  reads "supply may pass from {from} to {to}" denied "supply may not pass from {from} to {to}"
rule not-through-marsh [TOY.4] "Supply does not pass a marsh."
  may_supply forbidden
  when to is marsh
condition trail(from: hex, to: hex) default no
  reads "a trail leads from {from} to {to}" denied "no trail leads from {from} to {to}"
rule dry-trail [TOY.4] "A trail leads through woods."
  trail holds
  when to is wood
define within_reach(side: side): set of hex [TOY.4] = reachable(scenario.depots by may_supply(side) within 8)
value by_value(side: side): set of hex reads "the hexes that {side} supplies"
rule by-search [TOY.4] "Supply goes where it may." by_value is reachable(scenario.depots by may_supply(side) within 8)
set by_trail(side: side): hex reads "the hexes on trails of {side}"
rule along-trails [TOY.4] "Supply follows trails." by_trail includes reachable(scenario.depots by trail())
condition in_supply(u: unit) default no reads "{u} is in supply" denied "{u} is not in supply"
rule supplied [TOY.4] "A unit is in supply where supply gets to." in_supply holds when u.hex in by_value(u.side)
verdict may_rest(u: unit) default forbidden reads "{u} may rest" denied "{u} may not rest"
rule rest-in-supply [TOY.4] "A unit in supply may rest." may_rest allowed when in_supply(u)
verdict may_leap(u: unit, to: hex) default allowed reads "{u} may leap to {to}" denied "{u} may not leap to {to}"
rule no-leap-off-grass [TOY.4] "Nobody leaps from a meadow."
  may_leap forbidden
  when u.hex is not marsh
action leap by player in movement [TOY.4] "A unit leaps to the next hex." {
  choose u from {u in all unit where u.side = player}
  choose to from {h in neighbors(u.hex) where may_leap(u, h)}
  move u to to
}
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a small game with supply and leaps, and a position; return the folder of the game."""
    (tmp_path / "edge.yaml").write_text(POSITION)
    folder = plain_game("toy", tmp_path).folder
    (folder / "more.rules").write_text(SUPPLY)
    playing = (folder / "playing.rules").read_text()
    (folder / "playing.rules").write_text(playing.replace("offer march until", "offer march, leap until"))
    return folder


SHUT = "way is shut from C to D, as supply may not pass from C to D, by not-through-marsh [TOY.4]"


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("E in within_reach(north)", SHUT),
        ("E in by_value(north)", SHUT),
        ("in_supply(R)", SHUT),
        ("may_rest(R)", SHUT),
        ("E in by_trail(north)", "as no trail leads from A to B, which only dry-trail [TOY.4] would allow"),
    ],
)
def test_a_closed_way_is_explained_to_the_rule_that_closes_it(
    toy: Path, question: str, reason: str, capsys: Capture
) -> None:
    command = ["ask", str(toy), "-p", str(toy.parent / "edge.yaml"), question]
    assert run(command) == 0
    assert reason in " ".join(capsys.readouterr().out.split())
    assert run([*command, "--format", "json"]) == 0
    assert reason in capsys.readouterr().out


def test_an_empty_choice_is_explained_by_the_rule_that_empties_it(toy: Path) -> None:
    stack = load_stack(str(toy), [])
    state = set_up_file(stack, toy.parent / "edge.yaml").state
    assert stack.graph
    assert state
    game = game_of(stack.graph)
    playthrough = enter_phase(game, state, "movement", "north").playthrough
    [block] = refusal_explanation(game, playthrough, ["leap", "R"], "north")
    assert "There is nothing to choose as to: R may not leap to D." in block.title
    assert "[no-leap-off-grass: TOY.4]" in block_text(block)


@pytest.mark.parametrize("choices", ["u: R", "u: R, to: C"])
def test_an_example_that_expects_a_refused_act_is_told_the_rule(toy: Path, choices: str, capsys: Capture) -> None:
    with (toy / "more.rules").open("a") as file:
        file.write('example "a leap" {\n  row A, B, C\n  piece R: runner of north at B\n')
        file.write(f"  act leap({choices})\n}}\n")
    assert run(["test", str(toy), "--format", "json"]) == 1
    [failure] = json.loads(capsys.readouterr().out)["failures"]
    assert failure["actual"].startswith("refused by no-leap-off-grass: `to` is not open")
    assert "[no-leap-off-grass: TOY.4]" in failure["explanation"]
