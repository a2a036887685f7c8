"""Plan an experiment and play its games: paired seeds over stacks and players.

In: a `Plan`, all plain data. Out: for every game number a `Row`, the outcomes by seating and by stack.
Game n has the same seed under every stack and with every seating, so all of them throw the same
dice as long as they do the same (runtime/play/dice.py says how long that is). Nothing depends on
who plays which batch: the result is the same on one process and on many.

A batch carries its graphs as text, and a process reads each text once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock

from runtime.answer.code import ANSWERING, HEARING, CodeOf, none_known
from runtime.answer.generate import Compiled
from runtime.experiment.listening import Listening
from runtime.experiment.outcome import Outcome, outcome
from runtime.graph.codec import decode
from runtime.play.game import Game
from runtime.play.lasting import stay_for_good
from runtime.players.named import player_named
from runtime.players.player import Player

# Who plays which side: (side, a name that `player_named` knows), in the order of the card.
Seating = tuple[tuple[str, str], ...]
Row = tuple[tuple[Outcome, ...], ...]

# A game that is ready to play is played by one thread at a time: its listener counts, its evaluator remembers.
# A worker of a cluster may well have several threads.
_ALONE = Lock()
# Every stack of an experiment is kept ready, and no more stacks than an experiment has.
READY = 32


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: canonical graphs, seatings, a seed, whether rules are counted, and where code is known from."""

    graphs: tuple[str, ...]
    seatings: tuple[Seating, ...]
    seed: str
    counts_rules: bool
    code_of: CodeOf = none_known


@dataclass(frozen=True, slots=True)
class Batch:
    """Games `first` up to, but not including, `end`."""

    plan: Plan
    first: int
    end: int


def play_batch(batch: Batch) -> list[Row]:
    """Play a batch of games, each with every seating and under every stack."""
    with _ALONE:
        return [play_row(batch.plan, number) for number in range(batch.first, batch.end)]


def play_row(plan: Plan, number: int) -> Row:
    """Play one game number."""
    seed = f"{plan.seed}-{number}"
    return tuple(
        tuple(play(text, plan, {side: player_named(name) for side, name in seating}, seed) for text in plan.graphs)
        for seating in plan.seatings
    )


@lru_cache(maxsize=READY)
def prepare(text: str, counts_rules: bool, code_of: CodeOf) -> tuple[Game, Listening | None]:  # noqa: FBT001 - a key.
    """Make a graph ready to play, once a process, and listen to it if rules are counted."""
    rules = decode(text)
    listener = Listening(rules, code_of(rules, HEARING)) if counts_rules else None
    stay_for_good()
    return Game(rules, Compiled(rules, code=code_of(rules, ANSWERING)), listener), listener


def play(text: str, plan: Plan, players: Mapping[str, Player], seed: str) -> Outcome:
    """Play one game under one stack."""
    game, listener = prepare(text, plan.counts_rules, plan.code_of)
    played = outcome(game, players, seed)
    return replace(played, fired=tuple(sorted(listener.fired().items()))) if listener else played
