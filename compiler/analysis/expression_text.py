"""Pretty printer of expressions, conclusions and values in the notation of rule files.

The text of a normalized expression is also its identity in proofs: guards with equal texts share one unknown.
"""

import re
from collections.abc import Sequence

from compiler.analysis.normal_form import Names, normalize
from compiler.analysis.parties import Party
from runtime.graph import nodes as graph
from runtime.graph.operators import COMPARISONS, OPERATORS, Call, Infix, Prefix
from runtime.graph.rows import row_label
from runtime.graph.scales import rounding_of
from runtime.graph.verbs import VERBS

# Tests by `is` and `has` bind as comparisons do; calls and identifiers need no brackets.
TESTED, ALONE = 4, 9
VARIABLE_LETTERS = "xyzabcdefg"


class ExpressionWriter:
    """A writer for the expressions of one stack; its vocabulary has the names of the ends of relations."""

    def __init__(self, vocabulary: graph.Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.relations = vocabulary.relations

    def text(self, expr: graph.Expr) -> str:  # noqa: C901 -- one arm a node
        """Format an expression."""
        match expr:
            case graph.Op(op, arguments):
                return self._op(op, arguments)
            case graph.Var(name) | graph.Spot(_, name) | graph.Member(_, name) | graph.Place(_, name):
                return name
            case graph.Get():
                return f"{self._parenthesized(expr.base)}.{self._field(expr)}"
            case graph.Is(subject, tests, negated):
                return f"{self._parenthesized(subject)} is {'not ' * negated}{'|'.join(test.name for test in tests)}"
            case graph.Has():
                return f"{self._parenthesized(expr.subject)} has {'no ' * expr.negated}{self._field(expr)}"
            case graph.Num(value, measure):
                return f"{value} {measure}" if measure else str(value)
            case graph.Truth(value):
                return "yes" if value else "no"
            case graph.Ask(term, arguments):
                return f"{term}({self._list(arguments)})"
            case graph.Cell(table, keys, kind):
                return f"{table}[{self._list(keys)}]" + (f".{kind}" if kind else "")
            case graph.GameTrack(owner, name):
                return f"{owner}.{name}"
            case graph.Fold():
                rounding = rounding_of(expr)
                return self._fold(expr) if rounding is None else self._rounding(rounding, expr.source)
            case graph.Search():
                return self._search(expr)
            case graph.Pieces(kinds, place):
                kind_text = "|".join(kinds) or "piece"
                return f"all {kind_text}" if place is None else f"{kind_text} at {self._parenthesized(place)}"
            case graph.All(element_type):
                return f"all {type_name(element_type)}"
            case graph.SetOf(elements):
                return f"{{{self._list(elements)}}}"
            case graph.New(record, fields):
                return f"{record}({', '.join(f'{name}: {self.text(value)}' for name, value in fields)})"

    def _rounding(self, rounding: graph.Op, places: graph.Expr) -> str:
        """Format rounding on a scale; a place on it is written as a conversion with the scale's name."""
        match rounding.arguments, places:
            case (graph.Op("place", (inner,)),), graph.All(graph.Scale(scale)):
                return f"{rounding.op}({scale}({self.text(inner)}))"
            case _:
                return self.text(rounding)

    def _list(self, exprs: Sequence[graph.Expr]) -> str:
        return ", ".join(self.text(expr) for expr in exprs)

    def _field(self, expr: graph.Get | graph.Has) -> str:
        if expr.what in {"partner", "partners"} and expr.owner in self.relations:
            relation = self.relations[expr.owner]
            return relation.left.name if expr.name == "left" else relation.right.name
        return expr.name

    def _parenthesized(self, expr: graph.Expr) -> str:
        return f"({self.text(expr)})" if text_precedence(expr) < ALONE else self.text(expr)

    def _op(self, op: str, arguments: tuple[graph.Expr, ...]) -> str:
        match op, arguments:
            case "not", (graph.Op("=", (left, right)),):
                return self._op("!=", (left, right))
            case "not", (graph.Op("in", (member, collection)),):
                return self._in(member, collection, "not in")
            case "if", (condition, then, orelse):
                return f"if {self.text(condition)} then {self.text(then)} else {self.text(orelse)}"
            case "span", (low, high):
                return f"{self._operand(low, '+')}..{self._operand(high, '+')}"
            case "flat", (graph.Fold() as sets,):
                body, bound = _several(sets)
                return f"{{{self.text(body)} for {' for '.join(map(self._binder, bound))}}}"
            case "in", (member, collection):
                return self._in(member, collection)
            case _:
                return self._as_noted(op, arguments)

    def _as_noted(self, op: str, arguments: tuple[graph.Expr, ...]) -> str:
        """Format an operator in the notation of its record."""
        match OPERATORS[op].notation:
            case Infix(sign) if len(arguments) > 1:
                return f" {sign} ".join(self._operand(argument, op) for argument in arguments)
            case Prefix(sign):
                return f"{sign}{self._operand(arguments[0], op)}"
            case _:
                return f"{op}({self._list(arguments)})"

    def _in(self, member: graph.Expr, collection: graph.Expr, sign: str = "in") -> str:
        """Format a membership test."""
        match collection:
            case graph.Op("span", (low, high)):
                among = f"{self.text(low)}..{self.text(high)}"
            case _:
                among = self._operand(collection, "in")
        return f"{self._operand(member, 'in')} {sign} {among}"

    def _operand(self, expr: graph.Expr, outer: str) -> str:
        binding_power, outer_power = text_precedence(expr), _operator_precedence(outer)
        # Operators of equal precedence associate to the left: `a - (b - c)`, but `a + b + c`.
        same = binding_power == outer_power and not (OPERATORS[outer].commutes and outer not in COMPARISONS)
        return f"({self.text(expr)})" if binding_power < outer_power or same else self.text(expr)

    def _fold(self, fold: graph.Fold) -> str:
        binder = self._binder(fold)
        match fold.op, fold.body:
            case "gather", body:
                return f"{{{binder}}}" if body is None else f"{{{self.text(body)} for {binder}}}"
            case "least" | "greatest", body if body is not None:
                return f"{fold.op}({binder} by {self.text(body)})"
            case _, None:
                return f"{fold.op}({binder})"
            case "every", body:
                return f"every({binder}{':' if fold.where is not None else ' where'} {self.text(body)})"
            case _, body:
                rest = "" if fold.otherwise is None else f" otherwise {self.text(fold.otherwise)}"
                return f"{fold.op}({self.text(body)} for {binder}{rest})"

    def _binder(self, fold: graph.Fold) -> str:
        binder = self.text(fold.source) if fold.var == "_" else f"{fold.var} in {self.text(fold.source)}"
        return binder if fold.where is None else f"{binder} where {self.text(fold.where)}"

    def _search(self, search: graph.Search) -> str:
        to = ", " if search.op == "linked" else " to "
        ends = self._ends(search.start) + ("" if search.goal is None else to + self._ends(search.goal))
        terms = {"by": search.gate, "costing": search.price}
        steps = [
            f" {word} {ask.term}" + (f"({self._list(ask.arguments[:-2])})" if ask.arguments[:-2] else "")
            for word, ask in terms.items()
            if ask is not None
        ]
        amounts = {"within": search.most, "otherwise": search.otherwise}
        rest = [f" {word} {self.text(part)}" for word, part in amounts.items() if part is not None]
        return f"{search.op}({ends}{''.join(steps)}{''.join(rest)})"

    def _ends(self, hexes: graph.Expr) -> str:
        """Format the start or the goal of a path: a single hex without braces."""
        return self.text(hexes.elements[0] if isinstance(hexes, graph.SetOf) and len(hexes.elements) == 1 else hexes)

    def rule_party(self, rule: graph.Rule) -> Party:
        """Return a rule as a party of a finding, with the text of its conclusion."""
        return Party(rule.label, self.conclusion_text(rule), rule.cites, rule.origin)

    def row_party(self, table: graph.Table, row: graph.TableRow) -> Party:
        """Return a row of a table as a party of a finding."""
        says = row.kind if row.value is None else self.text(row.value)
        return Party(row_label(table, row, self.vocabulary), says, row.cites or table.cites, row.origin)

    def beside_text(self, beside: graph.Beside) -> str:
        """Format the question beside which a term stands, with the exceptions."""
        excepted = f" but not {', '.join(beside.excepted)}" if beside.excepted else ""
        return f"{self.text(graph.Ask(beside.term, beside.arguments))}{excepted}"

    def conclusion_text(self, rule: graph.Rule) -> str:
        """Format the conclusion of a rule; "" if it only defeats others."""
        if not rule.verb:
            return ""
        subject = rule.terms[0]
        if rule.value is None:
            return f"{subject} {VERBS[rule.verb].notation}"
        return f"{subject} {rule.verb} {self.text(rule.value)}"


def text_precedence(expr: graph.Expr) -> int:
    """Return the precedence of the text of an expression."""
    if isinstance(expr, graph.Op):
        return _operator_precedence(expr.op)
    return TESTED if isinstance(expr, graph.Is | graph.Has) else ALONE


def _operator_precedence(op: str) -> int:
    notation = OPERATORS[op].notation
    return ALONE if isinstance(notation, Call) else notation.precedence


def written_out(expr: graph.Expr, names: Names, vocabulary: graph.Vocabulary) -> str:
    """Format an expression with its names substituted and its binders as letters."""
    return with_letters(ExpressionWriter(vocabulary).text(normalize(expr, names)))


def with_letters(text: str) -> str:
    """Return a text with letters in place of its numbered binders."""
    return re.sub(r"#(\d)", lambda binder: VARIABLE_LETTERS[int(binder[1])], text)


def type_name(type_: graph.Type) -> str:
    """Format a type."""
    match type_:
        case graph.Enum(name) | graph.Scale(name) | graph.RecordOf(name):
            return name
        case graph.Piece(kinds):
            return "|".join(kinds) or "piece"
        case graph.Number(None, _, measure) | graph.Number(_, None, measure):
            return measure or "number"
        case graph.Number(low, high, measure):
            return f"{low}..{high}" + (f" {measure}" if measure else "")
        case graph.Many(shape, inner):
            return f"{shape} of {type_name(inner)}"
        case graph.CellOf(table):
            return table
        case _:
            return type(type_).__name__.lower()


def _several(sets: graph.Fold) -> tuple[graph.Expr, tuple[graph.Fold, ...]]:
    """Return the element of a comprehension with nested loops, and its folds from the outermost inward."""
    inner = sets.body
    if isinstance(inner, graph.Op) and inner.op == "flat" and isinstance(inner.arguments[0], graph.Fold):
        body, bound = _several(inner.arguments[0])
        return body, (sets, *bound)
    if isinstance(inner, graph.Fold) and inner.op == "gather":
        return inner.body or graph.Var(inner.var), (sets, inner)
    return inner or graph.Var(sets.var), (sets,)
