"""Commands that messages suggest can be copied to a shell, whatever a path contains."""

import ast
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from rulewright.cli.app import run
from rulewright.shell_words import shell_word
from tests.sample import sampled

CLONE = Path(__file__).parents[2]
# Text before a path in a command.
BEFORE_A_PATH = re.compile(r"(?:^|\s)(?:--(?:path|resume|out|dir|record|witnesses|sources|module)|-p) $")


def unquoted(text: str) -> Iterator[int]:
    """Yield the lines on which a suggested command contains a path without quoting."""
    for node in ast.walk(ast.parse(text)):
        for before, part in pairwise(node.values) if isinstance(node, ast.JoinedStr) else ():
            is_path = isinstance(before, ast.Constant) and BEFORE_A_PATH.search(str(before.value))
            if is_path and isinstance(part, ast.FormattedValue):
                string_part = part.value
                if not (isinstance(string_part, ast.Call) and ast.unparse(string_part.func) == "shell_word"):
                    yield part.lineno


@sampled(0)
def test_paths_in_suggested_commands_are_quoted() -> None:
    files = sorted((CLONE / "rulewright").rglob("*.py"))
    found = [f"{file.relative_to(CLONE)}:{line}" for file in files for line in unquoted(file.read_text())]
    assert not found, f"write `shell_word(..)` (rulewright/shell_words.py) at {', '.join(found)}"


def test_an_unquoted_path_is_found() -> None:
    assert list(unquoted('f"run `check x --path {folder}`"')) == [1]
    assert not list(unquoted('f"run `check x --path {shell_word(folder)}`"'))


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
