"""Dice and players' chance: even, the same for the same place, and in step again after games have parted."""

from collections import Counter

import pytest

from runtime.answer.interpreter import Interpreter
from runtime.play.course import Call, Course
from runtime.play.dice import Stream, below, throw
from runtime.play.game import Game
from tests.toys.hares import hares

DICE = [5, 6, 1, 1, 3, 1, 6, 6, 5, 2, 5, 2]

GAME = Game(hares(), Interpreter(hares()))


def course(turn: int = 1, procedure: str = "resolution:bite") -> Course:
    """Stand in a procedure of some turn."""
    started = GAME.start("x")
    started.state.turn = turn
    started.calls.append(Call(procedure, 0, {}))
    return started


def rolls(one: Course, count: int) -> list[int | None]:
    return [one.roll("die", 1, 6) for _ in range(count)]


def test_dice_are_what_they_were() -> None:
    # Recorded games and experiments promise the same dice to every later release.
    assert [throw("seed", f"1.red.fire.resolution:bite.{n}", 1, 6) for n in range(12)] == DICE


@pytest.mark.parametrize("options", [2, 6, 7, 36])
def test_every_number_comes_as_often(options: int) -> None:
    n = 36_000
    seen = Counter(below(options, f"{options}/{number}") for number in range(n))
    wanted = n / options
    assert set(seen) == set(range(options))
    # Chi squared; seven standard deviations above its mean would be a broken hash.
    excess = sum((count - wanted) ** 2 / wanted for count in seen.values())
    assert excess < (options - 1) + 7 * (2 * (options - 1)) ** 0.5


def test_a_larger_domain_leans_the_same_way() -> None:
    for place in map(str, range(200)):
        assert abs(below(6, place) / 6 - below(60, place) / 60) < 1 / 6


def test_games_that_have_parted_throw_the_same_again_in_the_next_phase() -> None:
    one, other = course(), course()
    assert rolls(one, 2) == rolls(other, 2)
    rolls(other, 1)
    one.state.turn = other.state.turn = 2
    assert rolls(one, 8) == rolls(other, 8)


def test_a_new_procedure_moves_no_other_die() -> None:
    plain, varied = course(), course()
    varied.calls.append(Call("resolution:scatter", 0, {}))
    rolls(varied, 3)
    varied.calls.pop()
    assert rolls(plain, 8) == rolls(varied, 8)


def test_streams_are_not_alike() -> None:
    places = [(1, "resolution:bite"), (2, "resolution:bite"), (1, "resolution:scatter")]
    assert len({tuple(rolls(course(*place), 12)) for place in places}) == 3


def test_an_undone_die_is_thrown_again() -> None:
    one = course()
    one.mark()
    first = rolls(one, 3)
    one.undo()
    one.calls = course().calls
    assert rolls(one, 3) == first


def test_a_player_begins_anew_in_every_phase() -> None:
    calm, busy = Stream("x", "red"), Stream("x", "red")
    for stream in (calm, busy):
        stream.enter("1.red.run")
    drawn = [calm.draw(1000) for _ in range(3)]
    assert [busy.draw(1000) for _ in range(5)][:3] == drawn
    for stream in (calm, busy):
        stream.enter("1.red.rest")
    assert [calm.draw(1000) for _ in range(4)] == [busy.draw(1000) for _ in range(4)] != [*drawn, drawn[0]]
    assert Stream("x", "blue").draw(10**9) != Stream("x", "red").draw(10**9)
