"""Summarize an experiment: how often each side wins under each stack, what stacks change, and who plays better.

The input is a tally, the names of the seatings, and why the experiment ended; the output is a `Summary`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from runtime.experiment.differences import ArmDifference, compute_differences, interval_error, mean, mean_length
from runtime.experiment.duel import Duel, DuelResults, DuelTally
from runtime.experiment.mean_interval import ConfidenceInterval, share_interval
from runtime.experiment.plan import HEARD
from runtime.experiment.stopping import EQUALITY_MARGIN, StoppingRule
from runtime.experiment.tally import ArmTally, GameFault, Tally
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.records.measuring import ArmRecord
from runtime.graph.unsettled_offer import UnsettledOffer

# Shares are printed with three digits at most; more digits than the interval supports would be misleading.
DIGITS = 4

T = TypeVar("T")


@frozen_dataclass
class DuelSummary:
    """Two players who met on both sides under one stack: what `player` won, lost and drew, and the mean lead in levels.

    Of the pairs of games with one seed so many came out better and worse for `player`; `interval` is that of the
    difference, as a share of all pairs. `always`: the side that won all games, whoever played it, or "".
    """

    rules: str
    player: str
    opponent: str
    wins: int
    losses: int
    draws: int
    level: float
    pairs: DuelResults
    interval: ConfidenceInterval
    error: float
    always: str


@frozen_dataclass
class Summary:
    """The summary of an experiment, from the point of view of one side; `sides` have their noun phrases.

    `stopped`: why it ended before its
    last game, or "". `reasons`: why games of this run were left to the machine, and how many. `unknown`: (rules, than,
    players) where the rules failed in each pair. `unsettled`: by stack, offers for which the budget did not decide
    whether their `must` can still be met.
    """

    side: str
    sides: Mapping[str, str]
    stacks: tuple[str, ...]
    games: int
    stopped: str
    arms: tuple[ArmRecord, ...]
    differences: tuple[ArmDifference, ...]
    duels: tuple[DuelSummary, ...]
    faults: tuple[GameFault, ...]
    broken: int
    margin: float = EQUALITY_MARGIN
    reasons: tuple[tuple[str, int], ...] = ()
    unsettled: tuple[tuple[str, UnsettledOffer], ...] = ()
    counted_games: int = HEARD
    unknown: tuple[tuple[str, str, str], ...] = ()

    @property
    def counted_games_text(self) -> str:
        """Return in which games uses were counted; "" if in all."""
        return f"in the first {self.counted_games} games" if self.games > self.counted_games else ""

    @property
    def seatings(self) -> tuple[str, ...]:
        """Return the names of the seatings."""
        return tuple(dict.fromkeys(arm["players"] for arm in self.arms))


def summarize_results(
    tally: Tally, players: Sequence[str], sides: Mapping[str, str], stopped: str, until: StoppingRule | None
) -> Summary:
    """Summarize from the side's point of view."""
    names, until = tally.stacks, until or StoppingRule()
    error = interval_error(tally, sides)
    return Summary(
        side=tally.side,
        sides=sides,
        stacks=names,
        games=tally.games,
        stopped=stopped,
        arms=tuple(
            _arm_record(count, stack, who, tally.side)
            for who, counts in zip(players, tally.counts, strict=True)
            for stack, count in zip(names, counts, strict=True)
        ),
        differences=compute_differences(tally, players, sides),
        duels=tuple(
            _duel_summary(duel, bout, stack, error)
            for duel, bouts in zip(tally.duels, tally.bouts, strict=True)
            for stack, bout in zip(names, bouts, strict=True)
            if bout.pairs.n
        ),
        faults=tuple(tally.faults),
        broken=tally.broken,
        margin=until.margin,
        reasons=tuple(tally.reasons.most_common()),
        unsettled=tally.unsettled_offers(),
        counted_games=tally.counted_game_limit,
        unknown=tuple(_unknown_differences(tally, players)),
    )


def _unknown_differences(tally: Tally, players: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Return (rules, than, players) where the rules failed in each pair."""
    for pairing, gaps in zip(tally.pairings, tally.gaps, strict=True):
        for who, gap in zip(players, gaps, strict=True):
            if tally.games and not gap.n:
                yield tally.stacks[pairing.second], tally.stacks[pairing.first], who


def _arm_record(count: ArmTally, stack: str, who: str, side: str) -> ArmRecord:
    """Build the record of one stack with one seating."""
    n = count.n
    reached = sorted(count.levels.items())
    totals: dict[str, int | Fraction] = {}
    for (owner, level), times in reached:
        totals[owner] = totals.get(owner, 0) + level * times
    losses = ((owner, counter, rounded(mean(lost, n))) for (owner, counter), lost in sorted(count.lost.items()))
    return {
        "rules": stack,
        "players": who,
        "wins": count.won[side],
        "draws": count.draws,
        "n": n,
        "interval": interval_ends(share_interval(count.won[side], n)),
        "won_by": {winner: times for winner, times in sorted(count.won.items()) if winner},
        "levels": {owner: rounded(mean(total, n)) for owner, total in sorted(totals.items())},
        "level_counts": nested_by_side((owner, str(level), times) for (owner, level), times in reached),
        "turns": rounded(mean_length(count)),
        "lengths": dict(sorted(count.lengths.items())),
        "decisions": rounded(mean(count.choices, n)),
        "losses": nested_by_side(losses),
    }


def nested_by_side(entries: Iterable[tuple[str, str, T]]) -> dict[str, dict[str, T]]:
    """Build the record of values by side and counter or level; a counter without a name is "all" of a side."""
    by_side: dict[str, dict[str, T]] = {}
    for side, name, value in entries:
        by_side.setdefault(side, {})[name or "all"] = value
    return by_side


def interval_ends(interval: ConfidenceInterval) -> list[float]:
    """Return the rounded ends of an interval."""
    return [rounded(end) for end in interval]


def rounded(number: float) -> float:
    """Round a number for print."""
    return round(number, DIGITS)


def _duel_summary(duel: Duel, bout: DuelTally, stack: str, error: float) -> DuelSummary:
    """Summarize a duel; a pair is two games."""
    sides = zip((duel.side, duel.exchanged_side), bout.sided, strict=True)
    return DuelSummary(
        rules=stack,
        player=duel.player,
        opponent=duel.opponent,
        wins=bout.wins,
        losses=bout.losses,
        draws=bout.draws,
        level=mean(bout.level_sum, 2 * bout.pairs.n),
        pairs=bout.pairs,
        interval=bout.pairs.gain_interval(error),
        error=error,
        always=next((side for side, count in sides if count == bout.pairs.n), ""),
    )
