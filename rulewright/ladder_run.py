"""Measure the strength of players, each against the next in duels with exchanged sides.

In: a graph with its card, players from the weaker to the stronger, a seed. Out: a `LadderStep` for each pair of
neighbors. A block of games has one seed and the player on each side in turn, so that the value of a side cancels out. A
block is won by the player with more wins, or with equal wins at higher levels. Blocks are played until it is
established who is stronger, or that the gain is below a margin, by an interval that holds after every block
(runtime/experiment/mean_interval.py: it misses with a probability of 0.05 at most), or up to a limit.

Restricted play is a ladder too: a player against itself, where one may never start one of the actions.
It measures the loss, so that blocks are also played until the loss is below the margin.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rulewright.engines import require_engine
from rulewright.errors import UsageError, suggestion_text
from rulewright.games import known_players
from rulewright.lab.experiment import Experiment, ExperimentStack
from rulewright.lab.results import Results
from rulewright.player_code import PlayerCode, Roster
from rulewright.progress import ProgressListener
from runtime.experiment.duel import DuelResults
from runtime.experiment.game_outcome import Outcome
from runtime.experiment.leads import signed_level
from runtime.experiment.mean_interval import ConfidenceInterval
from runtime.experiment.plan import Row
from runtime.experiment.processes import WorkerPool
from runtime.graph import nodes as graph
from runtime.graph.digest import graph_digest
from runtime.graph.steps import offered_actions
from runtime.graph.unsettled_offer import UnsettledOffer, sum_offers

SIDES = 2
# The number of games with faults after which a duel is stopped, since each may take seconds.
FAULTS = 4
# The default margin, 3 games of 100: a smaller gain does not justify a doubled budget.
MARGIN = 0.03

OpenResultsFunction = Callable[[Experiment, str], AbstractContextManager[Results | None]]


@dataclass
class LadderStep:
    """The duels of a player with the one before: blocks won, lost and drawn; `games` and their results.

    `drawn` are games without a winner, `faults` games stopped by an error, which are ignored, `first_fault` the error
    of the first. `exhausted`: a game used up its budget, so that no more are played. `reasons` are why the machine
    played games of this run for which a module was requested, with counts. `won_by` counts games by side.
    `is_restricted`: the player may not start an action that the one before may. `unsettled` are offers whose
    completability the budget did not always decide.
    """

    player: str
    opponent: str
    margin: float
    blocks: DuelResults = field(default_factory=DuelResults)
    games: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    faults: int = 0
    first_fault: str = ""
    exhausted: bool = False
    reasons: Counter[str] = field(default_factory=Counter)
    won_by: Counter[str] = field(default_factory=Counter)
    unsettled: tuple[UnsettledOffer, ...] = ()
    is_restricted: bool = False

    @property
    def is_decided(self) -> bool:
        """Return whether it is established which of the two is stronger."""
        return self.gain_interval.excludes_zero

    @property
    def is_equivalent(self) -> bool:
        """Return whether it is established that the players differ by less than the margin."""
        return self.gain_interval.is_within(self.margin)

    @property
    def is_gain_small(self) -> bool:
        """Return whether it is established that the gain is below the margin; it may be a loss."""
        return self.gain_interval.high < self.margin

    @property
    def gain(self) -> float:
        """Return the share of blocks won, drawn ones as half, minus one half."""
        return self.blocks.gain / 2

    @property
    def gain_interval(self) -> ConfidenceInterval:
        """Return the confidence interval of the gain."""
        return self.blocks.gain_interval().divided(2)

    @property
    def needs_games(self) -> bool:
        """Return whether further games are needed."""
        settled = self.is_decided or (self.is_equivalent if self.is_restricted else self.is_gain_small)
        return not settled and self.faults < FAULTS and not self.exhausted

    def count_block(self, results: Sequence[float | None], level: int | Fraction) -> None:
        """Count a block: 1 for each game won, 0 lost, 1/2 without a winner, None for a fault.

        `level` decides a block with equal wins: positive if the player won at higher levels.
        """
        self.games += len(results)
        self.won += results.count(1.0)
        self.lost += results.count(0.0)
        self.drawn += results.count(0.5)
        self.faults += results.count(None)
        valid_results = [each for each in results if each is not None]
        if len(valid_results) < len(results):
            return  # Games from one side only would be biased by the side.
        lead = sum(valid_results) - len(valid_results) / 2 or level
        self.blocks = self.blocks.with_pair(lead)

    def add(self, games: Sequence[tuple[Outcome, str]]) -> None:
        """Count a block of games, each with the side of the player."""
        results: list[float | None] = []
        level: int | Fraction = 0
        for game, side in games:
            self.exhausted = self.exhausted or game.exhausted
            if game.unsettled:
                self.unsettled = sum_offers((*self.unsettled, *game.unsettled))
            if game.by_machine:
                self.reasons[game.by_machine] += 1
            if game.fault:
                self.first_fault = self.first_fault or f"{game.fault} (seed {game.seed})"
                results.append(None)
                continue
            self.won_by[game.winner] += 1
            level += signed_level(game, side)
            results.append(0.5 if not game.winner else float(game.winner == side))
        self.count_block(results, level)


@dataclass(frozen=True, slots=True)
class LadderDuel:
    """A duel of two players: the games of a block by (seating, stack, side), the position of an outcome in a row."""

    player: str
    opponent: str
    experiment: Experiment
    places: tuple[tuple[int, int, str], ...]

    def block_games(self, row: Row) -> list[tuple[Outcome, str]]:
        """Return the games of a block, with the side of the player."""
        return [(row[seating][stack], side) for seating, stack, side in self.places]


@dataclass(frozen=True, slots=True)
class LadderPlan:
    """The plan of a ladder: a graph with a card, the players, the engine, and the limit of games.

    `player_code` is the code of external players.
    """

    rules: graph.Graph
    names: Sequence[str]
    seed: str
    most: int
    engine: str
    margin: float
    forbidden: Sequence[str]
    player_code: tuple[PlayerCode, ...] = ()

    def __post_init__(self) -> None:
        """Check the plan; `UsageError` if it is invalid."""
        require_engine(self.engine)
        card = self.rules.scenario
        if card is None or len(card.order) != SIDES:
            raise UsageError("a ladder is for scenarios of two sides: with more, nobody meets one other player")
        if len(self.names) < (1 if self.forbidden else 2):
            raise UsageError("name two players or more, the weaker ones first: `--players greedy,search:8`")
        others = Roster(self.player_code).players()
        for name in self.names:
            known_players(name, others)

    @property
    def sides(self) -> tuple[str, ...]:
        """Return the sides."""
        assert self.rules.scenario is not None
        return tuple(self.rules.scenario.order)

    def planned_duels(self) -> Iterator[LadderDuel]:
        """Yield the duels: of neighbors, or of the last player with itself without one of the forbidden actions."""
        if not self.forbidden:
            for opponent, player in pairwise(self.names):
                seatings = tuple(
                    tuple((side, player if side == player_side else opponent) for side in self.sides)
                    for player_side in self.sides
                )
                places = tuple((number, 0, side) for number, side in enumerate(self.sides))
                yield LadderDuel(player, opponent, self._experiment({"": self.rules}, seatings), places)
        for action in self.forbidden:
            player = self.names[-1]
            stacks = {f"{side} without {action}": without_action(self.rules, action, side) for side in self.sides}
            seatings = (tuple((side, player) for side in self.sides),)
            places = tuple((0, number, side) for number, side in enumerate(self.sides))
            yield LadderDuel(f"{player} without {action}", player, self._experiment(stacks, seatings), places)

    def _experiment(self, stacks: Mapping[str, graph.Graph], seatings: tuple[Any, ...]) -> Experiment:
        played = tuple(ExperimentStack(name or rules.stack, rules, None) for name, rules in stacks.items())
        seated = {name for seating in seatings for _, name in seating}
        code = tuple(each for each in self.player_code if each.name in seated)
        return Experiment(played, seatings, self.seed, self.sides[0], code, self.engine, counted_games=0)

    def play_steps(
        self, pool: WorkerPool, open_results: OpenResultsFunction, moved: ProgressListener
    ) -> Iterator[LadderStep]:
        """Yield the steps; `open_results` opens the results of an experiment, `moved` receives the number of games."""
        total_games = len(self.forbidden or self.names[1:]) * self.most
        for number, duel in enumerate(self.planned_duels()):
            step = LadderStep(duel.player, duel.opponent, self.margin, is_restricted=bool(self.forbidden))
            with open_results(duel.experiment, f"{duel.player} against {duel.opponent}") as results:
                for row in duel.experiment.rows(self.most // SIDES, pool, results, _unheard):
                    step.add(duel.block_games(row))
                    moved(number * self.most + step.games, total_games)
                    if not step.needs_games:
                        break
            yield step


def _unheard(_: int) -> None:
    """Ignore the number of stored games."""


def rung_data(rung: LadderStep) -> dict[str, Any]:
    """Return a step as data; `gain` is the share of blocks won, drawn ones as half, minus one half."""
    return {
        "player": rung.player,
        "before": rung.opponent,
        "games": rung.games,
        "won": rung.won,
        "lost": rung.lost,
        "drawn": rung.drawn,
        "faults": rung.faults,
        "first_fault": rung.first_fault,
        "exhausted": rung.exhausted,
        "blocks": {"won": rung.blocks.better, "lost": rung.blocks.worse, "drawn": rung.blocks.equal},
        "gain": rung.gain,
        "gain_interval": list(rung.gain_interval),
        "decided": rung.is_decided,
        "same": rung.is_equivalent,
        "gains_less": rung.is_gain_small,
        "margin": rung.margin,
        "won_by": dict(rung.won_by),
        "unsettled": [offer.data() for offer in rung.unsettled],
    }


SIDE = "side"


def without_action(rules: graph.Graph, action: str, side: str) -> graph.Graph:
    """Return a graph in which a side may not start an action."""
    known = offered_actions(rules)
    if action not in known:
        raise UsageError(f"no action `{action}` is offered here; {suggestion_text(action, known)}")
    key = f"action:{action}"
    procedure = rules.procedures[key]
    other = graph.Legal(graph.Op("!=", (graph.Var("player"), graph.Member(SIDE, side))))
    changed = replace(rules, procedures={**rules.procedures, key: replace(procedure, body=(other, *procedure.body))})
    return replace(changed, hash=graph_digest(changed))
