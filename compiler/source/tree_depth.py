"""Compute the depth of a tree without recursion."""

from typing import Any


def tree_depth(node: Any, limit: int) -> int:
    """Compute the number of levels of a tree, including the root; stop at the first level beyond `limit`."""
    level, below = [node], 0
    while level and below <= limit:
        below += 1
        level = [child for parent in level for child in _children(parent)]
    return below


def _children(node: Any) -> list[Any]:
    """Return the nodes directly below one; tuples are not levels."""
    waiting = [getattr(node, name) for name in node.__slots__ if name != "span"]
    found = []
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif type(part).__module__.startswith("compiler.source.nodes"):
            found.append(part)
    return found
