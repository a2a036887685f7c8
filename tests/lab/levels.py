"""Who wins the shipped situations, and at which levels, if greedy players play both sides.

In: a situation. Out: a row of the table `results`: wins of each side, and how often each reached which level.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rulewright.games.engines import NATIVE
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
from runtime.experiment.report import level_names
from runtime.graph import nodes as graph
from runtime.graph.records.measuring import ArmRecord
from tests.lab.data_table import DataTable
from tests.lab.schedule import SEED, Schedule, played, rules_hash

HEAD = """\
| situation | player | games | won | drawn | turns | levels reached |
| --- | --- | ---: | --- | ---: | ---: | --- |
"""


@dataclass(frozen=True, slots=True)
class SituationResult:
    """What one player made of a situation on all sides: wins of each side, draws, mean length, levels of each side.

    `won` and `levels` are lists as text: `german 14, allied 26`, and by side the levels with their counts.
    """

    situation: str
    player: str
    games: int
    won: str
    drawn: int
    turns: float
    levels: str
    date: str
    rules: str

    @property
    def key(self) -> tuple[str, ...]:
        """Return what the row measures."""
        return (self.player, self.situation)

    @property
    def stack(self) -> str:
        """Return "": the rules are those of the situation."""
        return ""

    @property
    def cells(self) -> tuple[object, ...]:
        """Return the cells on the page."""
        return self.situation, f"`{self.player}`", self.games, self.won, self.drawn, self.turns, self.levels


RESULTS = DataTable("results", SituationResult, HEAD)


def situation_result(situation: str, schedule: Schedule) -> SituationResult:
    """Play a situation, and return its row."""
    stacks = load_stacks(situation, [], [], schedule.packages)
    seatings = parse_seatings(stacks, [schedule.player], swaps_sides=False)
    experiment = replace(set_up(stacks, seatings, SEED, None), engine=NATIVE)
    file = schedule.file(situation)
    summary = played(experiment, schedule.games, schedule, file)
    [arm] = summary.arms
    won = arm["won_by"]
    wins = ", ".join(f"{side} {won.get(side, 0)}" for side in summary.sides)
    reached = reached_levels(stacks[0].graph, arm, summary.sides)
    return SituationResult(
        situation, schedule.player, arm["n"], wins, arm["draws"], round(arm["turns"], 1), reached, schedule.date,
        rules_hash(stacks),
    )  # fmt: skip


def reached_levels(rules: graph.Graph, arm: ArmRecord, sides: Iterable[str]) -> str:
    """Return how often each side reached which level, in the order of the sides."""
    names = level_names(rules, [arm])
    by_side = []
    for side in sides:
        counts = arm["level_counts"][side]
        levels = ", ".join(f"{name} {counts[level]}" for level, name in names.items() if level in counts)
        by_side.append(f"{side} {levels}")
    return "; ".join(by_side)
