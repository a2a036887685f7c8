"""A long experiment with checks: whether memory stays constant, every position is lawful, and the throughput.

Workers check the position before every decision (tests/soak/lawful.py); a violation ends the game and is counted as a
fault. Memory is the resident size of the processes (VmRSS; Linux only).
"""

import multiprocessing
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Any

from rulewright.lab.experiment import Experiment
from runtime.experiment import game_outcome
from runtime.experiment.plan import Batch, Row, play_batch
from runtime.experiment.processes import WorkerPool, end_with_parent
from runtime.experiment.summary import Summary
from runtime.play.game import FinishedGame, Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules, Fault
from runtime.players.player import Seats, choose_option
from tests.soak.games import APART
from tests.soak.lawful import Watch

MEGABYTE = 1024  # kilobytes, the unit of VmRSS


def watched(game: Game, playthrough: Playthrough, seats: Seats) -> FinishedGame:
    """Play a game to its end with a check of every position."""
    watch = Watch(game.graph, game.evaluator.evaluator, tuple(each for each in APART if known(game, each.status)))
    while isinstance(now := game.advance(playthrough), Decision):
        look(watch, playthrough)
        game.apply(playthrough, now, choose_option(game, playthrough, now, seats))
    look(watch, playthrough)
    return now


def known(game: Game, status: str) -> bool:
    """Return whether the rules declare a status."""
    return status in game.graph.vocabulary.flags


def look(watch: Watch, playthrough: Playthrough) -> None:
    """Raise `BrokenRules` if the position is not lawful."""
    wrong = "; ".join(watch.look(playthrough))
    if wrong:
        state = playthrough.state
        raise BrokenRules(Fault(f"unlawful: {wrong}", "", None, state.turn, state.player, state.phase, out_of_range=""))


def play_watched(batch: Batch) -> list[Row]:
    """Play a batch with checks; the worker process plays nothing else."""
    vars(game_outcome)["play_out"] = watched
    return play_batch(batch)


class WatchingExecutor(Executor):
    """Submits batches to workers that check every position."""

    def __init__(self, workers: ProcessPoolExecutor) -> None:
        self.workers = workers

    def submit(self, _: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Submit a batch to be played with checks."""
        return self.workers.submit(play_watched, *given, **named)


@dataclass(slots=True)
class Memory:
    """The memory in megabytes of this process and of its workers, at each measurement."""

    games: list[int] = field(default_factory=list)
    own_memory: list[float] = field(default_factory=list)
    workers: list[float] = field(default_factory=list)

    def look(self, games: int) -> None:
        """Add a measurement."""
        self.games.append(games)
        self.own_memory.append(resident("self"))
        self.workers.append(sum(resident(str(child.pid)) for child in multiprocessing.active_children()))


def resident(process: str) -> float:
    """Return the memory of a process in megabytes; 0 if the system does not report it."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / MEGABYTE for line in lines if line.startswith("VmRSS")), 0.0)


def play_long(experiment: Experiment, games: int, jobs: int, *, watch: bool) -> tuple[Summary, Memory, float]:
    """Run an experiment; print memory and throughput twenty times."""
    memory = Memory()
    began = monotonic()

    def moved(done: int, of: int) -> None:
        if done % max(1, of // 20) == 0:
            memory.look(done)
            held = f"{memory.own_memory[-1]:4.0f} MB + {memory.workers[-1]:4.0f} MB"
            say(f"{done:6} of {of}: {done / (monotonic() - began):6.2f} game numbers a second, {held}")

    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=end_with_parent) as workers:
        summary = experiment.run(games, WorkerPool(WatchingExecutor(workers) if watch else workers, jobs), moved)
    return summary, memory, monotonic() - began


def say(line: str) -> None:
    """Print a line without buffering."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
