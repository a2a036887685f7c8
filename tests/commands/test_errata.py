"""`errata` lists the changes that rulings and corrections make for players, by date."""

import json
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from rulewright.serve.cli.console import ExitCode
from rulewright.write.new_packages import new_game

Capture = pytest.CaptureFixture[str]

RULINGS = """\
ruling tired-legs-rest [TOY.2] correction, minor
  asks "Do tired legs cost more?"
  answers "Not on wheels."
  entry_cost is price[ground_of(to), mover.gait]
  exception to tired-legs
  when mover.gait = wheel
ruling legs-are-legs [TOY.3] clarification, none
  asks "Whose legs?"
  answers "Everybody's."
  clarifies tired-legs
"""
BOOK = 'book: []\ndates: {tired-legs-rest: "1976-05"}\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a small game that has a correction and a clarification."""
    new_game("toy", tmp_path / "set")
    (tmp_path / "set" / "toy" / "more.rules").write_text(RULINGS)
    (tmp_path / "set" / "toy" / "dates.yaml").write_text(BOOK)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_correction_is_listed_at_its_date_with_the_rule_that_it_corrects(capsys: Capture) -> None:
    assert run(["errata", "toy", "--path", "set", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    (erratum,) = data["dates"][0]["errata"]
    assert [group["date"] for group in data["dates"]] == ["1976-05", ""]
    assert erratum["now"] == "Not on wheels."
    assert [before["label"] for before in erratum["before"]] == ["tired-legs"]
    assert data["without"] == 1


@pytest.mark.parametrize("since", ["1976-13", "1976-02-30", "1976-00", "76", "may 1976"])
def test_malformed_dates_are_refused(capsys: Capture, since: str) -> None:
    assert run(["errata", "toy", "--path", "set", "--since", since]) == ExitCode.USAGE
    assert "is no date" in capsys.readouterr().err
    if len(since) == len("1976-02-30"):
        assert run(["reference", "toy", "--path", "set", "--out", "out", "--against", since]) == ExitCode.USAGE
        assert "there is no day" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("since", "count"), [("1976", 1), ("1976-05", 1), ("1976-05-30", 1), ("1976-06", 0), ("1975", 1), ("2000-01-01", 0)]
)
def test_errata_since_a_date(since: str, count: int, capsys: Capture) -> None:
    assert run(["errata", "toy", "--path", "set", "--since", since, "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["dates"]) == count
