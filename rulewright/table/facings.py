"""The facing of pieces on maps: the directions that their notes give.

In: a state, as far as the reader may know it, and a piece. Out: directions as vectors or as signs of a terminal.
"""

import math
from collections.abc import Iterator, Mapping

from runtime.graph import nodes as graph
from runtime.graph.facings import direction_number, facing_tracks, unit_vector
from runtime.graph.hexes import DIRECTIONS, doubled_coordinates
from runtime.state.position import State

SIGNS = "→↗↖←↙↘"  # in the order of DIRECTIONS
Point = tuple[float, float]


def facing_vectors(state: State, piece: int, centers: Mapping[int, Point]) -> Iterator[Point]:
    """Yield the directions that the notes of a piece give, as vectors of length 1, to the right and down."""
    rules, kind, here = state.graph, state.sheets[piece].kind, state.hex[piece]
    for key in facing_tracks(rules):
        track = rules.vocabulary.tracks[key]
        value = state.track(key, piece) if track.owner == kind else None
        if value is None:
            continue
        if not isinstance(track.type, graph.Hex):
            if (number := direction_number(rules, key, value)) is not None:
                yield unit_vector(number)
        elif isinstance(value, int) and value != here and value in centers and here in centers:
            (x1, y1), (x2, y2) = centers[here], centers[value]
            yield (x2 - x1) / math.dist((x1, y1), (x2, y2)), (y2 - y1) / math.dist((x1, y1), (x2, y2))


def facing_signs(state: State, piece: int) -> str:
    """Return the facing of a piece in a hex as arrows; "" if its notes give none."""
    board = state.board
    doubled = {h: doubled_coordinates((board.column[h], board.row[h])) for h in board.sheet_of}
    centers = {h: (x / 2, y * math.sqrt(3) / 2) for h, (x, y) in doubled.items()}
    vectors = [unit_vector(number) for number in range(1, len(DIRECTIONS) + 1)]
    nearest = (
        min(range(len(vectors)), key=lambda place: math.dist(vectors[place], toward))
        for toward in facing_vectors(state, piece, centers)
    )
    return "".join(dict.fromkeys(SIGNS[place] for place in nearest))
