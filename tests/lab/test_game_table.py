"""`compare --csv`: a row for each game, from which the numbers of the report can be computed again."""

import csv
import json
from pathlib import Path
from statistics import fmean

from tests.commands.planting import say
from tests.lab.test_designers_changes import KNOWN

COMMAND = ["compare", "yard", "--path", str(KNOWN), "--rules", "toss", "--rules", "toss+ties_to_south", "-j", "1"]
TWICE = ["--players", "greedy", "--players", "random"]


def test_the_report_can_be_computed_from_the_rows(tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    record = json.loads(say([*COMMAND, *TWICE, "-n", "30", "--csv", str(table), "--format", "json"]).out)
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert len(rows) == 30 * 2 * 2
    for arm in record["arms"]:
        games = [row for row in rows if (row["rules"], row["players"]) == (arm["rules"], arm["players"])]
        assert [row["seed"] for row in games] == [f"1-{number}" for number in range(30)]
        assert sum(row["winner"] == "north" for row in games) == arm["wins"]
        assert sum(not row["winner"] for row in games) == arm["draws"]
        assert fmean(int(row["turns"]) for row in games) == arm["turns"]
        assert round(fmean(int(row["level south"]) for row in games), 4) == arm["levels"]["south"]


def test_losses_are_set_against_turns(tmp_path: Path) -> None:
    """Of each side the table has the mean of all its losses, divided by the mean number of turns."""
    table = tmp_path / "games.csv"
    rules = ["--rules", "low_tide", "--rules", "low_tide"]
    command = ["compare", "before_the_tide", *rules, "-n", "10", "-j", "1", "--all", "--csv", str(table)]
    lines = [line.split() for line in say(command).out.splitlines()]
    games = list(csv.DictReader(table.open(encoding="utf-8")))
    for side, title in (("north", "Northers"), ("south", "Southers")):
        in_a_turn = sum(int(game[f"lost {side}"]) for game in games) / sum(int(game["turns"]) for game in games)
        assert ["the", title, "all,", "in", "a", "turn", f"{in_a_turn:.3f}", f"{in_a_turn:.3f}", "+0.000"] in lines


def test_stored_games_are_in_the_table(tmp_path: Path) -> None:
    out, table, whole = (tmp_path / name for name in ("games.jsonl", "games.csv", "whole.csv"))
    assert not say([*COMMAND, "-n", "8", "--out", str(out)]).code
    assert not say([*COMMAND, "-n", "12", "--out", str(out), "--csv", str(table)]).code
    assert not say([*COMMAND, "-n", "12", "--csv", str(whole)]).code
    assert table.read_bytes() == whole.read_bytes()
