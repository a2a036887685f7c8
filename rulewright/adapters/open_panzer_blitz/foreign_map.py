"""A foreign map: boards joined in the coordinate system of the foreign cards.

Adjacent boards of a row share their outermost columns, adjacent rows of boards their outermost rows; an inverted
board is rotated by 180 degrees. Out: cells by map column and row, and the name of each hex on our map.
"""

from collections.abc import Iterable, Mapping

from rulewright.adapters.open_panzer_blitz.foreign_boards import hex_name, is_board_cell, matches_line, region_name
from rulewright.adapters.open_panzer_blitz.foreign_nodes import CELL_SIDES, ForeignBoard, ImportedHex, neighbor_point
from rulewright.adapters.open_panzer_blitz.package_mapping import PackageMapping
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.hexes import Coordinates


@frozen_dataclass
class ForeignMap:
    """A map. `cells` are rotated with their boards; a hex that two boards share has a cell of each."""

    names: Mapping[Coordinates, str]
    cells: Mapping[Coordinates, tuple[tuple[str, ImportedHex], ...]]
    boards: Mapping[Coordinates, tuple[str, ...]]
    regions: Mapping[str, frozenset[Coordinates]]
    mapping: PackageMapping

    @property
    def all_hexes(self) -> frozenset[Coordinates]:
        """Return all hexes."""
        return frozenset(self.names)

    def edge_hexes(self, direction: str) -> frozenset[Coordinates]:
        """Return the hexes that have no neighbor in one direction, or in `any` direction."""
        sides = {"north": ("nw", "ne"), "south": ("sw", "se"), "west": ("w",), "east": ("e",)}
        if direction == "any":
            return frozenset(s for s in self.names if any(neighbor_point(s, n) not in self.names for n in range(6)))
        numbers = [CELL_SIDES.index(side) for side in sides[direction]]
        return frozenset(s for s in self.names if all(neighbor_point(s, n) not in self.names for n in numbers))

    def hexes_with(
        self, base: str | None = None, edge: str | None = None, path: str | None = None
    ) -> frozenset[Coordinates]:
        """Return the hexes with a base, an edge and a path; None is no condition."""
        return frozenset(
            point
            for point, cells in self.cells.items()
            for _, cell in cells
            if (base is None or cell.base == base)
            and (edge is None or edge in cell.edges)
            and (path is None or path in cell.paths)
        )

    def hexes_above(self, least: int) -> frozenset[Coordinates]:
        """Return the hexes whose elevation is at least `least`."""
        return frozenset(s for s, cells in self.cells.items() if any(cell.elevation >= least for _, cell in cells))

    def hexes_of_feature(self, feature: str) -> frozenset[Coordinates]:
        """Return the hexes on which a feature of ours is printed."""
        lines = [line for line in self.mapping.hexes if line.feature == feature]
        return frozenset(
            point
            for point, cells in self.cells.items()
            if any(matches_line(cell, line, key) for key, cell in cells for line in lines)
        )

    def hexes_within(self, reach: int, centers: Iterable[Coordinates]) -> frozenset[Coordinates]:
        """Return the hexes within a distance of any of some hexes, by breadth-first search."""
        found = ring = set(centers)
        for _ in range(reach):
            ring = {
                n for s in ring for direction in range(6) if (n := neighbor_point(s, direction)) in self.names
            } - found
            found = found | ring
        return frozenset(found)


def join_boards(rows: Iterable[Iterable[tuple[ForeignBoard, bool]]], mapping: PackageMapping) -> ForeignMap:
    """Join rows of boards, each with a flag that is true if the board is inverted."""
    names: dict[Coordinates, str] = {}
    cells: dict[Coordinates, tuple[tuple[str, ImportedHex], ...]] = {}
    boards: dict[Coordinates, tuple[str, ...]] = {}
    regions: dict[str, frozenset[Coordinates]] = {}
    down = 0
    for row in rows:
        right = lowest = 0
        for board, inverted in row:
            map_points = {point: _on_map(board, point, (right, down), inverted=inverted) for point in board.cells
                    if is_board_cell(board, point)}  # fmt: skip
            for point, map_point in map_points.items():
                cell = board.cells[point]
                cells[map_point] = (*cells.get(map_point, ()), (board.key, _rotated(cell) if inverted else cell))
                boards[map_point] = (*boards.get(map_point, ()), mapping.board_name(board.key))
                names.setdefault(map_point, mapping.hex_prefix(board.key) + hex_name(point))
            for title, points in board.regions:
                members = {map_points[point] for point in points if point in map_points}
                regions[region_name(title)] = regions.get(region_name(title), frozenset()) | members
            right += board.width - 1
            lowest = max(lowest, board.height - 1)
        down += lowest
    return ForeignMap(names, cells, boards, regions, mapping)


def _on_map(board: ForeignBoard, point: Coordinates, corner: Coordinates, *, inverted: bool) -> Coordinates:
    column, row = point
    if inverted:
        column, row = board.width - 1 - column - (row % 2 == 0), board.height - 1 - row
    return column + corner[0], row + corner[1]


def _rotated(cell: ImportedHex) -> ImportedHex:
    return ImportedHex(
        cell.span, cell.base, cell.elevation, cell.edges[3:] + cell.edges[:3], cell.paths[3:] + cell.paths[:3]
    )
