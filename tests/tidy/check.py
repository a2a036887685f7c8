"""Checks of root rules: a finder reads a root and yields one line per breach.

Each convention is tested twice: on this clone, which must be clean, and on a small planted repository in
which its breaches stand, so that a finder that has gone blind is noticed.
"""

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

Finder = Callable[[Path], Iterator[str]]


def check(find: Finder) -> None:
    """Fail with every breach of a convention, one a line."""
    breaches = sorted(find(ROOT))
    if breaches:
        pytest.fail("\n".join([f"{len(breaches)} breaches of a convention:", *breaches]), pytrace=False)


def plant(land: Path, files: dict[str, str]) -> Path:
    """Write a small repository: paths and their texts."""
    for path, text in files.items():
        place = land / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return land


def texts(root: Path, *folders: str, suffixes: str = "") -> Iterator[tuple[str, str]]:
    """Read the text files of these folders, or single files: path in the repository, text."""
    for folder in folders:
        top = root / folder
        for file in sorted([top] if top.is_file() else top.rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.is_file() and not brought(path) and (not suffixes or file.suffix in suffixes.split()):
                yield path, file.read_text(encoding="utf-8", errors="replace")


def brought(path: str) -> bool:
    """Return what Python and npm put beside our files."""
    return bool({"__pycache__", "node_modules"}.intersection(path.split("/")))


def modules(root: Path, *folders: str) -> Iterator[tuple[str, ast.Module]]:
    """Parse the Python files of these folders."""
    for path, text in texts(root, *folders, suffixes=".py"):
        yield path, _parsed(path, text)


@cache
def _parsed(path: str, text: str) -> ast.Module:
    """Parse a file once for all conventions, which read the trees and change nothing in them."""
    return ast.parse(text, path)


@cache
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """List the nodes of a module once for all conventions: a dozen of them look at every node of every file."""
    return tuple(ast.walk(tree))
