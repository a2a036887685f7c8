"""The notes of a game and its sides: stores and scores, and a hand of cards that only its side sees."""

from rulewright.games import game_of, load_scenario
from rulewright.table.kept_notes import Note, kept_notes, note_lines, notes_of_space
from runtime.play.choices import Decision
from runtime.state import change
from runtime.state.position import State
from runtime.state.visibility import view_of_side


def opening_position(card: str) -> tuple[State, str]:
    """Return the position of a card at its first decision, and the side that decides."""
    rules = load_scenario(card, None).graph
    assert rules is not None
    game = game_of(rules)
    playthrough = game.start("1")
    decision = game.advance(playthrough)
    assert isinstance(decision, Decision)
    return playthrough.state, decision.side


def test_only_its_side_sees_a_hand() -> None:
    state, side = opening_position("before_winter")
    assert side == "ash"
    for reader, is_known in (("ash", True), ("birch", False)):
        notes = {title: [note.name for note in found] for title, found in kept_notes(view_of_side(state, reader))}
        assert ("held" in notes["the Ash clan"]) == is_known
        assert "held" not in notes["the Birch clan"]


def test_numbers_are_always_listed_and_other_notes_once_they_change() -> None:
    state, _ = opening_position("before_winter")
    seen = view_of_side(state, "ash")
    assert Note("herds", "0") in dict(kept_notes(seen))["the Ash clan"]
    assert "" not in dict(kept_notes(seen))
    card = next(iter(state.graph.vocabulary.enums["card"].members)).name
    change.set_fact(state, "game.discards", (card,))
    assert [note.name for note in dict(kept_notes(view_of_side(state, "ash")))[""]] == ["discards"]
    assert note_lines(view_of_side(state, "ash"))[0].startswith("the game: discards ")


def test_a_space_has_the_notes_that_differ_from_their_first_values() -> None:
    state, _ = opening_position("bridge_at_millbrook")
    assert notes_of_space(state, 0) == ()
    change.set_track(state, "hex.last_in", 0, "allied")
    assert [note.value for note in notes_of_space(state, 0)] == ["Allied"]
