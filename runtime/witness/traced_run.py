"""Run an example in one of two stacks, line by line: the changes of each line, the procedures that run, the decisions.

The input is a graph, an example of either stack as far as the graph can express it, and a fast evaluator; the output is
what a line has changed, by slot; what it would have changed without one of the hooks; and every question behind it.
Slots are identified by names, never by indices of one game, so that two games can be compared.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from typing import NamedTuple

from runtime.answer.answer_memo import AnswerMemo
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import VERDICT, untyped_text, value_text
from runtime.examples.run import ExampleRun
from runtime.examples.sequence_checks import order_mismatch
from runtime.examples.set_up import set_up
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.answer_errors import Unanswered
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.type_of import type_of
from runtime.play.game import SEQUENCE
from runtime.play.machine import Machine
from runtime.play.nested_offers import perform_offered
from runtime.play.options import Decision
from runtime.play.playthrough import Names, Playthrough
from runtime.play.programs import program_of
from runtime.play.rule_faults import BrokenRules
from runtime.state.change import OPEN
from runtime.state.position import GONE, LOST, State
from runtime.state.record import Event, Value
from runtime.trial.divergence import AnswerTracer, TracedAnswers, comparable_value
from runtime.witness.set_up import NO_ANSWER, no_answer_text, stop_text
from runtime.witness.snapshot import position_of


class ChangedSlot(NamedTuple):
    """A slot of one subject, known by its name in two games: `kind` and `key` are those of the event that changed it.

    A `PositionSlot` has no subject, and no account that a procedure tells.
    """

    kind: str
    key: str
    subject: str


class _SlotDifference(NamedTuple):
    """The former and the present value of a slot."""

    before: str
    after: str


Outcome = dict[ChangedSlot, _SlotDifference]


def summarize_events(state: State, events: Iterable[Event]) -> Outcome:
    """Summarize events: a value that was restored has not changed."""
    found: dict[ChangedSlot, tuple[Event, Value]] = {}
    for event in events:
        if event.kind in ("create", "recovery"):
            continue
        slot = ChangedSlot(event.kind, event.key, _subject(state, event))
        first = found[slot][0] if slot in found else event
        found[slot] = first, event.new
    return {
        slot: _SlotDifference(_value_text(state, first, first.old), _value_text(state, first, new))
        for slot, (first, new) in found.items()
        if _value_text(state, first, first.old) != _value_text(state, first, new)
    }


def differing_things(first: Outcome, second: Outcome) -> list[ChangedSlot]:
    """Return the slots whose values differ between two games."""
    return [
        slot for slot in dict.fromkeys((*first, *second)) if _current_value(first, slot) != _current_value(second, slot)
    ]


def state_of(outcome: Outcome, other: Outcome, slots: Iterable[ChangedSlot]) -> str:
    """Format the values of the first game; an unchanged slot has the former value of both."""
    return " and ".join(outcome[slot].after if slot in outcome else other[slot].before for slot in slots)


def common_slots(slots: Iterable[ChangedSlot], graphs: tuple[graph.Graph, graph.Graph]) -> list[ChangedSlot]:
    """Return the slots that both stacks can express."""
    return [slot for slot in slots if all(_has_word(slot, rules) for rules in graphs)]


def difference_texts(
    outcomes: Sequence[Outcome], slots: list[ChangedSlot], graphs: tuple[graph.Graph, graph.Graph]
) -> tuple[list[str], tuple[str, ...]]:
    """Format the values of slots in each game; return their words too if one of the stacks lacks all of them."""
    first, second = outcomes
    shared = common_slots(slots, graphs)
    shown_slots = shared or slots
    missing_words = () if shared else tuple(dict.fromkeys(slot.key.rpartition(".")[2] for slot in slots))
    return [state_of(first, second, shown_slots), state_of(second, first, shown_slots)], missing_words


def _current_value(side: Outcome, slot: ChangedSlot) -> str | None:
    return side[slot].after if slot in side else None


def _has_word(slot: ChangedSlot, rules: graph.Graph) -> bool:
    vocabulary = rules.vocabulary
    match slot.kind:
        case "mark":
            return slot.key in vocabulary.flags
        case "track" | "fact":
            return slot.key in vocabulary.tracks
        case "pair":
            return slot.key in vocabulary.relations
        case "record":
            return slot.key in vocabulary.records
        case _:
            return True


def _subject(state: State, event: Event) -> str:
    """Return the name of the subject of an event."""
    match event.kind:
        case "move" | "flip":
            return state.sheets[event.subject].name
        case "mark" | "track":
            return _owner(state, event.key, event.subject)
        case "pair":
            return " ".join(state.sheets[piece].name for piece in event.subject)
        case "record" | "amend":
            return untyped_text(state, event.subject)
        case _:
            return ""


def _owner(state: State, key: str, subject: Value) -> str:
    owner = key.partition(".")[0]
    if owner in state.graph.vocabulary.kinds:
        return state.sheets[subject].name
    return state.board.names[subject] if owner == "hex" else words.readable_name(str(subject))


def _value_text(state: State, event: Event, value: Value) -> str:
    """Format the value of a slot."""
    vocabulary = state.graph.vocabulary
    subject, name = _subject(state, event), event.key.rpartition(".")[2]
    match event.kind:
        case "move":
            return f"{subject} is {_location_text(state, value)}"
        case "flip":
            return f"{subject} shows {words.counter(value.counter, state.graph.counters)}"
        case "mark":
            flag_phrase = words.flag(event.key.partition(".")[0], name, vocabulary)
            return _status_text(subject, flag_phrase, on=bool(value))
        case "track" | "fact":
            track = vocabulary.tracks.get(event.key)
            initial = state.frame.initial.get(event.key)
            current_value = initial if value is None else value
            value_phrase = value_text(state, current_value, track.type) if track else untyped_text(state, current_value)
            owner_text = f" of {subject}" if subject else ""
            return f"{words.factor_name(name, vocabulary)}{owner_text} is {value_phrase}"
        case "pair":
            left, _, right = subject.partition(" ")
            link = f"{'' if value is not None else 'no longer '}{words.readable_name(event.key)}"
            return f"{left} {'is ' if event.key.endswith('ing') else ''}{link} {right}"
        case "record":
            return f"{subject} {'stands written' if value is not None else 'does not stand written'}"
        case "amend":
            owner_text = words.readable_name(event.subject.type)
            return f"{words.factor_name(name, vocabulary)} of {owner_text} is {untyped_text(state, value)}"
        case _:
            return f"{words.readable_name(event.key)} {untyped_text(state, value)}"


def _status_text(subject: str, phrase: str, *, on: bool) -> str:
    """State whether a status is set; the wording `has fired` contains its own verb."""
    if phrase.startswith("has "):
        return f"{subject} {phrase if on else phrase.replace('has ', 'has not ', 1)}"
    return f"{subject} is {'' if on else 'not '}{phrase}"


def _location_text(state: State, value: Value) -> str:
    place, within = value
    if place < 0:
        return {GONE: "gone", LOST: "off the map as lost"}.get(place, "off the map")
    return f"at {state.board.names[place]}{'' if within == OPEN else f', {words.readable_name(within)}'}"


def with_dice(act: str, ends: Sequence[str], dice_by_stack: Sequence[Sequence[str]]) -> tuple[str, str, str]:
    """Return what is done and how things stand after it in each stack, with the dice that fell there."""
    first_dice, second_dice = (", ".join(dice) for dice in dice_by_stack)
    if first_dice == second_dice:
        return f"{act}, dice {first_dice}" if first_dice else act, ends[0], ends[1]
    # One of the two throws other dice, or more of them.
    thrown = (f"with dice {dice}" if dice else "with no dice" for dice in (first_dice, second_dice))
    first, second = (f"{words} {dice}" for words, dice in zip(ends, thrown, strict=True))
    return act, first, second


# Lines whose result may differ; the others only prepare these.
ACTING = (graph.Perform, graph.Do, graph.Tell, graph.End)
# Lines that query: questions, and the order of stations in the sequence of play.
ASKING = (graph.Check, graph.Order)
REFUSED_ANSWER = "refused"
# Errors where one stack cannot express what the other's example does.
PARTED = (BrokenRules, AttributeError, *NO_ANSWER)

PriorState = tuple[Playthrough, Names]


def is_acting(line: graph.ExampleLine) -> bool:
    """Return whether the result of a line may differ; the sequence of play acts where the example continues from it."""
    return isinstance(line, ACTING) or (isinstance(line, graph.Order) and bool(line.stops))


@frozen_dataclass
class LineEvaluation:
    """The answer to a line that queries: the value in a common form, its text, the labels in conflict."""

    value: Value
    text: str
    labels: tuple[str, ...]


class TracedMachine(Machine):
    """A machine that records which procedures it runs."""

    def __init__(self, rules: graph.Graph, evaluator: Interpreter) -> None:
        super().__init__(rules, evaluator)
        self.procedures: set[str] = set()

    def call(self, playthrough: Playthrough, key: str, values: tuple[Value, ...], player: Value) -> None:
        """Record a procedure and push its frame."""
        self.procedures.add(key)
        super().call(playthrough, key, values, player)

    def without_procedure(self, key: str) -> AbstractContextManager[None]:
        """Remove the steps of a procedure within the context."""
        return self.replace_procedure(key, replace(self.programs.entries[key].procedure, body=()))

    @contextmanager
    def replace_procedure(self, key: str, procedure: graph.Procedure) -> Iterator[None]:
        """Replace a procedure under a key within the context; other procedures refer to it by its key."""
        program = self.programs.entries[key]
        self.closures.pop(key, None)
        self.programs.entries[key] = program_of(key, procedure, self.graph)
        try:
            yield
        finally:
            self.programs.entries[key] = program
            self.closures.pop(key, None)


class TracedRun(ExampleRun):
    """A run of an example in one of the stacks, which records answers and never fails."""

    def __init__(
        self, rules: graph.Graph, example: graph.Example, row: int, machine: TracedMachine, quick: Interpreter
    ) -> None:
        super().__init__(rules, example, row)
        if any(isinstance(line, graph.Given) for line in example.lines):
            # Some questions are repeated for every piece and hex: without a memo these dominate a comparison.
            self.answers = Interpreter(rules, self.pinned_answers, memo=AnswerMemo(rules))
            self.traced_machine = TracedMachine(rules, self.answers)
        else:
            self.answers = quick
            self.traced_machine = machine
        self.machine = self.traced_machine
        self.playthrough, self.names = set_up(self.rules, self.example, self.row)
        # If more dice are rolled than the example has fixed, further ones are needed.
        self.playthrough.seed = example.title
        self.types: dict[str, graph.Type] = {}
        self.is_refused = False
        # Whether the position lacks what this stack has no words for, which may be why a question has no answer.
        self.is_incomplete = False
        self.evaluation: LineEvaluation | None = None
        self.journal_start = 0

    def step(self, line: graph.ExampleLine) -> str:
        """Run a line; return what stopped it, "" if nothing did."""
        self.is_refused = False
        self.journal_start = len(self.playthrough.journal)
        self.traced_machine.procedures.clear()
        try:
            self.names = self.play_line(self.playthrough, line, self.names, self.types)
        except BrokenRules as stopped:
            return self.pending_decision() or stopped.fault.message
        except Unanswered as unanswered:
            if self.is_incomplete or not stop_text(unanswered):
                raise
            return no_answer_text(unanswered)
        return REFUSED_ANSWER if self.is_refused else ""

    def pending_decision(self) -> str:
        """Return the pending decision as text, if that is why play stops."""
        with suppress(BrokenRules, *NO_ANSWER):
            decision = self.traced_machine.run(self.playthrough)
            if isinstance(decision, Decision):
                return f"{decision.side} is asked: {decision.question}"
        return ""

    def written_position(self, state: State) -> graph.Position | None:
        """Convert a state; None if it cannot be written, or the example has pinned answers, which no file can hold."""
        return None if self.pinned_answers else position_of(state, replace(self.example.position, name="witness"))

    def outcome(self) -> Outcome:
        """Return what the last line has changed."""
        return summarize_events(self.playthrough.state, self.playthrough.journal[self.journal_start :])

    def outcome_without_hook(self, key: str, line: graph.ExampleLine, before: PriorState) -> tuple[Outcome, bool]:
        """Return what a line would have changed if one hook had no steps, and whether it is played to its end."""
        playthrough, is_complete = before[0].copy(), False
        with self.traced_machine.without_procedure(key), suppress(BrokenRules, *NO_ANSWER):
            self.play_line(playthrough, line, dict(before[1]), dict(self.types))
            is_complete = True
        return summarize_events(playthrough.state, playthrough.journal[self.journal_start :]), is_complete

    def questions_of_line(self, line: graph.ExampleLine, before: PriorState) -> TracedAnswers:
        """Rerun a line and record each question in the order of evaluation."""
        playthrough, names = before[0].copy(), dict(before[1])
        machine, answers, evaluation = self.machine, self.answers, self.evaluation
        tracer = AnswerTracer(self.rules, by_row=True)
        self.answers = Interpreter(self.rules, self.pinned_answers, hooks=(tracer,), memo=AnswerMemo(self.rules))
        self.machine = Machine(self.rules, self.answers) if is_acting(line) else None
        with suppress(BrokenRules, *NO_ANSWER):
            self.play_line(playthrough, line, names, dict(self.types))
        self.machine, self.answers, self.evaluation = machine, answers, evaluation
        return tracer.traced_answers

    def perform(self, playthrough: Playthrough, line: graph.Perform, names: dict[str, Value]) -> None:
        """Perform an action, or record that it is refused."""
        self.traced_machine.procedures.add(f"action:{line.action}")
        chosen = self.scripted_choices(playthrough, line, names)
        self.is_refused = (
            perform_offered(self.machine_of_row(), playthrough, line.action, chosen, self.begun_actions) is not None
        )

    def check(self, state: State, line: graph.Check, names: dict[str, Value]) -> None:
        """Evaluate a question, and record its answer; nothing if the stack cannot express it."""
        self.evaluation = None
        try:
            value = self.answers.evaluate(state, line.question, names)
        except Unanswered as unanswered:
            self.evaluation = LineEvaluation(type(unanswered).__name__, no_answer_text(unanswered), unanswered.labels)
        except NO_ANSWER:
            return
        else:
            self.evaluation = LineEvaluation(comparable_value(value), self.answer_text(state, line.question, value), ())

    def answer_text(self, state: State, question: graph.Expr, value: Value) -> str:
        """Format an answer."""
        term = self.rules.terms.get(question.term) if isinstance(question, graph.Ask) else None
        if term is not None and term.form == "verdict":
            return VERDICT[value]
        return value_text(state, value, type_of(question, self.types, self.rules))

    def follow(self, playthrough: Playthrough, stations: tuple[graph.Station, ...]) -> None:
        """Run the sequence of play, and record the first station out of order: the expected one and the actual one."""
        self.evaluation = None
        if SEQUENCE in self.rules.procedures:
            wrong = order_mismatch(self.traced_machine, playthrough, stations)
            self.evaluation = LineEvaluation(wrong, "" if wrong is None else wrong[1], ())
