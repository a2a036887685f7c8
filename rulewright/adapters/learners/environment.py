"""A situation card as a PettingZoo environment: every decision of the game is a step of the agent of its side.

    environment = rulewright.env("ridge_farm", seed=7)
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, info = environment.last()
        action = None if terminated or truncated else policy(observation["observation"], observation["action_mask"])
        environment.step(action)

Agents are the sides of the card. Action numbers have a fixed meaning in a game: to end, to stop, an action, a hex, a
piece; other candidates are numbered by index. The mask states the legal numbers. The reward of the winner is 1, the
others share -1, and a draw has no reward. The observation is a vector of what the side may know.
"""

from collections.abc import Mapping
from operator import index
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from rulewright.adapters.learners.spaces import SpaceLayout
from rulewright.games.scenarios import known_players
from rulewright.system.errors import UsageError
from runtime.play.game import FinishedGame, Game
from runtime.play.labels import option_labels
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.player import Seats, as_seen, choose_option, seat_players

# What an environment has once a game has begun.
OF_A_GAME = frozenset("agents agent_selection playthrough now steps rewards terminations truncations".split())


class Environment(AECEnv):
    """A situation under a stack. A game is truncated after `max_cycles` steps of an agent."""

    metadata = {"render_modes": ["ansi"], "name": "rulewright_v0", "is_parallelizable": True}  # noqa: RUF012 -- its shape

    def __init__(self, game: Game, seed: str, *, max_cycles: int | None = None) -> None:
        """Build the spaces."""
        super().__init__()
        if max_cycles is not None and max_cycles < 1:
            raise UsageError(f"`max_cycles` is {max_cycles}: a game is truncated after one step or more")
        assert game.graph.scenario
        self.game = game
        self.layout = SpaceLayout(game)
        self.possible_agents = list(game.graph.scenario.order)
        self.max_cycles = max_cycles
        self.render_mode = "ansi"
        self._seed, self._game_number = str(seed), 0
        box = gymnasium.spaces.Box(-1.0, 1.0, (self.layout.width,), np.float32)
        mask = gymnasium.spaces.Box(0, 1, (self.layout.size,), np.int8)
        # Built once: a caller that seeds a space expects the same object later.
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": box, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self.layout.size) for agent in self.possible_agents}

    def __getattr__(self, name: str) -> Any:
        """Raise an error that says whether a game has to begin first."""
        if name in OF_A_GAME:
            raise AttributeError(f"`{name}`: no game has begun; call `reset` first")
        raise AttributeError(f"an environment has no `{name}`")

    def _require_agent(self, agent: str) -> None:
        if agent not in self.observation_spaces:
            raise ValueError(f"there is no agent {agent!r}; there are {', '.join(self.possible_agents)}")

    def observation_space(self, agent: str) -> Any:
        """Return the observation space of an agent."""
        self._require_agent(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the action space of an agent."""
        self._require_agent(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | str | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a game, determined by the seed; without a seed, a different game each time."""
        del options
        if seed is not None:
            self._seed, self._game_number = str(seed), 0
        named = self._seed if self._game_number == 0 else f"{self._seed}-{self._game_number}"
        self._game_number += 1
        self.playthrough: Playthrough = self.game.start(named)
        self.now: Decision | FinishedGame = self.game.advance(self.playthrough)
        # By name; a player that plans keeps its plan for a phase.
        self.advisers: dict[str, Seats] = {}
        self.agents = self.possible_agents[:]
        self.steps = dict.fromkeys(self.agents, 0)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._settle()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of an agent's side, and the mask of its legal actions."""
        self._require_agent(agent)
        seen = as_seen(self.game, self.playthrough, agent)
        return {
            "observation": self.layout.observation_vector(seen, self.now, agent),
            "action_mask": self.layout.legal_mask(self.legal(agent)),
        }

    def legal(self, agent: str) -> dict[int, int]:
        """Return the legal numbers of an agent with their options; empty if another one has the decision."""
        self._require_agent(agent)
        if isinstance(self.now, Decision) and self.now.side == agent:
            return dict(self.layout.numbered_options(self.now))
        return {}

    def step(self, action: int | None) -> None:
        """Apply the action of the current agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        option = self._option(agent, action)
        self.steps[agent] += 1
        assert isinstance(self.now, Decision)
        self.game.apply(self.playthrough, self.now, option)
        self.now = self.game.advance(self.playthrough)
        self._settle()
        self._accumulate_rewards()
        if self.terminations[agent] or self.truncations[agent]:
            self._deads_step_first()

    def advised(self, name: str = "greedy") -> int:
        """Return the action that a player of Rulewright would choose for the current agent."""
        assert isinstance(self.now, Decision)
        if name not in self.advisers:
            players = dict.fromkeys(self.possible_agents, known_players(name, {}))
            self.advisers[name] = seat_players(players, self.playthrough.seed or "")
        place = choose_option(self.game, self.playthrough, self.now, self.advisers[name])
        return next(number for number, option in self.legal(self.now.side).items() if option == place)

    def _option(self, agent: str, action: int | None) -> int:
        """Return the option of an action; `ValueError` if it is illegal."""
        legal = self.legal(agent)
        try:
            number = -1 if action is None else index(action)
        except TypeError:
            raise ValueError(f"{action!r} is no number of an action") from None
        if number not in legal:
            raise ValueError(f"{number} is not open to {agent}; the action mask tells what is")
        return legal[number]

    def _settle(self) -> None:
        """Set the current agent, or the results of the game."""
        if isinstance(self.now, FinishedGame):
            for agent in self.agents:
                self.terminations[agent] = True
                self.rewards[agent] = self._reward(agent, self.now.winner)
                self.infos[agent] = {"winner": self.now.winner, "level": self.now.level}
            return
        self.agent_selection = self.now.side
        is_truncated = self.max_cycles is not None and max(self.steps.values()) >= self.max_cycles
        for agent in self.agents:
            self.truncations[agent] = is_truncated
            self.infos[agent] = {}

    def _reward(self, agent: str, winner: str) -> float:
        """Return the reward of an agent: 1 for the winner, an equal share of -1 for each other, 0 for all in a draw."""
        if not winner:
            return 0.0
        return 1.0 if agent == winner else -1.0 / max(1, len(self.possible_agents) - 1)

    def render(self) -> str:
        """Return a line with the turn, the side, the question and the open options, or with the winner."""
        if isinstance(self.now, FinishedGame):
            return f"{self.now.winner or 'nobody'} wins"
        labels = option_labels(self.playthrough.state, self.game.programs.entries, self.now)
        return f"turn {self.playthrough.state.turn}, {self.now.side}, {self.now.question}: {', '.join(labels)}"

    def close(self) -> None:
        """Release nothing: the environment has no resources."""
