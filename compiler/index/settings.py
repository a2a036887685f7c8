"""The names in the lines of an example: what it sets up, what it does, and what is asked."""

from typing import TYPE_CHECKING, Any

from compiler.source import nodes as source

if TYPE_CHECKING:
    from compiler.index.occurrences import NameWalk

SETTINGS = {
    "HexRow", "SpaceRow", "Connection", "SideSetting", "PathSetting", "PieceSetting", "Drawn", "Given", "LetOnly",
    "Dice", "Narrated", "Draws", "Refused", "ChoiceMade", "Perform", "ExpectedVerdict", "Ask", "Station", "Order",
    "Answered", "Cases",
}  # fmt: skip
STATIONS = {"phase": "phase", "offer": "action", "do": "resolution"}


def setting(walk: "NameWalk", node: Any) -> None:  # noqa: C901 - one arm per line
    """List the names of a line of an example."""
    match node:
        case source.HexRow(hexes=spots) | source.SpaceRow(spaces=spots):
            for spot, features in spots:
                walk.bind(spot)
                walk.all(features, "feature hex")
        case source.SideSetting(features=features):
            walk.all(features, "feature hexside")
        case source.PathSetting(path=path):
            walk.use(path, "path path")
        case source.PieceSetting(names=names):
            for word in names:
                walk.bind(word)
            walk.typed(node.type, "member counter")
            walk.use(node.owner, "member side")
            if node.place is not None:
                walk.typed(node.place, "place piece")
            for word, value in node.properties:
                walk.typed(word, "property")
                walk.visit(value)
        case source.LetOnly(name=name, kind=kind):
            walk.use(kind, "kind")
            walk.bind(name)
            walk.visit(node.where)
        case source.ChoiceMade(asking=asking, name=name):
            walk.use(asking, "resolution")
            walk.parts(node, "asking", "name")
        case source.Refused(by=by, because=because):
            walk.all((*by, *because), "label")
            walk.visit(node.when)
        case source.ExpectedVerdict(by=by):
            walk.all(by, "label")
        case source.Ask(because=because):
            walk.parts(node, "because")
            walk.all(because, "label")
        case source.Perform(action=action, choices=choices):
            walk.use(action, "action")
            for choice in choices:
                if choice.asking is None:
                    walk.mention(choice.name, f"parameter {action.text}.{choice.name.text}")
            walk.parts(node, "action")
        case source.Station(what=what, name=name):
            walk.use(name, STATIONS.get(what, what))
            walk.use(node.side, "member side")
        case source.Cases(names=names):
            walk.parts(node, "names")
            for word in names:
                walk.bind(word)
        case _:
            walk.parts(node)
