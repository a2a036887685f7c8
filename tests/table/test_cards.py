"""Cards and a map of points at the terminal: cards by number, refused cards, and connections of a point."""

from pathlib import Path

import pytest

from rulewright.explain.piece_details import look_at_hex
from rulewright.explain.position_questions import ask_about_position
from rulewright.explain.views.chart import draw_chart, link_lines
from rulewright.games.scenarios import game_of, load_scenario
from rulewright.library.stacks import open_packages
from rulewright.serve.terminal.game_display import GameDisplay
from rulewright.serve.workbench.set_positions import position_file_text
from runtime.play.game import Game
from runtime.trial.interactive_game import InteractiveGame
from tests.table.scripted import typing

FERRY = {
    "layer.yaml": "layer: ferry\ntitle: Ferry\nkind: base\nplayable: yes\n",
    "world.rules": """side one, two
path road
enum card: quick_boat, slow_boat, boat_toll "the toll", storm
kind crew
track game.played: set of card = {}
track scenario.hand: set of card = {}
verdict may_play(c: card) default allowed reads "one may play {c}" denied "one may not play {c}"
rule no-toll [house] "Nobody takes a toll." may_play forbidden when c = boat_toll
action play_card by player in cards [house] "Play a card." reads "play a card" {
  choose c from scenario.hand - game.played preferring 1
  legal may_play(c)
  add c to game.played
}
action call_storm by player in cards [house] "Call a storm." reads "call a storm" { add storm to game.played }
action cross by player in crossing [house] "Cross." reads "cross over" {
  choose u from {u in all crew where u.side = player}
  choose to from neighbors(u.hex)
  move u to to
}
sequence ferry [house] {
  each turn [house] in 1..scenario.turns {
    each player [house] in scenario.order {
      phase cards "Cards" [house] { offer play_card, call_storm until yes }
      phase crossing "Crossing" [house] { offer cross until yes }
    }
  }
}
""",
    "map.yaml": """board: ferry
kind: points
spaces: {Camp: {at: [0, 0]}, Rock: {at: [40, 0]}, Isle: {at: [80, 0]}}
connections: [Camp-Rock-Isle, Camp-Isle]
paths: {road: [Camp-Rock]}
---
pieces: crew
cites: house
columns: [id, side]
rows: [[rowers, one], [sailors, two]]
---
scenario: first_ferry
title: First Ferry
uses: ferry
map: [[ferry]]
turns: 1
order: [one, two]
facts: {hand: [quick_boat, slow_boat, boat_toll]}
forces:
  - {side: one, placed: [{unit: rowers, at: Camp}]}
  - {side: two, placed: [{unit: sailors, at: Isle}]}
""",
}


@pytest.fixture
def ferry(tmp_path: Path) -> Game:
    for name, text in FERRY.items():
        (tmp_path / name).write_text(text)
    rules = load_scenario("first_ferry", None, [tmp_path]).graph
    assert rules is not None
    return game_of(rules)


def start_of(game: Game) -> InteractiveGame:
    """Begin a game, up to its first decision."""
    interactive = InteractiveGame(game, game.start("a"))
    interactive.ask()
    return interactive


def say(game: Game, *lines: str) -> str:
    """Return what the terminal says to lines that a player types at the first decision."""
    script = typing(*lines)
    assert GameDisplay(start_of(game), ["one"], script).play({}) is None
    return script.text


@pytest.mark.parametrize("card", ["boat_toll", "the toll"])
def test_why_explains_a_card_that_is_not_open(ferry: Game, card: str) -> None:
    assert "[no-toll]" in say(ferry, f"why play_card {card}")
    # The word also belongs to `call_storm`; options of the choice have precedence.
    assert "Storm is not among" in say(ferry, "why storm")


def test_a_card_is_taken_by_its_number(ferry: Game) -> None:
    interactive = start_of(ferry)
    GameDisplay(interactive, ["one"], typing("1", "1", "quit")).play({})
    assert interactive.playthrough.state.fact("game.played") == ("quick_boat",)


def test_a_position_file_contains_a_map_of_points(ferry: Game, tmp_path: Path) -> None:
    text, left_out = position_file_text(start_of(ferry).playthrough.state, "landing")
    assert not left_out
    (tmp_path / "landing.yaml").write_text(text)
    stack = open_packages((tmp_path,)).compiled("ferry")
    found = [
        ask_about_position(stack, tmp_path / "landing.yaml", question, depth=0).answer
        for question in ("neighbors(Rock)", "between(Camp, Rock) has road", "rowers_1_1.hex", "count(all hex)")
    ]
    answers = [each.text for each in found if each is not None]
    assert answers == [
        "The neighbors of Rock: Camp and Isle.",
        "Yes. The hexside between Camp and Rock has a road.",
        "Rowers_1_1's hex is Camp.",
        "The number of hexes is 3.",
    ]


def test_a_map_of_points_lists_its_connections(ferry: Game) -> None:
    state = start_of(ferry).playthrough.state
    assert "linked to Camp, Isle" in "\n".join(look_at_hex(state, state.board.index["Rock"]))
    assert "road" not in draw_chart(state, 80).plain  # No cell shows a road.
    assert list(link_lines(state)) == ["Camp: Rock, Isle", "Isle: Camp, Rock", "Rock: Camp, Isle"]
