"""Do what an example says: take an action with given choices, or carry out single steps.

In: a machine, a course with nothing running, and values by the name of their choice. Out: what
stood in the way, or the position changed. A refused action changes nothing.

Choices that the example leaves open are settled by themselves where only one candidate is left;
an offer on the way (another side's reaction, say) is passed if it may end.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from runtime.answer.answer import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.type_of import SIDE
from runtime.play.choices import END, STOP, Decision
from runtime.play.course import Call, Course, Names
from runtime.play.flatten import flatten
from runtime.play.machine import Machine
from runtime.state.record import Value

Chosen = Mapping[str, Value]

EXAMPLE = "example"
SILENT = graph.Origin("", "", 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Refused:
    """Why an action may not be taken so: a condition that fails, or a choice (by name) that is not open, and why not.

    `names` are those bound when it was asked, so that the condition can be explained. `opener` is the action that would
    have to begin first, "" for the action itself.
    """

    condition: graph.Expr | None
    choice: str
    names: Names
    opener: str = ""


def perform(
    machine: Machine, course: Course, action: str, chosen: Chosen, besides: Callable[[], Refused | None] = lambda: None
) -> Refused | None:
    """Take an action with these choices, or say what forbids it: its own conditions, or else something `besides`."""
    call, refused = _begun(machine, course, action, chosen)
    refused = refused or besides()
    if refused is None:
        course.calls.append(call)
        settle(machine, course, chosen)
    return refused


def _begun(machine: Machine, course: Course, action: str, chosen: Chosen) -> tuple[Call, Refused | None]:
    """Begin an action: make the choices at its head."""
    program = machine.programs.of[f"action:{action}"]
    names: Names = {"player": chosen.get("player", course.state.player)}
    names |= {p.name: chosen[p.name] for p in program.procedure.parameters if p.name in chosen}
    missing = [p.name for p in program.procedure.parameters if p.name not in names]
    call = Call(f"action:{action}", 0, names)
    return call, Refused(None, missing[0], names) if missing else _head(machine, course, call, chosen)


def _head(machine: Machine, course: Course, call: Call, chosen: Chosen) -> Refused | None:
    """Make the choices of an action's prefix and hold them against its conditions."""
    while (stop := to_choice(machine, course, call)) is not None:
        if isinstance(stop, Refused):
            return stop
        if not _choose(machine, course, call, stop, chosen):
            return not_open(machine, course, call, stop, chosen)
        call.at += 1
    return None


def to_choice(machine: Machine, course: Course, call: Call) -> graph.Choose | Refused | None:
    """Walk on in an action's prefix: to the next choice, to a condition that does not hold, or (None) to its end."""
    program = machine.programs.of[call.key]
    while call.at < program.prefix:
        match program.code[call.at]:
            case graph.Let(name, value):
                call.names[name] = machine.value(course, call, value)
            case graph.Legal(condition):
                if not machine.value(course, call, condition):
                    return Refused(first_false(machine, course, call, condition), "", dict(call.names))
            case graph.Choose() as step:
                return step
            case _:
                pass
        call.at += 1
    return None


def first_false(machine: Machine, course: Course, call: Call, condition: graph.Expr) -> graph.Expr:
    """Find the first part of a conjunction that fails."""
    if isinstance(condition, graph.Op) and condition.op == "and":
        for part in condition.arguments:
            if not machine.value(course, call, part):
                return first_false(machine, course, call, part)
    return condition


def not_open(machine: Machine, course: Course, call: Call, step: graph.Choose, chosen: Chosen) -> Refused:
    """Say which choice is not open, and what is asked of its members that the one wanted does not fulfill."""
    match step.source:
        case graph.Fold("gather", var, _, where, None) if where is not None and not step.how and step.name in chosen:
            inside = Call(call.key, call.at, {**call.names, var: chosen[step.name]})
            try:
                if not machine.value(course, inside, where):
                    return Refused(first_false(machine, course, inside, where), step.name, inside.names)
            except Unanswered:
                pass  # What is lost has no hex to be asked about; that it is not there is why it is not open.
        case _:
            pass
    return Refused(None, step.name, dict(call.names))


def _choose(machine: Machine, course: Course, call: Call, step: graph.Choose, chosen: Chosen) -> bool:
    """Bind a choice as the example says, or to the only candidate left."""
    if step.name in chosen and not step.how:
        value = call.names[step.name] = chosen[step.name]
        return value in machine.choices.shown(course, call, (value,)) and _among(machine, course, call, step)
    found = machine.choices.shown(course, call, machine.value(course, call, step.source))
    if step.name in chosen:
        value = chosen[step.name]
        call.names[step.name] = value
        allowed = machine.choices.sizes(course, call)
        if allowed is not None and len(value) not in allowed:
            return False
        return all(member in found for member in value)
    if step.how:
        call.names[step.name] = found if step.how == "order" else ()
        return True
    search = machine.choices.searches[call.key]
    done = search.prefix.written.starts.index(call.at + 1)
    legal = [member for member in found if search.completes(course.state, done, {**call.names, step.name: member})]
    if len(legal) != 1:
        return False
    call.names[step.name] = legal[0]
    return True


def _among(machine: Machine, course: Course, call: Call, step: graph.Choose) -> bool:
    """Say whether what an example has chosen may be chosen; of whom it has not chosen nothing need be asked."""
    value = call.names[step.name]
    match step.source:
        case graph.Fold("gather", var, source, where, None):
            inside = Call(call.key, call.at, {**call.names, var: value})
            return value in machine.value(course, call, source) and (
                where is None or bool(machine.value(course, inside, where))
            )
        case _:
            return value in machine.value(course, call, step.source)


def carry_out(
    machine: Machine, course: Course, steps: Iterable[graph.Step], names: Names, types: Mapping[str, graph.Type]
) -> Names:
    """Carry out steps with these names bound; return the names, those that the steps bind included."""
    procedure = graph.Procedure("example", EXAMPLE, "", (), (), tuple(steps), "", "", (), SILENT)
    machine.programs.of[EXAMPLE] = flatten(EXAMPLE, procedure, machine.graph, {"player": SIDE, **types})
    machine.acts.pop(EXAMPLE, None)
    call = Call(EXAMPLE, 0, {**names, "player": course.state.player})
    course.calls.append(call)
    settle(machine, course, names)
    del machine.programs.of[EXAMPLE]
    return call.names


def asks_for(machine: Machine, action: str, chosen: Chosen) -> bool:
    """Say whether an example settles a choice of this action, and so wants it taken."""
    program = machine.programs.of.get(f"action:{action}")
    return program is not None and any(isinstance(s, graph.Choose) and s.name in chosen for s in program.code)


def _is_open(machine: Machine, course: Course, decision: Decision, number: int, chosen: Chosen) -> bool:
    """Say whether an action that is offered may be taken with what an example names, no more and no less of it."""
    option = decision.options[number]
    parameters = machine.programs.of[f"action:{option.name}"].procedure.parameters
    given = {parameter.name: value for parameter, value in zip(parameters, option.value, strict=True)}
    call = Call(f"action:{option.name}", 0, {"player": decision.side, **given})
    refused = _head(machine, course, call, chosen)
    # What is left open is asked for when it comes to that.
    return refused is None or (refused.condition is None and refused.choice not in chosen)


def settle(machine: Machine, course: Course, chosen: Chosen) -> None:
    """Run until nothing is left running, choosing as the example says."""
    while (decision := machine.run(course)) is not None:
        machine.take(course, decision.options[answer(machine, course, decision, chosen)])


def answer(machine: Machine, course: Course, decision: Decision, chosen: Chosen) -> int:
    """Find the option that an example asks for."""
    call = course.calls[-1]
    step = machine.programs.of[call.key].code[call.at]
    if isinstance(step, graph.Offer):
        wanted = [number for number, option in enumerate(decision.options) if option.what == END]
        if not call.names.get("#taken"):
            meant = [n for n, o in enumerate(decision.options) if asks_for(machine, o.name, chosen)]
            wanted = [n for n in meant if _is_open(machine, course, decision, n, chosen)] + wanted
    elif isinstance(step, graph.Choose) and step.name in chosen:
        value = chosen[step.name]
        if step.how == "order":
            wanted = [n for n, o in enumerate(decision.options) if o.value == value[len(call.names.get("#chosen", ()))]]
        elif step.how == "any":
            wanted = [n for n, o in enumerate(decision.options) if o.what == STOP or o.value in value]
        else:
            wanted = [n for n, o in enumerate(decision.options) if o.value == value]
    else:
        wanted = []
    if not wanted:
        raise machine.broken(course, f"the example leaves open what {decision.side} answers to {decision.question}")
    return wanted[0]
