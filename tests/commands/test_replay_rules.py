"""`replay --rules` names what differs in the step where games part; it compares what was recorded."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.cli.app import run
from tests.sample import sampled

Capture = pytest.CaptureFixture[str]

LAYER = "layer: altered\ntitle: Altered\nkind: variant\non: [low_tide]\n"
LIGHT_BASKETS = """\
rule light-baskets [house] "Filling a basket takes no time."
  withdraws step set w.walked of action gather
"""
FAST_TIDE = """\
rule fast-tide [house] "The water always rises."
  rise is 1
  replaces tide-rises
"""
NO_TIDE = 'rule no-tide [house] "There is no tide."\n  withdraws phase tide\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a recorded game."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "altered").mkdir()
    (tmp_path / "altered" / "layer.yaml").write_text(LAYER)
    played = ["play", "before_the_tide", "--players", "greedy,greedy", "--seed", "3", "--record", "evening.trial"]
    assert run(played) == 0
    return tmp_path


def replayed(rules: str, capsys: Capture) -> dict[str, Any]:
    """Return what `replay` reports about the recorded game under Low Tide with these rules."""
    Path("altered/altered.rules").write_text(rules)
    capsys.readouterr()
    run(["replay", "evening.trial", "--rules", "altered", "--path", ".", "--format", "json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@sampled(1)
@pytest.mark.parametrize(
    ("rules", "named"),
    [
        (LIGHT_BASKETS, ["action gather"]),
        (FAST_TIDE, ["tide-rises", "fast-tide"]),
        (NO_TIDE, ["sequence"]),
    ],
)
def test_what_differs_where_games_part_is_named(rules: str, named: list[str], capsys: Capture) -> None:
    found = replayed(rules, capsys)
    assert not found["same"]
    assert found["rules"] == named


def test_an_altered_record_is_not_compared(capsys: Capture) -> None:
    trial = Path("evening.trial")
    trial.write_text(trial.read_text().replace('"label":"B7"', '"label":"C7"'))
    assert run(["replay", "evening.trial", "--rules", "low_tide"]) == 1
    out = capsys.readouterr().out
    assert "was C7 and is not among" in out
    assert "not compared with low_tide" in out
