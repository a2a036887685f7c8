"""Golden trials of every situation that comes along are the same games again, choice by choice."""

import pytest

from tests.trials.shipped import FOLDER, recorded, replayed, situations


@pytest.mark.parametrize("name", situations())
def test_the_same_game_again(name: str, reset: bool) -> None:
    file = FOLDER / f"{name}.txt"
    if reset:
        FOLDER.mkdir(exist_ok=True)
        file.write_text("\n".join(recorded(name)) + "\n", encoding="utf-8")
    assert file.is_file(), "a new situation: `python3 -m tests tests/trials --reset` records its trial"
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, (written, now) in enumerate(zip(lines, replayed(name, lines), strict=False), 1):
        assert now == written, f"{file.name}:{number}: another game; if the rules were meant to change, use --reset"


def test_no_trial_is_left_over() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(situations())
