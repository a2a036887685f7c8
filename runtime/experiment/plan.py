"""Plan an experiment and carry it out: paired seeds over two stacks or more, on any number of processes.

In: a `Plan`, all plain data. Out: for every game number the outcomes under each stack, in order.
Game n of every stack has the same seed, so both throw the same dice until they part. Nothing
depends on who plays which batch: the result is the same on one process and on many.

An executor is anything with `submit` as in concurrent.futures; `distributed` gives one with
`Client.get_executor()`. A batch carries its graphs as text, and a process reads each text once.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context

from runtime.answer.generate import Compiled
from runtime.experiment.listening import Listening
from runtime.experiment.outcome import Outcome, outcome
from runtime.graph.codec import decode
from runtime.play.game import Game
from runtime.players.named import PLAYERS
from runtime.players.player import Player

Progress = Callable[[int, int], None]
Row = tuple[Outcome, ...]

# Batches a process: enough that a slow one at the end costs little, few enough to send the graphs seldom.
BATCHES = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: canonical graphs, players by side (names of PLAYERS), a seed and a number of games."""

    graphs: tuple[str, ...]
    players: tuple[tuple[str, str], ...]
    seed: str
    games: int
    counts_rules: bool


@dataclass(frozen=True, slots=True)
class Batch:
    """Games `first` up to, but not including, `end`."""

    plan: Plan
    first: int
    end: int


def carry_out(plan: Plan, jobs: int, progress: Progress) -> tuple[Row, ...]:
    """Play all games on `jobs` processes; one plays in this process."""
    if jobs <= 1:
        rows: list[Row] = []
        for number in range(plan.games):
            rows += play_batch(Batch(plan, number, number + 1))
            progress(number + 1, plan.games)
        return tuple(rows)
    # Spawned, not forked: the same on every system, and no thread of ours is caught half-way.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as executor:
        return spread(plan, executor, jobs, progress)


def spread(plan: Plan, executor: Executor, jobs: int, progress: Progress) -> tuple[Row, ...]:
    """Play all games on an executor."""
    waiting = {executor.submit(play_batch, batch): batch for batch in batches(plan, jobs)}
    played: dict[int, list[Row]] = {}
    done = 0
    for future in as_completed(waiting):
        batch = waiting[future]
        played[batch.first] = future.result()
        done += batch.end - batch.first
        progress(done, plan.games)
    return tuple(row for first in sorted(played) for row in played[first])


def batches(plan: Plan, jobs: int) -> Iterator[Batch]:
    """Cut the games into batches."""
    size = max(1, -(-plan.games // (jobs * BATCHES)))
    for first in range(0, plan.games, size):
        yield Batch(plan, first, min(first + size, plan.games))


def play_batch(batch: Batch) -> list[Row]:
    """Play a batch of games, each under every stack."""
    plan = batch.plan
    players = {side: PLAYERS[name] for side, name in plan.players}
    rows: list[Row] = []
    for number in range(batch.first, batch.end):
        seed = f"{plan.seed}-{number}"
        rows.append(tuple(play(text, plan, players, seed) for text in plan.graphs))
    return rows


@lru_cache(maxsize=4)
def prepare(text: str, counts_rules: bool) -> tuple[Game, Listening | None]:  # noqa: FBT001 - a key of the cache.
    """Make a graph ready to play, once a process, and listen to it if rules are counted."""
    rules = decode(text)
    listener = Listening(rules) if counts_rules else None
    return Game(rules, Compiled(rules), listener), listener


def play(text: str, plan: Plan, players: Mapping[str, Player], seed: str) -> Outcome:
    """Play one game under one stack."""
    game, listener = prepare(text, plan.counts_rules)
    played = outcome(game, players, seed)
    return replace(played, fired=tuple(sorted(listener.fired().items()))) if listener else played
