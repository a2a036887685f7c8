"""Run an example in one of two stacks, line by line: the changes of each line, the procedures that run, the decisions.

The input is a graph, an example of either stack as far as the graph can express it, and a fast evaluator; the output is
what a line has changed; what it would have changed without one of the hooks; and every question behind it.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace

from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import VERDICT, value_text
from runtime.board.answer_errors import Unanswered
from runtime.examples.run import ExampleRun
from runtime.examples.sequence_checks import order_mismatch
from runtime.examples.set_up import set_up
from runtime.examples.tracing_interpreter import MemoizingInterpreter
from runtime.graph import nodes as graph
from runtime.graph.type_of import type_of
from runtime.play.flatten import compile_procedure
from runtime.play.game import SEQUENCE
from runtime.play.machine import Machine
from runtime.play.nested_offers import perform_offered
from runtime.play.options import Decision
from runtime.play.playthrough import Names, Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.state.position import State
from runtime.state.record import Value
from runtime.trial.divergence import AnswerTracer, TracedAnswers, comparable_value
from runtime.witness.fast_interpreter import FastInterpreter
from runtime.witness.instance import NO_ANSWER
from runtime.witness.play_summary import Outcome, summarize_events
from runtime.witness.snapshot import position_of
from runtime.witness.unplayable import no_answer_text, stop_text

PriorState = tuple[Playthrough, Names]


@dataclass(frozen=True, slots=True)
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
        """Replace a procedure under a key within the context; closures that were made of programs are discarded."""
        program = self.programs.entries[key]
        self.programs.entries[key] = compile_procedure(key, procedure, self.graph)
        self.closures.clear()
        try:
            yield
        finally:
            self.programs.entries[key] = program
            self.closures.clear()


class TracedRun(ExampleRun):
    """A run of an example in one of the stacks, which records answers and never fails."""

    def __init__(
        self, rules: graph.Graph, example: graph.Example, row: int, machine: TracedMachine, quick: FastInterpreter
    ) -> None:
        super().__init__(rules, example, row)
        if any(isinstance(line, graph.Given) for line in example.lines):
            # Some questions are repeated for every piece and hex: without a memo these dominate a comparison.
            self.answers = MemoizingInterpreter(rules, self.pinned_answers)
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
        return "refused" if self.is_refused else ""

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

    def outcome_without_hook(self, key: str, line: graph.ExampleLine, before: PriorState) -> Outcome:
        """Return what a line would have changed if one hook had no steps."""
        playthrough, names = before[0].copy(), dict(before[1])
        with self.traced_machine.without_procedure(key), suppress(BrokenRules, *NO_ANSWER):
            self.play_line(playthrough, line, names, dict(self.types))
        return summarize_events(playthrough.state, playthrough.journal[self.journal_start :])

    def is_stopped_by(self, key: str, line: graph.ExampleLine, before: PriorState) -> bool:
        """Return whether a line that has stopped would be played to its end if one hook had no steps."""
        playthrough, names = before[0].copy(), dict(before[1])
        with self.traced_machine.without_procedure(key):
            try:
                self.play_line(playthrough, line, names, dict(self.types))
            except (BrokenRules, *NO_ANSWER):
                return False
        return True

    def outcome_with(
        self, key: str, procedure: graph.Procedure, line: graph.ExampleLine, before: PriorState
    ) -> Outcome:
        """Return what a line would have changed with another procedure under a key; errors as in play."""
        playthrough, names = before[0].copy(), dict(before[1])
        with self.traced_machine.replace_procedure(key, procedure):
            self.play_line(playthrough, line, names, dict(self.types))
        return summarize_events(playthrough.state, playthrough.journal[self.journal_start :])

    def questions_of_line(self, line: graph.ExampleLine, before: PriorState) -> TracedAnswers:
        """Rerun a line and record each question in the order of evaluation."""
        playthrough, names = before[0].copy(), dict(before[1])
        machine, answers, evaluation = self.machine, self.answers, self.evaluation
        self.answers = tracer = AnswerTracer(self.rules, playthrough, self.pinned_answers, by_row=True)
        self.machine = Machine(self.rules, tracer)
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
