"""Addresses of all that is printed: a page and an anchor each.

The input is a graph and its outline; the output is `Links`, which maps a thing to an address relative to the top of the
book. Anchors are unique on a page. They are labels, not numbers: a printed number may change, a link to a label stays
valid.
"""

import re
from collections.abc import Iterator

from compiler.rulebook.headings import Heading, entries_of, headings_of
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.printed_places import PrintedPlaces, only_ruled, page_term
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Links:
    """Addresses by thing: page, anchor."""

    places: dict[BookKey, tuple[str, str]]

    def link_to(self, key: BookKey) -> str:
        """Return the address of a thing, "" if the book has no place for it."""
        page, anchor = self.places.get(key, ("", ""))
        return f"{page}#{anchor}" if anchor else page

    def anchor(self, key: BookKey) -> str:
        """Return the anchor of a thing on its page."""
        return self.places[key][1]

    def page(self, key: BookKey) -> str:
        """Return the page of a thing."""
        return self.places[key][0]


def address_part(name: str) -> str:
    """Convert a name to an anchor or a file name."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name.replace("−", "-")).strip("-") or "x"


def lasting_address(label: str) -> str:
    """Return the address in the site that leads to a label on whichever page it is printed."""
    return f"go/{address_part(label)}.html"


@frozen_dataclass
class PrintedTexts:
    """The texts that are printed: the cells of each chart by name, all source items, and procedures."""

    cells: dict[str, tuple[str, ...]]
    cited: list[str]
    procedures: list[str]


def assign_links(
    book: graph.Graph,
    printed_places: PrintedPlaces,
    outline: tuple[Heading, ...],
    printed: PrintedTexts,
    pages: tuple[str, ...],
) -> Links:
    """Assign addresses: pages first, then the things on them in order."""
    places: dict[BookKey, tuple[str, str]] = {("page", name): (f"{name}.html", "") for name in pages}
    used_anchors: set[tuple[str, str]] = set()
    for kind, name, page in _anchored(book, printed_places, outline, printed):
        anchor, count = address_part(name), 1
        while (page.lower(), anchor.lower()) in used_anchors or anchor in RESERVED:
            count += 1
            anchor = f"{kind}-{address_part(name)}{'' if count == 2 else f'-{count}'}"
        used_anchors.add((page.lower(), anchor.lower()))
        places[kind, name] = page, anchor
    for label, rule in book.rules.items():
        if only_ruled(rule) and ("ruling", rule.ruling) in places:
            places["rule", label] = places["ruling", rule.ruling]
    return Links(places)


def _anchored(
    book: graph.Graph, printed_places: PrintedPlaces, outline: tuple[Heading, ...], printed: PrintedTexts
) -> Iterator[tuple[str, str, str]]:
    """Return everything with an anchor, and its page, in the order in which anchors are assigned."""
    for section in outline:
        page = f"cases/{address_part(section.label)}.html"
        yield from (("case", heading.label, page) for heading in headings_of(section))
        for entry in entries_of(section):
            yield (*entry.thing, page)
    for name in sorted(book.terms):
        yield "term", name, f"terms/{address_part(page_term(book, name))}.html"
    for label in sorted(book.rules):
        if printed_places.only_defines(book.rules[label]):
            yield "rule", label, f"terms/{address_part(page_term(book, book.rules[label].terms[0]))}.html"
    for name in sorted(book.tables):
        yield "chart", name, "charts.html"
        yield from (("cell", cell, "charts.html") for cell in printed.cells[name])
    yield from (("source", item, "sources.html") for item in printed.cited)
    yield from (("procedure", key, "play.html") for key in printed.procedures)
    for kind, names, page in _listed_names(book):
        yield from ((kind, name, page) for name in names)


# Anchors of the layout itself.
RESERVED = {"main", "contents", "found", "seek"}


def _listed_names(book: graph.Graph) -> list[tuple[str, list[str], str]]:
    """Return what is printed on pages for one kind of thing."""
    words = book.vocabulary
    members = [f"{enum}.{word.name}" for enum, declared in sorted(words.enums.items()) for word in declared.members]
    factors = [f"{kind.name}.{name}" for kind in words.kinds.values() for name, _ in kind.first]
    return [
        ("dispute", sorted(book.disputes), "disputes.html"),
        ("counter", sorted(book.counters), "counters.html"),
        ("kind", sorted(words.kinds), "glossary.html"),
        ("flag", sorted(words.flags), "glossary.html"),
        ("member", members, "glossary.html"),
        ("scale", sorted(words.scales), "glossary.html"),
        ("track", sorted(words.tracks), "glossary.html"),
        ("factor", sorted(factors), "glossary.html"),
        ("relation", sorted(words.relations), "glossary.html"),
        ("record", sorted(words.records), "glossary.html"),
        ("measure", sorted(words.measures), "glossary.html"),
        ("domain", sorted(words.domains), "glossary.html"),
    ]
