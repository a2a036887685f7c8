"""Helpers for tests of conventions: a finder reads a repository and yields one line per breach.

Each convention has two tests: the finder reports no breach in this clone, and it reports those of a small planted
repository.
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
    """Write a small repository from paths and texts."""
    for path, text in files.items():
        place = land / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return land


def texts(root: Path, *folders: str, suffixes: str = "") -> Iterator[tuple[str, str]]:
    """Yield path and text of the files in these folders, which may be single files."""
    for folder in folders:
        top = root / folder
        for file in sorted([top] if top.is_file() else top.rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.is_file() and not brought(path) and (not suffixes or file.suffix in suffixes.split()):
                yield path, file.read_text(encoding="utf-8", errors="replace")


def brought(path: str) -> bool:
    """Return whether a path belongs to Python's caches or npm's packages."""
    return bool({"__pycache__", "node_modules"}.intersection(path.split("/")))


def modules(root: Path, *folders: str) -> Iterator[tuple[str, ast.Module]]:
    """Parse the Python files of these folders."""
    for path, text in texts(root, *folders, suffixes=".py"):
        yield path, parsed(path, text)


@cache
def parsed(path: str, text: str) -> ast.Module:
    """Parse a file once for all conventions, which only read the trees."""
    return ast.parse(text, path)


@cache
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return the nodes of a module, computed once for all conventions."""
    return tuple(ast.walk(tree))
