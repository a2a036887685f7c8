"""Who acts where an act does not say it: nobody is on move in a small position, and the owner of its pieces acts.

The compiler sees to it that who acts is said where the action itself names pieces of several sides.
"""

from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def owner_named(rules: graph.Graph, example: graph.Example, line: graph.Perform) -> str:
    """Name the side whose pieces an act names in the action itself; "" if it names none there."""
    owners = {piece.name: piece.owner for piece in example.position.pieces}
    action = rules.procedures[f"action:{line.action}"]
    own = {part.name for part in (*action.parameters, *action.body) if isinstance(part, graph.Parameter | graph.Choose)}
    values = tuple(value for name, value in line.choices if name.removeprefix(f"{line.action}.") in own)
    spots = (node for node in walk(values) if isinstance(node, graph.Spot) and node.what == "piece")
    return next((owners[spot.name] for spot in spots), "")
