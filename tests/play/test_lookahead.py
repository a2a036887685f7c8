"""The lookahead player, which simulates plans: deterministic for a seed, and without any effect on the game."""

import pytest

from runtime.answer.generate import GeneratedEvaluator
from runtime.experiment.evaluation_counts import CountingEvaluator
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.greedy import greedy_option
from runtime.players.lookahead import lookahead_player
from runtime.players.orders import NO_PLAN, MoveOrder, Plan, PlanContext, plan_player
from runtime.players.player import Player, choose_option, play_out, seat_players
from runtime.players.rehearsal import Rehearsal
from runtime.players.simulation import PlaythroughSimulation, planners_of
from tests.play.script import script
from tests.sample import sampled
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
    evaluations = listening.take_evaluations()
    assert evaluations
    second_play = played(game, {side: script(picks) for side, picks in taken_picks.items()}, "1")
    assert second_play.digest() == playthrough.digest()
    assert listening.take_evaluations() == evaluations


def test_a_budget_of_one_choice_finds_no_plan(game: Game) -> None:
    playthrough = game.start("3")
    decision = game.advance(playthrough)
    assert isinstance(decision, Decision)
    ground = PlanContext(game, playthrough.state.board)
    aims = planners_of(game, playthrough.state)
    simulation = PlaythroughSimulation(ground, aims, playthrough, decision.side)
    rehearsal = Rehearsal(simulation, decision.side, simulation.ground, "x")
    assert rehearsal.best_changes(NO_PLAN, lambda: simulation.played >= 1) == NO_PLAN
    assert simulation.played > 1


def test_a_plan_player_executes_its_orders(game: Game) -> None:
    playthrough = game.start("1")
    board = playthrough.state.board
    ground = PlanContext(game, board)
    there, here = board.index["E1"], board.index["A4"]
    plan = Plan(
        {0: MoveOrder(ground.distances((there,)), quiet=False), 1: MoveOrder(ground.distances((here,)), quiet=False)},
        frozenset({"pounce"}),
    )
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
