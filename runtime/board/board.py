"""A map at run time: hexes by index, all other data by hex index.

In: graph.Board, hexes by name. Out: `Board`, immutable, shared by every state of a game. Hexes are numbered in
canonical order (by row, then column), so that sorting indexes sorts hexes; a hexside is the pair of its hexes, lower
index first; -1 is off the map. A map may have spaces that are no hexes, and connections besides hexsides. Lines and
directions are defined for hexes of one map; for others `NoGeometryError` is raised.

`memo` is the one part that grows: answers that depend on the map and a few state reads are memoized there, in nested
dictionaries by question and key part, as a map never changes.
"""

from collections.abc import Collection, Iterable, Sequence
from heapq import heappop, heappush
from itertools import chain
from typing import Any

from runtime.board.sightline import Crossing, crossings, packed_point
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import NoGeometryError, OutOfRangeError
from runtime.graph.budget import charge, passed_if_many
from runtime.graph.geometry import noun_of_spaces
from runtime.graph.hexes import Coordinates, doubled_coordinates, neighbor_hexes, steps_between
from runtime.graph.identity_memo import memoized_by_identity

Hexside = tuple[int, int]

OFF_MAP = -1
DIRECTIONS = range(1, 7)
FAR_POINT = (1_000_000, 0)
# The distance of unconnected spaces.
FAR = 1_000_000
# The limit of memoized answers, some fifty megabytes, at which they are cleared. A thousand games on a board need less.
MEMORY = 1_000_000
# The limit of memoized lines. Answers that depend on lines are memoized themselves, so that few lines are requested
# twice, and each is a dozen tuples that the garbage collector traverses.
LINES = 2_000
# The cost of computing a line, in set members per crossing.
CROSSING = 3
NO_NEIGHBORS = (OFF_MAP,) * 6
NOTHING: frozenset[str] = frozenset()
NO_LINKS: frozenset[int] = frozenset()


class LinkedRows(dict[int, tuple[int, ...]]):
    """Distances from a space to all others over hexsides and connections, computed on demand."""

    def __init__(self, board: "Board") -> None:
        """Start empty."""
        super().__init__()
        self.board = board
        self.direct_rows = _DistanceRows(board.doubled)

    def __missing__(self, h: int) -> tuple[int, ...]:
        board = self.board
        row = [FAR] * len(board.doubled)
        todo = [(0, h)]
        while todo:
            steps, space = heappop(todo)
            if steps > row[space]:
                continue
            reached = [space]
            row[space] = steps
            if space in board.sheet_of:
                direct = self.direct_rows[space]
                for other in board.sheets[board.sheet_of[space]]:
                    if steps + direct[other] < row[other] or other == space:
                        row[other] = steps + direct[other]
                        reached.append(other)
            for other in reached:
                for neighbor in board.joined.get(other, ()):
                    if row[other] + 1 < row[neighbor]:
                        row[neighbor] = row[other] + 1
                        heappush(todo, (row[neighbor], neighbor))
        found = self[h] = tuple(row)
        return found


class _DistanceRows(dict[int, tuple[int, ...]]):
    """Distances from a hex to all others, computed on demand."""

    def __init__(self, doubled: Sequence[Coordinates]) -> None:
        """Start empty."""
        super().__init__()
        self.doubled = doubled

    def __missing__(self, h: int) -> tuple[int, ...]:
        x, y = self.doubled[h]
        found = self[h] = tuple([steps_between(other_x - x, other_y - y) for other_x, other_y in self.doubled])
        return found


class Board:
    """A map: names, neighbors, features, paths and regions, all by hex index."""

    __slots__ = (
        "all",
        "around",
        "beside",
        "boards",
        "column",
        "doubled",
        "far",
        "feature_hexes_memo",
        "features",
        "hex_at_point",
        "hexes_within_memo",
        "index",
        "is_one_sheet",
        "joined",
        "lines",
        "memo",
        "memo_count",
        "name",
        "names",
        "near_members",
        "neighbors",
        "noun",
        "outlines",
        "part",
        "path_hexes",
        "paths",
        "regions",
        "row",
        "sheet_of",
        "sheets",
        "sides",
        "size",
        "source",
    )  # fmt: skip

    def __init__(self, board: graph.Board) -> None:
        """Number the hexes and index the map's data by them."""
        self.source = board
        self.name = board.name
        self.noun = noun_of_spaces(board)
        self._number_spaces(board)
        self._connect_spaces(board)
        self.outlines = {self.index[name]: corners for name, corners in sorted(board.shapes.items())}
        self.sheets, self.sheet_of = self._sheets(board)
        self.is_one_sheet = len(self.sheets) == 1 and len(self.sheet_of) == self.size  # Of hexes alone, none linked.
        self._index_features(board)
        self.regions = {
            name: tuple(sorted(self.index[hex_name] for hex_name in hexes))
            for name, hexes in sorted(board.regions.items())
        }
        self.part = self._parts()
        self.boards = self._boards()
        # Distances from a hex, computed at the first request: players' evaluations request them most.
        self.far: dict[int, tuple[int, ...]] = (
            LinkedRows(self) if self.joined or self.outlines or len(self.sheets) > 1 else _DistanceRows(self.doubled)
        )
        self.hexes_within_memo: dict[tuple[int, int], tuple[int, ...]] = {}
        self.near_members = 0
        self.feature_hexes_memo: dict[tuple[str, tuple[int, ...]], tuple[int, ...]] = {}
        self.lines: dict[Hexside, tuple[Crossing, ...]] = {}
        self.memo: dict[object, dict[Any, Any]] = {}
        self.memo_count = 0

    def _number_spaces(self, board: graph.Board) -> None:
        """Assign indexes to the spaces in canonical order, with their rows, columns and coordinates."""
        self.names: tuple[str, ...] = tuple(
            sorted(board.hexes, key=lambda name: (board.hexes[name][1], board.hexes[name][0], name))
        )
        self.index: dict[str, int] = {name: index for index, name in enumerate(self.names)}
        self.size = len(self.names)
        self.all = tuple(range(self.size))
        cells = [board.hexes[name][:2] for name in self.names]
        self.column: tuple[int, ...] = tuple(column for column, _ in cells)
        self.row: tuple[int, ...] = tuple(row for _, row in cells)
        # A piece off the map has the hex -1 or -2. Rules that do not test for that find an empty hex there, far
        # from everything, rather than the contents of the last two hexes.
        self.doubled = (*map(doubled_coordinates, cells), FAR_POINT, FAR_POINT)
        self.hex_at_point = {
            packed_point(self.doubled[index]): index for name, index in self.index.items() if name not in board.shapes
        }

    def _connect_spaces(self, board: graph.Board) -> None:
        """Find the neighbors of each space, over hexsides and by connections."""
        indices: dict[tuple[int, int], int] = {
            board.hexes[name][:2]: index for name, index in self.index.items() if name not in board.shapes
        }
        successors, self.joined = self._links(board.links)
        # Six entries in the order e, ne, nw, w, sw, se; OFF_MAP where there is no hex.
        neighbors: list[tuple[int, ...]] = []
        # The same as a set, with the successors by connections: in canonical order, without hexes off the map.
        around: list[tuple[int, ...]] = []
        for index, name in enumerate(self.names):
            cells = () if name in board.shapes else neighbor_hexes(board.hexes[name][:2])
            six = tuple(indices.get(cell, OFF_MAP) for cell in cells) or NO_NEIGHBORS
            neighbors.append(six)
            around.append(tuple(sorted(successors.get(index, NO_LINKS).union(six) - {OFF_MAP})))
        # Two more for what is off the map.
        self.neighbors = (*neighbors, NO_NEIGHBORS, NO_NEIGHBORS)
        self.around = (*around, (), ())
        # With the predecessors by connections.
        self.beside = tuple(
            tuple(sorted({*spaces, *self.joined[index]})) if index in self.joined else spaces
            for index, spaces in enumerate(self.around)
        )

    def _index_features(self, board: graph.Board) -> None:
        """Index what is printed in hexes, on hexsides, and across them."""
        self.features = (*(frozenset(board.hexes[name][2]) for name in self.names), NOTHING, NOTHING)
        self.sides: dict[Hexside, frozenset[str]] = {}
        for first, second, features in board.sides:
            side = self.side(self.index[first], self.index[second])
            self.sides[side] = self.sides.get(side, NOTHING) | frozenset(features)
        self.paths: dict[str, frozenset[Hexside]] = {}
        for path, first, second in board.paths:
            side = self.side(self.index[first], self.index[second])
            self.paths[path] = self.paths.get(path, frozenset()) | {side}
        self.path_hexes = {path: frozenset(chain.from_iterable(sides)) for path, sides in self.paths.items()}

    def _links(self, links: Iterable[tuple[str, str, bool]]) -> tuple[dict[int, set[int]], dict[int, tuple[int, ...]]]:
        """Return the successors of each space by connections, and its neighbors by connections in either direction."""
        ahead: dict[int, set[int]] = {}
        joined: dict[int, set[int]] = {}
        for first, second, one_way in links:
            a, b = self.index[first], self.index[second]
            for start, end in ((a, b),) if one_way else ((a, b), (b, a)):
                ahead.setdefault(start, set()).add(end)
            joined.setdefault(a, set()).add(b)
            joined.setdefault(b, set()).add(a)
        return ahead, {h: tuple(sorted(others)) for h, others in joined.items()}

    def _sheets(self, board: graph.Board) -> tuple[tuple[tuple[int, ...], ...], dict[int, int]]:
        """Return the hexes of each sheet; a region named `sheet:N` holds the hexes of one of several."""
        sheet_hexes = [hexes for name, hexes in sorted(board.regions.items()) if name.startswith("sheet:")]
        sheet_hexes = sheet_hexes or [tuple(name for name in board.hexes if name not in board.shapes)]
        sheets = tuple(tuple(sorted(self.index[name] for name in hexes)) for hexes in sheet_hexes)
        return sheets, {h: number for number, hexes in enumerate(sheets) for h in hexes}

    def _need_hexes(self, operation: str, *spaces: int) -> None:
        """Raise `NoGeometryError` unless these are hexes of one map, or off the map."""
        on_map = [h for h in spaces if h >= 0]
        if len({self.sheet_of.get(h, OFF_MAP) for h in on_map}) > 1 or any(h not in self.sheet_of for h in on_map):
            raise NoGeometryError(operation, tuple(self.names[h] for h in on_map))

    def _parts(self) -> tuple[str, ...]:
        """Return for each hex the printed board it lies on: a region named `board:NAME`, else the whole map."""
        part = [self.name] * self.size
        for region, hexes in self.regions.items():
            if region.startswith("board:"):
                for h in hexes:
                    part[h] = region.removeprefix("board:")
        return tuple(part)

    def _boards(self) -> tuple[tuple[str, ...], ...]:
        """Return for each hex the printed boards it lies on; a region `shared:NAME` holds hexes of two."""
        boards = [{part} for part in self.part]
        for region, hexes in self.regions.items():
            if region.startswith("shared:"):
                for h in hexes:
                    boards[h].add(region.removeprefix("shared:"))
        return tuple(tuple(sorted(named)) for named in boards)

    def keep(self, answer: Any, question: object, *key: Any) -> Any:
        """Memoize an answer under its key, in nested dictionaries, and return it."""
        self.memo_count += 1
        if self.memo_count > MEMORY:
            self.memo.clear()
            self.memo_count = 1
        table: dict[Any, Any] = self.memo
        for part in (question, *key[:-1]):
            table = table.setdefault(part, {})
        table[key[-1]] = answer
        return answer

    def side(self, a: int, b: int) -> Hexside:
        """Return the hexside between two neighbors."""
        return (a, b) if a < b else (b, a)

    def side_features(self, side: Hexside) -> frozenset[str]:
        """Return the features printed on a hexside."""
        return self.sides.get(side, NOTHING)

    def is_side_on_path(self, path: str, side: Hexside) -> bool:
        """Return whether a path crosses this hexside."""
        return side in self.paths.get(path, ())

    def has_path(self, path: str, h: int) -> bool:
        """Return whether a path runs through this hex."""
        return h in self.path_hexes.get(path, ())

    def distance(self, a: int, b: int) -> int:
        """Return the distance from a to b in hexes: 0 to itself, 1 to a neighbor; connections count both ways."""
        return self.far[a][b]

    def adjacent(self, a: int, b: int) -> bool:
        """Return whether two hexes share a side, or a connection of either direction joins them."""
        return b in self.beside[a]

    def within(self, h: int, reach: int) -> tuple[int, ...]:
        """Return the hexes at a distance of at most `reach`, h included."""
        found = self.hexes_within_memo.get((h, reach))
        if found is None:
            row = self.far[h]
            found = tuple([other for other in range(self.size) if row[other] <= reach])
            self.near_members += len(found)
            if self.near_members > MEMORY:
                self.hexes_within_memo.clear()
                self.near_members = len(found)
            self.hexes_within_memo[h, reach] = found
        return passed_if_many(found)

    def printed_among(self, feature: str, hexes: tuple[int, ...]) -> tuple[int, ...]:
        """Return those of some hexes in which a feature is printed."""
        found = self.feature_hexes_memo.get((feature, hexes))
        if found is None:
            if len(self.feature_hexes_memo) >= LINES:
                self.feature_hexes_memo.clear()
            found = self.feature_hexes_memo[feature, hexes] = tuple([h for h in hexes if feature in self.features[h]])
        return found

    def linked(self, start: Iterable[int], ground: Collection[int]) -> tuple[int, ...]:
        """Return the connected component of `start` within a set of hexes."""
        left = set(passed_if_many(ground))
        todo = [h for h in start if h in left]
        left.difference_update(todo)
        found = set(todo)
        while todo:
            fresh = [other for other in self.around[todo.pop()] if other in left]
            left.difference_update(fresh)
            found.update(fresh)
            todo += fresh
        return tuple(sorted(found))

    def is_edge(self, h: int) -> bool:
        """Return whether a hex lies at the edge of the map."""
        self._need_hexes("edge", h)
        return OFF_MAP in self.neighbors[h]

    def ends(self, side: Hexside) -> tuple[int, ...]:
        """Return the two hexes of a hexside."""
        return side

    def touching(self, side: Hexside) -> tuple[Hexside, ...]:
        """Return the hexsides that share an end point with this one: up to four."""
        a, b = side
        self._need_hexes("touching", a, b)
        shared = [h for h in self.around[a] if h in self.around[b]]
        return tuple(sorted({self.side(h, end) for h in shared for end in side}))

    def beyond(self, h: int, neighbor: int) -> tuple[int, ...]:
        """Return the hex on the far side of a neighbor; () off the map."""
        self._need_hexes("beyond", h, neighbor)
        six = self.neighbors[h]
        far = self.neighbors[neighbor][six.index(neighbor)] if neighbor in six else OFF_MAP
        return () if far == OFF_MAP else (far,)

    def toward(self, h: int, direction: int) -> tuple[int, ...]:
        """Return the hexes from h to the edge in a direction, 1 to 6 for e, ne, nw, w, sw, se; without h.

        Raises `OutOfRangeError` for any other number.
        """
        self._need_hexes("toward", h)
        if direction not in DIRECTIONS:
            raise OutOfRangeError("toward", (direction,), (f"{DIRECTIONS[0]}..{DIRECTIONS[-1]}",))
        direction = int(direction)
        found: list[int] = []
        space = self.neighbors[h][direction - 1]
        while space != OFF_MAP:
            found.append(space)
            space = self.neighbors[space][direction - 1]
        return tuple(found)

    def line(self, a: int, b: int) -> tuple[Crossing, ...]:
        """Return the crossings of the straight line between two hex centers, in order from a."""
        known = self.lines.get((a, b))
        if known is None:
            self._need_hexes("line", a, b)
            # There is no line to a hex off the map; computing one would take half a million steps.
            is_off_map = a < 0 or b < 0
            if len(self.lines) >= LINES:
                self.lines.clear()
            known = self.lines[a, b] = (
                () if is_off_map else crossings(self.hex_at_point, self.doubled[a], self.doubled[b])
            )
        charge(CROSSING * len(known))
        return known


# All games of a scenario, and all mutants' runs of an example, share one map and its memos.
@memoized_by_identity(16)
def runtime_board(board: graph.Board) -> Board:
    """Return the run-time map of a board; memoized."""
    return Board(board)
