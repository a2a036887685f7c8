"""How games of a table are played: how many, in how many processes, and where they are stored."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulewright.lab.experiment import Experiment, ExperimentStack
from rulewright.lab.experiment_setup import load_stacks
from rulewright.lab.results import Results
from rulewright.lab.versions import SHOWN_HASH_DIGITS
from runtime.experiment.processes import start_processes
from runtime.experiment.summary import Summary
from runtime.graph.digest import play_digest
from tests.lab.data_table import Measured

GREEDY = "greedy"
SEED = "1"


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is played for a row: `games`, up to `most` while it is open, in `jobs` processes, stored in `folder`.

    Two players meet in at most so many `pairs` of games.

    `date` is that of the rows, and `packages` bring the boards that are not shipped.
    """

    games: int
    most: int
    pairs: int
    jobs: int
    folder: Path
    date: str
    player: str = GREEDY
    packages: tuple[Path, ...] = ()

    def file(self, name: str) -> Path:
        """Return where the games of a row are stored."""
        return self.folder / self.player.replace(":", "_") / f"{name}.jsonl"


def played(experiment: Experiment, games: int, schedule: Schedule, file: Path) -> Summary:
    """Play games, or read those that are stored in the file, and return their summary."""
    restarted = replace(experiment, counted_games=0)
    with Results(file, restarted.heading()) as results, start_processes(schedule.jobs) as pool:
        return restarted.run(games, pool, lambda _, __: None, results=results)


def rules_hash(stacks: Sequence[ExperimentStack]) -> str:
    """Return the hash of what is played under the last stack: no text, no line of the book changes it."""
    return play_digest(stacks[-1].graph)[:SHOWN_HASH_DIGITS]


def has_other_rules(row: Measured, packages: Sequence[Path]) -> bool:
    """Return whether the rules of a row have changed since it was played."""
    return rules_hash(load_stacks(row.situation, [row.stack] if row.stack else [], [], packages)) != row.rules
