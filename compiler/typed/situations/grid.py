"""Layout of hexes: small boards written in rows, printed boards, and boards composed into a map.

In: the rows of a board as read. Out: a builder of a `graph.Board`. Coordinates are (column, row), pointy-top, odd rows
half a hex to the right ("odd-r"); that is the only layout of the graph. Rows that a printed board shifts left are moved
one column over.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.situations.spaces import DirectedLink, space_centers
from compiler.typed.unknown_names import is_declared, unknown_word
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.hexes import DIRECTIONS, Coordinates, neighbor, neighbor_hexes

# The greatest number of hexes of a board that is written in rows, in an example or a position.
MOST_DRAWN = 5_000


class BoardBuilder:
    """A builder of a board from rows: the coordinates of each hex and its printed features."""

    def __init__(self, env: Environment) -> None:
        self.env = env
        self.points: dict[str, Coordinates] = {}
        self.names_by_point: dict[Coordinates, str] = {}
        self.spaces: dict[str, source.Space] = {}
        self.links: list[DirectedLink] = []
        self.linked_pairs: set[frozenset[str]] = set()
        self.features: dict[str, tuple[str, ...]] = {}
        self.sides: list[tuple[str, str, tuple[str, ...]]] = []
        self.paths: list[tuple[str, str, str]] = []
        self.boards: dict[str, list[str]] = {}
        self.free_row = 0
        self._names: tuple[str, ...] = ()

    def add_row(self, row: source.HexRow) -> None:
        """Add `row A, B marsh, C from X ne`."""
        if row.start is not None and row.direction is not None:
            if row.start.text not in self.points:
                self._unknown(row.start)
                return
            direction = row.direction.text
            if direction not in DIRECTIONS:
                self.env.report_unknown("direction", row.direction, DIRECTIONS)
                return
            point = neighbor(self.points[row.start.text], direction)
        else:
            direction, point = "e", (0, self.free_row)
            self.free_row += 4  # rows without a declared contact do not touch
        for word, features in row.hexes:
            self.add_hex(word, point, features, row)
            point = neighbor(point, direction)
            if row.board is not None:
                self.boards.setdefault(row.board.text, []).append(word.text)
            # A hex behind a missing comma was reported as a feature; other lines of the example name it.
            for missed in (each for each in features if each.text[:1].isupper() and each.text not in self.points):
                self.add_hex(missed, point, (), row)
                point = neighbor(point, direction)

    def add_hex(
        self, word: source.Word, point: Coordinates, features: tuple[source.Word, ...], row: source.HexRow | None = None
    ) -> None:
        """Add one hex; report a second one of that name or at that place."""
        name = word.text
        if name in self.points:
            message = f"the hex `{name}` is placed twice"
            advice = "rename or delete one of the two"
            if row and row.start is not None and row.direction is not None and row.start.text == name:
                advice = (
                    f"delete it, as a row `from {name} {row.direction.text}` begins with the next hex in that direction"
                )
            self.env.report_invalid(word.span, message, advice)
            return
        if point in self.names_by_point:
            message = f"`{name}` is in the place of `{self.names_by_point[point]}`"
            self.env.report_invalid(
                word.span, message, "begin its row at another hex, or let it go in another direction"
            )
            return
        if len(self.points) == MOST_DRAWN:
            message = f"this board has more than {MOST_DRAWN:,} hexes, too many to be drawn in rows"
            self.env.report_invalid(word.span, message, "draw fewer hexes")
        self.points[name], self.names_by_point[point] = point, name
        self.features[name] = tuple(part.text for part in features if is_declared(self.env, "hex", part))

    def add_space(self, space: source.Space, board: source.Word | None = None) -> None:
        """Add a space that is no hex; report a second one of that name."""
        name = space.name.text
        if name in self.points or name in self.spaces:
            message = f"the space `{name}` is placed twice"
            self.env.report_invalid(space.name.span, message, "rename or delete one of the two")
            return
        self.spaces[name] = space
        self.features[name] = tuple(part.text for part in space.features if is_declared(self.env, "hex", part))
        if board is not None:
            self.boards.setdefault(board.text, []).append(name)

    def connect(self, connections: Iterable[source.Connection]) -> None:
        """Add `connections A-B-C, D to E`; report spaces that are adjacent already."""
        for each in connections:
            a, b = each.a.text, each.b.text
            if unknown := [word for word in (each.a, each.b) if not self._has(word)]:
                self.env.problems += [unknown_word("space", word, self.names) for word in unknown]
            elif a == b or self.are_adjacent(a, b):
                message = f"`{a}` and `{b}` are connected twice" if a != b else f"`{a}` is connected to itself"
                self.env.report_invalid(each.span, message, "leave it out")
            else:
                self.links.append((a, b, each.one_way))
                self.linked_pairs.add(frozenset((a, b)))

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all hexes and spaces."""
        if len(self._names) != len(self.points) + len(self.spaces):
            self._names = (*self.points, *self.spaces)
        return self._names

    def are_adjacent(self, a: str, b: str) -> bool:
        """Return whether two hexes are neighbors, or a connection joins them."""
        if frozenset((a, b)) in self.linked_pairs:
            return True
        return a in self.points and b in self.points and self.points[b] in neighbor_hexes(self.points[a])

    def add_side(self, side: source.SideSetting) -> None:
        """Add `A/B green`."""
        if self._both(side.a, side.b):
            features = tuple(part.text for part in side.features if is_declared(self.env, "hexside", part))
            self.sides.append((side.a.text, side.b.text, features))

    def add_path(self, setting: source.PathSetting) -> None:
        """Add `path lane A-B-C`."""
        if is_declared(self.env, "path", setting.path):
            for a, b in zip(setting.trail, setting.trail[1:], strict=False):
                if self._both(a, b):
                    self.paths.append((setting.path.text, a.text, b.text))

    def _both(self, a: source.Word, b: source.Word) -> bool:
        for word in (a, b):
            if not self._has(word):
                self._unknown(word)
                return False
        if not self.are_adjacent(a.text, b.text):
            message = f"`{a.text}` and `{b.text}` are not adjacent"
            advice = "connect them" if self.spaces else "name two adjacent hexes"
            self.env.report_invalid(b.span, message, advice)
            return False
        return True

    def _has(self, word: source.Word) -> bool:
        return word.text in self.points or word.text in self.spaces

    def _unknown(self, word: source.Word) -> None:
        self.env.report_unknown("hex", word, self.names)

    def build_board(self, name: str) -> graph.Board:
        """Return the finished board, translated to coordinates of at least zero, with the parity of rows unchanged."""
        regions = {printed_part(printed): tuple(hexes) for printed, hexes in self.boards.items()}
        corners = {space: each.corners for space, each in self.spaces.items()}
        places = Places(self.points, space_centers(self.spaces.values()), corners, self.links)
        return board_of(name, places, self.features, self.sides, self.paths, regions)


def printed_part(board: str) -> str:
    """Return the name of the region for one printed board, which `hex.board` reads."""
    return f"board:{board}"


def shared_part(board: str) -> str:
    """Return the name of the region of a printed board's hexes that another board names, which `hex.boards` reads."""
    return f"shared:{board}"


@frozen_dataclass
class Places:
    """Coordinates of hexes, by column and row, and of other spaces, by their centers and corners; and connections."""

    points: Mapping[str, Coordinates]
    middles: Mapping[str, Coordinates] = field(default_factory=dict)
    corners: Mapping[str, tuple[Coordinates, ...]] = field(default_factory=dict)
    links: Sequence[DirectedLink] = ()


def board_of(
    name: str,
    places: Places,
    features: Mapping[str, tuple[str, ...]],
    sides: Iterable[tuple[str, str, tuple[str, ...]]],
    paths: Iterable[tuple[str, str, str]],
    regions: Mapping[str, tuple[str, ...]],
) -> graph.Board:
    """Build a board with normalized coordinates, in canonical order."""
    points = places.points
    left = min((column for column, _ in points.values()), default=0)
    top = min((row for _, row in points.values()), default=0)
    top -= top % 2  # a translation by an odd number of rows would change which rows are shifted
    placed = {hex_: (column - left, row - top) for hex_, (column, row) in points.items()} | dict(places.middles)
    hexes = {
        hex_: (column, row, tuple(sorted(set(features.get(hex_, ())))))
        for hex_, (column, row) in sorted(placed.items(), key=lambda item: (item[1][1], item[1][0], item[0]))
    }
    merged: dict[tuple[str, str], set[str]] = {}
    for a, b, marks in sides:
        low, high = sorted((a, b))
        merged.setdefault((low, high), set()).update(marks)
    ordered = tuple((a, b, tuple(sorted(marks))) for (a, b), marks in sorted(merged.items()))
    trails = tuple(sorted({(path, *sorted((a, b))) for path, a, b in paths}))
    links = {(a, b, one_way) if one_way else (min(a, b), max(a, b), False) for a, b, one_way in places.links}
    shapes = dict(sorted(places.corners.items()))
    return graph.Board(name, hexes, ordered, trails, dict(sorted(regions.items())), shapes, tuple(sorted(links)))  # type: ignore[arg-type]  # the type of sorted() is no pair


def neighbors_of_spaces(board: graph.Board) -> dict[str, set[str]]:
    """Return the neighbors of each space of a map, in either direction of a connection."""
    cells = {(column, row): name for name, (column, row, _) in board.hexes.items() if name not in board.shapes}
    found: dict[str, set[str]] = {name: set() for name in board.hexes}
    for cell, name in cells.items():
        found[name] = {cells[other] for other in neighbor_hexes(cell) if other in cells}
    for a, b, _ in board.links:
        found[a].add(b)
        found[b].add(a)
    return found


def inline_board_builder(env: Environment, node: source.InlineBoard) -> BoardBuilder:
    """Return the builder of a small board of a position file, written as rows below each other."""
    sketch = BoardBuilder(env)
    for index, row in enumerate(node.rows):
        for column, (word, features) in enumerate(row):
            sketch.add_hex(word, (column, index), features)
    for space in node.spaces:
        sketch.add_space(space)
    sketch.connect(node.connections)
    for side in node.sides:
        sketch.add_side(side)
    for path in node.paths:
        sketch.add_path(path)
    return sketch
