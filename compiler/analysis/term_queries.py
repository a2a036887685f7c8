"""The questions that guards query, with their arguments.

In: the path of a step. Out: the questions queried on it, directly or through rules, with arguments in the names of the
procedure, substituted; and whether two lists of arguments certainly differ. Where that cannot be decided, as of a
member of some set, they count as possibly equal, and nothing is reported.
"""

from collections.abc import Iterator
from typing import NamedTuple

from compiler.analysis.access_paths import SymbolicPath
from compiler.analysis.normal_form import normalize, normalized_names, with_names
from compiler.analysis.questions_in_play import terms_by_term
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.closure import transitive_closure
from runtime.graph.conjuncts import conjuncts
from runtime.graph.free_names import variables_in
from runtime.graph.type_of import types_of_names
from runtime.graph.walk import nodes_of, replace_children

# The placeholder of an argument that may be any value.
ANY_VALUE = graph.Op("#any", ())
OFF = (graph.Test("off", "piece", "off"),)
# The number of questions in one term above which their arguments count as any value.
MOST_ASKED = 80
# No set of a printed game is nested this deep.
MOST_SET_LEVELS = 8


class TermQuery(NamedTuple):
    """A term, the arguments of the query, and the question in the guard that led to it."""

    term: str
    arguments: tuple[graph.Expr, ...]
    question: graph.Ask


class PathFacts(NamedTuple):
    """What the guards on a path establish: questions that were queried, and pairs of names that may be equal."""

    queries: tuple[TermQuery, ...]
    equal: frozenset[frozenset[str]]


class GuardReader:
    """A reader of the guards of one stack, for questions about the `wanted_terms` terms."""

    def __init__(self, stack: graph.Graph, wanted_terms: frozenset[str]) -> None:
        """Determine the terms whose rules query a wanted one, directly or through others."""
        self._stack = stack
        self._wanted = wanted_terms
        self._within: dict[str, tuple[TermQuery, ...]] = {}
        callers: dict[str, set[str]] = {}
        for name, terms in terms_by_term(stack).items():
            for term in terms:
                callers.setdefault(term, set()).add(name)
        self._leading = transitive_closure(wanted_terms, lambda name: callers.get(name, ()))

    def facts_on_path(self, path: SymbolicPath) -> PathFacts:
        """Return the facts that the guards of a path establish."""
        names = substitution_of(path)
        conditions = [part for guard in path.guards for part in self._implied(normalize(guard, names), MOST_SET_LEVELS)]
        # What a set asks of its members follows from a membership: asked of this member, and of no other.
        read = (condition for condition in conditions if not self._is_read_by_member(condition))
        written = {value: graph.Var(name) for name, value in names.items()}
        queries = [
            query._replace(question=replace_children(query.question, written))
            for condition in read
            for query in self._queries_in(condition)
        ]
        pairs = (pair for condition in conditions for pair in _equated_names(condition))
        return PathFacts(tuple(dict.fromkeys(queries)), frozenset(pairs))

    def _implied(self, guard: graph.Expr, levels: int) -> Iterator[graph.Expr]:
        """List what follows from a normalized guard, and from the rules of the sets that it names."""
        for condition in implied_conditions(guard):
            yield condition
            match condition:
                case graph.Op("in", (member, graph.Ask() as ask)) if self._is_read_by_member(condition) and levels:
                    for value in self._values_of(ask):
                        yield from self._implied(normalize(graph.Op("in", (member, value)), {}), levels - 1)
                case _:
                    pass

    def _is_read_by_member(self, condition: graph.Expr) -> bool:
        match condition:
            case graph.Op("in", (_, graph.Fold("gather", body=None))):
                return True
            case graph.Op("in", (_, graph.Ask(term))):
                return term in self._leading and term not in self._wanted
            case _:
                return False

    def _values_of(self, ask: graph.Ask) -> Iterator[graph.Expr]:
        """Yield what the rules of a set conclude, with the arguments of the question."""
        term = self._stack.terms[ask.term]
        arguments = dict(zip((part.name for part in term.parameters), ask.arguments, strict=True))
        for rule in rules_of_term(self._stack, term):
            if rule.value is not None:
                yield normalize(rule.value, with_names(rule, arguments))

    def _queries_in(self, expr: graph.Expr) -> Iterator[TermQuery]:
        """Yield the queries in a normalized expression, and those in the rules of the terms that it asks."""
        for ask in nodes_of(graph.Ask, expr):
            if ask.term not in self._leading:
                continue
            if ask.term in self._wanted:
                yield TermQuery(ask.term, ask.arguments, ask)
            parameters = (part.name for part in self._stack.terms[ask.term].parameters)
            names = dict(zip(parameters, ask.arguments, strict=True))
            for query in self._queries_of_term(ask.term):
                yield TermQuery(query.term, tuple(normalize(part, names) for part in query.arguments), ask)

    def _queries_of_term(self, name: str) -> tuple[TermQuery, ...]:
        """Return the queries in the rules of a term, in its own parameters."""
        if name in self._within:
            return self._within[name]
        self._within[name] = ()  # The recursive queries of a term add nothing.
        term = self._stack.terms[name]
        expressions = [] if term.otherwise is None else [normalize(term.otherwise, {})]
        for rule in rules_of_term(self._stack, term):
            names = with_names(rule, {})
            expressions += [normalize(part, names) for part in (rule.guard, rule.value) if part is not None]
        queries = dict.fromkeys(query for part in expressions for query in self._queries_in(part))
        parameters = {part.name for part in term.parameters} if len(queries) <= MOST_ASKED else set[str]()
        self._within[name] = tuple(dict.fromkeys(_in_parameters(query, parameters) for query in queries))
        return self._within[name]


def _in_parameters(query: TermQuery, parameters: set[str]) -> TermQuery:
    """Return a query with any value in place of the arguments that read other names than parameters."""
    arguments = (part if variables_in(part) <= parameters else ANY_VALUE for part in query.arguments)
    return query._replace(arguments=tuple(arguments))


def implied_conditions(guard: graph.Expr) -> Iterator[graph.Expr]:
    """List what follows from a normalized guard syntactically."""
    for part in conjuncts(guard):
        yield part
        match part:
            case graph.Op("in", (member, graph.Fold("gather", var, source, filter_condition, None))):
                yield from implied_conditions(normalize(graph.Op("in", (member, source)), {}))
                if filter_condition is not None:
                    yield from implied_conditions(normalize(filter_condition, {var: member}))
            case graph.Op("in", (member, graph.Op("neighbors", (center,)))):
                yield normalize(graph.Op("adjacent", (center, member)), {})
            case graph.Op("in", (member, graph.Op("reserve"))):
                yield graph.Is(member, OFF, negated=False)
            case _:
                pass


def _equated_names(condition: graph.Expr) -> Iterator[frozenset[str]]:
    """Yield the pairs of names that a condition equates, or of which one is a member of the other."""
    match condition:
        case graph.Op("=", (left, right)):
            yield from (frozenset({a, b}) for a in variables_in(left) for b in variables_in(right))
        case graph.Op("in", (graph.Var(member), graph.Var(source))):
            yield frozenset({member, source})
        case _:
            pass


def substitution_of(path: SymbolicPath) -> dict[str, graph.Expr]:
    """Return the values of the names on a path, substituted into one another."""
    return normalized_names(path.bindings)


def types_of(path: SymbolicPath, stack: graph.Graph) -> dict[str, graph.Type]:
    """Return the types of the names on a path."""
    return types_of_names(path.parameters, path.bindings, stack)


def certainly_differ(needed: graph.Expr, argument: graph.Expr, path_facts: PathFacts) -> bool:
    """Return whether two arguments are certainly meant to be different."""
    if needed == argument:
        return False
    match needed, argument:
        case graph.Var(first), graph.Var(second):
            is_member = first.startswith("#") or second.startswith("#")  # of a fold, as normalization names it
            return not is_member and frozenset({first, second}) not in path_facts.equal
        case graph.Get(first, what, owner, name), graph.Get(second, other_what, other_owner, other_name):
            same_field = (what, owner, name) == (other_what, other_owner, other_name)
            return same_field and certainly_differ(first, second, path_facts)
        case graph.SetOf((first,)), graph.SetOf((second,)):
            return certainly_differ(first, second, path_facts)
        case graph.New(_, fields), graph.New(_, others):
            known = dict(others)
            return any(name in known and certainly_differ(value, known[name], path_facts) for name, value in fields)
        case _:
            return isinstance(needed, graph.LiteralExpr) and isinstance(argument, graph.LiteralExpr)
