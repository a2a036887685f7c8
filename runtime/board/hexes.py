"""Coordinates of pointy-topped hexes in rows, odd rows shifted half a hex to the right.

In: (column, row) pairs, rows counted downward from 0. Out: neighbors, distances, steps.
Rows are "odd-r" offset coordinates; doubling the column (2 * column + row % 2) makes every
direction a constant step, and so distance and lines need no case for the parity of the row.
"""

from collections.abc import Iterator

Cell = tuple[int, int]

DIRECTIONS = ("e", "ne", "nw", "w", "sw", "se")

# Steps in doubled coordinates, in the order of DIRECTIONS.
STEPS = ((2, 0), (1, -1), (-1, -1), (-2, 0), (-1, 1), (1, 1))


def doubled_coordinates(cell: Cell) -> tuple[int, int]:
    """Convert (column, row) to doubled coordinates."""
    column, row = cell
    return 2 * column + row % 2, row


def offset_coordinates(x: int, y: int) -> Cell:
    """Convert doubled coordinates to (column, row)."""
    return (x - y % 2) // 2, y


def neighbor_cells(cell: Cell) -> Iterator[Cell]:
    """Yield the six neighbors in the order of DIRECTIONS, on the map or not."""
    x, y = doubled_coordinates(cell)
    for dx, dy in STEPS:
        yield offset_coordinates(x + dx, y + dy)


def steps_between(x: int, y: int) -> int:
    """Return the distance in hexes from the origin to (x, y), in doubled coordinates."""
    width, height = abs(x), abs(y)
    return height + max(0, width - height) // 2
