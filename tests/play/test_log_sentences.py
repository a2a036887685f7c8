"""The log of a game tells namesakes apart, names sides and phases, and states equal marks of several pieces once."""

import pytest

from rulewright.explain.journal_text import events_text
from rulewright.games.scenarios import game_of, load_scenario
from runtime.answer.piece_text import original_phrase, pieces_phrase
from runtime.play.playthrough import Playthrough
from runtime.state import change


@pytest.fixture
def playthrough() -> Playthrough:
    """Begin a game in which each side has two elders and a child."""
    return game_of(load_scenario("before_the_tide", None).rules).start("1")


def pieces_named(playthrough: Playthrough, *names: str) -> list[int]:
    numbers = {sheet.name: piece for piece, sheet in enumerate(playthrough.state.sheets)}
    return [numbers[name] for name in names]


def test_namesakes_are_told_apart_by_their_numbers(playthrough: Playthrough) -> None:
    first, second, child = pieces_named(playthrough, "elder-1.1", "elder-2.2", "child-1.1")
    state = playthrough.state
    assert pieces_phrase(state, (first,)) == "elder 1.1"
    assert pieces_phrase(state, (first, second), definite=True) == "elders 1.1 and 2.2"
    assert original_phrase(state, (first, child)) == "elder 1.1 and child 1.1"


def test_a_heading_names_turn_side_and_phase(playthrough: Playthrough) -> None:
    state = playthrough.state
    (elder,) = pieces_named(playthrough, "elder-1.1")
    since = len(playthrough.journal)
    playthrough.record_event(change.set_turn(state, 2))
    playthrough.record_event(change.set_player(state, "north"))
    playthrough.record_event(change.set_phase(state, "tide"))
    playthrough.record_event(change.set_phase(state, "foraging"))
    origin = state.board.names[state.hex[elder]]
    for name in ("B3", "C3"):
        playthrough.record_event(change.move(state, elder, state.board.index[name]))
    assert events_text(playthrough, since, 0)[-2:] == [
        "-- turn 2, the Northers, foraging",
        f"Elder 1.1 goes from {origin} to B3 to C3.",
    ]


def test_equal_marks_of_several_pieces_are_one_sentence(playthrough: Playthrough) -> None:
    state = playthrough.state
    pieces = pieces_named(playthrough, "elder-1.1", "elder-1.2")
    since = len(playthrough.journal)
    laden = next(key for key in state.marks if key.endswith(".laden"))
    for piece in pieces:
        playthrough.record_event(change.mark(state, laden, piece))
    assert events_text(playthrough, since, 0)[-1:] == ["Elders 1.1 and 1.2 are laden."]
