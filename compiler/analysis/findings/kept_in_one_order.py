"""Bans on two acts in a turn that are kept in one order: who has done one may not do the other, but not the reverse.

In: a whole game. Out: findings. A prohibition on one act requires a status that another act sets, both are open in the
same phase, and nothing that the first act notes of the piece forbids anything to others. Many laws are meant so: who
has fired moves no more, but fires after it has moved. So it is reported only where the status is kept for this
prohibition alone, since it then says nothing of the piece but what it may not do together with the first act.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from compiler.analysis.checks import check_of_stack
from compiler.analysis.deeds import Deed, RequiredDeeds, started_with_arguments
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.moments import Moments
from compiler.analysis.parties import Party, party_label, procedure_party
from compiler.analysis.questions_in_play import terms_by_term, terms_in, terms_reached
from compiler.analysis.step_reads import expressions_of_rule, expressions_of_term, expressions_read
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_by_start
from runtime.graph.closure import transitive_closure
from runtime.graph.conjuncts import conjuncts
from runtime.graph.effects import effects_in
from runtime.graph.effects.primitives import SetStatus
from runtime.graph.steps import nested_steps
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import nodes_of


@finding("R0707", "kept-in-one-order", WARNING)
class KeptInOneOrder(Finding):
    """A prohibition on `act` for pieces with a status that `others` set: they are not forbidden after `act`."""

    rule: Party
    status: str
    act: Party
    others: tuple[Party, ...]

    def sentence(self) -> Sentence:
        labels = (
            party_label(self.act, "forbidden after the other"),
            *(party_label(other, "allowed after it") for other in self.others),
        )
        names = list_words(tuple(other.label for other in self.others), "and")
        message = f"`{self.rule.label}` works in one order only: after `{self.act.label}` a unit may still take {names}"
        advice = f"let `{self.act.label}` set a status such as `{self.status}`, and forbid the other action by it"
        return Sentence(message, (party_label(self.rule), *labels), advice)


# A procedure and one of its names.
LocalName = tuple[str, str]


@check_of_stack
def kept_in_one_order(stack: graph.Graph) -> Iterator[KeptInOneOrder]:
    """Find such prohibitions."""
    sequence = stack.procedures.get("sequence")
    if sequence is None:
        return
    acts = _Acts(stack, Moments(stack, sequence))
    reader_counts = Counter(status for statuses in _statuses_by_reader(stack) for status in statuses)
    writer = ExpressionWriter(stack.vocabulary)
    for rule in stack.rules.values():
        for subject, status in _forbidding_statuses(rule):
            if reader_counts[status] != 1 or stack.vocabulary.flags[status].until not in acts.ends:
                continue
            for act in acts.banned_by(rule, subject, status):
                others = acts.open_beside(act, status)
                if others:
                    parties = [procedure_party(stack.procedures[key]) for key in (act, *others)]
                    yield KeptInOneOrder(writer.rule_party(rule), status, parties[0], tuple(parties[1:]))
                    break


def _statuses_by_reader(stack: graph.Graph) -> Iterator[set[str]]:
    """Yield the statuses that each rule, and each procedure, reads."""
    for rule in stack.rules.values():
        yield _statuses_in(expressions_of_rule(rule))
    for procedure in stack.procedures.values():
        steps = nested_steps(procedure.body)
        yield _statuses_in(tuple(expression for step in steps for expression in expressions_read(step)))


def _statuses_in(expressions: object) -> set[str]:
    return {
        f"{test.owner}.{test.name}"
        for node in nodes_of(graph.Is, expressions)
        for test in node.tests
        if test.what == "status"
    }


def _forbidding_statuses(rule: graph.Rule) -> Iterator[tuple[str, str]]:
    """Yield the parameters of a prohibition that need a status for it to apply, each with the status."""
    for part in conjuncts(rule.guard) if rule_answer(rule) is False and rule.guard is not None else ():
        match part:
            case graph.Is(graph.Var(name), (graph.Test("status", owner, status),), False):
                yield name, f"{owner}.{status}"
            case _:
                pass


class _Acts:
    """The actions of a game: when they are open, what they ask and what they set."""

    def __init__(self, stack: graph.Graph, moments: Moments) -> None:
        self._stack = stack
        self._moments = moments
        self._required = RequiredDeeds(stack)
        self.ends = {node.ends for node in moments.nodes} - {""}
        self._keys = [key for key, procedure in stack.procedures.items() if procedure.what == "action"]
        self._run_in = {key: {key, *moments.procedures_of(stack.procedures[key].body)} for key in self._keys}
        self._open_at = {
            key: {index for index, node in enumerate(moments.nodes) if key in node.procedures} for key in self._keys
        }

    def banned_by(self, rule: graph.Rule, subject: str, status: str) -> Iterator[str]:
        """Yield the actions that a prohibition forbids, if none of their marks of its subject forbids another one."""
        for key in self._keys:
            if not self._sets(key, status):
                for actor in self._actors(key, rule, subject):
                    marks = self._marks_of(key, actor)
                    if not any(marks & self._forbidding[other] for other in self._keys if other != key):
                        yield key

    def open_beside(self, act: str, status: str) -> tuple[str, ...]:
        """Return the actions open in a phase of another one that set a status and do not ask for it themselves."""
        return tuple(
            key
            for key in self._keys
            if key != act and self._open_at[act] & self._open_at[key]
            if self._sets(key, status) and status not in self._statuses_asked[key]
        )

    def _sets(self, key: str, status: str) -> bool:
        return any(status in self._set_by_procedure[name] for name in self._run_in[key])

    @cached_property
    def _set_by_procedure(self) -> dict[str, set[str]]:
        return {
            key: {f"{effect.owner}.{effect.name}" for effect in effects_in(procedure.body, SetStatus) if effect.on}
            for key, procedure in self._stack.procedures.items()
        }

    @cached_property
    def _terms_asked(self) -> dict[str, frozenset[str]]:
        """By action, the terms that its conditions and choices ask, directly or through others."""
        by_term = terms_by_term(self._stack)
        return {key: terms_reached(terms_in(self._conditions(key)), by_term) for key in self._keys}

    @cached_property
    def _statuses_asked(self) -> dict[str, set[str]]:
        """By action, the statuses that its conditions and choices, and the terms that these ask, read."""
        statuses: dict[str, set[str]] = {}
        for key in self._keys:
            terms = (self._stack.terms[name] for name in self._terms_asked[key] if name in self._stack.terms)
            read = tuple(expressions_of_term(term, self._stack) for term in terms)
            statuses[key] = _statuses_in((self._conditions(key), read))
        return statuses

    @cached_property
    def _forbidding(self) -> dict[str, set[str]]:
        """By action, the statuses that a prohibition on it requires."""
        return {key: {deed.name for deed in self._forbidding_deeds(key)} for key in self._keys}

    def _forbidding_deeds(self, key: str) -> Iterator[Deed]:
        terms = (self._stack.terms[name] for name in self._terms_asked[key] if name in self._stack.terms)
        for label in (label for term in terms for label in term.rules):
            rule = self._stack.rules[label]
            if rule_answer(rule) is False:
                yield from self._required.required_by(rule.guard)

    def _conditions(self, key: str) -> tuple[graph.Expr, ...]:
        conditions: list[graph.Expr] = []
        for step in self._stack.procedures[key].body:
            match step:
                case graph.Legal(condition) | graph.Choose(source=condition):
                    conditions.append(condition)
                case _:
                    pass
        return tuple(conditions)

    def _actors(self, key: str, rule: graph.Rule, subject: str) -> Iterator[str]:
        """Yield the names of an action that it passes as the subject of a prohibition, also as it chooses them."""
        for step in self._stack.procedures[key].body:
            if not isinstance(step, graph.Legal | graph.Choose):
                continue
            member = step.source.var if isinstance(step, graph.Choose) and isinstance(step.source, graph.Fold) else ""
            for question in (node for node in nodes_of(graph.Ask, step) if node.term in rule.terms):
                names = [part.name for part in self._stack.terms[question.term].parameters]
                argument = question.arguments[names.index(subject)] if subject in names else None
                if isinstance(argument, graph.Var):
                    yield step.name if isinstance(step, graph.Choose) and argument.name == member else argument.name

    def _marks_of(self, key: str, name: str) -> set[str]:
        """Return the statuses that a procedure, and what it starts, sets on the piece of a name."""
        keys_by_start = procedures_by_start(self._stack)

        def passed_on(place: LocalName) -> Iterator[LocalName]:
            for start, arguments in started_with_arguments(self._stack.procedures[place[0]]):
                for callee in keys_by_start.get(start, ()):
                    parameters = self._stack.procedures[callee].parameters
                    for parameter, argument in zip(parameters, arguments, strict=False):
                        if argument == graph.Var(place[1]):
                            yield callee, parameter.name

        places = transitive_closure([(key, name)], passed_on)
        return {
            f"{effect.owner}.{effect.name}"
            for procedure, subject in places
            for effect in effects_in(self._stack.procedures[procedure].body, SetStatus)
            if effect.on and effect.subject == graph.Var(subject)
        }
