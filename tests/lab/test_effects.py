"""docs/results.md equals the recorded effects, and an interrupted run is resumed."""

from pathlib import Path

import pytest

from tests.lab import effects
from tests.lab.survey import pairs
from tests.sample import sampled


def test_the_page_equals_the_recorded_effects() -> None:
    found = effects.recorded()
    assert effects.RESULTS.read_text(encoding="utf-8") == effects.page(found), "python3 -m tests.lab effects writes it"
    assert {(each.situation, each.option) for each in found} <= set(pairs())


@sampled(0)
def test_an_interrupted_run_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # One game leaves the effect open, so a second is played.
    [whole] = effects.effects("first_snow", ["frost_chits"], effects.Schedule(1, 2, 1, tmp_path / "whole"))
    assert (whole.games, whole.settled) == (2, "open")
    list(effects.effects("first_snow", ["frost_chits"], effects.Schedule(1, 1, 1, tmp_path / "parts")))
    results_file = tmp_path / "parts" / "first_snow.frost_chits.jsonl"
    results_file.write_bytes(results_file.read_bytes()[:-7])
    assert list(effects.effects("first_snow", ["frost_chits"], effects.Schedule(2, 2, 1, tmp_path / "parts"))) == [
        whole
    ]
    assert results_file.read_bytes() == (tmp_path / "whole" / results_file.name).read_bytes()
    monkeypatch.setattr("rulewright.lab.experiment.play_range", lambda *_: iter(()))
    assert list(effects.effects("first_snow", ["frost_chits"], effects.Schedule(2, 2, 1, tmp_path / "parts"))) == [
        whole
    ]
