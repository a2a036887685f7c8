"""Aims: what the levels of a card ask for on the map, and greedy players that go there."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from rulewright.games.player_aims import player_aims
from rulewright.games.scenarios import game_of, load_card, load_scenario
from rulewright.library.compiled_modules import module_of
from runtime.experiment.native_series import GREED, NativeSeries
from runtime.graph import nodes as graph
from runtime.graph.budget import MOST_MEMBERS, limited_budget, open_budget
from runtime.graph.steps import map_steps
from runtime.play.game import Game
from runtime.players.aims.aim_planner import AimPlanner
from runtime.players.aims.aim_targets import AimKind, GameAims, aims_of
from runtime.players.player import play_out, seat_players
from runtime.players.player_names import PLAYERS
from tests.sample import sampled

# Units with nobody in their way, and something to do.
CARD = """\
scenario: walkover
title: A walkover
uses: panzer_leader
cites: house
map: [[mill_valley]]
turns: 12
order: [german, allied]
facts: {{names_vehicles: no, attackers: [allied], open_set_up: yes, objectives: [{objectives}], ways_out: ["1605"]}}
forces:
  - {{side: german, group: Targets, units: {{{german}}}, sets_up: {{columns: {columns}}}}}
  - {{side: allied, group: Movers, units: {{{allied}}}, sets_up: {{columns: 1..3}}}}
victory:
  allied:
    marginal: "{marginal}"
    decisive: "{decisive}"
"""
HELD = "count(o in scenario.objectives where some(u in unit at o where u.side = allied)) >= {}"
INFANTRY = "count(o in scenario.objectives where some(u in unit at o where u.side = allied and u is infantry)) >= {}"
TARGETS = "count(u in all unit where u.side = german{}) <= {}"
EVERYWHERE = "every(o in scenario.objectives where some(u in unit at o where u.side = allied))"
TWO, FOUR = '"1204", "1407"', '"1204", "1407", "1003", "0906"'


class Walkover(NamedTuple):
    """What makes a card marginal and decisive, the allied aim, and how the card differs from the others."""

    marginal: str
    decisive: str
    aim: AimKind = AimKind.SUPPLY
    objectives: str = TWO
    columns: str = "16..16"
    german: str = "truck: 2"
    allied: str = "m4: 4"


WALKOVERS = {
    "hold": Walkover(HELD.format(1), EVERYWHERE),
    "hold several": Walkover(HELD.format(1), EVERYWHERE, objectives=FOUR),
    "exit off an edge": Walkover("allied.departures >= 1", "allied.departures >= 4", columns="1..1"),
    "exit by ratio": Walkover(
        "3 * allied.departures >= allied.mustered", "4 * allied.departures >= 3 * allied.mustered", columns="1..1"
    ),
    "destroy a number": Walkover(TARGETS.format("", 1), TARGETS.format("", 0), AimKind.HUNT, columns="12..13"),
    "destroy a kind": Walkover(
        TARGETS.format("", 1), TARGETS.format(" and u is tank", 0), AimKind.HUNT, columns="12..13",
        german="truck: 1, pz3: 1", allied="m4: 6",
    ),
    "arrive with passengers": Walkover(INFANTRY.format(1), INFANTRY.format(2), allied="us_truck: 2, us_rifle: 2"),
    "keep alive": Walkover(HELD.format(1), f"losses(allied) = 0 and {HELD.format(3)}", objectives=FOUR),
    "control in the end": Walkover(
        "held(allied, scenario.objectives) >= 2", "held(allied, scenario.objectives) >= 4", objectives=FOUR
    ),
    "exit and hold": Walkover("allied.departures >= 1", f"allied.departures >= 2 and {HELD.format(2)}", columns="1..1"),
    "hold or destroy": Walkover(HELD.format(1), f"losses(german) >= 2 or {HELD.format(4)}", objectives=FOUR),
    "losses": Walkover("losses(german) >= 1", "losses(german) >= 2", AimKind.HUNT, columns="12..13", allied="m4: 6"),
    "race": Walkover("allied.departures >= 1", "allied.departures >= 2 and german.departures <= 0", columns="1..1"),
}  # fmt: skip


def card_text(task: str) -> str:
    """Return one of the cards."""
    values = WALKOVERS[task]._asdict()
    del values["aim"]
    return CARD.format(**values)


@pytest.fixture
def walkover(tmp_path: Path) -> Callable[[str], Game]:
    """Return a function that compiles one of the cards."""

    def compile_card(task: str) -> Game:
        path = tmp_path / "walkover.yaml"
        path.write_text(card_text(task), encoding="utf-8")
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
    assert [target.kind for target in aims_of(game).targets["allied"]][:1] == [WALKOVERS[task].aim]
    players = dict.fromkeys(("german", "allied"), GREED)
    series = NativeSeries(game, module_of(game), logs=False)
    series.seat(players)
    outcomes = [series.play(str(seed)) for seed in range(10)]
    assert [outcome and dict(outcome.levels)["allied"] for outcome in outcomes] == [3] * 10
    seats = seat_players({side: PLAYERS[name] for side, name in players.items()}, "9")
    end = play_out(game, game.start("9"), seats)
    assert outcomes[-1] is not None
    assert (end.levels, end.choice_count) == (outcomes[-1].levels, outcomes[-1].choices)


@sampled(2)
@pytest.mark.parametrize("task", WALKOVERS)
@pytest.mark.parametrize("player", ["search:2", "search:8", "lookahead:1000"])
def test_players_that_plan_find_a_walkover(walkover: Callable[[str], Game], task: str, player: str) -> None:
    game = walkover(task)
    series = NativeSeries(game, module_of(game), logs=False)
    series.seat({"german": GREED, "allied": player})
    outcomes = [series.play(str(seed)) for seed in range(3)]
    assert [outcome and dict(outcome.levels)["allied"] for outcome in outcomes] == [3, 3, 3]


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
    goals = {order.distances.index(0) for order in plan.orders.values() if order and order.distances.count(0) == 1}
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
    assert raiders.startswith("as the Column, greedy goes for ")
    assert keepers.startswith("as the Guard, greedy keeps others out of ")
    (north,) = player_aims(tide, ("north",))
    assert north.startswith("as the Northers, greedy sends units that are laden to ")
    assert "; it sends units that are not laden to " in north


# An aim of a layer: only armed pieces are to stand in the objectives.
ARMED = """\
define armed_at(owner: side): 0..999 [house] =
  count(o in scenario.objectives where some(u in unit at o where u.side = owner and u.attack > 0 factors))

aim armed_at{}
"""
LAYER = "layer: {0}\ntitle: {0}\nkind: optional\non: [{1}]\ncites: house\n"


def add_layer(folder: Path, name: str, base: str, rules: str) -> Path:
    """Write a layer on another one, and return its folder."""
    layer = folder / name
    layer.mkdir()
    layer.joinpath("layer.yaml").write_text(LAYER.format(name, base.partition("+")[2] or base), encoding="utf-8")
    layer.joinpath(f"{name}.rules").write_text(rules, encoding="utf-8")
    return layer


@pytest.mark.parametrize("instead", ["", " instead of overall"])
def test_a_declared_aim_says_which_pieces_are_to_go_where(tmp_path: Path, instead: str) -> None:
    layer = add_layer(tmp_path, "guns", "panzer_leader", ARMED.format(instead))
    card = card_text("hold").replace("uses: panzer_leader", "uses: panzer_leader+guns")
    card = card.replace("m4: 4", "us_truck: 4, m4: 2")
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


HIGH = """\
define beds_held(owner: side): 0..99 [house] =
  count(h in all hex where h is bed and some(w in walker at h where w.side = owner))

aim beds_held
"""
RANKED = "define wealth(owner: side): 0..12 [house] = number(owner.landed / 1 baskets)\n\n"
# By what is wrong with a declared aim: the declarations, and what the compiler says.
WRONG = {
    "no question": ("aim wealht\n", "there is no question `wealht`"),
    "not about a side": ("aim under_water\n", "`under_water` cannot be an aim, as it is not a question about a side"),
    "not the outcome": (f"{RANKED}aim wealth instead of rise\n", "`rise` is not the outcome"),
    "declared twice": (f"{RANKED}aim wealth\naim wealth\n", "the aim `wealth` is declared twice"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_aim_is_reported(tmp_path: Path, fault: str) -> None:
    text, message = WRONG[fault]
    add_layer(tmp_path, "wrong", "low_tide", text)
    problems = load_card("before_the_tide", "low_tide+wrong", (tmp_path,)).problems
    assert [problem.sentence().message for problem in problems] == [message]


def test_an_aim_of_a_layer_counts_beside_the_confirmation_that_preferences_are_enough(tmp_path: Path) -> None:
    add_layer(tmp_path, "calm", "low_tide", 'aim none "Preferences are enough."\n')
    add_layer(tmp_path, "high", "low_tide+calm", HIGH)
    calm = load_scenario("before_the_tide", "low_tide+calm", (tmp_path,)).graph
    both = load_scenario("before_the_tide", "low_tide+calm+high", (tmp_path,)).graph
    assert calm
    assert both
    assert player_aims(calm, ("north",)) == [
        "greedy follows the preferences of the rules alone: Preferences are enough."
    ]
    (north,) = player_aims(both, ("north",))
    assert north == "as the Northers, greedy goes for `C7`, `D3`, `F7`, `H6` and `I3`, with one unit in each"


def test_aims_are_not_charged_to_the_decision_before_which_they_are_derived() -> None:
    game = game_on("before_the_tide")
    with open_budget(MOST_MEMBERS):
        aims = GameAims(game)
        target, _ = aims.targets["north"]
        assert any(aims.distances.row(next(iter(target.classes)), tuple(target.worth)))
    with limited_budget(0):
        assert not GameAims(game).targets
