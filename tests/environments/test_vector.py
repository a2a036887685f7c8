"""The vector environment has the games, options and observations of environments of one game."""

from typing import Any

import pytest

import rulewright

pytest.importorskip("pettingzoo", reason="the extra `rl` is not installed: no environment is tested")
pytest.importorskip("wasmtime", reason="wasmtime does not run here: no game is compiled")

import numpy as np

from rulewright.adapters.learners.environment import Environment
from rulewright.adapters.learners.vector import VectorEnvironment
from rulewright.system.errors import UsageError
from tests.environments.test_environment import game


def difference_of(games: VectorEnvironment, one: Environment, number: int, found: Any) -> str:
    """Return how a game differs from the same game in a single environment, "" if it does not.

    Marks of chosen values are not compared.
    """
    agent = games.sides[games.agents[number]]
    if agent != one.agent_selection:
        return f"{agent} in place of {one.agent_selection}"
    wanted, layout = one.observe(agent), games.layout
    if games.masks[number].tolist() != wanted["action_mask"].tolist():
        return "another mask"
    observation, expected_observation = found[number].copy(), wanted["observation"].copy()
    pieces = layout.pieces * (layout.piece_width + 1)
    for vector in (observation, expected_observation):
        vector[-pieces - layout.hexes : -pieces] = 0
        vector[len(vector) - pieces :].reshape(layout.pieces, -1)[:, layout.piece_width] = 0
    return (
        ""
        if np.array_equal(observation, expected_observation)
        else f"another observation: {np.flatnonzero(observation != expected_observation)[:5]}"
    )


@pytest.mark.parametrize(("card", "steps"), [("before_the_tide", 130), ("hazel_ford", 40)])
def test_vector_games_equal_single_games(card: str, steps: int) -> None:
    """Agents, masks and observations are equal at each decision, and so are rewards and restarts."""
    games = VectorEnvironment(game(card), 3, "7")
    single = [Environment(game(card), f"7-{number}") for number in range(3)]
    for one in single:
        one.reset()
    chance = np.random.default_rng(1)
    found, masks = games.reset()
    started_count = 3
    for _ in range(steps):
        assert [difference_of(games, one, number, found) for number, one in enumerate(single)] == [""] * 3
        actions = [int(chance.choice(np.flatnonzero(mask))) for mask in masks]
        for one, action in zip(single, actions, strict=True):
            one.step(action)
        found, masks, rewards, over = games.step(actions)
        for number, one in enumerate(single):
            ended = any(one.terminations.values())
            assert over[number] == ended
            assert rewards[number].tolist() == pytest.approx([one.rewards.get(side, 0.0) for side in games.sides])
            if ended:
                single[number] = Environment(game(card), f"7-{started_count}")
                single[number].reset()
                started_count += 1
    assert started_count > 3 or card != "before_the_tide"


def test_a_chosen_piece_is_marked_in_the_observation() -> None:
    games = rulewright.vector_env("before_the_tide", games=2, seed=7)
    found, masks = games.reset()
    layout = games.layout
    marked = 0
    for _ in range(40):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in masks])
        found, masks, _, over = games.step(actions)
        for number in range(2):
            action = int(actions[number])
            if not over[number] and layout.first_piece <= action < layout.first_other:
                marked += 1
                pieces = found[number][-layout.pieces * (layout.piece_width + 1) :].reshape(layout.pieces, -1)
                assert pieces[action - layout.first_piece, layout.piece_width] == 1.0
    assert marked > 5
    with pytest.raises(ValueError, match="the mask tells"):
        games.step([layout.size - 1] * 2)


def test_a_refused_step_changes_no_game() -> None:
    """If an action of one game is illegal, no game executes its action, and no chosen value is marked."""
    games = rulewright.vector_env("before_the_tide", games=2, seed=7)
    with pytest.raises(ValueError, match="call `reset` first"):
        games.step([0, 0])
    _, masks = games.reset()
    walk = [int(np.flatnonzero(mask)[0]) for mask in masks]
    _, masks, *_ = games.step(walk)
    before = games.chosen.copy()
    piece = int(np.flatnonzero(masks[0])[0])
    with pytest.raises(ValueError, match="is not open in game 1"):
        games.step([piece, games.layout.size + 1])
    assert (games.chosen == before).all()
    for actions in ([piece], [piece] * 3, piece):
        with pytest.raises(ValueError, match="a list of 2 actions"):
            games.step(actions)


@pytest.mark.parametrize("games", [0, -1, 10**12])
def test_an_impossible_number_of_games_is_refused(games: int) -> None:
    if games < 1:
        with pytest.raises(UsageError, match=f"{games} games: a vector environment plays one or more"):
            rulewright.vector_env("before_the_tide", games=games)
    with pytest.raises(UsageError, match=f"{games:,} games: play one or more"):
        rulewright.compare("before_the_tide", ["low_tide"], games)


def test_a_game_that_exhausts_its_module_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends without rewards, and the other games continue."""
    monkeypatch.setattr("runtime.engine.vector.SCRATCH_BYTES", 1000)
    games = VectorEnvironment(game("hazel_ford"), 2, "7")
    _, masks = games.reset()
    broken = 0
    chance = np.random.default_rng(1)
    for _ in range(60):
        _, masks, rewards, over = games.step([int(chance.choice(np.flatnonzero(mask))) for mask in masks])
        broken += int(games.broken.sum())
        assert not rewards[games.broken].any()
        assert over[games.broken].all()
    assert broken


@pytest.mark.parametrize("games", ["x", 1.5, None, True, [2]])
def test_a_number_of_games_of_a_wrong_type_is_refused(games: Any) -> None:
    with pytest.raises(UsageError, match="`games` must be a whole number, not "):
        rulewright.vector_env("before_the_tide", games=games)


def test_a_number_of_games_may_be_of_numpy() -> None:
    given: dict[str, Any] = {"games": np.int64(2), "seed": np.int32(1)}
    assert rulewright.vector_env("before_the_tide", **given).games == 2


@pytest.mark.parametrize("actions", [[[1], [2]], [1, [2, 3]], 1, None, "x"])
def test_actions_of_another_shape_are_refused(actions: Any) -> None:
    games = VectorEnvironment(game("before_the_tide"), 2, "1")
    games.reset()
    with pytest.raises(ValueError, match="a step takes a list of 2 actions, one for each game"):
        games.step(actions)


def test_games_that_have_not_begun_have_no_observations() -> None:
    with pytest.raises(ValueError, match="no game has begun"):
        rulewright.vector_env("before_the_tide", games=2).observations()
