"""Traces that outlive a process: which proofs found nothing wrong, and the hashes by which that is known again.

A proof is a query. Its key is what is proved of which node; its stored trace lists the names that were read in the
symbol tables of a stack, with the hash of what they were bound to. While that hash is the same, so is the answer. Lines
and columns are not hashed, so that nothing is proved again because a comment moved it. For that reason only answers
without places are stored: that nothing was found. Nor are sources and the words in which people read a rule: findings
quote them, and proofs do not read them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from json.encoder import encode_basestring
from typing import Protocol

from compiler.query.database import MISSING, Read
from runtime.graph.canonical import text_of

# A quote inside of a text is written `\"`, so no text looks like a place.
_PLACE = re.compile(
    r'\{"column":\d+,"end_column":\d+,"end_line":\d+,("file":"(?:[^"\\]|\\.)*","layer":"(?:[^"\\]|\\.)*"),"line":\d+\}'
)
# No other key ends so, and in a text a quote is written `\"`, too.
_WORDS = re.compile(r'"(?:prose|reads|denied)":"(?:[^"\\]|\\.)*"|"cites":\[(?:"(?:[^"\\]|\\.)*",?)*\]')


@dataclass(frozen=True, slots=True)
class StoredTrace:
    """The names that a proof read, the hash of what they were bound to, the index of its answer, and its steps."""

    reads: tuple[Read, ...]
    digest: str
    answer: int
    steps: int = 0


class TraceStore(Protocol):
    """A store of traces that outlives a process."""

    def traces(self, key: str) -> Sequence[StoredTrace]:
        """Return the traces that are kept under a key."""

    def add(self, key: str, trace: StoredTrace) -> None:
        """Keep one more."""


def digest(*texts: str) -> str:
    """Hash texts so that no two lists of texts share a hash."""
    hashed = blake2b(digest_size=16)
    for text in texts:
        encoded = text.encode()
        hashed.update(len(encoded).to_bytes(8, "big"))
        hashed.update(encoded)
    return hashed.hexdigest()


def content_hash(value: object) -> str:
    """Hash what a node of a graph says, or several, lines, columns, sources and words for readers aside."""
    return digest(_text(value))


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
            return type(value).__name__ + _WORDS.sub("", _PLACE.sub(r"{\1}", text_of(value)))
