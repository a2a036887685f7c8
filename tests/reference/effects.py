"""The effects of elementary steps, which need no decision and call no procedure: state changes and chance.

In: a game, the frame of the procedure, and the step. Out: events in the journal, dice, names.
"""

from typing import TYPE_CHECKING, Any, assert_never

from runtime.graph import nodes as graph
from runtime.graph.dice_subjects import dice_subjects, is_by_action
from runtime.graph.operators.numbers import BARE
from runtime.graph.type_of import drawn_type
from runtime.play.dice import describe_die, throw_die
from runtime.play.effects import target_domain
from runtime.play.playthrough import Die
from runtime.state import change
from runtime.state.default_counter import default_counter
from runtime.state.position import GONE
from runtime.state.ranges import excluded_number
from runtime.state.record import Value
from tests.reference.pending_steps import Frame

if TYPE_CHECKING:
    from tests.reference.game import ReferenceGame


class UnknownDraw(Exception):  # noqa: N818 -- not an error: every result is to be gone through.
    """A die or draw beyond the results that were given in advance."""

    def __init__(self, low: int, high: int) -> None:
        """Store the range of results."""
        super().__init__(low, high)
        self.low = low
        self.high = high


def execute_step(game: "ReferenceGame", frame: Frame, step: Any) -> None:  # noqa: C901, PLR0915 -- one case a step.
    """Execute one step."""
    state, journal = game.state, game.journal
    match step:
        case graph.Roll(name, die, low, high):
            subjects = dice_subjects(game.rules.procedures[frame.key], game.rules) if is_by_action(game.seed) else ()
            die_subject = describe_die(game.evaluate_all(frame, subjects)) if subjects else ""
            game.bind(frame, name, BARE, random_value(game, stream_of(game, frame) + die_subject, low, high, die))
        case graph.Draw():
            draw(game, frame, step)
        case graph.Assign(graph.GameTrack(owner, name) as target, value):
            journal.append(change.set_fact(state, f"{owner}.{name}", evaluate_in_range(game, frame, target, value)))
        case graph.Assign(graph.Get() as target, value):
            new, subject, key = (
                evaluate_in_range(game, frame, target, value),
                game.value(frame, target.base),
                track_key(target),
            )
            if target.what == "record":
                journal.append(change.amend(state, subject, target.name, new))
            elif state.track(key, subject) != new:
                journal.append(change.set_track(state, key, subject, new))
        case graph.Add(element, target):
            add(game, frame, target, game.value(frame, element))
        case graph.Mark(subject, owner, status, on):
            marked, key = game.value(frame, subject), f"{owner}.{status}"
            if state.is_marked(key, marked) != on:
                journal.append(change.mark(state, key, marked) if on else change.unmark(state, key, marked))
        case graph.Move(subject, to, place):
            piece, space = game.value(frame, subject), game.value(frame, to)
            if state.hex[piece] == GONE:
                raise game.broken_rules(frame, f"{state.sheets[piece].name} is moved although it is gone")
            journal.append(change.move(state, piece, space, place or change.OPEN))
        case graph.Flip(subject, to):
            piece = game.value(frame, subject)
            if not state.face(piece, to):
                raise game.broken_rules(frame, f"{state.sheets[piece].name} is turned to its {to} and has none")
            if state.hex[piece] != GONE:
                journal.append(change.flip(state, piece, to))
        case graph.Remove(subject, for_good):
            piece = game.value(frame, subject)
            if state.hex[piece] != GONE:
                journal.append(change.remove(state, piece) if for_good else change.take_off_board(state, piece))
        case graph.Create(kind, name, destination, owner, counter):
            side, to = "" if owner is None else game.value(frame, owner), game.value(frame, destination)
            event = change.create(state, default_counter(state, kind, side, counter))
            journal += (event, change.move(state, event.subject, to))
            if name:
                game.bind(frame, name, graph.Piece((kind,)), event.subject)
        case graph.Pair():
            pair(game, frame, step)
        case graph.Write(name, new):
            record = game.value(frame, new)
            journal.append(change.write(state, record))
            if name:
                game.bind(frame, name, graph.RecordOf(new.record), record)
        case graph.Strike(expr):
            record = game.value(frame, expr)
            if record in state.records[record.type]:
                journal.append(change.remove_record(state, record))
        case _:
            raise AssertionError(f"{type(step).__name__} is no step")


def track_key(target: graph.Get | graph.GameTrack) -> str:
    """Return the key of a track in a state."""
    return f"{target.owner}.{target.name}"


def stream_of(game: "ReferenceGame", frame: Frame) -> str:
    """Return the random stream of a procedure."""
    return f"{game.state.turn}.{game.state.player}.{game.state.phase}.{frame.key}"


def random_value(game: "ReferenceGame", stream: str, low: int, high: int, die: str, members: Value = ()) -> Value:
    """Return the next number of a stream: a die result, or the index of one of `members`."""
    if game.faces is None:
        value = throw_die(game.seed, f"{stream}.{sum(each.stream == stream for each in game.dice)}", low, high)
    elif game.faces:
        value = game.faces.pop(0)
    else:
        raise UnknownDraw(low, high)
    face = members[value] if members and die else value
    game.dice.append(Die(die, face, stream))
    return members[value] if members else value


def draw(game: "ReferenceGame", frame: Frame, step: graph.Draw) -> None:
    """Draw members uniformly without replacement."""
    left = list(game.value(frame, step.source))
    if not left and not step.how:
        raise game.broken_rules(frame, f"there is nothing to draw `{step.name}` from")
    count = 1 if not step.how else len(left) if step.count is None else game.value(frame, step.count)
    members: list[Value] = []
    is_range = isinstance(step.source, graph.Op) and step.source.op == "span"
    for _ in range(min(len(left), max(0, count))):
        die = f"{left[0]}..{left[-1]}" if isinstance(step.of, graph.Number) else ""
        members.append(random_value(game, stream_of(game, frame), 0, len(left) - 1, die, tuple(left)))
        game.dice[-1] = game.dice[-1]._replace(is_open=is_range)
        left.remove(members[-1])
    value = members[0] if not step.how else game.state.frame.ordered(members) if step.how == "any" else tuple(members)
    game.bind(frame, step.name, drawn_type(step), value)


def add(game: "ReferenceGame", frame: Frame, target: graph.Get | graph.GameTrack, new: Value) -> None:
    """Add to a list or a set."""
    many, state = target_domain(game.rules, target), game.state
    value_in_range(game, frame, many.of if isinstance(many, graph.Many) else None, new)
    subject: Value = game.value(frame, target.base) if isinstance(target, graph.Get) else None
    if isinstance(target, graph.Get) and target.what == "record":
        new_members = state.frame.ordered((*(state.field(subject, target.name) or ()), new))
        game.journal.append(change.amend(state, subject, target.name, new_members))
    else:
        game.journal.append(change.append(state, track_key(target), subject, new))


def pair(game: "ReferenceGame", frame: Frame, step: graph.Pair) -> None:
    """Relate two pieces, or remove their relation; where one partner is admitted, the old one is removed first."""
    state, name = game.state, step.relation
    relation = game.rules.vocabulary.relations[name]
    left, right = game.value(frame, step.left), game.value(frame, step.right)
    if not step.on:
        if state.related(name, left, right):
            game.journal.append(change.unrelate(state, name, left, right))
        return
    payload = None if step.payload is None else game.value(frame, step.payload)
    value_in_range(game, frame, relation.payload.type if relation.payload else None, payload)
    match relation.one:
        case "left":
            before = [(other, right) for other in state.partners(name, "left", right) if other != left]
        case "right":
            before = [(left, other) for other in state.partners(name, "right", left) if other != right]
        case "":
            before = []
        case _:
            assert_never(relation.one)
    game.journal += [change.unrelate(state, name, *each) for each in before]
    game.journal.append(change.relate(state, name, left, right, payload))


def evaluate_in_range(
    game: "ReferenceGame", frame: Frame, target: graph.Get | graph.GameTrack, value: graph.Expr
) -> Value:
    """Evaluate the value of an assignment to a track or field, with a range check."""
    return value_in_range(game, frame, target_domain(game.rules, target), game.value(frame, value))


def value_in_range(game: "ReferenceGame", frame: Frame, type_: graph.Type | None, value: Value) -> Value:
    """Return a value if it lies in its declared domain, else raise; records are checked when they are created."""
    if (number := excluded_number(type_, value)) is not None:
        raise game.broken_rules(frame, f"{number} does not lie in the domain declared for it")
    return value
