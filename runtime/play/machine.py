"""The machine that runs procedures: one instruction after the other until a player is asked.

In: a graph and an evaluator. Out: a `Machine` for all games of that graph; the games themselves
are courses, and all the machine knows of one is in its course.

`run` stops at a decision with two options or more. Where only one is left there is nothing to
decide, and the machine takes it itself: an offer with nothing open ends, a last candidate is
taken. `take` carries out an option and leaves the course ready to run on.
"""

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, Self

from runtime.graph import nodes as graph
from runtime.play.broken import BrokenRules, broken
from runtime.play.choices import END, STOP, TAKE, Choices, Decision, Option
from runtime.play.course import Call, Course, Names
from runtime.play.dice import Stream
from runtime.play.drawing import draw
from runtime.play.effects import EFFECTS
from runtime.play.flatten import flatten_all
from runtime.play.instructions import (
    Enter,
    Gather,
    Instruction,
    Jump,
    Lapse,
    Next,
    Return,
    Still,
    Tick,
    Unless,
)
from runtime.play.recall import Evaluator, Recall
from runtime.state import change
from runtime.state.parts import pairs, parts_of
from runtime.state.position import GONE, LEFT
from runtime.state.record import Value

# Actions taken in one offer. No phase of a printed game comes near it; an action that changes
# nothing and stays open would otherwise be taken for ever.
OFFER_CAP = 10_000
# Steps between two decisions, and procedures inside procedures: no printed game needs a hundredth of it.
STEP_CAP = 1_000_000
CALL_CAP = 200

OWN_TURN = "own_turn"

# Sides for which chance decides, each with its own.
Drawing = Mapping[str, Stream]
NOBODY_DRAWS: Drawing = {}


class Machine:
    """Runs the procedures of one graph."""

    def __init__(self, rules: graph.Graph, evaluator: Evaluator, settling: Evaluator | None = None) -> None:
        """Flatten all procedures.

        `settling` evaluates what is carried out, where somebody wants to listen to that and not to the
        search among options that nobody takes; without it `evaluator` does both.
        """
        self.graph = rules
        self.evaluator = Recall(evaluator, rules)
        self.settling = settling or evaluator
        self.listens = settling is not None
        self.programs = flatten_all(rules)
        self.choices = Choices(self.programs.of, self.evaluator, rules)
        relations = rules.vocabulary.relations.values()
        reads = self.evaluator.reads
        self.lapsing = tuple(
            (relation, relation.ends, (reads.of(relation.ends) or frozenset()) | {pairs(relation.name)})
            for relation in relations
            if relation.ends is not None
        )

    def unheard(self) -> Self:
        """Give the same machine without the one who listens: for players who try things out."""
        if not self.listens:
            return self
        twin = copy(self)
        twin.settling, twin.listens = self.evaluator.evaluator, False
        return twin

    def value(self, course: Course, call: Call, expr: graph.Expr) -> Value:
        """Evaluate an expression where a call stands."""
        return self.settling.evaluate(course.state, expr, call.names)

    def run(self, course: Course, floor: int = 0, drawing: Drawing = NOBODY_DRAWS) -> Decision | None:
        """Run until somebody has something to decide; None once only `floor` calls are left.

        Sides that draw are not asked: chance decides for them, and the course runs on.
        """
        calls = course.calls
        steps = 0
        while len(calls) > floor:
            steps += 1
            if steps > STEP_CAP:
                raise self.broken(course, f"more than {STEP_CAP:,} steps were taken without anything to decide")
            call = calls[-1]
            step = self.programs.of[call.key].code[call.at]
            kind = type(step)
            if kind is graph.Offer or kind is graph.Choose:
                self.end_pairs(course)
                made = course.choices
                if drawing and self.draws(course, call, step, drawing):
                    steps = steps if course.choices == made else 0
                    continue
                decision = self.decide(course, call, step)
                if len(decision.options) > 1:
                    return decision
                self.take(course, decision.options[0])
            elif effect := EFFECTS.get(kind):
                effect(self, course, call, step)
                call.at += 1
            else:
                MOVES[kind](self, course, call, step)
        self.end_pairs(course)
        return None

    def draws(self, course: Course, call: Call, step: Instruction, drawing: Drawing) -> bool:
        """Let chance decide where that is who decides for the side that is asked; say whether it did."""
        assert isinstance(step, graph.Offer | graph.Choose)
        chance = drawing.get(self.choices.side(course, call, step.by))
        if chance is None:
            return False
        chance.enter(course.moment())
        option, others = draw(self.choices, course, call, step, chance)
        if option is None:
            return False
        if others:
            course.mark()
        self.take(course, option)
        return True

    def end_pairs(self, course: Course) -> None:
        """Relate no longer what a relation says has ended: all such pairs at once, until there are none."""
        state = course.state
        while self.lapsing and course.settled != len(course.journal):
            since, course.settled = course.settled, len(course.journal)
            over = [
                (relation.name, left, right)
                for relation, ends, reads in self.lapsing
                if state.pairs[relation.name].payload and touched(course, since, reads)
                for (left, right), kept in state.pairs[relation.name].payload.items()
                if self.settling.evaluate(state, ends, ends_of(relation, left, right, kept))
            ]
            for name, left, right in sorted(over):
                course.happen(change.unrelate(state, name, left, right))

    def decide(self, course: Course, call: Call, step: Instruction) -> Decision:
        """List the options where a call stands; there is at least one."""
        if isinstance(step, graph.Offer):
            decision = self.choices.offer(course, call, step)
        else:
            assert isinstance(step, graph.Choose)
            decision = self.choices.choice(course, call, step)
        if decision.options:
            return decision
        if isinstance(step, graph.Offer):
            raise self.broken(course, "no action is open and the offer may not end")
        if step.how == "order" and step.most is None:
            return decision._replace(options=(Option(STOP, "", None),))
        raise self.broken(course, f"there is nothing to choose `{step.name}` from")

    def take(self, course: Course, option: Option) -> None:
        """Carry out an option of the decision at which the course stands."""
        call = course.calls[-1]
        step = self.programs.of[call.key].code[call.at]
        if isinstance(step, graph.Offer):
            self._offered(course, call, step, option)
        elif isinstance(step, graph.Choose) and not step.how:
            call.names[step.name] = option.value
            call.at += 1
        elif isinstance(step, graph.Choose):
            self._collected(course, call, step, option)

    def _offered(self, course: Course, call: Call, step: graph.Offer, option: Option) -> None:
        if option.what == END:
            call.names.pop("#taken", None)
            call.at += 1
            return
        assert option.what == TAKE
        taken = call.names["#taken"] = call.names.get("#taken", 0) + 1
        if taken > OFFER_CAP:
            raise self.broken(course, f"more than {OFFER_CAP} actions were taken in one offer")
        side = self.choices.side(course, call, step.by)
        key = f"action:{option.name}"
        course.calls.append(Call(key, 0, self.choices.opening(key, option.value, side)))

    def _collected(self, course: Course, call: Call, step: graph.Choose, option: Option) -> None:
        chosen: tuple[Value, ...] = call.names.get("#chosen", ())
        if option.what != STOP:
            chosen = call.names["#chosen"] = (*chosen, option.value)
            if step.how == "any" or len(chosen) < self._length(course, call, step):
                return
        call.names.pop("#chosen", None)
        call.names[step.name] = chosen
        call.at += 1

    def _length(self, course: Course, call: Call, step: graph.Choose) -> int:
        """Say how long an order is."""
        members = len(tuple(self.value(course, call, step.source)))
        return members if step.most is None else min(members, self.value(course, call, step.most))

    def call(self, course: Course, key: str, values: tuple[Value, ...], player: Value) -> None:
        """Put a procedure on top of those that run."""
        if len(course.calls) >= CALL_CAP:
            raise self.broken(course, f"procedures call each other more than {CALL_CAP} deep")
        names: Names = {"player": player}
        for parameter, value in zip(self.programs.of[key].procedure.parameters, values, strict=True):
            names[parameter.name] = value
        course.calls.append(Call(key, 0, names))

    def broken(self, course: Course, message: str) -> BrokenRules:
        """Say what is wrong where the course stands."""
        program = self.programs.of[course.calls[-1].key] if course.calls else None
        return broken(course.state, program, message)

    def values(self, course: Course, call: Call, arguments: tuple[graph.Expr, ...]) -> tuple[Value, ...]:
        """Evaluate arguments."""
        return tuple(self.value(course, call, argument) for argument in arguments)


def touched(course: Course, since: int, reads: frozenset[str]) -> bool:
    """Say whether anything has changed that is read here, since the journal was so long; -1 for never looked at."""
    kinds = course.state.kind
    return since < 0 or any(part in reads for event in course.journal[since:] for part, _ in parts_of(event, kinds))


def ends_of(relation: graph.Relation, left: int, right: int, kept: Value) -> Names:
    """Name both pieces of a pair and what it keeps."""
    payload = {relation.payload.name: kept} if relation.payload else {}
    return {relation.left.name: left, relation.right.name: right, **payload}


Move = Callable[[Machine, Course, Call, Any], None]


def _legal(machine: Machine, course: Course, call: Call, step: graph.Legal) -> None:
    # In a prefix the choices were made so that this holds; there only a listener gains from asking.
    late = call.at >= machine.programs.of[call.key].prefix
    if (late or machine.listens) and not machine.value(course, call, step.condition):
        raise machine.broken(course, "a condition behind the first effect does not hold")
    call.at += 1


def _do(machine: Machine, course: Course, call: Call, step: graph.Do) -> None:
    call.at += 1
    values = machine.values(course, call, step.arguments)
    machine.call(course, f"resolution:{step.resolution}", values, call.names.get("player", course.state.player))


def _tell(machine: Machine, course: Course, call: Call, step: graph.Tell) -> None:
    call.at += 1
    values = machine.values(course, call, step.arguments)
    machine.end_pairs(course)
    reacting = in_reaction(machine, course)
    # The first hook in order comes on top, so that it runs first.
    for key in reversed(machine.programs.hooks.get(step.event, ())):
        if not (reacting and machine.programs.of[key].offers):
            machine.call(course, key, values, call.names.get("player", course.state.player))


def in_reaction(machine: Machine, course: Course) -> bool:
    """Say whether a hook is offering something: what is told inside a reaction opens no reactions (3.25)."""
    programs = machine.programs.of
    hooks = ((programs[call.key], call.at) for call in course.calls if programs[call.key].offers)
    return any(isinstance(program.code[at], graph.Offer) for program, at in hooks)


def _jump(_: Machine, __: Course, call: Call, step: Jump) -> None:
    call.at = step.target


def _unless(machine: Machine, course: Course, call: Call, step: Unless) -> None:
    call.at = call.at + 1 if machine.value(course, call, step.condition) else step.target


def _gather(machine: Machine, course: Course, call: Call, step: Gather) -> None:
    found = tuple(machine.value(course, call, step.source))
    call.names[step.slot] = found
    if isinstance(step.member, graph.RecordOf):
        # Records that never were in the book, such as steps of a history, cannot be struck from it.
        written = course.state.records[step.member.name]
        call.names[f"{step.slot}w"] = tuple(record for record in found if record in written)
    call.at += 1


def _next(_: Machine, course: Course, call: Call, step: Next) -> None:
    left: tuple[Value, ...] = call.names[step.slot]
    while left and _is_gone(course, call, step, left[0]):
        left = left[1:]
    if left:
        call.names[step.slot] = left[1:]
        call.names[step.name] = left[0]
        call.at += 1
        return
    call.names.pop(step.slot)
    call.names.pop(f"{step.slot}w", None)
    call.at = step.target


def _is_gone(course: Course, call: Call, step: Next, member: Value) -> bool:
    match step.member:
        case graph.Piece():
            return course.state.hex[member] == GONE
        case graph.RecordOf(name):
            return member in call.names[f"{step.slot}w"] and member not in course.state.records[name]
        case _:
            return False


def _tick(_: Machine, course: Course, call: Call, step: Tick) -> None:
    left: tuple[Value, ...] = call.names[step.slot]
    if not left:
        call.names.pop(step.slot)
        call.at = step.target
        return
    call.names[step.slot] = left[1:]
    call.names[step.name] = left[0]
    if step.name == "turn":
        course.happen(change.set_turn(course.state, left[0]))
    elif step.name == "player":
        course.happen(change.set_player(course.state, left[0]))
    call.at += 1


def _enter(_: Machine, course: Course, call: Call, step: Enter) -> None:
    course.happen(change.set_phase(course.state, step.phase))
    call.at += 1


def _lapse(_: Machine, course: Course, call: Call, step: Lapse) -> None:
    player = course.state.player if step.moment == OWN_TURN else ""
    for event in change.end_moment(course.state, step.moment, player):
        course.happen(event)
    call.at += 1


def _still(_: Machine, course: Course, call: Call, step: Still) -> None:
    if course.state.hex[call.names[step.subject]] in LEFT:
        course.calls.pop()
    else:
        call.at += 1


def _return(_: Machine, course: Course, __: Call, ___: Return) -> None:
    course.calls.pop()


MOVES: dict[type, Move] = {
    graph.Legal: _legal, graph.Do: _do, graph.Tell: _tell, Jump: _jump, Unless: _unless, Gather: _gather,
    Next: _next, Tick: _tick, Enter: _enter, Lapse: _lapse, Still: _still, Return: _return,
}  # fmt: skip
