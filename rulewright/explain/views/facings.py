"""The facing of pieces on maps: the directions that their notes give.

In: a state, as far as the reader may know it, and a piece. Out: directions as vectors.
"""

import math
from collections.abc import Iterator, Mapping

from runtime.graph import nodes as graph
from runtime.graph.facings import direction_number, facing_tracks, unit_vector
from runtime.state.position import State

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
