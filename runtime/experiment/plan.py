"""Plan an experiment and play its games: paired seeds over stacks and players.

The input is an `ExperimentPlan`, all plain data; the output is for each game number a `Row`, the outcomes by seating
and by stack. Game n has the same seed under every stack and with every seating, so that all of them have the same
dice as long as they make the same choices (runtime/play/dice.py states how long that is). The result is independent
of how batches are distributed over processes.

A batch carries its graphs pickled, and a process loads each of them once. What it derives from them is discarded with
its plan.
"""

import atexit
import pickle
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from runtime.answer.code import ANSWERING, COUNTING, CodeOf, empty_code
from runtime.answer.generate import GeneratedEvaluator
from runtime.experiment.evaluation_counts import CountingEvaluator
from runtime.experiment.game_outcome import Outcome, count_nothing, play_outcome
from runtime.experiment.use_tracer import UseTracer
from runtime.experiment.watched_parts import watched_parts
from runtime.graph import nodes as graph
from runtime.graph.budget import MOST_MEMBERS, limited_budget
from runtime.graph.count_layout import CountRequest
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.play.game import Game
from runtime.play.garbage_collection import exempt_objects
from runtime.players.player import Player
from runtime.players.player_names import player_named
from runtime.players.thinking_budget import ClockFunction

if TYPE_CHECKING:
    from runtime.engine.module import CompiledModule
    from runtime.experiment.native_series import NativeSeries

# Which player plays which side: (side, a name that `player_named` knows), in the order of the card.
Seating = tuple[tuple[str, str], ...]
Row = tuple[tuple[Outcome, ...], ...]

# The default number of games of each stack and seating in which the use of changed rules is counted.
# Where the machine plays, recording these takes several times as long; the report states whether so many games suffice.
HEARD = 100

PlayerOf = Callable[[str], Player]
# Compiles the module of a game, which also counts the use of what is watched, if anything is.
ModuleOf = Callable[[Game, CountRequest | None], "CompiledModule"]


@frozen_dataclass
class ExperimentPlan:
    """The plan of an experiment: pickled graphs, seatings, a seed, the number of games with counted uses, code.

    `watched` are the keys of the changes in each graph (reachable_changes.py); empty if nothing is compared.
    `player_of` looks up players; a module gives `clock` to those with a budget in seconds. `members` is the budget of
    each decision (runtime/graph/budget.py), in every process. `module_of` compiles a module, which plays what it can,
    and the machine the rest; without it the machine plays all. Results are the same.
    """

    graphs: tuple[bytes, ...]
    seatings: tuple[Seating, ...]
    seed: str
    counted_games: int
    code_of: CodeOf = empty_code
    watched: tuple[tuple[str, ...], ...] = ()
    player_of: PlayerOf = player_named
    clock: ClockFunction | None = None
    members: int = MOST_MEMBERS
    module_of: ModuleOf | None = None


@frozen_dataclass
class Batch:
    """The games from `first` up to, but not including, `end`."""

    plan: ExperimentPlan
    first: int
    end: int


def play_batch(batch: Batch) -> list[Row]:
    """Return the rows of a batch of games, each played with every seating and under every stack."""
    with limited_budget(batch.plan.members):
        return [play_row(batch.plan, number) for number in range(batch.first, batch.end)]


def play_row(plan: ExperimentPlan, number: int) -> Row:
    """Return the outcomes of one game number."""
    seed = f"{plan.seed}-{number}"
    watched = plan.watched or ((),) * len(plan.graphs)
    is_counted = number < plan.counted_games
    return tuple(
        tuple(
            _play_planned(_WatchedStack(pickled, keys), plan, dict(seating), seed, is_counted=is_counted)
            for pickled, keys in zip(plan.graphs, watched, strict=True)
        )
        for seating in plan.seatings
    )


class _WatchedStack(NamedTuple):
    """A pickled graph, and the keys that are watched in it."""

    pickled: bytes
    watched: tuple[str, ...]


class _PreparedGame(NamedTuple):
    """A graph ready to play, with the tracer of changes if any are watched."""

    game: Game
    uses: UseTracer | None


class _PreparedPlan:
    """The objects that a process prepares for the stacks of a plan: graphs, games of the machine, and modules."""

    def __init__(self, code_of: CodeOf, module_of: ModuleOf | None) -> None:
        """Start empty."""
        self._code_of, self._module_of = code_of, module_of
        self._graphs: dict[bytes, graph.Graph] = {}
        self._games: dict[_WatchedStack, _PreparedGame] = {}
        self._series: dict[_WatchedStack, NativeSeries] = {}

    def game(self, stack: _WatchedStack, *, is_counted: bool) -> _PreparedGame:
        """Return a prepared game; a counted one has a tracer, if the stack is watched."""
        stack = stack if is_counted else stack._replace(watched=())
        if stack not in self._games:
            self._games[stack] = self._prepare(stack)
        return self._games[stack]

    def series(self, stack: _WatchedStack) -> "NativeSeries":
        """Compile a module for a stack, which plays both counted games and others."""
        if stack not in self._series:
            from runtime.experiment.native_series import NativeSeries  # noqa: PLC0415 -- it imports wasmtime

            assert self._module_of is not None
            game = self._untraced_game(stack.pickled)
            watched = watched_parts(game.graph, stack.watched) if stack.watched else None
            self._series[stack] = NativeSeries(game, self._module_of(game, watched), logs=watched is not None)
        return self._series[stack]

    def _prepare(self, stack: _WatchedStack) -> _PreparedGame:
        if not stack.watched:
            return _PreparedGame(self._untraced_game(stack.pickled), None)
        rules = self._graph(stack.pickled)
        listener = CountingEvaluator(rules, self._code_of(rules, COUNTING))
        game = self._untraced_game(stack.pickled, listener)
        game.tracer = uses = UseTracer(game, stack.watched, listener)
        return _PreparedGame(game, uses)

    def _untraced_game(self, pickled: bytes, listener: CountingEvaluator | None = None) -> Game:
        rules = self._graph(pickled)
        return Game(rules, GeneratedEvaluator(rules, code=self._code_of(rules, ANSWERING)), listener)

    def _graph(self, pickled: bytes) -> graph.Graph:
        if pickled not in self._graphs:
            self._graphs[pickled] = pickle.loads(pickled)
            exempt_objects()
        return self._graphs[pickled]


@lru_cache(maxsize=1)
def prepare_plan(graphs: tuple[bytes, ...], code_of: CodeOf, module_of: ModuleOf | None) -> _PreparedPlan:
    """Return the prepared plan, cached for the last plan: a large stack and its module take 50 MB."""
    del graphs  # Plans of the same stacks share games, for all players.
    return _PreparedPlan(code_of, module_of)


# What holds memory of modules is released before the library that frees it.
atexit.register(prepare_plan.cache_clear)


def _play_planned(
    stack: _WatchedStack, plan: ExperimentPlan, names: Mapping[str, str], seed: str, *, is_counted: bool
) -> Outcome:
    """Return the outcome of one game under one stack."""
    played, reason = play_natively(stack, plan, names, seed, is_counted=is_counted) if plan.module_of else (None, "")
    if played is not None:
        return played
    game, uses = prepare_plan(plan.graphs, plan.code_of, plan.module_of).game(stack, is_counted=is_counted)
    if uses:
        uses.forget()  # Counts of a game that was not played to its end are discarded.
    players = {side: plan.player_of(name) for side, name in names.items()}
    return replace(play_outcome(game, players, seed, uses.take_counts if uses else count_nothing), by_machine=reason)


def play_natively(
    stack: _WatchedStack, plan: ExperimentPlan, names: Mapping[str, str], seed: str, *, is_counted: bool
) -> tuple[Outcome | None, str]:
    """Play a game in a module, which counts what is watched; None, with the reason, if it cannot."""
    from runtime.engine.module import MemoryLimitError  # noqa: PLC0415 -- it imports wasmtime
    from runtime.experiment.native_series import why_not_native  # noqa: PLC0415

    ready = prepare_plan(plan.graphs, plan.code_of, plan.module_of)
    if reason := why_not_native(names):
        return None, reason
    try:
        series = ready.series(stack)
        series.seat(names, plan.clock)
    except MemoryLimitError as refused:
        return None, str(refused)
    played = series.play(seed, stack.watched if is_counted else ())
    return played, "" if played else series.stop_reason
