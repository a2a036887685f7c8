"""Lowering of effects: tracks, fields, pairs, records, with range checks.

In: a step, and the lowering of its procedure. Out: an instruction appended to it.
"""

from typing import TYPE_CHECKING

from compiler.core import control, reads
from compiler.core.ir import Core
from compiler.core.representation import Record, Representation, member_representation
from runtime.graph import nodes as graph
from runtime.graph.predeclared_types import CLOCK

if TYPE_CHECKING:
    from compiler.core.procedures import ProcedureLowering


def lower_assign(to: "ProcedureLowering", target: graph.Get | graph.GameTrack, value: graph.Expr) -> None:
    """Lower an assignment, with a range check."""
    if isinstance(target, graph.Get) and target.what == "record":
        record = to.value(target.base)
        place, representation = reads.field_index(to.lowering, record.representation, target.name)
        assert isinstance(record.representation, Record)
        declared = to.rules.vocabulary.records[record.representation.type].fields[place]
        slot = f"{record.representation.type}.{declared.name}"
        fitted = to.lowering.coerce(to.value(value), representation, slot)
        to.append(control.StoreField(record, place, to.lowering.range_checked(declared.type, fitted)))
        return
    array, index, representation, type_ = storage_of(to, target)
    fitted = to.lowering.coerce(to.value(value), representation, array)
    to.append(control.Store(array, index, to.lowering.range_checked(type_, fitted)))


def storage_of(
    to: "ProcedureLowering", target: graph.Get | graph.GameTrack
) -> tuple[str, Core | None, Representation, graph.Type | None]:
    """Return the array of a track, the index, the representation, and the declared type."""
    key = f"{target.owner}.{target.name}"
    declared = to.rules.vocabulary.tracks.get(key)
    if isinstance(target, graph.GameTrack):
        type_ = CLOCK[target.name] if declared is None else declared.type
        representation = to.lowering.denominators.representation(type_, f"fact:{key}")
        return f"fact:{key}", None, representation, None if declared is None else declared.type
    assert declared is not None
    representation = to.lowering.denominators.representation(declared.type, f"track:{key}")
    return f"track:{key}", to.value(target.base), representation, declared.type


def lower_add(to: "ProcedureLowering", element: graph.Expr, target: graph.Get | graph.GameTrack) -> None:
    """Lower adding to a collection."""
    value = to.value(element)
    if isinstance(target, graph.Get) and target.what == "record":
        record = to.value(target.base)
        place, representation = reads.field_index(to.lowering, record.representation, target.name)
        assert isinstance(record.representation, Record)
        slot = f"{record.representation.type}.{target.name}"
        declared = to.rules.vocabulary.records[record.representation.type].fields[place].type
        checked_value = checked_element(
            to, declared, to.lowering.coerce(value, member_representation(representation), slot)
        )
        to.append(control.Extend("", None, checked_value, representation, record, place))
        return
    array, index, representation, type_ = storage_of(to, target)
    fitted = to.lowering.coerce(value, member_representation(representation), array)
    to.append(control.Extend(array, index, checked_element(to, type_, fitted), representation))


def checked_element(to: "ProcedureLowering", declared: graph.Type | None, element: Core) -> Core:
    """Return an element with a range check."""
    return to.lowering.range_checked(declared.of, element) if isinstance(declared, graph.Many) else element


def lower_pair(to: "ProcedureLowering", step: graph.Pair) -> None:
    """Lower relating two pieces."""
    relation = to.rules.vocabulary.relations[step.relation]
    payload = None
    if step.payload is not None and relation.payload is not None:
        representation = to.lowering.denominators.representation(relation.payload.type, f"pairs:{step.relation}")
        fitted = to.lowering.coerce(to.value(step.payload), representation, f"pairs:{step.relation}")
        payload = to.lowering.range_checked(relation.payload.type, fitted)
    left, right = to.value(step.left), to.value(step.right)
    to.append(control.RelatePieces(step.relation, left, right, payload, step.on, relation.one))
