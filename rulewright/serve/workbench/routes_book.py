"""Requests of the view Book: the printed books, printing, files, and links of examples."""

import re
import shutil
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rulewright.library import cache
from rulewright.library.stacks import load_stack, open_packages
from rulewright.serve.workbench.requests import RequestFields, RequestFunction, text_field
from rulewright.serve.workbench.sessions import Sessions
from rulewright.serve.workbench.situations import rules_title
from rulewright.system.errors import UsageError

TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def book_stacks(sessions: Sessions, _: RequestFields) -> Any:
    """Return the stacks with printed books."""
    unusable = cache.unusable_reason()
    known = set() if unusable else {stacks_of(each) for each in books_folder().glob("*") if _has_book(each)}
    library = open_packages(sessions.packages_in_reach).library
    return {"printed": [{"stack": stack, "against": against, "title": rules_title(library, stack),
                         "against_title": rules_title(library, against) if against else ""}
                        for stack, against in sorted(known)], "unusable": unusable}  # fmt: skip


def book_print(sessions: Sessions, payload: RequestFields) -> Any:
    """Print a book, unless it exists for the current rules."""
    stack, against = text_field(payload, "stack"), text_field(payload, "against")
    folder = _book_folder(stack, sessions.packages_in_reach, against)
    job = (
        ""
        if _has_book(folder)
        else sessions.jobs.begin(_print_command(stack, folder, against), sessions.packages_in_reach)
    )
    return {"stack": stack, "folder": folder.name, "job": job}


def book_disputes(sessions: Sessions, payload: RequestFields) -> Any:
    """Start a job that finds positions in which the readings of disputes differ."""
    stack = text_field(payload, "stack")
    _book_folder(stack, sessions.packages_in_reach)
    return {"job": sessions.jobs.begin(["disputes", stack], sessions.packages_in_reach)}


def book_differences(sessions: Sessions, payload: RequestFields) -> Any:
    """Start a job that finds positions in which the answers of the two stacks of a book differ."""
    stack, against = text_field(payload, "stack"), text_field(payload, "against")
    _book_folder(stack, sessions.packages_in_reach, against)
    return {"job": sessions.jobs.begin(["diff", against, stack], sessions.packages_in_reach)}


async def _file(request: Request) -> Response:
    """Return a file of a book; pages also load the script that links examples to the Table."""
    path = request.path_params["path"]
    absent = PlainTextResponse("there is no such page; print the book again in the view Book", 404)
    try:
        folder = books_folder() / request.path_params["folder"]
        file = _file_of(folder, path) if folder.resolve().parent == books_folder().resolve() else None
        if file is None or file.suffix not in TYPES:
            return absent
        content = file.read_bytes()
    except (OSError, ValueError):  # No file can have this name, or the cache folder cannot be used.
        return absent
    if file.suffix == ".html":
        root = "../" * (request.path_params["path"].count("/") + 2)
        stack, against = (escape(each) for each in stacks_of(folder))
        more = (
            f'<meta name="rulewright-stack" content="{stack}" data-against="{against}" data-root="{root}">'
            f'<link rel="stylesheet" href="{root}assets/book_page.css"><link rel="icon" href="{root}assets/icon.svg">'
            f'<script type="module" src="{root}assets/book_page.js"></script></head>'
        )
        content = content.replace(b"</head>", more.encode(), 1)
    return Response(content, media_type=TYPES[file.suffix])


READ: dict[str, RequestFunction] = {"book_stacks": book_stacks}
WRITE: dict[str, RequestFunction] = {
    "book_print": book_print,
    "book_disputes": book_disputes,
    "book_differences": book_differences,
}
FILES = (Route("/book/{folder}/{path:path}", _file),)


# ---------------------------------------------------------------- the cache of books


# The most books in the cache; the least recently used ones are removed.
MOST_BOOKS = 8
STACK = re.compile(r"[\w+=-]+")
INDEX = "index.html"


def _book_folder(stack: str, packages: Sequence[Path], against: str = "") -> Path:
    """Return the folder of the book of a stack with its current rules, compared with another one if specified."""
    named = (stack, against) if against else (stack,)
    parts = [part for each in named for part in (each, _hash(each, packages)[:16])]
    return books_folder() / "@".join(parts)


def _hash(stack: str, packages: Sequence[Path]) -> str:
    if not STACK.fullmatch(stack):
        raise UsageError("this is not the name of a stack")
    return load_stack(stack, packages).rules.hash


def stacks_of(folder: Path) -> tuple[str, str]:
    """Return the stack of a book from the name of its folder, and the one it is compared with, "" for none."""
    stack, _, against = (*folder.name.split("@"), "", "")[:3]
    return stack, against


def books_folder() -> Path:
    """Return the folder of books."""
    return cache.own_folder() / "books"


def _has_book(folder: Path) -> bool:
    """Return whether a book has been printed."""
    return (folder / INDEX).is_file()


def _print_command(stack: str, folder: Path, against: str) -> list[str]:
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


def _file_of(folder: Path, path: str) -> Path | None:
    """Return a file of a book; None if there is none of that name."""
    file = (folder / (path or INDEX)).resolve()
    return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
