"""Requests of the view Book: the printed books, printing, files, and links of examples."""

from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rulewright.library import cache
from rulewright.library.stacks import open_packages
from rulewright.workbench.book_cache import book_folder, books_folder, file_of, has_book, print_command, stacks_of
from rulewright.workbench.requests import Answered, Payload, text_field
from rulewright.workbench.sessions import Sessions
from rulewright.workbench.situations import rules_title

TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def book_stacks(sessions: Sessions, _: Payload) -> Any:
    """Return the stacks with printed books."""
    unusable = cache.unusable_reason()
    known = set() if unusable else {stacks_of(each) for each in books_folder().glob("*") if has_book(each)}
    library = open_packages(sessions.packages_in_reach).library
    return {"printed": [{"stack": stack, "against": against, "title": rules_title(library, stack),
                         "against_title": rules_title(library, against) if against else ""}
                        for stack, against in sorted(known)], "unusable": unusable}  # fmt: skip


def book_print(sessions: Sessions, payload: Payload) -> Any:
    """Print a book, unless it exists for the current rules."""
    stack, against = text_field(payload, "stack"), text_field(payload, "against")
    folder = book_folder(stack, sessions.packages_in_reach, against)
    job = (
        ""
        if has_book(folder)
        else sessions.jobs.begin(print_command(stack, folder, against), sessions.packages_in_reach)
    )
    return {"stack": stack, "folder": folder.name, "job": job}


def book_disputes(sessions: Sessions, payload: Payload) -> Any:
    """Start a job that finds positions in which the readings of disputes differ."""
    stack = text_field(payload, "stack")
    book_folder(stack, sessions.packages_in_reach)
    return {"job": sessions.jobs.begin(["disputes", stack], sessions.packages_in_reach)}


def book_differences(sessions: Sessions, payload: Payload) -> Any:
    """Start a job that finds positions in which the answers of the two stacks of a book differ."""
    stack, against = text_field(payload, "stack"), text_field(payload, "against")
    book_folder(stack, sessions.packages_in_reach, against)
    return {"job": sessions.jobs.begin(["diff", against, stack], sessions.packages_in_reach)}


async def _file(request: Request) -> Response:
    """Return a file of a book; pages also load the script that links examples to the Table."""
    path = request.path_params["path"]
    absent = PlainTextResponse("there is no such page; print the book again in the view Book", 404)
    try:
        folder = books_folder() / request.path_params["folder"]
        file = file_of(folder, path) if folder.resolve().parent == books_folder().resolve() else None
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


READ: dict[str, Answered] = {"book_stacks": book_stacks}
WRITE: dict[str, Answered] = {
    "book_print": book_print,
    "book_disputes": book_disputes,
    "book_differences": book_differences,
}
FILES = (Route("/book/{folder}/{path:path}", _file),)
