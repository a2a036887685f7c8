"""A node class that changes gives the format of graphs another version."""

from dataclasses import is_dataclass
from hashlib import sha256

from runtime.graph import nodes as graph
from runtime.graph.node_shapes import field_shapes
from runtime.graph.version import VERSION


def test_other_nodes_have_another_version() -> None:
    """Whoever changes a node class gives the format its next number, and states the digest of the new classes here."""
    kinds = {name: kind for name, kind in vars(graph).items() if isinstance(kind, type) and is_dataclass(kind)}
    text = repr({name: field_shapes(kind) for name, kind in sorted(kinds.items())})
    digest = sha256(text.encode()).hexdigest()[:12]
    assert (VERSION, digest) == (22, "74e76933bd57"), (
        "the next number in runtime/graph/version.py, and here with this digest"
    )
