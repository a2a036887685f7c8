"""Play audited games: before each step that a precondition governs, the precondition is evaluated.

The input is a graph and an evaluator for play; the output is a `Game` that plays like any other, and an `Audit` that
counts the steps and stores each contradiction: a step that was executed although what it needs did not hold directly
before; and each `always` fact that a step broke. The reference interpreter evaluates both, whatever evaluator plays.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from runtime.answer.answer_memo import AnswerMemo
from runtime.answer.evaluator import Evaluator
from runtime.answer.explain import Explainer, Explanation
from runtime.answer.failing_parts import first_failing_part
from runtime.answer.interpreter import Interpreter
from runtime.audit.fact_monitor import BrokenFact, ExecutedStep, FactMonitor
from runtime.examples.expectations import stop_reason_text
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.governed_steps import Arguments, GovernedStep, action_beginning, preconditions_on
from runtime.graph.steps import nested_steps
from runtime.play.closure_table import player_decides
from runtime.play.game import SEQUENCE, Game
from runtime.play.machine import Machine
from runtime.play.pending_items import LoopItem, RoundsItem, StartedItem
from runtime.play.playthrough import Names, Playthrough, ProcedureFrame
from runtime.play.step_closures import Closure
from runtime.state.position import State
from runtime.state.record import Value

AUDITED_STEPS = graph.Do | graph.Tell | graph.ChangingStep

# What a game may execute besides its sequence; the hook of a reaction only offers it.
PLAYED = ("action", "resolution", "hook")

# Bound in an action whose requirements were evaluated at its start.
BEGUN = "#begun"

AuditFunction = Callable[[Playthrough, ProcedureFrame], None]


@frozen_dataclass
class Contradiction:
    """A step that was executed although its precondition did not hold.

    `step` is the step in procedure `key`, `failed_condition` the part of the precondition that did not hold, `names`
    the values of its names; `state` is the position directly before, in the game or example `source`, on the map
    `board`. `explanation` is that of the question that failed, evaluated for `values`, None if it was not a question.
    `problem` is the reason why nothing answered, "" if something did.
    """

    precondition: graph.Precondition
    key: str
    step: GovernedStep
    failed_condition: graph.Expr
    names: Names
    state: State
    source: str
    board: graph.Board | None
    answers: Interpreter
    values: tuple[Value, ...] = ()
    explanation: Explanation | None = None
    problem: str = ""

    @property
    def reason(self) -> str:
        """Return the rules against the step; otherwise the kind of condition that failed."""
        applied_rules = self.explanation.applied_rules() if self.explanation else ()
        return ", ".join(each.label for each in applied_rules) or self.problem or repr(self.failed_condition)


@dataclass(slots=True)
class Audit:
    """The results of games by precondition and procedure.

    `encounters`: how often a step of the form was executed, `evaluations`: how often the precondition was evaluated for
    it, as its condition held; `violations`: how often it did not hold, also by reason. `fact_violations` counts the
    broken facts by procedure, `broken_facts` has the first of each kind; `watched_facts` are those that were checked.
    """

    rules: graph.Graph
    encounters: Counter[tuple[str, str]] = field(default_factory=Counter)
    evaluations: Counter[tuple[str, str]] = field(default_factory=Counter)
    violations: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    contradictions: list[Contradiction] = field(default_factory=list)
    fact_violations: Counter[tuple[str, str]] = field(default_factory=Counter)
    broken_facts: list[BrokenFact] = field(default_factory=list)
    watched_facts: int = 0
    source: str = ""
    board: graph.Board | None = None

    def note(self, found: Contradiction) -> None:
        """Count a contradiction, and store the first of its kind."""
        kind = (found.precondition.label, found.key, found.reason)
        self.violations[kind] += 1
        if self.violations[kind] == 1:
            self.contradictions.append(found)

    def note_broken(self, found: BrokenFact) -> None:
        """Count a broken fact, and store the first of each procedure."""
        kind = (found.fact.label, found.key)
        self.fact_violations[kind] += 1
        if self.fact_violations[kind] == 1:
            self.broken_facts.append(found)

    def governed_procedures(self) -> Iterator[tuple[graph.Precondition, str]]:
        """Return the procedures with a step that a precondition governs, each once."""
        found: dict[tuple[str, str], graph.Precondition] = {}
        for key, procedure in self.rules.procedures.items():
            begin = action_beginning(procedure)
            for step in (*nested_steps(procedure.body), *((begin,) if begin else ())):
                for precondition, _ in preconditions_on(self.rules, procedure, step):
                    found.setdefault((precondition.label, key), precondition)
        yield from ((precondition, key) for (_, key), precondition in sorted(found.items(), key=lambda each: each[0]))


class AuditedMachine(Machine):
    """A machine whose steps are compared with their preconditions, except for what players try out."""

    audit: Audit
    reference: Interpreter
    monitor: FactMonitor

    def check_rules(self, audit: Audit, reference: Interpreter) -> None:
        """Set where results are counted, and what evaluates preconditions and facts."""
        self.audit, self.reference, self.monitor = audit, reference, FactMonitor(self.graph, reference)
        audit.watched_facts = len(self.monitor.facts)

    def prepare(self, key: str, number: int) -> Closure:
        """Build the closure of a step; if it is governed, the precondition is evaluated first."""
        closure = super().prepare(key, number)
        program = self.programs.entries[key]
        step = program.steps[number]
        if program.procedure.what == "example":
            return closure
        checks: list[AuditFunction] = []
        if isinstance(step, AUDITED_STEPS):
            required = preconditions_on(self.graph, program.procedure, step)
            checks += [
                self.precondition_check(precondition, key, step, arguments) for precondition, arguments in required
            ]
        if closure is player_decides:
            return closure
        begins = program.procedure.what == "action" and number == program.head_length

        def audit_beginning(playthrough: Playthrough, call: ProcedureFrame) -> None:
            if begins and BEGUN not in call.names:
                self.check_requirements(playthrough, call)
            for check in checks:
                check(playthrough, call)
            with self.watched(playthrough, key, step):
                closure(playthrough, call)

        if checks or begins or self.monitor.facts:
            self.closures[key][number] = audit_beginning
        return self.closures[key][number] or closure

    def resume(self, playthrough: Playthrough, call: ProcedureFrame, item: StartedItem) -> None:
        """Continue with a step in progress, and check the facts that this may change."""
        step = self.program_of(call).steps[item.number] if isinstance(item, LoopItem | RoundsItem) else item
        with self.watched(playthrough, call.key, step):
            super().resume(playthrough, call, item)

    @contextmanager
    def watched(self, playthrough: Playthrough, key: str, step: ExecutedStep) -> Iterator[None]:
        """Execute a step of a procedure, and check the facts that it may change."""
        since, is_checked = len(playthrough.journal), bool(self.monitor.facts) and _is_in_play(playthrough)
        yield
        if is_checked and len(playthrough.journal) > since:
            self.monitor.check(playthrough, since, key, step, self.audit.source, self.audit.board)

    def run_to_decision(self, playthrough: Playthrough, floor: int, steps: Iterator[int]) -> ProcedureFrame | None:
        """Execute steps up to the next decision; at the start of an action, its requirements are evaluated."""
        call = super().run_to_decision(playthrough, floor, steps)
        self.note_broken_facts()
        if call is not None and self.is_past_head(call):
            self.check_requirements(playthrough, call)
        return call

    def end_pairs(self, playthrough: Playthrough) -> None:
        """Remove the pairs whose relation has ended, and check the facts that this may change."""
        since, calls = len(playthrough.journal), playthrough.calls
        super().end_pairs(playthrough)
        if self.monitor.facts and calls and len(playthrough.journal) > since:
            self.monitor.check(playthrough, since, calls[-1].key, None, self.audit.source, self.audit.board)
            self.note_broken_facts()

    def note_broken_facts(self) -> None:
        """Count the facts that do not hold where somebody decides."""
        for broken in self.monitor.take_broken():
            self.audit.note_broken(broken)

    def is_past_head(self, call: ProcedureFrame) -> bool:
        """Return whether a call is behind the head of an action whose requirements are not yet evaluated."""
        return (
            call.key.startswith("action:")
            and call.offset == self.program_of(call).head_length
            and BEGUN not in call.names
        )

    def check_requirements(self, playthrough: Playthrough, call: ProcedureFrame) -> None:
        """Evaluate the requirements of an action with the choices that were made."""
        call.names[BEGUN] = True
        procedure = self.program_of(call).procedure
        if begin := action_beginning(procedure):
            for precondition, arguments in preconditions_on(self.graph, procedure, begin):
                self.precondition_check(precondition, call.key, begin, arguments)(playthrough, call)

    def precondition_check(
        self, precondition: graph.Precondition, key: str, step: GovernedStep, arguments: Arguments
    ) -> AuditFunction:
        """Build the function that evaluates a precondition when a step of a procedure is about to be executed."""
        answers, audit = self.reference, self.audit

        def ask(playthrough: Playthrough, call: ProcedureFrame) -> None:
            state = playthrough.state
            if not _is_in_play(playthrough):
                return
            audit.encounters[precondition.label, key] += 1
            names: Names = {name: answers.evaluate(state, each, call.names) for name, each in arguments.items()}
            if not _types_match(precondition, names, state):
                return
            names["player"] = call.names.get("player", state.player)
            error_text = ""
            try:
                if precondition.condition is not None and not answers.evaluate(state, precondition.condition, names):
                    return
                audit.evaluations[precondition.label, key] += 1
                failed = first_failing_part(precondition.needs, partial(answers.evaluate, state), names)
            except Unanswered as problem:
                failed, error_text = (precondition.needs, names), stop_reason_text(problem)
            if failed is not None:
                values, explanation = ((), None) if error_text else _explain_failure(answers, state, *failed)
                audit.note(Contradiction(
                    precondition, key, step, *failed, state.copy(), audit.source, audit.board,
                    answers, values, explanation, error_text,
                ))  # fmt: skip

        return ask


class AuditedGame(AuditedMachine, Game):
    """A whole game that is audited."""

    def __init__(self, rules: graph.Graph, evaluator: Evaluator) -> None:
        """Build the machine."""
        super().__init__(rules, evaluator)
        self.check_rules(Audit(rules), Interpreter(rules, memo=AnswerMemo(rules)))
        self.plain = Game(rules, evaluator)

    def start(self, seed: str | int | None, state: State | None = None, forced: tuple[int, ...] = ()) -> Playthrough:
        """Start another game."""
        self.monitor.take_broken()
        return super().start(seed, state, forced)

    def unexecuted_parts(self) -> list[str]:
        """Return the references of the procedures and phases of which no game executed a step after its choices."""
        found = []
        for key, program in self.programs.entries.items():
            closures = self.closures.get(key) or [None] * len(program.steps)
            if program.procedure.what in PLAYED and not program.offers and not any(closures[program.head_length :]):
                found.append(key)
            found += [
                f"phase:{step.name}"
                for step, closure in zip(program.steps, closures, strict=True)
                if isinstance(step, graph.Phase) and step.name and closure is None
            ]
        return list(dict.fromkeys(found))

    def without_listeners(self) -> Game:  # type: ignore[override]  # a plain game: what is tried out is not carried out
        """Return a game without audit, for players who try things out."""
        return self.plain


def _is_in_play(playthrough: Playthrough) -> bool:
    """Return whether play reached the step through an action or the sequence of play, not through an example alone."""
    return any(call.key == SEQUENCE or call.key.startswith("action:") for call in playthrough.calls)


def _types_match(precondition: graph.Precondition, bound: Names, state: State) -> bool:
    """Return whether pieces and records have the types of the parameters of a precondition."""
    for parameter in precondition.parameters:
        value = bound[parameter.name]
        match parameter.type:
            case graph.Piece(kinds) if kinds and state.kind[value] not in kinds:
                return False
            case graph.RecordOf(name) if value.type != name:
                return False
    return True


def _explain_failure(
    answers: Interpreter, state: State, failed: graph.Expr, names: Names
) -> tuple[tuple[Value, ...], Explanation | None]:
    """Return the explanation of the question that was answered no, if what failed is one, and its arguments."""
    if not isinstance(failed, graph.Ask):
        return (), None
    values: tuple[Value, ...] = tuple(answers.evaluate(state, each, names) for each in failed.arguments)
    return values, Explainer(answers).explain(state, failed.term, values, 0)
