"""Plan an experiment and play its games: paired seeds over stacks and players.

In: a `Plan`, all plain data. Out: for every game number a `Row`, the outcomes by seating and by stack.
Game n has the same seed under every stack and with every seating, so all of them throw the same
dice as long as they do the same (runtime/play/dice.py says how long that is). Nothing depends on
who plays which batch: the result is the same on one process and on many.

A batch carries its graphs as text, and a process reads each text once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from runtime.answer.code import ANSWERING, HEARING, CodeOf, none_known
from runtime.answer.generate import Compiled
from runtime.answer.work import MOST_MEMBERS, limited
from runtime.experiment.listening import Listening
from runtime.experiment.outcome import Outcome, outcome
from runtime.experiment.uses import Uses
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

PlayerOf = Callable[[str], Player]


def anybody() -> None:
    """Let every process play."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: canonical graphs, seatings, a seed, whether rules are counted, and where code is known from.

    `watched` are the keys of the changes that stand in each graph (changes.py); none, if nothing is compared.
    `player_of` finds the players; `admit` is called by every process before it plays, and raises if it may not.
    `members` is the budget of each decision (runtime/answer/work.py), in every process.
    """

    graphs: tuple[str, ...]
    seatings: tuple[Seating, ...]
    seed: str
    counts_rules: bool
    code_of: CodeOf = none_known
    watched: tuple[tuple[str, ...], ...] = ()
    player_of: PlayerOf = player_named
    admit: Callable[[], None] = anybody
    members: int = MOST_MEMBERS


@dataclass(frozen=True, slots=True)
class Batch:
    """Games `first` up to, but not including, `end`."""

    plan: Plan
    first: int
    end: int


def play_batch(batch: Batch) -> list[Row]:
    """Play a batch of games, each with every seating and under every stack."""
    with _ALONE, limited(batch.plan.members):
        batch.plan.admit()
        return [play_row(batch.plan, number) for number in range(batch.first, batch.end)]


def play_row(plan: Plan, number: int) -> Row:
    """Play one game number."""
    seed = f"{plan.seed}-{number}"
    watched = plan.watched or ((),) * len(plan.graphs)
    return tuple(
        tuple(
            play(Stack(text, keys), plan, {side: plan.player_of(name) for side, name in seating}, seed)
            for text, keys in zip(plan.graphs, watched, strict=True)
        )
        for seating in plan.seatings
    )


class Stack(NamedTuple):
    """A graph as text, and what is watched of it."""

    text: str
    watched: tuple[str, ...]


class Prepared(NamedTuple):
    """A graph ready to play, who listens to what is carried out, and who watches what is changed."""

    game: Game
    listener: Listening | None
    uses: Uses | None


@lru_cache(maxsize=READY)
def prepare(stack: Stack, counts_rules: bool, code_of: CodeOf) -> Prepared:  # noqa: FBT001 - a key.
    """Make a graph ready to play, once a process, and listen to it if rules are counted."""
    rules = decode(stack.text)
    listener = Listening(rules, code_of(rules, HEARING)) if counts_rules or stack.watched else None
    stay_for_good()
    game = Game(rules, Compiled(rules, code=code_of(rules, ANSWERING)), listener)
    if listener is None or not stack.watched:
        return Prepared(game, listener, None)
    uses = Uses(game, stack.watched, listener, code_of(rules, HEARING))
    game.tracer = uses
    return Prepared(game, listener, uses)


def play(stack: Stack, plan: Plan, players: Mapping[str, Player], seed: str) -> Outcome:
    """Play one game under one stack."""
    game, listener, uses = prepare(stack, plan.counts_rules, plan.code_of)
    played = outcome(game, players, seed, uses.counted) if uses else outcome(game, players, seed)
    fired = listener.fired() if listener else {}
    return replace(played, fired=tuple(sorted(fired.items()))) if plan.counts_rules else played
