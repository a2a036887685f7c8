"""What a node reads of a position, and what a step writes: the one table of reads and writes.

In: a node, without those in it. Out: `PositionSlot`s. Immutable data are none: the map, the side and kind of a piece,
and its printed values where no piece can be flipped. read_sets.py has what an answer depends on, through all questions.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import (
    AddMember,
    CreatePiece,
    FlipPiece,
    MovePiece,
    PrimitiveEffect,
    RelatePieces,
    RemovePiece,
    SetStatus,
    SetValue,
    StrikeRecord,
    WriteRecord,
    operands_of,
)
from runtime.graph.expressions import Symbol, symbols_of
from runtime.graph.step_symbols import symbols_of_effect
from runtime.graph.walk import inner_expressions, walk

SlotKind = Literal[
    "status", "track", "pairs", "records", "field", "hex", "occupants", "place", "presence", "printed", "dice", "all"
]  # fmt: skip
# Where pieces are: in which hex, who is in a hex, in which place of it, and whether on the map at all.
WHEREABOUTS: tuple[SlotKind, ...] = ("hex", "occupants", "place", "presence")


class PositionSlot(NamedTuple):
    """A part of a position.

    `name` is that of a status, a track or a field of records (`owner.name`), of a relation, or of a type of records; of
    other sorts it is the kind of the pieces. Of "dice" and "all" it is "".
    """

    sort: SlotKind
    name: str = ""


EVERYTHING = PositionSlot("all")
# Steps that take the next die, and those after which a side may do anything.
UNBOUNDED = {
    graph.Roll: PositionSlot("dice"), graph.Draw: PositionSlot("dice"), graph.Offer: EVERYTHING, graph.Each: EVERYTHING,
    graph.Phase: EVERYTHING, graph.End: EVERYTHING,
}  # fmt: skip

# Namespaces of symbols that read nothing of a position: most symbols of a stack.
CONSTANT = frozenset({"local", "member", "place of scale", "term", "chart", "function"})


class SlotTable:
    """The reads and writes of nodes, for pieces of these kinds; those of `flipping_kinds` may be flipped."""

    def __init__(self, vocabulary: graph.Vocabulary, flipping_kinds: tuple[str, ...]) -> None:
        """Store the kinds, relations and types of records."""
        self.kinds, self.flipping_kinds = tuple(vocabulary.kinds), flipping_kinds
        self.vocabulary = vocabulary

    def reads(self, node: object) -> Iterator[PositionSlot]:
        """Yield what a node reads directly; of a step, also what its effects read that is not written in it."""
        for symbol in symbols_of(node):
            if symbol[0] not in CONSTANT:
                yield from self._slots_of(symbol)
        if effects := effects_of(node):
            written = tuple(inner_expressions(node))
            for operand in (each for effect in effects for each in operands_of(effect)):
                if operand not in written:
                    yield from (slot for part in walk(operand) for slot in self.reads(part))

    def _slots_of(self, symbol: Symbol) -> Iterator[PositionSlot]:
        """Yield what a name stands for in a position; a test of a flag with rules is a question besides."""
        match symbol:
            case ("status" | "track" as sort, owner, name):
                yield PositionSlot(sort, f"{owner}.{name}")
            case ("end", relation, _) | ("relation", _, relation):
                yield PositionSlot("pairs", relation)
            case ("record", owner, name) if owner:
                yield PositionSlot("field", f"{owner}.{name}")
            case ("records", _, type_):
                yield PositionSlot("records", type_)
            case ("given", _, "hex" | "place" as sort) | ("place" as sort, _, _):
                yield from self._of_kinds(sort)
            case ("printed", _, _) | ("given", _, "counter"):
                yield from (PositionSlot("printed", kind) for kind in self.flipping_kinds)
            case ("trait", owner, _) if owner in self.flipping_kinds:
                yield PositionSlot("printed", owner)
            case ("gone" | "off", _, _):
                yield from self._of_kinds("presence")
            case ("pieces" | "reserve", _, kind):
                yield from self._of_kinds("presence", (kind,) if kind else ())
            case ("occupants", _, kind):
                yield from self._of_kinds("occupants", (kind,) if kind else ())
            case _:
                return

    def writes(self, node: object) -> Iterator[PositionSlot]:
        """Yield what a step writes, without the steps in it and what it starts."""
        for effect in effects_of(node):
            yield from self.written_by(effect)
        match node:
            case graph.Tell():  # Then pairs end of which the end condition holds.
                relations = self.vocabulary.relations.values()
                yield from (PositionSlot("pairs", relation.name) for relation in relations if relation.ends is not None)
            case _ if slot := UNBOUNDED.get(type(node)):
                yield slot
            case _:
                return

    def written_by(self, effect: PrimitiveEffect[graph.Expr]) -> Iterator[PositionSlot]:
        """Yield what an effect writes."""
        match effect:
            case SetValue() | AddMember() | SetStatus() | RelatePieces():
                for symbol in symbols_of_effect(effect):
                    yield from self._slots_of(symbol)
            case WriteRecord(type_):
                yield PositionSlot("records", type_)
            case StrikeRecord():
                yield from (PositionSlot("records", type_) for type_ in self.vocabulary.records)
            case FlipPiece():
                yield from (PositionSlot("printed", kind) for kind in self.flipping_kinds)
            case MovePiece() | RemovePiece() | CreatePiece():
                for sort in WHEREABOUTS:
                    yield from self._of_kinds(sort)

    def _of_kinds(self, sort: SlotKind, kinds: tuple[str, ...] = ()) -> Iterator[PositionSlot]:
        return (PositionSlot(sort, kind) for kind in kinds or self.kinds)
