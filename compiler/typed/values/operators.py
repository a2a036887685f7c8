"""Elaboration of amounts, arithmetic, comparison, choice: measures must agree, divisors must not be zero.

In: an expression as written, and its context. Out: its node and its type; the type is None after a problem.

Ranges are computed for sums and products as intervals, so that a table's key can be shown to lie within its rows.
"""

from math import ceil, floor

from compiler.source import nodes as source
from compiler.source.expression_text import expression_text
from compiler.source.span import Span
from compiler.typed.context import BROKEN, Context, TypedExpression, literal_in
from compiler.typed.environment import Environment, is_assignable, type_text
from compiler.typed.findings.failures import MayBeZero
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.mismatches import MeasureMismatch, TypeMismatch
from compiler.typed.unknown_names import unknown_word
from compiler.typed.values import facts
from compiler.typed.values.set_operations import type_set_operation
from runtime.graph import nodes as graph
from runtime.graph.interval import interval_of
from runtime.graph.operators import OPERATORS
from runtime.graph.operators.logic import YES_NO

UNTYPED = (source.Name, source.Quoted, source.SetLiteral)  # nodes whose type depends on their neighbor


def elaborate_amount(node: source.Amount, context: Context, expected: graph.Type | None) -> TypedExpression:
    """Elaborate `3 MP`; a bare number is a count. Where a measure is expected, it has to be written."""
    measure = node.measure.text if node.measure else ""
    if measure and measure not in context.env.measures:
        assert node.measure is not None
        return context.reject(unknown_word("measure", node.measure, context.env.measures))
    if isinstance(expected, graph.Number) and expected.measure != measure:
        literal = "" if measure and expected.measure else f"{node.value} {expected.measure}".strip()
        return context.reject(MeasureMismatch(node.span, expected.measure, measure, literal))
    low = node.value.__floor__()
    return graph.Num(node.value, measure), graph.Number(low, node.value.__ceil__(), measure)


def _elaborate_pair(
    left: source.Expression, right: source.Expression, context: Context
) -> tuple[TypedExpression, TypedExpression]:
    """Elaborate two neighbors, the one whose type does not depend on the other first."""
    if isinstance(left, UNTYPED) and not isinstance(right, UNTYPED):
        second = context.elaborate(right, context, None)
        return BROKEN if second[1] is None else context.elaborate(left, context, _expected_type(second[1])), second
    first = context.elaborate(left, context, None)
    if first[1] is None and isinstance(right, UNTYPED):
        return first, BROKEN  # Its meaning depends on the type that was reported.
    expected = _expected_type(first[1]) if isinstance(right, UNTYPED) else None
    return first, context.elaborate(right, context, expected)


def _expected_type(type_: graph.Type | None) -> graph.Type | None:
    """Return what a neighbor's type implies for a bare word: its enumeration or scale; None for numbers."""
    return None if isinstance(type_, graph.Nothing | graph.Number) else type_


def elaborate_comparison(node: source.Compare, context: Context) -> TypedExpression:
    """Elaborate `a = b` on values of one type, and inequalities on numbers and scales."""
    (left, left_type), (right, right_type) = _elaborate_pair(node.left, node.right, context)
    if left_type is None or right_type is None:
        return BROKEN
    if isinstance(left_type, graph.Many) and isinstance(right_type, graph.Number):
        message = f"`{expression_text(node.left)}` is {type_text(left_type)}, not a number"
        advice = f"count its members, `count({expression_text(node.left)}) {node.op} {expression_text(node.right)}`"
        return context.reject(InvalidConstruct(node.left.span, message, advice))
    if not _comparable(left_type, right_type):
        _mismatch(node.right.span, left_type, right_type, right, context)
        return BROKEN
    if node.op not in {"=", "!="} and not isinstance(left_type, graph.Number | graph.Scale):
        return context.reject(TypeMismatch(node.left.span, "a number or a place on a scale", type_text(left_type)))
    return graph.Op(node.op, (left, right)), YES_NO


def _comparable(left: graph.Type, right: graph.Type) -> bool:
    if isinstance(left, graph.Piece) and isinstance(right, graph.Piece):
        return True
    return is_assignable(left, right) or is_assignable(right, left)


def _mismatch(span: Span, expected: graph.Type, found: graph.Type, expression: graph.Expr, context: Context) -> None:
    if isinstance(expected, graph.Number) and isinstance(found, graph.Number):
        literal = literal_in(expected, found, expression)
        context.problems.append(MeasureMismatch(span, expected.measure, found.measure, literal))
    else:
        context.problems.append(TypeMismatch(span, type_text(expected), type_text(found)))


def elaborate_arithmetic(node: source.Arithmetic, context: Context, expected: graph.Type | None) -> TypedExpression:
    """Elaborate `+ - * /` on numbers, steps along a scale, and union and difference of sets."""
    (left, left_type), (right, right_type) = _operands(node, context, expected)
    if left_type is None or right_type is None:
        return BROKEN
    if isinstance(left_type, graph.Many) or isinstance(right_type, graph.Many):
        return type_set_operation(node, (left, left_type), (right, right_type), context)
    if isinstance(left_type, graph.Scale):
        return _on_scale(node, (left, left_type), (right, right_type), context)
    if not isinstance(left_type, graph.Number):
        return context.reject(TypeMismatch(node.left.span, "a number", type_text(left_type)))
    if not isinstance(right_type, graph.Number):
        return context.reject(TypeMismatch(node.right.span, "a number", type_text(right_type)))
    measure = _measure(node, left_type, right_type, right, context)
    if measure is None:
        return BROKEN
    if node.op in "*/" and not (_bounded(left_type) or _bounded(right_type)):
        return context.reject(
            InvalidConstruct(
                node.span,
                f"the result of `{node.op}` may be too large, as neither side has bounds",
                "declare a range for one side, as `0..12`, or `capped 0..12` for a sum",
            )
        )
    if node.op == "/" and not _never_zero(right, right_type, context):
        return context.reject(MayBeZero(node.right.span, expression_text(node.right)))
    low, high = _bounds(node.op, left_type, right_type)
    return graph.Op(node.op, (left, right)), graph.Number(low, high, measure)


def _operands(
    node: source.Arithmetic, context: Context, expected: graph.Type | None
) -> tuple[TypedExpression, TypedExpression]:
    """Elaborate the operands of `+ - * /`: as sets or places where these are expected, else as alike as possible."""
    if isinstance(expected, graph.Many):
        return context.elaborate(node.left, context, expected), context.elaborate(node.right, context, expected)
    if isinstance(expected, graph.Scale) and isinstance(node.left, source.Quoted):
        return context.elaborate(node.left, context, expected), context.elaborate(node.right, context, None)
    if isinstance(node.right, source.Name):
        # A name behind a place on a scale is a number of steps, or another place.
        return context.elaborate(node.left, context, None), context.elaborate(node.right, context, None)
    return _elaborate_pair(node.left, node.right, context)


def _bounded(type_: graph.Number) -> bool:
    """Return whether an amount is bounded; the product of two that are not may exceed all memory."""
    return type_.low is not None and type_.high is not None


def _measure(
    node: source.Arithmetic, left: graph.Number, right: graph.Number, expression: graph.Expr, context: Context
) -> str | None:
    """Return the measure of the result; None after reporting that the two are incompatible."""
    match node.op:
        case "+" | "-" if left.measure == right.measure:
            return left.measure
        case "*" if not left.measure or not right.measure:
            return left.measure or right.measure
        case "/" if not right.measure:
            return left.measure
        case "/" if left.measure == right.measure:
            return ""
    if node.op == "*":
        message = f"{left.measure} cannot be multiplied by {right.measure}"
        context.problems.append(InvalidConstruct(node.right.span, message, "delete the measure of one of the two"))
    else:
        _mismatch(node.right.span, left, right, expression, context)
    return None


def _on_scale(
    node: source.Arithmetic, left: tuple[graph.Expr, graph.Scale], right: TypedExpression, context: Context
) -> TypedExpression:
    """Elaborate arithmetic on a scale: a place plus steps is a place, the difference of places a number of steps."""
    expression, scale = left
    steps = context.env.scales[scale.name].measure
    match right[1]:
        case graph.Scale(name=name) if name == scale.name and node.op == "-":
            return graph.Op("-", (expression, right[0])), graph.Number(None, None, steps)
        case graph.Number(measure=measure) if node.op in {"+", "-"} and measure == steps:
            return graph.Op(node.op, (expression, right[0])), scale
        case graph.Number(measure=measure) as amount_:
            literal = literal_in(graph.Number(None, None, steps), amount_, right[0])
            context.problems.append(MeasureMismatch(node.right.span, steps, measure, literal))
        case other:
            context.problems.append(TypeMismatch(node.right.span, f"a number of {steps or 'steps'}", type_text(other)))
    return BROKEN


def _never_zero(expression: graph.Expr, type_: graph.Number, context: Context) -> bool:
    if isinstance(expression, graph.Num):
        return expression.value != 0
    positive = type_.low is not None and type_.low > 0
    return positive or facts.nonzero_fact(expression) in context.known


RangeLimit = int | None


def _bounds(op: str, *parts: graph.Number) -> tuple[RangeLimit, RangeLimit]:
    """Return bounds of the result from the declared ranges, rounded to whole numbers."""
    found = OPERATORS[op].bounds([interval_of(part) for part in parts], None)
    return None if found.low is None else floor(found.low), None if found.high is None else ceil(found.high)


def elaborate_minus(node: source.Minus, context: Context, expected: graph.Type | None) -> TypedExpression:
    """Elaborate `-a`; of a literal it is the negative literal."""
    inner, type_ = context.elaborate(node.operand, context, expected if isinstance(expected, graph.Number) else None)
    if type_ is None:
        return BROKEN
    if not isinstance(type_, graph.Number):
        return context.reject(TypeMismatch(node.operand.span, "a number", type_text(type_)))
    low, high = _bounds("neg", type_)
    if isinstance(inner, graph.Num):
        return graph.Num(-inner.value, inner.measure), graph.Number(low, high, type_.measure)
    return graph.Op("neg", (inner,)), graph.Number(low, high, type_.measure)


def elaborate_junction(node: source.Both | source.Either, context: Context) -> TypedExpression:
    """Elaborate `and`, `or`: each part in the context of the facts that the parts to its left establish."""
    is_conjunction = isinstance(node, source.Both)
    parts: list[graph.Expr] = []
    part_context = context
    fine = True
    for index, part in enumerate(node.parts):
        problem_count = len(context.problems)
        expression, type_ = context.elaborate(part, part_context, YES_NO)
        wrong = context.problems[problem_count:] if index else []
        problem = _ambiguous_disjunction(node, part, node.parts[index - 1], context.env) if wrong else None
        if problem and any(getattr(each, "span", None) == problem.span for each in wrong):
            context.problems[problem_count:] = [problem]
        fine = fine and type_ is not None
        parts.append(expression)
        part_context = part_context.with_facts(
            facts.when_true(expression) if is_conjunction else facts.when_false(expression)
        )
    return (graph.Op("and" if is_conjunction else "or", tuple(parts)), YES_NO) if fine else BROKEN


def elaborate_choice(node: source.Choice, context: Context, expected: graph.Type | None) -> TypedExpression:
    """Elaborate `if c then a else b`: both values of one type."""
    test, test_type = context.elaborate(node.condition, context, YES_NO)
    then, then_type = context.elaborate(node.then, context.with_facts(facts.when_true(test)), expected)
    else_context = context.with_facts(facts.when_false(test))
    orelse, else_type = context.elaborate(node.orelse, else_context, expected or then_type)
    if test_type is None or then_type is None or else_type is None:
        return BROKEN
    if then == orelse:
        message = "this `if` has no effect, as both values are the same"
        advice = "correct one value, or delete the `if`"
        context.problems.append(InvalidConstruct(node.condition.span, message, advice))
    return graph.Op("if", (test, then, orelse)), _join(then_type, else_type)


def _join(a: graph.Type, b: graph.Type) -> graph.Type:
    """Return the narrowest type of both values."""
    if isinstance(a, graph.Number) and isinstance(b, graph.Number):
        low = None if a.low is None or b.low is None else min(a.low, b.low)
        high = None if a.high is None or b.high is None else max(a.high, b.high)
        return graph.Number(low, high, a.measure)
    return a if is_assignable(b, a) else b


# ---------------------------------------------------------------- words that were meant to be tested by the other side


JOINED = {"=": "in", "!=": "not in"}


def _ambiguous_disjunction(
    node: source.Both | source.Either, part: source.Expression, before: source.Expression, env: Environment
) -> InvalidConstruct | None:
    """Return the problem of a word that is an operand by itself; None if it is not meant as a test."""
    while isinstance(before, source.Both | source.Either):
        before = before.parts[-1]
    while isinstance(part, source.Both):
        part = part.parts[0]  # `or` binds weaker than `and`: `x = a or b and ..`.
    denied = isinstance(part, source.Not)
    word = part.operand if isinstance(part, source.Not) else part
    if not isinstance(word, source.Name):
        return None
    joint = "and" if isinstance(node, source.Both) else "or"
    match before:
        case source.IsTest(subject=subject, words=words, negated=negated) if _is_flag(word.id, env):
            sign, written = (
                "is",
                _tested(
                    expression_text(subject),
                    [each.text for each in words],
                    word.id,
                    joint,
                    negated=negated,
                    denied=denied,
                ),
            )
        case source.Compare(op=op, left=left, right=source.Name(id=first)) if env.enums_with(word.id) and not denied:
            joins = (op, joint) in {("=", "or"), ("!=", "and")}
            left_text, other = expression_text(left), word.id
            sign = op
            written = f"{left_text} {JOINED[op]} {{{first}, {other}}}" if joins else f"{left_text} {op} {other}"
        case _:
            return None
    message = f"`{expression_text(part)}` is a condition of its own here, as `{sign}` does not extend over `{joint}`"
    return InvalidConstruct(word.span, message, f"write `{written}`")


def _tested(subject: str, words: list[str], word: str, joint: str, *, negated: bool, denied: bool) -> str:
    """Format the test that is meant."""
    if denied or (joint == "and" and not negated):
        return f"{subject} is {'not ' if denied else ''}{word}"
    return f"{subject} is {'not ' if negated else ''}{'|'.join((*words, word))}"


def _is_flag(word: str, env: Environment) -> bool:
    return word in {"gone", "off"} or word in env.kinds or any(flag.name == word for flag in env.flags.values())
