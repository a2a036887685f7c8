"""A cache of the books of the view Book, which `rulewright reference` prints, by the hash of the rules.

In: a stack, and optionally one to compare it with. Out: the folder of its book; the command that prints it; a
file of it. A book is written atomically, so that an existing one is complete.
"""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from rulewright.errors import UsageError
from rulewright.library import cache
from rulewright.library.stacks import load_stack

# The most books in the cache; the least recently used ones are removed.
MOST_BOOKS = 8
STACK = re.compile(r"[\w+=-]+")
INDEX = "index.html"


def book_folder(stack: str, packages: Sequence[Path], against: str = "") -> Path:
    """Return the folder of the book of a stack with its current rules, compared with another one if specified."""
    named = (stack, against) if against else (stack,)
    parts = [part for each in named for part in (each, _hash(each, packages)[:16])]
    return books_folder() / "@".join(parts)


def _hash(stack: str, packages: Sequence[Path]) -> str:
    if not STACK.fullmatch(stack):
        raise UsageError("this is not the name of a stack")
    found = load_stack(stack, packages)
    if found.is_broken or found.graph is None:
        raise UsageError(f"`{stack}` has errors; `rulewright check` says which")
    return found.graph.hash


def stacks_of(folder: Path) -> tuple[str, str]:
    """Return the stack of a book from the name of its folder, and the one it is compared with, "" for none."""
    stack, _, against = (*folder.name.split("@"), "", "")[:3]
    return stack, against


def books_folder() -> Path:
    """Return the folder of books."""
    return cache.own_folder() / "books"


def has_book(folder: Path) -> bool:
    """Return whether a book has been printed."""
    return (folder / INDEX).is_file()


def print_command(stack: str, folder: Path, against: str) -> list[str]:
    """Return the command that prints a book; the oldest books beyond the limit are removed.

    The policy of the page forbids interactive pages, which load scripts by their addresses and compile a module. Their
    examples open on the Table instead.
    """
    folders = sorted(
        (each for each in books_folder().glob("*") if each.is_dir()), key=lambda each: -each.stat().st_mtime
    )
    for older in folders[MOST_BOOKS - 1 :]:
        shutil.rmtree(older, ignore_errors=True)
    return ["reference", stack, "--no-live", "--out", str(folder), *(["--against", against] if against else [])]


def file_of(folder: Path, path: str) -> Path | None:
    """Return a file of a book; None if there is none of that name."""
    file = (folder / (path or INDEX)).resolve()
    return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
