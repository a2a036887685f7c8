"""Grids of boards of VASSAL: the cell at a pixel, the middle of a cell, and its name.

Columns and rows are counted from zero at the origin, the middle of the first cell. The columns of a hex grid are
vertical, odd ones shifted down by half a hex; in a turned grid (`sideways`) the two axes are exchanged.
"""

import re
from collections.abc import Iterator
from math import dist, floor

from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.outlines import outline_edges

Cell = tuple[int, int]
PixelPoint = tuple[int, int]
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# A smaller cell could contain no counter.
SMALLEST_CELL, LARGEST_CELL = 4.0, 100_000.0


@frozen_dataclass
class CellNumbering:
    """The numbering of cells: letters (`A`) or numbers (`N`) for columns (`column_style`) and rows, and their order."""

    column_style: str
    row_style: str
    column_digits: int
    row_digits: int
    column_start: int
    row_start: int
    is_column_descending: bool
    is_row_descending: bool
    first: str
    separator: str
    is_staggered: bool
    format: str

    def name(self, column: int, row: int) -> str:
        """Format the name of a cell from its column and row in the grid."""
        column_text = _count(column + self.column_start, self.column_style, self.column_digits)
        row_text = _count(row + self.row_start, self.row_style, self.row_digits)
        location = (
            f"{column_text}{self.separator}{row_text}"
            if self.first == "H"
            else f"{row_text}{self.separator}{column_text}"
        )
        return (
            self.format.replace("$gridLocation$", location).replace("$column$", column_text).replace("$row$", row_text)
        )


@frozen_dataclass
class HexGrid:
    """A hex grid: `width` between columns, `height` between rows, the middle of the first hex, and the board size."""

    width: float
    height: float
    origin: PixelPoint
    is_sideways: bool
    numbering: CellNumbering | None
    size: PixelPoint

    def middle(self, cell: Cell) -> PixelPoint:
        """Return the middle of a hex."""
        column, row = cell
        x = int(self.width * column + self.origin[0])
        y = int(self.height * row + (int(self.height / 2) if column % 2 else 0) + self.origin[1])
        return (y, x) if self.is_sideways else (x, y)

    def cell(self, place: PixelPoint) -> Cell:
        """Return the hex whose middle is nearest to a pixel."""
        x, y = (place[1], place[0]) if self.is_sideways else place
        nearest_column = floor((x - self.origin[0]) / self.width + 0.5)
        found: list[tuple[float, Cell]] = []
        for column in (nearest_column - 1, nearest_column, nearest_column + 1):
            lower = self.height / 2 if column % 2 else 0.0
            row = floor((y - self.origin[1] - lower) / self.height + 0.5)
            middle_x, middle_y = self.origin[0] + column * self.width, self.origin[1] + row * self.height + lower
            found.append(((x - middle_x) ** 2 + (y - middle_y) ** 2, (column, row)))
        return min(found)[1]

    def name(self, cell: Cell) -> str:
        """Return the name of a hex; "" if the grid has no numbering."""
        numbers = self.numbering
        if numbers is None:
            return ""
        column, row = cell
        is_column_descending, is_row_descending = numbers.is_column_descending, numbers.is_row_descending
        if self.is_sideways:
            is_column_descending, is_row_descending = is_row_descending, is_column_descending
        lower = (-1 if is_row_descending else 1) if numbers.is_staggered and column % 2 else 0
        high = floor(self.size[1] / self.width + 0.5)
        wide = floor(self.size[0] / self.height + 0.5)
        last_column, last_row = (high, wide) if self.is_sideways else (wide, high)
        return numbers.name(
            last_column - column if is_column_descending else column,
            (last_row - row if is_row_descending else row) + lower,
        )

    def cells(self, place: "PixelBox") -> Iterator[Cell]:
        """Yield the hexes whose middles are within bounds, in column-major order."""
        left, top, right, bottom = place
        if self.is_sideways:
            left, top, right, bottom = top, left, bottom, right
        for column in _multiples_between(left - self.origin[0], right - self.origin[0], self.width):
            lower = self.height / 2 if column % 2 else 0.0
            for row in _multiples_between(top - self.origin[1] - lower, bottom - self.origin[1] - lower, self.height):
                yield column, row


@frozen_dataclass
class RegionGrid:
    """A grid of named points; a pixel belongs to the nearest."""

    regions: tuple[tuple[str, PixelPoint], ...]

    def nearest(self, place: PixelPoint) -> str:
        """Return the name of the nearest point; "" if there is none."""
        if not self.regions:
            return ""
        name, _ = min(self.regions, key=lambda region: dist(region[1], place))
        return name


Grid = HexGrid | RegionGrid
# Left, top, right and bottom in pixels; the last two are exclusive.
PixelBox = tuple[int, int, int, int]


@frozen_dataclass
class ZoneOutline:
    """The polygon of a zone."""

    corners: tuple[PixelPoint, ...]

    def contains(self, place: PixelPoint) -> bool:
        """Return whether a pixel is inside, by the even-odd rule."""
        x, y = place
        is_inside = False
        for (ax, ay), (bx, by) in outline_edges(self.corners):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                is_inside = not is_inside
        return is_inside

    def bounds(self) -> PixelBox:
        """Return the bounding rectangle."""
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        return min(xs), min(ys), max(xs) + 1, max(ys) + 1

    def lattice_places(self, count: int) -> list[PixelPoint]:
        """Return a lattice of pixels in the bounding rectangle, `count` in each direction."""
        left, top, right, bottom = self.bounds()
        columns = [left + (right - left) * (2 * each + 1) // (2 * count) for each in range(count)]
        rows = [top + (bottom - top) * (2 * each + 1) // (2 * count) for each in range(count)]
        return [(x, y) for y in rows for x in columns]

    def middle(self) -> PixelPoint:
        """Return the mean of the corners, or the first corner if the mean is outside."""
        count = len(self.corners)
        mean = (sum(x for x, _ in self.corners) // count, sum(y for _, y in self.corners) // count)
        return mean if self.contains(mean) else self.corners[0]


def read_outline(path: str) -> ZoneOutline | None:
    """Parse `x,y;x,y;..`; None with fewer than three corners."""
    pairs = re.findall(r"(-?\d{1,6})\s*,\s*(-?\d{1,6})", path[:200_000])
    return ZoneOutline(tuple((int(x), int(y)) for x, y in pairs)) if len(pairs) > 2 else None


def cells_within(grid: HexGrid, place: PixelBox) -> int:
    """Return an upper bound of the number of cells whose middles are within bounds."""
    left, top, right, bottom = place
    return int(((right - left) / grid.width + 2) * ((bottom - top) / grid.height + 2))


def _multiples_between(low: float, high: float, step: float) -> range:
    """Return the factors of the multiples of a step in the interval [low, high)."""
    return range(-floor(-low / step), -floor(-high / step))


def _count(number: int, kind: str, digits: int) -> str:
    """Format a number with leading zeros, or as A to Z, AA to ZZ and so on."""
    sign, number = ("-", -number) if number < 0 else ("", number)
    return f"{sign}{ALPHABET[number % 26] * (number // 26 + 1)}" if kind == "A" else f"{sign}{number:0{digits + 1}d}"
