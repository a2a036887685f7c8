"""A stack with its rules indexed by what they defeat, and the expansion of terms into expressions."""

from collections.abc import Mapping
from functools import partial

from compiler.analysis.fractions import Fractions
from compiler.analysis.normal_form import Names, normalize, with_names
from compiler.analysis.recording_graph import RecordingGraph, recording_graph
from compiler.query.database import Database
from compiler.query.traces import TraceStore
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import applicable_rules, rules_of_term
from runtime.graph.closure import transitive_closure
from runtime.graph.frozen_dataclass import frozen_dataclass

# Terms with more rules than this are not expanded.
MOST_BRANCHES = 8


@frozen_dataclass
class Laws:
    """A stack, and for each label the rules that defeat it; lookups in it are recorded."""

    recording: RecordingGraph
    defeaters: Mapping[str, tuple[graph.Rule, ...]]

    @property
    def stack(self) -> graph.Graph:
        """The underlying graph."""
        return self.recording.stack

    def defeaters_of(self, label: str) -> frozenset[str]:
        """Return the labels of the rules that defeat a rule, transitively, in any term."""
        rule = self.stack.rules[label]
        return self.recording.query("above", rule, partial(self._transitive_defeaters, label))

    def _transitive_defeaters(self, label: str) -> frozenset[str]:
        return frozenset(transitive_closure(self._direct_defeaters(label), self._direct_defeaters))

    def _direct_defeaters(self, label: str) -> list[str]:
        return [other.label for other in self.defeaters.get(label, ())]

    def defeaters_in_term(self, rule: graph.Rule) -> list[graph.Rule]:
        """Return the rules that defeat a rule where it holds, in the parameters of its term."""
        return [*applicable_rules(self.stack, rule, self.defeaters.get(rule.label, ()))]

    def fractions(self) -> Fractions:
        """Return what may hold a fraction in the stack; a proof that asks for it depends on the whole stack."""
        return self.recording.query("fractions", self.stack.always, partial(Fractions, self.stack))

    def rules(self, term: graph.Term) -> tuple[graph.Rule, ...]:
        """List the rules of a term that have a conclusion."""
        return tuple(rule for rule in rules_of_term(self.stack, term) if rule.verb)

    def expanded_term(self, ask: graph.Ask) -> graph.Expr | None:
        """Return an expression for the value of a term: a definition's value, or an `if` for each rule.

        None if it is not expanded. Only enumerations and truth values are expanded rule by rule: amounts have many
        rules, and proofs split their domains by cuts instead. The order of two rules that conflict is irrelevant, as
        the conflict is a separate finding.
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
        """Return the condition under which a rule is live."""
        guard = graph.Truth(value=True) if rule.guard is None else normalize(rule.guard, with_names(rule, names))
        silenced = (self.live_condition(other, names) for other in self.defeaters_in_term(rule))
        return graph.Op("and", (guard, *(graph.Op("not", (each,)) for each in silenced)))

    def _value(self, rule: graph.Rule, names: Names) -> graph.Expr:
        assert rule.value is not None, "rules of a value term conclude with a value"
        return normalize(rule.value, with_names(rule, names))


def laws_of(stack: graph.Graph, database: Database | None = None, store: TraceStore | None = None) -> Laws:
    """Index a stack; memos in the database serve where they are valid for it.

    A card uses neither database nor store.
    """
    found: dict[str, list[graph.Rule]] = {}
    for rule in stack.rules.values():
        for label in rule.defeats:
            found.setdefault(label, []).append(rule)
    is_card = stack.scenario is not None
    shared = Database() if database is None or is_card else database
    graph_ = recording_graph(stack, shared, None if is_card else store)
    defeaters = {label: shared.tuple_of(rules) for label, rules in found.items()}
    return Laws(graph_, graph_.table("defeaters", defeaters))


def arguments_of(term: graph.Term, arguments: tuple[graph.Expr, ...]) -> dict[str, graph.Expr]:
    """Return the arguments of a term by its parameters."""
    return {parameter.name: argument for parameter, argument in zip(term.parameters, arguments, strict=True)}


def layers_below(stack: graph.Graph) -> dict[str, set[str]]:
    """Return the layers that each layer imports, transitively; the stack lists lower layers first."""
    below: dict[str, set[str]] = {}
    for layer in stack.layers:
        below[layer.name] = {*layer.on, *(name for each in layer.on for name in below.get(each, ()))}
    return below
