"""What steps that change the position name themselves, as expressions do: statuses, relations, kinds, places.

It follows from their effects. In: a node. Out: its symbols, without those of its expressions.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import (
    AddMember,
    CreatePiece,
    MovePiece,
    PrimitiveEffect,
    RelatePieces,
    SetStatus,
    SetValue,
    WriteRecord,
)
from runtime.graph.expressions import Symbol, symbols_of


def symbols_of_node(node: object) -> Iterator[Symbol]:
    """Yield what an expression, a test or a step names itself."""
    yield from symbols_of(node)
    for effect in effects_of(node):
        yield from symbols_of_effect(effect)


def symbols_of_effect(effect: PrimitiveEffect[Any]) -> Iterable[Symbol]:
    """Return what an effect names, without its operands."""
    match effect:
        case SetValue(in_record, owner, name) | AddMember(in_record, owner, name):
            return (Symbol("record" if in_record else "track", owner, name),)
        case SetStatus(owner, name):
            return (Symbol("status", owner, name),)
        case MovePiece(place):
            return (Symbol("place", "", place),) if place else ()  # of a piece of any kind
        case CreatePiece(kind, _, counter):
            return (Symbol("kind", "", kind), *([Symbol("member", "counter", counter)] if counter else ()))
        case RelatePieces(relation):
            return (Symbol("relation", "", relation),)
        case WriteRecord(type_):
            return (Symbol("record", "", type_),)
        case _:
            return ()
