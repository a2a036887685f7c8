"""Lay hexes out: small boards written in rows, printed boards, and boards joined into a map.

Coordinates are (column, row), points up, odd rows half a hex to the right; that is the one layout
the graph knows. Rows that a printed board shifts left are moved one column over.
"""

from collections.abc import Iterable, Mapping

from compiler.source import nodes as source
from compiler.typed.problems import Misplaced
from compiler.typed.unknown import declared, no_such
from compiler.typed.world import World
from runtime.graph import nodes as graph

Spot = tuple[int, int]
DIRECTIONS = ("e", "ne", "nw", "w", "sw", "se")


def neighbor(spot: Spot, direction: str) -> Spot:
    """The next hex in one of six directions."""
    column, row = spot
    right = row % 2  # an odd row stands half a hex to the right
    match direction:
        case "e":
            return column + 1, row
        case "w":
            return column - 1, row
        case "ne":
            return column + right, row - 1
        case "nw":
            return column - 1 + right, row - 1
        case "se":
            return column + right, row + 1
        case _:
            return column - 1 + right, row + 1


def adjacent(a: Spot, b: Spot) -> bool:
    """Whether two places are neighbors."""
    return any(neighbor(a, direction) == b for direction in DIRECTIONS)


class Sketch:
    """A board while it is being drawn from rows: where each named hex lies and what is printed there."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.spots: dict[str, Spot] = {}
        self.features: dict[str, tuple[str, ...]] = {}
        self.sides: list[tuple[str, str, tuple[str, ...]]] = []
        self.paths: list[tuple[str, str, str]] = []
        self.boards: dict[str, list[str]] = {}
        self.free_row = 0

    def row(self, row: source.HexRow) -> None:
        """Draw `row A, B marsh, C from X ne`."""
        if row.start is not None and row.direction is not None:
            if row.start.text not in self.spots:
                self._unknown(row.start)
                return
            way = row.direction.text
            if way not in DIRECTIONS:
                self.world.problems.append(no_such("direction", row.direction, DIRECTIONS))
                return
            spot = neighbor(self.spots[row.start.text], way)
        else:
            way, spot = "e", (0, self.free_row)
            self.free_row += 4  # rows that are not said to touch do not touch
        for word, features in row.hexes:
            self.put(word, spot, features, row)
            spot = neighbor(spot, way)
            if row.board is not None:
                self.boards.setdefault(row.board.text, []).append(word.text)

    def put(
        self, word: source.Word, spot: Spot, features: tuple[source.Word, ...], row: source.HexRow | None = None
    ) -> None:
        """Put one hex down, once."""
        name = word.text
        if name in self.spots:
            said = f"the hex `{name}` is put down twice"
            advice = "name every hex once, and each by another name"
            if row and row.start is not None and row.direction is not None and row.start.text == name:
                advice = f"leave it out: a row `from {name} {row.direction.text}` begins with the next hex that way"
            self.world.problems.append(Misplaced(word.span, said, advice))
            return
        taken = {place: other for other, place in self.spots.items()}
        if spot in taken:
            said = f"`{name}` would lie where `{taken[spot]}` lies"
            self.world.problems.append(Misplaced(word.span, said, "begin its row elsewhere, or let it run another way"))
            return
        self.spots[name] = spot
        self.features[name] = tuple(part.text for part in features if declared(self.world, "hex", part))

    def side(self, side: source.SideSetting) -> None:
        """Draw `A/B green`."""
        if self._both(side.a, side.b):
            features = tuple(part.text for part in side.features if declared(self.world, "hexside", part))
            self.sides.append((side.a.text, side.b.text, features))

    def path(self, setting: source.PathSetting) -> None:
        """Draw `path lane A-B-C`."""
        if declared(self.world, "path", setting.path):
            for a, b in zip(setting.trail, setting.trail[1:], strict=False):
                if self._both(a, b):
                    self.paths.append((setting.path.text, a.text, b.text))

    def _both(self, a: source.Word, b: source.Word) -> bool:
        for word in (a, b):
            if word.text not in self.spots:
                self._unknown(word)
                return False
        if not adjacent(self.spots[a.text], self.spots[b.text]):
            said = f"`{a.text}` and `{b.text}` do not touch"
            self.world.problems.append(Misplaced(b.span, said, "name two hexes side by side"))
            return False
        return True

    def _unknown(self, word: source.Word) -> None:
        self.world.problems.append(no_such("hex", word, self.spots))

    def board(self, name: str) -> graph.Board:
        """The finished board, moved so that no coordinate is negative and rows keep their shift."""
        regions = {printed_part(printed): tuple(hexes) for printed, hexes in self.boards.items()}
        return board_of(name, self.spots, self.features, self.sides, self.paths, regions)


def printed_part(board: str) -> str:
    """Name the region that is one printed board: what `hex.board` tells."""
    return f"board:{board}"


def shared_part(board: str) -> str:
    """Name the region of a printed board that another board names: with it `hex.boards` tells of two."""
    return f"shared:{board}"


def board_of(
    name: str,
    spots: Mapping[str, Spot],
    features: Mapping[str, tuple[str, ...]],
    sides: Iterable[tuple[str, str, tuple[str, ...]]],
    paths: Iterable[tuple[str, str, str]],
    regions: Mapping[str, tuple[str, ...]],
) -> graph.Board:
    """Normalize coordinates and put everything into canonical order."""
    left = min((column for column, _ in spots.values()), default=0)
    top = min((row for _, row in spots.values()), default=0)
    top -= top % 2  # moving by an odd number of rows would change who is shifted
    hexes = {
        hex_: (column - left, row - top, tuple(sorted(set(features.get(hex_, ())))))
        for hex_, (column, row) in sorted(spots.items(), key=lambda item: (item[1][1], item[1][0]))
    }
    merged: dict[tuple[str, str], set[str]] = {}
    for a, b, marks in sides:
        low, high = sorted((a, b))
        merged.setdefault((low, high), set()).update(marks)
    ordered = tuple((a, b, tuple(sorted(marks))) for (a, b), marks in sorted(merged.items()))
    trails = tuple(sorted({(path, *sorted((a, b))) for path, a, b in paths}))
    return graph.Board(name, hexes, ordered, trails, dict(sorted(regions.items())))  # type: ignore[arg-type]  # sorted() forgets that a pair has two


def inline_board(world: World, node: source.InlineBoard) -> Sketch:
    """A small board of a position file: rows below each other."""
    sketch = Sketch(world)
    for index, row in enumerate(node.rows):
        for column, (word, features) in enumerate(row):
            sketch.put(word, (column, index), features)
    for side in node.sides:
        sketch.side(side)
    for path in node.paths:
        sketch.path(path)
    return sketch
