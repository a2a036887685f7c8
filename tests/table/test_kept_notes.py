"""The notes of a game and its sides: stores and scores, and a hand of cards that only its side sees."""

from collections import Counter
from pathlib import Path

import pytest

from rulewright.explain.kept_notes import KeptNote, kept_notes, notes_of_piece, notes_of_space
from rulewright.explain.option_views import piece_called
from rulewright.games.scenarios import game_of, load_scenario
from rulewright.serve.terminal.game_display import prompt
from rulewright.serve.workbench.position_view import piece_shown
from rulewright.system.errors import UsageError
from runtime.graph import nodes as graph
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.state import change
from runtime.state.position import State
from runtime.state.setup import from_position
from runtime.state.visibility import view_of_side
from tests.analysis.planted import compiled


def first_decision(card: str) -> tuple[Playthrough, Decision]:
    """Begin a card, up to its first decision."""
    rules = load_scenario(card, None).graph
    assert rules is not None
    game = game_of(rules)
    playthrough = game.start("1")
    decision = game.advance(playthrough)
    assert isinstance(decision, Decision)
    return playthrough, decision


def opening_position(card: str) -> tuple[State, str]:
    """Return the position of a card at its first decision, and the side that decides."""
    playthrough, decision = first_decision(card)
    return playthrough.state, decision.side


def test_the_prompt_has_the_title_of_the_phase_and_a_counter_is_its_only_piece() -> None:
    playthrough, decision = first_decision("bridge_at_millbrook")
    assert prompt(playthrough, decision).startswith("turn 1, set-up, ")
    state = playthrough.state
    counts = Counter(sheet.counter for sheet in state.sheets)
    alone = next(counter for counter, count in counts.items() if count == 1)
    assert state.sheets[piece_called(state, alone.upper())].counter == alone
    repeated_counter = next(counter for counter, count in counts.items() if count > 1)
    with pytest.raises(UsageError):
        piece_called(state, repeated_counter)


def test_only_its_side_sees_a_hand() -> None:
    state, side = opening_position("before_winter")
    assert side == "ash"
    for reader, is_known in (("ash", True), ("birch", False)):
        notes = {title: [note.name for note in found] for title, found in kept_notes(view_of_side(state, reader))}
        assert ("card in hand" in notes["the Ash clan"]) == is_known
        assert "card in hand" not in notes["the Birch clan"]


def test_numbers_are_always_listed_and_other_notes_once_they_change() -> None:
    state, _ = opening_position("before_winter")
    seen = view_of_side(state, "ash")
    assert KeptNote("herds", "0") in dict(kept_notes(seen))["the Ash clan"]
    assert "" not in dict(kept_notes(seen))
    card = next(iter(state.graph.vocabulary.enums["card"].members)).name
    change.set_fact(state, "game.discards", (card,))
    assert [note.name for note in dict(kept_notes(view_of_side(state, "ash")))[""]] == ["discards"]


def test_a_space_has_the_notes_that_differ_from_their_first_values() -> None:
    state, _ = opening_position("bridge_at_millbrook")
    assert notes_of_space(state, 0) == ()
    change.set_track(state, "hex.last_in", 0, "allied")
    assert [note.value for note in notes_of_space(state, 0)] == ["Allied"]


HARBOR = """
side north, south
enum load: round_shot, chain
scale breeze: 'calm' = 0, 'moderate' = 1
kind ship
track ship.bearing: 1..6 = 1
track ship.lost: 0..9 = 0
track ship.port: load = round_shot
track ship.spent: 1..9 = 1 until end of turn
track ship.way: list of step = {}
record step {to: hex}
track game.breeze: breeze = 'moderate'
"""


def test_a_piece_has_its_bearing_from_the_beginning_and_its_losses_once_there_are_some(tmp_path: Path) -> None:
    files = {"layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n", "case.rules": HARBOR}
    rules = compiled(files, tmp_path)
    ship = graph.PieceAt("S", "ship", "", "north", "A", "", (), (), (), (), None, None)
    board = graph.Board("b", {"A": (1, 1, ())}, (), (), {})
    position = graph.Position("p", "", board, (ship,), (), (), (), (), 1, "north", "")
    state = from_position(rules, position)
    assert notes_of_piece(state, 0) == (KeptNote("bearing", "1"), KeptNote("port", "round shot"))
    assert dict(kept_notes(state))[""] == (KeptNote("breeze", "moderate"),)
    change.set_track(state, "ship.lost", 0, 3)
    assert piece_shown(state, 0, "S")["facts"][1] == "bearing 1, lost 3, port round shot"
