"""The primitive effects of steps: each changes one thing of a position.

They are generic over what an operand is: an expression in the graph, `PrimitiveEffect[graph.Expr]`, its core in a
module, its value where a game is played. The other fields are names from the vocabulary. What prevents an effect (a
piece that is gone, a counter without a back) belongs to the effect and is handled by the engines.
An effect `is_idempotent` if it changes nothing when it is applied once more to the same values.
"""

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar, get_args

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

V = TypeVar("V")
W = TypeVar("W")


@frozen_dataclass
class SetValue(Generic[V]):
    """Sets a track of `base`, without one of the game or scenario; with `in_record` a field of a record."""

    is_idempotent: ClassVar = True
    in_record: bool
    owner: str
    name: str
    value: V
    base: V | None


@frozen_dataclass
class AddMember(Generic[V]):
    """Adds `value` to a list or set that is a track or a field, named as in `SetValue`."""

    is_idempotent: ClassVar = False
    in_record: bool
    owner: str
    name: str
    value: V
    base: V | None


@frozen_dataclass
class SetStatus(Generic[V]):
    """Sets (`on`) or clears a status of a piece or hex."""

    is_idempotent: ClassVar = True
    owner: str
    name: str
    on: bool
    subject: V


@frozen_dataclass
class MovePiece(Generic[V]):
    """Moves a piece into a hex, open ("") or in a place. One that is gone is not moved, and play stops."""

    is_idempotent: ClassVar = True
    place: str
    piece: V
    to: V


@frozen_dataclass
class FlipPiece(Generic[V]):
    """Flips a piece to its other face; play stops where there is none. One that is gone stays as it is."""

    is_idempotent: ClassVar = False
    face: graph.Face
    piece: V


@frozen_dataclass
class RemovePiece(Generic[V]):
    """Removes a piece from the game (`for_good`) or, maybe `as_lost`, from the map, unless it is gone."""

    is_idempotent: ClassVar = True
    for_good: bool
    as_lost: bool
    piece: V


@frozen_dataclass
class CreatePiece(Generic[V]):
    """Creates a piece in a hex, called `name` from here on; the rest is as in `graph.Create`."""

    is_idempotent: ClassVar = False
    kind: str
    name: str
    counter: str
    at: V
    owner: V | None


@frozen_dataclass
class RelatePieces(Generic[V]):
    """Relates two pieces (`on`), or ends it. Where a relation admits one partner, an earlier one is left."""

    is_idempotent: ClassVar = True
    relation: str
    on: bool
    left: V
    right: V
    payload: V | None


@frozen_dataclass
class WriteRecord(Generic[V]):
    """Adds a record to those of its type, called `name` from here on."""

    is_idempotent: ClassVar = False
    type: str
    name: str
    record: V


@frozen_dataclass
class StrikeRecord(Generic[V]):
    """Removes a record from those of its type."""

    is_idempotent: ClassVar = True
    record: V


PrimitiveEffect = (
    SetValue[V] | AddMember[V] | SetStatus[V] | MovePiece[V] | FlipPiece[V] | RemovePiece[V] | CreatePiece[V]
    | RelatePieces[V] | WriteRecord[V] | StrikeRecord[V]
)  # fmt: skip


@cache
def _fields_of(effect_class: Any) -> tuple[tuple[str, bool], ...]:
    """Return the fields of a class, and whether each holds an operand."""
    return tuple((field.name, V in (field.type, *get_args(field.type))) for field in fields(effect_class))


def _parts(effect: PrimitiveEffect[Any]) -> list[tuple[str, Any, bool]]:
    """Return the fields of an effect with their values, and whether each is an operand that is there."""
    effect_class: Any = effect.__class__
    values = [(name, getattr(effect, name), is_operand) for name, is_operand in _fields_of(effect_class)]
    return [(name, value, is_operand and value is not None) for name, value, is_operand in values]


def map_operands(effect: PrimitiveEffect[V], change: Callable[[V], W]) -> PrimitiveEffect[W]:
    """Return an effect with its operands changed, in the order of the fields; absent ones stay absent."""
    values = [change(value) if is_operand else value for _, value, is_operand in _parts(effect)]
    effect_class: Any = effect.__class__
    return effect_class(*values)  # type: ignore[no-any-return]  # of the same class


def operands_of(effect: PrimitiveEffect[V]) -> tuple[V, ...]:
    """Return the operands of an effect, without absent ones."""
    return tuple(value for _, value, is_operand in _parts(effect) if is_operand)


def names_of(effect: PrimitiveEffect[Any]) -> dict[str, Any]:
    """Return what an effect names, by field: its fields that are no operands."""
    effect_class: Any = effect.__class__
    return {name: getattr(effect, name) for name, is_operand in _fields_of(effect_class) if not is_operand}


def stored_value(effect: PrimitiveEffect[V], vocabulary: graph.Vocabulary) -> tuple[str, graph.Type, V] | None:
    """Return the name of what stores a value, the declared type, and the value.

    None for other effects, and for the clock and the facts of a card, which have no declared type.
    """
    match effect:
        case SetValue(value=value):
            declared = _type_of_target(effect, vocabulary)
            return None if declared is None else (f"{effect.owner}.{effect.name}", declared, value)
        case AddMember(value=member):
            declared = _type_of_target(effect, vocabulary)
            return (effect.name, declared.of, member) if isinstance(declared, graph.Many) else None
        case RelatePieces(relation, payload=payload) if payload is not None:
            part = vocabulary.relations[relation].payload
            return None if part is None else (f"{relation}.{part.name}", part.type, payload)
        case _:
            return None


def _type_of_target(effect: SetValue[V] | AddMember[V], vocabulary: graph.Vocabulary) -> graph.Type | None:
    """Return the declared type of a field or track."""
    if effect.in_record:
        return next((part.type for part in vocabulary.records[effect.owner].fields if part.name == effect.name), None)
    track = vocabulary.tracks.get(f"{effect.owner}.{effect.name}")
    return track.type if track is not None else None


def created_by(effect: PrimitiveEffect[Any]) -> dict[str, graph.Type]:
    """Return the name that an effect gives to what it creates, with its type; nothing if it gives none."""
    match effect:
        case CreatePiece(kind, name) if name:
            return {name: graph.Piece((kind,))}
        case WriteRecord(type_, name) if name:
            return {name: graph.RecordOf(type_)}
        case _:
            return {}
