"""The questions that guards query, with their arguments.

In: the path of a step. Out: the questions queried on it, directly or through rules, with arguments in the names of the
procedure, substituted; and whether two lists of arguments certainly differ. Where that cannot be decided, as of a
member of some set, they count as possibly equal, and nothing is reported.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from compiler.analysis.access_paths import SymbolicPath
from compiler.analysis.normal_form import normalize
from compiler.analysis.step_reads import expressions_of_term
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.type_of import member_of, type_of, types_of_names
from runtime.graph.walk import inner_expressions, walk

Names = Mapping[str, graph.Expr]

# Placeholders of arguments: any value; one unknown piece or side; and, of a set, each of its members.
ANY_VALUE, SOMEBODY = graph.Op("#any", ()), graph.Op("#somebody", ())
EACH = "#each"
# The number of questions in one term, and the length of an argument's text, above which arguments count as any value.
MOST_ASKED, LONGEST_ARGUMENT = 80, 2400
# No set of a printed game is nested this deep.
MOST_SET_LEVELS = 8
# Folds that query each of their members.
UNIVERSAL = {"every", "none", "gather"}


class TermQuery(NamedTuple):
    """A term, the arguments of the query, and the question in the guard that led to it, as written."""

    term: str
    arguments: tuple[graph.Expr, ...]
    written: graph.Ask


@dataclass(frozen=True, slots=True)
class PathFacts:
    """The facts that guards on a path establish: questions queried, expressions equated, and memberships of sets."""

    queries: tuple[TermQuery, ...]
    equal: frozenset[frozenset[graph.Expr]]
    members: frozenset[tuple[graph.Expr, graph.Expr]]


@dataclass
class GuardReader:
    """A reader of the guards of one stack, for questions about the `wanted_terms` terms."""

    stack: graph.Graph
    wanted_terms: frozenset[str]

    def __post_init__(self) -> None:
        """Start with an empty memo."""
        self._within: dict[str, tuple[TermQuery, ...]] = {}

    def facts_on_path(self, path: SymbolicPath) -> PathFacts:
        """Return the facts that the guards of a path establish."""
        names = substitution_of(path)
        reading = _GuardWalk(self, path, [], set(), set())
        for guard in path.guards:
            reading.read_guard(guard, names)
        return PathFacts(tuple(dict.fromkeys(reading.queries)), frozenset(reading.equal), frozenset(reading.members))

    def queries_of_term(self, term: str) -> tuple[TermQuery, ...]:
        """Return the queries in the rules of a term, in its own parameters."""
        if term not in self._within:
            self._within[term] = ()  # The recursive queries of a term add nothing.
            found = dict.fromkeys(self._read(term)) if term in self.terms_leading_to_wanted else {}
            if len(found) > MOST_ASKED:
                found = dict.fromkeys(each._replace(arguments=(ANY_VALUE,) * len(each.arguments)) for each in found)
            self._within[term] = tuple(found)
        return self._within[term]

    @cached_property
    def terms_leading_to_wanted(self) -> frozenset[str]:
        """Return the terms whose rules query a wanted one, transitively."""
        direct = {
            name: {node.term for node in walk(expressions_of_term(term, self.stack)) if isinstance(node, graph.Ask)}
            for name, term in self.stack.terms.items()
        }
        found = set(self.wanted_terms)
        while new := {name for name, queried_terms in direct.items() if queried_terms & found} - found:
            found |= new
        return frozenset(found)

    def values_of_rules(
        self, term: graph.Term, arguments: tuple[graph.Expr, ...]
    ) -> Iterator[tuple[graph.Expr, Names]]:
        """List the conclusions of the rules of a set-valued term, with the values of their names."""
        arguments_by_name = dict(zip((part.name for part in term.parameters), arguments, strict=True))
        for rule in rules_of_term(self.stack, term):
            if rule.value is not None:
                names: dict[str, graph.Expr] = dict(arguments_by_name)
                for name, value in rule.names:
                    names[name] = normalize(value, names)
                yield rule.value, names

    def _read(self, name: str) -> Iterator[TermQuery]:
        term = self.stack.terms[name]
        for rule in rules_of_term(self.stack, term):
            reading = _GuardWalk(self, None, [], set(), set())
            names: dict[str, graph.Expr] = {}
            for each, value in rule.names:
                reading.read_nested(value, names)
                names[each] = normalize(value, names)
            for part in (rule.guard, rule.value):
                if part is not None:
                    reading.read_nested(part, names)
            yield from reading.queries
        if term.otherwise is not None:
            reading = _GuardWalk(self, None, [], set(), set())
            reading.read_nested(term.otherwise, {})
            yield from reading.queries


@dataclass
class _GuardWalk:
    """A traversal of expressions.

    `path` None: those of a rule, where the member that a fold variable denotes is unknown.
    """

    questions: GuardReader
    path: SymbolicPath | None
    queries: list[TermQuery]
    equal: set[frozenset[graph.Expr]]
    members: set[tuple[graph.Expr, graph.Expr]]
    depth: int = 0
    named: set[str] = field(default_factory=set)
    outer: graph.Ask | None = None  # the question whose rules are read

    def read_guard(self, expr: graph.Expr, names: Names) -> None:
        """Read a guard that held; of a membership, also what the set implies for its member."""
        match expr:
            case graph.Op("and", parts):
                for part in parts:
                    self.read_guard(part, names)
            case graph.Op("in", (graph.Var(name), source)) if self.is_selection(name, source):
                self.source(source, names)
                self.member(source, graph.Op(EACH, (graph.Var(name),)), names)
            case graph.Op("in", (member, source)):
                self.source(source, names)
                self.read_nested(member, names)
                self.member(source, normalize(member, names), names)
            case graph.Op("=", (left, right)):
                self.equal.add(frozenset({normalize(left, names), normalize(right, names)}))
                self.read_nested(expr, names)
            case graph.Fold("some", var, source, filter_condition, body):
                self.read_nested(source, names)
                inner = {**names, var: SOMEBODY}
                for condition in (filter_condition, body):
                    if condition is not None:
                        self.read_guard(condition, inner)
            case _:
                self.read_nested(expr, names)

    def is_selection(self, name: str, source: graph.Expr) -> bool:
        """Return whether a name denotes a selection of the members of a set, instead of one of them."""
        if self.path is None:
            return False
        types = types_of(self.path, self.questions.stack)
        value_type = types.get(name)
        return isinstance(value_type, graph.Many) and value_type != member_of(
            type_of(source, types, self.questions.stack)
        )

    def source(self, source: graph.Expr, names: Names) -> None:
        """Read the source of a set; the filter on its members implies nothing about others."""
        match source:
            case graph.Fold("gather", _, inner, _, None):
                self.source(inner, names)
            case graph.Var(name) if self.path is not None and name in dict(self.path.bindings):
                self.source(dict(self.path.bindings)[name], names)
            case graph.Ask(term, arguments) if isinstance(self.questions.stack.terms[term].type, graph.Many):
                for each in arguments:
                    self.read_nested(each, names)
            case _:
                self.read_nested(source, names)

    def member(self, source: graph.Expr, member: graph.Expr, names: Names) -> None:
        """Read what membership in a set implies for a member."""
        if self.depth > MOST_SET_LEVELS:
            return
        self.depth += 1
        self.members.add((member, normalize(source, names)))
        match source:
            case graph.Fold(
                "gather" | "least" | "greatest" | "trailing" | "leading" as op, var, inner, filter_condition, body
            ) if op != "gather" or body is None:
                if filter_condition is not None:
                    self.read_guard(filter_condition, {**names, var: member})
                self.member(inner, member, names)
            case graph.Op("union" | "without" | "if", parts):
                for part in parts[: 1 if source.op == "without" else None]:
                    self.member(part, member, names)
            case graph.SetOf((only,)):
                self.equal.add(frozenset({normalize(only, names), member}))
            case graph.Ask(term, arguments) if term in self.questions.terms_leading_to_wanted:
                normal_arguments = tuple(normalize(each, names) for each in arguments)
                outer, self.outer = self.outer, self.outer or source
                for value, inner_names in self.questions.values_of_rules(
                    self.questions.stack.terms[term], normal_arguments
                ):
                    self.member(value, member, inner_names)
                self.outer = outer
            case graph.Var(name) if self.path is not None:
                self.member_of_name(name, member, names)
        self.depth -= 1

    def member_of_name(self, name: str, member: graph.Expr, names: Names) -> None:
        """Read what membership in a named set implies: by the guard of its choice, or by its definition."""
        assert self.path is not None
        for called, value in self.path.bindings:
            if called == name:
                self.member(value, member, names)
        for guard in self.path.guards:
            match guard:
                case graph.Op("in", (graph.Var(chosen), source)) if chosen == name:
                    self.member(source, member, names)

    def read_nested(self, expr: graph.Expr, names: Names) -> None:
        """Read all questions nested in an expression."""
        match expr:
            case graph.Ask(_, arguments):
                for each in arguments:
                    self.read_nested(each, names)
                self.ask(expr, tuple(normalize(each, names) for each in arguments))
            case graph.Var(name):
                self.name(name)
            case graph.Fold(op, var, source, filter_condition, body, default):
                self.read_nested(source, names)
                member = ANY_VALUE
                if self.path is not None and op in UNIVERSAL:
                    # Of a comprehension the selected members; of `every` and `none` all members of the source.
                    member = graph.Op(EACH, (normalize(expr if op == "gather" else source, names),))
                inner = {**names, var: member}
                for part in (filter_condition, body):
                    if part is not None:
                        self.read_nested(part, inner)
                if default is not None:
                    self.read_nested(default, names)
            case _:
                for part in inner_expressions(expr):
                    self.read_nested(part, names)

    def name(self, name: str) -> None:
        """Read the definition of a name, once."""
        if self.path is not None and name not in self.named:
            self.named.add(name)
            known: dict[str, graph.Expr] = {}
            for called, value in self.path.bindings:
                if called == name:
                    self.read_nested(value, known)
                known[called] = normalize(value, known)

    def ask(self, written: graph.Ask, arguments: tuple[graph.Expr, ...]) -> None:
        """Record a query, and those that its rules make."""
        questions, source_expr = self.questions, self.outer or written
        if written.term not in questions.terms_leading_to_wanted:
            return
        if written.term in questions.wanted_terms:
            self.queries.append(TermQuery(written.term, tuple(map(without_large_parts, arguments)), source_expr))
        term = questions.stack.terms[written.term]
        arguments_by_name = dict(zip((part.name for part in term.parameters), arguments, strict=True))
        for each in questions.queries_of_term(written.term):
            filled = tuple(without_large_parts(normalize(part, arguments_by_name)) for part in each.arguments)
            self.queries.append(TermQuery(each.term, filled, source_expr))


def without_large_parts(expr: graph.Expr) -> graph.Expr:
    """Return an expression, or the placeholder for any value if its text is too long."""
    return ANY_VALUE if len(repr(expr)) > LONGEST_ARGUMENT else expr


def substitution_of(path: SymbolicPath) -> dict[str, graph.Expr]:
    """Return the values of the names on a path, substituted into one another."""
    names: dict[str, graph.Expr] = {}
    for name, value in path.bindings:
        names[name] = normalize(value, names)
    return names


def types_of(path: SymbolicPath, stack: graph.Graph) -> dict[str, graph.Type]:
    """Return the types of the names on a path."""
    return types_of_names(path.parameters, path.bindings, stack)


def certainly_differ(needed: graph.Expr, argument: graph.Expr, path_facts: PathFacts) -> bool:
    """Return whether two arguments are certainly meant to be different."""
    if needed == argument or frozenset({needed, argument}) in path_facts.equal:
        return False
    match needed, argument:
        case (graph.Op("#any"), _) | (_, graph.Op("#any")):
            return False
        case (graph.Op("#somebody"), _) | (_, graph.Op("#somebody")):
            return True
        case (graph.Op("#each", (source,)), second) | (second, graph.Op("#each", (source,))):
            return _is_no_member(source, second, path_facts)
        case graph.Var(), graph.Var():
            return True
        case _ if isinstance(needed, graph.LiteralExpr) and isinstance(argument, graph.LiteralExpr):
            return True
        case graph.Get(first, field_kind, owner, name), graph.Get(second, field_kind_, owner_, name_):
            return (
                (field_kind, owner, name) == (field_kind_, owner_, name_)
                and certainly_differ(first, second, path_facts)
                and not _are_equated(first, second, path_facts)
            )
        case graph.SetOf((first,)), graph.SetOf((second,)):
            return certainly_differ(first, second, path_facts)
        case graph.New(_, fields), graph.New(_, others):
            known = dict(others)
            return any(name in known and certainly_differ(value, known[name], path_facts) for name, value in fields)
        case _:
            return False


def _is_no_member(source: graph.Expr, other: graph.Expr, path_facts: PathFacts) -> bool:
    """Return whether an expression is certainly no member of a set."""
    match source, other:
        case graph.SetOf((only,)), _:
            return certainly_differ(only, other, path_facts)
        case graph.Var(), graph.Op("#each", (graph.Var() as other_source,)):
            return (
                source != other_source
                and not _are_equated(source, other_source, path_facts)
                and not any(member == other and among == source for member, among in path_facts.members)
            )
        case graph.Var(), graph.Var():
            return (other, source) not in path_facts.members
        case _:
            return False


def _are_equated(first: graph.Expr, second: graph.Expr, path_facts: PathFacts) -> bool:
    """Return whether a guard equates properties of both."""
    return any(
        any(first in walk(side) for side in pair) and any(second in walk(side) for side in pair)
        for pair in path_facts.equal
    )
