"""What a board is made of, as it is typed on the command line."""

from enum import StrEnum


class BoardKind(StrEnum):
    """What a board is made of."""

    HEXES = "hexes"
    AREAS = "areas"
    POINTS = "points"
