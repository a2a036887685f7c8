"""Evaluate a foreign matcher to the set of hexes that it denotes.

In: a tree such as `{all_of: [{region: x}, {map_edge: south}]}` and a map. Out: the hexes. A condition on the
positions of units is noted as lost and ignored, since areas of our cards are constant sets.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise

from compiler.source.nodes import Scalar, Value, ValueList, ValueMap
from compiler.source.yaml_reader import value_phrase
from rulewright.adapters.open_panzer_blitz.foreign_boards import region_name
from rulewright.adapters.open_panzer_blitz.foreign_map import ForeignMap
from rulewright.exchange.notes import Notes
from rulewright.exchange.tree_reader import find_entry, whole_number
from runtime.graph.hexes import Coordinates

HexSet = frozenset[Coordinates]

# Keys that hold the value which the source computed for an area; they add no condition.
REMARKS = ("resolved_hexes", "by_board", "hexes", "col_row")
EVERYWHERE = ("any", "anywhere", "any map edge hex")


def area_hexes(tree: Value, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    """Return the hexes of an area; None, with a note, if it cannot be evaluated."""
    match tree:
        case Scalar(text=text):
            if text in EVERYWHERE:
                return foreign_map.edge_hexes("any") if "edge" in text else foreign_map.all_hexes
            feature = foreign_map.mapping.tests.get(text)
            if feature is not None:
                return foreign_map.hexes_of_feature(feature)
            return _unknown(tree, f"the test `{text}` is not known", notes)
        case ValueMap():
            return _by_key(tree, foreign_map, notes)
        case ValueList():
            return _unknown(tree, "an area should stand here, not a list", notes)


def _by_key(tree: ValueMap, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    for key, found in READERS.items():
        value = find_entry(tree, key)
        if value is not None:
            return found(tree, value, foreign_map, notes)
    keys = ", ".join(f"`{word.text}`" for word, _ in tree.entries if word.text not in REMARKS)
    return _unknown(tree, f"areas by {keys or value_phrase(tree)} are not known", notes)


def _unknown(tree: Value, reason: str, notes: Notes) -> HexSet | None:
    notes.add_omission(tree.span, "area", reason)
    return None


# ---------------------------------------------------------------- one reader per key


def _parts(value: Value, foreign_map: ForeignMap, notes: Notes) -> list[HexSet]:
    """Return the hexes of each operand that can be evaluated; the others are noted and omitted."""
    parts = value.items if isinstance(value, ValueList) else ()
    return [found for part in parts if (found := area_hexes(part, foreign_map, notes)) is not None]


def _all_of(_tree: ValueMap, value: Value, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    parts = _parts(value, foreign_map, notes)
    return frozenset.intersection(*parts) if parts else None


def _any_of(_tree: ValueMap, value: Value, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    parts = _parts(value, foreign_map, notes)
    return frozenset.union(*parts) if parts else None


def _not(_tree: ValueMap, value: Value, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    inner = area_hexes(value, foreign_map, notes)
    return None if inner is None else foreign_map.all_hexes - inner


def _zone(_tree: ValueMap, value: Value, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    """Return the hexes inside a polygon, by the even-odd rule; lower borders are inclusive, upper borders exclusive."""
    corners = [_pair(part) for part in value.items] if isinstance(value, ValueList) else []
    points = [point for point in corners if point is not None]
    if len(points) < 3 or len(points) != len(corners):
        notes.add_invalid(value.span, "zone", "three or more pairs of column and row should stand here")
        return None
    # Each side begins at its end with the smaller row.
    sides = [sorted(side, key=lambda point: point[1]) for side in pairwise([*points, points[0]])]
    inside: set[Coordinates] = set()
    for x, y in foreign_map.names:
        crossed = 0
        for (ax, ay), (bx, by) in sides:
            if ay <= y < by:
                crossed += (x - ax) * (by - ay) < (y - ay) * (bx - ax)
        if crossed % 2:
            inside.add((x, y))
    return frozenset(inside)


def _pair(value: Value) -> Coordinates | None:
    if not isinstance(value, ValueList) or len(value.items) != 2:
        return None
    column, row = (whole_number(part) for part in value.items)
    return None if column is None or row is None else (column, row)


def _hex(tree: ValueMap, value: Value, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    """Return one hex by column and row; one that is off the map is replaced by its left neighbor, with a note."""
    place = find_entry(tree, "col_row")
    point = _pair(place) if place is not None else None
    if point is None:
        notes.add_invalid(value.span, "hex", "a hex has its column and row in `col_row`")
        return None
    if point not in foreign_map.names and (point[0] - 1, point[1]) in foreign_map.names:
        point = point[0] - 1, point[1]
        notes.add_changed(value.span, "hex", f"lies off the map; {foreign_map.names[point]} stands for it")
    if point not in foreign_map.names:
        return _unknown(value, "lies off the map", notes)
    return frozenset({point})


def _region(_tree: ValueMap, value: Value, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    name = region_name(value.text) if isinstance(value, Scalar) else ""
    if name not in foreign_map.regions:
        notes.add_invalid(value.span, "region", f"no board of this map has a region {value_phrase(value)}")
        return None
    return foreign_map.regions[name]


def _edge(_tree: ValueMap, value: Value, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    if not isinstance(value, Scalar) or value.text not in {"any", "north", "south", "west", "east"}:
        notes.add_invalid(value.span, "map edge", f"a direction should stand here, not {value_phrase(value)}")
        return None
    return foreign_map.edge_hexes(value.text)


def _hexes_within(tree: ValueMap, value: Value, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    reach, area = whole_number(value), find_entry(tree, "of")
    inner = area_hexes(area, foreign_map, notes) if area is not None else None
    return None if inner is None or reach is None else foreign_map.hexes_within(reach, inner)


def _far(tree: ValueMap, value: Value, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    least, area = whole_number(value), find_entry(tree, "from")
    inner = area_hexes(area, foreign_map, notes) if area is not None else None
    return (
        None if inner is None or least is None else foreign_map.all_hexes - foreign_map.hexes_within(least - 1, inner)
    )


def _units(_tree: ValueMap, value: Value, _foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    return _unknown(value, "that an area depends on where units stand is left out of account", notes)


def _height(_tree: ValueMap, value: Value, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
    least = whole_number(value)
    return _unknown(value, "an elevation is a number", notes) if least is None else foreign_map.hexes_above(least)


def _word(find: Callable[[ForeignMap, str], HexSet]) -> "Reader":
    def read(_tree: ValueMap, value: Value, foreign_map: ForeignMap, notes: Notes) -> HexSet | None:
        return (
            find(foreign_map, value.text) if isinstance(value, Scalar) else _unknown(value, "a word is missing", notes)
        )

    return read


Reader = Callable[[ValueMap, Value, ForeignMap, Notes], HexSet | None]
READERS: Mapping[str, Reader] = {
    "matcher": lambda _, value, foreign_map, notes: area_hexes(value, foreign_map, notes),
    "all_of": _all_of,
    "any_of": _any_of,
    "not": _not,
    "zone_polygon_col_row": _zone,
    "hex": _hex,
    "region": _region,
    "map_edge": _edge,
    "within": _hexes_within,
    "at_least": _far,
    "has_unit": _units,
    "elevation_at_least": _height,
    "base_terrain": _word(lambda foreign_map, word: foreign_map.hexes_with(base=word)),
    "has_hexside": _word(lambda foreign_map, word: foreign_map.hexes_with(edge=word)),
    "has_path": _word(lambda foreign_map, word: foreign_map.hexes_with(path=word)),
}
