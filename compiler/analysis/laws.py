"""A stack with its rules indexed by what they defeat, and what a term answers, written in the place of its name."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from compiler.analysis.normal_form import Names, normalize, with_names
from compiler.analysis.recording_graph import RecordingGraph, recording_graph
from compiler.query.database import Database
from compiler.query.traces import TraceStore
from runtime.graph import nodes as graph

# Terms of words with more rules than this stay one question.
MOST_BRANCHES = 8


@dataclass(frozen=True, slots=True)
class Laws:
    """A stack, its layers by name, and for each label the rules that defeat it; it notes what is asked of it."""

    recording: RecordingGraph
    defeaters: Mapping[str, tuple[graph.Rule, ...]]
    layers: Mapping[str, graph.Layer]
    below: Mapping[str, frozenset[str]]  # what each layer stands on, directly or by way of others

    @property
    def stack(self) -> graph.Graph:
        """The stack itself."""
        return self.recording.stack

    def defeaters_of(self, label: str) -> frozenset[str]:
        """Name the rules that defeat a rule, or defeat those that do, and so on."""
        rule = self.stack.rules[label]
        return self.recording.query("above", rule, partial(self._above, label))

    def _above(self, label: str) -> frozenset[str]:
        found: set[str] = set()
        todo = [label]
        while todo:
            new = {other.label for other in self.defeaters.get(todo.pop(), ())} - found
            found |= new
            todo.extend(new)
        return frozenset(found)

    def rules(self, term: graph.Term) -> tuple[graph.Rule, ...]:
        """List the rules of a term that conclude something."""
        return tuple(rule for label in term.rules if (rule := self.stack.rules[label]).verb)

    def expanded_term(self, ask: graph.Ask) -> graph.Expr | None:
        """Write what a term answers in the place of its name: a definition's value, or an `if` for each rule.

        Only words and yes or no are spelled out rule by rule: amounts have many rules, and are cut, not
        listed. Which of two clashing rules comes first does not matter, the clash has its own finding.
        """
        term = self.stack.terms.get(ask.term)
        if term is None or term.form != "value":
            return None
        rules = self.rules(term)
        names = arguments_of(term, ask.arguments)
        if len(term.rules) == 1 and rules and rules[0].guard is None:
            return self._value(rules[0], names)
        if not isinstance(term.type, (graph.Enum, graph.YesNo)) or not 0 < len(term.rules) <= MOST_BRANCHES:
            return None
        *others, last = rules
        rest = self._value(last, names) if term.otherwise is None else normalize(term.otherwise, names)
        for rule in reversed(others if term.otherwise is None else rules):
            rest = graph.Op("if", (self.live_condition(rule, names), self._value(rule, names), rest))
        return rest

    def live_condition(self, rule: graph.Rule, names: Names) -> graph.Expr:
        """Write as one condition when a rule is live."""
        own = graph.Truth(value=True) if rule.guard is None else normalize(rule.guard, with_names(rule, names))
        silenced = (self.live_condition(other, names) for other in self.defeaters.get(rule.label, ()))
        return graph.Op("and", (own, *(graph.Op("not", (each,)) for each in silenced)))

    def _value(self, rule: graph.Rule, names: Names) -> graph.Expr:
        assert rule.value is not None, "rules of a value term conclude with a value"
        return normalize(rule.value, with_names(rule, names))


def laws_of(stack: graph.Graph, database: Database | None = None, store: TraceStore | None = None) -> Laws:
    """Index a stack; the memos of other stacks serve where they hold here. A card shares nothing with others."""
    found: dict[str, list[graph.Rule]] = {}
    for rule in stack.rules.values():
        for label in rule.defeats:
            found.setdefault(label, []).append(rule)
    alone = stack.scenario is not None
    shared = Database() if database is None or alone else database
    graph_ = recording_graph(stack, shared, None if alone else store)
    defeaters = {label: shared.tuple_of(rules) for label, rules in found.items()}
    layers = {layer.name: layer for layer in stack.layers}
    below = {name: shared.intern(frozenset(names)) for name, names in layers_below(stack).items()}
    return Laws(
        graph_, graph_.table("defeaters", defeaters), graph_.table("layers", layers), graph_.table("below", below)
    )


def arguments_of(term: graph.Term, arguments: tuple[graph.Expr, ...]) -> dict[str, graph.Expr]:
    """Bind the parameters of a term."""
    return {parameter.name: argument for parameter, argument in zip(term.parameters, arguments, strict=True)}


def layers_below(stack: graph.Graph) -> dict[str, set[str]]:
    """Name under each layer those that it stands on, directly or by way of others; a stack lists lower layers first."""
    below: dict[str, set[str]] = {}
    for layer in stack.layers:
        below[layer.name] = {*layer.on, *(name for each in layer.on for name in below.get(each, ()))}
    return below
