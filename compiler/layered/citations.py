"""Check every citation against the registry of source documents.

A registered document says which sections it has and how many items each holds; `PLQ.ROAD.09` is a
mistake if ROAD ends at 07. `house` marks plumbing of our own and needs no registration.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from compiler.layered.problems import Problem, UnknownSource
from compiler.source import nodes as source
from compiler.source.suggest import nearest

HOUSE = "house"


def check_citations(documents: Iterable[source.Document], nodes: Iterable[object]) -> list[Problem]:
    """Report each citation that names no registered item."""
    known = set(known_items(documents))
    prefixes = {item.split(".", 1)[0] for item in known}
    problems: list[Problem] = []
    for node in nodes:
        for word in cited_words(node):
            if word.text not in known and word.text != HOUSE:
                pool = {item for item in known if item.split(".")[:2] == word.text.split(".")[:2]} or prefixes
                problems.append(UnknownSource(word.span, word.text, nearest(word.text, pool)))
    return problems


def known_items(documents: Iterable[source.Document]) -> Iterator[str]:
    """Every id the registry offers."""
    for document in documents:
        prefix = document.prefix.text
        yield from (item.text for item in document.items)
        for section, count in document.sections:
            yield from (f"{prefix}.{section.text}.{number:02d}" for number in range(1, count + 1))


def cited_words(node: object) -> Iterator[source.Word]:
    """Every citation in a source tree."""
    if isinstance(node, tuple):
        for part in node:
            yield from cited_words(part)
    elif is_dataclass(node) and not isinstance(node, type):
        for part in fields(node):
            value = getattr(node, part.name)
            if part.name == "cites":
                yield from value
            elif part.name != "span":
                yield from cited_words(value)
