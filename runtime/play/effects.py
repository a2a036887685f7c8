"""Instructions without a body: they bind names, take chance, and change the position by events in the journal.

In: the machine and a step. Out: the `Closure` that executes it for any playthrough whose current instruction it is, and
advances the program counter. None of them is a decision.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, get_args

from runtime.graph import nodes as graph
from runtime.graph.budget import charge
from runtime.graph.dice_subjects import dice_subjects, is_by_action
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import map_operands
from runtime.play.dice import subject_key
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.play.primitive_effects import apply_effect
from runtime.play.rule_faults import NoOpenOption
from runtime.state.record import Value

if TYPE_CHECKING:
    from runtime.answer.evaluator import ValueFunction
    from runtime.play.machine import Machine

# The cost of a draw, in set members: a random number, and a die in the playthrough.
COST_OF_DRAW = 25
Closure = Callable[[Playthrough, ProcedureFrame], None]
ClosureFunction = Callable[["Machine", Any], Closure]


def let_closure(machine: "Machine", step: graph.Let) -> Closure:
    """Bind a name."""
    name, value = step.name, machine.value_function(step.value)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        call.names[name] = value(playthrough.state, call.names)
        call.offset += 1

    return closure


def roll_closure(machine: "Machine", step: graph.Roll) -> Closure:
    """Roll a die and bind its result."""

    # By procedure, as several may contain the same step.
    known: dict[str, tuple[ValueFunction, ...]] = {}

    def subject_of(playthrough: Playthrough, call: ProcedureFrame) -> int:
        subjects = known.get(call.key)
        if subjects is None:
            found = dice_subjects(machine.graph.procedures[call.key], machine.graph)
            subjects = known[call.key] = tuple(map(machine.value_function, found))
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
        call.offset += 1

    return closure


def draw_closure(machine: "Machine", step: graph.Draw) -> Closure:
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
            members.append(draw_member(machine, playthrough, step, left))
            left.remove(members[-1])
        if step.how == "any":
            names[step.name] = state.frame.ordered(members)
        else:
            names[step.name] = tuple(members) if step.how else members[0]
        call.offset += 1

    return closure


def draw_member(machine: "Machine", playthrough: Playthrough, step: graph.Draw, members: Sequence[Value]) -> Value:
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


def change_closure(machine: "Machine", step: graph.ChangingStep) -> Closure:
    """Apply the effects of a step; where it has several, all operands are read before the first acts."""
    prepared = [map_operands(effect, machine.value_function) for effect in effects_of(step)]

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state, names = playthrough.state, call.names
        effects = [map_operands(effect, lambda value: value(state, names)) for effect in prepared]
        for effect in effects:
            apply_effect(machine, playthrough, names, effect)
        call.offset += 1

    return closure


CLOSURE_FUNCTIONS: dict[type, ClosureFunction] = {
    graph.Let: let_closure, graph.Roll: roll_closure, graph.Draw: draw_closure,
    **dict.fromkeys(get_args(graph.ChangingStep), change_closure),
}  # fmt: skip
