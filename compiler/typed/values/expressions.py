"""Elaboration of expressions: one traversal that resolves names by type and checks types by name.

In: an expression as parsed, its context, and the type that its place expects, if any. Out: the graph node with its
type. The meaning of `x is f` and `x.f` depends on the type of x, and the enumeration of a bare word on what its
neighbor expects; so names and types are resolved together, bidirectionally (Dunfield, Krishnaswami, *Bidirectional
Typing*, 2021). Reports R02xx and R04xx.
"""

from compiler.source import nodes as source
from compiler.typed.context import BROKEN, Context, TypedExpression, expect_type
from compiler.typed.environment import UNKNOWN_TYPE
from compiler.typed.name_uses import note_name_uses
from compiler.typed.values import calls, flags, folds, names, operators, searches, set_operations
from runtime.graph import nodes as graph
from runtime.graph.operators.logic import YES_NO


def elaborate(node: source.Expression, context: Context, expected: graph.Type | None) -> TypedExpression:
    """Return the graph node and type of one expression, checked against the expected type (None: any)."""
    if expected is UNKNOWN_TYPE:
        # The meaning of a bare word here depends on the type that was reported.
        return BROKEN if isinstance(node, operators.UNTYPED) else (_elaborate_node(node, context, None)[0], None)
    found = _elaborate_node(node, context, expected)
    note_name_uses(node, found, context)
    if found[1] is UNKNOWN_TYPE:
        return found[0], None
    return expect_type(context, found, expected, node.span)


def elaborate_condition(node: source.Expression, context: Context) -> graph.Expr:
    """Elaborate an expression that must be a condition."""
    return elaborate(node, context, YES_NO)[0]


def _elaborate_node(node: source.Expression, context: Context, expected: graph.Type | None) -> TypedExpression:  # noqa: C901 - one arm per node
    match node:
        case source.Name():
            return names.elaborate_name(node, context, expected)
        case source.Field():
            return names.elaborate_field(node, context)
        case source.Amount():
            return operators.elaborate_amount(node, context, expected)
        case source.Quoted():
            return names.elaborate_quoted(node, context, expected)
        case source.Truth(value=value):
            return graph.Truth(value), YES_NO
        case source.Call():
            return calls.elaborate_call(node, context, expected)
        case source.Make():
            return calls.type_new_record(node, context)
        case source.Cell():
            return calls.elaborate_cell(node, context)
        case source.Pieces():
            return folds.elaborate_pieces(node, context)
        case source.Aggregate():
            return folds.elaborate_aggregate(node, context, expected)
        case source.Extreme():
            return folds.elaborate_extreme(node, context)
        case source.Search():
            return searches.elaborate_search(node, context)
        case source.SetComprehension():
            return folds.type_set(node, context)
        case source.SetLiteral():
            return set_operations.set_literal(node, context, expected)
        case source.Choice():
            return operators.elaborate_choice(node, context, expected)
        case source.Both() | source.Either():
            return operators.elaborate_junction(node, context)
        case source.Not(operand=operand):
            inner, type_ = context.elaborate(operand, context, YES_NO)
            return (graph.Op("not", (inner,)), YES_NO) if type_ else BROKEN
        case source.Compare():
            return operators.elaborate_comparison(node, context)
        case source.Arithmetic():
            return operators.elaborate_arithmetic(node, context, expected)
        case source.Minus():
            return operators.elaborate_minus(node, context, expected)
        case source.IsTest():
            return flags.elaborate_test(node, context)
        case source.HasTest():
            return flags.has_test(node, context)
        case source.InTest():
            return flags.elaborate_membership(node, context, set_operations.elaborate_fold_membership)
