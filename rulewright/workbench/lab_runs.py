"""Experiments of the page: set up, run by `compare` in a separate process, and read from their files.

In: what is compared. Out: `LabRun`s. All data of a run is in one folder, so that it survives a reload or a killed
server: `setup.json` has the request, `games.jsonl` is the output of `compare --out`, game by game. The file is read
incrementally, from the last counted game on.
"""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rulewright.atomic_files import make_folder, save_text
from rulewright.errors import UsageError
from rulewright.json_texts import decode_json
from rulewright.lab.experiment import Experiment
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, parse_stopping_rule, set_up
from rulewright.library import cache
from rulewright.workbench.jobs import Jobs
from runtime.experiment.differences import compute_differences
from runtime.experiment.plan import Row
from runtime.experiment.report import experiment_report
from runtime.experiment.result_lines import heading_line, read_row
from runtime.experiment.stopping import stop_reason
from runtime.experiment.summary import summarize_results
from runtime.experiment.tally import Tally

RUN_NAME = re.compile(r"[\w.-]+")
SETUP, GAMES_FILE = "setup.json", "games.jsonl"
# The most experiments whose counts are cached; others are read again.
MOST_COUNTED = 4
# The most games with different winners that are listed.
MOST_PARTED = 12
MOST_GAMES = 5000
# The most experiments that are listed.
MOST_LISTED_RUNS = 30


@dataclass(frozen=True, slots=True)
class LabSetup:
    """The setup of a comparison: a situation under two stacks, its players, and the stopping rule ("" for none)."""

    scenario: str
    rules: tuple[str, str]
    players: str
    until: str
    games: int
    seed: str

    def command(self, results: Path) -> list[str]:
        """Return the command that runs or resumes the experiment."""
        stop = ["--until", self.until] if self.until else []
        workers = max(1, (os.cpu_count() or 2) - 1)  # One core is reserved for the page.
        stacks = [word for each in self.rules for word in ("--rules", each)]
        return [
            "compare",
            self.scenario,
            *stacks,
            "--players",
            self.players,
            "--swap",
            *stop,
            "-n",
            str(self.games),
            "--seed",
            self.seed,
            "--out",
            str(results),
            "--jobs",
            str(workers),
        ]


@dataclass(slots=True)
class LabRun:
    """An experiment: `tally` is the tally of its games up to the offset `offset` in the file."""

    name: str
    folder: Path
    setup: LabSetup
    experiment: Experiment
    tally: Tally
    offset: int = 0
    differing_games: list[dict[str, Any]] = field(default_factory=list)

    @property
    def results(self) -> Path:
        """Return the file of the games."""
        return self.folder / GAMES_FILE

    def count_new_games(self) -> None:
        """Count the games that were added to the file."""
        if not self.results.is_file():
            return
        heading = self.experiment.heading()
        with self.results.open("rb") as file:
            file.seek(self.offset)
            for line in file:
                if not line.endswith(b"\n"):
                    return  # It is being written.
                if self.offset == 0:
                    self.begin(line.decode(errors="replace"))
                elif (row := read_row(line, self.tally.games, heading)) is None:
                    raise UsageError(f"{self.results} is damaged from game {self.tally.games} on")
                else:
                    self.add(row)
                self.offset += len(line)

    def begin(self, heading: str) -> None:
        """Check the heading of the games; `UsageError` if they have other rules or another engine."""
        if heading.rstrip("\n") != heading_line(self.experiment.heading()):
            raise UsageError(
                "the rules or the engine have changed since these games were played; start a new experiment"
            )

    def add(self, row: Row) -> None:
        """Count one game number, and record games with different winners."""
        number = self.tally.games
        self.tally.add(row)
        for seating, games in enumerate(row):
            first, second = games[0], games[1]
            if first.winner != second.winner and len(self.differing_games) < MOST_PARTED:
                self.differing_games.append(
                    {"game": number, "seating": seating, "seed": first.seed, "won": [first.winner, second.winner]}
                )

    def data(self) -> dict[str, Any]:
        """Return the results so far, in the format of `compare --format json`; `found` is None without games."""
        tally = self.tally
        if not tally.games:
            return {"games": 0, "found": None, "parted": []}
        until = parse_stopping_rule(self.setup.until or None)
        players, sides = self.experiment.players(), self.experiment.sides()
        stopped = stop_reason(until, compute_differences(tally, players, sides)) if until.rule else ""
        summary = summarize_results(tally, players, sides, stopped, until)
        return {"games": tally.games, "found": experiment_report(summary), "parted": self.differing_games}


@dataclass(slots=True)
class LabRuns:
    """The experiments of a server, by name; `jobs` are the running ones."""

    runs: dict[str, LabRun] = field(default_factory=dict)
    jobs: dict[str, str] = field(default_factory=dict)

    def stored_experiments(self) -> tuple[list[dict[str, Any]], list[str]]:
        """Return the stored experiments, the latest first, and a sentence for each one that cannot be read."""
        folders = [each for each in lab_folder().glob("*") if (each / SETUP).is_file()]
        folders.sort(key=lambda each: -(each / SETUP).stat().st_mtime)
        found, damaged = [], []
        for each in folders[:MOST_LISTED_RUNS]:
            try:
                found.append({"name": each.name, **asdict(setup_in(each))})
            except UsageError as error:
                damaged.append(str(error))
        return found, damaged

    def begin(self, setup: LabSetup, packages: Sequence[Path]) -> str:
        """Create the folder of an experiment, and return its name; `UsageError` if the setup is invalid."""
        experiment = experiment_of(setup, packages)
        number = 1
        while (folder := lab_folder() / f"{setup.scenario}-{number}").exists():
            number += 1
        make_folder(folder)
        save_text(folder / SETUP, json.dumps(asdict(setup)))
        self.limit_stored(LabRun(folder.name, folder, setup, experiment, experiment.tally()))
        return folder.name

    def find(self, name: str, packages: Sequence[Path]) -> LabRun:
        """Return an experiment by name, with all its games counted."""
        folder = lab_folder() / name
        if not RUN_NAME.fullmatch(name) or name.startswith(".") or not (folder / SETUP).is_file():
            raise UsageError("there is no experiment of this name any more")
        if name not in self.runs:
            setup = setup_in(folder)
            experiment = experiment_of(setup, packages)
            self.limit_stored(LabRun(name, folder, setup, experiment, experiment.tally()))
        self.runs[name].count_new_games()
        return self.runs[name]

    def limit_stored(self, run: LabRun) -> None:
        """Cache the counts of an experiment, and discard the oldest ones."""
        self.runs[run.name] = run
        for older in list(self.runs)[:-MOST_COUNTED]:
            del self.runs[older]

    def start(self, run: LabRun, jobs: Jobs, packages: Sequence[Path]) -> str:
        """Start or resume a run; return the name of its job."""
        if self.is_running(run.name, jobs):
            return self.jobs[run.name]
        self.jobs[run.name] = jobs.begin(run.setup.command(run.results), packages)
        return self.jobs[run.name]

    def is_running(self, name: str, jobs: Jobs) -> bool:
        """Return whether an experiment is running."""
        job = self.jobs.get(name)
        return job in jobs.all and jobs.all[job].is_running

    def failure_text(self, name: str, jobs: Jobs) -> str:
        """Return why the job of an experiment failed; "" if it did not."""
        job = self.jobs.get(name)
        found = jobs.all.get(job) if job else None
        return "" if found is None or found.is_running else str(found.state()["error"])


def lab_folder() -> Path:
    """Return the folder of experiments in the cache."""
    return cache.own_folder() / "lab"


def setup_in(folder: Path) -> LabSetup:
    """Read the setup of an experiment; `UsageError` if it is damaged."""
    try:
        found = decode_json((folder / SETUP).read_text(encoding="utf-8"))
        return LabSetup(**{**found, "rules": tuple(found["rules"])})
    except (ValueError, TypeError, KeyError):
        raise UsageError(f"{folder / SETUP} is damaged: remove its folder") from None


def experiment_of(setup: LabSetup, packages: Sequence[Path]) -> Experiment:
    """Build the experiment of a setup like `compare`, with the same errors."""
    stacks = load_stacks(setup.scenario, setup.rules, [], packages)
    parse_stopping_rule(setup.until or None)
    return set_up(stacks, parse_seatings(stacks, [setup.players], swaps_sides=True), setup.seed, None)
