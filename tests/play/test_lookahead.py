"""The lookahead player, which simulates plans: deterministic for a seed, and without any effect on the game."""

import pytest

from runtime.answer.generate import GeneratedEvaluator
from runtime.experiment.evaluation_counts import CountingEvaluator
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.greedy import greedy_option
from runtime.players.lookahead import lookahead_player
from runtime.players.orders import NO_PLAN, MoveOrder, OrderPreferences, Plan, PlanContext, plan_player
from runtime.players.plan_candidates import landmark_goals
from runtime.players.player import Player, choose_option, play_out, seat_players
from runtime.players.rehearsal import ENOUGH, Rehearsal, budget_share, deserves_another_game, replaces_incumbent
from runtime.players.simulation import PlaythroughSimulation
from tests.play.script import script
from tests.sample import LONG, sampled
from tests.toys.hares import BOG_BARS, hares

GRAPH = hares(BOG_BARS)
SIDES = ("red", "blue")
BUDGET = 400


@pytest.fixture
def game() -> Game:
    return Game(GRAPH, GeneratedEvaluator(GRAPH))


def played(game: Game, players: dict[str, Player], seed: str) -> Playthrough:
    playthrough = game.start(seed)
    play_out(game, playthrough, seat_players(players, seed))
    return playthrough


@sampled(0)
def test_a_seed_determines_the_game_and_it_differs_from_the_greedy_one() -> None:
    games = [Game(GRAPH, GeneratedEvaluator(GRAPH)) for _ in range(2)]
    digests = {played(game, dict.fromkeys(SIDES, lookahead_player(BUDGET)), "1").digest() for game in games}
    assert len(digests) == 1
    assert played(games[0], dict.fromkeys(SIDES, greedy_option), "1").digest() not in digests


@LONG
def test_a_player_keeps_no_state_between_games(game: Game) -> None:
    alone = played(game, dict.fromkeys(SIDES, lookahead_player(BUDGET)), "1").digest()
    both = lookahead_player(BUDGET)
    played(game, dict.fromkeys(SIDES, both), "2")
    assert played(game, dict.fromkeys(SIDES, both), "1").digest() == alone


def test_simulation_does_not_change_the_game(game: Game) -> None:
    playthrough = game.start("2")
    seats = seat_players(dict.fromkeys(SIDES, lookahead_player(BUDGET)), "2")
    for _ in range(12):
        decision = game.advance(playthrough)
        assert isinstance(decision, Decision)
        before = playthrough.digest()
        pick = choose_option(game, playthrough, decision, seats)
        assert playthrough.digest() == before
        game.apply(playthrough, decision, pick)


@sampled(0)
def test_simulated_rules_are_not_counted() -> None:
    listening = CountingEvaluator(GRAPH, code=None)
    game = Game(GRAPH, GeneratedEvaluator(GRAPH), listening)
    playthrough = game.start("1")
    seats = seat_players(dict.fromkeys(SIDES, lookahead_player(BUDGET)), "1")
    taken_picks: dict[str, list[str | int]] = {side: [] for side in SIDES}
    while isinstance(decision := game.advance(playthrough), Decision):
        taken_picks[decision.side].append(pick := choose_option(game, playthrough, decision, seats))
        game.apply(playthrough, decision, pick)
    rule_counts = listening.take_counts()
    assert rule_counts
    second_play = played(game, {side: script(picks) for side, picks in taken_picks.items()}, "1")
    assert second_play.digest() == playthrough.digest()
    assert listening.take_counts() == rule_counts


@sampled(0)
def test_the_best_plan_has_a_positive_mean_gain(game: Game) -> None:
    playthrough = game.start("3")
    decision = game.advance(playthrough)
    assert isinstance(decision, Decision)
    ground = PlanContext(game, playthrough.state.board)

    def best() -> tuple[Rehearsal, Plan]:
        simulation = PlaythroughSimulation(ground, playthrough, decision.side)
        rehearsal = Rehearsal(simulation, decision.side, simulation.ground, "x")
        return rehearsal, rehearsal.best_plan(NO_PLAN, lambda: simulation.played >= 6_000)

    rehearsal, plan = best()
    assert plan != NO_PLAN
    gains = [rehearsal.value(plan, number) - rehearsal.value(NO_PLAN, number) for number in range(ENOUGH)]
    assert sum(gains) > 0
    assert best()[1] == plan


def test_a_budget_of_one_choice_finds_no_plan(game: Game) -> None:
    playthrough = game.start("3")
    decision = game.advance(playthrough)
    assert isinstance(decision, Decision)
    simulation = PlaythroughSimulation(PlanContext(game, playthrough.state.board), playthrough, decision.side)
    assert (
        Rehearsal(simulation, decision.side, simulation.ground, "x").best_plan(NO_PLAN, lambda: simulation.played >= 1)
        == NO_PLAN
    )
    assert simulation.played > 1


def test_the_budget_share_falls_with_the_turns_that_remain(game: Game) -> None:
    assert [budget_share(game, turn) for turn in (1, 2, 3)] == [1.5, 1.0, 0.5]


def test_trailing_plans_are_dropped_and_clear_leaders_adopted_early() -> None:
    assert deserves_another_game(1, 0.0)
    assert not deserves_another_game(2, 0.0)
    assert not deserves_another_game(1, -1.5)
    assert deserves_another_game(5, 0.1)
    assert not replaces_incumbent(2, 2.0)
    assert replaces_incumbent(2, 3.0)
    assert replaces_incumbent(ENOUGH, 0.1)


def test_landmark_goals_are_regions_and_rare_features(game: Game) -> None:
    state = game.start("1").state
    names = [[state.board.names[h] for h in goal] for goal in landmark_goals(state)]
    assert names == [["A1", "A2", "A3", "A4"], ["E1", "E2", "E3", "E4"], ["C2", "D3"]]


def test_a_plan_player_executes_its_orders(game: Game) -> None:
    playthrough = game.start("1")
    board = playthrough.state.board
    ground = PlanContext(game, board)
    there, here = board.index["E1"], board.index["A4"]
    plan = Plan({0: MoveOrder((there,), quiet=False), 1: MoveOrder((here,), quiet=False)}, frozenset({"pounce"}))
    red = plan_player(plan, ground)
    seats = seat_players({"red": red, "blue": greedy_option}, "1")
    seen = []
    while isinstance(decision := game.advance(playthrough), Decision) and playthrough.state.turn == 1:
        pick = choose_option(game, playthrough, decision, seats)
        if decision.side == "red":
            seen.append(decision.options[pick].name)
        game.apply(playthrough, decision, pick)
        if playthrough.state.phase == "run" and playthrough.state.player == "red":
            assert playthrough.state.hex[1] == here
    assert board.distance(playthrough.state.hex[0], there) < 4
    assert "hop" in seen
    assert "pounce" not in seen


def test_a_piece_with_a_quiet_order_is_spared_until_it_is_near_its_goal(game: Game) -> None:
    playthrough = game.start("1")
    board, state = playthrough.state.board, playthrough.state
    ordered = OrderPreferences(
        Plan({0: MoveOrder((board.index["E1"],), quiet=True)}, frozenset()), PlanContext(game, board)
    )
    for name, spared in (("A1", True), ("C1", True), ("D1", False), ("E1", False)):
        state.hex[0] = board.index[name]
        assert ordered.spares_member(playthrough, 0) is spared
    assert not ordered.spares_member(playthrough, 1)
