"""Sum up an experiment: shares of wins with intervals, and what the second stack changes.

In: the outcomes, game by game, and the side one asks about. Out: a `Summary`. Pairs of which one
game broke are left out of the comparison and reported as faults; nothing is guessed for them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from runtime.experiment.intervals import Interval, Pairs, mcnemar, mean_interval, newcombe, pair_up, wilson
from runtime.experiment.outcome import Outcome
from runtime.experiment.plan import Row


@dataclass(frozen=True, slots=True)
class Arm:
    """One stack: of n games, how many the side won, drew and lost; means of the rest, by side where it has one."""

    rules: str
    n: int
    wins: int
    draws: int
    interval: Interval
    won_by: tuple[tuple[str, int], ...]
    levels: tuple[tuple[str, float], ...]
    turns: float
    choices: float
    losses: tuple[tuple[str, str, float], ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Second stack minus first, from pairs: share of wins, and the side's level. `p` is McNemar's, exact."""

    estimate: float
    interval: Interval
    pairs: Pairs
    p: float
    level: float
    level_interval: Interval


@dataclass(frozen=True, slots=True)
class Fault:
    """A game whose rules broke."""

    rules: str
    seed: str
    message: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The whole experiment, seen from one side. `fired`: mean answers a game in which a rule was live, per arm."""

    side: str
    arms: tuple[Arm, ...]
    difference: Difference | None
    fired: tuple[tuple[str, tuple[float, ...]], ...]
    faults: tuple[Fault, ...]


def sum_up(rows: Sequence[Row], stacks: Sequence[str], side: str) -> Summary:
    """Sum up from the side's point of view. Two stacks are compared, one or more than two are only listed."""
    played = [(stack, game) for row in rows for stack, game in zip(stacks, row, strict=True)]
    faults = tuple(Fault(stack, game.seed, game.fault) for stack, game in played if game.fault)
    whole = [row for row in rows if not any(game.fault for game in row)]
    columns = [[row[number] for row in whole] for number in range(len(stacks))]
    arms = tuple(arm(stack, games, side) for stack, games in zip(stacks, columns, strict=True))
    gap = difference(columns[0], columns[1], side) if len(columns) == 2 and whole else None
    return Summary(side, arms, gap, fired(columns), faults)


def arm(stack: str, games: Sequence[Outcome], side: str) -> Arm:
    """Sum up one stack."""
    n = len(games)
    won = Counter(game.winner for game in games)
    levels: Counter[str] = Counter()
    lost: Counter[tuple[str, str]] = Counter()
    for game in games:
        levels.update(dict(game.levels))
        lost.update({(owner, counter): count for owner, counter, count in game.losses})
    return Arm(
        rules=stack,
        n=n,
        wins=won[side],
        draws=won[""],
        interval=wilson(won[side], n),
        won_by=tuple(sorted((winner, count) for winner, count in won.items() if winner)),
        levels=tuple((owner, mean(total, n)) for owner, total in sorted(levels.items())),
        turns=mean(sum(game.turn for game in games), n),
        choices=mean(sum(game.choices for game in games), n),
        losses=tuple((owner, counter, mean(count, n)) for (owner, counter), count in sorted(lost.items())),
    )


def mean(total: float, n: int) -> float:
    """Divide; nothing of nothing is nothing."""
    return total / n if n else 0.0


def difference(first: Sequence[Outcome], second: Sequence[Outcome], side: str) -> Difference:
    """Compare pairs of games with the same seed."""
    pairs = pair_up([game.winner == side for game in first], [game.winner == side for game in second])
    levels = [float(standing(b, side) - standing(a, side)) for a, b in zip(first, second, strict=True)]
    level, level_interval = mean_interval(levels)
    return Difference(
        estimate=(pairs.second - pairs.first) / pairs.n,
        interval=newcombe(pairs),
        pairs=pairs,
        p=mcnemar(pairs),
        level=level,
        level_interval=level_interval,
    )


def standing(game: Outcome, side: str) -> int:
    """Say at what level the side won, or lost (negative); a draw is 0."""
    levels = dict(game.levels)
    return levels.get(side, 0) - max((level for other, level in game.levels if other != side), default=0)


def fired(columns: Sequence[Sequence[Outcome]]) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Count, per stack and game, the answers in which each rule was live; rules that differ most come first."""
    counts = [Counter[str]() for _ in columns]
    for count, games in zip(counts, columns, strict=True):
        for game in games:
            count.update(dict(game.fired))
    n = len(columns[0]) if columns else 0
    means = {label: tuple(mean(count[label], n) for count in counts) for label in set().union(*counts)}
    return tuple(sorted(means.items(), key=lambda item: (min(item[1]) - max(item[1]), item[0])))
