"""docs/results.md equals the recorded effects, and an interrupted run is resumed."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.lab import effects
from tests.lab.__main__ import main
from tests.lab.survey import pairs
from tests.sample import sampled

DATE = "2026-11-29"


def test_the_page_equals_the_recorded_effects() -> None:
    found = effects.recorded()
    assert effects.RESULTS.read_text(encoding="utf-8") == effects.page(found), "python3 -m tests.lab effects writes it"
    assert {(each.situation, each.option) for each in found} <= set(pairs())


@sampled(0)
def test_an_interrupted_run_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(games: int, most: int, folder: str) -> list[effects.Effect]:
        schedule = effects.Schedule(games, most, 1, tmp_path / folder, DATE)
        return list(effects.effects("first_snow", ["frost_chits"], schedule))

    # One game leaves the effect open, so a second is played.
    [whole] = measured(1, 2, "whole")
    assert (whole.games, whole.settled, whole.date) == (2, "open", DATE)
    assert not effects.outdated(whole, ())
    assert effects.outdated(replace(whole, option="frost_pressure"), ())
    measured(1, 1, "parts")
    results_file = tmp_path / "parts" / "first_snow.frost_chits.jsonl"
    results_file.write_bytes(results_file.read_bytes()[:-7])
    assert measured(2, 2, "parts") == [whole]
    assert results_file.read_bytes() == (tmp_path / "whole" / results_file.name).read_bytes()
    monkeypatch.setattr("rulewright.lab.experiment.play_range", lambda *_: iter(()))
    assert measured(2, 2, "parts") == [whole]


def test_recording_a_row_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    recorded = tmp_path / "effects.jsonl"
    recorded.write_bytes(effects.RECORDED.read_bytes())
    [row, *_] = effects.recorded()
    effects.record([replace(row, date=DATE, rules="0123456789ab")], recorded)
    before, after = (path.read_text(encoding="utf-8").splitlines() for path in (effects.RECORDED, recorded))
    assert (before[1:], effects.recorded(recorded)[0].date) == (after[1:], DATE)


def test_the_page_says_when_its_rows_were_played() -> None:
    [row, *_] = effects.recorded()
    dated = replace(row, date=DATE, rules="0123456789ab")
    assert effects.dates([dated, dated], ["older"]) == [f"Of these 2 rows, played: 2 on {DATE}."]
    mixed = effects.dates([dated, replace(row, date="")], ["older"])
    assert mixed == [f"Of these 2 rows, played: 1 on {DATE}, 1 before dates were recorded.", "older"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("effects", "first_snw", "--out", "x"), "there is no situation `first_snw`; did you mean `first_snow`?"),
        (("survey", "first_snw"), "there is no situation `first_snw`; did you mean `first_snow`?"),
        (("effects", "first_snow", "--option", "frost_chit", "--out", "x"), "the option `frost_chit`; did you mean"),
        (("uses", "nowhere"), "there is no scenario `nowhere`"),
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
