"""Experiments have equal results to the last digit, whether compiled modules or the machine play their games."""

from dataclasses import replace

import pytest

from rulewright.lab.experiment_setup import parse_seatings, set_up, stacks_with_baseline
from runtime.experiment.plan import play_row
from runtime.experiment.result_lines import row_line
from runtime.players.greedy import greedy_option
from tests.sample import LONG, sampled
from tests.soak.stacks import compiled, package_set

PACKAGES = package_set()
SERIES = [
    ("before_the_tide", "low_tide", "low_tide", "greedy", 4),
    pytest.param("hazel_ford", "panzer_grenadier", "panzer_grenadier+pg_smoke", "random", 1, marks=LONG),
    ("before_winter", "two_clans", "two_clans", "random,greedy", 2),
    ("before_the_tide", "low_tide", "low_tide", "lookahead:40,greedy", 1),
    pytest.param("hazel_ford", "panzer_grenadier", "panzer_grenadier+pg_overrun", "greedy", 3, marks=LONG),
    pytest.param("first_snow", "long_frost", "long_frost+frost_pressure", "random", 3, marks=LONG),
    pytest.param("easthay", "panzerblitz", "panzerblitz+pb_shelling", "random", 3, marks=LONG),
    pytest.param("bridge_at_millbrook", "panzer_leader", "panzer_leader+smoke_shells", "greedy", 3, marks=LONG),
]


@sampled(1)
@pytest.mark.parametrize(("card", "than", "rules", "players", "games"), SERIES)
def test_both_engines_have_equal_rows(card: str, than: str, rules: str, players: str, games: int) -> None:
    """Wins, levels, losses, live rules and uses of changes are equal in both engines."""
    held = stacks_with_baseline(
        (name, compiled(PACKAGES, PACKAGES.library.scenarios[card], name)) for name in (than, rules)
    )
    experiment = set_up(held, parse_seatings(held, [players], swaps_sides=False), "1", None)
    plans = experiment.plan(), replace(experiment, engine="native").plan()
    slow, fast = ([play_row(plan, number) for number in range(games)] for plan in plans)
    assert [row_line(number, row, experiment.heading()) for number, row in enumerate(fast)] == [
        row_line(number, row, experiment.heading()) for number, row in enumerate(slow)
    ]
    assert {game.by_machine for row in slow for games in row for game in games} == {""}
    reasons = {game.by_machine for row in fast for games in row for game in games}
    assert reasons == {""}


def test_a_player_without_compiled_code_is_played_by_the_machine() -> None:
    """The reason is stored with the game, and the winner is that of the machine."""
    rules = compiled(PACKAGES, PACKAGES.library.scenarios["before_the_tide"], "low_tide")
    held = stacks_with_baseline([("one", rules)])
    seating = (tuple((side, "cautious") for side in rules.scenario.order),) if rules.scenario else ()
    native_plan = set_up(held, seating, "1", None, engine="native").plan()
    ((found,),) = play_row(replace(native_plan, player_of=lambda _: greedy_option), 0)
    assert found.by_machine == "cautious has no compiled code"
    assert (
        found.winner
        == play_row(replace(native_plan, player_of=lambda _: greedy_option, module_of=None), 0)[0][0].winner
    )
