"""What is asked ahead of a search: as much as can be told early, and no game is another for it."""

import pytest

from bench.playing import situation
from rulewright.games import game_of
from runtime.answer.generate import module
from runtime.graph import nodes as graph
from runtime.play import necessary_conditions
from runtime.play.game import Game
from runtime.play.necessary_conditions import NecessaryCondition
from runtime.play.needs import needs
from runtime.players.player import play_out, seat
from runtime.players.uniform import uniform
from tests.toys.build import fold, op
from tests.toys.hares import BOG_BARS, hares

GRAPH = hares(BOG_BARS)
HEXES = graph.All(graph.Hex())
FIRST = graph.Choose("", "u", HEXES, None, None)
WANTED = fold("gather", "h", HEXES, where=op("and", op(">", "h", 2), op(">", "h", "u")))


def test_what_a_later_choice_needs_is_told_without_the_earlier_one() -> None:
    later = graph.Choose("", "to", WANTED, None, None)
    assert needs((FIRST, later), GRAPH) == [fold("some", "h", HEXES, where=op(">", "h", 2))]


def test_a_set_that_may_be_empty_needs_nobody() -> None:
    some = graph.Choose("any", "to", WANTED, None, None)
    assert needs((FIRST, some), GRAPH) == []
    inhabited = graph.Legal(op(">", fold("count", "_", "to"), 0))
    assert needs((FIRST, some, inhabited), GRAPH) == [fold("some", "h", HEXES, where=op(">", "h", 2))]


def test_distances_are_looked_at_before_records_are_made() -> None:
    text = module(situation("bridge_at_millbrook"), ["gunners"])
    said = text[text.index("return tuple(") : text.index("def gunners_why")]
    assert said.index("b.far[") < said.index("may_join") < said.index("shot(")


def digest(game: Game) -> str:
    assert game.graph.scenario is not None
    course = game.start("needs")
    play_out(game, course, seat(dict.fromkeys(game.graph.scenario.order, uniform), "needs"))
    return course.digest()


@pytest.mark.parametrize("name", ["bridge_at_millbrook", "ridge_farm"])
def test_a_game_is_the_same_whether_or_not_it_is_asked_what_is_needed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = game_of(situation(name))
    found = digest(asking)
    heads = asking.choices.prefixes.values()
    assert any(isinstance(step, NecessaryCondition) for head in heads for step in head.hastened.steps)
    monkeypatch.setattr(necessary_conditions, "needs", lambda *_: [])
    assert digest(game_of(situation(name))) == found
