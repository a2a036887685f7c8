"""What each step without a body does to a game: one function a step, each leaving events in the journal.

In: the machine, a course, the running call and the step. Nothing here asks a player anything and
nothing moves the call on; machine.py does both.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.graph import nodes as graph
from runtime.play.course import Call, Course
from runtime.state import change
from runtime.state.constants import Scope, constant
from runtime.state.position import GONE, State
from runtime.state.record import Sheet, Value

if TYPE_CHECKING:
    from runtime.play.machine import Machine

CLOCK: dict[str, Callable[[State, Any], Any]] = {
    "game.turn": change.set_turn,
    "game.player": change.set_player,
    "game.phase": change.set_phase,
}

Effect = Callable[["Machine", Course, Call, Any], None]


def let(machine: "Machine", course: Course, call: Call, step: graph.Let) -> None:
    """Bind a name."""
    call.names[step.name] = machine.value(course, call, step.value)


def roll(machine: "Machine", course: Course, call: Call, step: graph.Roll) -> None:
    """Throw a die and bind it."""
    value = course.roll(step.domain, step.low, step.high)
    if value is None:
        raise machine.broken(course, f"a die ({step.domain}) is rolled that no `dice` line foresees")
    if not step.low <= value <= step.high:
        raise machine.broken(course, f"the forced die {value} is no {step.domain}")
    call.names[step.name] = value


def assign(machine: "Machine", course: Course, call: Call, step: graph.Assign) -> None:
    """Set a track or a field of a record."""
    put(machine, course, call, step.target, machine.value(course, call, step.value))


def put(machine: "Machine", course: Course, call: Call, target: graph.Get | graph.GameTrack, value: Value) -> None:
    """Write a value where a target says; a number has to lie in the domain declared for it."""
    state = course.state
    hold(machine, course, domain(state, target), f"{target.owner}.{target.name}", value)
    if isinstance(target, graph.GameTrack):
        clock = CLOCK.get(f"{target.owner}.{target.name}")
        course.happen(clock(state, value) if clock else change.set_fact(state, f"{target.owner}.{target.name}", value))
        return
    base = machine.value(course, call, target.base)
    if target.what == "record":
        course.happen(change.amend(state, base, target.name, value))
    else:
        course.happen(change.set_track(state, f"{target.owner}.{target.name}", base, value))


def domain(state: State, target: graph.Get | graph.GameTrack) -> graph.Type | None:
    """Say what a target is declared to hold; None for the clock and what a situation card says."""
    words = state.graph.vocabulary
    if isinstance(target, graph.Get) and target.what == "record":
        return next((part.type for part in words.records[target.owner].fields if part.name == target.name), None)
    track = words.tracks.get(f"{target.owner}.{target.name}")
    return track.type if track is not None else None


def hold(machine: "Machine", course: Course, declared: graph.Type | None, name: str, value: Value) -> None:
    """Stop where a number, or one in a record, does not lie in the domain declared for it."""
    if isinstance(declared, graph.RecordOf) and value is not None:
        for part in course.state.graph.vocabulary.records[declared.name].fields:
            if isinstance(part.type, graph.Number):
                hold(machine, course, part.type, f"{declared.name}.{part.name}", value.fields.get(part.name))
    if isinstance(declared, graph.Number) and value is not None and not within(declared, value):
        low, high = ("" if end is None else end for end in (declared.low, declared.high))
        raise machine.broken(
            course, f"`{name}` is set to {value}, but is declared {low}..{high} {declared.measure}".rstrip()
        )


def within(declared: graph.Number, value: Value) -> bool:
    """Say whether a number lies between the ends declared for it."""
    return (declared.low is None or value >= declared.low) and (declared.high is None or value <= declared.high)


def add(machine: "Machine", course: Course, call: Call, step: graph.Add) -> None:
    """Add to a track, or a field of a record, that is a list or a set."""
    element = machine.value(course, call, step.element)
    target = step.target
    declared = domain(course.state, target)
    hold(machine, course, declared.of if isinstance(declared, graph.Many) else None, target.name, element)
    if isinstance(target, graph.GameTrack):
        course.happen(change.append(course.state, f"{target.owner}.{target.name}", None, element))
        return
    base = machine.value(course, call, target.base)
    if target.what == "record":
        grown = course.state.frame.ordered((*(course.state.field(base, target.name) or ()), element))
        course.happen(change.amend(course.state, base, target.name, grown))
    else:
        course.happen(change.append(course.state, f"{target.owner}.{target.name}", base, element))


def mark(machine: "Machine", course: Course, call: Call, step: graph.Mark) -> None:
    """Set or clear a status."""
    subject = machine.value(course, call, step.subject)
    key = f"{step.owner}.{step.status}"
    if course.state.is_marked(key, subject) != step.on:
        course.happen((change.mark if step.on else change.unmark)(course.state, key, subject))


def move(machine: "Machine", course: Course, call: Call, step: graph.Move) -> None:
    """Put a piece into a hex."""
    piece = machine.value(course, call, step.subject)
    to = machine.value(course, call, step.to)
    if course.state.hex[piece] == GONE:
        raise machine.broken(course, f"{course.state.sheets[piece].name} is moved although it is gone")
    course.happen(change.move(course.state, piece, to, step.place or change.OPEN))


def remove(machine: "Machine", course: Course, call: Call, step: graph.Remove) -> None:
    """Take a piece out of play, or off the board."""
    piece = machine.value(course, call, step.subject)
    if course.state.hex[piece] != GONE:
        course.happen((change.remove if step.for_good else change.lay_aside)(course.state, piece))


def create(machine: "Machine", course: Course, call: Call, step: graph.Create) -> None:
    """Make a new piece and put it into a hex."""
    state = course.state
    side = "" if step.owner is None else machine.value(course, call, step.owner)
    to = machine.value(course, call, step.at)
    event = change.create(state, blank(state, step.kind, side))
    course.happen(event)
    course.happen(change.move(state, event.subject, to))
    if step.name:
        call.names[step.name] = event.subject


def blank(state: State, kind: str, side: str) -> Sheet:
    """Make the counter of a new piece: the printed one, if its kind has only one that this side may use."""
    name = f"{kind}-{len(state.sheets) + 1}"
    rows = [row for row in state.graph.counters.values() if row.kind == kind and row.owner in ("", side)]
    if len(rows) != 1:
        return Sheet(name, kind, "", side, {}, frozenset())
    scope = Scope(state.board.index, state.frame.rank)
    printed = {factor: constant(value, scope) for factor, value in rows[0].printed}
    return Sheet(name, kind, rows[0].id, side, printed, frozenset(rows[0].traits))


def pair(machine: "Machine", course: Course, call: Call, step: graph.Pair) -> None:
    """Relate two pieces, or undo it. Where one partner is admitted, the old one goes."""
    state = course.state
    left = machine.value(course, call, step.left)
    right = machine.value(course, call, step.right)
    if not step.on:
        if state.related(step.relation, left, right):
            course.happen(change.unrelate(state, step.relation, left, right))
        return
    payload = None if step.payload is None else machine.value(course, call, step.payload)
    kept = state.graph.vocabulary.relations[step.relation].payload
    hold(machine, course, kept.type if kept else None, f"{step.relation}.{kept.name if kept else ''}", payload)
    match state.graph.vocabulary.relations[step.relation].one:
        case "left":
            crowd = [(other, right) for other in state.partners(step.relation, "left", right) if other != left]
        case "right":
            crowd = [(left, other) for other in state.partners(step.relation, "right", left) if other != right]
        case _:
            crowd = []
    for one, other in crowd:
        course.happen(change.unrelate(state, step.relation, one, other))
    course.happen(change.relate(state, step.relation, left, right, payload))


def write(machine: "Machine", course: Course, call: Call, step: graph.Write) -> None:
    """Write a record down."""
    record = machine.value(course, call, step.record)
    hold(machine, course, graph.RecordOf(record.type), record.type, record)
    course.happen(change.write(course.state, record))
    if step.name:
        call.names[step.name] = record


def strike(machine: "Machine", course: Course, call: Call, step: graph.Strike) -> None:
    """Strike a record out."""
    record = machine.value(course, call, step.record)
    if record in course.state.records[record.type]:
        course.happen(change.strike(course.state, record))


EFFECTS: dict[type, Effect] = {
    graph.Let: let, graph.Roll: roll, graph.Assign: assign, graph.Add: add, graph.Mark: mark, graph.Move: move,
    graph.Remove: remove, graph.Create: create, graph.Pair: pair, graph.Write: write, graph.Strike: strike,
}  # fmt: skip
