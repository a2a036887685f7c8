"""The tests of PettingZoo, and whole games: masks are the legal options, and rewards sum to zero."""

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import rulewright
from rulewright.games.scenarios import game_of, load_scenario
from runtime.play.game import FinishedGame, Game
from runtime.play.options import Decision
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS

pytest.importorskip("pettingzoo", reason="the extra `rl` is not installed: no environment is tested")

from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from rulewright.adapters.learners.environment import Environment

CARDS = ["before_the_tide", "ridge_farm"]


@cache
def game(card: str) -> Game:
    rules = load_scenario(card, None).graph
    assert rules is not None
    return game_of(rules)


def new_environment(card: str = "before_the_tide", **options: Any) -> Environment:
    return Environment(game(card), "1", **options)


@pytest.mark.parametrize("card", CARDS)
def test_api(card: str) -> None:
    with warnings.catch_warnings():
        # It warns about observations that are dictionaries with a vector.
        warnings.simplefilter("ignore")
        api_test(new_environment(card), num_cycles=150)


def test_seeds() -> None:
    seed_test(new_environment, num_cycles=120)


@pytest.mark.parametrize("number", [0, -1])
def test_a_game_of_no_step_is_refused(number: int) -> None:
    with pytest.raises(rulewright.UsageError, match=f"`max_cycles` is {number}"):
        new_environment(max_cycles=number)


def test_the_public_functions() -> None:
    environment = rulewright.env("before_the_tide", seed=3)
    environment.reset()
    assert environment.agents == ["north", "south"]
    assert "north" in environment.render()
    # Learners that step all agents at once have a conversion in PettingZoo.
    together = turn_based_aec_to_parallel(rulewright.env("before_the_tide", seed=3))
    assert set(together.reset()[0]) == {"north", "south"}


@pytest.mark.parametrize("card", CARDS)
def test_a_game_in_an_environment_equals_a_game_of_the_machine(card: str) -> None:
    environment = new_environment(card)
    seats = seat_players(dict.fromkeys(environment.possible_agents, PLAYERS["random"]), "5")
    environment.reset(seed=5)
    masks, total = 0, dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, _ = environment.last()
        total[agent] += reward
        if terminated or truncated:
            assert not truncated
            environment.step(None)
            continue
        legal = environment.legal(agent)
        assert {number for number, open_ in enumerate(observation["action_mask"]) if open_} == set(legal)
        now = environment.now
        assert isinstance(now, Decision)
        assert now.side == agent
        # Every option has exactly one number.
        assert sorted(legal.values()) == list(range(len(now.options)))
        wanted = choose_option(environment.game, environment.playthrough, now, seats)
        environment.step(next(number for number, option in legal.items() if option == wanted))
        masks += 1
    end = environment.now
    assert isinstance(end, FinishedGame)
    assert end == played(card, "5")
    assert masks == end.choice_count
    assert sum(total.values()) == 0
    assert total == {side: (side == end.winner) * 2.0 - 1 if end.winner else 0.0 for side in total}
    assert environment.agents == []


def played(card: str, seed: str) -> FinishedGame:
    """Play the same game without an environment."""
    playthrough = game(card).start(seed)
    seats = seat_players(dict.fromkeys(("north", "south", "german", "russian"), PLAYERS["random"]), seed)
    while isinstance(now := game(card).advance(playthrough), Decision):
        game(card).apply(playthrough, now, choose_option(game(card), playthrough, now, seats))
    return now


def test_an_illegal_action_is_refused() -> None:
    strict = new_environment()
    strict.reset(seed=1)
    closed = next(number for number in range(strict.layout.size) if number not in strict.legal(strict.agent_selection))
    with pytest.raises(ValueError, match="is not open to"):
        strict.step(closed)


def test_a_game_is_truncated_after_max_cycles() -> None:
    environment = new_environment(max_cycles=5)
    environment.reset(seed=1)
    steps = 0
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, _ = environment.last()
        assert reward == 0
        assert not terminated
        legal = environment.legal(agent)
        environment.step(None if truncated else min(legal))
        steps += not truncated
        assert observation["observation"].min() >= -1
        assert observation["observation"].max() <= 1
    assert max(environment.steps.values()) == 5


def test_a_reset_without_a_seed_begins_another_game() -> None:
    environment = new_environment()
    environment.reset(seed=4)
    first = environment.playthrough.seed
    environment.reset()
    assert environment.playthrough.seed != first
    environment.reset(seed=4)
    assert environment.playthrough.seed == first


@pytest.mark.parametrize("action", ["x", [1], 1.5])
def test_an_action_of_a_wrong_type_is_refused(action: Any) -> None:
    environment = Environment(game("before_the_tide"), "1")
    environment.reset()
    with pytest.raises(ValueError, match="is no number of an action"):
        environment.step(action)


@pytest.mark.parametrize("given", [{"max_cycles": "x"}, {"seed": None}, {"seed": 1.5}])
def test_an_option_of_a_wrong_type_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(rulewright.UsageError, match=f"`{next(iter(given))}` must be "):
        rulewright.env("before_the_tide", **given)


@pytest.mark.parametrize("use", [lambda env: env.step(0), lambda env: env.observe("north"), lambda env: env.render()])
def test_an_environment_without_a_game_is_refused(use: Callable[[Any], object]) -> None:
    with pytest.raises(AttributeError, match="call `reset` first"):
        use(rulewright.env("before_the_tide"))


@pytest.mark.parametrize("use", ["observe", "legal", "action_space", "observation_space"])
def test_an_unknown_agent_is_refused(use: str) -> None:
    environment = rulewright.env("before_the_tide")
    environment.reset()
    with pytest.raises(ValueError, match="there is no agent 'nobody'; there are north, south"):
        getattr(environment, use)("nobody")
