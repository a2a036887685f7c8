"""Lower what steps do to a position: tracks, fields, pairs, records, each number held to its declared domain.

In: a step, and the procedure it stands in. Out: an instruction there.
"""

from typing import TYPE_CHECKING

from compiler.core import control, ir, reads
from compiler.core.ir import Core
from compiler.core.representation import Record, Representation, member_of
from runtime.graph import nodes as graph
from runtime.graph.type_of import CLOCK

if TYPE_CHECKING:
    from compiler.core.procedures import ProcedureLowering


def lower_assign(to: "ProcedureLowering", target: graph.Get | graph.GameTrack, value: graph.Expr) -> None:
    """Lower an assignment; a number has to lie in the domain that is declared for it."""
    if isinstance(target, graph.Get) and target.what == "record":
        record = to.value(target.base)
        place, of = reads.place_of(to.lowering, record.of, target.name)
        assert isinstance(record.of, Record)
        declared = to.rules.vocabulary.records[record.of.type].fields[place]
        slot = f"{record.of.type}.{declared.name}"
        fitted = to.lowering.fit(to.value(value), of, slot)
        to.put(control.StoreField(record, place, held(to, fitted, declared.type)))
        return
    array, index, of, type_ = storage_of(to, target)
    fitted = to.lowering.fit(to.value(value), of, array)
    to.put(control.Store(array, index, held(to, fitted, type_)))


def storage_of(
    to: "ProcedureLowering", target: graph.Get | graph.GameTrack
) -> tuple[str, Core | None, Representation, graph.Type | None]:
    """Say in which array a track lies, at what index, in what representation, and what it is declared to hold."""
    key = f"{target.owner}.{target.name}"
    declared = to.rules.vocabulary.tracks.get(key)
    if isinstance(target, graph.GameTrack):
        type_ = CLOCK[target.name] if declared is None else declared.type
        of = to.lowering.denominators.representation(type_, f"fact:{key}")
        return f"fact:{key}", None, of, None if declared is None else declared.type
    assert declared is not None
    of = to.lowering.denominators.representation(declared.type, f"track:{key}")
    return f"track:{key}", to.value(target.base), of, declared.type


def lower_add(to: "ProcedureLowering", element: graph.Expr, target: graph.Get | graph.GameTrack) -> None:
    """Lower adding to a collection."""
    value = to.value(element)
    if isinstance(target, graph.Get) and target.what == "record":
        record = to.value(target.base)
        place, of = reads.place_of(to.lowering, record.of, target.name)
        assert isinstance(record.of, Record)
        slot = f"{record.of.type}.{target.name}"
        to.put(control.Extend("", None, to.lowering.fit(value, member_of(of), slot), of, record, place))
        return
    array, index, of, type_ = storage_of(to, target)
    fitted = to.lowering.fit(value, member_of(of), array)
    element_held = held(to, fitted, type_.of if isinstance(type_, graph.Many) else None)
    to.put(control.Extend(array, index, element_held, of))


def lower_pair(to: "ProcedureLowering", step: graph.Pair) -> None:
    """Lower relating two pieces."""
    relation = to.rules.vocabulary.relations[step.relation]
    payload = None
    if step.payload is not None and relation.payload is not None:
        of = to.lowering.denominators.representation(relation.payload.type, f"pairs:{step.relation}")
        payload = held(to, to.lowering.fit(to.value(step.payload), of, f"pairs:{step.relation}"), relation.payload.type)
    left, right = to.value(step.left), to.value(step.right)
    to.put(control.RelatePieces(step.relation, left, right, payload, step.on, relation.one))


def held(to: "ProcedureLowering", value: Core, declared: graph.Type | None) -> Core:
    """Hold a value to its declared domain."""
    match declared:
        case graph.Number(low, high) if (low, high) != (None, None):
            return ir.BoundsCheck(value, low, high, False, value.of)  # noqa: FBT003 -- the field is named in its class
        case graph.RecordOf(record):
            return held_record(to, value, record)
        case _:
            return value


def held_record(to: "ProcedureLowering", value: Core, record: str) -> Core:
    """Hold the numbers of a new record to their domains; another one was held when it was made."""
    if not isinstance(value, ir.NewRecord):
        return value
    declared = to.rules.vocabulary.records[record].fields
    fields = (
        None if field is None else held(to, field, part.type)
        for field, part in zip(value.fields, declared, strict=True)
    )
    return ir.NewRecord(tuple(fields), value.of)
