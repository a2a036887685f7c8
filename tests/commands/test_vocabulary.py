"""What commands print, and their help, call each thing by its one name (docs/glossary.md, for users)."""

import re
from pathlib import Path

import pytest

from rulewright.serve.cli.app import COMMANDS, run

GOLDEN = Path(__file__).parents[1] / "printers" / "golden"
PRINTED = sorted(GOLDEN.glob("command-*.txt"))
# Words of another sense, or of none, and what takes their place.
OTHERS = {
    r"\bscenarios?\b": "situation",
    r"\bcards?\b": "situation",
    r"\b(no accident|whenever one stops)\b": "significant, at any time",
    r"\bcounts? for nothing\b": "not counted",
    r"\bcomes? by\b": "reaches",
    r"\bNot so\b": "does not apply",
    r"\b(is|are|never|was|were) live\b|\bspoke\b": "applies",
    r"\bchanges nothing: whenever\b": "redundant",
}
# Code, the command `scenarios`, keys of files, and the card of paper.
CODE = re.compile(
    r"`[^`]*`|\bscenario[.:]\S*|rulewright scenarios|^  scenarios .*|quick-reference card|--live|--no-live|\|card\|.*",
    re.MULTILINE,
)


def strangers(text: str) -> list[str]:
    """Return the words that stand in place of one of the glossary."""
    prose = CODE.sub("", text)
    return [f"{match[0]}: {word}" for other, word in OTHERS.items() for match in re.finditer(other, prose)]


@pytest.mark.parametrize("name", [command.__name__.removesuffix("_") for command in COMMANDS])
def test_the_help_of_a_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    assert strangers(capsys.readouterr().out) == []


@pytest.mark.parametrize("file", PRINTED, ids=lambda file: file.stem)
def test_what_a_command_prints(file: Path) -> None:
    assert strangers(file.read_text(encoding="utf-8")) == []


def test_strangers_are_found() -> None:
    assert strangers("looked at the card `first_toy`") == ["card: situation"]
