"""Count games as they complete, without storing them: ten thousand take no more memory than ten.

The input is rows, in order. Pairs of which one game failed are excluded and recorded as faults, without imputation, and
other pairs of the same row count. The output is counts by seating and stack, and by seating and pairing, which
summary.py reads. All counts are whole numbers.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from runtime.experiment.duel import Duel, DuelTally
from runtime.experiment.game_outcome import Outcome
from runtime.experiment.leads import LEAD, LeadTally, leading_sides, signed_level
from runtime.experiment.plan import HEARD, Row
from runtime.experiment.reachable_changes import Changes
from runtime.experiment.share_intervals import ConfidenceInterval, PairedResults, Spread, newcombe_interval
from runtime.experiment.side_difference import pairs_of, shares_of
from runtime.graph.unsettled_offer import UnsettledOffer, sum_offers

# The most games whose rules failed that are reported.
FAULTS_KEPT = 100
# The suffix of the reason that stopped the last game of an experiment.
NO_MORE = "; no more games are played, now or when this is continued: more `--steps` need another `--out`"
# The points of the trail, the history of the estimate, which is thinned out as it grows.
TRAIL = 60


class StackPair(NamedTuple):
    """Two stacks by number: the latter is compared with the former."""

    first: int
    second: int


class Point(NamedTuple):
    """The difference after so many games."""

    games: int
    estimate: float
    interval: ConfidenceInterval


class GameFault(NamedTuple):
    """A game whose rules failed."""

    rules: str
    seed: str
    message: str


@dataclass(slots=True)
class ArmTally:
    """The games of one stack with one seating. `counted_games`: those that `fired` and `used` cover.

    `unsettled`: offers for which the budget did not always decide whether their `must` can still be met.
    """

    n: int = 0
    counted_games: int = 0
    draws: int = 0
    won: Counter[str] = field(default_factory=Counter)
    levels: defaultdict[str, int | Fraction] = field(default_factory=lambda: defaultdict(int))
    lengths: Counter[int] = field(default_factory=Counter)
    choices: int = 0
    lost: Counter[tuple[str, str]] = field(default_factory=Counter)
    fired: Counter[str] = field(default_factory=Counter)
    used: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    unsettled: tuple[UnsettledOffer, ...] = ()

    def add(self, game: Outcome, *, is_counted: bool = True) -> None:
        """Count a game; `is_counted`: whether live rules were counted in it."""
        self.n += 1
        self.counted_games += is_counted
        self.won[game.winner] += 1
        self.draws += game.is_drawn
        self.lengths[game.turn] += 1
        self.choices += game.choices
        self.unsettled = sum_offers((*self.unsettled, *game.unsettled))
        for owner, level in game.levels:
            self.levels[owner] += level
        for owner, counter, count in game.losses:
            self.lost[owner, counter] += count
        for label, count in game.fired:
            self.fired[label] += count
        for key, *counts in game.used:
            reached, offered, used = map(sum, zip(self.used.get(key, (0, 0, 0)), counts, strict=True))
            self.used[key] = (reached, offered, used)


@dataclass(slots=True)
class PairedTally:
    """The differences of the paired games of two stacks with one seating. `lost`: sums and squares by (side, counter).

    `winners`: the winners of both games, "" for a draw. `equal_pairs`: pairs whose games had the same winner, levels,
    turns and losses. `leads`: those in levels, of the counted side first. `own_levels`: the changes of the level of
    each side.
    """

    equal_pairs: int = 0
    winners: Counter[tuple[str, str]] = field(default_factory=Counter)
    leads: dict[str, LeadTally] = field(default_factory=dict)
    own_levels: dict[str, Spread] = field(default_factory=dict)
    turns: Spread = field(default_factory=Spread)
    choices: Spread = field(default_factory=Spread)
    lost: dict[tuple[str, str], Spread] = field(default_factory=dict)
    running_estimates: list[Point] = field(default_factory=list)
    step: int = 1

    def add(self, first: Outcome, second: Outcome, side: str) -> None:
        """Count a pair of games."""
        self.equal_pairs += game_result(first) == game_result(second)
        self.winners[first.winner, second.winner] += 1
        for owner in leading_sides(first, side):
            self.leads.setdefault(owner, LeadTally()).add(first, second, owner)
        before = dict(first.levels)
        for owner, level in second.levels:
            self.own_levels.setdefault(owner, Spread()).add(level - before.get(owner, 0))
        self.turns.add(second.turn - first.turn)
        self.choices.add(second.choices - first.choices)
        change = count_losses(second)
        change.subtract(count_losses(first))
        for loss_key, count in change.items():
            self.lost.setdefault(loss_key, Spread()).add(count)
        self.record_trail(side)

    @property
    def n(self) -> int:
        """Return the number of pairs."""
        return self.winners.total()

    def record_trail(self, side: str) -> None:
        """Record the difference at intervals."""
        if self.n % self.step:
            return
        pairs = pairs_of(self.winners, side)
        self.running_estimates.append(Point(pairs.n, (pairs.second - pairs.first) / pairs.n, newcombe_interval(pairs)))
        if len(self.running_estimates) == TRAIL:
            del self.running_estimates[::2]
            self.step *= 2


# Who won the two games of a pair, "" for a draw, and the change of the lead of the counted side; None if one failed.
PlayedPair = tuple[str, str, int | Fraction] | None


@dataclass(slots=True)
class Tally:
    """An experiment under way. Players are numbered as in the plan's seatings; `changes` are those of each pairing.

    `reasons` counts the games that were left to the machine, by why. Rules are counted in the first
    `counted_game_limit` games. `played` counts, for every pairing, the pairs of all seatings, where there are several.
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
    played: list[Counter[tuple[PlayedPair, ...]]] = field(default_factory=list)
    bouts: list[list[DuelTally]] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    counted_game_limit: int = HEARD

    def __post_init__(self) -> None:
        """Initialize the counts."""
        self.counts = [[ArmTally() for _ in self.stacks] for _ in range(self.seatings)]
        self.gaps = [[PairedTally() for _ in range(self.seatings)] for _ in self.pairings]
        self.played = [Counter() for _ in self.pairings]
        self.bouts = [[DuelTally() for _ in self.stacks] for _ in self.duels]

    def add(self, row: Row) -> None:
        """Count a row."""
        self.games += 1
        self.reasons.update(game.by_machine for games in row for game in games if game.by_machine)
        for counts, games in zip(self.counts, row, strict=True):
            self.note_faults(games)
            counted = self.counted_games(games)
            for number, (count, game) in enumerate(zip(counts, games, strict=True)):
                if number in counted:
                    count.add(game, is_counted=self.games <= self.counted_game_limit)
        for duel, bouts in zip(self.duels, self.bouts, strict=True):
            for bout, first_game, second_game in zip(bouts, row[duel.first], row[duel.second], strict=True):
                if not (first_game.fault or second_game.fault):
                    bout.add(signed_level(first_game, duel.side), signed_level(second_game, duel.exchanged_side))
        for number, (first, second) in enumerate(self.pairings):
            played: list[PlayedPair] = []
            for gap, games in zip(self.gaps[number], row, strict=True):
                before, after = games[first], games[second]
                if before.fault or after.fault:
                    played.append(None)
                else:
                    gap.add(before, after, self.side)
                    change = signed_level(after, self.side) - signed_level(before, self.side)
                    played.append((before.winner, after.winner, change))
            if self.seatings > 1:
                self.played[number][tuple(played)] += 1

    def effect_sums(self, pairing: int, side: str, weights: Mapping[int, int]) -> Counter[int | Fraction]:
        """Count the weighted sums of the effects on a share, or on the LEAD, that seatings see in games of one seed."""
        found: Counter[int | Fraction] = Counter()
        for played, times in self.played[pairing].items():
            seen = [(pair, weight) for seat, weight in weights.items() if (pair := played[seat])]
            if len(seen) == len(weights):
                found[
                    sum(
                        weight * (change if side == LEAD else (after == side) - (before == side))
                        for (before, after, change), weight in seen
                    )
                ] += times
        return found

    def counted_games(self, games: tuple[Outcome, ...]) -> set[int]:
        """Return the stacks whose game is counted: it did not fail, and if it has pairs, one of these is complete."""
        valid_stacks = {number for number, game in enumerate(games) if not game.fault}
        paired = {number for pairing in self.pairings for number in pairing}
        complete_stacks = {
            number for pairing in self.pairings if valid_stacks.issuperset(pairing) for number in pairing
        }
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

    def differences(self, sides: Sequence[str]) -> list[list[PairedResults]]:
        """Return the pairs of each side, and of draws where there are any, for every pairing with every seating."""
        every = (gap.winners for gaps in self.gaps for gap in gaps)
        return [[pairs_of(winners, side) for side in shares_of(winners, sides)] for winners in every]

    def level_evidence(self) -> list[list[float]]:
        """Return the evidence on each lead that is tested, for every pairing with every seating."""
        return [
            [log for lead in gap.leads.values() if (log := lead.evidence()) is not None]
            for gaps in self.gaps
            for gap in gaps
        ]


def game_result(game: Outcome) -> tuple[object, ...]:
    """Return the counted result of a game, without decisions, as an offer ended at once is one without an effect."""
    return game.winner, game.levels, game.turn, game.losses


def count_losses(game: Outcome) -> Counter[tuple[str, str]]:
    """Count the losses of a game by (side, counter), and by (side, "") for all of a side."""
    lost = Counter({(owner, counter): count for owner, counter, count in game.losses})
    for owner, _, count in game.losses:
        lost[owner, ""] += count
    return lost
