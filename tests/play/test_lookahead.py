"""The player that looks ahead: a legal choice, the same for the same seed, and nothing of the game disturbed by it."""

from runtime.answer.generate import Compiled
from runtime.play.choices import Decision
from runtime.play.game import Game
from runtime.players.greedy import greedy
from runtime.players.lookahead import looking_ahead, rivals
from runtime.players.player import answer, play_out, seat
from tests.toys.hares import BOG_BARS, hares

GRAPH = hares(BOG_BARS)
SIDES = ("red", "blue")


def test_the_same_seed_is_the_same_game() -> None:
    digests = set()
    for _ in range(2):
        game = Game(GRAPH, Compiled(GRAPH))
        course = game.start("1")
        play_out(game, course, seat(dict.fromkeys(SIDES, looking_ahead(60)), "1"))
        digests.add(course.digest())
    assert len(digests) == 1


def test_trying_leaves_the_game_as_it_was_and_the_choice_is_one_of_those_tried() -> None:
    game = Game(GRAPH, Compiled(GRAPH))
    course = game.start("2")
    seats = seat(dict.fromkeys(SIDES, looking_ahead(60)), "2")
    plain = seat(dict.fromkeys(SIDES, greedy), "2")
    weighed = 0
    while weighed < 5 and isinstance(asked := game.advance(course), Decision):
        before = course.digest()
        pick = answer(game, course, asked, seats)
        assert course.digest() == before
        tried = rivals(game, course, asked, answer(game, course, asked, plain))
        assert pick in tried
        weighed += len(tried) > 1
        game.apply(course, asked, pick)
    assert weighed == 5
