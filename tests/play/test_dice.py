"""Dice and random numbers of players: uniform, reproducible, and independent of other procedures and actions."""

from collections import Counter

import pytest

from runtime.answer.interpreter import Interpreter
from runtime.graph.digest import text_key
from runtime.play.dice import Stream, draw_below, procedure_key, random_number, subject_key
from runtime.play.game import Game
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.state.moment import Moment, Phase
from tests.toys.hares import hares

DICE = [6, 3, 3, 3, 2, 1, 4, 5, 3, 6, 2, 4]

GAME = Game(hares(), Interpreter(hares()))


def playthrough(turn: int = 1, procedure: str = "resolution:bite") -> Playthrough:
    """Return a playthrough with a procedure under way in a turn."""
    started = GAME.start("x")
    started.state.turn = turn
    started.calls.append(ProcedureFrame(procedure, (), {}))
    return started


def rolls(one: Playthrough, count: int) -> list[int | None]:
    return [one.roll("die", 1, 6) for _ in range(count)]


def test_dice_of_a_seed_never_change() -> None:
    # Recorded games and experiments rely on the same dice in every later release.
    stream = procedure_key(text_key("seed"), Phase(1, "red", "fire"), "resolution:bite")
    assert [1 + draw_below(6, random_number(stream, n)) for n in range(12)] == DICE


@pytest.mark.parametrize("options", [2, 6, 7, 36])
def test_draws_are_uniform(options: int) -> None:
    n = 36_000
    stream = text_key(f"{options}")
    seen = Counter(draw_below(options, random_number(stream, number)) for number in range(n))
    wanted = n / options
    assert set(seen) == set(range(options))
    # Chi squared; an excess of seven standard deviations over its mean would show a defective hash.
    excess = sum((count - wanted) ** 2 / wanted for count in seen.values())
    assert excess < (options - 1) + 7 * (2 * (options - 1)) ** 0.5


def test_games_with_different_rolls_have_equal_dice_in_the_next_turn() -> None:
    one, other = playthrough(), playthrough()
    assert rolls(one, 2) == rolls(other, 2)
    rolls(other, 1)
    one.state.turn = other.state.turn = 2
    assert rolls(one, 8) == rolls(other, 8)


def test_dice_of_another_procedure_do_not_change_a_stream() -> None:
    plain, varied = playthrough(), playthrough()
    varied.calls.append(ProcedureFrame("resolution:scatter", (), {}))
    rolls(varied, 3)
    varied.calls.pop()
    assert rolls(plain, 8) == rolls(varied, 8)


def test_streams_differ_by_turn_and_procedure() -> None:
    places = [(1, "resolution:bite"), (2, "resolution:bite"), (1, "resolution:scatter")]
    assert len({tuple(rolls(playthrough(*place), 12)) for place in places}) == 3


def test_an_undone_die_has_the_same_value_again() -> None:
    one = playthrough()
    one.mark()
    first = rolls(one, 3)
    one.undo()
    one.calls = playthrough().calls
    assert rolls(one, 3) == first


def test_the_stream_of_a_player_restarts_in_every_phase() -> None:
    calm, busy = Stream("x", "red"), Stream("x", "red")
    for stream in (calm, busy):
        stream.restart_at(Moment(Phase(1, "red", "run"), 0))
    drawn = [calm.draw(1000) for _ in range(3)]
    assert [busy.draw(1000) for _ in range(5)][:3] == drawn
    for stream in (calm, busy):
        stream.restart_at(Moment(Phase(1, "red", "rest"), 0))
    assert [calm.draw(1000) for _ in range(4)] == [busy.draw(1000) for _ in range(4)] != [*drawn, drawn[0]]
    assert Stream("x", "blue").draw(10**9) != Stream("x", "red").draw(10**9)


def test_dice_by_action_depend_on_the_subjects_of_the_action() -> None:
    """Rolls for another attack change no roll of this one, and the order of the pieces does not matter."""
    this, that = subject_key([3, {5, 4}]), subject_key([7, {5, 4}])
    assert this == subject_key([3, [4, 5]])
    assert len({this, that, subject_key([3, {4}]), subject_key([3, 4, 5])}) == 4
    plain, parted = playthrough(), playthrough()
    first = [plain.roll("die", 1, 6, this) for _ in range(8)]
    for _ in range(5):
        parted.roll("die", 1, 6, that)
    assert [parted.roll("die", 1, 6, this) for _ in range(8)] == first
