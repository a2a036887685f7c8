"""The hash of a graph: SHA-256 of the canonical JSON of everything but the hash.

In: a Graph. Out: 64 hex digits. Two stacks with the same hash answer every question alike, and
print the same book.
"""

import hashlib
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.canonical import Texts, pieces


def digest(rules: graph.Graph, kept: Texts | None = None) -> str:
    """Hash a graph; `kept` are texts of nodes that other graphs hold, too."""
    hashed = hashlib.sha256()
    for piece in pieces(replace(rules, hash=""), {} if kept is None else kept):
        hashed.update(piece)
    return hashed.hexdigest()
