"""The hash of a graph, SHA-256 of the canonical JSON of everything but the hash; and short keys of texts.

In: a Graph. Out: 64 hex digits. Two stacks with the same hash give the same answers and
the same book.
"""

import hashlib
from dataclasses import replace
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.canonical import Text, Write, canonical_pieces


def _written(node: Any, write: Write) -> str:
    return write(node)


def graph_digest(rules: graph.Graph, text: Text = _written) -> str:
    """Return the hash of a graph; `text` may memoize the serialization of nodes that graphs share."""
    hashed = hashlib.sha256()
    for piece in canonical_pieces(replace(rules, hash=""), text):
        hashed.update(piece)
    return hashed.hexdigest()


def text_key(text: str) -> int:
    """Return the key of a text for random numbers (runtime/play/dice.py): the 64 bits of a BLAKE2b of that length."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
