"""Golden trials of every shipped situation are replayed choice by choice without a difference."""

import pytest

from tests.sample import sampled
from tests.trials.shipped import FOLDER, recorded, replayed, situations


@sampled(1)
@pytest.mark.parametrize("name", situations())
def test_a_golden_trial_is_replayed_without_a_difference(name: str, reset: bool) -> None:
    file = FOLDER / f"{name}.txt"
    if reset:
        FOLDER.mkdir(exist_ok=True)
        file.write_text("\n".join(recorded(name)) + "\n", encoding="utf-8")
    assert file.is_file(), "a new situation: `python3 -m tests tests/trials --reset` records its trial"
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, (written, now) in enumerate(zip(lines, replayed(name, lines), strict=False), 1):
        assert now == written, f"{file.name}:{number}: another game; if the rules were meant to change, use --reset"


def test_every_golden_trial_has_its_situation() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(situations())
