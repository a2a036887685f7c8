"""Write the games of an experiment as a table for spreadsheets and statistical programs: CSV, a row for each game.

In: an experiment, and its rows of games in order, stored and new ones. Out: lines of the file. `level` and `lost` have
a column for each side: the place on the scale of the outcome, and the number of lost steps.
"""

import csv
from typing import IO

from rulewright.lab.experiment import Experiment
from runtime.experiment.game_outcome import Outcome
from runtime.experiment.plan import Row

_COLUMNS = ("seed", "rules", "players", "winner", "turns", "decisions", "fault")


class GameTable:
    """An open file to which games are written."""

    def __init__(self, file: IO[str], experiment: Experiment) -> None:
        """Write the names of the columns."""
        self._writer = csv.writer(file, lineterminator="\n")
        self._sides = experiment.sides()
        self._rules = [stack.name for stack in experiment.stacks]
        self._players = experiment.players()
        amounts = [f"{amount} {side}" for amount in ("level", "lost") for side in self._sides]
        self._writer.writerow([*_COLUMNS, *amounts])

    def add(self, row: Row) -> None:
        """Write the games of one number: a line for each of the players under each of the rules."""
        for players, games in zip(self._players, row, strict=True):
            for rules, game in zip(self._rules, games, strict=True):
                named = game.seed, rules, players, game.winner, game.turn, game.choices, game.fault
                self._writer.writerow([*named, *self._amounts(game)])

    def _amounts(self, game: Outcome) -> list[object]:
        """Return the level of each side, empty where it has none, and its lost steps."""
        levels = dict(game.levels)
        lost = [sum(count for side, _, count in game.losses if side == wanted) for wanted in self._sides]
        return [*(levels.get(side, "") for side in self._sides), *lost]
