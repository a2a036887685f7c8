"""The pages for contributors name what is there: folders, files, commands."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.check import ROOT, check, plant, texts
from tests.tidy.test_arrows import ORDER

PAGES = ("README.md", "docs/architecture.md", "docs/recipes.md")
TOPS = ("bench", "compiler", "docs", "editors", "rules", "rulewright", "runtime", "tests")
# What a reader is to write has a made-up name.
MADE_UP = {"tests/codes/R0412-slug.md"}


def lost_paths(root: Path) -> Iterator[str]:
    """Find paths and links on the pages that lead nowhere."""
    for page, text in texts(root, *(page for page in PAGES if (root / page).exists())):
        for number, line in enumerate(text.splitlines(), 1):
            named = [path for path in re.findall(r"`([\w./-]+)`", line) if "/" in path and path.split("/")[0] in TOPS]
            linked = [(root / page).parent / path for path in re.findall(r"\]\(([\w./-]+)\)", line)]
            for path in [*(root / name for name in named if name not in MADE_UP), *linked]:
                if not path.exists():
                    yield f"{page}:{number}: there is no {path.relative_to(root)}"


def test_paths_lead_somewhere() -> None:
    check(lost_paths)


@pytest.mark.parametrize("text", ["`compiler/gone.py`", "[language](gone.md)"])
def test_a_lost_path_is_seen(tmp_path: Path, text: str) -> None:
    assert len([*lost_paths(plant(tmp_path, {"docs/recipes.md": text}))]) == 1


def test_the_plan_shows_every_room() -> None:
    plan = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = {f"{root}/{folder}" for root, lines in ORDER.items() for line in lines for folder in line.split()}
    assert {folder for folder in folders if f"`{folder}`" not in plan} == set()
    assert {folder for folder in folders if not (ROOT / folder).is_dir()} == set()


def test_the_readme_shows_every_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = {file.stem for file in (ROOT / "rulewright" / "cli").glob("*.py") if _is_command(file)}
    assert {name for name in commands if not re.search(rf"(?:`|rulewright ){name}\b", readme)} == set()


def test_every_command_is_offered_and_tried() -> None:
    app = (ROOT / "rulewright" / "cli" / "app.py").read_text(encoding="utf-8")
    tried = " ".join(text for _, text in texts(ROOT, "tests", suffixes=".py"))
    for file in (ROOT / "rulewright" / "cli").glob("*.py"):
        if _is_command(file):
            assert re.search(rf"(?m)^    {file.stem}_?,$", app), f"`{file.stem}` is not in COMMANDS"
            # A list of arguments, or a text that begins with the command.
            runs = rf"(?<![\w\]])\[\s*\"{file.stem}\"|[\"'](?:rulewright )?{file.stem}(?: [^\"']*)?[\"'],? "
            assert re.search(runs, tried), f"no test runs `{file.stem}`"


def _is_command(file: Path) -> bool:
    """Return whether a file is that of a command, as its first line says, not one that serves all commands."""
    return file.read_text(encoding="utf-8").startswith(f'"""`rulewright {file.stem}')
