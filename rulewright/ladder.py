"""Measure how strong players are: each against the next in duels with places changed.

In: a graph with its card, players from the weaker to the stronger, a seed. Out: a `LadderStep` for each pair of
neighbors. A block of games has one seed and the player on each side in turn, so what a side is worth falls out. Who
wins more games of a block has won it; where both win as many, who does so at the higher levels. Blocks are played until
it is settled who is the stronger, or that the gain is below a margin (runtime/experiment/evidence.py, equivalence.py:
at every moment the chance to be told of either wrongly is at most 1 in 20), or as many as were allowed.

Restricted play is a ladder, too: a player against himself, who may never begin one of the actions
(restricted_actions.py). What is lost by that is looked for there, so that blocks are played until the loss is below the
margin as well.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rulewright.engines import NATIVE, PYTHON, available_engine
from rulewright.errors import UsageError
from rulewright.games import known_players
from rulewright.lab.experiment import Experiment, ExperimentStack
from rulewright.lab.results import Results
from rulewright.many_games import Moved, not_moved
from rulewright.restricted_actions import without_action
from runtime.experiment.equivalence import mean_any_time, p_less, p_same
from runtime.experiment.evidence import is_decided, share_any_time
from runtime.experiment.intervals import Interval, Pairs
from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.outcome import Outcome
from runtime.experiment.plan import Row
from runtime.experiment.processes import WorkerPool
from runtime.experiment.tally import signed_level
from runtime.graph import nodes as graph
from runtime.graph.unsettled_offer import UnsettledOffer, summed_up

SIDES = 2
# After so many games of two players whose rules broke no more are played: each may have taken seconds.
FAULTS = 4
# A gain below this is none that is worth twice the thinking: 3 games of 100.
MARGIN = 0.03

Kept = Callable[[Experiment, str], AbstractContextManager[Results | None]]


def not_kept(_: Experiment, __: str) -> AbstractContextManager[None]:
    """Keep no results."""
    return nullcontext()


@dataclass
class LadderStep:
    """Duels of a player with the one before: blocks that it won, lost, and drew; `games` and what came of them.

    `drawn` are games without a winner, `faults` those whose rules broke, which count for neither. `exhausted`:
    whether one used up the budget of a game, so that no more are played. `reasons` say why the
    machine played games that a module was asked for, with how many. `won_by`: games by side. `is_restricted`: whether
    the player may not begin an action that the one before may. `unsettled`: offers of
    which the budget did not always tell whether what has to be so in the end still can be.
    """

    player: str
    before: str
    margin: float = MARGIN
    blocks: Pairs = field(default_factory=lambda: Pairs(0, 0, 0, 0))
    games: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    faults: int = 0
    exhausted: bool = False
    reasons: Counter[str] = field(default_factory=Counter)
    won_by: Counter[str] = field(default_factory=Counter)
    unsettled: tuple[UnsettledOffer, ...] = ()
    is_restricted: bool = False

    @property
    def is_decided(self) -> bool:
        """Return whether one of the two is known to be the stronger."""
        return is_decided(self.blocks)

    @property
    def is_same(self) -> bool:
        """Return whether neither is the stronger by the margin: a gain is half the mean of blocks."""
        return p_same(self.blocks, 2 * self.margin) <= ERROR

    @property
    def gains_less(self) -> bool:
        """Return whether the gain is below the margin; it may be a loss, however great."""
        return p_less(self.blocks, 2 * self.margin) <= ERROR

    @property
    def share(self) -> Interval:
        """Return the shares of decided blocks that the player may win, as far as is known."""
        return share_any_time(self.blocks)

    @property
    def gain(self) -> float:
        """Return the share of blocks won, drawn ones as half, above one half."""
        return (self.blocks.second - self.blocks.first) / max(1, self.blocks.n) / 2

    @property
    def gain_interval(self) -> Interval:
        """Return the gains that are possible, as far as is known."""
        low, high = mean_any_time(self.blocks)
        return Interval(low / 2, high / 2)

    @property
    def goes_on(self) -> bool:
        """Return whether more games would tell more."""
        settled = self.is_decided or (self.is_same if self.is_restricted else self.gains_less)
        return not settled and self.faults < FAULTS and not self.exhausted

    def count_block(self, results: Sequence[float | None], level: int | Fraction = 0) -> None:
        """Count a block: 1 for each game won, 0 lost, 1/2 without a winner, None where the rules broke.

        `level` settles it where both win as many: positive where the player did so at higher levels.
        """
        self.games += len(results)
        self.won += results.count(1.0)
        self.lost += results.count(0.0)
        self.drawn += results.count(0.5)
        self.faults += results.count(None)
        sound = [each for each in results if each is not None]
        if len(sound) < len(results):
            return  # From one side alone it would tell who sat where.
        ahead = sum(sound) - len(sound) / 2 or level
        both, first, second, neither = self.blocks
        self.blocks = Pairs(both, first + (ahead < 0), second + (ahead > 0), neither + (not ahead))

    def add(self, games: Sequence[tuple[Outcome, str]]) -> None:
        """Count a block of games, each with the side at which the player sat."""
        results: list[float | None] = []
        level: int | Fraction = 0
        for game, side in games:
            self.exhausted = self.exhausted or game.exhausted
            if game.unsettled:
                self.unsettled = summed_up((*self.unsettled, *game.unsettled))
            if game.by_machine:
                self.reasons[game.by_machine] += 1
            if game.fault:
                results.append(None)
                continue
            self.won_by[game.winner] += 1
            level += signed_level(game, side)
            results.append(0.5 if not game.winner else float(game.winner == side))
        self.count_block(results, level)


@dataclass(frozen=True, slots=True)
class LadderDuel:
    """Two who meet: games of one block by the place of their outcome in a row, (seating, stack), with the side."""

    player: str
    before: str
    experiment: Experiment
    places: tuple[tuple[int, int, str], ...]

    def block_games(self, row: Row) -> list[tuple[Outcome, str]]:
        """Find the games of a block, with the side at which the player sat."""
        return [(row[seating][stack], side) for seating, stack, side in self.places]


@dataclass(frozen=True, slots=True)
class LadderPlan:
    """The plan of a ladder: rules with a card, the players, how the games are played, and how many at most."""

    rules: graph.Graph
    names: Sequence[str]
    seed: str
    most: int
    engine: str = NATIVE
    margin: float = MARGIN
    forbidden: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Refuse what makes no ladder."""
        available_engine(self.engine)
        card = self.rules.scenario
        if card is None or len(card.order) != SIDES:
            raise UsageError("a ladder is for scenarios of two sides: with more, nobody meets one other player")
        if len(self.names) < (1 if self.forbidden else 2):
            raise UsageError("name two players or more, the weaker ones first: `--players greedy,search:8`")
        for name in self.names:
            known_players(name, {})

    @property
    def sides(self) -> tuple[str, ...]:
        """Name the sides."""
        assert self.rules.scenario is not None
        return tuple(self.rules.scenario.order)

    def planned_duels(self) -> Iterator[LadderDuel]:
        """Yield the duels: of neighbors, or of the last player without a forbidden action against itself with it."""
        if not self.forbidden:
            for before, player in pairwise(self.names):
                seatings = tuple(
                    tuple((side, player if side == own else before) for side in self.sides) for own in self.sides
                )
                places = tuple((number, 0, side) for number, side in enumerate(self.sides))
                yield LadderDuel(player, before, self._experiment({"": self.rules}, seatings), places)
        for action in self.forbidden:
            player = self.names[-1]
            stacks = {f"{side} without {action}": without_action(self.rules, action, side) for side in self.sides}
            everybody = (tuple((side, player) for side in self.sides),)
            places = tuple((0, number, side) for number, side in enumerate(self.sides))
            yield LadderDuel(f"{player} without {action}", player, self._experiment(stacks, everybody), places)

    def _experiment(self, stacks: Mapping[str, graph.Graph], seatings: tuple[Any, ...]) -> Experiment:
        played = tuple(ExperimentStack(name or rules.stack, rules, None) for name, rules in stacks.items())
        return Experiment(played, seatings, self.seed, self.sides[0], engine=self.engine, heard=0)

    def play_steps(self, hands: WorkerPool, kept: Kept = not_kept, moved: Moved = not_moved) -> Iterator[LadderStep]:
        """Yield the steps; `kept` opens the file of an experiment's results, `moved` is given the games played."""
        whole = len(self.forbidden or self.names[1:]) * self.most
        for number, meeting in enumerate(self.planned_duels()):
            rung = LadderStep(meeting.player, meeting.before, self.margin, is_restricted=bool(self.forbidden))
            with kept(meeting.experiment, f"{meeting.player} against {meeting.before}") as results:
                for row in meeting.experiment.rows(self.most // SIDES, hands, results, _unheard):
                    rung.add(meeting.block_games(row))
                    moved(number * self.most + rung.games, whole)
                    if not rung.goes_on:
                        break
            yield rung


def _unheard(_: int) -> None:
    """Ignore the number of games that were kept."""


def play_ladder(
    rules: graph.Graph, names: Sequence[str], seed: str, most: int, engine: str = PYTHON
) -> list[LadderStep]:
    """Play each player against the one before, in at most so many games, in this process."""
    return list(LadderPlan(rules, names, seed, most, engine).play_steps(WorkerPool(None, 1)))


def rung_data(rung: LadderStep) -> dict[str, Any]:
    """Write a rung as data: `blocks` as won, lost, drawn; `share` the interval of blocks won among those decided.

    `gain` is the share of blocks won, drawn ones as half, above one half, with its interval.
    """
    return {
        "player": rung.player, "before": rung.before, "games": rung.games, "won": rung.won, "lost": rung.lost,
        "drawn": rung.drawn, "faults": rung.faults,
        "blocks": {"won": rung.blocks.second, "lost": rung.blocks.first, "drawn": rung.blocks.neither},
        "share": list(rung.share), "gain": rung.gain, "gain_interval": list(rung.gain_interval),
        "decided": rung.is_decided, "same": rung.is_same, "gains_less": rung.gains_less,
        "margin": rung.margin, "won_by": dict(rung.won_by),
        "reasons": dict(rung.reasons), "unsettled": [offer.data() for offer in rung.unsettled],
    }  # fmt: skip
