"""Lowering of choices, and of the head of an action, the steps before its first effect, to completion conditions.

In: a `choose` step, or the steps of a head, and the lowering of their procedure. Out: the operands of a
`control.AskChoice`; a `control.Head`. Conditions are evaluated in written order (docs/language.md, 10).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compiler.core import control, ir, reads
from compiler.core.construct import NO, YES, to_ratio
from compiler.core.ir import Apply, Core, FoldKind, If, Local, Primitive
from compiler.core.passes.rewriting import substitute
from compiler.core.representation import BOOL, INT, List, Piece, Representation, Set, member_representation
from runtime.graph import nodes as graph
from runtime.graph.set_choices import restricted_choices
from runtime.graph.steps import HEAD_STEPS

if TYPE_CHECKING:
    from compiler.core.procedures import ProcedureLowering

SECRET_SIDE_FIELD = "by"  # The field with the side that a secret record is visible to.


def visible_members(lowering: "ProcedureLowering", source: Core, decider: Core) -> Core:
    """Return the source of a choice without records that are secret to the deciding side."""
    if not lowering.is_secret(source.representation):
        return source
    record = Local(lowering.lowering.fresh_name("secret"), member_representation(source.representation))
    place, representation = reads.field_index(lowering.lowering, record.representation, SECRET_SIDE_FIELD)
    ownership_test = Apply(Primitive.EQUAL, (ir.Field(record, place, representation), decider), BOOL)
    return ir.Fold(FoldKind.GATHER, record.name, source, ownership_test, record, None, Set(record.representation))


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


def lower_head(lowering: "ProcedureLowering", steps: Sequence[graph.Step]) -> control.Head:
    """Lower a head; the scope is restored afterwards."""
    before = dict(lowering.names)
    rows: list[list[control.Stage]] = [[]]
    choices: list[control.HeadChoice] = []
    for step in restricted_choices([step for step in steps if isinstance(step, HEAD_STEPS)], lowering.rules):
        match step:
            case graph.Legal(condition):
                rows[-1].append(lowering.value(condition))
            case graph.Let(name, value):
                lowered = lowering.value(value)
                rows[-1].append((lowering.bind(name, lowered.representation), lowered))
            case graph.Choose():
                decider = lowering.names["player"] if step.by is None else lowering.value(step.by)
                source = visible_members(lowering, lowering.value(step.source), decider)
                least, most = size_bounds(lowering, step)
                bound = lowering.bind(step.name, chosen_representation(step, source.representation))
                member = Local(lowering.lowering.fresh_name(step.name), member_representation(source.representation))
                preferred_value = lower_preference(lowering, step)
                moves = movement_role(lowering, step, bound.representation)
                choices.append(control.HeadChoice(bound, step.how, source, member, least, most, preferred_value, moves))
                rows.append([])
    lowering.names = before
    action = lowering.procedure.name
    choice_tests = [_choice(action, number, choice) for number, choice in enumerate(choices)]
    finish = tuple(_finish([*row, *choice_tests[number : number + 1]]) for number, row in enumerate(rows))
    return control.Head(tuple(map(tuple, rows)), tuple(choices), finish)


def _choice(action: str, number: int, choice: control.HeadChoice) -> Core:
    """Return the test whether some candidate of a choice completes the head."""
    if choice.mode:
        sizes = tuple(each for each in (choice.least, choice.most) if each is not None)
        return Apply(Primitive.COMPLETES, (choice.source, *sizes), BOOL, f"{action}:{number}")
    rest = ir.Call(f"finish:{action}:{number + 1}", (), BOOL)
    return _some_member(choice.source, choice.member, ir.Let(choice.name.name, choice.member, rest, BOOL))


def _some_member(source: Core, member: Local, test: Core) -> Core:
    """Return whether some member passes a test; a filter is evaluated for members that are tried, as in the machine."""
    while isinstance(source, ir.Fold) and is_filter(source):
        if source.condition is not None:
            test = If(substitute(source.condition, {source.name: member}), test, NO, BOOL)
        source = source.source
    return ir.Fold(FoldKind.SOME, member.name, source, test, member, None, BOOL)


def is_filter(fold: ir.Fold) -> bool:
    """Return whether a fold is those members of its source that pass its condition."""
    is_set = fold.kind is FoldKind.GATHER and fold.source.representation == fold.representation
    return is_set and isinstance(fold.body, Local) and fold.body.name == fold.name


def _finish(row: Sequence[control.Stage]) -> Core:
    """Combine conditions and bindings, ending with the test of the next choice."""
    test: Core = YES
    for stage in reversed(row):
        if isinstance(stage, tuple):
            test = ir.Let(stage[0].name, stage[1], test, BOOL)
        else:
            test = stage if test == YES else If(stage, test, NO, BOOL)
    return test
