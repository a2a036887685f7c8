"""The kinds of boards, as they are typed on the command line."""

from enum import StrEnum


class BoardKind(StrEnum):
    """A kind of board, by what its places are."""

    HEXES = "hexes"
    AREAS = "areas"
    POINTS = "points"
