"""The hash of a graph: SHA-256 of the canonical JSON of everything but the hash.

In: a Graph. Out: 64 hex digits. Two stacks with the same hash answer every question alike, and
print the same book.
"""

import hashlib
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.canonical import Texts, encode


def digest(rules: graph.Graph, kept: Texts | None = None) -> str:
    """Hash a graph; `kept` are texts of nodes that other graphs hold, too."""
    return hashlib.sha256(encode(replace(rules, hash=""), kept).encode()).hexdigest()
