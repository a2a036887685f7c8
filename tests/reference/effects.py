"""The effects of elementary steps, which need no decision and call no procedure: state changes and chance.

In: a game, the frame of the procedure, and the step. Out: events in the journal, dice, names.
"""

from typing import TYPE_CHECKING, Any, assert_never

from runtime.graph import nodes as graph
from runtime.graph.dice_subjects import dice_subjects, is_by_action
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import (
    AddMember,
    CreatePiece,
    FlipPiece,
    MovePiece,
    PrimitiveEffect,
    RelatePieces,
    RemovePiece,
    SetStatus,
    SetValue,
    StrikeRecord,
    WriteRecord,
    map_operands,
    stored_value,
)
from runtime.graph.operators.numbers import BARE
from runtime.graph.type_of import drawn_type
from runtime.play.dice import draw_below, key_of_text, procedure_key, random_number, subject_key
from runtime.play.playthrough import Die
from runtime.state import change
from runtime.state.default_counter import default_counter
from runtime.state.moment import Phase
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


def execute_step(game: "ReferenceGame", frame: Frame, step: Any) -> None:
    """Execute one step."""
    match step:
        case graph.Roll(name, die, low, high):
            subjects = dice_subjects(game.rules.procedures[frame.key], game.rules) if is_by_action(game.seed) else ()
            stream = stream_of(game, frame, subject_key(game.evaluate_all(frame, subjects)))
            game.bind(frame, name, BARE, random_value(game, stream, low, high, die))
        case graph.Draw():
            draw(game, frame, step)
        case _ if isinstance(step, graph.ChangingStep):
            # All operands are read before the first effect.
            effects = [map_operands(effect, lambda operand: game.value(frame, operand)) for effect in effects_of(step)]
            for effect in effects:
                apply_effect(game, frame, effect)
        case _:
            raise AssertionError(f"{type(step).__name__} is no step")


def apply_effect(game: "ReferenceGame", frame: Frame, effect: PrimitiveEffect[Value]) -> None:  # noqa: C901 -- one case an effect.
    """Apply one effect; a number that it stores must be in its declared range."""
    state, journal = game.state, game.journal
    _, declared, stored = stored_value(effect, game.rules.vocabulary) or ("", None, None)
    if (number := excluded_number(declared, stored)) is not None:
        raise game.broken_rules(frame, f"{number} does not lie in the domain declared for it")
    match effect:
        case SetValue(True, _, name, value, record) if record is not None:
            journal.append(change.amend(state, record, name, value))
        case SetValue(_, owner, name, value, subject):
            key = f"{owner}.{name}"
            if subject is None:
                journal.append(change.set_fact(state, key, value))
            elif state.track(key, subject) != value:
                journal.append(change.set_track(state, key, subject, value))
        case AddMember(True, _, name, new, record) if record is not None:
            new_members = state.frame.ordered((*(state.field(record, name) or ()), new))
            journal.append(change.amend(state, record, name, new_members))
        case AddMember(_, owner, name, new, subject):
            journal.append(change.append(state, f"{owner}.{name}", subject, new))
        case SetStatus(owner, name, on, subject):
            key = f"{owner}.{name}"
            if state.is_marked(key, subject) != on:
                journal.append(change.mark(state, key, subject) if on else change.unmark(state, key, subject))
        case MovePiece(place, piece, to):
            if state.hex[piece] == GONE:
                raise game.broken_rules(frame, f"{state.sheets[piece].name} is moved although it is gone")
            journal.append(change.move(state, piece, to, place or change.OPEN))
        case FlipPiece(face, piece):
            if not state.face(piece, face):
                raise game.broken_rules(frame, f"{state.sheets[piece].name} is turned to its {face} and has none")
            if state.hex[piece] != GONE:
                journal.append(change.flip(state, piece, face))
        case RemovePiece(for_good, piece):
            if state.hex[piece] != GONE:
                journal.append(change.remove(state, piece) if for_good else change.take_off_board(state, piece))
        case CreatePiece(kind, name, counter, to, owner):
            creation = change.create(state, default_counter(state, kind, owner or "", counter))
            journal += (creation, change.move(state, creation.subject, to))
            if name:
                game.bind(frame, name, graph.Piece((kind,)), creation.subject)
        case RelatePieces():
            relate(game, effect)
        case WriteRecord(type_, name, record):
            journal.append(change.write(state, record))
            if name:
                game.bind(frame, name, graph.RecordOf(type_), record)
        case StrikeRecord(record):
            if record in state.records[record.type]:
                journal.append(change.remove_record(state, record))


def stream_of(game: "ReferenceGame", frame: Frame, subject: int = 0) -> int:
    """Return the key of the random stream of a procedure."""
    phase = Phase(game.state.turn, game.state.player, game.state.phase)
    return procedure_key(key_of_text(game.seed), phase, frame.key, subject)


def random_value(game: "ReferenceGame", stream: int, low: int, high: int, die: str, members: Value = ()) -> Value:
    """Return the next number of a stream: a die result, or the index of one of `members`."""
    if game.faces is None:
        earlier = sum(each.stream == stream for each in game.dice)
        value = low + draw_below(high - low + 1, random_number(stream, earlier))
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


def relate(game: "ReferenceGame", effect: RelatePieces[Value]) -> None:
    """Relate two pieces, or remove their relation; where one partner is admitted, the old one is removed first."""
    state, name, left, right = game.state, effect.relation, effect.left, effect.right
    if not effect.on:
        if state.related(name, left, right):
            game.journal.append(change.unrelate(state, name, left, right))
        return
    relation = game.rules.vocabulary.relations[name]
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
    game.journal.append(change.relate(state, name, left, right, effect.payload))
