"""`compare --plan`: what a number of games can show, before they are played and by those that are stored."""

import json
from pathlib import Path
from typing import Any

from runtime.experiment.mean_interval import ERROR, least_effect, pairs_needed
from tests.commands.planting import say
from tests.lab.test_designers_changes import KNOWN

COMMAND = ["compare", "yard", "--path", str(KNOWN), "--rules", "toss", "--rules", "toss+ties_to_south", "-j", "1"]


def planned(*words: str) -> dict[str, Any]:
    done = say([*COMMAND, *words, "--plan", "--format", "json"])
    assert not done.code, done.err
    record: dict[str, Any] = json.loads(done.out)
    return record


def test_fewer_games_show_greater_effects_only() -> None:
    few, many = planned("-n", "50"), planned("-n", "400")
    assert all(less < more for less, more in zip(many["least"], few["least"], strict=True))
    assert few["effects"] == many["effects"]
    # Two sides, draws and levels have an interval each.
    assert few["tests"] == 4
    assert few["least"] == [round(least_effect(50, share, ERROR / 4), 3) for share in (0.0, 0.25, 0.5)]


def test_more_games_are_wanted_for_a_smaller_effect_and_where_more_pairs_differ() -> None:
    rows = planned("-n", "50")["effects"]
    for row, smaller in zip(rows[1:], rows, strict=False):
        assert all(less < more for less, more in zip(row["games"], smaller["games"], strict=True))
        assert row["games"] == sorted(row["games"])
    assert planned("--margin", "10%")["same"] == {
        "effect": 0.1,
        "games": [pairs_needed(0.0, share, 0.1, ERROR / 4) for share in (0.0, 0.25, 0.5)],
    }


def test_stored_games_tell_how_many_pairs_differ_and_none_is_played(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    assert not say([*COMMAND, "-n", "40", "--out", str(out)]).code
    before = out.read_bytes()
    [share] = planned("--out", str(out), "-n", "400")["shares"]
    difference = json.loads(say([*COMMAND, "-n", "40", "--out", str(out), "--format", "json"]).out)["difference"]
    pairs = [difference["pairs"], *(other["pairs"] for other in [*difference["other_sides"], difference["draws"]])]
    assert share == max(counts["first"] + counts["second"] for counts in pairs) / 40
    assert out.read_bytes() == before


def test_a_plan_without_a_difference_is_refused() -> None:
    done = say(["compare", "yard", "--path", str(KNOWN), "--rules", "toss", "--plan"])
    assert (done.code, "name other `--rules`" in done.err) == (2, True)
