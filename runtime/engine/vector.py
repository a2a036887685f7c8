"""Games side by side in the memory of one module: each lies at a checkpoint, and one call plays on in all of them.

In: a program, an opening, how many games. Out: after each `step`, of every game whether it is over, which side is asked
at which site, and the integers that stand for its options; positions are read as rows of an array. A game that a module
cannot play on ends as broken off.
"""

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.engine.game import HEADER, NativeGame
from runtime.engine.terms import Program
from runtime.engine.trap import TrapError
from runtime.graph.dice_subjects import is_by_action
from runtime.state.position import State
from runtime.state.record import Value

ROW = struct.Struct("<11i")  # What `advance` of compiler/wasm/play.wat reads and writes of a game.
OVER, ASKED, NO_ROOM = 0, 1, 3
MOST_OPTIONS = 1024
SEED_BYTES = 128
# Bytes of frames, of what a position comes to refer to, and of dice, of one game.
ROOM = 256 << 10


class GameStatus(NamedTuple):
    """Where a game stands: `code` is OVER or ASKED, or what broke it off; `options` are integers."""

    code: int
    side: str
    site: int
    options: tuple[int, ...]
    broken: str = ""


class NativeVector(NativeGame):
    """So many games from one opening; everybody is outside."""

    def __init__(self, program: Program, opening: State, games: int) -> None:
        """Write the opening, and make room."""
        super().__init__(program, opening, {})
        self.games = games
        self.stride = (HEADER + self.array_bytes() + ROOM + 7) // 8 * 8
        self.rows_at = self.reserve(games * (ROW.size + SEED_BYTES + 8 * MOST_OPTIONS))
        self.seeds_at = self.rows_at + games * ROW.size
        self.options_at = (self.seeds_at + games * SEED_BYTES + 7) // 8 * 8
        self.checkpoints_at = self.reserve(games * self.stride)
        self.seeds = [b""] * games

    def begin(self, seeds: dict[int, str]) -> dict[int, GameStatus]:
        """Begin games, each with its seed, and play up to their first decisions."""
        for game, seed in seeds.items():
            self.assign(by_action=int(is_by_action(seed)))  # All seeds of one environment begin alike.
            text = seed.encode()
            assert len(text) <= SEED_BYTES
            self.seeds[game] = text
            self.memory.write(self.store, text, self.seeds_at + game * SEED_BYTES)
            self._write(game, self.opening_at, -1)
        found: dict[int, GameStatus] = {}
        for game in seeds:
            found |= self._advance(game, game + 1)
        return found

    def step(self, chosen: Sequence[int]) -> dict[int, GameStatus]:
        """Take an option, by its place, in every game, and play on up to the next decision."""
        for game, option in enumerate(chosen):
            self._write(game, self.checkpoints_at + game * self.stride, option)
        return self._advance(0, self.games)

    def _write(self, game: int, origin: int, option: int) -> None:
        at = self.checkpoints_at + game * self.stride
        row = (
            origin, at, at + self.stride, self.seeds_at + game * SEED_BYTES, len(self.seeds[game]), option,
            self.options_at + game * 8 * MOST_OPTIONS, 0, 0, 0, 0,
        )  # fmt: skip
        self.memory.write(self.store, ROW.pack(*row), self.rows_at + game * ROW.size)

    def _advance(self, first: int, end: int) -> dict[int, GameStatus]:
        """Play on in games from one to another."""
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
        view = self.reader().view
        *_, result, asked, site, count = ROW.unpack_from(view, self.rows_at + game * ROW.size)
        if result == NO_ROOM or count > MOST_OPTIONS:
            return GameStatus(OVER, "", -1, (), "exhausted")
        if result != ASKED:
            return GameStatus(OVER, "", -1, ())
        options = struct.unpack_from(f"<{count}q", view, self.options_at + game * 8 * MOST_OPTIONS)
        return GameStatus(ASKED, self.image.enum_members[asked], site, options)

    def judge_sides(self, game: int, term: str, sides: Sequence[str]) -> tuple[Value, ...]:
        """Ask how well each side has done in a game."""
        self.restore(self.checkpoints_at + game * self.stride)
        return tuple(self.ask(term, (side,)) for side in sides)

    def checkpoints(self) -> Any:
        """Return the checkpoints of all games as they lie in memory, one after the other, as bytes."""
        view = self.reader().view
        return view[self.checkpoints_at : self.checkpoints_at + self.games * self.stride]

    def array_offset(self, array: str) -> int:
        """Return at which byte of a checkpoint an array begins; it has to be one that changes."""
        return HEADER + self.program.layout.arrays[array].base - self.program.layout.changing
