"""Plan an experiment and play its games: paired seeds over stacks and players.

In: a `Plan`, all plain data. Out: for every game number a `Row`, the outcomes by seating and by stack.
Game n has the same seed under every stack and with every seating, so all of them throw the same
dice as long as they do the same (runtime/play/dice.py says how long that is). Nothing depends on
who plays which batch: the result is the same on one process and on many.

A batch carries its graphs as text, and a process reads each text once. What it makes of them is dropped with its plan.
"""

import atexit
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from runtime.answer.code import ANSWERING, HEARING, CodeOf, none_known
from runtime.answer.generate import GeneratedEvaluator
from runtime.experiment.evaluation_counts import CountingEvaluator
from runtime.experiment.outcome import Outcome, none_counted, outcome_of, play_outcome
from runtime.experiment.use_tracer import UseTracer
from runtime.graph import nodes as graph
from runtime.graph.budget import MOST_MEMBERS, limited_budget
from runtime.graph.codec import decode
from runtime.play.game import Game
from runtime.play.garbage_collection import stay_for_good
from runtime.players.player import Player
from runtime.players.player_names import player_named

if TYPE_CHECKING:
    from runtime.engine.terms import Program
    from runtime.experiment.native_series import NativeSeries

# Who plays which side: (side, a name that `player_named` knows), in the order of the card.
Seating = tuple[tuple[str, str], ...]
Row = tuple[tuple[Outcome, ...], ...]

# A game that is ready to play is played by one thread at a time: its listener counts, its evaluator remembers.
# A worker of a cluster may well have several threads.
_ALONE = Lock()
# Plans whose games are kept ready: a worker of a cluster may play batches of two experiments in turn. A large stack and
# its module take 50 MB.
PLANS = 2
# Games of each stack and seating in which is counted how often rules are live and what is made of changed ones, where
# nobody says otherwise. To hear that takes several times as long as to play in a module; whether so many games are
# enough can be said from them.
HEARD = 100

PlayerOf = Callable[[str], Player]
ProgramOf = Callable[[Game], "Program"]


def every_process() -> None:
    """Let every process play."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: canonical graphs, seatings, a seed, in how many games rules are counted, whence code is known.

    `watched` are the keys of the changes that stand in each graph (changes.py); none, if nothing is compared.
    `player_of` finds the players; `admit` is called by every process before it plays, and raises if it may not.
    `members` is the budget of each decision (runtime/graph/budget.py), in every process. `program_of` compiles a
    module, which plays what it can, and the machine the rest; without it the machine plays all. Results are the same.
    """

    graphs: tuple[str, ...]
    seatings: tuple[Seating, ...]
    seed: str
    heard: int
    code_of: CodeOf = none_known
    watched: tuple[tuple[str, ...], ...] = ()
    player_of: PlayerOf = player_named
    admit: Callable[[], None] = every_process
    members: int = MOST_MEMBERS
    program_of: ProgramOf | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Games `first` up to, but not including, `end`."""

    plan: Plan
    first: int
    end: int


def play_batch(batch: Batch) -> list[Row]:
    """Play a batch of games, each with every seating and under every stack."""
    with _ALONE, limited_budget(batch.plan.members):
        batch.plan.admit()
        return [play_row(batch.plan, number) for number in range(batch.first, batch.end)]


def play_row(plan: Plan, number: int) -> Row:
    """Play one game number."""
    seed = f"{plan.seed}-{number}"
    watched = plan.watched or ((),) * len(plan.graphs)
    heard = number < plan.heard
    return tuple(
        tuple(
            play(WatchedStack(text, keys if heard else ()), plan, dict(seating), seed, counts=heard)
            for text, keys in zip(plan.graphs, watched, strict=True)
        )
        for seating in plan.seatings
    )


class WatchedStack(NamedTuple):
    """A graph as text, and what is watched of it."""

    text: str
    watched: tuple[str, ...]


class PreparedGame(NamedTuple):
    """A graph ready to play, who listens to what is carried out, and who watches what is changed."""

    game: Game
    listener: CountingEvaluator | None
    uses: UseTracer | None


class PreparedPlan:
    """What a process makes ready of the stacks of a plan, each once: graphs, games of the machine, and modules."""

    def __init__(self, code_of: CodeOf, program_of: ProgramOf | None) -> None:
        """Begin with nothing."""
        self._code_of, self._program_of = code_of, program_of
        self._graphs: dict[str, graph.Graph] = {}
        self._games: dict[tuple[WatchedStack, bool], PreparedGame] = {}
        self._series: dict[str, NativeSeries] = {}

    def game(self, stack: WatchedStack, *, listens: bool) -> PreparedGame:
        """Make a graph ready to play, and listen to it if rules are counted."""
        key = stack, listens
        if key not in self._games:
            self._games[key] = self._prepared(stack, listens=listens)
        return self._games[key]

    def series(self, text: str) -> "NativeSeries":
        """Compile a module for a graph."""
        if text not in self._series:
            from runtime.experiment.native_series import NativeSeries  # noqa: PLC0415 -- it needs an extra

            assert self._program_of is not None
            game = self._silent(text)
            self._series[text] = NativeSeries(game, self._program_of(game), logs=True)
        return self._series[text]

    def _prepared(self, stack: WatchedStack, *, listens: bool) -> PreparedGame:
        if not (listens or stack.watched):
            return PreparedGame(self._silent(stack.text), None, None)
        rules = self._graph(stack.text)
        listener = CountingEvaluator(rules, self._code_of(rules, HEARING))
        game = self._silent(stack.text, listener)
        if not stack.watched:
            return PreparedGame(game, listener, None)
        uses = UseTracer(game, stack.watched, listener, self._code_of(rules, HEARING))
        game.tracer = uses
        return PreparedGame(game, listener, uses)

    def _silent(self, text: str, listener: CountingEvaluator | None = None) -> Game:
        rules = self._graph(text)
        return Game(rules, GeneratedEvaluator(rules, code=self._code_of(rules, ANSWERING)), listener)

    def _graph(self, text: str) -> graph.Graph:
        if text not in self._graphs:
            self._graphs[text] = decode(text)
            stay_for_good()
        return self._graphs[text]


@lru_cache(maxsize=PLANS)
def prepare_plan(graphs: tuple[str, ...], code_of: CodeOf, program_of: ProgramOf | None) -> PreparedPlan:
    """Keep ready what the plan played last is made of, and the one before it."""
    del graphs  # Plans of the same stacks share games, whoever plays.
    return PreparedPlan(code_of, program_of)


# What holds memory of modules goes before the library that gives it back.
atexit.register(prepare_plan.cache_clear)


def play(stack: WatchedStack, plan: Plan, names: Mapping[str, str], seed: str, *, counts: bool) -> Outcome:
    """Play one game under one stack; `counts`: how often rules are live in it."""
    ready = prepare_plan(plan.graphs, plan.code_of, plan.program_of)
    game, listener, uses = ready.game(stack, listens=counts)
    played, why = play_natively(stack, plan, names, seed, counts=counts) if plan.program_of else (None, "")
    if played is None:
        # What was heard of a game that was not carried out to its end counts for nothing.
        if listener:
            listener.forget()
        if uses:
            uses.forget()
        players = {side: plan.player_of(name) for side, name in names.items()}
        played = replace(play_outcome(game, players, seed, uses.take_counts if uses else none_counted), by_machine=why)
    fired = listener.take_counts() if listener else {}
    return replace(played, fired=tuple(sorted(fired.items()))) if counts else played


def play_natively(
    stack: WatchedStack, plan: Plan, names: Mapping[str, str], seed: str, *, counts: bool
) -> tuple[Outcome | None, str]:
    """Let a module play; None, and why, where it does not."""
    try:
        from runtime.engine.terms import NoRoomError  # noqa: PLC0415 -- it needs an extra
        from runtime.experiment.native_series import why_not_native  # noqa: PLC0415
    except ImportError:  # A worker of a cluster has what it has.
        return None, "wasmtime is not installed where they were played"

    ready = prepare_plan(plan.graphs, plan.code_of, plan.program_of)
    game, listener, uses = ready.game(stack, listens=counts)
    if why := why_not_native(names):
        return None, why
    try:
        series = ready.series(stack.text)
        series.seat(names)
    except NoRoomError as refused:
        return None, str(refused)
    if listener is None:
        played = series.play(seed)
        return played, "" if played else series.why
    found = series.carried_out(game, seed)
    if found is None:
        return None, series.why
    playthrough, end = found
    played = outcome_of(playthrough, end, seed, "", uses.take_counts if uses else none_counted)
    return replace(played, unsettled=series.native.unsettled_offers()), ""
