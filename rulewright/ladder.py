"""Measure how strong players are: each against the next in duels with places changed.

In: a graph with its card, players from the weaker to the stronger, a seed. Out: a `Rung` for each pair of neighbors. A
block of games has one seed and the player on each side in turn, so what a side is worth falls out; who does better in
it has won the block. Blocks are played until they decide (runtime/experiment/evidence.py: at every moment the chance to
be told of a difference that is none is at most 1 in 20), or as many as were allowed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from rulewright.engines import PYTHON
from rulewright.errors import UsageError
from rulewright.games import game_of, known_players
from rulewright.many import Moved, not_moved, series_of
from runtime.experiment.evidence import decided, share_any_time
from runtime.experiment.intervals import Interval, Pairs
from runtime.experiment.outcome import Outcome, outcome
from runtime.graph import nodes as graph
from runtime.play.game import Game

SIDES = 2
# After so many games of two players whose rules broke no more are played: each may have taken seconds.
FAULTS = 4


@dataclass
class Rung:
    """Duels of a player with the one before: blocks that it won, lost, and drew; `games` and what came of them.

    `drawn` are games without a winner, `faults` those whose rules broke, which count for nobody. `exhausted`:
    whether one used up the budget of a game, so that no more are played. `reasons` say why the
    machine played games that a module was asked for, with how many.
    """

    player: str
    before: str
    blocks: Pairs = field(default_factory=lambda: Pairs(0, 0, 0, 0))
    games: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    faults: int = 0
    exhausted: bool = False
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def is_decided(self) -> bool:
        """Say whether one of the two is known to be the stronger."""
        return decided(self.blocks)

    @property
    def share(self) -> Interval:
        """Give the shares of decided blocks that the player may win, as far as is known."""
        return share_any_time(self.blocks)

    def count(self, results: Sequence[float | None]) -> None:
        """Count a block: 1 for each game won, 0 lost, 1/2 without a winner, None where the rules broke."""
        self.games += len(results)
        self.won += results.count(1.0)
        self.lost += results.count(0.0)
        self.drawn += results.count(0.5)
        self.faults += results.count(None)
        sound = [each for each in results if each is not None]
        middle = len(sound) / 2
        both, first, second, neither = self.blocks
        better, worse = sum(sound) > middle, sum(sound) < middle
        self.blocks = Pairs(both, first + worse, second + better, neither + (not better and not worse))


def ladder(
    rules: graph.Graph, names: Sequence[str], seed: str, most: int, engine: str, moved: Moved = not_moved
) -> Iterator[Rung]:
    """Let each player meet the one before, in at most so many games; `moved` hears how many of how many are played."""
    card = rules.scenario
    if card is None or len(card.order) != SIDES:
        raise UsageError("a ladder is for scenarios of two sides: with more, nobody meets one other player")
    if len(names) < 2:
        raise UsageError("name two players or more, the weaker ones first: `--players greedy,search:8`")
    for name in names:
        known_players(name, {})
    game = game_of(rules)
    whole = (len(names) - 1) * most
    for number, (before, player) in enumerate(pairwise(names)):
        rung = Rung(player, before)
        duel = _Duel(game, rung, engine)
        block = 0
        while rung.games + SIDES <= most and not rung.is_decided and rung.faults < FAULTS and not rung.exhausted:
            rung.count([duel.play(f"{seed}-{block}", side) for side in card.order])
            block += 1
            moved(number * most + rung.games, whole)
        yield rung


class _Duel:
    """Two players at one situation, in a module if that can be."""

    def __init__(self, game: Game, rung: Rung, engine: str) -> None:
        self.game = game
        self.rung = rung
        card = game.graph.scenario
        assert card is not None
        self.sides = card.order
        everybody = {side: rung.player if side == self.sides[0] else rung.before for side in self.sides}
        self.native, self.why = (None, "") if engine == PYTHON else series_of(game, everybody)
        self.is_machine = engine == PYTHON

    def play(self, seed: str, side: str) -> float | None:
        """Play one game, the player at a side and the one before at all others; give the player's result."""
        names = {each: self.rung.player if each == side else self.rung.before for each in self.sides}
        found = self._by_module(seed, names)
        if found is None:
            if not self.is_machine:
                self.rung.reasons[self.native.why if self.native else self.why] += 1
            found = outcome(self.game, {each: known_players(name, {}) for each, name in names.items()}, seed)
        self.rung.exhausted = self.rung.exhausted or found.exhausted
        if found.fault:
            return None
        return 0.5 if not found.winner else float(found.winner == side)

    def _by_module(self, seed: str, names: dict[str, str]) -> Outcome | None:
        if self.native is None:
            return None
        self.native.seat(names)
        return self.native.play(seed)


def rung_data(rung: Rung) -> dict[str, Any]:
    """Write a rung as data: `blocks` as won, lost, drawn; `share` the interval of blocks won among those decided."""
    return {
        "player": rung.player, "before": rung.before, "games": rung.games, "won": rung.won, "lost": rung.lost,
        "drawn": rung.drawn, "faults": rung.faults,
        "blocks": {"won": rung.blocks.second, "lost": rung.blocks.first, "drawn": rung.blocks.neither},
        "share": list(rung.share), "decided": rung.is_decided, "reasons": dict(rung.reasons),
    }  # fmt: skip
