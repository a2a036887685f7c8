"""Run the examples of a graph: construct the position, execute the lines, compare every answer with its expectation.

In: a graph. Out: one `Run` for each case of each example: its failures, and its read set: live rules, chart lines,
questions asked, procedures started. Mutation testing selects by the read set: an example can only kill a mutant of
what it read. Lines run in order; a `given` pins an answer from its line on.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from runtime.answer.answer import live_labels
from runtime.answer.answer_memo import AnswerMemo
from runtime.answer.breaches import Breach, culprit_texts, find_breaches
from runtime.answer.evaluator import EvaluatorHook
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import value_text
from runtime.examples import expectations
from runtime.examples.acting_side import misused_answers, stated_answers, stated_choices
from runtime.examples.drawn_counters import misprinted_counters
from runtime.examples.example_budget import MOST_OF_ROW, PLAYED, TOO_MUCH, ExampleBudget, TooMuch
from runtime.examples.expected_text import expects_chances, expects_text, missing_text
from runtime.examples.failure import FailedLine
from runtime.examples.performed_act import PerformedAct
from runtime.examples.refusals import explain_questions
from runtime.examples.row_reads import RowReads
from runtime.examples.row_result import Run
from runtime.examples.sequence_checks import order_mismatch
from runtime.examples.set_up import set_up
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.adopted_rules import rule_of_term
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import allow_members
from runtime.graph.call_graph import procedures_called
from runtime.graph.predeclared_types import member_of
from runtime.graph.type_of import bound_types, common_type, type_of
from runtime.play.machine import Machine
from runtime.play.nested_offers import BegunArguments
from runtime.play.perform import execute_steps
from runtime.play.playthrough import Names, Playthrough
from runtime.play.previews import Preview, preview_of
from runtime.play.rule_faults import BrokenRules
from runtime.play.scripted_choices import ScriptedChoices
from runtime.state.position import State
from runtime.state.record import Value

Types = dict[str, graph.Type]
CHECKS = graph.Check | graph.Printed | graph.Narrated | graph.Perform | graph.Order
MOST_NAMED_VALUES = 3  # Of what there is several of nobody reads more.


def run_examples(rules: graph.Graph) -> Iterator[Run]:
    """Yield the result of every case of the examples of this stack."""
    together = ExampleBudget(rules)
    for example in rules.examples:
        for row in range(max(1, len(example.rows))):
            with together.row():
                run = run_row(rules, example, row)
            yield run


def run_row(rules: graph.Graph, example: graph.Example, row: int) -> Run:
    """Return the result of one case of an example."""
    playing = ExampleRun(rules, example, row)
    playing.run_case()
    return run_result(playing)


def run_result(playing: "ExampleRun") -> Run:
    """Return the result of a case that was run."""
    example, reads = playing.example, playing.reads
    acts = (f"action:{line.action}" for line in example.lines if isinstance(line, graph.Perform))
    procedures = frozenset({*acts, *procedures_called(playing.rules, example.lines)})
    return Run(
        example, playing.row, playing.check_count, tuple(playing.failures), frozenset(reads.rules),
        frozenset(reads.rows.values()), frozenset(reads.terms),
        procedures, playing.count_forced_left(),
        frozenset(playing.machine.closures) if playing.machine else frozenset(),
    )  # fmt: skip


class ExampleRun:
    """The execution of one case of an example."""

    def __init__(
        self, rules: graph.Graph, example: graph.Example, row: int, hooks: Sequence[EvaluatorHook] = ()
    ) -> None:
        """Start before the first line; `hooks` hear the evaluations of its lines."""
        self.rules, self.example, self.row = rules, example, row
        self.origin = example.origin
        self.number: int | None = None
        self.pinned_answers = dict[tuple[str, tuple[Value, ...]], Value]()
        self.final_playthrough: Playthrough | None = None
        self.reads, self.memo = RowReads(rules), AnswerMemo(rules)
        self.answers = Interpreter(rules, self.pinned_answers, hooks=(*hooks, self.reads), memo=self.memo)
        self.machine: Machine | None = None
        self.failures: list[FailedLine] = []
        self.check_count = 0
        self.begun_actions: BegunArguments = set()
        self.types: Types = {}
        self.last_act_start = 0  # How long the journal was when a line did something last.
        self.tells = expects_text(example)  # Whether procedures tell what they do.
        self.preview: Preview | None = None  # What the last line that did something could have led to.
        self.ended_moment = ""  # What ended last.
        self.without_player = False  # Whether nobody was on move then.
        self.checked_events = 0  # The length of the journal when facts were checked last.
        self.broken_facts: frozenset[str] = frozenset()  # The labels of the `always` facts that are false.

    def run_case(self) -> None:
        """Run all lines, up to the first that stops the run; a case without a check fails."""
        self.play_through()
        if not self.check_count and not self.failures:
            expected = "at least one `ask`, `act` or `order`"
            self.fail(self.example.origin, expected, "without any: it protects nothing", "")

    def play_through(self) -> None:
        """Run all lines, up to the first that stops the run."""
        with allow_members(MOST_OF_ROW):
            try:
                self.play()
            except TooMuch:
                self.record_stop_reason(TOO_MUCH)
            except (Unanswered, BrokenRules) as stopped:
                self.record_stop(stopped)

    def play(self) -> None:
        """Construct the position and run the lines."""
        playthrough, names = set_up(self.rules, self.example, self.row)
        self.final_playthrough = playthrough
        self.types = expectations.types_of_row(self.example, self.row, self.rules)
        self.broken_facts = _labels(find_breaches(Interpreter(self.rules), playthrough.state))
        self.checked_events = len(playthrough.journal)
        for number, line in enumerate(self.example.lines):
            self.number = number
            # Lines that arrange the position may break a fact that the next of them restores.
            is_play = not _arranges(line)
            if is_play:
                self.check_facts(playthrough)
            names = self.play_line(playthrough, line, names, self.types)
            if is_play:
                self.check_facts(playthrough)
            if self.failures and isinstance(line, graph.Perform | graph.LetOnly):
                return  # What comes after an act is about what it should have led to, or about what it names.

    def check_facts(self, playthrough: Playthrough) -> None:
        """Fail for each `always` fact that held before a line and does not hold after it: proofs assume it."""
        if len(playthrough.journal) == self.checked_events:
            return
        self.checked_events, state = len(playthrough.journal), playthrough.state
        found = tuple(find_breaches(Interpreter(self.rules), state))
        for breach in found:
            if breach.fact.label not in self.broken_facts:
                culprits = culprit_texts(breach, state)[:MOST_NAMED_VALUES]
                actual = f"broken by {words.list_text(culprits)}" if culprits else "broken"
                self.fail(self.origin, f"`{breach.fact.label}` to hold as before this line", actual, "")
        self.broken_facts = _labels(found)

    def count_forced_left(self) -> tuple[int, int]:
        """Count the forced dice and draws that were not consumed."""
        return self.final_playthrough.count_forced_left() if self.final_playthrough else (0, 0)

    def play_line(self, playthrough: Playthrough, line: graph.ExampleLine, names: Names, types: Types) -> Names:
        """Run one line; return the bindings after it."""
        if isinstance(line, CHECKS | graph.LetOnly):
            self.origin = line.origin
            self.check_count += isinstance(line, CHECKS)
        match line:
            case graph.Given():
                self.pin_answer(playthrough.state, line, names)
            case graph.Check():
                self.check(playthrough.state, line, names)
            case graph.Printed() | graph.Narrated():
                if wrong := self.text_difference(line, playthrough):
                    self.fail(line.origin, *wrong, "")
            case graph.Draws(members):
                values = (self.answers.evaluate(playthrough.state, member, names) for member in members)
                playthrough.forced_draws += tuple(values)
            case graph.LetOnly():
                types[line.name] = member_of(type_of(line.members, types, self.rules))
                return self.bind_only_member(playthrough.state, line, names, types[line.name])
            case graph.Perform():
                self.last_act_start = len(playthrough.journal)
                self.perform(playthrough, line, names)
            case graph.Order(stations):
                self.last_act_start = len(playthrough.journal) if line.stops else self.last_act_start
                self.follow(playthrough, stations)
            case graph.Let(name, value):
                types[name] = type_of(value, types, self.rules)
                return {**names, name: self.answers.evaluate(playthrough.state, value, names)}
            case _:
                return self.execute(playthrough, line, names, types)
        return names

    def pin_answer(self, state: State, line: graph.Given, names: Names) -> None:
        """Pin the answer that a line gives, from this line on."""
        arguments = tuple(self.answers.evaluate(state, argument, names) for argument in line.arguments)
        self.pinned_answers[line.term, arguments] = self.answers.evaluate(state, line.value, names)
        state.forget_answers()

    def execute(self, playthrough: Playthrough, line: graph.Step, names: Names, types: Types) -> Names:
        """Execute a line that is a step; return the bindings after it."""
        if isinstance(line, graph.End):
            self.begun_actions.clear()
            self.ended_moment, self.without_player = line.moment, not playthrough.state.player
        types |= bound_types(line)
        self.last_act_start = len(playthrough.journal)
        choices = stated_answers(self.answers, playthrough.state, line, names)
        act = partial(execute_steps, self.machine_of_row(), steps=(line,), names=names, types=types)
        self.compute_chances(playthrough, lambda trial: act(trial, answers=choices and choices.restarted_copy()))
        names = act(playthrough, answers=choices)
        for wrong in misused_answers(line, choices):
            self.fail(self.origin, *wrong, "")
        return names

    def machine_of_row(self) -> Machine:
        """Return the machine, built at the first use."""
        if self.machine is None:
            self.machine = self.make_machine()
            if self.tells:
                self.machine.tell_accounts()
        return self.machine

    def make_machine(self) -> Machine:
        """Build the machine that carries out the actions of the row."""
        return Machine(self.rules, self.answers)

    def perform(self, playthrough: Playthrough, line: graph.Perform, names: Names) -> None:
        """Perform an action, or check that it is refused."""
        PerformedAct(self, line, self.scripted_choices(playthrough, line, names)).perform(playthrough, names)

    def text_difference(self, line: graph.Printed | graph.Narrated, playthrough: Playthrough) -> tuple[str, str] | None:
        """Return (expected, actual) for printed values or reported text that differ; None if they agree."""
        if isinstance(line, graph.Printed):
            return misprinted_counters(line, self.rules)
        return missing_text(line, playthrough.journal[self.last_act_start :], self.preview)

    def compute_chances(self, playthrough: Playthrough, take: Callable[[Playthrough], object]) -> None:
        """Compute the possible results of a line over all results of the dice, where the example expects chances."""
        is_expected = self.number is not None and expects_chances(self.example, self.number)
        self.preview = preview_of(self.machine_of_row(), playthrough, take) if is_expected else None

    def scripted_choices(self, playthrough: Playthrough, line: graph.Perform, names: Names) -> ScriptedChoices:
        """Return the choices of an act, with the acting side."""
        return stated_choices(self.answers, self.example, playthrough.state, line, names)

    def follow(self, playthrough: Playthrough, stations: tuple[graph.Station, ...]) -> None:
        """Check an `order` line; its reads are traced only where the example continues from its last station."""
        is_separate = stations[-1].what != graph.STOP
        separate = Interpreter(self.rules, self.pinned_answers, memo=AnswerMemo(self.rules))
        machine = Machine(self.rules, separate) if is_separate else self.machine_of_row()
        if wrong := order_mismatch(machine, playthrough, stations, self.await_station):
            self.fail(self.origin, *wrong, "")

    def await_station(self, station: graph.Station) -> None:
        """Locate failures at the words of the station that the game runs on to."""
        self.origin = station.origin or self.origin

    def bind_only_member(self, state: State, line: graph.LetOnly, names: Names, type_: graph.Type) -> Names:
        """Bind a name to the only member of a set; fail with the members where there is not exactly one."""
        found = tuple(self.answers.evaluate(state, line.members, names))
        if len(found) == 1:
            return {**names, line.name: found[0]}
        some = words.list_text([value_text(state, each, type_) for each in found[:MOST_NAMED_VALUES]])
        actual = f"one of {len(found)}: {some}" if found else "nothing: there is none"
        self.fail(line.origin, f"`{line.name}` to be the only one that is so", actual, "")
        return names

    def check(self, state: State, line: graph.Check, names: Names) -> None:
        """Evaluate a check and compare its value with the expected one."""
        self.memo.live_rules = set()
        term: graph.Term | None = None
        arguments: tuple[Value, ...] = ()
        live: list[graph.Rule] = []
        if isinstance(line.question, graph.Ask):
            term = self.rules.terms[line.question.term]
            arguments = tuple(self.answers.evaluate(state, argument, names) for argument in line.question.arguments)
            answer = self.answers.ask(state, term.name, arguments)
            live = [rule_of_term(self.rules, term, label) for label in live_labels(term, answer.mask)]
            value = answer.value
        else:
            value = self.answers.evaluate(state, line.question, names)
        type_ = common_type((line.question, line.expected), self.types, self.rules)
        wrong = expectations.value_difference(self.answers, state, line, (value, type_), names)
        wrong = wrong or expectations.missing_rule(line, live, self.memo.live_rules, self.rules)
        if wrong:
            questions = (
                [(term.name, arguments)]
                if term
                else list(expectations.questions_in(self.answers, state, line.question, names))
            )
            self.fail(line.origin, *wrong, self.explain_answers(state, questions))

    def explain_answers(self, state: State, questions: Iterable[tuple[str, tuple[Value, ...]]]) -> str:
        """Return the explanations of the answers to these questions; runs of mutants override it."""
        return explain_questions(self.answers, state, questions)

    def record_stop_reason(self, reason: str) -> None:
        """Record why the run stops here; failures of later lines would only be consequences."""
        lines = self.example.lines
        is_located = self.number is None or isinstance(
            lines[self.number], graph.Order
        )  # at the station that is awaited
        step = None if is_located else (self.number or 0, len(lines))
        self.fail(self.origin if step is None else self.example.origin, PLAYED, reason, "", step)

    def record_stop(self, error: Unanswered | BrokenRules) -> None:
        """Record the question or procedure that stopped the run."""
        self.record_stop_reason(f"stopped: {expectations.stop_reason_text(error)}")
        if isinstance(error, Unanswered):
            self.reads.terms.add(error.callee)

    def fail(
        self, origin: graph.Origin, expected: str, actual: str, explanation: str, step: tuple[int, int] | None = None
    ) -> None:
        """Record a failure."""
        case = f"case {self.row + 1}" if len(self.example.rows) > 1 else ""
        self.failures.append(
            FailedLine(
                self.example.title,
                case,
                origin,
                expected,
                actual,
                explanation,
                step,
                self.ended_moment,
                without_player=self.without_player,
            )
        )


def _arranges(line: graph.ExampleLine) -> bool:
    """Return whether a line sets up a part of the position by hand, as `move` and `relate` do, and plays nothing."""
    return not isinstance(line, graph.Perform | graph.Do | graph.Tell | graph.End | graph.Order | graph.Check)


def _labels(breaches: Iterable[Breach]) -> frozenset[str]:
    """Return the labels of violated facts."""
    return frozenset(breach.fact.label for breach in breaches)
