"""Pages of docs have the rows of the data beside them, rows that grow old are dropped, and interrupted runs resumed."""

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from tests.lab import tables
from tests.lab.__main__ import main
from tests.lab.data_table import BEGIN, DataTable
from tests.lab.effects import EFFECTS, Effect, effect
from tests.lab.levels import situation_result
from tests.lab.pairs import pairs
from tests.lab.schedule import Schedule, has_other_rules
from tests.lab.strength import match
from tests.sample import sampled

DATE = "2026-11-29"
ROW = Effect(
    "first_snow", "frost_chits", "greedy", "long_frost", "raiders", 200, 192, 131, 62, 1, -0.372, -0.239, -1.22,
    "less often", 3, 3, 0, 0, 2, DATE, "0123456789ab",
)  # fmt: skip
Scheduled = Callable[..., Schedule]


@pytest.fixture
def scheduled(tmp_path: Path) -> Scheduled:
    """Return a schedule of some games in a folder of the test."""
    return lambda games, most, folder="games": Schedule(games, most, games, 1, tmp_path / folder, DATE)


def copied(table: DataTable[Any], folder: Path) -> DataTable[Any]:
    """Return the table with an empty page in another folder."""
    other = replace(table, folder=folder)
    other.path(".md").write_text("A page.\n" + BEGIN, encoding="utf-8")
    return other


@pytest.mark.parametrize("name", tables.TABLES)
def test_a_page_has_the_recorded_rows(name: str) -> None:
    table = tables.TABLES[name]
    rows, text = table.rows(), table.path(".md").read_text(encoding="utf-8")
    assert rows
    assert text == table.page(text, rows), "python3 -m tests.lab tables writes it"
    assert json.loads(table.path(".json").read_text(encoding="utf-8")) == [asdict(row) for row in rows]


def test_only_options_that_decide_something_stand_on_the_page() -> None:
    assert {(row.situation, row.option) for row in EFFECTS.rows()} <= set(pairs())
    line = "| first_snow | `frost_chits` | `greedy` | raiders | 200 | 192 | 131 | -37.2 to -23.9 | -1.22 |"
    assert line in EFFECTS.page(BEGIN, [ROW])
    assert "frost_chits" not in EFFECTS.page(BEGIN, [replace(ROW, settled="open")])


@sampled(0)
def test_an_interrupted_run_is_resumed(scheduled: Scheduled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(games: int, most: int, folder: str) -> Effect:
        return effect("first_snow", "long_frost", "frost_chits", scheduled(games, most, folder))

    # One game leaves the effect open, so a second is played.
    whole = measured(1, 2, "whole")
    assert (whole.games, whole.settled, whole.date) == (2, "open", DATE)
    assert whole.changes >= whole.reached >= whole.used
    assert not has_other_rules(whole, ())
    assert has_other_rules(replace(whole, option="frost_pressure"), ())
    measured(1, 1, "parts")
    file = Path("greedy") / "first_snow.frost_chits.jsonl"
    results_file = tmp_path / "parts" / file
    results_file.write_bytes(results_file.read_bytes()[:-7])
    assert measured(2, 2, "parts") == whole
    assert results_file.read_bytes() == (tmp_path / "whole" / file).read_bytes()
    monkeypatch.setattr("rulewright.lab.experiment.play_range", lambda *_: iter(()))
    assert measured(2, 2, "parts") == whole


@sampled(0)
def test_levels_and_strength_are_those_of_the_games(scheduled: Scheduled) -> None:
    row = situation_result("before_the_tide", scheduled(4, 4))
    assert (row.games, row.turns) == (4, 12.0)
    for levels in row.levels.split("; "):
        assert sum(int(level.rpartition(" ")[2]) for level in levels.split(", ")) == row.games
    known = match("before_the_tide", "greedy", "random", scheduled(10, 10))
    assert (known.stronger, known.games, known.better) == ("greedy", 20, 10)
    assert known.won + known.lost + known.drawn == known.games


def test_a_row_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    table = copied(EFFECTS, tmp_path)
    other = replace(ROW, option="frost_pressure")
    for row in (other, ROW):
        table.record(row)
    assert table.rows() == (ROW, other)
    table.record(replace(other, date="2026-11-30"))
    assert table.rows() == (ROW, replace(other, date="2026-11-30"))


def test_a_row_whose_rules_have_changed_is_dropped_and_what_has_no_row_is_played(
    scheduled: Scheduled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(EFFECTS.path(".md"), tmp_path)
    table = replace(EFFECTS, folder=tmp_path)
    table.record(ROW)
    monkeypatch.setitem(tables.TABLES, EFFECTS.name, table)
    monkeypatch.setattr(tables, "effect", lambda _, base, option, __: replace(ROW, option=option, than=base))
    messages: list[str] = []
    tables.play_table(
        "options", ["first_snow"], ["frost_chits"], scheduled(1, 1), is_repeated=False, say=messages.append
    )
    assert "dropped greedy, first_snow, frost_chits" in messages[0]
    assert table.rows() == (ROW,)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--situation", "first_snw"), "there is no situation `first_snw`; did you mean `first_snow`?"),
        (("--situation", "first_snow", "--option", "frost_chit"), "the option `frost_chit`; did you mean"),
        (("options_",), "there is no table `options_`; did you mean `options`?"),
    ],
)
def test_an_unknown_name_is_a_message(
    words: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["lab", "tables", *words, "--out", "x"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
