"""Declarations and laws that unrelated layers have word for word: each counts once, so that the layers fit together.

In: a catalog, and the layers that each layer may refer to. Out: the catalog without repeated declarations; a problem
for each law that a layer has word for word although it stands on the other one.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from compiler.layered import nodes as layered
from compiler.layered.catalog import CONDUCT, Catalog
from compiler.layered.findings.labels import DuplicateLabel
from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.source.expression_text import written_text

Reach = Mapping[str, frozenset[str]]
# The field of a declaration that lists several names, each declared for itself.
LIST = "items"
# What no two layers may do alike: a layer below both adds the factor, and they give values.
ALONE = frozenset((*CONDUCT, source.ExtendKind))


def are_related(one: str, other: str, reach: Reach) -> bool:
    """Return whether one of two layers stands on the other."""
    return one in reach[other] or other in reach[one]


def repeated_labels(catalog: Catalog, reach: Reach) -> Iterator[DuplicateLabel]:
    """Yield a problem for each repetition of a law in a layer that stands on the other one."""
    for label, repetitions in catalog.repeated.items():
        layers = [catalog.rules[label].layer if label in catalog.rules else catalog.disputes[label].layer]
        for layer, span in repetitions:
            if any(are_related(layer, other, reach) for other in layers):
                yield DuplicateLabel(span, catalog.spans[label], label)
            layers.append(layer)


def drop_repetitions(catalog: Catalog, reach: Reach) -> None:
    """Remove the repetitions of names that several unrelated layers declare alike."""
    first_layers: dict[object, str] = {}
    left_nodes: dict[int, Any | None] = {}  # by the identity of a declaration
    for kind, statements in catalog.kinds.items():
        names = [name for part in statements for name in _names(part.node)] if kind not in ALONE else []
        if len(names) == len(set(names)):
            continue
        for part in statements:
            node = _first_declared(part, first_layers, reach, catalog.database)
            if node is not part.node:
                left_nodes[id(part.node)] = node
    if not left_nodes:
        return

    def left_of(statements: Iterable[layered.LayerStatement[Any]]) -> Iterator[layered.LayerStatement[Any]]:
        for part in statements:
            node = left_nodes.get(id(part.node), part.node)
            if node is not None:
                yield part if node is part.node else layered.LayerStatement(part.layer, node)

    catalog.kinds = {kind: [*left_of(statements)] for kind, statements in catalog.kinds.items()}
    catalog.statements = {
        layer: catalog.database.tuple_of(left_of(statements)) for layer, statements in catalog.statements.items()
    }


def _names(node: Any) -> Iterator[tuple[str, ...]]:
    """Yield the names that a declaration declares, each with its owner."""
    owner = getattr(node, "owner", None) or getattr(node, "of", None) or getattr(node, "term", None)
    head = "" if owner is None else owner.text
    name = getattr(node, "name", None) or getattr(node, "label", None)
    items = getattr(node, LIST, None)
    if items is None:
        yield (head, "" if name is None else name.text)
        return
    for item in items:
        yield (head, "" if name is None else name.text, item.name.text)


def _first_declared(
    part: layered.LayerStatement[Any], first_layers: dict[object, str], reach: Reach, database: Database
) -> Any | None:
    """Return a declaration without the names that an unrelated layer has declared alike; None if nothing is left."""
    node = part.node
    if not hasattr(node, LIST):
        return None if _is_repeated(written_text(node), part.layer, first_layers, reach) else node
    items = getattr(node, LIST)
    others = written_text(replace(node, **{LIST: ()}))
    left = tuple(
        item for item in items if not _is_repeated((others, written_text(item)), part.layer, first_layers, reach)
    )
    if len(left) == len(items):
        return node
    if not left:
        return None
    names = tuple(item.name.text for item in left)
    return database.derive("not repeated", (node,), partial(replace, node, **{LIST: left}), names)


def _is_repeated(text: object, layer: str, first_layers: dict[object, str], reach: Reach) -> bool:
    """Return whether an unrelated layer has the same text; record the first layer that has it."""
    first = first_layers.setdefault(text, layer)
    return first != layer and not are_related(first, layer, reach)
