"""Which pieces no rule can tell apart, so that one search serves them all.

In: a position, the names bound so far, and a piece. Out: what the piece is like, the same for two pieces
exactly if no rule can tell them apart: both wait off the map, on counters that are the same and belong to
one force, and nothing has been noted, marked, written or related of either. Swapping two such pieces
changes nothing but their numbers; so what can be finished with one can be finished with the other.

Numbers do settle ties (`least`, `greatest`), and where only so many sets are tried. A search that
may come to either takes no piece for another.
"""

from collections.abc import Iterable, Iterator, Mapping

from runtime.answer.reads import Reads, is_pick
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.state.answers import MemoTable
from runtime.state.position import OFF, State
from runtime.state.record import Record, Value

# A key that pieces share which no answer tells apart.
SymmetryClass = tuple[int, str]


class SymmetryAnalysis:
    """Tells which pieces are alike in the positions of one graph."""

    __slots__ = ("facts", "marks", "reads", "rules", "table", "tracks")

    def __init__(self, rules: graph.Graph, reads: Reads) -> None:
        """Find out where pieces may be named."""
        words = rules.vocabulary
        self.rules = rules
        self.reads = reads
        self.marks = [key for key, flag in words.flags.items() if flag.what == "status" and flag.owner in words.kinds]
        self.tracks = [key for key, track in words.tracks.items() if track.owner in words.kinds]
        self.facts = [key for key, track in words.tracks.items() if may_name(track.type)]
        self.table = MemoTable()

    def is_applicable(self, steps: Iterable[object]) -> bool:
        """Return whether a search through these steps may take one piece for another."""
        nodes = tuple(walk(tuple(steps)))
        terms = self.reads.terms_reached(name for node in nodes for name in self.reads.called_terms(node))
        return not any(
            is_pick(node) or (isinstance(node, graph.Choose) and node.how != "") for node in nodes
        ) and not any(map(self.reads.is_picking, terms))

    def known_apart(self, state: State) -> frozenset[int]:
        """List the pieces of which something is noted somewhere."""
        memory = state.answers[self.table]
        known: frozenset[int] | None = memory.get(())
        if known is None:
            known = memory[()] = frozenset(self.singled_out(state))
        return known

    def singled_out(self, state: State) -> Iterator[int]:
        """List every piece of which something is noted somewhere, and perhaps some more."""
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
    """Sorts the pieces of one position. Those that are named already are like no other."""

    __slots__ = ("alike", "apart", "named", "names", "state")

    def __init__(self, alike: SymmetryAnalysis, state: State, names: Mapping[str, Value]) -> None:
        """Nobody is looked at before a piece waits off the map: most choices are among pieces that do not."""
        self.alike = alike
        self.state = state
        self.names = tuple(names.values())
        self.apart: frozenset[int] | None = None
        self.named: frozenset[int] = frozenset()

    def similarity(self, piece: int) -> SymmetryClass | None:
        """Return what a piece is like; None if it is like no other."""
        state = self.state
        if state.hex[piece] != OFF:
            return None
        if self.apart is None:
            self.apart, self.named = self.alike.known_apart(state), frozenset(numbers_in(self.names))
        if piece in self.apart or piece in self.named:
            return None
        return state.sorts()[piece], state.place[piece]


def may_name(type_: graph.Type) -> bool:
    """Return whether values of a type may be pieces, or hold some."""
    match type_:
        case graph.Many(_, of):
            return may_name(of)
        case graph.Piece() | graph.RecordOf() | graph.Nothing():
            return True
        case _:
            return False


def numbers_in(values: Iterable[Value]) -> Iterator[int]:
    """List every number in values: all the pieces there are, and hexes and amounts that do no harm."""
    for value in values:
        if isinstance(value, Record):
            yield from numbers_in(value.fields.values())
        elif isinstance(value, tuple):
            yield from numbers_in(value)
        elif isinstance(value, int):
            yield value
