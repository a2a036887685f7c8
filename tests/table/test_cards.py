"""Cards and a map of points at the terminal: members of several words, refused cards, and connections of a point."""

from pathlib import Path

import pytest

from rulewright.games import game_of, load_scenario
from rulewright.library.stacks import open_packages
from rulewright.position_questions import ask_about_position
from rulewright.table.chart import draw_chart, link_lines
from rulewright.table.dialog import Dialog
from rulewright.table.player_requests import TakeOptions
from rulewright.workbench.set_positions import position_file_text
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.trial.interactive_game import InteractiveGame
from tests.table.scripted import Script, nowhere, typing

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


def dialog_at_start(game: Game) -> tuple[Dialog, Decision, Script]:
    """Open a dialog at the first decision of a game."""
    playthrough = game.start("a")
    decision = game.advance(playthrough)
    assert isinstance(decision, Decision)
    script = typing()
    return Dialog(InteractiveGame(game, playthrough), script, nowhere), decision, script


@pytest.mark.parametrize(
    "line", ["play_card quick boat", "play_card quick_boat", "play a card quick boat", "card quick boat", "quick boat"]
)
def test_a_member_of_several_words_is_read(ferry: Game, line: str) -> None:
    dialog, decision, script = dialog_at_start(ferry)
    wish = dialog.parse_line(decision, line.split())
    assert isinstance(wish, TakeOptions), script.text
    for option in wish.options:
        now = ferry.advance(dialog.playthrough)
        assert isinstance(now, Decision)
        ferry.apply(dialog.playthrough, now, option)
    ferry.advance(dialog.playthrough)
    assert dialog.playthrough.state.fact("game.played") == ("quick_boat",)


def test_the_hint_of_a_card_can_be_typed(ferry: Game) -> None:
    dialog, decision, script = dialog_at_start(ferry)
    dialog.hint(decision, [])
    hint_text = script.text.strip().removeprefix("the greedy player would take: ")
    assert "boat" in hint_text
    assert isinstance(dialog.parse_line(decision, hint_text.split()), TakeOptions)


@pytest.mark.parametrize("card", ["boat_toll", "the toll"])
def test_why_explains_a_card_that_is_not_open(ferry: Game, card: str) -> None:
    dialog, decision, script = dialog_at_start(ferry)
    dialog.why(decision, ["play_card", *card.split()])
    assert "forbidden, by no-toll" in script.text
    dialog.why(decision, ["storm"])  # The word also belongs to `call_storm`; options of the choice have precedence.
    assert "Storm is not among" in script.text
    dialog.parse_line(decision, ["play_card", *card.split()])
    assert f"`play_card {card}` is not open; nothing is done\nPlay a card: " in script.text


def test_a_refusal_without_counterfactual_has_its_reason(ferry: Game) -> None:
    dialog, decision, script = dialog_at_start(ferry)
    dialog.counterfactuals(decision, ["would", "allow", "rowers", "Rock"])
    assert "nothing that is asked for is refused" not in script.text
    assert "`rowers` cannot be chosen for that" in script.text


def test_a_counter_names_its_only_piece(ferry: Game) -> None:
    dialog, decision, _ = dialog_at_start(ferry)
    end = dialog.parse_line(decision, ["end"])
    assert isinstance(end, TakeOptions)
    ferry.apply(dialog.playthrough, decision, end.options[0])
    now = ferry.advance(dialog.playthrough)
    assert isinstance(now, Decision)
    assert isinstance(dialog.parse_line(now, ["rowers", "Rock"]), TakeOptions)


def test_a_position_file_contains_a_map_of_points(ferry: Game, tmp_path: Path) -> None:
    dialog, _, _ = dialog_at_start(ferry)
    text, left_out = position_file_text(dialog.playthrough.state, "landing")
    assert not left_out
    (tmp_path / "landing.yaml").write_text(text)
    stack = open_packages((tmp_path,)).compiled("ferry")
    found = [
        ask_about_position(stack, tmp_path / "landing.yaml", question, depth=0).answer
        for question in ("neighbors(Rock)", "between(Camp, Rock) has road", "rowers_1_1.hex", "count(all hex)")
    ]
    answers = [each.text for each in found if each is not None]
    assert answers == ["Camp and Isle", "yes", "Camp", "3"]


def test_the_terminal_lists_the_connections_of_a_point(ferry: Game) -> None:
    dialog, decision, script = dialog_at_start(ferry)
    dialog.look(decision, ["rock", "rowers"])
    assert "Rock: no features\n  linked to Camp, Isle\n  road to Camp" in script.text
    assert "rowers-1.1: rowers, one" in script.text
    dialog.draw_map(decision, [])
    assert "Camp: Rock, Isle\nIsle: Camp, Rock\nRock: Camp, Isle\n" in script.text
    assert "road" not in draw_chart(dialog.playthrough.state, 80).plain  # No cell shows a road.
    assert list(link_lines(dialog.playthrough.state)) == ["Camp: Rock, Isle", "Isle: Camp, Rock", "Rock: Camp, Isle"]
