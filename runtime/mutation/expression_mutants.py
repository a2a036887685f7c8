"""Generate all expressions that differ from a given one in a single place.

The input is an expression, the types of the names around it, and its graph; the output is alterations, each with the
original part, its replacement, and the whole expression. They are the usual operators of mutation testing (Offutt and
others, An Experimental Determination of Sufficient Mutant Operators, 1996), for the nodes of this language.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from typing import Any, assert_never

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.conjuncts import conjunction
from runtime.graph.free_names import variables_in
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.members import members_of
from runtime.graph.operators import COMPARISONS, OPERATORS
from runtime.graph.operators.logic import YES_NO
from runtime.graph.predeclared_types import member_of
from runtime.graph.scales import rounded_place, scale_rounding
from runtime.graph.type_of import type_of
from runtime.graph.walk import fields_of, walk
from runtime.mutation.altered_graph import Path, omissions, value_at, with_value
from runtime.state.ranges import is_ranged

COMPARISON, OPERAND, CONNECTIVE, NEGATION = "comparison", "operand", "connective", "negation"
AMOUNT, WORD, ARGUMENT, QUANTIFIER = "number", "word", "argument", "quantifier"
FILTER, ARITHMETIC, ELEMENT = "condition of a choice or set", "sign", "member of a set"

QUANTIFIED: Mapping[str, tuple[graph.FoldKind, ...]] = {
    "some": ("every", "none"), "every": ("some", "none"), "none": ("some", "every"),
    "least": ("greatest",), "greatest": ("least",), "min": ("max",), "max": ("min",),
    "trailing": ("leading",), "leading": ("trailing",),
}  # fmt: skip

REMOVED = "nothing"

Names = Mapping[str, graph.Type]
# A kind, the replacement, and optionally texts of the original and the replacement.
ReplacementNodes = tuple[Any, ...]


@frozen_dataclass
class _Alteration:
    """One altered place: its kind, the original, the replacement, and the whole expression with it.

    `original` and `replacement` are texts where they are not expressions.
    """

    kind: str
    original: graph.Expr | str
    replacement: graph.Expr | str
    altered_expr: Any


class Alterations:
    """A generator of alterations of expressions of one graph."""

    def __init__(self, rules: graph.Graph) -> None:
        """Store the graph, whose words are exchanged for each other."""
        self.rules = rules
        self.words = rules.vocabulary

    def alterations_of(self, expr: graph.Expr, names: Names) -> Iterator[_Alteration]:
        """Generate the alterations of an expression and of all its subexpressions."""
        for kind, altered_expr, *pair in self.alterations_at(expr, names):
            original, replacement = pair or (expr, altered_expr)
            yield _Alteration(kind, original, replacement, altered_expr)
        if rounding := scale_rounding(expr):
            down, inner, scale = rounding
            for alteration in self.alterations_of(inner, names):
                yield replace(alteration, altered_expr=rounded_place(alteration.altered_expr, scale, down=down))
            return
        for path, part_names in self.alterable_parts(expr, names):
            for alteration in self.alterations_of(value_at(expr, path), part_names):
                yield replace(alteration, altered_expr=with_value(expr, path, alteration.altered_expr))

    def alterable_parts(self, expr: graph.Expr, names: Names) -> Iterator[tuple[Path, Names]]:
        """Yield the paths of the direct subexpressions of an expression, and the names around each."""
        inner = names
        if isinstance(expr, graph.Fold):
            inner = {**names, expr.var: member_of(type_of(expr.source, names, self.rules))}
        for field in fields_of(type(expr)):  # type: ignore[arg-type]
            value = getattr(expr, field)
            if isinstance(value, graph.Expr):
                yield (field,), inner if field in ("where", "body") else names
            elif isinstance(value, tuple):
                first = 1 if isinstance(expr, graph.Op) and OPERATORS[expr.op].reads else 0
                for index, part in enumerate(value):
                    if isinstance(part, graph.Expr) and index >= first:
                        yield (field, index), names
                    elif isinstance(part, tuple):
                        yield (field, index, 1), names

    def alterations_at(self, expr: graph.Expr, names: Names) -> Iterator[ReplacementNodes]:
        """Generate the replacements of an expression."""
        match expr:
            case graph.Op():
                yield from self.operation_replacements(expr, names)
            case _ if isinstance(expr, graph.LiteralExpr):
                kind = AMOUNT if isinstance(expr, graph.Num) else WORD
                yield from ((kind, value) for value in self.other_values(expr))
            case graph.Is() | graph.Has():
                yield NEGATION, replace(expr, negated=not expr.negated)
                yield from self.test_replacements(expr)
            case graph.Fold():
                yield from self.fold_replacements(expr)
            case graph.Search():
                yield from self.search_replacements(expr)
            case graph.SetOf(elements):
                for element, others in omissions(elements):
                    yield ELEMENT, replace(expr, elements=others), element, REMOVED
            case graph.Ask(term, arguments):
                for altered in self.other_arguments(arguments, names, self.unread_parameters(term)):
                    yield ARGUMENT, replace(expr, arguments=altered)
            case graph.Cell(_, keys, _):
                for altered in self.other_arguments(keys, names):
                    yield ARGUMENT, replace(expr, keys=altered)
            case _:
                return

    def test_replacements(self, expr: graph.Is | graph.Has) -> Iterator[ReplacementNodes]:
        """Generate the replacements of the tests of a value."""
        if isinstance(expr, graph.Has):
            if expr.what == "path":
                yield from ((WORD, replace(expr, name=name)) for name in _next_name(expr.name, self.paths()))
            return
        for index, (test, others) in enumerate(omissions(expr.tests)):
            if others:
                yield OPERAND, replace(expr, tests=others)
            for other in self.other_tests(test):
                if other not in expr.tests:
                    yield WORD, with_value(expr, ("tests", index), other)

    def operation_replacements(self, expr: graph.Op, names: Names) -> Iterator[ReplacementNodes]:
        """Generate the replacements of an operation."""
        op, parts, known = expr.op, expr.arguments, OPERATORS[expr.op]
        match op:
            case "and" | "or":
                yield from ((CONNECTIVE, replace(expr, op=other)) for other in known.alterations)
                for part, left in omissions(parts):
                    if op == "and" and self.narrows_kind(part, left, names):
                        continue
                    yield OPERAND, left[0] if len(left) == 1 else replace(expr, arguments=left), part, REMOVED
            case "not":
                yield NEGATION, parts[0]
            case "if":
                yield CONNECTIVE, replace(expr, arguments=(parts[0], parts[2], parts[1]))
            case _:
                kind = COMPARISON if op in COMPARISONS else ARITHMETIC
                others = (replace(expr, op=other) for other in known.alterations)
                yield from ((kind, other) for other in others if self.has_measure_of(expr, other, names))
                if known.result == YES_NO and op not in COMPARISONS:
                    yield NEGATION, graph.Op("not", (expr,))
                if known.first_alone and len(parts) > 1 and self.has_measure_of(expr, parts[0], names):
                    yield OPERAND, parts[0]

    def has_measure_of(self, expr: graph.Expr, other: graph.Expr, names: Names) -> bool:
        """Return whether two amounts have one measure: other replacements are type errors and not generated."""
        first, second = (type_of(each, names, self.rules) for each in (expr, other))
        numbers = isinstance(first, graph.Number) and isinstance(second, graph.Number)
        return not numbers or first.measure == second.measure  # type: ignore[union-attr]

    def narrows_kind(self, part: graph.Expr, others: Sequence[graph.Expr], names: Names) -> bool:
        """Return whether a part tests the kind of a piece of which the others read what only that kind has."""
        match part:
            case graph.Is(graph.Var(name), tests, False) if all(test.what == "kind" for test in tests):
                kinds = {test.name for test in tests}
            case _:
                return False
        known = names.get(name)
        if not isinstance(known, graph.Piece):
            return False
        inner = dict(names)
        for node in walk(tuple(others)):
            for required_kinds in self.required_kinds(name, node, inner):
                is_known = bool(known.kinds) and required_kinds.issuperset(known.kinds)
                if required_kinds and kinds <= required_kinds and not is_known:
                    return True
            if isinstance(node, graph.Fold):
                inner[node.var] = member_of(type_of(node.source, inner, self.rules))
        return False

    def required_kinds(self, name: str, node: object, names: Names) -> Iterator[frozenset[str]]:
        """Return sets of kinds, one of which a piece must have for a node to be well-typed.

        An empty set permits any.
        """
        match node:
            case graph.Get(graph.Var(base), "printed" | "track", owner) if base == name:
                yield frozenset({owner})
            case graph.Has(graph.Var(base), "track", owner) if base == name:
                yield frozenset({owner})
            case graph.Has(graph.Var(base), "partner", relation, partner) if base == name:
                pair = self.words.relations[relation]
                yield _kinds((pair.right if partner == "left" else pair.left).type)
            case graph.Is(graph.Var(base), tests) if base == name:
                yield from (frozenset({test.owner}) for test in tests if test.what != "kind")
            case graph.Ask(term, arguments):
                bindings = zip(self.rules.terms[term].parameters, arguments, strict=False)
                yield from (_kinds(each.type) for each, argument in bindings if argument == graph.Var(name))
            case graph.Op("in", (graph.Var(base), collection)) if base == name:
                yield _kinds(member_of(type_of(collection, names, self.rules)))
            case graph.Op("=" | "!=", (graph.Var(base), other) | (other, graph.Var(base))) if base == name:
                if not isinstance(other, graph.Var) or node.arguments[0] is other:  # Of two names the first decides.
                    yield _kinds(type_of(other, names, self.rules))

    def fold_replacements(self, expr: graph.Fold) -> Iterator[ReplacementNodes]:
        """Generate the replacements of a fold over a collection, or of rounding on a scale."""
        if rounding := scale_rounding(expr):
            down, inner, scale = rounding
            yield ARITHMETIC, rounded_place(inner, scale, down=not down)
            return
        # `every` has its condition in the body, the others have it in the restriction.
        restriction, body = (expr.where, expr.body) if expr.op == "every" else (None, expr.where)
        for op in QUANTIFIED.get(expr.op, ()):
            if expr.op not in ("some", "none", "every"):
                yield QUANTIFIER, replace(expr, op=op)
            elif op == "every":
                yield QUANTIFIER, replace(expr, op=op, where=restriction, body=body or graph.Truth(value=True))
            else:
                condition = conjunction(part for part in (restriction, body) if part is not None)
                yield QUANTIFIER, replace(expr, op=op, where=condition, body=None)
        if expr.where is not None:
            yield FILTER, replace(expr, where=None), expr.where, REMOVED

    def search_replacements(self, expr: graph.Search) -> Iterator[ReplacementNodes]:
        """Generate the replacements of a search: without gate, price or bound, or with reversed steps."""
        for field in ("gate", "price", "most"):
            if (part := getattr(expr, field)) is not None:
                yield FILTER, with_value(expr, (field,), None), part, REMOVED
        for field in ("gate", "price"):
            if (step := getattr(expr, field)) is not None:
                inverted = replace(step, arguments=(*step.arguments[:-2], graph.TO, graph.FROM))
                yield ARGUMENT, with_value(expr, (field,), inverted), step, inverted

    def other_values(self, value: graph.Expr) -> Iterator[graph.LiteralExpr]:
        """Return other values of the same type: one more, one less, the next member or place, the opposite."""
        match value:
            case graph.Num(value=number):
                yield replace(value, value=number + Fraction(1))
                yield replace(value, value=number - Fraction(1))
            case graph.Truth(value=truth):
                yield graph.Truth(not truth)
            case graph.Member(enum=enum, name=name) if enum in self.words.enums:
                for other in _next_name(name, members_of(self.words, enum)):
                    yield replace(value, name=other)
            case graph.Place(scale=scale, name=name):
                places = self.words.scales[scale].places
                index = [place for place, _ in places].index(name)
                for other, at in (*places[max(index - 1, 0) : index], *places[index + 1 : index + 2]):
                    yield replace(value, name=other, at=at)
            case _:
                return

    def other_tests(self, test: graph.Test) -> Iterator[graph.Test]:
        """Return the next word of the same sort."""
        match test.what:
            case "trait" | "feature" | "status" | "place":
                flags = self.words.flags.values()
                names = [flag.name for flag in flags if (flag.what, flag.owner) == (test.what, test.owner)]
            case "path":
                names = self.paths()
            case "kind":
                names = list(self.words.kinds)
            case "cell" if test.owner in self.rules.tables:
                names = [name for name, _ in self.rules.tables[test.owner].cells]
            case "cell" | "gone" | "off":
                names = []
            case _:
                assert_never(test.what)
        yield from (replace(test, name=other) for other in _next_name(test.name, names))

    def paths(self) -> list[str]:
        """Return the kinds of paths that a map may have."""
        return [flag.name for flag in self.words.flags.values() if flag.what == "path"]

    def unread_parameters(self, name: str) -> frozenset[int]:
        """Return the indices of parameters that no rule of a term reads: their arguments have no effect."""
        term = self.rules.terms[name]
        read = variables_in((replace(term, parameters=()), *rules_of_term(self.rules, term)))
        return frozenset(
            index for index, part in enumerate(term.parameters) if part.name not in read and not is_ranged(part.type)
        )

    def other_arguments(
        self, arguments: tuple[graph.Expr, ...], names: Names, aside: Set[int] = frozenset()
    ) -> Iterator[tuple[graph.Expr, ...]]:
        """Generate arguments of which one is another name of the same type, except at some indices."""
        for index, argument in enumerate(arguments):
            if index in aside or not isinstance(argument, graph.Var) or argument.name not in names:
                continue
            type_ = type_without_bounds(names[argument.name])
            for name, other in names.items():
                if name != argument.name and type_without_bounds(other) == type_ and type_ != graph.Nothing():
                    yield (*arguments[:index], graph.Var(name), *arguments[index + 1 :])


def _next_name(name: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the name after one of several, the first after the last."""
    if name in names and len(names) > 1:
        yield names[(names.index(name) + 1) % len(names)]


def _kinds(type_: graph.Type) -> frozenset[str]:
    return frozenset(type_.kinds if isinstance(type_, graph.Piece) else ())


def type_without_bounds(type_: graph.Type) -> graph.Type:
    """Return a type without the bounds of its numbers, and without the kinds of a piece."""
    match type_:
        case graph.Number(_, _, measure):
            return graph.Number(None, None, measure)
        case graph.Piece():
            return graph.Piece(())
        case graph.Many(shape, member_type):
            return graph.Many(shape, type_without_bounds(member_type))
        case _:
            return type_
