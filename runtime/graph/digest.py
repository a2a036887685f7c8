"""The hash of a graph, SHA-256 of the canonical JSON of everything but the hash; that of its play; and keys of texts.

In: a Graph. Out: 64 hex digits. Two stacks with the same hash give the same answers and the same book; two with
the same hash of play, the same games.
"""

import hashlib
from dataclasses import replace
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.canonical import Text, Write, canonical_pieces
from runtime.graph.printed_fields import canonical_node


def _written(node: Any, write: Write) -> str:
    return write(node)


def graph_digest(rules: graph.Graph, text: Text = _written) -> str:
    """Return the hash of a graph; `text` may memoize the serialization of nodes that graphs share."""
    hashed = hashlib.sha256()
    for piece in canonical_pieces(replace(rules, hash=""), text):
        hashed.update(piece)
    return hashed.hexdigest()


def play_digest(rules: graph.Graph) -> str:
    """Return the hash of what engine and players read: all but texts, book, and what only proofs and audits read."""
    words = replace(rules.vocabulary, measures={}, wording={})
    played = replace(rules, vocabulary=words, always=(), preconditions=())
    return hashlib.sha256(repr(canonical_node(played, printed=False)).encode()).hexdigest()


def text_key(text: str) -> int:
    """Return the key of a text for random numbers (runtime/play/dice.py): the 64 bits of a BLAKE2b of that length."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
