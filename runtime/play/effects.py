"""Instructions with effects: one function for each step without a body, each of which appends events to the journal.

In: the machine and a step. Out: the `Closure` that executes it for any playthrough whose current instruction it is, and
advances the program counter. Whatever depends on the rules alone is precomputed in the closure. None of them is a
decision.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, assert_never

from runtime.graph import nodes as graph
from runtime.graph.budget import charge
from runtime.graph.dice_subjects import dice_subjects, is_by_action
from runtime.play.dice import describe_die
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.play.rule_faults import NoOpenOption
from runtime.state import change
from runtime.state.default_counter import default_counter
from runtime.state.position import GONE, State
from runtime.state.ranges import excluded_number, is_ranged, range_of
from runtime.state.record import Value

if TYPE_CHECKING:
    from runtime.answer.evaluator import ValueFunction
    from runtime.play.machine import Machine

# The limit of members of a collection, records of a type, pairs of a relation, and pieces; games use less than a tenth.
MOST_KEPT = 4_000
# The cost of a draw, in set members: a hash, and a die in the playthrough.
COST_OF_DRAW = 25
CLOCK: dict[str, Callable[[State, Any], Any]] = {
    "game.turn": change.set_turn,
    "game.player": change.set_player,
    "game.phase": change.set_phase,
}

Closure = Callable[[Playthrough, ProcedureFrame], None]
Effect = Callable[["Machine", Any], Closure]
HoldFunction = Callable[[Playthrough, Value], None]
Target = graph.Get | graph.GameTrack


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

    def subject_of(playthrough: Playthrough, call: ProcedureFrame) -> str:
        subjects = known.get(call.key)
        if subjects is None:
            found = dice_subjects(machine.graph.procedures[call.key], machine.graph)
            subjects = known[call.key] = tuple(map(machine.value_function, found))
        return describe_die([value(playthrough.state, call.names) for value in subjects]) if subjects else ""

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        value = playthrough.roll(
            step.domain, step.low, step.high, subject_of(playthrough, call) if is_by_action(playthrough.seed) else ""
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


def assign_closure(machine: "Machine", step: graph.Assign) -> Closure:
    """Set a track or a field of a record, with a range check."""
    target, value = step.target, machine.value_function(step.value)
    key = f"{target.owner}.{target.name}"
    check_domain = domain_check(machine, target_domain(machine.graph, target), key)
    if isinstance(target, graph.GameTrack):
        set_it = CLOCK.get(key) or (lambda state, new: change.set_fact(state, key, new))

        def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
            state = playthrough.state
            new = value(state, call.names)
            if check_domain:
                check_domain(playthrough, new)
            playthrough.record_event(set_it(state, new))
            call.offset += 1

        return closure
    base = machine.value_function(target.base)
    amends = target.what == "record"

    def act_on(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state = playthrough.state
        new = value(state, call.names)
        if check_domain:
            check_domain(playthrough, new)
        subject = base(state, call.names)
        if amends:
            playthrough.record_event(change.amend(state, subject, target.name, new))
        elif state.track(key, subject) != new:  # Much is set back every turn that never was anything else.
            playthrough.record_event(change.set_track(state, key, subject, new))
        call.offset += 1

    return act_on


def target_domain(rules: graph.Graph, target: Target) -> graph.Type | None:
    """Return the declared type of a target; None for the clock and the facts of a situation card."""
    words = rules.vocabulary
    if isinstance(target, graph.Get) and target.what == "record":
        return next((part.type for part in words.records[target.owner].fields if part.name == target.name), None)
    track = words.tracks.get(f"{target.owner}.{target.name}")
    return track.type if track is not None else None


def domain_check(machine: "Machine", declared: graph.Type | None, name: str) -> HoldFunction | None:
    """Return a range check for a target; None where its type has no range. Records check their own fields."""
    if declared is None or not is_ranged(declared):
        return None

    def check(playthrough: Playthrough, value: Value) -> None:
        number = excluded_number(declared, value)
        if number is not None:
            message = f"`{name}` is set to {number}, but is declared {range_of(declared)}"
            raise machine.broken_rules(playthrough, message, out_of_range=name)

    return check


def check_size(machine: "Machine", playthrough: Playthrough, size: int, noun: str) -> None:
    """Raise where a collection of the position would exceed `MOST_KEPT`, as each change of it takes linear time."""
    if size >= MOST_KEPT:
        raise machine.broken_rules(playthrough, f"more than {MOST_KEPT:,} {noun} would be kept")


def add_closure(machine: "Machine", step: graph.Add) -> Closure:
    """Add to a track, or a field of a record, that is a list or a set."""
    target, element = step.target, machine.value_function(step.element)
    key = f"{target.owner}.{target.name}"
    declared = target_domain(machine.graph, target)
    check_domain = domain_check(machine, declared.of if isinstance(declared, graph.Many) else None, target.name)
    base = machine.value_function(target.base) if isinstance(target, graph.Get) else None
    amends = isinstance(target, graph.Get) and target.what == "record"

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state = playthrough.state
        new = element(state, call.names)
        if check_domain:
            check_domain(playthrough, new)
        subject: Value = base(state, call.names) if base else None
        if amends:
            members = state.field(subject, target.name) or ()
            check_size(machine, playthrough, len(members), f"members of `{key}`")
            new_members = state.frame.ordered((*members, new))
            playthrough.record_event(change.amend(state, subject, target.name, new_members))
        else:
            members = state.fact(key) if base is None else state.track(key, subject)
            check_size(machine, playthrough, len(members or ()), f"members of `{key}`")
            playthrough.record_event(change.append(state, key, subject, new))
        call.offset += 1

    return closure


def mark_closure(machine: "Machine", step: graph.Mark) -> Closure:
    """Set or clear a status."""
    subject, on = machine.value_function(step.subject), step.on
    key = f"{step.owner}.{step.status}"
    set_it = change.mark if on else change.unmark

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state = playthrough.state
        marked = subject(state, call.names)
        if state.is_marked(key, marked) != on:
            playthrough.record_event(set_it(state, key, marked))
        call.offset += 1

    return closure


def move_closure(machine: "Machine", step: graph.Move) -> Closure:
    """Move a piece into a hex."""
    subject, to = machine.value_function(step.subject), machine.value_function(step.to)
    place = step.place or change.OPEN

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state = playthrough.state
        piece, space = subject(state, call.names), to(state, call.names)
        if state.hex[piece] == GONE:
            raise machine.broken_rules(playthrough, f"{state.sheets[piece].name} is moved although it is gone")
        playthrough.record_event(change.move(state, piece, space, place))
        call.offset += 1

    return closure


def flip_closure(machine: "Machine", step: graph.Flip) -> Closure:
    """Flip a piece; one that is gone is unchanged."""
    subject, to = machine.value_function(step.subject), step.to

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state = playthrough.state
        piece = subject(state, call.names)
        if not state.face(piece, to):
            raise machine.broken_rules(playthrough, f"{state.sheets[piece].name} is turned to its {to} and has none")
        if state.hex[piece] != GONE:
            playthrough.record_event(change.flip(state, piece, to))
        call.offset += 1

    return closure


def remove_closure(machine: "Machine", step: graph.Remove) -> Closure:
    """Remove a piece from the game or from the board."""
    subject = machine.value_function(step.subject)
    take_it = change.remove if step.for_good else change.take_off_board

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        piece = subject(playthrough.state, call.names)
        if playthrough.state.hex[piece] != GONE:
            playthrough.record_event(take_it(playthrough.state, piece))
        call.offset += 1

    return closure


def create_closure(machine: "Machine", step: graph.Create) -> Closure:
    """Create a piece in a hex."""
    owner = None if step.owner is None else machine.value_function(step.owner)
    space_of = machine.value_function(step.at)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state = playthrough.state
        check_size(machine, playthrough, len(state.sheets), "pieces")
        side = "" if owner is None else owner(state, call.names)
        to = space_of(state, call.names)
        event = change.create(state, default_counter(state, step.kind, side, step.counter))
        playthrough.record_event(event)
        playthrough.record_event(change.move(state, event.subject, to))
        if step.name:
            call.names[step.name] = event.subject
        call.offset += 1

    return closure


def pair_closure(machine: "Machine", step: graph.Pair) -> Closure:
    """Relate two pieces, or remove their relation. Where one partner is admitted, the old one is removed."""
    left_of, right_of = machine.value_function(step.left), machine.value_function(step.right)
    payload_of = None if step.payload is None else machine.value_function(step.payload)
    name = step.relation
    relation = machine.graph.vocabulary.relations[name]
    payload_parameter = relation.payload
    check_domain = domain_check(
        machine,
        payload_parameter.type if payload_parameter else None,
        f"{name}.{payload_parameter.name if payload_parameter else ''}",
    )

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        state = playthrough.state
        left, right = left_of(state, call.names), right_of(state, call.names)
        call.offset += 1
        if not step.on:
            if state.related(name, left, right):
                playthrough.record_event(change.unrelate(state, name, left, right))
            return
        check_size(machine, playthrough, len(state.pairs[name].payload), f"pairs of `{name}`")
        payload = None if payload_of is None else payload_of(state, call.names)
        if check_domain:
            check_domain(playthrough, payload)
        match relation.one:
            case "left":
                old_pairs = [(other, right) for other in state.partners(name, "left", right) if other != left]
            case "right":
                old_pairs = [(left, other) for other in state.partners(name, "right", left) if other != right]
            case "":
                old_pairs = []
            case _:
                assert_never(relation.one)
        for piece, other in old_pairs:
            playthrough.record_event(change.unrelate(state, name, piece, other))
        playthrough.record_event(change.relate(state, name, left, right, payload))

    return closure


def write_closure(machine: "Machine", step: graph.Write) -> Closure:
    """Add a record."""
    record_of = machine.value_function(step.record)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        record = record_of(playthrough.state, call.names)
        check_size(machine, playthrough, len(playthrough.state.records[record.type]), f"records `{record.type}`")
        playthrough.record_event(change.write(playthrough.state, record))
        if step.name:
            call.names[step.name] = record
        call.offset += 1

    return closure


def strike_closure(machine: "Machine", step: graph.Strike) -> Closure:
    """Remove a record."""
    record_of = machine.value_function(step.record)

    def closure(playthrough: Playthrough, call: ProcedureFrame) -> None:
        record = record_of(playthrough.state, call.names)
        if record in playthrough.state.records[record.type]:
            playthrough.record_event(change.remove_record(playthrough.state, record))
        call.offset += 1

    return closure


EFFECTS: dict[type, Effect] = {
    graph.Let: let_closure, graph.Roll: roll_closure, graph.Draw: draw_closure, graph.Assign: assign_closure,
    graph.Add: add_closure, graph.Mark: mark_closure, graph.Move: move_closure, graph.Flip: flip_closure,
    graph.Remove: remove_closure, graph.Create: create_closure, graph.Pair: pair_closure,
    graph.Write: write_closure, graph.Strike: strike_closure,
}  # fmt: skip
