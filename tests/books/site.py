"""The site of a stack, and its parser: pages as lists of tags, their anchors and links."""

import posixpath
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote

from compiler.rulebook.book import write_site
from compiler.rulebook.booklet import Baseline
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import ExampleOutcome, unplayed_outcomes
from runtime.graph import nodes as graph
from tests.books.fair import crowded, empty_stack, fair

VOID = set("area base br col embed hr img input link meta source track wbr".split())
# Browsers close some tags implicitly; our pages close them explicitly.
INLINE = set("a b code del i span sup svg title".split())

GAMES = {"fair": fair, "crowded": crowded, "bare": empty_stack}


@dataclass
class Page:
    """The parts of a parsed page; `faults` lists what is not well formed."""

    text: str = ""
    anchors: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class Reader(HTMLParser):
    """Parses a page and records tags that are not well formed."""

    def __init__(self, page: Page) -> None:
        """Start without open tags."""
        super().__init__()
        self.page = page
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a tag, its anchor and its links."""
        given = {name: value or "" for name, value in attrs}
        self.page.tags.append((tag, given))
        self.page.faults += [
            f"<{tag}> has {name} twice" for name, count in Counter(n for n, _ in attrs).items() if count > 1
        ]
        self.page.text += "" if tag in INLINE else " "
        self.page.anchors += [given["id"]] if "id" in given else []
        self.page.links += [given[name] for name in ("href", "src") if name in given]
        if tag == "p" and "p" in self.open[-1:]:
            self.page.faults.append("a paragraph in a paragraph")
        if tag in {"div", "ul", "ol", "p", "table", "section", "h2", "h3"} and self.open[-1:] == ["p"]:
            self.page.faults.append(f"<{tag}> in a paragraph")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a tag that closes itself, as in drawings."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close a tag."""
        if self.open[-1:] != [tag]:
            self.page.faults.append(f"</{tag}> closes {self.open[-3:]} at {self.getpos()}")
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Add text to the page."""
        self.page.text += data


def read_page(text: bytes) -> Page:
    """Parse one page."""
    page = Page()
    reader = Reader(page)
    reader.feed(text.decode())
    reader.close()
    page.faults += [f"<{tag}> is never closed" for tag in reader.open]
    page.faults += [f"anchor {name} stands twice" for name, count in Counter(page.anchors).items() if count > 1]
    return page


def write_book(
    book: graph.Graph,
    played: tuple[ExampleOutcome, ...] | None = None,
    against: Baseline | None = None,
) -> dict[str, bytes]:
    """Write the site of a stack; without `played`, its examples print what their authors expect."""
    contents = Contents(book, unplayed_outcomes(book) if played is None else played, against)
    return write_site(contents, live_book=None)


@cache
def site(name: str) -> dict[str, bytes]:
    """Write the book of a small game, once."""
    return write_book(GAMES[name]())


def pages(files: Mapping[str, bytes]) -> dict[str, Page]:
    """Parse all pages of a site."""
    return {path: read_page(text) for path, text in files.items() if path.endswith(".html")}


def broken_links(files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield links with a target that does not exist, or outside of the site."""
    read = pages(files)
    for path, page in read.items():
        for link in page.links:
            target, _, anchor = link.partition("#")
            there = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(target))) if target else path
            if there not in files:
                yield f"{path}: {link}: there is no {there}"
            elif anchor and there in read and unquote(anchor) not in read[there].anchors:
                yield f"{path}: {link}: no such anchor"
