"""Expressions in the notation of rule files.

In: an expression, and the relations whose ends it may name. Out: its text. The text of a normalized expression is also
its identity in proofs: guards with equal texts share one unknown.
"""

from collections.abc import Mapping, Sequence

from runtime.graph import nodes as graph
from runtime.graph.expressions import EXPRESSIONS
from runtime.graph.expressions.collections import comprehension_text
from runtime.graph.operators import COMPARISONS, OPERATORS, Call, Infix, Prefix

# Tests by `is` and `has` bind as comparisons do; calls and identifiers need no brackets.
TESTED, ALONE = 4, 9


class NotationWriter:
    """A writer of expressions; the relations have the names of their ends."""

    def __init__(self, relations: Mapping[str, graph.Relation]) -> None:
        self.relations = relations

    def text(self, expr: graph.Expr) -> str:
        """Format an expression."""
        found: str = EXPRESSIONS[expr.__class__].text(self, expr)
        return found

    def name(self, name: str) -> str:
        """Format the name of a hex, a piece or a member."""
        return name

    def place_name(self, name: str) -> str:
        """Format the name of a place on a scale."""
        return name

    def list_text(self, exprs: Sequence[graph.Expr]) -> str:
        """Format several expressions, with commas."""
        return ", ".join(self.text(expr) for expr in exprs)

    def field(self, expr: graph.Get | graph.Has) -> str:
        """Format the name of a field, or of the end of a relation."""
        if expr.what in {"partner", "partners"} and expr.owner in self.relations:
            return self.relations[expr.owner].end(expr.name).name
        return expr.name

    def parenthesized(self, expr: graph.Expr) -> str:
        """Format an expression, in parentheses unless it needs none anywhere."""
        return f"({self.text(expr)})" if _precedence(expr) < ALONE else self.text(expr)

    def operation(self, op: str, arguments: tuple[graph.Expr, ...]) -> str:
        """Format an operator with its arguments."""
        match op, arguments:
            case "not", (graph.Op("=", (left, right)),):
                return self.operation("!=", (left, right))
            case "not", (graph.Op("in", (member, collection)),):
                return self._membership(member, collection, "not in")
            case "if", (condition, then, orelse):
                return f"if {self.text(condition)} then {self.text(then)} else {self.text(orelse)}"
            case "span", (low, high):
                return f"{self._operand(low, '+')}..{self._operand(high, '+')}"
            case "flat", (sets,) if text := comprehension_text(self, sets):
                return text
            case "in", (member, collection):
                return self._membership(member, collection)
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
                return f"{op}({self.list_text(arguments)})"

    def _membership(self, member: graph.Expr, collection: graph.Expr, sign: str = "in") -> str:
        """Format a membership test."""
        match collection:
            case graph.Op("span", (low, high)):
                among = f"{self.text(low)}..{self.text(high)}"
            case _:
                among = self._operand(collection, "in")
        return f"{self._operand(member, 'in')} {sign} {among}"

    def _operand(self, expr: graph.Expr, outer: str) -> str:
        binding_power, outer_power = _precedence(expr), _operator_precedence(outer)
        # Operators of equal precedence associate to the left: `a - (b - c)`, but `a + b + c`.
        same = binding_power == outer_power and not (OPERATORS[outer].commutes and outer not in COMPARISONS)
        return f"({self.text(expr)})" if binding_power < outer_power or same else self.text(expr)


def _precedence(expr: graph.Expr) -> int:
    if isinstance(expr, graph.Op):
        return _operator_precedence(expr.op)
    return TESTED if isinstance(expr, graph.Is | graph.Has) else ALONE


def _operator_precedence(op: str) -> int:
    notation = OPERATORS[op].notation
    return ALONE if isinstance(notation, Call) else notation.precedence
