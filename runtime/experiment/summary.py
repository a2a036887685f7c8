"""Sum up an experiment: shares of wins with intervals, what each stack changes, and whether players agree on it.

In: a tally, the names of the seatings, and why the experiment ended. Out: a `Summary`.

Players disagree on the direction of an effect where the intervals of two of them lie on different sides
of zero, and on its size where the interval of the difference between their effects, game by game,
excludes zero. There are many pairs of players, so those intervals are as wide as Bonferroni wants them:
together they are wrong in one experiment of 20.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from runtime.experiment.duel import Bout, Duel
from runtime.experiment.evidence import decided, p_any_time, share_any_time
from runtime.experiment.intervals import Interval, Pairs, Spread, mcnemar, newcombe, wilson
from runtime.experiment.tally import Count, Fault, Gap, Pairing, Point, Tally

# Two players are farthest apart where one wins by a rule what the other loses.
FARTHEST = 2

AGREE, SIZE, DIRECTION = "no disagreement found", "disagree on the size", "disagree on the direction"


class Estimate(NamedTuple):
    """A mean and its interval."""

    mean: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Arm:
    """One stack with one seating: of n games, how many the side won and drew; means of the rest."""

    rules: str
    players: str
    n: int
    wins: int
    draws: int
    interval: Interval
    won_by: tuple[tuple[str, int], ...]
    levels: tuple[tuple[str, float], ...]
    turns: float
    choices: float
    lengths: tuple[tuple[int, int], ...]
    losses: tuple[tuple[str, str, float], ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """`rules` minus `than`, from pairs: the share of wins, the side's level, length and losses (of all: counter "").

    `p` is McNemar's, exact. `any_time` holds whenever one stops: a p-value, and the share that `rules`
    wins of the pairs that differ.
    """

    rules: str
    than: str
    players: str
    estimate: float
    interval: Interval
    pairs: Pairs
    p: float
    p_any_time: float
    share: Interval
    decided: bool
    level: Estimate
    turns: Estimate
    choices: Estimate
    losses: tuple[tuple[str, str, Estimate], ...]
    trail: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two seatings on one difference: how much more of it the second sees, and what that means."""

    rules: str
    than: str
    first: str
    second: str
    apart: Estimate
    verdict: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players who met on both sides under one stack: what `who` won, lost and drew; the level of a game.

    Of `pairs` of games with one seed, so many came out better and worse for `who`; `p` is the sign test's, exact.
    """

    rules: str
    who: str
    whom: str
    won: int
    lost: int
    drawn: int
    level: Estimate
    pairs: int
    better: int
    worse: int
    p: float


@dataclass(frozen=True, slots=True)
class Summary:
    """The whole experiment, seen from one side.

    `together`: (rules, than, difference) over all seatings. `fired`: mean answers a game in which a
    rule was live, per stack. `stopped`: why it ended before its last game, or "".
    """

    side: str
    sides: tuple[str, ...]
    stacks: tuple[str, ...]
    games: int
    stopped: str
    arms: tuple[Arm, ...]
    differences: tuple[Difference, ...]
    together: tuple[tuple[str, str, Estimate], ...]
    agreements: tuple[Agreement, ...]
    meetings: tuple[Meeting, ...]
    fired: tuple[tuple[str, tuple[float, ...]], ...]
    faults: tuple[Fault, ...]
    broken: int


def sum_up(tally: Tally, players: Sequence[str], sides: Sequence[str], stopped: str = "") -> Summary:
    """Sum up from the side's point of view."""
    names = tally.stacks
    differences = tuple(
        difference(gap, names[pairing.second], names[pairing.first], who)
        for pairing, gaps in zip(tally.pairings, tally.gaps, strict=True)
        for who, gap in zip(players, gaps, strict=True)
        if gap.level.n
    )
    return Summary(
        side=tally.side,
        sides=tuple(sides),
        stacks=names,
        games=tally.games,
        stopped=stopped,
        arms=tuple(
            arm(count, stack, who, tally.side)
            for who, counts in zip(players, tally.counts, strict=True)
            for stack, count in zip(names, counts, strict=True)
        ),
        differences=differences,
        together=tuple(together(tally)) if tally.seatings > 1 else (),
        agreements=tuple(agreements(tally, players)),
        meetings=tuple(
            meeting(duel, bout, stack)
            for duel, bouts in zip(tally.duels, tally.bouts, strict=True)
            for stack, bout in zip(names, bouts, strict=True)
            if bout.level.n
        ),
        fired=fired(tally),
        faults=tuple(tally.faults),
        broken=tally.broken,
    )


def arm(count: Count, stack: str, who: str, side: str) -> Arm:
    """Sum up one stack with one seating."""
    n = count.n
    return Arm(
        rules=stack,
        players=who,
        n=n,
        wins=count.won[side],
        draws=count.won[""],
        interval=wilson(count.won[side], n),
        won_by=tuple(sorted((winner, times) for winner, times in count.won.items() if winner)),
        levels=tuple((owner, mean(total, n)) for owner, total in sorted(count.levels.items())),
        turns=mean(sum(turns * times for turns, times in count.lengths.items()), n),
        choices=mean(count.choices, n),
        lengths=tuple(sorted(count.lengths.items())),
        losses=tuple((owner, counter, mean(lost, n)) for (owner, counter), lost in sorted(count.lost.items())),
    )


def meeting(duel: Duel, bout: Bout, stack: str) -> Meeting:
    """Sum up how two players fared against each other; a pair is two games."""
    low, high = bout.level.interval()
    return Meeting(
        rules=stack,
        who=duel.who,
        whom=duel.whom,
        won=bout.won,
        lost=bout.lost,
        drawn=bout.drawn,
        level=Estimate(bout.level.mean() / 2, Interval(low / 2, high / 2)),
        pairs=bout.level.n,
        better=bout.better,
        worse=bout.worse,
        p=bout.p(),
    )


def mean(total: int, n: int) -> float:
    """Divide; nothing of nothing is nothing."""
    return total / n if n else 0.0


def difference(gap: Gap, rules: str, than: str, who: str) -> Difference:
    """Sum up pairs of games with the same seed."""
    pairs = gap.counted()
    lost = {what: Spread(pairs.n, spread.total, spread.squares) for what, spread in gap.lost.items()}
    return Difference(
        rules=rules,
        than=than,
        players=who,
        estimate=(pairs.second - pairs.first) / pairs.n,
        interval=newcombe(pairs),
        pairs=pairs,
        p=mcnemar(pairs),
        p_any_time=p_any_time(pairs),
        share=share_any_time(pairs),
        decided=decided(pairs),
        level=estimate(gap.level),
        turns=estimate(gap.turns),
        choices=estimate(gap.choices),
        losses=tuple((owner, counter, estimate(spread)) for (owner, counter), spread in sorted(lost.items())),
        trail=tuple(gap.trail),
    )


def estimate(spread: Spread) -> Estimate:
    """Give a mean with its interval."""
    return Estimate(spread.mean(), spread.interval())


def together(tally: Tally) -> list[tuple[str, str, Estimate]]:
    """Give every difference over all seatings, the games of one seed counted as one."""
    names, players = tally.stacks, tally.seatings
    found: list[tuple[str, str, Estimate]] = []
    for (first, other), spread in zip(tally.pairings, tally.together, strict=True):
        low, high = spread.tempered(players).interval()
        seen = Estimate(spread.mean() / players, Interval(low / players, high / players))
        found.append((names[other], names[first], seen))
    return found


def agreements(tally: Tally, players: Sequence[str]) -> list[Agreement]:
    """Hold every two seatings against each other, for every pairing."""
    tests = sum(map(len, tally.apart))
    found: list[Agreement] = []
    for number, pairing in enumerate(tally.pairings):
        for (one, other), spread in tally.apart[number].items():
            if spread.n:
                z = NormalDist().inv_cdf(1 - 0.025 / tests)
                apart = Estimate(spread.mean(), spread.tempered(FARTHEST).interval(z))
                here, there = (newcombe(tally.gaps[number][seat].counted()) for seat in (one, other))
                found.append(
                    _agreement(tally, pairing, (players[one], players[other]), apart, verdict(here, there, apart))
                )
    return found


def _agreement(tally: Tally, pairing: Pairing, who: tuple[str, str], apart: Estimate, said: str) -> Agreement:
    return Agreement(tally.stacks[pairing.second], tally.stacks[pairing.first], *who, apart, said)


def verdict(here: Interval, there: Interval, apart: Estimate) -> str:
    """Say whether two seatings agree."""
    if (here.low > 0 and there.high < 0) or (here.high < 0 and there.low > 0):
        return DIRECTION
    return AGREE if apart.interval.low <= 0 <= apart.interval.high else SIZE


def fired(tally: Tally) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Count, per stack and game, the answers in which each rule was live; rules that differ most come first."""
    columns = list(zip(*tally.counts, strict=True))
    games = [sum(count.n for count in counts) for counts in columns]
    totals = [sum((count.fired for count in counts), start=type(counts[0].fired)()) for counts in columns]
    labels = sorted(set().union(*totals))
    means = {label: tuple(mean(total[label], n) for total, n in zip(totals, games, strict=True)) for label in labels}
    return tuple(sorted(means.items(), key=lambda item: (min(item[1]) - max(item[1]), item[0])))
