"""The order in which things were written, whatever the order of the graph.

The input is a node with an origin; the output is a sort key: lower layers first, then file, line and column. A book
follows its authors; dictionaries of the graph may be sorted by label.
"""

import re
from typing import Protocol

from runtime.graph import nodes as graph
from runtime.graph.grouping import group_by


class _HasOrigin(Protocol):
    """A node with the place where it was written."""

    @property
    def origin(self) -> graph.Origin:
        """Return where it was written."""


def sort_title(title: str) -> str:
    """Return the sort key of a title: case 10 comes after case 9."""
    return re.sub(r"\d+", lambda found: found[0].zfill(4), title)


def written_rank(book: graph.Graph, node: _HasOrigin) -> tuple[int, str, int, int]:
    """Return the sort key of a node: where it was written."""
    layers = [layer.name for layer in book.layers]
    origin = node.origin
    layer = layers.index(origin.layer) if origin.layer in layers else len(layers)
    return layer, origin.file, origin.line, origin.column


def counter_sheets(book: graph.Graph) -> list[tuple[tuple[str, str], list[graph.Counter]]]:
    """Group the counters into sheets, by side and kind, the largest sheet first."""
    counters = sorted(book.counters.values(), key=lambda each: (*written_rank(book, each), each.id))
    sheets = group_by(counters, lambda each: (each.owner, each.kind))
    return sorted(sheets.items(), key=lambda sheet: -len(sheet[1]))
