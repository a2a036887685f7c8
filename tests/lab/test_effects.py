"""docs/results.md has the rows of docs/results.csv that decide something, and an interrupted run is resumed."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.lab import effects
from tests.lab.__main__ import main
from tests.lab.pairs import pairs
from tests.sample import sampled

DATE = "2026-11-29"
ROW = effects.Effect(
    "first_snow", "frost_chits", "greedy", "long_frost", "raiders", 200, 192, 131, 62, 1, -0.372, -0.239, -1.22,
    "less often", 3, 3, 0, 0, 2, DATE, "0123456789ab",
)  # fmt: skip


def test_the_page_has_the_recorded_effects_that_decide_something() -> None:
    rows = effects.recorded()
    text = effects.RESULTS.read_text(encoding="utf-8")
    assert text == effects.page(text, rows), "python3 -m tests.lab effects writes it"
    assert {(row.situation, row.option) for row in rows} <= set(pairs())
    assert "| first_snow | `frost_chits` | `greedy` | raiders | 200 | 192 | 131 | -37.2 to -23.9 |" in effects.page(
        text, [ROW]
    )
    assert "frost_chits" not in effects.page(effects.BEGIN, [replace(ROW, settled="open")])


@sampled(0)
def test_an_interrupted_run_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(games: int, most: int, folder: str) -> list[effects.Effect]:
        schedule = effects.Schedule(games, most, 1, tmp_path / folder, DATE)
        return list(effects.effects("first_snow", ["frost_chits"], schedule))

    # One game leaves the effect open, so a second is played.
    [whole] = measured(1, 2, "whole")
    assert (whole.games, whole.settled, whole.date) == (2, "open", DATE)
    assert whole.changes >= whole.reached >= whole.used
    assert not effects.outdated(whole, ())
    assert effects.outdated(replace(whole, option="frost_pressure"), ())
    measured(1, 1, "parts")
    results_file = tmp_path / "parts" / "first_snow.frost_chits.jsonl"
    results_file.write_bytes(results_file.read_bytes()[:-7])
    assert measured(2, 2, "parts") == [whole]
    assert results_file.read_bytes() == (tmp_path / "whole" / results_file.name).read_bytes()
    monkeypatch.setattr("rulewright.lab.experiment.play_range", lambda *_: iter(()))
    assert measured(2, 2, "parts") == [whole]


def test_a_row_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    recorded = tmp_path / "results.csv"
    recorded.write_text("", encoding="utf-8")
    other = replace(ROW, option="frost_pressure")
    effects.record([other, ROW], recorded)
    assert effects.recorded(recorded) == (ROW, other)
    effects.record([replace(other, date="2026-11-30")], recorded)
    assert effects.recorded(recorded) == (ROW, replace(other, date="2026-11-30"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("effects", "first_snw", "--out", "x"), "there is no situation `first_snw`; did you mean `first_snow`?"),
        (("effects", "first_snow", "--option", "frost_chit", "--out", "x"), "the option `frost_chit`; did you mean"),
    ],
)
def test_an_unknown_name_is_a_message(
    words: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["lab", *words])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
