"""Check each citation against the registry of source documents.

A registered document declares its sections and the number of items in each; `PLQ.ENTRY.09` is an error if ENTRY ends at
07. `house` marks our own auxiliary rules and needs no registration.
"""

from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from functools import cache
from typing import Any, get_args, get_type_hints

from compiler.layered.findings.citations import UnknownSource
from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.suggestions import nearest_names
from runtime.graph.closure import transitive_closure
from runtime.graph.printed_cites import HOUSE


def check_citations(
    registry: tuple[source.Document, ...], layers: Iterable[tuple[object, ...]], database: Database
) -> list[Finding]:
    """Return a problem for each citation of an item that no document of the registry has."""
    known = database.derive("citable items", registry, lambda: frozenset({HOUSE, *known_items(registry)}))
    return [
        _unknown(word, known, registry)
        for nodes in layers
        if not known >= _cited_items(nodes, database)
        for word in _cited_words(nodes)
        if word.text not in known
    ]


def cited_documents(
    registry: tuple[source.Document, ...], layers: Iterable[tuple[object, ...]], database: Database
) -> tuple[source.Document, ...]:
    """Return the documents that layers cite: no other one is part of a stack."""
    prefixes = {item.partition(".")[0] for nodes in layers for item in _cited_items(nodes, database)}
    return tuple(document for document in registry if document.prefix.text in prefixes)


def _cited_items(nodes: tuple[object, ...], database: Database) -> frozenset[str]:
    """Return the items that the nodes of a layer cite."""
    return database.derive("cited items", nodes, lambda: frozenset(word.text for word in _cited_words(nodes)))


def _unknown(word: source.Word, known: frozenset[str], registry: Iterable[source.Document]) -> UnknownSource:
    """Return which part of a citation is not registered, and what may have been meant: the same item elsewhere."""
    section, _, item = word.text.rpartition(".")
    prefix, _, rest = word.text.partition(".")
    sections = {each.rpartition(".")[0] for each in known} - {""}
    if section in sections:
        section_items = [each for each in known if each.rpartition(".")[0] == section]
        return UnknownSource(word.span, word.text, section, nearest_names(word.text, section_items), len(section_items))
    if any(document.prefix.text == prefix for document in registry):
        similar_names = nearest_names(section, (each for each in sections if each.partition(".")[0] == prefix))
        return UnknownSource(word.span, word.text, section, _existing_item(similar_names, item, known))
    similar_names = nearest_names(prefix, (document.prefix.text for document in registry))
    return UnknownSource(word.span, word.text, prefix, _existing_item(similar_names, rest, known))


def _existing_item(places: tuple[str, ...], item: str, known: frozenset[str]) -> tuple[str, ...]:
    """Return the item in these places where it exists; else the places alone."""
    return tuple(each for place in places if (each := f"{place}.{item}") in known) or places


def known_items(documents: Iterable[source.Document]) -> Iterator[str]:
    """Return each id in the registry."""
    for document in documents:
        prefix = document.prefix.text
        yield from (item.text for item in document.items)
        for section, count in document.sections:
            yield from (f"{prefix}.{section.text}.{number:02d}" for number in range(1, count + 1))


def _cited_words(node: object) -> Iterator[source.Word]:
    """Return each citation in a source tree."""
    todo: list[object] = [node]
    while todo:
        part = todo.pop()
        kind: Any = type(part)
        if isinstance(part, tuple):
            todo += reversed(part)
        elif (names := _parts(kind)) is not None:
            yield from getattr(part, "cites", ())
            todo += [getattr(part, name) for name in reversed(names)]


@cache
def _parts(type_: Any) -> tuple[str, ...] | None:
    """Return the fields of a node type that may contain citations; None for a type without any, at any depth."""
    hints = _annotated_fields(type_)
    parts = tuple(name for name, hint in hints.items() if any(hasattr(kind, "cites") for kind in _reached(hint)))
    return parts if parts or hasattr(type_, "cites") else None


def _reached(hint: Any) -> set[Any]:
    """Return all types that an annotation may contain, at any depth."""
    return transitive_closure((hint,), lambda each: (*get_args(each), *_annotated_fields(each).values()))


@cache
def _annotated_fields(type_: Any) -> dict[str, Any]:
    """Return the annotations of the fields of a node, except for its span and its citations; empty for other types."""
    hints = get_type_hints(type_) if is_dataclass(type_) else {}
    return {name: hint for name, hint in hints.items() if name not in {"cites", "span"}}
