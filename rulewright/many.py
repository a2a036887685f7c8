"""Play many games of one situation: in a compiled module where that can be, in the machine else.

In: a graph with its card, who plays, a seed. Out: a `Series`, an outcome a game, the same whoever played it.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rulewright.errors import UsageError
from rulewright.games import game_of, known_players
from runtime.experiment.outcome import Outcome, outcome
from runtime.graph import nodes as graph
from runtime.play.game import Game

if TYPE_CHECKING:
    from runtime.experiment.native import NativeSeries

Moved = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Series:
    """Outcomes in the order of their seeds. `by_machine` were played there; `why` says why the module did not."""

    outcomes: tuple[Outcome, ...]
    engine: str
    by_machine: int
    why: str

    def wins(self) -> dict[str, int]:
        """Count games by their winner, "" where there is none; those whose rules broke are no result."""
        return dict(Counter(each.winner for each in self.outcomes if not each.fault))


def series_data(series: Series) -> dict[str, Any]:
    """Write a series as data: `games` with `seed`, `winner`, `level`, `turns`, `decisions`, `fault`; `wins` by side."""
    games = [
        {
            "seed": each.seed,
            "winner": each.winner or None,
            "level": None if each.level is None else str(each.level),
            "turns": each.turn,
            "decisions": each.choices,
            "fault": each.fault,
        }
        for each in series.outcomes
    ]
    return {
        "games": games, "wins": series.wins(), "engine": series.engine, "by_machine": series.by_machine,
        "why": series.why,
    }  # fmt: skip


def not_moved(_: int, __: int) -> None:
    """Tell nobody how many games are played."""


def play_many(
    rules: graph.Graph,
    names: Mapping[str, str],
    seed: str,
    games: int,
    engine: str = "native",
    moved: Moved = not_moved,
) -> Series:
    """Play games with the seeds SEED-0, SEED-1 ..; `moved` is told how many are played, and of how many."""
    for name in names.values():
        known_players(name, {})
    game = game_of(rules)
    players = {side: known_players(name, {}) for side, name in names.items()}
    native, why = (None, "") if engine == "python" else _series(game, names)
    outcomes, by_machine = [], 0
    for number in range(games):
        found = native.play(f"{seed}-{number}") if native else None
        if found is None:
            by_machine += 1
            why = native.why if native else why
            found = outcome(game, players, f"{seed}-{number}")
        outcomes.append(found)
        moved(number + 1, games)
    return Series(tuple(outcomes), engine, by_machine, why)


def _series(game: Game, names: Mapping[str, str]) -> "tuple[NativeSeries | None, str]":
    """Compile a module for the opening of a card; None, and why, where it cannot play."""
    if find_spec("wasmtime") is None:
        raise UsageError("the native engine needs `wasmtime`: pip install 'rulewright[native]'")
    from compiler.wasm.game import write_game  # noqa: PLC0415 -- only whoever plays natively waits for it
    from runtime.engine.terms import Program  # noqa: PLC0415
    from runtime.experiment.native import NativeSeries, plays_natively  # noqa: PLC0415

    if why := plays_natively(game, names):
        return None, why
    opening = game.set_up()
    program = Program(game.graph, *write_game(game.graph, len(opening.sheets), opening.board.size))
    return NativeSeries(game, program, names), ""
