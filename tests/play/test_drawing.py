"""Drawing an option without listing the others: equal games, and a uniform distribution over the legal options."""

from collections import Counter

import pytest

from runtime.play.dice import Stream
from runtime.play.options import Decision
from runtime.play.random_draw import draw_option
from runtime.players.greedy import greedy_option
from runtime.players.player import Player, choose_option, play_out, seat_players, uniform_option
from tests.play.test_whole_games import GAME, decisions
from tests.sample import LONG, sampled
from tests.trials.shipped import game

DRAWS = 400


@sampled(1)
@pytest.mark.parametrize(
    ("name", "other"),
    [
        pytest.param("before_the_tide", uniform_option, id="before_the_tide-draws"),
        pytest.param("before_the_tide", greedy_option, id="before_the_tide-lists"),
        pytest.param("reed_water", uniform_option, id="reed_water-draws"),
        pytest.param("reed_water", greedy_option, id="reed_water-lists", marks=LONG),
        pytest.param("ridge_farm", uniform_option, id="ridge_farm-draws"),
        pytest.param("ridge_farm", greedy_option, id="ridge_farm-lists", marks=LONG),
    ],
)
def test_listing_and_drawing_play_the_same_game(name: str, other: Player) -> None:
    played = game(name)
    assert played.graph.scenario is not None
    one, *others = played.graph.scenario.order
    seats = seat_players({one: uniform_option, **dict.fromkeys(others, other)}, "drawn")
    listed, drawn = played.start("drawn"), played.start("drawn")
    while isinstance(now := played.advance(listed), Decision):
        played.apply(listed, now, choose_option(played, listed, now, seats))
    assert play_out(played, drawn, seats) == now
    assert drawn.digest() == listed.digest()
    assert drawn.choice_count == listed.choice_count > 0


def test_every_legal_option_is_drawn_uniformly() -> None:
    drawn_counts = Counter[str]()
    for playthrough, decision in decisions("7"):
        drawn_counts[decision.question] += 1
        if drawn_counts[decision.question] > 2:
            continue
        call = playthrough.calls[-1]
        chance = Stream("7", "drawing")
        site = GAME.choices.site(call)
        drawn = [draw_option(site, playthrough.state, call.names, decision.side, chance) for _ in range(DRAWS)]
        assert all(others for _, others in drawn)
        found = Counter(option for option, _ in drawn)
        assert set(found) == set(decision.options)
        # Five standard deviations of a binomial distribution; the draws are the same in every run.
        share = 1 / len(decision.options)
        spread = 5 * (DRAWS * share * (1 - share)) ** 0.5
        assert all(abs(times - DRAWS * share) < spread for times in found.values())
    assert len(drawn_counts) > 4, "the hares ask more than that"
