"""The effects of the shipped options on balance in the shipped situations, and how often they are used.

In: situations and options as `pairs` has them. Out: a row of the table `options` for each; docs/options.md has those
that decide something. Games are stored in one file for each pair, so that an interrupted run is resumed.
"""

from dataclasses import dataclass, replace

from rulewright.games.engines import NATIVE
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
from runtime.experiment.differences import ArmDifference
from runtime.experiment.reachable_changes import OFFERED
from runtime.experiment.stopping import EQUALITY_MARGIN, are_wins_same
from tests.lab.data_table import DataTable
from tests.lab.schedule import SEED, Schedule, played, rules_hash

DECISIVE = frozenset({"more often", "less often"})
HEAD = """\
| situation | option | player | side | games | won | won with it | points, from and to | levels |
| --- | --- | --- | --- | ---: | ---: | ---: | --- | ---: |
"""


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of an option: pairs of games, how many `side` won under the base alone and with the option.

    `low` and `high` bound the change of its share of wins; `level` is the mean change of the lead in levels. `first`
    and `second` count the pairs won only without and only with the option. Of `changes` of the option, play came by
    `reached`, and `used` came into use; its actions were `offered` so often, and `actions_taken`. `date` is the day of
    the run, and `rules` the hash of the rules with the option.
    """

    situation: str
    option: str
    player: str
    than: str
    side: str
    games: int
    won: int
    won_with: int
    first: int
    second: int
    low: float
    high: float
    level: float
    settled: str
    changes: int
    reached: int
    offered: int
    actions_taken: int
    used: int
    date: str
    rules: str

    @property
    def key(self) -> tuple[str, ...]:
        """Return what the row measures."""
        return (self.player, self.situation, self.option)

    @property
    def stack(self) -> str:
        """Return the rules with the option."""
        return f"{self.than}+{self.option}"

    @property
    def cells(self) -> tuple[object, ...] | None:
        """Return the cells of an option that decides something."""
        if self.settled not in DECISIVE:
            return None
        points = f"{100 * self.low:+.1f} to {100 * self.high:+.1f}"
        return (
            self.situation, f"`{self.option}`", f"`{self.player}`", self.side, self.games, self.won, self.won_with,
            points, f"{self.level:+.2f}",
        )  # fmt: skip


EFFECTS = DataTable("options", Effect, HEAD)


def effect(situation: str, base: str, option: str, schedule: Schedule) -> Effect:
    """Play a situation with an option, and return its row.

    A pair that is open is played with twice as many games, repeatedly, until it is settled or has the most games.
    """
    stacks = load_stacks(situation, [base, f"{base}+{option}"], [], schedule.packages)
    seatings = parse_seatings(stacks, [schedule.player], swaps_sides=False)
    experiment = replace(set_up(stacks, seatings, SEED, None), engine=NATIVE)
    file = schedule.file(f"{situation}.{option}")
    number = schedule.games
    [difference] = played(experiment, number, schedule, file).differences
    while verdict(difference) == "open" and number < schedule.most:
        number = min(2 * number, schedule.most)
        [difference] = played(experiment, number, schedule, file).differences
    counts, changes = difference.wins.pairs, difference.tried
    low, high = difference.wins.interval
    actions = [change for change in changes if change.what in OFFERED]
    return Effect(
        situation, option, schedule.player, difference.than, experiment.side, counts.n, counts.both + counts.first,
        counts.both + counts.second, counts.first, counts.second, round(low, 4), round(high, 4),
        round(difference.lead.change, 2), verdict(difference),
        len(changes), sum(change.reached > 0 for change in changes), sum(action.offered for action in actions),
        sum(action.used for action in actions), sum(change.used > 0 for change in changes), schedule.date,
        rules_hash(stacks),
    )  # fmt: skip


def verdict(difference: ArmDifference) -> str:
    """Return the finding on a difference in words."""
    if difference.wins.is_established:
        return "more often" if difference.wins.estimate > 0 else "less often"
    if difference.are_all_equal:
        return "all games the same"
    return "less than 5 points apart" if are_wins_same(difference, EQUALITY_MARGIN) else "open"
