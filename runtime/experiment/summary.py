"""Summarize an experiment: how often each side wins under each stack, what stacks change, and who plays better.

The input is a tally, the names of the seatings, and why the experiment ended; the output is a `Summary`.
"""

from collections.abc import Iterator, Sequence

from runtime.experiment.differences import ArmDifference, compute_differences, interval_error, mean, mean_length
from runtime.experiment.duel import Duel, DuelResults, DuelTally
from runtime.experiment.mean_interval import ConfidenceInterval, share_interval
from runtime.experiment.plan import HEARD
from runtime.experiment.stopping import EQUALITY_MARGIN, StoppingRule
from runtime.experiment.tally import ArmTally, GameFault, Tally
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.unsettled_offer import UnsettledOffer


@frozen_dataclass
class Arm:
    """One stack with one seating: of n games, how many the side won and drew; means of the rest."""

    rules: str
    players: str
    n: int
    wins: int
    draws: int
    interval: ConfidenceInterval
    won_by: tuple[tuple[str, int], ...]
    levels: tuple[tuple[str, float], ...]
    turns: float
    choices: float
    lengths: tuple[tuple[int, int], ...]
    losses: tuple[tuple[str, str, float], ...]


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
    """The summary of an experiment, from the point of view of one side.

    `stopped`: why it ended before its
    last game, or "". `reasons`: why games of this run were left to the machine, and how many. `unknown`: (rules, than,
    players) where the rules failed in each pair. `unsettled`: by stack, offers for which the budget did not decide
    whether their `must` can still be met.
    """

    side: str
    sides: tuple[str, ...]
    stacks: tuple[str, ...]
    games: int
    stopped: str
    arms: tuple[Arm, ...]
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
        return tuple(dict.fromkeys(arm.players for arm in self.arms))


def summarize_results(
    tally: Tally, players: Sequence[str], sides: Sequence[str], stopped: str, until: StoppingRule | None
) -> Summary:
    """Summarize from the side's point of view."""
    names, until = tally.stacks, until or StoppingRule()
    error = interval_error(tally, sides)
    return Summary(
        side=tally.side,
        sides=tuple(sides),
        stacks=names,
        games=tally.games,
        stopped=stopped,
        arms=tuple(
            _summarize_arm(count, stack, who, tally.side)
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


def _summarize_arm(count: ArmTally, stack: str, who: str, side: str) -> Arm:
    """Summarize one stack with one seating."""
    n = count.n
    return Arm(
        rules=stack,
        players=who,
        n=n,
        wins=count.won[side],
        draws=count.draws,
        interval=share_interval(count.won[side], n),
        won_by=tuple(sorted((winner, times) for winner, times in count.won.items() if winner)),
        levels=tuple((owner, mean(total, n)) for owner, total in sorted(count.levels.items())),
        turns=mean_length(count),
        choices=mean(count.choices, n),
        lengths=tuple(sorted(count.lengths.items())),
        losses=tuple((owner, counter, mean(lost, n)) for (owner, counter), lost in sorted(count.lost.items())),
    )


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
