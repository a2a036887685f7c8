"""Control-flow instructions: jumps, loops, calls and the clock.

In: the machine, an instruction and its index in a program. Out: the `Closure` that executes it, as in effects.py, which
has the instructions with effects. Offers and choices have none: the machine returns a decision there.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from runtime.graph import nodes as graph
from runtime.graph.budget import check_limit, spend
from runtime.play.effects import CLOSURE_FUNCTIONS, Closure
from runtime.play.instructions import (
    BeginLoop,
    EnterPhase,
    Expire,
    Instruction,
    Jump,
    JumpUnless,
    NextMember,
    NextMoment,
    Program,
    Return,
    ReturnIfGone,
)
from runtime.play.playthrough import OFFER_TAKEN, Playthrough, ProcedureFrame
from runtime.state import change
from runtime.state.position import GONE, LEFT
from runtime.state.record import Value

if TYPE_CHECKING:
    from runtime.play.machine import Machine

OWN_TURN = "own_turn"

ControlFunction = Callable[["Machine", Any, Program, int], Closure]
ValuePredicate = Callable[[Playthrough, ProcedureFrame, Value], bool]

# The cost of an effect in a loop, in set members.
EFFECT = 25


def legal(machine: "Machine", step: graph.Legal, program: Program, offset: int) -> Closure:
    """Check a condition. In a head it holds by the choice of options, and is evaluated for listeners only."""
    if offset < program.head_length and not machine.has_listener:
        return go_on
    condition = machine.value_function(step.condition)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        if not condition(playthrough.state, call.names):
            raise machine.broken_rules(playthrough, "a condition behind the first effect does not hold")
        call.offset += 1

    return closure


def go_on(_: Playthrough, call: ProcedureFrame) -> None:
    """Continue with the next instruction."""
    call.offset += 1


def do(machine: "Machine", step: graph.Do, _: Program, __: int) -> Closure:
    """Call a resolution."""
    key = f"resolution:{step.resolution}"
    arguments = tuple(map(machine.value_function, step.arguments))

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state, names = playthrough.state, call.names
        call.offset += 1
        values = tuple([argument(state, names) for argument in arguments])
        machine.call(playthrough, key, values, names.get("player", state.player))

    return closure


def tell(machine: "Machine", step: graph.Tell, _: Program, __: int) -> Closure:
    """Call the hooks on an event."""
    programs = machine.programs
    arguments = tuple(map(machine.value_function, step.arguments))
    # The first hook in order is pushed last, so that it runs first.
    hooks = [(key, programs.entries[key].offers) for key in reversed(programs.hooks.get(step.event, ()))]
    offering = any(offers for _, offers in hooks)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state, names = playthrough.state, call.names
        call.offset += 1
        values = tuple([argument(state, names) for argument in arguments])
        machine.end_pairs(playthrough)
        reacting = offering and is_in_reaction(machine, playthrough)
        for key, offers in hooks:
            if not (reacting and offers):
                machine.call(playthrough, key, values, names.get("player", state.player))

    return closure


def is_in_reaction(machine: "Machine", playthrough: Playthrough) -> bool:
    """Return whether a hook's offer is in progress: an event inside a reaction offers no reactions.

    A hook that waits for another one may be at its offer as well, but no option has been taken there.
    """
    return any(OFFER_TAKEN in call.names and machine.program_of(call).offers for call in playthrough.calls)


def jump(_: "Machine", step: Jump, __: Program, ___: int) -> Closure:
    """Jump."""
    target = step.target

    def closure(_: Playthrough, call: ProcedureFrame) -> None:
        call.offset = target

    return closure


def jump_unless(machine: "Machine", step: JumpUnless, _: Program, offset: int) -> Closure:
    """Jump if a condition fails."""
    condition, next_offset, target = machine.value_function(step.condition), offset + 1, step.target

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        call.offset = next_offset if condition(playthrough.state, call.names) else target

    return closure


def begin_loop(machine: "Machine", step: BeginLoop, program: Program, offset: int) -> Closure:
    """Evaluate the members of a loop; a loop without decisions and calls is executed as one instruction."""
    slot, source = step.slot, machine.value_function(step.source)
    loop = program.code[offset + 1]
    assert isinstance(loop, NextMember | NextMoment)
    # Records that were never written, such as steps of a history, cannot be removed.
    type_ = step.member.name if isinstance(step.member, graph.RecordOf) else ""

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        found = tuple(source(playthrough.state, call.names))
        if not found:
            call.offset = loop.target
            return
        call.names[slot] = found
        if type_:
            written = playthrough.state.records[type_]
            call.names[f"{slot}w"] = tuple(record for record in found if record in written)
        call.offset += 1

    body = program.code[offset + 2 : loop.target - 1]
    if isinstance(loop, NextMember) and machine.is_one_instruction(body):
        return loop_closure(machine, closure, loop, body)
    return closure


def loop_closure(machine: "Machine", begin: Closure, loop: NextMember, body: Sequence[Instruction]) -> Closure:
    """Return the closure of a loop that contains effects only, executed as one instruction."""
    slot, name, target = loop.slot, loop.name, loop.target
    effects = [CLOSURE_FUNCTIONS[type(instruction)](machine, instruction) for instruction in body]
    is_gone = gone_test(loop)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        begin(playthrough, call)
        members = call.names.get(slot, ())
        spend(EFFECT * len(effects) * len(members))
        check_limit()
        for member in members:
            if is_gone is None or not is_gone(playthrough, call, member):
                call.names[name] = member
                for effect in effects:
                    effect(playthrough, call)
        call.names.pop(slot, None)
        call.names.pop(f"{slot}w", None)
        call.offset = target

    return closure


def bind_next_member(_: "Machine", step: NextMember, __: Program, offset: int) -> Closure:
    """Bind the next member that still exists."""
    slot, name, next_offset, target = step.slot, step.name, offset + 1, step.target
    is_gone = gone_test(step)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        left: tuple[Value, ...] = call.names[slot]
        while left and is_gone is not None and is_gone(playthrough, call, left[0]):
            left = left[1:]
        if left:
            call.names[slot] = left[1:]
            call.names[name] = left[0]
            call.offset = next_offset
            return
        call.names.pop(slot)
        call.names.pop(f"{slot}w", None)
        call.offset = target

    return closure


def gone_test(step: NextMember) -> ValuePredicate | None:
    """Return the test whether a member was removed during the loop; None if members cannot be removed."""
    match step.member:
        case graph.Piece():
            return lambda playthrough, _, member: playthrough.state.hex[member] == GONE
        case graph.RecordOf(name):
            written = f"{step.slot}w"
            return lambda playthrough, call, member: (
                member in call.names[written] and member not in playthrough.state.records[name]
            )
        case _:
            return None


def next_moment(_: "Machine", step: NextMoment, __: Program, offset: int) -> Closure:
    """Set the clock to the next turn or player, or exit the loop."""
    slot, name, next_offset, target = step.slot, step.name, offset + 1, step.target

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        left: tuple[Value, ...] = call.names[slot]
        if not left:
            call.names.pop(slot)
            call.offset = target
            return
        call.names[slot] = left[1:]
        call.names[name] = left[0]
        if name == "turn":
            playthrough.record_event(change.set_turn(playthrough.state, left[0]))
        elif name == "player":
            playthrough.record_event(change.set_player(playthrough.state, left[0]))
        call.offset = next_offset

    return closure


def enter_phase(_: "Machine", step: EnterPhase, __: Program, ___: int) -> Closure:
    """Start a phase."""

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        playthrough.record_event(change.set_phase(playthrough.state, step.phase))
        call.offset += 1

    return closure


def expire(_: "Machine", step: Expire, __: Program, ___: int) -> Closure:
    """Reset the statuses, tracks and pairs that are declared to last until this moment."""

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        player = playthrough.state.player if step.moment == OWN_TURN else ""
        for event in change.end_moment(playthrough.state, step.moment, player):
            playthrough.record_event(event)
        call.offset += 1

    return closure


def return_if_gone(_: "Machine", step: ReturnIfGone, __: Program, ___: int) -> Closure:
    """Return from an action whose subject is gone."""

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        if playthrough.state.hex[call.names[step.subject]] in LEFT:
            playthrough.calls.pop()
        else:
            call.offset += 1

    return closure


def return_(_: "Machine", __: Return, ___: Program, ____: int) -> Closure:
    """Return from a procedure."""

    def closure(playthrough: Playthrough, _: ProcedureFrame) -> None:
        playthrough.calls.pop()

    return closure


CONTROLS: dict[type, ControlFunction] = {
    graph.Legal: legal, graph.Do: do, graph.Tell: tell, Jump: jump, JumpUnless: jump_unless, BeginLoop: begin_loop,
    NextMember: bind_next_member, NextMoment: next_moment, EnterPhase: enter_phase, Expire: expire,
    ReturnIfGone: return_if_gone, Return: return_,
}  # fmt: skip
