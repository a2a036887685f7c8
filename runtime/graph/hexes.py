"""Coordinates of pointy-topped hexes in rows, odd rows shifted half a hex to the right.

In: (column, row) pairs, rows counted downward from 0. Out: neighbors, distances, steps.
Rows are "odd-r" offset coordinates; doubling the column (2 * column + row % 2) makes every
direction a constant step, and so distance and lines need no case for the parity of the row.
"""

Coordinates = tuple[int, int]

# Steps to the neighbors in doubled coordinates.
STEPS = {"e": (2, 0), "ne": (1, -1), "nw": (-1, -1), "w": (-2, 0), "sw": (-1, 1), "se": (1, 1)}
DIRECTIONS = tuple(STEPS)


def doubled_coordinates(coordinates: Coordinates) -> tuple[int, int]:
    """Return the doubled coordinates of (column, row): twice the column, one more in odd rows, and the row."""
    column, row = coordinates
    return 2 * column + row % 2, row


def _offset_coordinates(x: int, y: int) -> Coordinates:
    """Return the (column, row) of doubled coordinates."""
    return (x - y % 2) // 2, y


def neighbor(coordinates: Coordinates, direction: str) -> Coordinates:
    """Return the neighbor of a hex in one of the six directions, on the map or not."""
    (x, y), (dx, dy) = doubled_coordinates(coordinates), STEPS[direction]
    return _offset_coordinates(x + dx, y + dy)


def neighbor_hexes(coordinates: Coordinates) -> tuple[Coordinates, ...]:
    """Return the six neighbors in the order of DIRECTIONS, on the map or not."""
    return tuple([neighbor(coordinates, direction) for direction in DIRECTIONS])


def steps_between(x: int, y: int) -> int:
    """Return the distance in hexes from the origin to (x, y), in doubled coordinates."""
    width, height = abs(x), abs(y)
    return height + max(0, width - height) // 2
