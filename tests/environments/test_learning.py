"""The script of docs/learning.md trains a policy that plays in `compare`; after ten minutes it beats random players."""

import importlib
import re
import sys
from pathlib import Path

import pytest

import rulewright
from rulewright.games.scenarios import known_players
from rulewright.system.errors import UsageError
from runtime.experiment.game_outcome import play_outcome
from tests.commands.planting import say
from tests.sample import LONG

PAGE = Path(__file__).parents[2] / "docs" / "learning.md"
MEETING = [
    "compare",
    "before_the_tide",
    "--player-code",
    "trained:trained",
    "--players",
    "trained,random",
    "--swap",
    "-j",
    "1",
]


def trained(folder: Path, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the script of the page to a folder, and train for the given seconds."""
    found = re.search(r"`trained\.py`:\n\n```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    (folder / "trained.py").write_text(found[1], encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "trained", raising=False)
    import trained as script  # type: ignore[import-not-found]  # noqa: PLC0415 -- it is written just now

    script.train(seconds)
    monkeypatch.delitem(sys.modules, "trained")


@LONG
def test_the_script_trains_and_its_policy_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained(tmp_path, 2, monkeypatch)
    done = say([*MEETING, "-n", "1"])
    assert not done.code, done.err
    assert "trained against random" in done.out


@LONG
def test_ten_minutes_of_training_beat_random(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained(tmp_path, 600, monkeypatch)
    assert "trained plays better, and it is no accident" in say([*MEETING, "-n", "40"]).out


def test_an_unknown_adviser_is_refused() -> None:
    environment = rulewright.env("before_the_tide", seed=3)
    environment.reset()
    with pytest.raises(UsageError, match="there is no player `gredy`"):
        environment.advised("gredy")


def test_advised_actions_are_those_of_greedy_players() -> None:
    environment = rulewright.env("before_the_tide", seed=3)
    environment.reset()
    while not all(environment.terminations.values()):
        environment.step(environment.advised("greedy"))
    game = environment.game
    wanted = play_outcome(game, {side: known_players("greedy", {}) for side in environment.possible_agents}, "3")
    assert (environment.playthrough.choice_count, game.finished_game(environment.playthrough).levels) == (
        wanted.choices,
        wanted.levels,
    )


def test_watching_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine time is left to learn: of a million games two are watched, if their time is over."""
    trained(tmp_path, 0.2, monkeypatch)
    assert 100 < len(list(importlib.import_module("trained").lessons(1_000_000, 0.0))) < 600
