"""A vector environment of many games of a situation card: actions and observations are arrays, one row per game.

    games = rulewright.vector_env("before_the_tide", games=64, seed=7)
    observations, masks = games.reset()
    while True:
        actions = policy(observations, masks, games.agents)
        observations, masks, rewards, over = games.step(actions)

All games are played by compiled code in one memory (runtime/engine/vector.py). Action numbers, masks and vectors have
the same meaning as in `rulewright.env` (spaces.py), except the marks of chosen values: the hexes and pieces
that `step` has chosen since the current action was taken. A finished game is replaced by one with the next seed.
"""

from typing import Any

import numpy as np

from rulewright.adapters.learners.spaces import SpaceLayout
from rulewright.library.compiled_modules import module_of
from rulewright.system.errors import UsageError
from runtime.engine.module import MemoryLimitError
from runtime.engine.vector import ASKED, GameStatus, NativeVector
from runtime.graph.layout import ABSENT64
from runtime.play.game import Game
from runtime.state.position import GONE


class VectorEnvironment:
    """A number of games of a situation under a stack.

    `agents`: (games,) the current agent, as an index of `sides`. `observations`: (games, width) float32. `masks`:
    (games, size) int8. `rewards` of a step: (games, sides) float32, 1 for the winner, the others share -1. `over`:
    (games,) bool; `broken`: (games,) bool, games that compiled code could not play to the end, without a reward.
    """

    def __init__(self, game: Game, games: int, seed: str) -> None:
        """Build the environment; `reset` starts the games."""
        if games < 1:
            raise UsageError(f"{games} games: a vector environment plays one or more")
        self.game = game
        self.games = games
        self.seed = str(seed)
        self.layout = SpaceLayout(game)
        self.sides = self.layout.sides
        try:
            self.native = NativeVector(module_of(game), game.set_up(), games)
        except MemoryLimitError as refused:
            raise UsageError(str(refused)) from None
        self.numbers: list[dict[int, int]] = [{} for _ in range(games)]
        self.statuses: list[GameStatus] = [GameStatus(ASKED, self.sides[0], 0, ())] * games
        self.begun_games = 0
        self.agents = np.zeros(games, np.int64)
        self.broken = np.zeros(games, bool)
        self.masks = np.zeros((games, self.layout.size), np.int8)
        self.chosen = np.zeros((games, self.layout.size), bool)
        self._prepare()

    def _prepare(self) -> None:
        """Compute the arrays that are constant in all positions."""
        layout, state = self.layout, self.game.set_up()
        board, arrays = state.board, self.native.module.layout.arrays
        self.columns = np.array([*board.column[: board.size], 0], np.float32) / layout.columns
        self.rows = np.array([*board.row[: board.size], 0], np.float32) / layout.rows
        words = self.native.image.enum_members
        self.side_at = np.array([layout.sides.index(word) if word in layout.sides else -1 for word in words])
        self.phase_at = np.array([layout.phases.index(word) if word in layout.phases else -1 for word in words])
        self.marks = [
            (index, f"mark:{key}")
            for index, key in enumerate(layout.marks, 4 + len(layout.sides))
            if f"mark:{key}" in arrays and arrays[f"mark:{key}"].index == "piece"
        ]
        sites = self.native.module.layout.sites
        self.asked = np.zeros((len(sites) + 1, len(layout.actions)), np.float32)
        for number, site in enumerate(sites):
            question_words = site.question.replace(",", " ").replace(".", " ").split()
            self.asked[number] = [action in question_words for action in layout.actions]

    def reset(self, seed: int | str | None = None) -> tuple[Any, Any]:
        """Restart all games, determined by the seed."""
        if seed is not None:
            self.seed = str(seed)
        self.begun_games = 0
        self.broken[:] = False
        self._begin(range(self.games))
        return self.observations(), self.masks.copy()

    def _require_begun(self) -> None:
        if not self.begun_games:
            raise ValueError("no game has begun; call `reset` first")

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any]:
        """Apply a number in each game; return observations, masks, rewards and which games ended."""
        self._require_begun()
        try:
            given = np.asarray(actions)
        except ValueError:  # Lists of several lengths.
            given = np.empty(0)
        if given.shape != (self.games,):
            raise ValueError(f"a step takes a list of {self.games} actions, one for each game")
        numbers = given.tolist()
        for game, action in enumerate(numbers):
            if action not in self.numbers[game]:
                raise ValueError(f"{action} is not open in game {game}; the mask tells what is")
        for game, action in enumerate(numbers):
            self._note(game, action)
        chosen = [self.numbers[game][action] for game, action in enumerate(numbers)]
        rewards, has_ended = np.zeros((self.games, len(self.sides)), np.float32), np.zeros(self.games, bool)
        self.broken[:] = False
        for game, status in self.native.step(chosen).items():
            self.statuses[game] = status
            if status.code == ASKED:
                self._open(game)
                continue
            has_ended[game] = True
            self.broken[game] = bool(status.broken)
            if not status.broken:
                rewards[game] = self._rewards(game)
        self._begin(np.flatnonzero(has_ended).tolist())
        return self.observations(), self.masks.copy(), rewards, has_ended

    def _note(self, game: int, action: int) -> None:
        """Mark a chosen value; taking an action, or ending an offer, clears the marks."""
        site = self.native.module.layout.sites[self.statuses[game].site]
        if site.actions:
            self.chosen[game] = False
        else:
            self.chosen[game, action] = True

    def _begin(self, games: "range | list[int]") -> None:
        """Start games with the next seeds, replacing those that end before the first decision."""
        todo = list(games)
        for _ in range(100):
            if not todo:
                return
            seeds = {game: f"{self.seed}-{self.begun_games + number}" for number, game in enumerate(todo)}
            self.begun_games += len(todo)
            found = self.native.begin(seeds)
            for game, status in found.items():
                self.statuses[game] = status
                self.chosen[game] = False
                self._open(game)
            todo = [game for game, status in found.items() if status.code != ASKED]
        raise ValueError("a hundred games in a row were over before anybody was asked")

    def _open(self, game: int) -> None:
        """Compute the numbers and the mask of the options of a game."""
        status = self.statuses[game]
        self.agents[game] = self.sides.index(status.side) if status.side in self.sides else 0
        preferred_numbers = (self._number(status.site, option) for option in status.options)
        self.numbers[game] = dict(self.layout.distinct_numbers(preferred_numbers)) if status.code == ASKED else {}
        self.masks[game] = 0
        self.masks[game, list(self.numbers[game])] = 1

    def _number(self, site_index: int, option: int) -> int | None:
        layout, site = self.layout, self.native.module.layout.sites[site_index]
        if site.actions:
            return (
                layout.end if option == ABSENT64 else layout.first_action + layout.actions.index(site.actions[option])
            )
        if option == ABSENT64:
            return layout.stop
        if site.member == "hex":
            return layout.first_hex + option
        return layout.first_piece + option if site.member == "piece" and option < layout.pieces else None

    def _rewards(self, game: int) -> list[float]:
        """Return the rewards of sides: 1 for the winner, an equal share of -1 for the others, 0 for all in a draw."""
        term = self.game.graph.outcome
        levels = self.native.judge_sides(game, term, self.sides) if term else ()
        won = self.game.game_result(tuple(zip(self.sides, levels, strict=True)) if term else (), 0, 0).winner
        return [0.0 if not won else 1.0 if side == won else -1.0 / max(1, len(self.sides) - 1) for side in self.sides]

    def observations(self) -> Any:
        """Return the observations of the current agents, of shape (games, width)."""
        self._require_begun()
        layout, native = self.layout, self.native
        data = np.frombuffer(native.checkpoints(), np.uint8).reshape(self.games, native.stride)

        def read(array: str, count: int, kind: type = np.int32) -> Any:
            offset = native.array_offset(array)
            return data[:, offset : offset + count * np.dtype(kind).itemsize].copy().view(kind)

        pieces = min(layout.pieces, native.module.layout.pieces)
        there_are = data[:, 16:20].copy().view(np.int32)
        live = np.arange(pieces)[None, :] < there_are
        hexes, sides = read("hex", pieces), self.side_at[read("side", pieces)]
        on_map = live & (hexes >= 0)
        found = np.zeros((self.games, layout.pieces, layout.piece_width + 1), np.float32)
        rows = found[:, :pieces]
        rows[..., 0], rows[..., 1] = on_map, live & (hexes == GONE)
        rows[..., 2], rows[..., 3] = on_map * self.columns[hexes], on_map * self.rows[hexes]
        for number in range(len(self.sides)):
            rows[..., 4 + number] = live & (sides == number)
        for index, key in self.marks:
            bits = np.unpackbits(read(key, (pieces + 7) // 8, np.uint8), axis=1, bitorder="little")
            rows[..., index] = live & bits[:, :pieces].astype(bool)
        found[..., layout.piece_width] = self.chosen[:, layout.first_piece : layout.first_piece + layout.pieces]
        turn = read("fact:game.turn", 1, np.int64)[:, 0]
        agents = np.eye(len(self.sides), dtype=np.float32)[self.agents]
        phase = self.phase_at[read("fact:game.phase", 1)[:, 0]]
        head = [
            np.minimum(1.0, turn / layout.turns)[:, None],
            agents,
            agents,
            (np.arange(len(layout.phases))[None, :] == phase[:, None]),
            self.asked[[status.site for status in self.statuses]],
            self.chosen[:, layout.first_hex : layout.first_hex + layout.hexes],
            found.reshape(self.games, -1),
        ]
        return np.concatenate([part.astype(np.float32) for part in head], axis=1)
