"""The effects of the shipped options on balance in the shipped situations, and how often they are used.

In: situations and options as `pairs` has them. Out: a row of docs/results.csv for each, and in docs/results.md those
that decide something. Games are stored in one file for each pair, so that an interrupted run is resumed.
"""

import csv
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from rulewright.games.engines import NATIVE
from rulewright.lab.experiment import Experiment, ExperimentStack
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
from rulewright.lab.results import Results
from rulewright.lab.versions import SHOWN_HASH_DIGITS
from runtime.experiment.differences import ArmDifference
from runtime.experiment.processes import start_processes
from runtime.experiment.reachable_changes import OFFERED
from runtime.experiment.stopping import EQUALITY_MARGIN, are_wins_same
from tests.lab.pairs import ROOT, options_by_base, pairs

RECORDED = ROOT / "docs" / "results.csv"
RESULTS = ROOT / "docs" / "results.md"
SEED = "1"
GREEDY = "greedy"
VALUES: dict[object, type] = {str: str, int: int, float: float}
DECISIVE = frozenset({"more often", "less often"})
BEGIN = "<!-- The table is written by `python3 -m tests.lab effects`. -->\n"
END = "<!-- The end of the table. -->\n"
TABLE = """\
| situation | option | player | side | games | won | won with it | points, from and to |
| --- | --- | --- | --- | ---: | ---: | ---: | --- |
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


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is played of each option: `games` pairs, up to `most` while open, in `jobs` processes, kept in `folder`.

    `date` is that of the rows, and `packages` bring the boards that are not shipped.
    """

    games: int
    most: int
    jobs: int
    folder: Path
    date: str
    player: str = GREEDY
    packages: tuple[Path, ...] = ()


def effects(situation: str, only: Collection[str], schedule: Schedule) -> Iterator[Effect]:
    """Play a situation with each of its options, or with those in `only`; resume from the stored games.

    A pair that is open is played with twice as many games, repeatedly, until it is settled or has the most games.
    """
    for base, names in options_by_base(situation, only).items():
        for name in names:
            stacks = load_stacks(situation, [base, f"{base}+{name}"], [], schedule.packages)
            seatings = parse_seatings(stacks, [schedule.player], swaps_sides=False)
            experiment = replace(set_up(stacks, seatings, SEED, None), engine=NATIVE)
            file = schedule.folder / f"{situation}.{name}.jsonl"
            number = schedule.games
            difference = played(experiment, number, schedule.jobs, file)
            while verdict(difference) == "open" and number < schedule.most:
                number = min(2 * number, schedule.most)
                difference = played(experiment, number, schedule.jobs, file)
            yield effect(difference, situation, name, experiment.side, schedule, rules_hash(stacks))


def played(experiment: Experiment, games: int, jobs: int, file: Path) -> ArmDifference:
    """Play pairs of games, or read those that are stored in the file, and return the difference of the two stacks."""
    restarted = replace(experiment, counted_games=0)
    with Results(file, restarted.heading()) as results, start_processes(jobs) as pool:
        [difference] = restarted.run(games, pool, lambda _, __: None, results=results).differences
    return difference


def effect(difference: ArmDifference, situation: str, option: str, side: str, schedule: Schedule, rules: str) -> Effect:
    """Return the row of a difference."""
    counts, changes = difference.wins.pairs, difference.tried
    low, high = difference.wins.interval
    actions = [change for change in changes if change.what in OFFERED]
    return Effect(
        situation, option, schedule.player, difference.than, side, counts.n, counts.both + counts.first,
        counts.both + counts.second, counts.first, counts.second, round(low, 4), round(high, 4),
        round(difference.lead.change, 2), verdict(difference),
        len(changes), sum(change.reached > 0 for change in changes), sum(action.offered for action in actions),
        sum(action.used for action in actions), sum(change.used > 0 for change in changes), schedule.date, rules,
    )  # fmt: skip


def verdict(difference: ArmDifference) -> str:
    """Return the finding on a difference in words."""
    if difference.wins.is_established:
        return "more often" if difference.wins.estimate > 0 else "less often"
    if difference.are_all_equal:
        return "all games the same"
    return "less than 5 points apart" if are_wins_same(difference, EQUALITY_MARGIN) else "open"


def rules_hash(stacks: Sequence[ExperimentStack]) -> str:
    """Return the hash of the rules with the option: those of the last stack."""
    return stacks[-1].graph.hash[:SHOWN_HASH_DIGITS]


def outdated(row: Effect, packages: Sequence[Path]) -> bool:
    """Return whether the rules of a row have changed since it was played."""
    return rules_hash(load_stacks(row.situation, [f"{row.than}+{row.option}"], [], packages)) != row.rules


def recorded(path: Path = RECORDED) -> tuple[Effect, ...]:
    """Read the recorded effects."""
    with path.open(encoding="utf-8", newline="") as lines:
        return tuple(parsed(row) for row in csv.DictReader(lines))


def parsed(row: dict[str, str]) -> Effect:
    """Read a row of the file."""
    return Effect(**{field.name: VALUES[field.type](row[field.name]) for field in fields(Effect)})


def record(rows: Sequence[Effect], path: Path = RECORDED) -> None:
    """Write rows in the order of players, situations and options, in place of earlier ones of the same."""
    by_place = {(row.player, row.situation, row.option): row for row in (*recorded(path), *rows)}
    players = sorted({player for player, *_ in by_place}, key=lambda player: (player != GREEDY, player))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Effect)], lineterminator="\n")
        writer.writeheader()
        for player in players:
            for pair in pairs():
                if (player, *pair) in by_place:
                    writer.writerow(asdict(by_place[player, *pair]))


def page(text: str, rows: Sequence[Effect]) -> str:
    """Return the text of the page with its table written anew, of the rows that decide something."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    table = TABLE + "".join(table_row(row) for row in rows if row.settled in DECISIVE)
    return f"{before}{BEGIN}{table}{END}{after}"


def table_row(row: Effect) -> str:
    """Return a row of the table of the page."""
    points = f"{100 * row.low:+.1f} to {100 * row.high:+.1f}"
    cells = (row.situation, f"`{row.option}`", f"`{row.player}`", row.side, row.games, row.won, row.won_with, points)
    return f"| {' | '.join(map(str, cells))} |\n"
