"""The effects of the shipped options on balance in the shipped situations, for docs/results.md, and their games.

In: situations and options as `survey` pairs them. Out: a line of JSON for each pair (`RECORDED`), and the page. Games
are stored in one file for each pair, so that an interrupted run is resumed.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rulewright.engines import NATIVE
from rulewright.lab.experiment import Experiment, ExperimentStack
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
from rulewright.lab.results import Results
from rulewright.lab.versions import SHOWN_HASH_DIGITS
from runtime.experiment.processes import start_processes
from runtime.experiment.summary import ArmDifference
from tests.lab.survey import ROOT, SEED, gaps, options_by_base, pairs, printed_cards

RECORDED = ROOT / "tests" / "lab" / "effects.jsonl"
RESULTS = ROOT / "docs" / "results.md"
GREEDY = "greedy"


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of an option.

    Pairs of games, how many `side` won under the base alone and with the option, and the change.

    `first` and `second` count the pairs won only without and only with the option. `level` is the mean change with its
    interval. `date` (YYYY-MM-DD) is the day of the run, and `rules` the hash of the rules with the option; both are
    empty in rows that are older than these columns.
    """

    situation: str
    option: str
    than: str
    side: str
    games: int
    won: int
    won_with: int
    first: int
    second: int
    interval: tuple[float, float]
    level: tuple[float, float, float]
    settled: str
    player: str = GREEDY
    date: str = ""
    rules: str = ""


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
            number, found = schedule.games, None
            while found is None or (found.settled == "open" and number < schedule.most):
                number = schedule.games if found is None else min(2 * number, schedule.most)
                restarted = replace(experiment, counted_games=0)
                found = effect(restarted, situation, name, number, schedule.jobs, schedule.folder)
            yield replace(found, player=schedule.player, date=schedule.date, rules=rules_hash(stacks))


def rules_hash(stacks: Sequence[ExperimentStack]) -> str:
    """Return the hash of the rules with the option: those of the last stack."""
    return stacks[-1].graph.hash[:SHOWN_HASH_DIGITS]


def outdated(found: Effect, packages: Sequence[Path]) -> bool:
    """Return whether the rules of a row with a hash have changed since it was played."""
    stacks = load_stacks(found.situation, [f"{found.than}+{found.option}"], [], packages)
    return rules_hash(stacks) != found.rules


def effect(experiment: Experiment, situation: str, option: str, games: int, jobs: int, folder: Path) -> Effect:
    """Play one option, or read its stored games."""
    results = Results(folder / f"{situation}.{option}.jsonl", experiment.heading())
    with results, start_processes(jobs) as pool:
        summary = experiment.run(games, pool, lambda _, __: None, results=results)
    [found] = summary.differences
    low, high = found.interval
    return Effect(
        situation, option, found.than, experiment.side, found.pairs.n, found.pairs.both + found.pairs.first,
        found.pairs.both + found.pairs.second, found.pairs.first, found.pairs.second, (round(low, 4), round(high, 4)),
        tuple(round(each, 2) for each in (found.lead_change.mean, *found.lead_change.interval)), verdict(found),  # type: ignore[arg-type]
    )  # fmt: skip


def verdict(found: ArmDifference) -> str:
    """Return the finding on a difference in words."""
    if found.is_decided:
        return "more often" if found.estimate > 0 else "less often"
    if found.equal_pairs == found.pairs.n:
        return "all games the same"
    return "less than 5 points apart" if found.is_equivalent else "open"


def recorded(path: Path = RECORDED) -> tuple[Effect, ...]:
    """Read the recorded effects."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    rows = [json.loads(line) for line in lines]
    return tuple(Effect(**{**row, "interval": tuple(row["interval"]), "level": tuple(row["level"])}) for row in rows)


def record(found: Sequence[Effect], path: Path = RECORDED) -> None:
    """Add effects to the file in the order of players, situations and options, in place of earlier ones of the same."""
    known = {(each.player, each.situation, each.option): each for each in (*recorded(path), *found)}
    players = sorted({player for player, *_ in known}, key=lambda player: (player != GREEDY, player))
    ordered = (known[player, *pair] for player in players for pair in pairs() if (player, *pair) in known)
    rows = ({key: value for key, value in asdict(each).items() if value != ""} for each in ordered)
    path.write_text("".join(f"{json.dumps(each)}\n" for each in rows), encoding="utf-8")


def page(found: Sequence[Effect]) -> str:
    """Return the text of the page."""
    cards = {each.name.text for each in printed_cards()}
    greedy = [each for each in found if each.player == GREEDY and each.situation not in cards]
    printed = [each for each in found if each.player == GREEDY and each.situation in cards]
    searching = [each for each in found if each.player != GREEDY]
    text = "\n".join([
        *HEAD, "", *dates(greedy, UNDATED), "", *TABLE, *map(row, greedy), "",
        *PRINTED, "", *dates(printed, UNDATED_PRINTED), "", *TABLE, *map(row, printed), "",
    ])  # fmt: skip
    text += gaps({(each.situation, each.option) for each in (*greedy, *printed)})
    if not searching:
        return text
    rows = [f"| `{each.player}` {row(each)}" for each in searching]
    return text + "\n".join(["", *SEARCHING, "", *dates(searching, UNDATED_SEARCHING), "", *SEARCHED, *rows, ""])


def dates(found: Sequence[Effect], undated: Sequence[str]) -> list[str]:
    """Return the sentence on the dates of rows, with `undated` if some were played before dates were recorded."""
    count_by_date = Counter(each.date for each in found)
    parts = [f"{count} on {date}" for date, count in sorted(count_by_date.items()) if date]
    if older := count_by_date[""]:
        parts.append(f"{older} before dates were recorded")
    listed = ", ".join(parts)
    return [f"Of these {len(found)} rows, played: {listed}.", *(undated if older else ())]


def row(found: Effect) -> str:
    """Return a row of the tables of the page."""
    return (
        f"| {found.situation} | `{found.option}` | {found.side} | {found.games} | {found.won} | {found.won_with} | "
        f"{found.first}/{found.second} | {100 * found.interval[0]:+.1f} to {100 * found.interval[1]:+.1f} | "
        f"{found.level[0]:+.2f} ({found.level[1]:+.2f} to {found.level[2]:+.2f}) | {found.settled} |"
    )


HEAD = """# What options do to balance

Greedy players played each situation that is shipped with a map under its game and under its game with one option, with
the same seeds (1-0, 1-1 ..). Wins are those of the side that moves first. What becomes of options that nobody uses
stands in [options.md](options.md); whether an effect holds with players who think is another question
([lab.md](lab.md)). No results of people are shipped, so none stand beside these; `compare --reported` and
`ladder --reported` hold them against games.

    python3 -m tests.lab effects --out DIR                                  # all of it, or on from where DIR ends
    python3 -m tests.lab effects first_snow --option frost_chits -n 400 --out DIR

- **pairs**: won only without the option / only with it; all others came out alike;
- **points**: by how much more often the side wins, 95 percent (Newcombe), for one look at so many games;
- **settled**: by evidence that holds whenever one looks ([lab.md](lab.md#when-is-it-enough)), each row for itself.
  An open row is played on, with twice as many games each time, until it is settled or has 1,600. A fifth of the error
  is that of levels; in the older rows, as if no game were drawn.

Rows grow old as rules change. `python3 -m tests.lab effects --outdated` names the rows whose rules are others today,
and those that have no hash of their rules.
""".splitlines()

UNDATED = """
Those without a date are of 2026-11-28. The rules were changed since then: of 40 greedy games without an option, 12 take
another course in landing_at_mill_cove (five with another winner), seven in reed_water and 28 in two_valleys, and none
elsewhere. Later on 2026-11-29 the rules on who sees a gully or stream from afar were changed, then those on who holds a
hex and on battles without an attack; no row was played again. On 2026-11-30 an objective was corrected in each of
bridge_at_millbrook (0505 became 0705), reed_water and two_valleys (1004 became 0904, the bridge), and the stream of
ridge_farm was opened to vehicles; their rows are older.
""".strip().splitlines()

TABLE = """| situation | option | side | games | won | won with it | pairs | points | level | settled |
| --- | --- | --- | ---: | ---: | ---: | ---: | --- | --- | --- |""".splitlines()

PRINTED = """## The printed cards

The situations of the printed cards need boards that are not shipped: a folder that `rulewright import` has written from
a module of the game, or from facts ([importing.md](importing.md)). These rows are of such boards, the other columns are
those above; a row has 20 or 40 games, as its column says, and is open unless they settle it. After all
of these games the rules on who sees a gully or stream from afar, on who holds a hex and on battles without an attack
were changed.

    python3 -m tests.lab effects -n 40 --most 40 --path BOARDS --out DIR         # goes on where DIR ends
    python3 -m tests.lab effects pl_situation_12 --path BOARDS --out DIR
""".splitlines()

UNDATED_PRINTED = """
Those without a date are of 2026-11-28 and 2026-11-29; those of pl_situation_11 may be older than a correction of its
sectors.
""".strip().splitlines()

SEARCHING = """## With players that search

Greedy players win or lose some situations always, whatever the rules: hazel_ford was won by the axis in none of 200
games. Players that search, with the budget of the first column on both sides, played the same options from the same
seeds; the columns are those above, and a row has at most 240 pairs. The options of hazel_ford and first_snow that are
missing, and the other situations, have not been played like this.

The effect of `frost_short_days` depends on the player: greedy raiders win less often with it, by 24 to 37 points; for
raiders that search the change lies between 2 points less and 11 more. In hazel_ford the axis won all games of players
that search, so that the level alone can show an effect there, and 30 pairs show none.

    python3 -m tests.lab effects first_snow --player search:16 -n 60 --most 240 --out DIR
""".splitlines()

UNDATED_SEARCHING = """
Those without a date are of 2026-11-28. Trains, supply and retreats of first_snow and the rules for more than two
players in hazel_ford were changed since then; 40 greedy games of each are the same as before.
""".strip().splitlines()

SEARCHED = """| player | situation | option | side | games | won | won with it | pairs | points | level | settled |
| --- | --- | --- | --- | ---: | ---: | ---: | ---: | --- | --- | --- |""".splitlines()
