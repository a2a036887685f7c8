"""Elaboration of set literals, of union and difference, and of tests of membership.

In: an expression as written, and its context. Out: its node and its type; the type is None after a problem.
"""

from compiler.source import nodes as source
from compiler.typed.context import BROKEN, Context, TypedExpression
from compiler.typed.environment import is_assignable, type_text
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.mismatches import TypeMismatch
from runtime.graph import nodes as graph
from runtime.graph.operators.logic import YES_NO


def set_literal(node: source.SetLiteral, context: Context, expected: graph.Type | None) -> TypedExpression:
    """Elaborate `{a, b}`: members of one type."""
    element_type = expected.of if isinstance(expected, graph.Many) else expected
    elements: list[graph.Expr] = []
    for part in node.elements:
        element, type_ = context.elaborate(part, context, element_type)
        if type_ is None:
            return BROKEN
        if element_type is not None and not is_assignable(type_, element_type):
            return context.reject(TypeMismatch(part.span, type_text(element_type), type_text(type_)))
        element_type = element_type or type_
        if element in elements:
            context.problems.append(
                InvalidConstruct(part.span, "this member is twice in the set", "delete one of the two")
            )
        elements.append(element)
    is_list = isinstance(expected, graph.Many) and expected.shape == "list"
    if is_list and len(elements) > 1 and not all(isinstance(element, graph.New) for element in elements):
        # The members come in the order of their declarations: the list would not be the written one. New records come
        # in the order in which they are made.
        return context.reject(
            InvalidConstruct(
                node.span,
                "a list is needed here, but `{..}` is a set, whose members have no order",
                "add the members to a list one after the other, with `add x to ..`",
            )
        )
    return graph.SetOf(tuple(elements)), graph.Many(
        "set", element_type if element_type and elements else graph.Nothing()
    )


def type_set_operation(
    node: source.Arithmetic, left: TypedExpression, right: TypedExpression, context: Context
) -> TypedExpression:
    """Elaborate `a + b`, `a - b` of sets: union and difference."""
    types: list[graph.Type] = []
    for part, (_, type_) in ((node.left, left), (node.right, right)):
        if not isinstance(type_, graph.Many) or type_.shape != "set":
            if type_ is not None:
                context.problems.append(TypeMismatch(part.span, "a set", type_text(type_)))
            return BROKEN
        types.append(type_.of)
    element_type = _common_member_type(types[0], types[1])
    if element_type is None or node.op not in {"+", "-"}:
        expected = type_text(graph.Many("set", types[0])) if element_type is None else "a number"
        return context.reject(TypeMismatch(node.right.span, expected, type_text(graph.Many("set", types[1]))))
    if node.op == "-":
        return graph.Op("without", (left[0], right[0])), graph.Many("set", types[0])
    return graph.Op("union", (left[0], right[0])), graph.Many("set", element_type)


def _common_member_type(left: graph.Type, right: graph.Type) -> graph.Type | None:
    """Return the type of the members of a union of two sets; None if they have no common type."""
    if isinstance(left, graph.Piece) and isinstance(right, graph.Piece):
        return graph.Piece(tuple(dict.fromkeys((*left.kinds, *right.kinds))) if left.kinds and right.kinds else ())
    return right if is_assignable(left, right) else left if is_assignable(right, left) else None


def elaborate_fold_membership(node: source.InTest, context: Context) -> TypedExpression:
    """Elaborate `x in S`, `x in 1..3`."""
    if isinstance(node.collection, source.Range):
        return _in_range(node, node.collection, context)
    is_bare = isinstance(node.element, source.Name | source.Quoted) and not isinstance(
        node.collection, source.SetLiteral
    )
    if is_bare:
        collection, type_ = context.elaborate(node.collection, context, None)
        expected = type_.of if isinstance(type_, graph.Many) else None
        element, found = context.elaborate(
            node.element, context, None if isinstance(expected, graph.Nothing) else expected
        )
    else:
        element, found = context.elaborate(node.element, context, None)
        if found is None and isinstance(node.collection, source.SetLiteral):
            return BROKEN  # The meaning of its bare words depends on the type that was reported.
        collection, type_ = context.elaborate(node.collection, context, graph.Many("set", found) if found else None)
    if found is None or type_ is None:
        return BROKEN
    if not isinstance(type_, graph.Many) or not (is_assignable(found, type_.of) or is_assignable(type_.of, found)):
        return context.reject(TypeMismatch(node.collection.span, f"a set of {type_text(found)}", type_text(type_)))
    test: graph.Expr = graph.Op("in", (element, collection))
    return (graph.Op("not", (test,)) if node.negated else test), YES_NO


def _in_range(node: source.InTest, written: source.Range, context: Context) -> TypedExpression:
    element, found = context.elaborate(node.element, context, None)
    low, low_type = context.elaborate(written.low, context, found)
    high, high_type = context.elaborate(written.high, context, found)
    if found is None or low_type is None or high_type is None:
        return BROKEN
    test = graph.Op("and", (graph.Op(">=", (element, low)), graph.Op("<=", (element, high))))
    return (graph.Op("not", (test,)) if node.negated else test), YES_NO
