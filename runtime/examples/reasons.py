"""The rules that refuse an action, and where: at which choice, or in the `legal` lines of which action.

In: the position, and the first condition or choice that fails (perform.py). Out: `Reasons`. A rule decides if it is
live in a verdict or condition that the `legal` line asks and whose value is against the action; where no member is left
to choose, the rules that exclude each member decide; where a search over the map does not reach the chosen
member, the rules that close the next step towards it. A condition that asks no question is named by what it reads, as
`fired` or `side`. `applied` holds all rules that were live during the evaluation.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from runtime.answer.answer import live_labels
from runtime.answer.condition_explainer import ConditionExplainer
from runtime.answer.failing_parts import first_failing
from runtime.answer.interpreter import Interpreter, bindings_of
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rule_of_term, rules_of_term
from runtime.graph.answer_errors import Unanswered
from runtime.graph.expressions import symbols_in
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import nodes_of
from runtime.graph.wording import Wording
from runtime.play.machine import Machine
from runtime.play.playthrough import Names, Playthrough, ProcedureFrame
from runtime.play.refusal_parts import RefusalReason
from runtime.play.scripted_choices import ChosenValues
from runtime.play.scripted_heads import choose_head
from runtime.state.record import Value

DEFAULT = "default"


@frozen_dataclass
class Reasons:
    """Why an action is refused: `rules` that decide (or "default"), `words` that the failing conditions read.

    `places` are the choices and actions at which it is refused; `applied` the rules that were live during evaluation.
    """

    rules: tuple[str, ...]
    words: tuple[str, ...]
    places: tuple[str, ...]
    applied: frozenset[str]

    @property
    def best_reason(self) -> tuple[str, ...]:
        """Return the reason as an example states it: the rules, or else a word of the condition, or else the place."""
        rules = tuple(rule for rule in self.rules if rule != DEFAULT)
        return rules[:2] or self.words[:1] or self.rules[:1] or self.places[:1]

    @property
    def deciding_names(self) -> frozenset[str]:
        """Return all names under which an example may state the reason."""
        return frozenset((*self.rules, *self.words, *self.places))


def reasons_of(
    machine: Machine,
    playthrough: Playthrough,
    answers: Interpreter,
    action: str,
    chosen: ChosenValues,
    refused: RefusalReason,
) -> Reasons:
    """Find the rules behind a refusal, by an interpreter with a memo, whose hooks hear the questions that this asks."""
    memo = answers.memo
    assert memo is not None
    before, memo.live_rules = memo.live_rules, set()
    finder = _ReasonCollector(machine, playthrough, answers, chosen)
    try:
        finder.refusal(action, refused)
        applied = frozenset(memo.live_rules) | finder.rules.keys()
        return Reasons(tuple(finder.rules), tuple(finder.words), tuple(finder.places), applied)
    finally:
        memo.live_rules |= before


@dataclass(slots=True)
class _ReasonCollector:
    """A traversal of failing conditions that collects reasons in the order in which it finds them."""

    machine: Machine
    playthrough: Playthrough
    answers: Interpreter
    chosen: ChosenValues
    rules: dict[str, None] = field(default_factory=dict)
    words: dict[str, None] = field(default_factory=dict)
    places: dict[str, None] = field(default_factory=dict)

    def refusal(self, action: str, refused: RefusalReason) -> None:
        """Collect the reasons of a failing condition, or of a choice that is not open."""
        action = refused.opener or action
        program = self.machine.programs.entries[f"action:{action}"]
        self.places[refused.choice or action] = None
        if refused.condition is not None:
            self.condition(refused.condition, refused.names, program.steps)
            return
        for index, step in enumerate(program.steps[: program.head_length]):
            if isinstance(step, graph.Choose) and step.name == refused.choice:
                self.choice(action, index, step, refused.names)
                self.places[action] = None

    def choice(self, action: str, index: int, step: graph.Choose, names: Names) -> None:
        """Collect the reasons why a choice excludes the chosen member, or has no member left."""
        code = self.machine.programs.entries[f"action:{action}"].steps
        self.excluded_members(self.machine.frame(f"action:{action}", names, index), step, code)
        if not self.rules and not self.words:  # The set is the answer to a question.
            self.words |= {node.term: None for node in nodes_of(graph.Ask, step.source)}
        if step.name in names or step.how:
            return
        for member in self.value(step.source, names) or ():
            call = self.machine.frame(f"action:{action}", {**names, step.name: member}, index + 1)
            with suppress(Unanswered):
                refusal = choose_head(self.machine, self.playthrough, call, self.chosen)
                if refusal is not None and not refusal.unspecified:
                    self.refusal(action, refusal)

    def excluded_members(self, call: ProcedureFrame, step: graph.Choose, code: tuple[object, ...]) -> None:
        """Collect the reasons why the members of a choice, or the chosen ones alone, are not in its set."""
        names = call.names
        origin, bindings = self.expand_definition(step.source, names, code)
        chosen = names.get(step.name)
        chosen_members = chosen if isinstance(chosen, tuple) else (chosen,)
        match origin:
            case graph.Fold("gather", var, source, condition, None) if condition is not None:
                for member in self.value(source, bindings) or ():
                    if step.name not in names or member in chosen_members:
                        member_call = ProcedureFrame(call.key, call.pending, {**bindings, var: member})
                        self.failed_filter(member_call, condition, code)
            case source:
                self.value(source, names)
                self.rules |= dict.fromkeys(self.excluding(source, names))
                for member in chosen_members if chosen is not None else ():
                    self.collect_blocked_step(member, source, names, code)

    def failed_filter(self, call: ProcedureFrame, condition: graph.Expr, code: tuple[object, ...]) -> None:
        """Collect the reasons why a member, bound in `call`, does not pass the filter of a set."""
        if not self.value(condition, call.names):
            with suppress(Unanswered):
                if failing := first_failing(condition, partial(self.machine.value, self.playthrough, call)):
                    self.condition(failing, call.names, code)

    def expand_definition(self, source: graph.Expr, names: Names, code: tuple[object, ...]) -> tuple[graph.Expr, Names]:
        """Expand a name that a `let` binds, and a call of a `define` into its body, with the names bound in it."""
        if isinstance(source, graph.Var):
            bound = (step.value for step in code if isinstance(step, graph.Let) and step.name == source.name)
            source = next(bound, source)
        if isinstance(source, graph.Ask):
            with suppress(Unanswered, KeyError):
                live = self.live_rules_of(source, names)
                if [rule.label for rule in live] == [source.term] and live[0].value is not None:
                    term = self.machine.graph.terms[source.term]
                    return live[0].value, dict(bindings_of(term, live[0], self.arguments(source, names)))
        return source, names

    def excluding(self, source: graph.Expr, names: Names) -> Iterator[str]:
        """Yield the rules that exclude members from the sets of a choice."""
        for question in nodes_of(graph.Ask, source):
            with suppress(Unanswered, KeyError):
                yield from (rule.label for rule in self.live_rules_of(question, names) if rule.verb == "excludes")

    def condition(self, expr: graph.Expr, names: Names, code: tuple[object, ...]) -> None:
        """Collect the reasons of a failing condition: its questions, and the definitions of its names."""
        self.words |= dict.fromkeys(names_read(expr, self.machine.graph.vocabulary))
        match expr:
            case graph.Ask():
                with suppress(Unanswered, KeyError):
                    self.question(expr, names, code)
            case graph.Var(name):
                for step in code:
                    if isinstance(step, graph.Let) and step.name == name:
                        self.condition(step.value, names, code)
            case graph.Op(op, parts):
                for part in parts:
                    if op != "and" or not self.value(part, names):
                        self.condition(part, names, code)
                if op == "in" and not self.value(expr, names):
                    self.collect_blocked_step(self.value(parts[0], names), parts[1], names, code)
            case graph.Fold():
                self.members(expr, names, code)
            case _:
                self.value(expr, names)

    def collect_blocked_step(self, member: Value, source: graph.Expr, names: Names, code: tuple[object, ...]) -> None:
        """Collect the reasons why a search over the map does not step on to a member."""
        steps: list[tuple[str, tuple[Value, ...]]] = []
        plain = Wording(self.machine.graph)
        explainer = ConditionExplainer(
            self.answers, self.playthrough.state, names, plain, lambda _term, _names: plain,
            self.answers, lambda *step: steps.append(step),
        )  # fmt: skip
        with suppress(KeyError):
            explainer.explain_absence(member, source)
        for term, arguments in steps:
            bindings = {str(index): value for index, value in enumerate(arguments)}
            with suppress(Unanswered, KeyError):
                self.question(graph.Ask(term, tuple(map(graph.Var, bindings))), bindings, code)

    def members(self, fold: graph.Fold, names: Names, code: tuple[object, ...]) -> None:
        """Collect the reasons inside an aggregate over its members; for `every`, of the members that fail."""
        for member in self.value(fold.source, names) or ():
            inner_names = {**names, fold.var: member}
            if fold.op != "every" or not self.value(fold.body, inner_names):
                for part in (fold.where, fold.body):
                    if part is not None:
                        self.condition(part, inner_names, code)

    def question(self, question: graph.Ask, names: Names, code: tuple[object, ...]) -> None:
        """Record the rules that decide a question; for a `define`, those of its body."""
        term = self.machine.graph.terms[question.term]
        live = self.live_rules_of(question, names)
        if term.form in ("verdict", "condition"):
            answer = bool(self.value(question, names))
            deciding = [rule.label for rule in live if rule_answer(rule) == answer]
            self.rules |= dict.fromkeys(deciding or [DEFAULT])
            if not deciding and not answer:
                self.permissions(term, question, names, code)
        elif [rule.label for rule in live] == [term.name] and live[0].value is not None:
            arguments = self.arguments(question, names)
            self.condition(live[0].value, dict(bindings_of(term, live[0], arguments)), code)

    def permissions(self, term: graph.Term, question: graph.Ask, names: Names, code: tuple[object, ...]) -> None:
        """Collect the reasons why the guards of permitting rules fail, where no rule forbids."""
        arguments = self.arguments(question, names)
        for rule in rules_of_term(self.machine.graph, term):
            if rule_answer(rule) and rule.guard is not None:
                with suppress(Unanswered, KeyError):
                    self.condition(rule.guard, dict(bindings_of(term, rule, arguments)), code)

    def live_rules_of(self, question: graph.Ask, names: Names) -> list[graph.Rule]:
        """Return the rules that are live for a question."""
        found = self.answers.ask(self.playthrough.state, question.term, self.arguments(question, names))
        rules = self.machine.graph
        term = rules.terms[question.term]
        return [rule_of_term(rules, term, label) for label in live_labels(term, found.mask)]

    def arguments(self, question: graph.Ask, names: Names) -> tuple[Value, ...]:
        """Evaluate the arguments of a question."""
        return tuple(self.answers.evaluate(self.playthrough.state, each, names) for each in question.arguments)

    def value(self, expr: graph.Expr | None, names: Names) -> Value:
        """Evaluate an expression; None where it has no value."""
        with suppress(Unanswered, KeyError):
            return None if expr is None else self.answers.evaluate(self.playthrough.state, expr, names)
        return None


# Names that most conditions read; any other name is more specific.
COMMON = ("hex", "side", "kind", "place", "player", "turn")
# Symbols that read nothing of the position.
UNREAD = frozenset(
    ("local", "member", "place of scale", "hex", "piece", "region", "step", "function", "relation", "reserve")
)


def names_read(condition: graph.Expr, words: graph.Vocabulary) -> list[str]:
    """Return the names that a condition reads: flags, notes, partners, charts, questions; the most specific first."""
    found: dict[str, None] = {}
    for symbol in symbols_in(condition):
        match symbol:
            case ("end", relation, end):
                found[words.relations[relation].end(end).name] = None
            case ("record", "", _) | (_, _, ""):
                pass
            case (namespace, _, name) if namespace not in UNREAD:
                found[name] = None
            case _:
                pass
    return sorted(found, key=lambda name: name in COMMON)
