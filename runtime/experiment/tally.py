"""Count games as they complete, without storing them: ten thousand take no more memory than ten.

The input is rows, in order. Pairs of which one game failed are excluded and recorded as faults, without imputation, and
other pairs of the same row count. The output is counts by seating and stack, and by seating and pairing, which
differences.py and summary.py read. All counts are whole numbers.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from runtime.experiment.duel import Duel, DuelTally
from runtime.experiment.game_outcome import Outcome
from runtime.experiment.leads import signed_level
from runtime.experiment.plan import HEARD, Row
from runtime.experiment.reachable_changes import Changes
from runtime.graph.unsettled_offer import UnsettledOffer, sum_offers

# The most games whose rules failed that are reported.
FAULTS_KEPT = 100
# The games with another winner that are named.
TURNED_KEPT = 3
# The suffix of the reason that stopped the last game of an experiment.
NO_MORE = "; no more games are played, now or when this is continued: more `--steps` need another `--out`"


class StackPair(NamedTuple):
    """Two stacks by number: the latter is compared with the former.

    `largest_lead`: the most levels by which a side can lead under either; None if there is no bound.
    """

    first: int
    second: int
    largest_lead: int | Fraction | None = None


class GameFault(NamedTuple):
    """A game whose rules failed."""

    rules: str
    seed: str
    message: str


@dataclass(slots=True)
class ArmTally:
    """The games of one stack with one seating. `counted_games`: those that `used` covers.

    `levels`: how often each side reached which place.

    `unsettled`: offers for which the budget did not always decide whether their `must` can still be met.
    """

    n: int = 0
    counted_games: int = 0
    draws: int = 0
    won: Counter[str] = field(default_factory=Counter)
    levels: Counter[tuple[str, int | Fraction]] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    choices: int = 0
    lost: Counter[tuple[str, str]] = field(default_factory=Counter)
    used: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    unsettled: tuple[UnsettledOffer, ...] = ()

    def add(self, game: Outcome, *, is_counted: bool = True) -> None:
        """Count a game; `is_counted`: whether uses were counted in it."""
        self.n += 1
        self.counted_games += is_counted
        self.won[game.winner] += 1
        self.draws += game.is_drawn
        self.lengths[game.turn] += 1
        self.choices += game.choices
        self.unsettled = sum_offers((*self.unsettled, *game.unsettled))
        self.levels.update(game.levels)
        for owner, counter, count in game.losses:
            self.lost[owner, counter] += count
        for key, *counts in game.used:
            reached, offered, used = map(sum, zip(self.used.get(key, (0, 0, 0)), counts, strict=True))
            self.used[key] = (reached, offered, used)


@dataclass(slots=True)
class PairedTally:
    """The paired games of two stacks with one seating.

    `winners`: the winners of both games, "" for a draw. `equal_pairs`: pairs whose games had the same winner, levels,
    turns and losses. `lead_changes`: how often the lead in levels of the counted side changed by so much, where leads
    are bounded; `lead_sums`: the sums of the leads under either stack. `unequal_leads`: pairs of games with one winner
    and different leads. `turned_seeds`: the first seeds whose games have different winners. `loss_changes`: how often
    the losses of a side's counter (of all: "") changed by so much; pairs without a change are left out.
    """

    largest_lead: int | Fraction | None = None
    equal_pairs: int = 0
    winners: Counter[tuple[str, str]] = field(default_factory=Counter)
    lead_changes: Counter[int | Fraction] = field(default_factory=Counter)
    lead_sums: tuple[int | Fraction, int | Fraction] = (0, 0)
    unequal_leads: int = 0
    turned_seeds: list[str] = field(default_factory=list)
    loss_changes: defaultdict[tuple[str, str], Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, first: Outcome, second: Outcome, side: str) -> None:
        """Count a pair of games."""
        self.equal_pairs += game_result(first) == game_result(second)
        self.winners[first.winner, second.winner] += 1
        if first.winner != second.winner and len(self.turned_seeds) < TURNED_KEPT:
            self.turned_seeds.append(first.seed)
        before, after = signed_level(first, side), signed_level(second, side)
        self.lead_sums = self.lead_sums[0] + before, self.lead_sums[1] + after
        self.unequal_leads += first.winner == second.winner and before != after
        if self.largest_lead is not None:
            most = 2 * self.largest_lead
            self.lead_changes[max(-most, min(most, after - before))] += 1
        for lost_counter, change in _loss_changes(first, second).items():
            self.loss_changes[lost_counter][change] += 1

    @property
    def n(self) -> int:
        """Return the number of pairs."""
        return self.winners.total()


@dataclass(slots=True)
class Tally:
    """An experiment under way. Players are numbered as in the plan's seatings; `changes` are those of each pairing.

    `reasons` counts the games that were left to the machine, by why. Uses are counted in the first
    `counted_game_limit` games.
    """

    stacks: tuple[str, ...]
    pairings: tuple[StackPair, ...]
    side: str
    seatings: int
    duels: tuple[Duel, ...] = ()
    changes: tuple[Changes, ...] = ()
    games: int = 0
    broken: int = 0
    faults: list[GameFault] = field(default_factory=list)
    counts: list[list[ArmTally]] = field(default_factory=list)
    gaps: list[list[PairedTally]] = field(default_factory=list)
    bouts: list[list[DuelTally]] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    counted_game_limit: int = HEARD

    def __post_init__(self) -> None:
        """Initialize the counts."""
        self.counts = [[ArmTally() for _ in self.stacks] for _ in range(self.seatings)]
        self.gaps = [[PairedTally(pairing.largest_lead) for _ in range(self.seatings)] for pairing in self.pairings]
        self.bouts = [[DuelTally() for _ in self.stacks] for _ in self.duels]

    def add(self, row: Row) -> None:
        """Count a row."""
        self.games += 1
        for counts, games in zip(self.counts, row, strict=True):
            self.reasons.update(game.by_machine for game in games if game.by_machine)
            self.note_faults(games)
            for number in self.counted_games(games):
                counts[number].add(games[number], is_counted=self.games <= self.counted_game_limit)
        for duel, bouts in zip(self.duels, self.bouts, strict=True):
            self._add_duel(duel, bouts, row)
        for pairing, gaps in zip(self.pairings, self.gaps, strict=True):
            for gap, games in zip(gaps, row, strict=True):
                before, after = games[pairing.first], games[pairing.second]
                if not (before.fault or after.fault):
                    gap.add(before, after, self.side)

    def _add_duel(self, duel: Duel, bouts: list[DuelTally], row: Row) -> None:
        for bout, first_game, second_game in zip(bouts, row[duel.first], row[duel.second], strict=True):
            if not (first_game.fault or second_game.fault):
                bout.add(signed_level(first_game, duel.side), signed_level(second_game, duel.exchanged_side))

    def counted_games(self, games: tuple[Outcome, ...]) -> set[int]:
        """Return the stacks whose game is counted: it did not fail, and if it has pairs, one of these is complete."""
        valid_stacks = {number for number, game in enumerate(games) if not game.fault}
        paired, complete_stacks = set[int](), set[int]()
        for pairing in self.pairings:
            stacks = {pairing.first, pairing.second}
            paired |= stacks
            if stacks <= valid_stacks:
                complete_stacks |= stacks
        return complete_stacks | (valid_stacks - paired)

    def note_faults(self, games: tuple[Outcome, ...]) -> None:
        """Record the games that failed."""
        found = [
            GameFault(stack, game.seed, f"{game.fault}{NO_MORE if game.exhausted else ''}")
            for stack, game in zip(self.stacks, games, strict=True)
            if game.fault
        ]
        self.broken += len(found)
        self.faults += found[: FAULTS_KEPT - len(self.faults)]

    def unsettled_offers(self) -> tuple[tuple[str, UnsettledOffer], ...]:
        """Return the unsettled offers of each stack, for all players."""
        columns = zip(self.stacks, zip(*self.counts, strict=True), strict=True)
        found = ((name, sum_offers(offer for count in games for offer in count.unsettled)) for name, games in columns)
        return tuple((name, offer) for name, offers in found for offer in offers)


def game_result(game: Outcome) -> tuple[object, ...]:
    """Return the counted result of a game, without decisions, as an offer ended at once is one without an effect."""
    return game.winner, game.levels, game.turn, game.losses


def _loss_changes(first: Outcome, second: Outcome) -> Counter[tuple[str, str]]:
    """Return by how much the losses of each counter of a side, and of all of them (""), are greater in the second."""
    changes: Counter[tuple[str, str]] = Counter()
    for game, sign in ((first, -1), (second, 1)):
        for side, counter, lost in game.losses:
            changes[side, counter] += sign * lost
            changes[side, ""] += sign * lost
    return changes
