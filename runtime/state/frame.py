"""What all states of one game share: how tracks begin, what falls back when, how values are ordered.

In: the vocabulary of a graph and a board. Out: `Frame`, built once, never changed.
"""

from collections.abc import Iterable

from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph.budget import passed_if_many
from runtime.graph.identity_memo import memoized_by_identity
from runtime.graph.word_order import word_ranks
from runtime.state.constants import Scope, evaluate_constant, ordered
from runtime.state.record import Value


class Frame:
    """The vocabulary as play needs it. Flags and tracks are keyed `owner.name`."""

    __slots__ = ("board", "flags", "initial", "kinds", "moments", "rank", "relations", "tracks")

    def __init__(self, vocabulary: graph.Vocabulary, board: Board) -> None:
        """Evaluate the declared initial values and sort the lasting things by the moment that ends them."""
        self.board = board
        self.kinds = tuple(vocabulary.kinds)
        self.flags = vocabulary.flags
        self.tracks = vocabulary.tracks
        self.relations = vocabulary.relations
        self.rank, self.initial, self.moments = orders_of(vocabulary)

    def ordered(self, values: Iterable[Value]) -> tuple[Value, ...]:
        """Make a set: no repeats, canonical order (members as declared, everything else by number)."""
        return passed_if_many(ordered(values, self.rank))


Orders = tuple[dict[str, int], dict[str, Value], dict[str, list[str]]]


# Searches set up thousands of positions of a few stacks.
@memoized_by_identity(8)
def orders_of(vocabulary: graph.Vocabulary) -> Orders:
    """Return how words are ordered, how tracks begin and what falls back when; the same for all boards."""
    rank = word_ranks([[m.name for m in enum.members] for _, enum in sorted(vocabulary.enums.items())])
    initial = {key: initial_value(track, rank) for key, track in vocabulary.tracks.items()}
    moments: dict[str, list[str]] = {}
    until = {key: flag.until for key, flag in vocabulary.flags.items()}
    until |= {key: track.until for key, track in vocabulary.tracks.items()}
    for key, moment in until.items():
        if moment:
            moments.setdefault(moment, []).append(key)
    return rank, initial, moments


def initial_value(track: graph.Track, rank: dict[str, int]) -> Value:
    """Return what a track holds before anything is set: a list or set is empty, anything else may be absent."""
    if track.initial is not None:
        return evaluate_constant(track.initial, Scope({}, rank))
    return () if isinstance(track.type, graph.Many) else None
