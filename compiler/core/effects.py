"""Lowering of steps that change the position: of what their primitive effects need, with range checks.

In: a step, and the lowering of its procedure. Out: instructions appended to it.
"""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from compiler.core import control, reads
from compiler.core.ir import Core
from compiler.core.representation import Piece, Record, Representation, member_representation
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import (
    AddMember,
    CreatePiece,
    PrimitiveEffect,
    RelatePieces,
    SetStatus,
    SetValue,
    WriteRecord,
    map_operands,
)
from runtime.graph.predeclared_types import CLOCK

if TYPE_CHECKING:
    from compiler.core.procedures import ProcedureLowering


def lower_change(to: "ProcedureLowering", step: graph.ChangingStep) -> None:
    """Lower a step; where it has several effects, all operands are read before the first acts."""
    effects = [map_operands(effect, to.value) for effect in effects_of(step)]
    if len(effects) > 1:
        effects = [map_operands(effect, partial(_bind_operand, to)) for effect in effects]
    for effect in effects:
        to.append(_instruction(to, effect))


def _bind_operand(to: "ProcedureLowering", operand: Core) -> Core:
    """Bind an operand to a local of its own."""
    local = to.hidden_local("operand", operand.representation)
    to.append(control.Bind(local, operand))
    return local


def _instruction(to: "ProcedureLowering", effect: PrimitiveEffect[Core]) -> control.Instruction:
    """Return the instruction of an effect."""
    match effect:
        case SetValue():
            return _assignment(to, effect)
        case AddMember():
            return _extension(to, effect)
        case SetStatus(owner, name, on, subject):
            return control.StoreBit(f"mark:{owner}.{name}", subject, on)
        case RelatePieces():
            return control.ApplyEffect(_with_payload(to, effect), None)
        case CreatePiece(name=name) if name:
            return control.ApplyEffect(effect, to.bind(name, Piece()))
        case WriteRecord(type_, name) if name:
            return control.ApplyEffect(effect, to.bind(name, Record(type_)))
        case _:
            return control.ApplyEffect(effect, None)


def _assignment(to: "ProcedureLowering", effect: SetValue[Core]) -> control.Instruction:
    """Return the instruction that sets a track or a field, with a range check."""
    if effect.in_record:
        record, place, representation, declared = _field_of(to, effect)
        fitted = to.lowering.coerce(effect.value, representation, f"{effect.owner}.{effect.name}")
        return control.StoreField(record, place, to.lowering.range_checked(declared, fitted))
    array, representation, type_ = _storage_of(to, effect)
    fitted = to.lowering.coerce(effect.value, representation, array)
    return control.Store(array, effect.base, to.lowering.range_checked(type_, fitted))


def _extension(to: "ProcedureLowering", effect: AddMember[Core]) -> control.Instruction:
    """Return the instruction that adds to a collection, with a range check."""
    if effect.in_record:
        record, place, representation, declared = _field_of(to, effect)
        member = _checked_member(to, effect.value, representation, f"{effect.owner}.{effect.name}", declared)
        return control.Extend("", None, member, representation, record, place)
    array, representation, type_ = _storage_of(to, effect)
    return control.Extend(
        array, effect.base, _checked_member(to, effect.value, representation, array, type_), representation
    )


def _checked_member(
    to: "ProcedureLowering", member: Core, representation: Representation, slot: str, declared: graph.Type | None
) -> Core:
    """Return a new member in the representation of a collection, with a range check."""
    fitted = to.lowering.coerce(member, member_representation(representation), slot)
    return to.lowering.range_checked(declared.of, fitted) if isinstance(declared, graph.Many) else fitted


def _field_of(
    to: "ProcedureLowering", effect: SetValue[Core] | AddMember[Core]
) -> tuple[Core, int, Representation, graph.Type]:
    """Return the record whose field is written, the index of the field, its representation and declared type."""
    assert effect.base is not None
    place, representation = reads.field_index(to.lowering, effect.base.representation, effect.name)
    return effect.base, place, representation, to.rules.vocabulary.records[effect.owner].fields[place].type


def _storage_of(
    to: "ProcedureLowering", effect: SetValue[Core] | AddMember[Core]
) -> tuple[str, Representation, graph.Type | None]:
    """Return the array of a track, its representation, and the declared type; None for the clock and card facts."""
    key = f"{effect.owner}.{effect.name}"
    declared = to.rules.vocabulary.tracks.get(key)
    array = f"fact:{key}" if effect.base is None else f"track:{key}"
    type_ = CLOCK[effect.name] if declared is None else declared.type
    return array, to.lowering.denominators.representation(type_, array), None if declared is None else type_


def _with_payload(to: "ProcedureLowering", effect: RelatePieces[Core]) -> RelatePieces[Core]:
    """Return the relating of two pieces with its payload as the relation stores it, with a range check."""
    declared = to.rules.vocabulary.relations[effect.relation].payload
    if effect.payload is None or declared is None:
        return replace(effect, payload=None)
    array = f"pairs:{effect.relation}"
    representation = to.lowering.denominators.representation(declared.type, array)
    fitted = to.lowering.coerce(effect.payload, representation, array)
    return replace(effect, payload=to.lowering.range_checked(declared.type, fitted))
