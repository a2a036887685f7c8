"""Shipped games with edited files, for comparison with the unedited games."""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rulewright.explain.views.terminal_blocks import reply_text
from rulewright.lab.contrast.difference_blocks import difference_block
from rulewright.lab.contrast.differences import as_data, difference_of
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stacks import Stack, load_from, load_stack, open_edition

# A file, a text that occurs in it once, and its replacement; for "*" every match of a regular expression in all files.
Edit = tuple[str, str, str]


def edited(game: str, edits: Iterable[Edit], folder: Path) -> Stack:
    """Compile a copy of a game with edits."""
    place = folder / game
    shutil.copytree(rules_folder() / "games" / game, place)
    for file, old, new in edits:
        files = sorted(place.glob("*.*")) if file == "*" else [place / file]
        texts = [each.read_text() for each in files]
        count = sum(len(re.findall(old, text)) if file == "*" else text.count(old) for text in texts)
        assert count == 1 or (file == "*" and count > 1), f"{old} stands {count} times in {file}"
        for each, text in zip(files, texts, strict=True):
            each.write_text(re.sub(old, new, text) if file == "*" else text.replace(old, new))
    stack = load_from(open_edition([folder], [], game), game)
    assert not stack.is_broken, [each.message for each in stack.diagnostics]
    return stack


def compare_edited(game: str, edits: Iterable[Edit], folder: Path) -> tuple[dict[str, Any], str]:
    """Compare a game with an edited copy; return the data, and its text with the game named A and the copy B."""
    one, other = load_stack(game), edited(game, edits, folder / "edited")
    assert one.graph is not None
    assert other.graph is not None
    data = as_data(difference_of(one, other), ("A", "B"), (one.graph, other.graph), folder / "witnesses")
    return {**data, "cards": []}, difference_text({**data, "cards": []})


def difference_text(record: dict[str, Any], *, every: bool = False) -> str:
    """Return what `diff` prints."""
    return reply_text(difference_block(record, every=every), 80).plain
