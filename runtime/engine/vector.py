"""Vectorized games in the memory of one module: each has a checkpoint, and one call advances all of them.

In: a module, an opening, the number of games. Out: after each `step`, the status of every game: over, or the deciding
side, its site and its encoded options; positions are rows of an array. A game that traps ends as broken off.
"""

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.engine.game import HEADER, NativeGame
from runtime.engine.module import CompiledModule
from runtime.engine.trap import TrapError
from runtime.graph.dice_subjects import is_by_action
from runtime.graph.digest import text_key
from runtime.state.position import State
from runtime.state.record import Value

ROW = struct.Struct("<Q9i")  # What `advance` of compiler/wasm/play.wat reads and writes of a game.
OVER, ASKED, OUT_OF_SPACE = 0, 1, 3
MOST_OPTIONS = 1024
# The bytes of frames, heap and dice of one game.
SCRATCH_BYTES = 256 << 10


class GameStatus(NamedTuple):
    """The status of a game: `code` is OVER or ASKED, or the reason of a trap; `options` are encoded."""

    code: int
    side: str
    site: int
    options: tuple[int, ...]
    broken: str = ""


class NativeVector(NativeGame):
    """A number of games from one opening; the caller decides for all sides."""

    def __init__(self, module: CompiledModule, opening: State, games: int) -> None:
        """Encode the opening, and allocate the checkpoints."""
        super().__init__(module, opening, {}, logs=False)
        self.games = games
        self.stride = (HEADER + self.array_bytes() + SCRATCH_BYTES + 7) // 8 * 8
        self.rows_at = self.reserve(games * (ROW.size + 8 * MOST_OPTIONS) + 8)
        self.options_at = (self.rows_at + games * ROW.size + 7) // 8 * 8
        self.checkpoints_at = self.reserve(games * self.stride)
        self.seed_keys = [0] * games

    def begin(self, seeds: dict[int, str]) -> dict[int, GameStatus]:
        """Start games, each with its seed, and run to their first decisions; return the status of each started game."""
        for game, seed in seeds.items():
            self.assign(by_action=int(is_by_action(seed)))  # All seeds of one environment have the same prefix.
            self.seed_keys[game] = text_key(seed)
            self._write(game, self.opening_at, -1)
        found: dict[int, GameStatus] = {}
        for game in seeds:
            found |= self._advance(game, game + 1)
        return found

    def step(self, chosen: Sequence[int]) -> dict[int, GameStatus]:
        """Apply an option, by index, in every game, and run to the next decision; return the status of each game."""
        for game, option in enumerate(chosen):
            self._write(game, self.checkpoints_at + game * self.stride, option)
        return self._advance(0, self.games)

    def _write(self, game: int, origin: int, option: int) -> None:
        address = self.checkpoints_at + game * self.stride
        row = (
            self.seed_keys[game], origin, address, address + self.stride, option,
            self.options_at + game * 8 * MOST_OPTIONS, 0, 0, 0, 0,
        )  # fmt: skip
        self.write_bytes(self.rows_at + game * ROW.size, ROW.pack(*row))

    def _advance(self, first: int, end: int) -> dict[int, GameStatus]:
        """Advance a range of games."""
        found: dict[int, GameStatus] = {}
        while first < end:
            broken, reason = end, ""
            try:
                self.call_function("advance", *(self.rows_at + each * ROW.size for each in (first, end)), MOST_OPTIONS)
            except TrapError as trap:
                broken, reason = (self.variable("advancing") - self.rows_at) // ROW.size, trap.reason
            for game in range(first, broken):
                found[game] = self._status(game)
            if reason:
                found[broken] = GameStatus(OVER, "", -1, (), reason)
            first = broken + 1
        return found

    def _status(self, game: int) -> GameStatus:
        *_, result, side, site, count = ROW.unpack_from(self.view, self.rows_at + game * ROW.size)
        if result == OUT_OF_SPACE or count > MOST_OPTIONS:
            return GameStatus(OVER, "", -1, (), "exhausted")
        if result != ASKED:
            return GameStatus(OVER, "", -1, ())
        options = struct.unpack_from(f"<{count}q", self.view, self.options_at + game * 8 * MOST_OPTIONS)
        return GameStatus(ASKED, self.image.enum_members[side], site, options)

    def judge_sides(self, game: int, term: str, sides: Sequence[str]) -> tuple[Value, ...]:
        """Return the answers of a term for each of these sides in a game, at its last decision."""
        self.restore(self.checkpoints_at + game * self.stride)
        return tuple(self.ask(term, (side,)) for side in sides)

    def checkpoints(self) -> Any:
        """Return a view of the consecutive checkpoints of all games."""
        return self.view[self.checkpoints_at : self.checkpoints_at + self.games * self.stride]

    def array_offset(self, array: str) -> int:
        """Return the offset of an array in a checkpoint; it has to be a mutable array."""
        return HEADER + self.module.layout.arrays[array].base - self.module.layout.changing
