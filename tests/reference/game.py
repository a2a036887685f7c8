"""The oracle of play: executes procedures by recursion over their steps, and enumerates every option.

In: a graph, a position, and a seed. Out: decisions, each with every option that docs/language.md, 10 leaves open;
after each choice the position, the dice and the journal. Expressions are evaluated by the interpreter, the primitive
effects of steps are those of the records; nothing else is shared with the machine.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from runtime.answer.evaluator import Evaluator
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import OutOfRangeError
from runtime.graph.dice_subjects import dice_subjects, is_by_action
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import map_operands
from runtime.graph.operators.numbers import BARE
from runtime.graph.predeclared_types import SIDE, member_of
from runtime.graph.steps import MOMENT_OF_ROUND, count_head_steps, nested_steps
from runtime.graph.type_of import bound_types, drawn_type, type_of
from runtime.play.dice import draw_below, key_of_text, procedure_key, random_number, subject_key
from runtime.play.options import END, STOP, Decision, Option
from runtime.play.pair_endings import end_pairs
from runtime.play.playthrough import Die, Names
from runtime.play.primitive_effects import apply_effect
from runtime.play.rule_faults import BrokenRules, Fault
from runtime.state import change
from runtime.state.digest import state_digest
from runtime.state.moment import Phase
from runtime.state.position import GONE, LEFT, State
from runtime.state.ranges import check_ranges
from runtime.state.record import Event, Record, Value
from runtime.state.visibility import secret_types
from tests.reference import choices, obligations


@dataclass(slots=True)
class Frame:
    """A running procedure: its bindings, their types, and the name of the subject of an action ("" for none)."""

    key: str
    procedure: graph.Procedure
    names: Names
    types: dict[str, graph.Type]
    subject: str


class Site(NamedTuple):
    """An offer, or a choice with the members chosen so far; `rest` is the rest of the head, None behind it."""

    frame: Frame
    step: graph.Offer | graph.Choose
    rest: tuple[graph.Step, ...] | None = None
    chosen: tuple[Value, ...] = ()


class OpenOffer(NamedTuple):
    """An offer in progress; `serial` counts the offers that were opened before it."""

    serial: int
    frame: Frame
    offer: graph.Offer


class EndOfProcedure(Exception):  # noqa: N818 -- no error.
    """The end of the latest procedure."""


Run = Generator[Site, Option, None]


class ReferenceGame:
    """One game. It owns and changes `state`; `seed` determines its dice."""

    def __init__(self, rules: graph.Graph, state: State, seed: str, evaluator: Evaluator | None = None) -> None:
        """Start before the first step of the sequence of play; without `evaluator` the interpreter is used."""
        self.graph, self.state, self.seed = rules, state, seed
        self.opening, self.taken_options = state.copy(), list[Option]()
        self.faces: list[int] | None = None  # Results of dice and draws given in advance.
        self.dice, self.results = list[Die](), list[int]()
        self.journal: list[Event] = []
        self.frames: list[Frame] = []
        self.offers: list[OpenOffer] = []
        self.opened_offers = 0
        self.evaluator = evaluator or Interpreter(rules)
        self.secret = frozenset(map(graph.RecordOf, secret_types(rules)))
        self.run = self.call("sequence", (), state.player)
        self.next_option: Option | None = None
        self.site: Site | None = None

    def replayed(self) -> "ReferenceGame":
        """Return another game in which the same options were taken, with the same dice."""
        other = ReferenceGame(self.graph, self.opening.copy(), self.seed, self.evaluator)
        other.faces = self.results.copy()
        for option in self.taken_options:
            other.run_to_decision()
            other.take(option)
        return other

    def position_hash(self) -> str:
        """Hash the position and the number of dice, as `Playthrough.position_hash` does."""
        return state_digest(self.state, (len(self.dice),))

    def advance(self) -> Decision | None:
        """Execute steps up to the next decision and return it; None at the end of the game.

        An offer or choice with a single option is no decision. Raises `BrokenRules` where no option is left.
        """
        while (site := self.run_to_decision()) is not None:
            decision = obligations.admissible_options(self, choices.decision(self, site))
            if len(decision.options) > 1:
                return decision
            self.take(decision.options[0])
        return None

    def run_to_decision(self) -> Site | None:
        """Execute steps up to the next offer or choice; None at the end of the game."""
        if self.site is None or self.next_option is not None:
            option, self.next_option = self.next_option, None
            try:
                self.site = next(self.run) if option is None else self.run.send(option)
            except StopIteration:
                self.site = None
            except OutOfRangeError as left:
                raise self.broken_rules(self, str(left)) from None
            self.end_pairs()
        return self.site

    def take(self, option: Option) -> None:
        """Take an option of the current decision, with the records of this game in place of others."""
        self.taken_options.append(option)
        self.next_option = option._replace(value=self.own_value(option.value))

    def own_value(self, value: Value) -> Value:
        """Return a value with the record of this game in place of the one with its number in another."""
        if isinstance(value, tuple):
            return tuple(map(self.own_value, value))
        if not isinstance(value, Record):
            return value
        return next((each for each in self.state.records[value.type] if each.serial == value.serial), value)

    # ---------------------------------------------------------------- steps

    def call(self, key: str, values: tuple[Value, ...], player: Value) -> Run:
        """Execute a procedure."""
        procedure = self.graph.procedures[key]
        check_ranges(procedure.parameters, procedure.name, values)
        names = dict(zip((part.name for part in procedure.parameters), values, strict=True))
        types = {"player": SIDE, **{part.name: part.type for part in procedure.parameters}}
        pieces = [part.name for part in procedure.parameters if isinstance(part.type, graph.Piece)]
        is_action = procedure.what == "action"
        frame = Frame(key, procedure, {"player": player, **names}, types, pieces[0] if is_action and pieces else "")
        self.frames.append(frame)
        try:
            size = count_head_steps(procedure.body) if is_action else 0
            for index, step in enumerate(procedure.body[:size], 1):
                yield from self.execute_step(frame, step, procedure.body[index:size])
            yield from self.execute_all(frame, procedure.body[size:])
        except EndOfProcedure:
            pass
        self.frames.pop()

    def execute_all(self, frame: Frame, steps: Sequence[graph.Step]) -> Run:
        """Execute steps in order."""
        for step in steps:
            yield from self.execute_step(frame, step)

    def execute_step(  # noqa: C901 -- one case a step.
        self, frame: Frame, step: graph.Step, rest: tuple[graph.Step, ...] | None = None
    ) -> Run:
        """Execute a step; `rest` is the rest of the head that it is in, None behind it."""
        match step:
            case graph.Let(name, value):
                self.bind(frame, name, type_of(value, frame.types, self.graph), self.value(frame, value))
            case graph.Legal(condition):
                if not self.value(frame, condition):
                    raise self.broken_rules(self, "a condition does not hold")
            case graph.Choose():
                yield from self.choose(frame, step, rest)
            case graph.Offer():
                yield from self.offer(frame, step)
            case graph.Branch(condition, consequent, orelse):
                yield from self.execute_all(frame, consequent if self.value(frame, condition) else orelse)
            case graph.Loop():
                yield from self.loop(frame, step)
            case graph.Each():
                yield from self.rounds(frame, step)
            case graph.Phase(name, _, body):
                self.journal.append(change.set_phase(self.state, name))
                yield from self.execute_all(frame, (*body, graph.End(name)))
            case graph.End(moment):
                if f"end of {moment}" in self.graph.vocabulary.events:
                    yield from self.announce(frame, f"end of {moment}", ())
                player = self.state.player if moment == MOMENT_OF_ROUND["player"] else ""
                self.journal += change.end_moment(self.state, moment, player)
            case graph.Stop():
                raise EndOfProcedure
            case graph.BeginAccount():
                pass  # It changes nothing, and no accounts are told here.
            case graph.Do(resolution, arguments, _):
                values = self.evaluate_all(frame, arguments)
                yield from self.call(f"resolution:{resolution}", values, self.player(frame))
            case graph.Tell(event, arguments):
                yield from self.announce(frame, event, self.evaluate_all(frame, arguments))
                if frame.subject and self.state.hex[frame.names[frame.subject]] in LEFT:
                    raise EndOfProcedure
            case graph.Roll(name, die, low, high):
                subjects = dice_subjects(frame.procedure, self.graph) if is_by_action(self.seed) else ()
                subject = subject_key(self.evaluate_all(frame, subjects))
                self.bind(frame, name, BARE, self.random_value(frame, low, high, die, subject=subject))
            case graph.Draw():
                self.draw(frame, step)
            case _:
                self.change(frame, step)

    def change(self, frame: Frame, step: graph.ChangingStep) -> None:
        """Change the position. All operands are read before the first effect."""
        effects = [map_operands(effect, lambda operand: self.value(frame, operand)) for effect in effects_of(step)]
        for effect in effects:
            playing: Any = self  # The attributes that effects use are those of a machine and of a playthrough.
            apply_effect(playing, playing, frame.names, effect)
        frame.types.update(bound_types(step))

    def record_event(self, event: Event) -> None:
        """Append an event to the journal."""
        self.journal.append(event)

    def choose(self, frame: Frame, step: graph.Choose, rest: tuple[graph.Step, ...] | None) -> Run:
        """Let a side choose a member, or members one by one.

        The subject of an action not called with a piece is the first one that it chooses outside `if` and loops.
        """
        type_ = choices.type_chosen(self, frame, step)
        value: Any = ()
        option: Option | None = None
        while option is None or (step.how and option.kind != STOP and not choices.is_full(self, frame, step, value)):
            option = yield Site(frame, step, rest, value)
            value = option.value if not step.how else value if option.kind == STOP else (*value, option.value)
        self.bind(frame, step.name, type_, value)
        always = any(step is each for each in frame.procedure.body)
        if frame.procedure.what == "action" and always and not frame.subject and isinstance(type_, graph.Piece):
            frame.subject = step.name

    def offer(self, frame: Frame, offer: graph.Offer) -> Run:
        """Offer actions until the offer ends."""
        self.offers.append(OpenOffer(self.opened_offers, frame, offer))
        self.opened_offers += 1
        while (option := (yield Site(frame, offer))).kind != END:
            yield from self.call(f"action:{option.name}", option.value, choices.deciding_side(self, frame, offer.by))
        self.offers.pop()

    def loop(self, frame: Frame, step: graph.Loop) -> Run:
        """Execute steps for each member; a piece or written record that is gone is skipped."""
        members = tuple(self.value(frame, step.source))
        member_type = member_of(type_of(step.source, frame.types, self.graph))
        records = self.state.records[member_type.name] if isinstance(member_type, graph.RecordOf) else ()
        written = [member for member in members if member in records]
        for member in members:
            if isinstance(member_type, graph.Piece) and self.state.hex[member] == GONE:
                continue
            if member in written and member not in self.state.records[member.type]:
                continue
            self.bind(frame, step.name, member_type, member)
            yield from self.execute_all(frame, step.body)

    def rounds(self, frame: Frame, step: graph.Each) -> Run:
        """Execute a loop of the clock; its moment ends after each iteration."""
        clock: dict[str, Callable[[State, Any], Event]] = {"turn": change.set_turn, "player": change.set_player}
        set_clock = clock.get(step.name)
        member_type = member_of(type_of(step.source, frame.types, self.graph))
        for member in tuple(self.value(frame, step.source)):
            self.bind(frame, step.name, member_type, member)
            if set_clock is not None:
                self.journal.append(set_clock(self.state, member))
            yield from self.execute_all(frame, (*step.body, graph.End(MOMENT_OF_ROUND.get(step.name, step.name))))

    def announce(self, frame: Frame, event: str, values: tuple[Value, ...]) -> Run:
        """Call the hooks on an event in the order of their keys; an event inside a reaction offers no reactions."""
        self.end_pairs()
        player = self.player(frame)
        is_reacting = any(each.frame.procedure.what == "hook" for each in self.offers)
        for key, hook in sorted(self.graph.procedures.items()):
            offers = any(isinstance(step, graph.Offer) for step in nested_steps(hook.body))
            if hook.what == "hook" and hook.event == event and not (is_reacting and offers):
                yield from self.call(key, values, player)

    def end_pairs(self) -> None:
        """Remove the pairs whose relation has ended."""
        self.journal += end_pairs(self.graph, self.state, self.evaluator)

    # ---------------------------------------------------------------- chance

    def random_value(
        self, frame: Frame, low: int, high: int, die: str, members: Sequence[Value] = (), *, subject: int = 0
    ) -> Value:
        """Return the next number of the stream of a procedure: a die result, or one of `members` by its index."""
        stream = procedure_key(
            key_of_text(self.seed), Phase(self.state.turn, self.state.player, self.state.phase), frame.key, subject
        )
        if self.faces is None:
            earlier = sum(each.stream == stream for each in self.dice)
            value = low + draw_below(high - low + 1, random_number(stream, earlier))
        elif self.faces:
            value = self.faces.pop(0)
        else:
            raise obligations.UnknownDraw(low, high)
        self.results.append(value)
        self.dice.append(Die(die, members[value] if members and die else value, stream))
        return members[value] if members else value

    def draw(self, frame: Frame, step: graph.Draw) -> None:
        """Draw members uniformly without replacement."""
        left = list(self.value(frame, step.source))
        if not left and not step.how:
            raise self.broken_rules(self, f"there is nothing to draw `{step.name}` from")
        count = 1 if not step.how else len(left) if step.count is None else self.value(frame, step.count)
        members: list[Value] = []
        is_range = isinstance(step.source, graph.Op) and step.source.op == "span"
        for _ in range(min(len(left), max(0, count))):
            die = f"{left[0]}..{left[-1]}" if isinstance(step.of, graph.Number) else ""
            members.append(self.random_value(frame, 0, len(left) - 1, die, tuple(left)))
            self.dice[-1] = self.dice[-1]._replace(is_open=is_range)
            left.remove(members[-1])
        value = (
            members[0] if not step.how else self.state.frame.ordered(members) if step.how == "any" else tuple(members)
        )
        self.bind(frame, step.name, drawn_type(step), value)

    # ---------------------------------------------------------------- values

    def bind(self, frame: Frame, name: str, type_: graph.Type, value: Value) -> None:
        """Bind a name."""
        frame.names[name], frame.types[name] = value, type_

    def value(self, frame: Frame, expr: graph.Expr) -> Value:
        """Evaluate an expression in a frame."""
        return self.evaluator.evaluate(self.state, expr, frame.names)

    def evaluate_all(self, frame: Frame, exprs: Sequence[graph.Expr]) -> tuple[Value, ...]:
        """Evaluate several expressions in a frame."""
        return tuple(self.value(frame, expr) for expr in exprs)

    def player(self, frame: Frame) -> Value:
        """Return the player for whom a procedure runs."""
        return frame.names.get("player", self.state.player)

    def broken_rules(
        self, _: object, message: str, error_class: type[BrokenRules] = BrokenRules, out_of_range: str = ""
    ) -> BrokenRules:
        """Return the error with its procedure and moment."""
        state, frame = self.state, self.frames[-1]
        fault = Fault(message, frame.key, frame.procedure.origin, state.turn, state.player, state.phase, out_of_range)
        return error_class(fault)
