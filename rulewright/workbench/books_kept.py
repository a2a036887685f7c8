"""Books for the room Book: the site that `rulewright reference` prints, kept in the cache by the hash of its rules.

In: a stack. Out: the folder of its book, if it was printed; the command that prints it; a file of it. A book is printed
whole or not at all, so what lies there is whole.
"""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from rulewright.errors import UsageError
from rulewright.library import cache
from rulewright.library.stacks import load_stack

# Books that are kept; those read longest ago go first.
MOST_BOOKS = 8
STACK = re.compile(r"[\w+=-]+")
INDEX = "index.html"


def book_folder(stack: str, packages: Sequence[Path]) -> Path:
    """Name the folder of the book of a stack as its rules are now."""
    if not STACK.fullmatch(stack):
        raise UsageError("this is not the name of a stack")
    found = load_stack(stack, packages)
    if found.broken or found.graph is None:
        raise UsageError(f"`{stack}` has errors; `rulewright check` says which")
    return books() / f"{stack}@{found.graph.hash[:16]}"


def books() -> Path:
    """Name the folder in which books lie."""
    return cache.own_folder() / "books"


def printed(folder: Path) -> bool:
    """Tell whether a book is there."""
    return (folder / INDEX).is_file()


def command(stack: str, folder: Path) -> list[str]:
    """Write the command that prints a book; books that nobody has read for long make room."""
    kept = sorted((each for each in books().glob("*") if each.is_dir()), key=lambda each: -each.stat().st_mtime)
    for older in kept[MOST_BOOKS - 1 :]:
        shutil.rmtree(older, ignore_errors=True)
    return ["reference", stack, "--out", str(folder)]


def file_of(folder: Path, path: str) -> Path | None:
    """Find a file of a book; None if it has none of that name."""
    file = (folder / (path or INDEX)).resolve()
    return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
