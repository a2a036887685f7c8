"""Who acts in an example: in a small position nobody is on move, and then the owner of the first piece named acts."""

from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def owner_named(example: graph.Example, line: graph.Perform) -> str:
    """Name the side of the first piece that an act names; "" if it names none."""
    owners = {piece.name: piece.owner for piece in example.position.pieces}
    for node in walk(tuple(value for _, value in line.choices)):
        if isinstance(node, graph.Spot) and node.what == "piece":
            return owners[node.name]
    return ""
