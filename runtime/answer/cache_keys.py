"""Memo keys of terms: the arguments, and for a record only the fields that the term reads.

In: a graph. Out: for each term, the parts of its arguments that its answer can depend on. A record is equal only to
itself, so that questions about two records with equal fields would have two memos; where a term and all that it asks
only read fields, the values of those fields represent the record.

A term recurs (`recurring_terms`) where a caller asks it with fewer names than it has in scope: the same question then
comes up once for each value of the remaining names.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple, TypeVar

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.free_names import free_names, substitute
from runtime.graph.walk import children

T = TypeVar("T")


class KeyPart(NamedTuple):
    """A parameter, or a field of a parameter that is a record."""

    parameter: str
    field: str = ""


Fields = frozenset[str] | None  # None: the record itself is needed.
NO_FIELD: frozenset[str] = frozenset()

# Types whose values are key parts. Records and crossings are not: they hash slowly or never recur.
KEYS = (graph.Hex, graph.Hexside, graph.Enum, graph.Number, graph.YesNo, graph.Scale, graph.Piece)

# Hashing a key of more parts costs as much as many answers do.
MOST_PARTS = 5


class CacheKeyAnalysis:
    """The key analysis of one graph, computed on demand."""

    def __init__(self, rules: graph.Graph) -> None:
        """Prepare the memos of the analysis."""
        self.rules = rules
        self.parts = cache(self._parts)
        self.fields = cache(self._fields)
        self.recurring_terms = cache(self._recurring_terms)
        self._open: set[tuple[str, str]] = set()

    def _parts(self, name: str) -> tuple[KeyPart, ...] | None:
        """Return the key parts of a term, in order; None if there are too many, or if keys never recur."""
        parts: list[KeyPart] = []
        for parameter in self.rules.terms[name].parameters:
            match parameter.type:
                case graph.RecordOf(type_):
                    fields = self.fields(name, parameter.name)
                    types = {field.name: field.type for field in self.rules.vocabulary.records[type_].fields}
                    if fields is None or not all(_is_recurrent(types[field]) for field in fields):
                        return None
                    parts += (KeyPart(parameter.name, field) for field in sorted(fields))
                case type_ if isinstance(type_, KEYS):
                    parts.append(KeyPart(parameter.name))
                case _:
                    return None
        return tuple(parts) if len(parts) <= MOST_PARTS else None

    def _fields(self, name: str, parameter: str) -> Fields:
        """Return the fields that a term reads of a record, directly and in the terms that it asks."""
        if (name, parameter) in self._open:
            return None  # A recursive term.
        self._open.add((name, parameter))
        found: Fields = NO_FIELD
        for body in answer_bodies(self.rules, name):
            found = united_keys((found, self.read(body, parameter)))
        self._open.discard((name, parameter))
        return found

    def read(self, node: Any, name: str) -> Fields:
        """Return the fields that a node reads of the record with this name."""
        match node:
            case graph.Var(found):
                return None if found == name else NO_FIELD
            case graph.Get(graph.Var(found), "record", owner, field) | graph.Has(
                graph.Var(found), "record", owner, field
            ) if found == name:
                return frozenset((field,)) if owner in self.rules.vocabulary.records else None
            case graph.Ask(term, arguments):
                bindings = zip(self.rules.terms[term].parameters, arguments, strict=True)
                return united_keys(
                    self.fields(term, p.name) if argument == graph.Var(name) else self.read(argument, name)
                    for p, argument in bindings
                )
            case graph.Fold() if node.var == name:
                return self.read((node.source, node.otherwise), name)
            case _:
                return united_keys(self.read(part, name) for part in children(node))

    def _recurring_terms(self) -> frozenset[str]:
        """Return the terms that some caller asks with fewer names than it has in scope."""
        return frozenset(
            callee
            for name, term in self.rules.terms.items()
            for body in answer_bodies(self.rules, name)
            for callee in _narrowed_terms(body, frozenset(parameter.name for parameter in term.parameters))
        )


def answer_bodies(rules: graph.Graph, name: str) -> Iterator[tuple[Any, ...]]:
    """Yield the expressions that determine a term's answer, with the `with` names of rules expanded."""
    term = rules.terms[name]
    yield (term.otherwise,)
    for rule in rules_of_term(rules, term):
        bindings: dict[str, graph.Expr] = {}
        for with_name, expr in rule.names:
            bindings[with_name] = substitute(expr, bindings)
        yield (*bindings.values(), substitute(rule.guard, bindings), substitute(rule.value, bindings))


def _narrowed_terms(node: Any, names: frozenset[str]) -> Iterator[str]:
    """Yield the terms that are asked with fewer than all of these names and of the enclosing loops' variables."""
    match node:
        case graph.Fold():
            yield from _narrowed_terms((node.source, node.otherwise), names)
            yield from _narrowed_terms((node.where, node.body), names | {node.var})
        case _:
            if isinstance(node, graph.Ask) and not names <= free_names(node.arguments):
                yield node.term
            for part in children(node):
                yield from _narrowed_terms(part, names)


def _is_recurrent(type_: graph.Type) -> bool:
    """Return whether values of a type, or sets of them, recur as keys."""
    return isinstance(type_.of if isinstance(type_, graph.Many) else type_, KEYS)


def united_keys(many: Iterable[frozenset[T] | None]) -> frozenset[T] | None:
    """Return the union of sets; None is the top element."""
    found: frozenset[T] = frozenset()
    for some in many:
        if some is None:
            return None
        found |= some
    return found
