"""The reference game: executes procedures step by step, as they are written.

In: a graph, a position, and a seed. Out: decisions, each with every option that docs/language.md, 10 leaves open;
after each choice the position, the dice and the journal.

A game is a position and a stack of pending items, the next one on top. Each item belongs to a running procedure
(`Frame`). A game is at a decision when an offer or a choice with at least two options is on top.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from runtime.answer.evaluator import Evaluator
from runtime.answer.interpreter import Interpreter
from runtime.board.answer_errors import OutOfRangeError
from runtime.graph import nodes as graph
from runtime.graph.predeclared_types import SIDE, member_of
from runtime.graph.steps import MOMENT_OF_ROUND, count_head_steps
from runtime.graph.type_of import type_of
from runtime.play.options import END, STOP, TAKE, Decision, Option
from runtime.play.pair_endings import ends_of
from runtime.play.playthrough import Die
from runtime.play.rule_faults import BrokenRules, Fault
from runtime.state import change
from runtime.state.digest import state_digest
from runtime.state.position import GONE, LEFT, State
from runtime.state.ranges import check_ranges
from runtime.state.record import Event, Value
from runtime.state.visibility import secret_types
from tests.reference import choices, effects, obligations
from tests.reference.pending_steps import (
    EndOfMoment,
    EndOfProcedure,
    Frame,
    Head,
    Item,
    Iterate,
    OpenOffer,
    PendingChoice,
    ReturnIfGone,
    Round,
)


class ReferenceGame:
    """One game. It owns and changes `state`; `seed` determines its dice."""

    def __init__(self, rules: graph.Graph, state: State, seed: str, evaluator: Evaluator | None = None) -> None:
        """Start before the first step of the sequence of play; without `evaluator` the interpreter is used."""
        self.rules = rules
        self.state = state
        self.seed = seed
        self.faces: list[int] | None = None  # Results of dice and draws given in advance.
        self.dice: list[Die] = []
        self.journal: list[Event] = []
        self.todo: list[tuple[Frame, Item]] = []
        self.evaluator = evaluator or Interpreter(rules)
        self.secret = frozenset(map(graph.RecordOf, secret_types(rules)))
        self.hooks: dict[str, list[str]] = {}
        for key, procedure in sorted(rules.procedures.items()):
            if procedure.what == "hook":
                self.hooks.setdefault(procedure.event, []).append(key)
        self.begin("sequence", (), state.player)

    def copy(self) -> "ReferenceGame":
        """Return an independent copy of the game."""
        game_copy = ReferenceGame(self.rules, self.state.copy(), self.seed, self.evaluator)
        game_copy.faces = self.faces
        game_copy.dice, game_copy.journal = self.dice.copy(), self.journal.copy()
        copies = {id(f): Frame(f.key, f.procedure, f.names.copy(), f.types.copy(), f.subject) for f, _ in self.todo}
        game_copy.todo = [(copies[id(frame)], item) for frame, item in self.todo]
        return game_copy

    def position_hash(self) -> str:
        """Hash the position and the number of dice, as `Playthrough.position_hash` does."""
        return state_digest(self.state, (len(self.dice),))

    def advance(self) -> Decision | None:
        """Execute steps up to the next decision and return it; None at the end of the game.

        An offer or choice with a single option is no decision. Raises `BrokenRules` where no option is left.
        """
        while (pending_item := self.run_to_decision()) is not None:
            decision = obligations.admissible_options(self, choices.decision(self, *pending_item))
            if len(decision.options) > 1:
                return decision
            self.take(decision.options[0])
        return None

    def run_to_decision(self) -> tuple[Frame, OpenOffer | PendingChoice] | None:
        """Execute steps up to the next offer or choice; None at the end of the game."""
        while self.todo:
            frame, item = self.todo[-1]
            if isinstance(item, OpenOffer | PendingChoice):
                self.end_pairs()
                return frame, item
            self.todo.pop()
            try:
                self.execute_item(frame, item)
            except OutOfRangeError as left:
                raise self.broken_rules(frame, str(left)) from None
        self.end_pairs()
        return None

    def take(self, option: Option) -> None:
        """Apply an option of the current decision."""
        frame, item = self.todo.pop()
        match item:
            case OpenOffer(offer) if option.kind == TAKE:
                self.todo.append((frame, item))
                self.begin(f"action:{option.name}", option.value, choices.deciding_side(self, frame, offer.by))
            case PendingChoice(choice, rest, _) if not choice.how:
                self.bind_choice(frame, choice, rest, option.value)
            case PendingChoice(choice, rest, chosen):
                chosen = chosen if option.kind == STOP else (*chosen, option.value)
                if option.kind == STOP or choices.is_full(self, frame, choice, chosen):
                    self.bind_choice(frame, choice, rest, chosen)
                else:
                    self.todo.append((frame, PendingChoice(choice, rest, chosen)))
            case _:
                assert option.kind == END

    def bind_choice(
        self, frame: Frame, choice: graph.Choose, rest: tuple[graph.Step, ...] | None, value: Value
    ) -> None:
        """Bind the chosen value.

        The subject of an action not called with a piece is the first one that it chooses outside `if` and loops.
        """
        type_ = choices.type_chosen(self, frame, choice)
        self.bind(frame, choice.name, type_, value)
        always = any(choice is each for each in frame.procedure.body)
        if frame.procedure.what == "action" and always and not frame.subject and isinstance(type_, graph.Piece):
            frame.subject = choice.name
        if rest is not None:
            self.todo.append((frame, Head(rest)))

    def execute_item(self, frame: Frame, item: Item) -> None:
        """Continue a pending item, or execute a step."""
        match item:
            case Head((graph.Choose() as choice, *rest)):
                self.todo.append((frame, PendingChoice(choice, tuple(rest))))
            case Head((step, *rest)):
                self.todo += ((frame, Head(tuple(rest))), (frame, step))
            case Iterate():
                self.next_member(frame, item)
            case Round():
                self.next_round(frame, item)
            case EndOfMoment(moment):
                player = self.state.player if moment == MOMENT_OF_ROUND["player"] else ""
                self.journal += change.end_moment(self.state, moment, player)
            case ReturnIfGone():
                if self.state.hex[frame.names[frame.subject]] in LEFT:
                    self.end(frame)
            case Head(()) | EndOfProcedure():
                pass
            case _:
                self.execute_step(frame, item)

    def execute_step(self, frame: Frame, step: Any) -> None:  # noqa: C901 -- one case a step.
        """Execute a step, or push its parts."""
        match step:
            case graph.Let(name, value):
                self.bind(frame, name, type_of(value, frame.types, self.rules), self.value(frame, value))
            case graph.Legal(condition):
                if not self.value(frame, condition):
                    raise self.broken_rules(frame, "a condition does not hold")
            case graph.Choose():
                self.todo.append((frame, PendingChoice(step, None)))
            case graph.Offer():
                self.todo.append((frame, OpenOffer(step)))
            case graph.Branch(condition, consequent, orelse):
                self.push_steps(frame, consequent if self.value(frame, condition) else orelse)
            case graph.Loop(_, source, _):
                members = tuple(self.value(frame, source))
                book = list(chain.from_iterable(self.state.records.values()))
                self.todo.append((frame, Iterate(step, members, tuple(each for each in members if each in book))))
            case graph.Each(_, source, _):
                self.todo.append((frame, Round(step, tuple(self.value(frame, source)))))
            case graph.Phase(name, _, body):
                self.journal.append(change.set_phase(self.state, name))
                self.push_steps(frame, (*body, graph.End(name)))
            case graph.End(moment):
                self.todo.append((frame, EndOfMoment(moment)))
                if f"end of {moment}" in self.rules.vocabulary.events:
                    self.announce(frame, f"end of {moment}", ())
            case graph.Stop():
                self.end(frame)
            case graph.BeginAccount():
                pass  # It changes nothing, and this player tells no accounts.
            case graph.Do(resolution, arguments, _):
                self.begin(f"resolution:{resolution}", self.evaluate_all(frame, arguments), self.player(frame))
            case graph.Tell(event, arguments):
                values = self.evaluate_all(frame, arguments)
                if frame.subject:
                    self.todo.append((frame, ReturnIfGone()))
                self.announce(frame, event, values)
            case _:
                effects.execute_step(self, frame, step)

    def push_steps(self, frame: Frame, steps: Sequence[graph.Step]) -> None:
        """Push steps, the first on top."""
        self.todo += ((frame, step) for step in reversed(steps))

    def next_member(self, frame: Frame, item: Iterate) -> None:
        """Run a loop body with its next member; a piece or written record that is gone is skipped."""
        for place, member in enumerate(item.members):
            match member_type := member_of(type_of(item.loop.source, frame.types, self.rules)):
                case graph.Piece():
                    is_gone = self.state.hex[member] == GONE
                case graph.RecordOf(name):
                    is_gone = member in item.written and member not in self.state.records[name]
                case _:
                    is_gone = False
            if not is_gone:
                self.bind(frame, item.loop.name, member_type, member)
                self.todo.append((frame, item._replace(members=item.members[place + 1 :])))
                self.push_steps(frame, item.loop.body)
                return

    def next_round(self, frame: Frame, item: Round) -> None:
        """Run a loop of the clock once more; its moment ends after each iteration."""
        if not item.members:
            return
        name, member = item.loop.name, item.members[0]
        self.bind(frame, name, member_of(type_of(item.loop.source, frame.types, self.rules)), member)
        match name:
            case "turn":
                self.journal.append(change.set_turn(self.state, member))
            case "player":
                self.journal.append(change.set_player(self.state, member))
            case _:
                pass
        self.todo.append((frame, item._replace(members=item.members[1:])))
        self.push_steps(frame, (*item.loop.body, graph.End(MOMENT_OF_ROUND.get(name, name))))

    def begin(self, key: str, values: tuple[Value, ...], player: Value) -> None:
        """Push a call of a procedure."""
        procedure = self.rules.procedures[key]
        check_ranges(procedure.parameters, procedure.name, values)
        names = dict(zip((part.name for part in procedure.parameters), values, strict=True))
        types = {"player": SIDE, **{part.name: part.type for part in procedure.parameters}}
        frame = Frame(key, procedure, {"player": player, **names}, types, "")
        self.todo.append((frame, EndOfProcedure()))
        if procedure.what != "action":
            self.push_steps(frame, procedure.body)
            return
        frame.subject = next((part.name for part in procedure.parameters if isinstance(part.type, graph.Piece)), "")
        size = count_head_steps(procedure.body)
        self.push_steps(frame, procedure.body[size:])
        self.todo.append((frame, Head(procedure.body[:size])))

    def end(self, frame: Frame) -> None:
        """Return from a procedure: pop all its items."""
        while (last := self.todo.pop()) and not (last[0] is frame and isinstance(last[1], EndOfProcedure)):
            pass

    def announce(self, frame: Frame, event: str, values: tuple[Value, ...]) -> None:
        """Push the hooks on an event, the first on top; an event inside a reaction offers no reactions."""
        self.end_pairs()
        reacting = any(isinstance(item, OpenOffer) and f.procedure.what == "hook" for f, item in self.todo)
        for key in reversed(self.hooks.get(event, ())):
            if not (reacting and choices.offers_reaction(self.rules.procedures[key])):
                self.begin(key, values, self.player(frame))

    def end_pairs(self) -> None:
        """Remove the pairs whose relation has ended: all of them at once, repeated to a fixed point."""
        ended_pairs: list[tuple[str, int, int]] | None = None
        while ended_pairs is None or ended_pairs:
            ended_pairs = [
                (relation.name, left, right)
                for relation in self.rules.vocabulary.relations.values()
                if relation.ends is not None
                for (left, right), payload_value in self.state.pairs[relation.name].payload.items()
                if self.evaluator.evaluate(self.state, relation.ends, ends_of(relation, left, right, payload_value))
            ]
            self.journal += [change.unrelate(self.state, *pair) for pair in sorted(ended_pairs)]

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

    def broken_rules(self, frame: Frame, message: str, error_class: type[BrokenRules] = BrokenRules) -> BrokenRules:
        """Return the error with its procedure and moment."""
        state, origin = self.state, frame.procedure.origin
        return error_class(Fault(message, frame.key, origin, state.turn, state.player, state.phase, out_of_range=""))
