"""Lowering of the parts of a choice: its members, its representation, its bounds, its preference, its role in movement.

In: a `choose` step, and the lowering of its procedure. Out: the operands of a `control.AskChoice`.
"""

from typing import TYPE_CHECKING

from compiler.core import control, ir, reads
from compiler.core.construct import to_ratio
from compiler.core.ir import Core, Local
from compiler.core.representation import BOOL, INT, List, Piece, Representation, Set, member_representation
from runtime.graph import nodes as graph

if TYPE_CHECKING:
    from compiler.core.procedures import ProcedureLowering

OWNER = "by"  # The field with the side that a secret record is visible to.


def visible_members(lowering: "ProcedureLowering", source: Core, decider: Core) -> Core:
    """Return the source of a choice without records that are secret to the deciding side."""
    if not lowering.is_secret(source.representation):
        return source
    record = Local(lowering.lowering.fresh_name("secret"), member_representation(source.representation))
    place, representation = reads.field_index(lowering.lowering, record.representation, OWNER)
    ownership_test = ir.Apply(ir.Primitive.EQUAL, (ir.Field(record, place, representation), decider), BOOL)
    return ir.Fold(ir.FoldKind.GATHER, record.name, source, ownership_test, record, None, Set(record.representation))


def chosen_representation(step: graph.Choose, source: Representation) -> Representation:
    """Return the representation of a choice."""
    member = member_representation(source)
    return member if not step.how else List(member) if step.how == "order" else Set(member)


def size_bounds(lowering: "ProcedureLowering", step: graph.Choose) -> tuple[Core | None, Core | None]:
    """Lower the bounds of a choice of several; both or none."""
    if step.least is None or step.most is None:
        return None, None
    return tuple(lowering.lowering.coerce(lowering.value(each), INT, "") for each in (step.least, step.most))  # type: ignore[return-value]


def lower_preference(lowering: "ProcedureLowering", step: graph.Choose) -> Core | None:
    """Lower the preference of a choice, as a ratio, as preferences of several actions are compared."""
    return None if step.preferring is None else to_ratio(lowering.value(step.preferring))


def movement_role(
    lowering: "ProcedureLowering", step: graph.Choose, representation: Representation
) -> control.Movement | None:
    """Return the role of a choice in movement; None if it has none."""
    if step.how:
        return None
    moves = lowering.moves
    piece = lowering.names.get(moves.mover.get(step.name, ""))
    if isinstance(piece, Local):
        return control.Movement(piece, "")
    if not isinstance(representation, Piece):
        return None
    at_once = moves.at_once.get(step.name)
    return control.Movement(None, "" if at_once is None else "at_once" if at_once else "later")
