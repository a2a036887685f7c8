"""Measure how deep a tree is without recursing into it."""

from typing import Any


def tree_depth(node: Any, limit: int) -> int:
    """Count the levels of nodes, the root included; stop at the first level beyond `limit`."""
    level, below = [node], 0
    while level and below <= limit:
        below += 1
        level = [child for parent in level for child in _children(parent)]
    return below


def _children(node: Any) -> list[Any]:
    """List the nodes right below one; tuples count for nothing."""
    waiting = [getattr(node, name) for name in node.__slots__ if name != "span"]
    found = []
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif type(part).__module__.startswith("compiler.source.nodes"):
            found.append(part)
    return found
