"""Comparison of a value with the range declared for its target, as far as types determine it.

In: an expression and the type declared for its target: a track, a field of a record, the payload of a pair, a factor
set in an example, an argument, a default. Out: the graph node; R0412 where the value is out of range in every position.
A value that may be out of range is left to the prover, as only a position can show it
(compiler/analysis/range_checks.py).
"""

from compiler.source import nodes as source
from compiler.source.expression_text import expression_text
from compiler.typed.context import Context
from compiler.typed.environment import type_text
from compiler.typed.findings.failures import NeverFits
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.source_lists import span_of_list
from runtime.graph import nodes as graph


def type_in_range(written: source.Expression, context: Context, declared: graph.Type, target: str) -> graph.Expr:
    """Elaborate the value of a target with the type `declared`, named `target`, and check its range."""
    expression, found = context.elaborate(written, context, declared)
    check_range(written, (expression, found), context, declared, target)
    return expression


def check_range(
    written: source.Expression,
    found: tuple[graph.Expr, graph.Type | None],
    context: Context,
    declared: graph.Type,
    target: str,
) -> None:
    """Report a number all of whose possible values lie outside the range."""
    expression, type_ = found
    if (
        isinstance(type_, graph.Number)
        and isinstance(declared, graph.Number)
        and (_are_disjoint(expression, type_, declared) or _is_fraction_of_whole(expression, declared))
    ):
        value = (
            "" if isinstance(expression, graph.Num) else type_text(type_) if type_.low != type_.high else str(type_.low)
        )
        context.problems.append(NeverFits(written.span, target, type_text(declared), expression_text(written), value))


def _is_fraction_of_whole(expression: graph.Expr, declared: graph.Number) -> bool:
    """Return whether an expression is a fraction where a domain of whole values is declared."""
    return isinstance(expression, graph.Num) and expression.value.denominator > 1 and declared.is_whole


def _are_disjoint(expression: graph.Expr, found: graph.Number, declared: graph.Number) -> bool:
    """Return whether two ranges have no number in common; that of a literal is the literal alone."""
    low, high = (expression.value, expression.value) if isinstance(expression, graph.Num) else (found.low, found.high)
    above = low is not None and declared.high is not None and low > declared.high
    below = high is not None and declared.low is not None and high < declared.low
    return above or below


def check_bounds(node: source.Call, low: graph.Expr, high: graph.Expr, context: Context) -> None:
    """Report a `clamp` whose literal bounds are exchanged: its value would always be the greater of the two."""
    match low, high:
        case (graph.Num(value=least), graph.Num(value=greatest)) | (graph.Place(at=least), graph.Place(at=greatest)):
            if least > greatest:
                first, second = (expression_text(argument) for argument in node.arguments[1:])
                message = f"the lower bound `{first}` is above the upper bound `{second}`"
                advice = f"write the lower bound first, `{second}, {first}`"
                context.problems.append(
                    InvalidConstruct(span_of_list([argument.span for argument in node.arguments[1:]]), message, advice)
                )
        case _:
            pass
