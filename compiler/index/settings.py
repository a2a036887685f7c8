"""The names in the lines of an example."""

from typing import TYPE_CHECKING, Any

from compiler.source import nodes as source

if TYPE_CHECKING:
    from compiler.index.occurrences import NameWalk

SETTINGS = {
    "HexRow", "SpaceRow", "Connection", "SideSetting", "PathSetting", "PieceSetting", "CounterRow", "Given", "LetOnly",
    "Dice", "Narrated", "Draws", "Refused", "ChoiceMade", "Perform", "Station",
}  # fmt: skip
STATIONS = {"phase": "phase", "offer": "action", "do": "resolution"}


def visit_setting(walk: "NameWalk", node: Any) -> None:  # noqa: C901, PLR0915 - one arm per line
    """Record the names of a line of an example."""
    match node:
        case source.HexRow(hexes=spots) | source.SpaceRow(spaces=spots):
            for spot, features in spots:
                walk.bind(spot)
                for word in features:
                    walk.mention_or_use(word, "feature hex")
            if isinstance(node, source.HexRow):
                walk.mention_space(node.start)
                walk.use_name(node.direction, "direction")
            walk.use_name(node.board, "board")
        case source.Connection(a=a, b=b):
            walk.mention_space(a)
            walk.mention_space(b)
        case source.SideSetting(features=features):
            walk.mention_space(node.a)
            walk.mention_space(node.b)
            for word in features:
                walk.mention_or_use(word, "feature hexside")
        case source.PathSetting(path=path, trail=path_words):
            walk.use_name(path, "path path")
            for word in path_words:
                walk.mention_space(word)
        case source.PieceSetting(names=names):
            for word in names:
                walk.bind(word)
            if node.type.text in walk.scope:
                walk.mention_space(node.type)
            else:
                walk.use_typed(node.type, "member counter")
            walk.mention_or_use(node.owner, "member side")
            walk.mention_space(node.at)
            if node.place is not None:
                walk.use_typed(node.place, "place piece")
            for word, value in node.properties:
                walk.use_typed(word, "property")
                walk.visit(value)
        case source.CounterRow(kind=kind, counter=counter):
            walk.use_name(kind, "kind")
            walk.use_name(counter.id, "member counter")
            for column, printed in counter.values:
                # Only the head of a column is code: the place of the column is that of its head in every row.
                if column.span not in walk.visited_spans:
                    walk.visited_spans.add(column.span)
                    walk.mention_symbol(column, f"printed {kind.text}.{column.text}")
                walk.use_typed(source.Word(printed.span, printed.text), "value")
            walk.use_all(counter.traits, f"trait {kind.text}")
        case source.Dice(throws=throws):
            for throw in throws:
                if isinstance(throw, source.Word):
                    walk.mention_space(throw)
        case source.LetOnly(name=name, kind=kind):
            walk.use_name(kind, "kind")
            walk.bind(name)
            walk.visit(node.where)
        case source.ChoiceMade(asking=asking, name=name):
            walk.use_name(asking, "resolution")
            walk.use_name(asking, "action")
            if asking is not None:
                walk.mention_symbol(name, f"parameter {asking.text}.{name.text}")
            elif name.span in walk.uses:
                walk.use_typed(name, "parameter")
            walk.visit_parts(node, "asking", "name")
        case source.Refused(by=labels, because=because):
            for word in labels:
                walk.use_typed(word, "label") if word.span in walk.uses else walk.use_name(word, "label")
            walk.use_all(because, "label")
            walk.visit(node.when)
        case source.Perform(action=action, choices=choices):
            for choice in choices:
                if choice.asking is None and choice.name.span not in walk.uses:
                    walk.mention_symbol(choice.name, f"parameter {action.text}.{choice.name.text}")
            walk.visit_parts(node)
        case source.Station(what=station_kind, name=name):
            walk.use_name(name, STATIONS.get(station_kind, station_kind))
            walk.use_name(node.side, "member side")
        case _:
            walk.visit_parts(node)
