"""Symmetry reduction: pieces that no rule can distinguish are searched once.

In: a position, the current bindings, and a piece. Out: its symmetry class. Two pieces have equal classes only if both
are off the map, have equal counters of one force, and no mark, track, record or pair refers to either. Exchanging them
changes nothing but their indexes, so that a completion with one is a completion with the other.

Indexes do break ties (`least`, `greatest`) and order the limited enumeration of sets: a search in which either can
occur uses no symmetry.
"""

from collections.abc import Iterable, Iterator, Mapping

from runtime.answer.reads import ReadSetAnalysis, is_pick
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.state.answers import MemoTable
from runtime.state.position import OFF, State
from runtime.state.record import Record, Value

# The key of a symmetry class.
SymmetryClass = tuple[int, str]


class SymmetryAnalysis:
    """The symmetry analysis of one graph."""

    __slots__ = ("facts", "marks", "reads", "rules", "table", "tracks")

    def __init__(self, rules: graph.Graph, reads: ReadSetAnalysis) -> None:
        """Collect the parts of a position that may refer to pieces."""
        words = rules.vocabulary
        self.rules = rules
        self.reads = reads
        self.marks = [key for key, flag in words.flags.items() if flag.what == "status" and flag.owner in words.kinds]
        self.tracks = [key for key, track in words.tracks.items() if track.owner in words.kinds]
        self.facts = [key for key, track in words.tracks.items() if may_name(track.type)]
        self.table = MemoTable()

    def is_applicable(self, steps: Iterable[object]) -> bool:
        """Return whether a search through these steps may use symmetry."""
        nodes = tuple(walk(tuple(steps)))
        terms = self.reads.terms_reached(self.reads.called_terms(nodes))
        return not any(
            is_pick(node) or (isinstance(node, graph.Choose) and node.how != "") for node in nodes
        ) and not any(map(self.reads.is_picking, terms))

    def distinguished_pieces(self, state: State) -> frozenset[int]:
        """Return the pieces that some part of the position refers to; memoized."""
        memory = state.answers[self.table]
        known: frozenset[int] | None = memory.get(())
        if known is None:
            known = memory[()] = frozenset(self.pieces_referred_to(state))
        return known

    def pieces_referred_to(self, state: State) -> Iterator[int]:
        """Yield a superset of the pieces that some part of the position refers to."""
        for key in self.marks:
            yield from state.marks[key]
        for key in self.tracks:
            yield from state.tracks[key]
        for key in self.facts:
            yield from numbers_in((state.facts[key],) if key in state.facts else state.tracks[key].values())
        for related in state.pairs.values():
            yield from related.rights
            yield from related.lefts
            yield from numbers_in(related.payload.values())
        for records in state.records.values():
            yield from numbers_in(records)
        for fields in state.amended.values():
            yield from numbers_in(fields.values())


class SymmetryClasses:
    """The symmetry classes of one position. Pieces that are bound already have no class."""

    __slots__ = ("distinguished", "named_pieces", "names", "state", "symmetry")

    def __init__(self, symmetry: SymmetryAnalysis, state: State, names: Mapping[str, Value]) -> None:
        """Defer the analysis until a piece is off the map: most choices are among pieces on it."""
        self.symmetry = symmetry
        self.state = state
        self.names = tuple(names.values())
        self.distinguished: frozenset[int] | None = None
        self.named_pieces: frozenset[int] = frozenset()

    def symmetry_class(self, piece: int) -> SymmetryClass | None:
        """Return the symmetry class of a piece; None if it has none."""
        state = self.state
        if state.hex[piece] != OFF:
            return None
        if self.distinguished is None:
            self.distinguished, self.named_pieces = (
                self.symmetry.distinguished_pieces(state),
                frozenset(numbers_in(self.names)),
            )
        if piece in self.distinguished or piece in self.named_pieces:
            return None
        return state.representatives()[piece], state.place[piece]


def may_name(type_: graph.Type) -> bool:
    """Return whether values of a type may be or contain pieces."""
    match type_:
        case graph.Many(_, member_type):
            return may_name(member_type)
        case graph.Piece() | graph.RecordOf() | graph.Nothing():
            return True
        case _:
            return False


def numbers_in(values: Iterable[Value]) -> Iterator[int]:
    """Yield every number in values: a superset of the pieces, as hexes and amounts are numbers as well."""
    for value in values:
        if isinstance(value, Record):
            yield from numbers_in(value.fields.values())
        elif isinstance(value, tuple):
            yield from numbers_in(value)
        elif isinstance(value, int):
            yield value
