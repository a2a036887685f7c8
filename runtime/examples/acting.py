"""Who acts where an act does not say it: nobody is on move in a small position, and the owner of its pieces acts.

The compiler sees to it that an act which names pieces of several sides says who acts.
"""

from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def owner_named(example: graph.Example, line: graph.Perform) -> str:
    """Name the side whose pieces an act names; "" if it names none."""
    owners = {piece.name: piece.owner for piece in example.position.pieces}
    for node in walk(tuple(value for _, value in line.choices)):
        if isinstance(node, graph.Spot) and node.what == "piece":
            return owners[node.name]
    return ""
