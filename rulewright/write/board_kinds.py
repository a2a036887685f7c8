"""The kinds of boards, as arguments of the command line."""

from enum import StrEnum


class BoardKind(StrEnum):
    """A kind of board, named after its places."""

    HEXES = "hexes"
    AREAS = "areas"
    POINTS = "points"
