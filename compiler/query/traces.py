"""Stored traces of proofs without findings, with the hashes that verify them in another process.

A proof is a query. Its key is the property and the node; its stored trace lists the names that it read in the symbol
tables of a stack, with the hash of their bindings. While the hash is equal, the result is valid. Lines and columns are
not hashed, so that a moved rule is not proved again; for that reason only results without places are stored: that
there is no finding. Citations and wordings are not hashed either, as proofs do not read them.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b
from json.encoder import encode_basestring
from typing import Protocol

from compiler.query.database import MISSING, Read
from runtime.graph.canonical import node_text
from runtime.graph.frozen_dataclass import frozen_dataclass

# A quote inside a string is escaped as `\"`, so that no string matches the pattern of a place.
_PLACE = re.compile(
    r'\{"column":\d+,"end_column":\d+,"end_line":\d+,("file":"(?:[^"\\]|\\.)*","layer":"(?:[^"\\]|\\.)*"),"line":\d+\}'
)
# No other key has this ending, and quotes inside strings are escaped as `\"`.
_WORDS = re.compile(r'"(?:prose|reads|denied)":"(?:[^"\\]|\\.)*"|"cites":\[(?:"(?:[^"\\]|\\.)*",?)*\]')


@frozen_dataclass
class StoredTrace:
    """The names that a proof read, the hash of their bindings, the index of its answer, and its steps."""

    reads: tuple[Read, ...]
    digest: str
    answer: int
    steps: int = 0


class TraceStore(Protocol):
    """A store of traces that outlives a process."""

    def traces(self, key: str) -> Sequence[StoredTrace]:
        """Return the traces stored under a key."""

    def add(self, key: str, trace: StoredTrace) -> None:
        """Store one more trace."""


def hash_texts(*texts: str) -> str:
    """Return a hash of texts; no two lists of texts share one."""
    hashed = blake2b(digest_size=16)
    for text in texts:
        encoded = text.encode()
        hashed.update(len(encoded).to_bytes(8, "big"))
        hashed.update(encoded)
    return hashed.hexdigest()


def content_hash(value: object) -> str:
    """Return a hash of the content of a node or several, without lines, columns, citations and wordings."""
    return hash_texts(_text(value))


def _text(value: object) -> str:
    match value:
        case str():
            return encode_basestring(value)
        case tuple():
            return f"({','.join(map(_text, value))})"
        case frozenset():
            return f"{{{','.join(sorted(map(_text, value)))}}}"
        case _ if value is MISSING:
            return "-"
        case _:
            return type(value).__name__ + _WORDS.sub("", _PLACE.sub(r"{\1}", node_text(value)))
