"""Aims: what the levels of a card ask for on the map, and greedy players that go there."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.games.player_aims import player_aims
from rulewright.games.scenarios import game_of, load_scenario
from rulewright.library.compiled_modules import module_of
from runtime.experiment.native_series import GREED, NativeSeries
from runtime.graph import nodes as graph
from runtime.graph.steps import map_steps
from runtime.play.game import Game
from runtime.players.aims.aim_planner import AimPlanner
from runtime.players.aims.aim_targets import AimKind, aims_of
from runtime.players.player import play_out, seat_players
from runtime.players.player_names import PLAYERS
from tests.sample import sampled

# Four tanks with nobody in their way, and something to do.
CARD = """\
scenario: walkover
title: A walkover
uses: panzer_leader
cites: house
map: [[mill_valley]]
turns: 10
order: [german, allied]
facts: {names_vehicles: no, attackers: [allied], open_set_up: yes, objectives: ["1204", "1407"], ways_out: ["1605"]}
forces:
  - {side: german, group: Trucks, units: {truck: 2}, sets_up: {columns: COLUMNS}}
  - {side: allied, group: Tanks, units: {m4: 4}, sets_up: {columns: 1..3}}
victory:
  allied:
    marginal: "MARGINAL"
    decisive: "DECISIVE"
"""
TANKS = "count(u in all unit where u.side = allied and u.hex in scenario.objectives) >= {}"
TRUCKS = "count(u in all unit where u.side = german) <= {}"
# By what there is to do: the levels, where the trucks stand, and the aim.
WALKOVERS = {
    "hold": (
        TANKS.format(1),
        "every(o in scenario.objectives where some(u in unit at o where u.side = allied))",
        "16..16",
        AimKind.SUPPLY,
    ),
    "exit": ("allied.departures >= 1", "allied.departures >= 4", "1..1", AimKind.SUPPLY),
    "destroy": (TRUCKS.format(1), TRUCKS.format(0), "12..13", AimKind.HUNT),
    "arrive": (TANKS.format(1), TANKS.format(3), "16..16", AimKind.SUPPLY),
}


@pytest.fixture
def walkover(tmp_path: Path) -> Callable[[str], Game]:
    """Return a function that compiles one of the cards."""

    def compile_card(task: str) -> Game:
        marginal, decisive, columns, _ = WALKOVERS[task]
        text = CARD.replace("MARGINAL", marginal).replace("DECISIVE", decisive).replace("COLUMNS", columns)
        path = tmp_path / "walkover.yaml"
        path.write_text(text, encoding="utf-8")
        return game_on(str(path))

    return compile_card


def game_on(card: str) -> Game:
    """Return the game of a card."""
    rules = load_scenario(card, None).graph
    assert rules
    return game_of(rules)


@sampled(2)
@pytest.mark.parametrize("task", WALKOVERS)
def test_a_walkover_is_decisive_in_both_engines(walkover: Callable[[str], Game], task: str) -> None:
    game = walkover(task)
    assert [target.kind for target in aims_of(game).targets["allied"]][:1] == [WALKOVERS[task][-1]]
    players = dict.fromkeys(("german", "allied"), GREED)
    series = NativeSeries(game, module_of(game), logs=False)
    series.seat(players)
    outcomes = [series.play(seed) for seed in ("1", "2", "3")]
    assert [outcome and dict(outcome.levels)["allied"] for outcome in outcomes] == [3, 3, 3]
    seats = seat_players({side: PLAYERS[name] for side, name in players.items()}, "3")
    end = play_out(game, game.start("3"), seats)
    assert outcomes[-1] is not None
    assert (end.levels, end.choice_count) == (outcomes[-1].levels, outcomes[-1].choices)


def test_the_levels_of_a_card_say_how_many_are_needed_where() -> None:
    game = game_on("first_snow")
    prize = game.set_up().facts["scenario.prizes"]
    aims = aims_of(game)
    (supply,) = aims.targets["raiders"]
    (denial,) = aims.targets["keepers"]
    assert (supply.kind, supply.needed, supply.is_single) == (AimKind.SUPPLY, 1, True)
    assert denial.kind is AimKind.DENY
    assert set(supply.worth) == set(denial.worth)
    assert set(supply.worth) == set(prize)


def test_a_plan_sends_one_piece_to_each_hex_that_is_needed() -> None:
    game = game_on("winter_road")
    state = game.set_up()
    planner = AimPlanner(game, state, "raiders")
    (target,) = planner.targets
    hexes = list(state.hex)
    raiders = [piece for piece, piece_group in planner.group_of.items() if piece_group.side == "raiders"]
    for place, piece in enumerate(raiders):
        hexes[piece] = place
    plan = planner.plan(hexes)
    goals = {order.distances.index(0) for order in plan.orders.values() if order.distances.count(0) == 1}
    assert len(goals) == target.needed
    assert goals <= set(target.worth)
    assert not planner.plan([-1] * len(hexes)).orders


def test_income_that_accrues_is_an_aim() -> None:
    game = game_on("before_winter")
    (target,) = aims_of(game).targets["ash"]
    assert len(target.worth) == 12
    assert len(set(target.worth.values())) > 1


def test_distances_are_those_of_steps_that_the_rules_allow() -> None:
    game = game_on("bridge_at_millbrook")
    aims = aims_of(game)
    board = game.set_up().board
    tank = next(group for group in aims.probe.pieces if group.side == "allied" and "tank" in group.traits)
    row = aims.distances.row(tank, (board.index["1105"],))
    assert row[board.index["1105"]] == 0
    assert row[board.index["1005"]] > board.distance(board.index["1005"], board.index["1105"])


def test_an_experiment_says_where_greedy_players_want_to_be() -> None:
    snow, tide = (load_scenario(card, None).graph for card in ("first_snow", "before_the_tide"))
    assert snow
    assert tide
    raiders, keepers = player_aims(snow, ("raiders", "keepers"))
    assert raiders.startswith("as raiders, greedy goes for ")
    assert keepers.startswith("as keepers, greedy keeps others out of ")
    (north,) = player_aims(tide, ("north",))
    assert north.startswith("as north, greedy sends units that are laden to ")
    assert "; it sends units that are not laden to " in north


# An aim of a layer: only armed pieces are to stand in the objectives.
ARMED = """\
define armed_at(owner: side): 0..999 [house] =
  count(o in scenario.objectives where some(u in unit at o where u.side = owner and u.attack > 0 factors))

aim armed_at{}
"""
LAYER = "layer: guns\ntitle: Guns\nkind: optional\non: [panzer_leader]\ncites: house\n"


@pytest.mark.parametrize("instead", ["", " instead of overall"])
def test_a_declared_aim_says_which_pieces_are_to_go_where(tmp_path: Path, instead: str) -> None:
    layer = tmp_path / "guns"
    layer.mkdir()
    layer.joinpath("layer.yaml").write_text(LAYER, encoding="utf-8")
    layer.joinpath("guns.rules").write_text(ARMED.format(instead), encoding="utf-8")
    marginal, decisive, columns, _ = WALKOVERS["hold"]
    card = CARD.replace("MARGINAL", marginal).replace("DECISIVE", decisive).replace("COLUMNS", columns)
    card = card.replace("uses: panzer_leader", "uses: panzer_leader+guns").replace("m4: 4", "us_truck: 4, m4: 2")
    layer.joinpath("walkover.yaml").write_text(card, encoding="utf-8")
    rules = load_scenario("walkover", None, (tmp_path,)).graph
    assert rules
    target = aims_of(game_of(rules)).targets["allied"][0]
    assert target.kind is AimKind.SUPPLY
    assert target.is_single
    assert {"tank" in each.traits for each in target.classes} == {True}


def test_a_load_is_fetched_and_landed_without_preferences() -> None:
    rules = load_scenario("before_the_tide", None).graph
    assert rules
    procedures = {
        key: replace(procedure, body=map_steps(procedure.body, lambda step: (_without_preference(step),)))
        for key, procedure in rules.procedures.items()
    }
    game = game_of(replace(rules, procedures=procedures, hash="without preferences"))
    for seed in ("1", "2", "3"):
        seats = seat_players({"north": PLAYERS[GREED], "south": PLAYERS["random"]}, seed)
        levels = dict(play_out(game, game.start(seed), seats).levels)
        assert levels["north"] > levels["south"]


def _without_preference(step: graph.Step) -> graph.Step:
    return replace(step, preferring=None) if isinstance(step, graph.Choose) else step
