"""Lower the head of an action, all before its first effect: conditions that say whether it can be finished legally.

In: the steps of a head. Out: a `control.Head`. What is asked is asked in the order of writing (docs/language.md 3.23).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compiler.core import control, ir
from compiler.core.construct import NO, YES
from compiler.core.ir import Apply, Core, FoldKind, If, Local, Primitive
from compiler.core.representation import BOOL, member_of
from runtime.graph import nodes as graph

if TYPE_CHECKING:
    from compiler.core.procedures import ProcedureLowering


def finish_of(action: str, number: int) -> str:
    """Name the function that says whether an action can be finished after so many choices."""
    return f"finish:{action}:{number}"


def lower_head(lowering: "ProcedureLowering", steps: Sequence[graph.Step]) -> control.Head:
    """Lower a head; names stay as they are in front of it."""
    from compiler.core.procedures import bounds, chosen_of, shown  # noqa: PLC0415 -- heads are lowered by and for procedures

    before = dict(lowering.names)
    rows: list[list[Stage]] = [[]]
    choices: list[control.Several | None] = []
    for step in steps:
        match step:
            case graph.Legal(condition):
                rows[-1].append(lowering.value(condition))
            case graph.Let(name, value):
                lowered = lowering.value(value)
                rows[-1].append((lowering.bind(name, lowered.of), lowered))
            case graph.Choose():
                by = lowering.names["player"] if step.by is None else lowering.value(step.by)
                source = shown(lowering, lowering.value(step.source), by)
                least, most = bounds(lowering, step)
                bound = lowering.bind(step.name, chosen_of(step, source.of))
                several = control.Several(bound, step.how, source, least, most) if step.how else None
                member = Local(lowering.lowering.fresh(step.name), member_of(source.of))
                rows[-1].append(_choice(lowering, len(choices), source, bound, member, several))
                choices.append(several)
                rows.append([])
            case _:
                raise AssertionError(step)
    lowering.names = before
    return control.Head(tuple(map(_finish, rows)), tuple(choices))


Stage = Core | tuple[Local, Core]  # A condition, or a name with its value.


def _choice(
    lowering: "ProcedureLowering",
    number: int,
    source: Core,
    name: Local,
    member: Local,
    several: control.Several | None,
) -> Core:
    """Say whether a choice can be made so that the rest of the head can be finished."""
    rest = ir.Call(finish_of(lowering.procedure.name, number + 1), (), BOOL)
    if several is None:
        return ir.Fold(FoldKind.SOME, member.name, source, ir.Let(name.name, member, rest, BOOL), member, None, BOOL)
    sizes = tuple(each for each in (several.least, several.most) if each is not None)
    return Apply(Primitive.COMPLETES, (source, *sizes), BOOL, f"{lowering.procedure.name}:{number}")


def _finish(row: Sequence[Stage]) -> Core:
    """Join conditions and names; the last of a row that ends with a choice says whether that can be made."""
    made: Core = YES
    for stage in reversed(row):
        if isinstance(stage, tuple):
            made = ir.Let(stage[0].name, stage[1], made, BOOL)
        else:
            made = stage if made == YES else If(stage, made, NO, BOOL)
    return made
