"""Explanations: the proof tree of one answer, with the rules that did not apply.

In: a state and a question. Out: an `Explanation`: each rule of the term as applied, as defeated, or as failed at its
first false condition, with values; the cells that were read; and the questions asked in between, explained
recursively down to `depth`.

The live rules are taken from the decision id of the answer (`Answer.mask`); their guards are evaluated again, one
rule at a time, so that answers without an explanation do not pay for one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from runtime.answer.answer import live_labels
from runtime.answer.condition_explainer import ConditionExplainer
from runtime.answer.expressions import Environment, MemoizedBinding
from runtime.answer.flags import is_printed
from runtime.answer.interpreter import Interpreter, bindings_of
from runtime.answer.other_readings import DisputedAnswer, disputed_answers
from runtime.answer.provenance import provenance_text
from runtime.answer.recording import CellRead, Question, recording_interpreter
from runtime.answer.value_text import answer_text, value_as_name, value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.adopted_rules import rule_of_term
from runtime.graph.conjuncts import conjuncts
from runtime.graph.english import agreeing_verb
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.type_of import type_of
from runtime.graph.verbs import only_defeats, rule_answer
from runtime.graph.wording import Wording
from runtime.state.position import State
from runtime.state.record import Value

# A guard that iterates over all pieces may ask dozens of similar questions; more than these are not readable.
ENOUGH = 8

# What a rule about the members of a set says whose own set is empty.
NOTHING = {"includes": "adds nothing", "excludes": "leaves nothing out"}

# An idle rule is live but defeats no rule that would be live: it is no reason of the answer.
APPLIED, DEFEATED, FAILED, IDLE = "applied", "defeated", "failed", "idle"


@frozen_dataclass
class ExplainedClause:
    """A rule of the explained term. `conclusion` is its conclusion here; `reasons` the conditions that hold or fail.

    `witnesses` are pieces and places that make conditions true. `defeats` names the rules that it is an exception to,
    `asks` the question of a ruling, with the answer as prose. `provenance` is a ruling, a reading or a
    replacement. A rule that `would_reverse` the answer fails here. `clarified_by` are the rulings that confirm it, each
    with what it cites. Of a rule that stands for one that asks it, `failed_exceptions` are those that do not hold.
    """

    label: str
    status: str
    conclusion: str
    reasons: tuple[str, ...]
    witnesses: str
    defeaters: tuple[str, ...]
    defeats: tuple[str, ...]
    cites: tuple[str, ...]
    asks: str
    prose: str
    provenance: str
    cells: tuple[CellRead, ...]
    explanations: tuple["Explanation", ...]
    would_reverse: bool
    clarified_by: tuple[tuple[str, tuple[str, ...]], ...]
    failed_exceptions: tuple["ExplainedClause", ...] = ()


@frozen_dataclass
class Explanation:
    """A question as text, its answer, and the reasons. `default` says what answered where no rule was live.

    `disputed` are the disputes on which the answer hangs; only that of the outermost question is tried.
    """

    term: str
    arguments: tuple[Value, ...]
    form: str
    question: str
    answer: str
    sentence: str
    value: Value
    type: graph.Type
    clauses: tuple[ExplainedClause, ...]
    default: str
    default_cites: tuple[str, ...]
    explanations: tuple["Explanation", ...]
    disputed: tuple[DisputedAnswer, ...] = ()

    def applied_rules(self) -> tuple[ExplainedClause, ...]:
        """Return the applied rules, those that conclude the answer before those that only defeat others."""
        deciding = (clause for clause in self.clauses if clause.status == APPLIED)
        return tuple(sorted(deciding, key=lambda clause: clause.conclusion != self.answer))

    def called_questions(self) -> tuple["Explanation", ...]:
        """Return the explanations of the questions that the default and the rules asked."""
        return (*self.explanations, *(each for clause in self.clauses for each in clause.explanations))

    def live_rules(self) -> tuple[ExplainedClause, ...]:
        """Return the live rules, including those without effect, as the decision id has them."""
        return tuple(c for c in self.clauses if c.status in (APPLIED, IDLE))


class Explainer:
    """An explainer of questions, by the rules and pinned answers of one interpreter."""

    def __init__(self, answers: Interpreter, *, contrary: bool = False, with_failed: bool = True) -> None:
        """Wrap an interpreter, with its pinned answers.

        `contrary`: of the rules that were not live, only those are explained recursively that could have concluded the
        opposite of a verdict or condition. Without `with_failed` they are left out, unless they are defeated.
        """
        self.answers = answers
        self.graph = answers.graph
        self.only_contrary = contrary
        self.with_failed = with_failed

    def explain_fully(self, state: State, name: str, arguments: tuple[Value, ...], depth: int = 3) -> Explanation:
        """Explain an answer as `explain` does, with the disputes on which it hangs."""
        explanation = self.explain(state, name, arguments, depth)
        return replace(explanation, disputed=disputed_answers(self.answers, state, name, arguments))

    def explain(self, state: State, name: str, arguments: tuple[Value, ...], depth: int = 3) -> Explanation:
        """Explain one answer, and the questions that it asked, recursively to a depth."""
        term = self.graph.terms[name]
        is_pinned = (name, arguments) in self.answers.pinned_answers
        answer = self.answers.ask(state, name, arguments)
        live = live_labels(term, answer.mask)
        clauses: list[ExplainedClause] = []
        for label in () if is_pinned else term.rules:
            if self.with_failed or label in live or self.defeating_rules(label, live):
                rule = rule_of_term(self.graph, term, label)
                clauses.append(self.explain_clause(state, term, rule, arguments, live, depth))
        applied = [clause.label for clause in clauses if clause.status == APPLIED]
        default, explanations = self.default_reason(state, term, arguments, applied, depth)
        question, text, sentence = self.answer_texts(state, term, arguments, answer.value)
        return Explanation(
            name, arguments, term.form, question, text, sentence, answer.value, term.type, tuple(clauses),
            "it is given" if is_pinned else default, term.cites if default else (), explanations,
        )  # fmt: skip

    def answer_texts(
        self, state: State, term: graph.Term, arguments: tuple[Value, ...], value: Value
    ) -> tuple[str, str, str]:
        """Return the question with the names of its arguments, the answer, and both in one sentence."""
        names = tuple(value_as_name(state, v, p.type) for p, v in zip(term.parameters, arguments, strict=True))
        wording, text = Wording(self.graph), answer_text(state, term, value)
        phrase = wording.term(term.name, names)
        question = words.as_its_noun(phrase, phrase + self.stage_text(term))
        if isinstance(term.type, graph.YesNo):
            return question, text, question if value else wording.opposite_question(term.name, names)
        called = {f"argument {part.name}": name for part, name in zip(term.parameters, names, strict=True)}
        stated = graph.Ask(term.name, tuple(map(graph.Var, called)))
        if value != () and (clause := wording.with_names(called).stated(stated, text, holds=True)):
            return question, text, clause
        verb = ":" if isinstance(term.type, graph.Many) else f" {agreeing_verb(question, 'is')}"
        return question, text, f"{question}{verb} {text}"

    def explain_expression(self, state: State, expr: graph.Expr, depth: int) -> tuple[str, tuple[Explanation, ...]]:
        """Explain an expression about a set or a path that is asked by itself; "" for any other.

        To a depth, explain the questions that it asks as well.
        """
        recording, reads = recording_interpreter(self.answers)
        text = self.condition_explainer(state, {}, Wording(self.graph), recording).explain_condition(expr)
        questions = reads.questions if text and depth else ()
        return text, tuple(self.explain(state, *each, depth - 1) for each in questions)

    def explain_absence(
        self, state: State, names: Environment, wording: Wording, member: Value, source: graph.Expr
    ) -> tuple[str, Explanation | None]:
        """Return why a value is not in a set, "" where unknown, with the explanation of the deciding question."""
        recording, reads = recording_interpreter(self.answers)
        reason = self.condition_explainer(state, names, wording, recording).explain_absence(member, source)
        return reason, self.explain(state, *reads.questions[-1], 1) if reason and reads.questions else None

    def is_answered_by_default(self, term: graph.Term, live: Sequence[str]) -> bool:
        """Return whether no live rule has a conclusion, so that the default answers."""
        return term.form not in ("sum", "set") and not any(rule_of_term(self.graph, term, each).verb for each in live)

    def stage_text(self, term: graph.Term) -> str:
        """Return the phrase that names the stage of a question; "" without stages."""
        question, _, stage = term.name.partition(".")
        return (
            f" at the stage “{words.readable_name(stage)}”"
            if stage and term.form != "flag" and question in self.graph.terms
            else ""
        )

    def deciding_stage(self, state: State, name: str, arguments: tuple[Value, ...]) -> str:
        """Return the deciding stage: the last one with a live rule; later ones return its answer."""
        term = self.graph.terms[name]
        parameters = tuple(graph.Var(parameter.name) for parameter in term.parameters)
        match term.otherwise:
            case graph.Ask(before, stage_arguments) if stage_arguments == parameters and _same_question(before, name):
                live = live_labels(term, self.answers.ask(state, name, arguments).mask)
                is_pinned = (name, arguments) in self.answers.pinned_answers
                passed_on = self.is_answered_by_default(term, live) and not is_pinned
                return self.deciding_stage(state, before, arguments) if passed_on else name
        return name

    def default_reason(
        self, state: State, term: graph.Term, arguments: tuple[Value, ...], applied: Sequence[str], depth: int
    ) -> tuple[str, tuple[Explanation, ...]]:
        """Return what answers unless one of the applied rules does: an earlier stage, which is explained, or a default.

        An idle exception that concludes what the default says is no reason: then the default is.
        """
        if not self.is_answered_by_default(term, applied):
            return "", ()
        stage = self.deciding_stage(state, term.name, arguments)
        if stage != term.name:
            return "", (self.explain(state, stage, arguments, depth),)
        return self.explain_default(state, term, arguments, depth)

    def explain_default(
        self, state: State, term: graph.Term, arguments: tuple[Value, ...], depth: int
    ) -> tuple[str, tuple[Explanation, ...]]:
        """Return what answers where no rule is live, with the explanations of the questions that it asks."""
        match term.form:
            case "flag":
                flag = self.graph.vocabulary.flags[term.name]
                marking = "marked" if flag.what == "status" else "printed"
                is_marked = is_printed(state, flag, arguments[0])
                return f"so it is {marking}" if is_marked else f"nothing of the kind is {marking}", ()
            case "verdict":
                return "no rule forbids it" if term.default else "no rule allows it", ()
            case "condition":
                return "no rule says otherwise" if term.default else "no rule makes it so", ()
            case "value" | "sum" | "min" | "max" | "set":
                recording, reads = recording_interpreter(self.answers)
                names = bindings_of(term, None, arguments)
                value = recording.evaluate(state, term.otherwise, names) if term.otherwise is not None else None
                text = self.rule_wording(state, term, None, names).phrase(term.otherwise) if term.otherwise else ""
                is_computed = isinstance(term.type, graph.Scale) and not reads.questions
                is_stated = is_computed or text == value_text(state, value, term.type)
                default = "no rule says otherwise" if is_stated else f"it is {text} unless a rule says otherwise"
                return default, self.explain_questions(state, term, reads.questions, depth)

    def explain_clause(
        self,
        state: State,
        term: graph.Term,
        rule: graph.Rule,
        arguments: tuple[Value, ...],
        live: Sequence[str],
        depth: int,
    ) -> ExplainedClause:
        """Explain one rule: whether it applies, and why or why not."""
        recording, reads = recording_interpreter(self.answers)
        names = bindings_of(term, rule, arguments, MemoizedBinding)
        conditions = self.condition_explainer(state, names, self.rule_wording(state, term, rule, names), recording)
        defeaters = self.defeating_rules(rule.label, live)
        if defeaters and rule.guard is not None and not conditions.recorded_value(rule.guard):
            defeaters = ()  # Its own guard fails as well, which is the more direct reason.
        status = self.clause_status(state, term, rule, arguments, is_live=rule.label in live, defeaters=defeaters)
        reasons = () if status == DEFEATED else tuple(_reason_texts(conditions, rule))
        conclusion = witnesses = ""
        clarified_by: tuple[tuple[str, tuple[str, ...]], ...] = ()
        if status == APPLIED:
            conclusion = conclusion_text(conditions, term, rule)
            if isinstance(term.type, graph.YesNo):
                witnesses = conditions.witnesses_text((*conjuncts(rule.guard), *conjuncts(rule.value)))
            clarified_by = self.clarifications(rule)
        would_reverse = False
        if status == FAILED and term.form in ("verdict", "condition"):
            would_reverse = rule_answer(rule) == (not self.answers.ask(state, term.name, arguments).value)
        is_followed = not self.only_contrary or status == APPLIED or would_reverse
        return ExplainedClause(
            rule.label,
            status,
            conclusion,
            reasons,
            witnesses,
            defeaters,
            rule.defeats,
            rule.cites,
            self.graph.rulings[rule.label].asks if rule.ruling == rule.label else "",
            rule.prose,
            provenance_text(self.graph, rule, term),
            tuple(reads.cells),
            self.explain_questions(state, term, reads.questions, depth) if is_followed else (),
            would_reverse,
            clarified_by,
        )

    def clause_status(
        self,
        state: State,
        term: graph.Term,
        rule: graph.Rule,
        arguments: tuple[Value, ...],
        *,
        is_live: bool,
        defeaters: Sequence[str],
    ) -> str:
        """Return whether a rule applies, is idle as it changes nothing here, is defeated, or failed."""
        if not is_live:
            return DEFEATED if defeaters else FAILED
        is_idle = only_defeats(term, rule) and not self.defeats_something(state, term, rule, arguments)
        return IDLE if is_idle else APPLIED

    def clarifications(self, rule: graph.Rule) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the rulings that confirm a rule, or the rule that it replaces, each with what it cites."""
        confirmed = {rule.label, *(label for verb, label in rule.relations if verb == "replaces")}
        rulings = (each for each in self.graph.rulings.values() if confirmed.intersection(each.clarifies))
        return tuple((each.label, each.cites) for each in rulings)

    def defeating_rules(self, label: str, live: Sequence[str]) -> tuple[str, ...]:
        """Return the live rules that defeat a rule."""
        return tuple(each for each in live if label in self.graph.rules[each].defeats)

    def defeats_something(self, state: State, term: graph.Term, rule: graph.Rule, arguments: tuple[Value, ...]) -> bool:
        """Return whether any rule that this one defeats would have been live."""
        targets = [rule_of_term(self.graph, term, label) for label in rule.defeats if label in term.rules]
        for target in targets:
            names = bindings_of(term, target, arguments, MemoizedBinding)
            if target.guard is None or self.answers.evaluate(state, target.guard, names):
                return True
        return False

    def condition_explainer(
        self, state: State, names: Environment, wording: Wording, recording: Interpreter
    ) -> ConditionExplainer:
        """Return an explainer of conditions and set memberships in this state."""
        return ConditionExplainer(
            self.answers, state, names, wording,
            lambda term, inner: self.rule_wording(state, term, None, inner),
            recording, partial(recording.ask, state),
        )  # fmt: skip

    def rule_wording(self, state: State, term: graph.Term, rule: graph.Rule | None, names: Environment) -> Wording:
        """Return the wording of a rule: parameters are named by their values, records by their type, as "the order".

        `with` names are called by what they stand for.
        """
        types = {parameter.name: parameter.type for parameter in term.parameters}
        calls = {
            name: f"the {words.readable_name(name if len(name) > 1 else type_.name)}"
            if isinstance(type_, graph.RecordOf)
            else value_as_name(state, names[name], type_)
            for name, type_ in types.items()
        }
        wording = Wording(self.graph, calls, types)
        for name, expr in rule.names if rule else ():
            wording = wording.with_name(name, wording.phrase(expr), type_of(expr, wording.names, self.graph))
        return wording

    def explain_questions(
        self, state: State, term: graph.Term, questions: Sequence[Question], depth: int
    ) -> tuple[Explanation, ...]:
        """Explain the questions that were asked for an answer of a term, at most `ENOUGH` of them."""
        explanations = []
        for name, arguments in questions[:ENOUGH]:
            depth_below = depth if _same_question(name, term.name) else depth - 1
            if depth_below >= 0:
                stage = self.deciding_stage(state, name, arguments)
                explanations.append(self.explain(state, stage, arguments, depth_below))
        return tuple(explanations)


def _reason_texts(conditions: ConditionExplainer, rule: graph.Rule) -> Iterator[str]:
    """Yield the conjuncts of a guard as text: all of them if they hold, or the first that fails."""
    for part in conjuncts(rule.guard):
        if not conditions.recorded_value(part):
            yield conditions.failing_text(part)
            return
        yield conditions.holding_text(part)
    if rule.value is not None and (explanation := conditions.explain_condition(rule.value)):
        yield explanation


def conclusion_text(conditions: ConditionExplainer, term: graph.Term, rule: graph.Rule) -> str:
    """Return the conclusion of a live rule as text."""
    if rule.value is None:
        answer = rule_answer(rule)
        return "" if answer is None else answer_text(conditions.state, term, answer)
    value = conditions.recorded_value(rule.value)
    text = value_text(conditions.state, value, term.type)
    if value == () and rule.verb in NOTHING:
        return NOTHING[rule.verb]
    if rule.verb == "adds":
        return text if value < 0 else f"+{text}"
    return text if rule.verb in ("is", "offers") else f"{rule.verb} {text}"


def _same_question(first: str, second: str) -> bool:
    """Return whether two terms are stages of one question, which share a level of depth."""
    return first.partition(".")[0] == second.partition(".")[0]
