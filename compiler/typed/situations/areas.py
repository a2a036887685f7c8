"""Areas of a map: where a force may set up or enter, and sets of hexes that a card refers to.

In: an area as written and the composed map. Out: its hexes, in the order of the map. Reports unknown names of hexes,
boards, regions and features, and areas without a hex.
"""

from collections.abc import Callable, Iterable, Mapping

from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.situations.grid import neighbors_of_spaces
from compiler.typed.situations.maps import ComposedMap
from compiler.typed.source_lists import listed_twice
from compiler.typed.unknown_names import check_known, is_declared, unknown_word
from runtime.graph import nodes as graph
from runtime.graph.closure import transitive_closure
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.hexes import Coordinates, neighbor_hexes

EDGES = ("north", "east", "south", "west", "any")


@frozen_dataclass
class AreaContext:
    """The context in which areas are resolved: the map, and the regions of its boards and of the card."""

    env: Environment
    map: ComposedMap
    regions: Mapping[str, tuple[str, ...]]

    @property
    def board(self) -> graph.Board:
        """The composed board."""
        return self.map.board

    def find_hex(self, word: source.Word) -> str | None:
        """Resolve a hex by any number printed on it; None, with a problem, if there is none."""
        check_known(self.env, "hex", word, self.map.labels)
        return self.map.labels.get(word.text)

    def find_hexes(self, words: Iterable[source.Word]) -> tuple[str, ...]:
        """Resolve hexes, without duplicates."""
        return tuple(dict.fromkeys(label for word in words if (label := self.find_hex(word)) is not None))

    def point_of(self, label: str) -> Coordinates:
        """Return the coordinates of a hex."""
        column, row, _ = self.board.hexes[label]
        return column, row


def build_ground(env: Environment, joined: ComposedMap, regions: Iterable[source.CardRegion]) -> AreaContext:
    """Add the regions of a card to those of its boards; each may use those before it."""
    named = {name: hexes for name, hexes in joined.board.regions.items() if ":" not in name}
    for region in regions:
        named[region.name.text] = hexes_of(AreaContext(env, joined, named), region.areas)
    return AreaContext(env, joined, named)


def hexes_of(ground: AreaContext, areas: Iterable[source.Area]) -> tuple[str, ...]:
    """Return the hexes of the union of areas, in the order of the map."""
    chosen: set[str] = set().union(*(_area(ground, area) for area in areas))
    return tuple(name for name in ground.board.hexes if name in chosen)


def _area(ground: AreaContext, area: source.Area) -> set[str]:
    """Return the hexes that satisfy every condition of an area."""
    problems_before = len(ground.env.problems)
    near = area.near.of if area.near else ()
    for words in (area.boards, area.regions, area.hexes, near):
        ground.env.problems += listed_twice(words)
    on_boards = _printed_on(ground, area.boards)
    points = {name: ground.point_of(name) for name in on_boards if name not in ground.board.shapes}
    hexes = _in_rows_and_columns(area, points, on_boards)
    if area.edge is not None:
        hexes &= _edge(ground, area.edge, on_boards)
    if area.regions:
        hexes &= set().union(*(_region(ground, word) for word in area.regions))
    if area.hexes:
        hexes &= set(ground.find_hexes(area.hexes))
    if area.near is not None:
        hexes &= _hexes_by_distance(ground, area.near)
    if area.bounded is not None:
        hexes = _bounded(ground, area.bounded, hexes)
    # An empty region is reported at its declaration.
    has_empty_region = any(ground.regions.get(word.text) == () for word in (*area.regions, *near))
    if not hexes and not has_empty_region and len(ground.env.problems) == problems_before:
        ground.env.report_invalid(area.span, "this area contains no hex", _extent(points.values()))
    return hexes


def _in_rows_and_columns(area: source.Area, points: Mapping[str, Coordinates], hexes: set[str]) -> set[str]:
    """Return the hexes in the rows and columns of an area, counted from one where the boards begin that it names."""
    left = min((column for column, _ in points.values()), default=0)
    top = min((row for _, row in points.values()), default=0)
    inside = set(hexes)
    if area.columns is not None:
        low, high = area.columns.low + left - 1, area.columns.high + left - 1
        inside &= {name for name, (column, _) in points.items() if low <= column <= high}
    if area.rows is not None:
        low, high = area.rows.low + top - 1, area.rows.high + top - 1
        inside &= {name for name, (_, row) in points.items() if low <= row <= high}
    return inside


def _extent(points: Iterable[Coordinates]) -> str:
    """Format the numbers of columns and rows of a map or its boards as advice."""
    columns, rows = {column for column, _ in points}, {row for _, row in points}
    return f"correct its parts, which must all hold for a hex of these {len(columns)} columns and {len(rows)} rows"


def _printed_on(ground: AreaContext, boards: tuple[source.Word, ...]) -> set[str]:
    """Return the hexes of some boards of the map, or of all."""
    if not boards:
        return set(ground.board.hexes)
    on_map = {name for homes in ground.map.boards.values() for name in homes}
    for word in boards:
        if on_map:
            check_known(ground.env, "board of this map", word, sorted(on_map))
    names = {word.text for word in boards}
    return {label for label, homes in ground.map.boards.items() if names & set(homes)}


def _region(ground: AreaContext, word: source.Word) -> set[str]:
    """Return the hexes of a region."""
    check_known(ground.env, "region", word, ground.regions)
    return set(ground.regions.get(word.text, ()))


def _hexes_by_distance(ground: AreaContext, proximity: source.WithinDistance) -> set[str]:
    """Return the hexes within and beyond given distances of others."""
    start: set[str] = set()
    for word in proximity.of:
        start |= _region(ground, word) if word.text in ground.regions else set(ground.find_hexes((word,)))
    hexes = set(ground.board.hexes)
    if proximity.most is not None:
        hexes &= _within(ground, start, proximity.most)
    if proximity.more_than is not None:
        hexes -= _within(ground, start, proximity.more_than)
    return hexes


def _within(ground: AreaContext, start: set[str], steps: int) -> set[str]:
    """Return the hexes within a distance, regardless of terrain."""
    neighbors = neighbors_of_spaces(ground.board)
    reached = set(start)
    for _ in range(steps):
        reached |= {other for label in reached for other in neighbors[label]}
    return reached


def _bounded(ground: AreaContext, bounded: source.ConnectedArea, within: set[str]) -> set[str]:
    """Return the hexes connected to a hex, within a set, without entry to hexes of some features."""
    start = ground.find_hex(bounded.around) or ""
    walls = {word.text for word in bounded.up_to if is_declared(ground.env, "hex", word)}
    neighbors = neighbors_of_spaces(ground.board)
    enterable = {label for label in within if walls.isdisjoint(ground.board.hexes[label][2])}
    return transitive_closure({start} & within, lambda label: neighbors[label] & enterable)


def entry_hexes(ground: AreaContext, entry: source.Entry) -> tuple[str, ...]:
    """Return the hexes by which a force enters: an edge of the map or of one board, or those listed."""
    if entry.hexes or entry.edge is None:
        return ground.find_hexes(entry.hexes)
    pool = _printed_on(ground, (entry.board,) if entry.board else ())
    on_edge = _edge(ground, entry.edge, pool)
    if entry.board is not None and 2 * len(on_edge & _border_hexes(ground)) < len(on_edge):
        message = f"the {entry.edge.text} edge of {entry.board.text} is not at the edge of this map"
        advice = "name an edge or a board at the edge of the map"
        ground.env.report_invalid(entry.edge.span, message, advice)
    return tuple(name for name in ground.board.hexes if name in on_edge)


def _border_hexes(ground: AreaContext) -> set[str]:
    """Return the hexes of a map with fewer than six neighbors."""
    points = {name: ground.point_of(name) for name in ground.board.hexes if name not in ground.board.shapes}
    occupied_points = set(points.values())
    return {name for name, point in points.items() if not occupied_points.issuperset(neighbor_hexes(point))}


def _edge(ground: AreaContext, edge: source.Word, pool: set[str]) -> set[str]:
    """Return the hexes at an edge of some boards, or at any."""
    if edge.text not in EDGES:
        return ground.env.report(unknown_word("edge", edge, EDGES), set())
    points = {name: ground.point_of(name) for name in pool if name not in ground.board.shapes}
    ends = _ends(points.values())
    edges: dict[str, Callable[[Coordinates], bool]] = {
        "west": lambda at: at[0] == ends[at[1]][0],
        "east": lambda at: at[0] == ends[at[1]][1],
        "north": lambda at: at[1] == min(ends),
        "south": lambda at: at[1] == max(ends),
    }
    tests = tuple(edges.values()) if edge.text == "any" else (edges[edge.text],)
    return {name for name, point in points.items() if any(lies_on(point) for lies_on in tests)}


def _ends(points: Iterable[Coordinates]) -> dict[int, tuple[int, int]]:
    """Return the first and the last column of each row."""
    rows: dict[int, list[int]] = {}
    for column, row in points:
        rows.setdefault(row, []).append(column)
    return {row: (min(columns), max(columns)) for row, columns in rows.items()}
