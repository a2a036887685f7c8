"""Execution of an action's head with the choices that an example states.

In: an action's call, and values by the name of their choice. Out: the bindings of the head, or the reason of a refusal.
A choice that the example leaves open takes the only candidate with which the head can be completed.
"""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from runtime.answer.failing_parts import first_failing
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.answer_errors import Unanswered
from runtime.play.choice_mismatch import explain_mismatch
from runtime.play.machine import Machine
from runtime.play.playthrough import Names, Playthrough, ProcedureFrame
from runtime.play.refusal_parts import RefusalReason
from runtime.play.scripted_choices import ChosenValues, choices_of_procedure
from runtime.state.record import Value


def selection_mismatch_text(
    machine: Machine, playthrough: Playthrough, call: ProcedureFrame, step: graph.Choose, named: tuple[Value, ...]
) -> str:
    """Return why members that are open one by one are no legal choice of several; "" if they are."""
    found = machine.choices.visible_members(playthrough, call, machine.value(playthrough, call, step.source))
    allowed = machine.choices.allowed_sizes(playthrough, call)
    return explain_mismatch(
        step, len(found), named, allowed, lambda member: candidates_text(machine, playthrough, call, (member,))
    )


def candidates_text(machine: Machine, playthrough: Playthrough, call: ProcedureFrame, values: Iterable[Value]) -> str:
    """Format candidates of the choice at a call."""
    type_ = machine.program_of(call).members[call.offset]
    return words.list_text([value_text(playthrough.state, value, type_) if type_ else str(value) for value in values])


def begin_action(
    machine: Machine, playthrough: Playthrough, action: str, chosen: ChosenValues
) -> tuple[ProcedureFrame, RefusalReason | None]:
    """Start an action with the choices at its head."""
    program = machine.programs.entries[f"action:{action}"]
    chosen = choices_of_procedure(chosen, f"action:{action}")
    names: Names = {"player": chosen.get("player", playthrough.state.player)}
    names |= {p.name: chosen[p.name] for p in program.procedure.parameters if p.name in chosen}
    missing = [p.name for p in program.procedure.parameters if p.name not in names]
    call = machine.frame(f"action:{action}", names)
    return call, RefusalReason(None, missing[0], names, unspecified=True) if missing else choose_head(
        machine, playthrough, call, chosen
    )


def choose_head(
    machine: Machine, playthrough: Playthrough, call: ProcedureFrame, chosen: ChosenValues
) -> RefusalReason | None:
    """Apply the choices of an action's head and check its conditions; return the reason of a refusal."""
    chosen = choices_of_procedure(chosen, call.key)
    while (stop := to_choice(machine, playthrough, call)) is not None:
        if isinstance(stop, RefusalReason):
            return stop
        refused = _choose(machine, playthrough, call, stop, chosen)
        if refused is not None:
            return refused
        call.advance()
    return None


def to_choice(machine: Machine, playthrough: Playthrough, call: ProcedureFrame) -> graph.Choose | RefusalReason | None:
    """Execute an action's head up to the next choice, a failing condition, or (None) its end."""
    program = machine.program_of(call)
    while call.offset < program.head_length:
        match program.steps[call.offset]:
            case graph.Let(name, value):
                call.names[name] = machine.value(playthrough, call, value)
            case graph.Legal(condition):
                if failing := first_failing(condition, partial(machine.value, playthrough, call)):
                    return RefusalReason(failing, "", dict(call.names))
            case graph.Choose() as step:
                return step
            case _:
                pass
        call.advance()
    return None


def closed_choice_reason(
    machine: Machine, playthrough: Playthrough, call: ProcedureFrame, step: graph.Choose, chosen: ChosenValues
) -> RefusalReason:
    """Return the reason that a choice is not open: the condition on its members that a wanted one violates."""
    match step.source:
        case graph.Fold("gather", var, source, condition, None) if condition is not None and step.name in chosen:
            chosen_members = chosen[step.name]
            for member in chosen_members if step.how else (chosen_members,):
                inner_call = ProcedureFrame(call.key, call.pending, {**call.names, var: member})
                with suppress(Unanswered):  # What is lost has no hex to be asked about; that it is gone is why.
                    among = not step.how or member in machine.value(playthrough, call, source)
                    if among and (failing := first_failing(condition, partial(machine.value, playthrough, inner_call))):
                        return RefusalReason(failing, step.name, inner_call.names)
    return RefusalReason(None, step.name, dict(call.names))


def _choose(
    machine: Machine, playthrough: Playthrough, call: ProcedureFrame, step: graph.Choose, chosen: ChosenValues
) -> RefusalReason | None:
    """Bind a choice to the given value, or to its only candidate; return the reason if that is not possible."""
    if step.name in chosen:
        call.names[step.name] = chosen[step.name]
        if _may_choose(machine, playthrough, call, step):
            return None
        return closed_choice_reason(machine, playthrough, call, step, chosen)
    found = machine.choices.visible_members(playthrough, call, machine.value(playthrough, call, step.source))
    if step.how:
        call.names[step.name] = found if step.how == "order" else ()
        return None
    search = machine.choices.searches[call.key]
    choice_count = search.head.written.starts.index(call.offset + 1)
    legal = [
        member
        for member in found
        if search.can_complete(playthrough.state, choice_count, {**call.names, step.name: member})
    ]
    if len(legal) > 1:
        return RefusalReason(None, step.name, dict(call.names), unspecified=True, open_values=tuple(legal))
    if not legal:
        return closed_choice_reason(machine, playthrough, call, step, chosen)
    call.names[step.name] = legal[0]
    return None


def _may_choose(machine: Machine, playthrough: Playthrough, call: ProcedureFrame, step: graph.Choose) -> bool:
    """Return whether what an example has chosen may be chosen."""
    value = call.names[step.name]
    if not step.how:
        return value in machine.choices.visible_members(playthrough, call, (value,)) and _among(
            machine, playthrough, call, step
        )
    found = machine.choices.visible_members(playthrough, call, machine.value(playthrough, call, step.source))
    return all(member in found for member in value) and not selection_mismatch_text(
        machine, playthrough, call, step, value
    )


def _among(machine: Machine, playthrough: Playthrough, call: ProcedureFrame, step: graph.Choose) -> bool:
    """Return whether the chosen value is a member of the source, evaluating the filter for it alone."""
    value = call.names[step.name]
    match step.source:
        case graph.Fold("gather", var, source, condition, None):
            inner_call = ProcedureFrame(call.key, call.pending, {**call.names, var: value})
            return value in machine.value(playthrough, call, source) and (
                condition is None or bool(machine.value(playthrough, inner_call, condition))
            )
        case _:
            return value in machine.value(playthrough, call, step.source)


def is_left_open(refused: RefusalReason | None, chosen: ChosenValues) -> bool:
    """Return whether an action is open, or lacks only choices that are asked for later."""
    return refused is None or (refused.condition is None and refused.choice not in chosen)


def head_refusal(
    machine: Machine, playthrough: Playthrough, call: ProcedureFrame, chosen: ChosenValues
) -> RefusalReason | None:
    """Return why an action is refused with these choices; choices left open are asked for later."""
    refused = choose_head(machine, playthrough, call, chosen)
    return None if is_left_open(refused, choices_of_procedure(chosen, call.key)) else refused
