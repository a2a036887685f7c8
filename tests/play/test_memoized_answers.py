"""Answers memoized across events equal new ones."""

from collections.abc import Callable
from functools import cache

import pytest

from rulewright.games.scenarios import game_of, load_scenario
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.experiment.game_outcome import play_outcome
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.tryout_playthrough import TryoutPlaythrough, UnthrownDie
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from runtime.state import change
from runtime.state.answers import MemoTable
from runtime.state.record import Event, Sheet
from tests.sample import sampled
from tests.toys.hares import hares

GRAPH = hares()
TIRED = "hare.tired"


@cache
def shipped(name: str) -> Game:
    """Load a shipped situation, prepared for play."""
    found = load_scenario(name, None).graph
    assert found is not None
    return game_of(found)


@sampled(0)
@pytest.mark.parametrize("name", ["bridge_at_millbrook", "ridge_farm"])
@pytest.mark.parametrize("player", ["random", "greedy"])
def test_a_game_with_memos_has_the_same_decisions_as_a_fresh_copy(name: str, player: str) -> None:
    game = shipped(name)
    playthrough = game.start("7")
    assert game.graph.scenario is not None
    seats = seat_players(dict.fromkeys(game.graph.scenario.order, PLAYERS[player]), "7")
    for number in range(250):
        if number % 3 == 0:
            afresh = playthrough.copy()
            decision = game.advance(playthrough)
            assert game.advance(afresh) == decision
            assert playthrough.digest() == afresh.digest()
        else:
            decision = game.advance(playthrough)
        if not isinstance(decision, Decision):
            break
        game.apply(playthrough, decision, choose_option(game, playthrough, decision, seats))


def test_repeated_games_do_not_grow_the_evaluator() -> None:
    rules = load_scenario("before_the_tide", None).graph
    assert rules is not None
    evaluator = GeneratedEvaluator(rules)
    game = Game(rules, evaluator)
    players = dict.fromkeys(game.graph.scenario.order, PLAYERS["greedy"]) if game.graph.scenario else {}
    held = []
    for seed in ("1", "1", "1"):
        play_outcome(game, players, seed)
        held.append((len(evaluator.expressions), len(evaluator.streams), len(evaluator.namespace)))
    assert held[1] == held[2]


def test_memos_last_until_the_next_event() -> None:
    state, table = Game(GRAPH, Interpreter(GRAPH)).set_up(), MemoTable()
    events: list[Callable[[], Event]] = [
        lambda: change.move(state, 0, 3),
        lambda: change.mark(state, TIRED, 0),
        lambda: change.create(state, Sheet("late", "hare", "", "red", {}, frozenset())),
    ]
    for happen in events:
        state.answers[table]["asked"] = True
        event = happen()
        assert "asked" not in state.answers[table]
        state.answers[table]["asked"] = True
        change.undo(state, event)
        assert "asked" not in state.answers[table]
        state.answers[table]["asked"] = True
        change.redo(state, event)
        assert "asked" not in state.answers[table]
    assert MemoTable() not in state.answers


@pytest.mark.parametrize("asked_before", [False, True])
def test_a_branch_shares_memos_with_its_parent_until_either_changes(asked_before: bool) -> None:
    state, table = Game(GRAPH, Interpreter(GRAPH)).set_up(), MemoTable()
    if asked_before:
        state.answers[table]["before"] = True
    branch, other, copy = state.branch(), state.branch(), state.copy()
    state.answers[table]["asked"] = True
    assert "asked" in branch.answers[table]
    assert "asked" not in copy.answers[table]
    change.move(state, 0, 3)
    state.answers[table]["moved"] = True
    assert "asked" in branch.answers[table]
    assert "moved" not in branch.answers[table]
    change.move(branch, 0, 4)
    assert not branch.answers[table]
    assert "asked" in other.answers[table]


@sampled(1)
@pytest.mark.parametrize("name", ["bridge_at_millbrook", "ridge_farm", "first_snow"])
def test_a_branch_answers_like_a_copy_without_memos(name: str) -> None:
    """Nested branches, queried and changed in turn, share their memos with the game."""
    game = shipped(name)
    playthrough = game.start("5")
    assert game.graph.scenario is not None
    seats = seat_players(dict.fromkeys(game.graph.scenario.order, PLAYERS["random"]), "5")
    for number in range(60):
        decision = game.advance(playthrough)
        if not isinstance(decision, Decision):
            break
        branch = playthrough
        for turn in range(4):
            branch = TryoutPlaythrough.copy_of(branch)
            try:
                now = game.run(branch)
                assert now == game.run(branch.copy())
                if now is None:
                    break
                game.take(branch, now.options[(number + turn) % len(now.options)])
            except UnthrownDie:
                break
        game.apply(playthrough, decision, choose_option(game, playthrough, decision, seats))
        assert game.advance(playthrough) == game.advance(playthrough.copy())


def test_a_change_of_the_parent_does_not_change_a_branch() -> None:
    """The parent changes after the branch was made: each has its own answers from then on."""
    game = shipped("bridge_at_millbrook")
    playthrough = game.start("5")
    before = game.advance(playthrough)
    assert isinstance(before, Decision)
    branch, pure = TryoutPlaythrough.copy_of(playthrough), playthrough.copy()
    assert game.run(branch) == before
    game.apply(playthrough, before, 0)
    game.advance(playthrough)
    assert game.run(branch) == game.advance(pure) == before
