"""The game that `rulewright new game` writes, with few examples: for tests of changes that no example detects."""

from collections.abc import Sequence
from pathlib import Path
from string import Template

from rulewright.write.new_packages import WrittenFolder, new_game

FILES = Path(__file__).parent / "plain_game"


def plain_game(name: str, place: Path, packages: Sequence[Path] = ()) -> WrittenFolder:
    """Write the game; its rules are those of the scaffold."""
    written = new_game(name, place, packages)
    for file in sorted(FILES.iterdir()):
        text = Template(file.read_text(encoding="utf-8")).substitute(name=name, prefix=name[:4].upper())
        (written.folder / file.stem).write_text(text, encoding="utf-8")
    return written
