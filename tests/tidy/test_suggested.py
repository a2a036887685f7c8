"""Commands that messages suggest for a new game can be copied to a shell, whatever a path contains."""

import shlex
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from rulewright.system.shell_words import shell_word
from tests.sample import sampled


@sampled(0)
@pytest.mark.parametrize("place", ["plain", "two words", "it's", "$HOME"])
def test_suggested_commands_for_a_new_game_run(place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "game", "deep_snow", "--dir", str(tmp_path / place)]) == 0
    commands = [line.split("rulewright ", 1)[1] for line in capsys.readouterr().out.splitlines()[1:]]
    assert commands
    for command in commands:
        assert run(shlex.split(command)) == 0, capsys.readouterr().out


def test_a_plain_word_is_not_quoted() -> None:
    assert shell_word(Path("rules") / "games") == "rules/games"
    assert shlex.split(shell_word("a b'c")) == ["a b'c"]
