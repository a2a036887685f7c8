"""Data that all states of one game share: initial values of tracks, moments of resets, the canonical order of values.

In: the vocabulary of a graph and a board. Out: `Frame`, immutable.
"""

from collections.abc import Iterable

from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph.budget import passed_if_many
from runtime.graph.identity_memo import memoized_by_identity
from runtime.graph.word_order import word_ranks
from runtime.state.constants import ConstantScope, canonical_set, evaluate_constant
from runtime.state.record import Value


class Frame:
    """What all states of one game share, beside their graph and board. Flags and tracks are keyed `owner.name`."""

    __slots__ = ("board", "flags", "initial", "kinds", "moments", "rank", "relations", "tracks")

    def __init__(self, vocabulary: graph.Vocabulary, board: Board) -> None:
        """Evaluate the declared initial values, and group statuses and tracks by the moment that resets them."""
        self.board = board
        self.kinds = tuple(vocabulary.kinds)
        self.flags = vocabulary.flags
        self.tracks = vocabulary.tracks
        self.relations = vocabulary.relations
        self.rank, self.initial, self.moments = orders_of(vocabulary)

    def ordered(self, values: Iterable[Value]) -> tuple[Value, ...]:
        """Return values as a set: without duplicates, in canonical order (members as declared, all others by value)."""
        return passed_if_many(canonical_set(values, self.rank))


Orders = tuple[dict[str, int], dict[str, Value], dict[str, list[str]]]


# The search for witnesses builds thousands of positions of a few stacks.
@memoized_by_identity()
def orders_of(vocabulary: graph.Vocabulary) -> Orders:
    """Return the order of members, initial values of tracks and resets by moment, which all boards share."""
    rank = word_ranks([[m.name for m in enum.members] for _, enum in sorted(vocabulary.enums.items())])
    initial = {key: _initial_value(track, rank) for key, track in vocabulary.tracks.items()}
    moments: dict[str, list[str]] = {}
    until = {key: flag.until for key, flag in vocabulary.flags.items()}
    until |= {key: track.until for key, track in vocabulary.tracks.items()}
    for key, moment in until.items():
        if moment:
            moments.setdefault(moment, []).append(key)
    return rank, initial, moments


def _initial_value(track: graph.Track, rank: dict[str, int]) -> Value:
    """Return the initial value of a track: its declared one, else () for a list or set, else None."""
    if track.initial is not None:
        return evaluate_constant(track.initial, ConstantScope({}, rank))
    return () if isinstance(track.type, graph.Many) else None
