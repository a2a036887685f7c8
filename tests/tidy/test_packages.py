"""Files are short, and names of files, folders and classes are specific."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.check import check, modules, nodes_of, plant, texts

FOLDERS = ("compiler", "runtime", "rulewright", "editors")
LINES = 400

# A generic name attracts unrelated code; if no specific one fits, the code is two things. `core` is not listed: it is
# the compiler writers' term for a small typed language that a larger one is lowered to.
EMPTY_NAMES = set(
    "util utils utility common misc helper helpers manager handler processor base data info wrapper factory "
    "visitor".split()
)


def long_files(root: Path) -> Iterator[str]:
    """Find files that are too long."""
    for path, text in texts(root, *FOLDERS, suffixes=".py"):
        if (lines := text.count("\n")) > LINES:
            yield f"{path}: {lines} lines, {LINES} at most: split it by subject"


def empty_names(root: Path) -> Iterator[str]:
    """Find files, folders and classes with generic names."""
    for path, tree in modules(root, *FOLDERS):
        for part in path.removesuffix(".py").split("/"):
            if empty := EMPTY_NAMES & set(part.split("_")):
                yield f"{path}: `{empty.pop()}` says nothing about what is inside"
        for node in nodes_of(tree):
            if isinstance(node, ast.ClassDef) and (
                empty := EMPTY_NAMES & set(re.findall("[a-z]+", re.sub("([A-Z])", r" \1", node.name).lower()))
            ):
                yield f"{path}:{node.lineno}: class {node.name}: `{empty.pop()}` says nothing about what it is"


def test_no_file_is_too_long() -> None:
    check(long_files)


def test_names_are_specific() -> None:
    check(empty_names)


def test_a_long_file_is_found(tmp_path: Path) -> None:
    assert len([*long_files(plant(tmp_path, {"compiler/a.py": "\n" * 401, "compiler/b.py": "\n" * 400}))]) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("compiler/utils.py", ""),
        ("runtime/common/hex.py", ""),
        ("runtime/turn_manager.py", ""),
        ("rulewright/a.py", "class DiceFactory: pass"),
    ],
)
def test_a_generic_name_is_found(tmp_path: Path, path: str, text: str) -> None:
    assert len([*empty_names(plant(tmp_path, {path: text}))]) == 1


def test_a_specific_name_passes(tmp_path: Path) -> None:
    assert not [*empty_names(plant(tmp_path, {"compiler/database.py": "class Baseline: pass"}))]
