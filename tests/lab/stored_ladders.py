"""The stored games of rows of docs/strength.md, and the rows as they follow from these games."""

import json
from collections.abc import Iterator
from dataclasses import fields
from itertools import count
from pathlib import Path

from rulewright.cli.ladder import rung_cells
from rulewright.ladder_run import MARGIN, LadderStep
from runtime.experiment.plan import Row
from runtime.experiment.result_lines import ExperimentHeading, read_row
from tests.lab.survey import ROOT

PAGE = ROOT / "docs" / "strength.md"
FOLDER = ROOT / "tests" / "lab" / "ladders"


def stored_files() -> list[Path]:
    """Return the files of stored games, one for each row: `SITUATION/PLAYER-against-OPPONENT.jsonl`."""
    return sorted(FOLDER.glob("*/*.jsonl"))


def read_heading(path: Path) -> ExperimentHeading:
    """Return the heading of a file of stored games."""
    with path.open(encoding="utf-8") as lines:
        found = json.loads(next(lines))["experiment"]
    names = {each.name for each in fields(ExperimentHeading)} & found.keys()
    return ExperimentHeading(**{name: found[name] for name in names})


def stored_rows(path: Path) -> Iterator[Row]:
    """Yield the games of each seed; `ValueError` if a line is no result of its games."""
    heading = read_heading(path)
    with path.open(encoding="utf-8") as lines:
        next(lines)
        for number, line in zip(count(), lines):
            row = read_row(line, number, heading)
            if row is None:
                raise ValueError(f"{path}:{number + 2} is no result of game {number}")
            yield row


def stored_step(path: Path) -> LadderStep:
    """Return what a ladder counts in the stored games, up to the pair that settles it."""
    seatings = [dict(seating) for seating in read_heading(path).players]
    sides = list(seatings[0])
    # In seating k the stronger player has side k, as in `LadderPlan.planned_duels`.
    step = LadderStep(seatings[0][sides[0]], seatings[0][sides[1]], MARGIN)
    for row in stored_rows(path):
        step.add([(games[0], side) for games, side in zip(row, sides, strict=True)])
        if not step.needs_games:
            break
    return step


def page_row(path: Path) -> str:
    """Return the row of the page that follows from the stored games."""
    player, opponent, *cells = rung_cells(stored_step(path))
    return f"| {' | '.join([path.parent.name, f'`{player}`', f'`{opponent}`', *cells])} |"
