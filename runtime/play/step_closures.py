"""The execution of steps: of each, the `Closure` that executes it for any playthrough in which it is next.

In: the machine, a step, and its place in a program. Out: the closure. When it runs, its step is no longer pending: it
changes the position, binds names, takes chance, or puts what is inside the step before what is pending. Offers and
choices have none: the machine returns a decision there. What is in progress goes on by `RESUME`.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, get_args

from runtime.graph import nodes as graph
from runtime.graph.budget import charge
from runtime.graph.dice_subjects import dice_subjects, is_by_action
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import map_operands
from runtime.graph.steps import MOMENT_OF_ROUND
from runtime.play.dice import subject_key
from runtime.play.pending_items import EndOfMoment, Expiry, LoopItem, ReturnItem, RoundsItem, StartedItem
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.play.primitive_effects import apply_effect
from runtime.play.programs import Program, pushed
from runtime.play.rule_faults import NoOpenOption
from runtime.state import change
from runtime.state.position import GONE, LEFT
from runtime.state.record import Value

if TYPE_CHECKING:
    from runtime.answer.evaluator import ValueFunction
    from runtime.play.machine import Machine

# The cost of a draw, in set members: a random number, and a die in the playthrough.
COST_OF_DRAW = 25

Closure = Callable[[Playthrough, ProcedureFrame], None]
ClosureFunction = Callable[["Machine", Any, Program, int], Closure]


# ---------------------------------------------------------------- names, chance and changes


def _let_closure(machine: "Machine", step: graph.Let, _: Program, __: int) -> Closure:
    """Bind a name."""
    name, value = step.name, machine.value_function(step.value)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        call.names[name] = value(playthrough.state, call.names)

    return closure


def _legal_closure(machine: "Machine", step: graph.Legal, program: Program, number: int) -> Closure:
    """Check a condition. In a head it holds by the choice of options, and is evaluated for listeners only."""
    if number < program.head_length and not machine.has_listener:
        return _do_nothing
    condition = machine.value_function(step.condition)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        if not condition(playthrough.state, call.names):
            raise machine.broken_rules(playthrough, "a condition behind the first effect does not hold")

    return closure


def _do_nothing(_: Playthrough, __: ProcedureFrame) -> None:
    """Execute nothing: the next step follows."""


def _roll_closure(machine: "Machine", step: graph.Roll, program: Program, _: int) -> Closure:
    """Roll a die and bind its result."""
    subjects: list[ValueFunction] | None = None

    def subject_of(playthrough: Playthrough, call: ProcedureFrame) -> int:
        nonlocal subjects
        if subjects is None:
            subjects = [machine.value_function(each) for each in dice_subjects(program.procedure, machine.graph)]
        return subject_key([value(playthrough.state, call.names) for value in subjects])

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        value = playthrough.roll(
            step.domain, step.low, step.high, subject_of(playthrough, call) if is_by_action(playthrough.seed) else 0
        )
        if value is None:
            raise machine.broken_rules(playthrough, f"a die ({step.domain}) is rolled that no `dice` line foresees")
        if not step.low <= value <= step.high:
            raise machine.broken_rules(playthrough, f"the forced die {value} is no {step.domain}")
        call.names[step.name] = value

    return closure


def _draw_closure(machine: "Machine", step: graph.Draw, _: Program, __: int) -> Closure:
    """Draw members uniformly without replacement and bind them."""
    source = machine.value_function(step.source)
    count = None if step.count is None else machine.value_function(step.count)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state, names = playthrough.state, call.names
        left = list(source(state, names))
        if not left and not step.how:
            raise machine.broken_rules(playthrough, f"there is nothing to draw `{step.name}` from", NoOpenOption)
        draw_count = min(len(left), max(0, count(state, names)) if count else len(left) if step.how else 1)
        charge(len(left) + COST_OF_DRAW * draw_count)
        members: list[Value] = []
        while len(members) < draw_count:
            charge(len(left) // COST_OF_DRAW)
            members.append(_draw_member(machine, playthrough, step, left))
            left.remove(members[-1])
        if step.how == "any":
            names[step.name] = state.frame.ordered(members)
        else:
            names[step.name] = tuple(members) if step.how else members[0]

    return closure


def _draw_member(machine: "Machine", playthrough: Playthrough, step: graph.Draw, members: Sequence[Value]) -> Value:
    """Draw one member; a forced draw has to be a member."""
    domain = f"{members[0]}..{members[-1]}" if isinstance(step.of, graph.Number) else ""
    value = playthrough.draw(members, domain, is_open=isinstance(step.source, graph.Op) and step.source.op == "span")
    if value is None:
        line = "dice" if isinstance(step.of, graph.Number) else "draws"
        event = "a die whose size is worked out is thrown" if line == "dice" else "chance draws"
        raise machine.broken_rules(playthrough, f"{event} as `{step.name}`, and no `{line}` line foresees what comes")
    if value not in members:
        raise machine.broken_rules(
            playthrough, f"what is foreseen to be drawn as `{step.name}` is not among what it is drawn from"
        )
    return value


def _change_closure(machine: "Machine", step: graph.ChangingStep, _: Program, __: int) -> Closure:
    """Apply the effects of a step; where it has several, all operands are read before the first acts."""
    prepared = [map_operands(effect, machine.value_function) for effect in effects_of(step)]

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state, names = playthrough.state, call.names
        effects = [map_operands(effect, lambda value: value(state, names)) for effect in prepared]
        for effect in effects:
            apply_effect(machine, playthrough, names, effect)

    return closure


# ---------------------------------------------------------------- steps that contain or call others


def _branch_closure(machine: "Machine", step: graph.Branch, program: Program, number: int) -> Closure:
    """Continue with one of two blocks."""
    condition, (consequent, orelse) = machine.value_function(step.condition), program.blocks[number]

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        call.pending = pushed(consequent if condition(playthrough.state, call.names) else orelse, call.pending)

    return closure


def _loop_closure(machine: "Machine", step: graph.Loop, program: Program, number: int) -> Closure:
    """Return what begins a loop."""
    source, member_type = machine.value_function(step.source), program.members[number]

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        members = tuple(source(playthrough.state, call.names))
        written = _written_members(playthrough, member_type, members)
        _resume_loop(machine, playthrough, call, LoopItem(number, members, 0, written))

    return closure


def _written_members(
    playthrough: Playthrough, member_type: graph.Type | None, members: tuple[Value, ...]
) -> tuple[Value, ...]:
    """Return the members that are written records; others, such as steps of a history, cannot be removed."""
    if not isinstance(member_type, graph.RecordOf):
        return ()
    records = playthrough.state.records[member_type.name]
    return tuple(record for record in members if record in records)


def _is_gone(
    playthrough: Playthrough, member_type: graph.Type | None, member: Value, written: tuple[Value, ...]
) -> bool:
    """Return whether a member was removed during the loop."""
    match member_type:
        case graph.Piece():
            return playthrough.state.hex[member] == GONE
        case graph.RecordOf(name):
            return member in written and member not in playthrough.state.records[name]
        case _:
            return False


def _resume_loop(machine: "Machine", playthrough: Playthrough, call: ProcedureFrame, rest: LoopItem) -> None:
    """Bind the next member that still exists, and continue with the steps of the loop."""
    number, members, index, written = rest
    program = machine.programs.entries[call.key]
    member_type = program.members[number]
    while index < len(members):
        member, index = members[index], index + 1
        if not _is_gone(playthrough, member_type, member, written):
            call.names[program.steps[number].name] = member  # type: ignore[union-attr]  # Loops have names.
            call.pending = pushed(program.blocks[number][0], (LoopItem(number, members, index, written), call.pending))
            return


def _rounds_closure(machine: "Machine", step: graph.Each, _: Program, number: int) -> Closure:
    """Return what begins a loop of the clock."""
    source = machine.value_function(step.source)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        call.pending = (RoundsItem(number, tuple(source(playthrough.state, call.names)), 0), call.pending)

    return closure


def _resume_rounds(machine: "Machine", playthrough: Playthrough, call: ProcedureFrame, rest: RoundsItem) -> None:
    """Set the clock to the next turn or player, whose moment ends after the steps of the loop."""
    number, members, index = rest
    if index == len(members):
        return
    program = machine.programs.entries[call.key]
    step = program.steps[number]
    assert isinstance(step, graph.Each)
    member = call.names[step.name] = members[index]
    if step.name == "turn":
        playthrough.record_event(change.set_turn(playthrough.state, member))
    elif step.name == "player":
        playthrough.record_event(change.set_player(playthrough.state, member))
    moment = EndOfMoment(MOMENT_OF_ROUND.get(step.name, step.name))
    following = (moment, (RoundsItem(number, members, index + 1), call.pending))
    call.pending = pushed(program.blocks[number][0], following)


def _phase_closure(_: "Machine", step: graph.Phase, program: Program, number: int) -> Closure:
    """Start a phase."""
    block, end = program.blocks[number][0], EndOfMoment(step.name)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        playthrough.record_event(change.set_phase(playthrough.state, step.name))
        call.pending = pushed(block, (end, call.pending))

    return closure


def _end_closure(machine: "Machine", step: graph.End, _: Program, __: int) -> Closure:
    """End a moment."""
    moment = EndOfMoment(step.moment)
    return lambda playthrough, call: end_moment(machine, playthrough, call, moment)


def end_moment(machine: "Machine", playthrough: Playthrough, call: ProcedureFrame, end: EndOfMoment) -> None:
    """Call the hooks on the end of a moment, then reset what lasts until then."""
    call.pending = (Expiry(end.moment), call.pending)
    event = f"end of {end.moment}"
    if event in machine.graph.vocabulary.events:
        machine.announce(playthrough, call, event, ())


def expire(_: "Machine", playthrough: Playthrough, __: ProcedureFrame, expiry: Expiry) -> None:
    """Reset the statuses, tracks and pairs that are declared to last until this moment."""
    player = playthrough.state.player if expiry.moment == MOMENT_OF_ROUND["player"] else ""
    for event in change.end_moment(playthrough.state, expiry.moment, player):
        playthrough.record_event(event)


def _do_closure(machine: "Machine", step: graph.Do, _: Program, __: int) -> Closure:
    """Call a resolution."""
    key = f"resolution:{step.resolution}"
    arguments = tuple(map(machine.value_function, step.arguments))

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state, names = playthrough.state, call.names
        values = tuple([argument(state, names) for argument in arguments])
        machine.call(playthrough, key, values, names.get("player", state.player))

    return closure


def _tell_closure(machine: "Machine", step: graph.Tell, program: Program, _: int) -> Closure:
    """Call the hooks on an event; an action whose subject they remove ends."""
    arguments = tuple(map(machine.value_function, step.arguments))

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state, names = playthrough.state, call.names
        values = tuple([argument(state, names) for argument in arguments])
        if program.subject in names:
            call.pending = (ReturnItem(), call.pending)
        machine.announce(playthrough, call, step.event, values)

    return closure


def _return_if_gone(machine: "Machine", playthrough: Playthrough, call: ProcedureFrame, _: ReturnItem) -> None:
    """Return from an action whose subject is gone."""
    if playthrough.state.hex[call.names[machine.programs.entries[call.key].subject]] in LEFT:
        machine.end_procedure(playthrough)


def _stop_closure(machine: "Machine", _: graph.Stop, __: Program, ___: int) -> Closure:
    """Return from a procedure."""
    return lambda playthrough, _: machine.end_procedure(playthrough)


def _begin_account_closure(_: "Machine", __: graph.BeginAccount, ___: Program, ____: int) -> Closure:
    """Change nothing: machines that tell accounts begin one before the step (`Machine.prepare`)."""
    return _do_nothing


CLOSURES: dict[type, ClosureFunction] = {
    graph.Let: _let_closure, graph.Legal: _legal_closure, graph.Roll: _roll_closure, graph.Draw: _draw_closure,
    **dict.fromkeys(get_args(graph.ChangingStep), _change_closure), graph.Branch: _branch_closure,
    graph.Loop: _loop_closure, graph.Each: _rounds_closure, graph.Phase: _phase_closure, graph.End: _end_closure,
    graph.Do: _do_closure, graph.Tell: _tell_closure, graph.Stop: _stop_closure,
    graph.BeginAccount: _begin_account_closure,
}  # fmt: skip
ResumeFunction = Callable[["Machine", Playthrough, ProcedureFrame, Any], None]
RESUME: dict[type[StartedItem], ResumeFunction] = {
    LoopItem: _resume_loop, RoundsItem: _resume_rounds, EndOfMoment: end_moment, Expiry: expire,
    ReturnItem: _return_if_gone,
}  # fmt: skip
