"""Players who change places: who meets whom, and how they fare whatever the side."""

from runtime.experiment.crew import Crew, play_on
from runtime.experiment.duel import Bout, Duel, duels
from runtime.experiment.plan import Plan
from runtime.experiment.summary import sum_up
from runtime.experiment.tally import Tally, standing
from runtime.graph.canonical import encode
from tests.toys.hares import BOG_BARS, hares

ONE = (("red", "greedy"), ("blue", "random"))
TURNED = (("red", "random"), ("blue", "greedy"))
ALIKE = (("red", "greedy"), ("blue", "greedy"))


def test_only_those_who_change_places_meet() -> None:
    assert duels((ONE, ALIKE, TURNED)) == (Duel("greedy", "random", 0, "red", 2, "blue"),)
    assert not duels((ONE, ALIKE))
    assert not duels((ALIKE, ALIKE))


def test_both_games_of_a_seed_are_counted_for_the_same_player() -> None:
    stacks = (hares(), hares(BOG_BARS))
    played = list(
        play_on(Crew(None, 1), Plan(tuple(map(encode, stacks)), (ONE, TURNED), "x", counts_rules=False), 0, 8)
    )
    tally = Tally(("old", "new"), (), "red", 2, duels((ONE, TURNED)))
    for row in played:
        tally.add(row)
    old, new = sum_up(tally, ["a", "b"], ["red", "blue"]).meetings
    assert (old.rules, new.rules, old.who, old.whom) == ("old", "new", "greedy", "random")
    levels = [(standing(red[0], "red"), standing(blue[0], "blue")) for red, blue in played]
    assert old.won == sum(level > 0 for pair in levels for level in pair)
    assert old.level.mean == sum(map(sum, levels)) / 16
    assert old.pairs == 8
    assert old.won + old.lost + old.drawn == 16
    assert any(here != there for here, there in levels)


def test_a_pair_that_evens_out_is_neither_better_nor_worse() -> None:
    bout = Bout()
    for here, there in ((1, -1), (2, -1), (0, 0), (-1, 0), (1, 1)):
        bout.add(here, there)
    assert (bout.won, bout.lost, bout.drawn) == (4, 3, 3)
    assert (bout.better, bout.worse) == (2, 1)
    assert bout.p() == 1.0
