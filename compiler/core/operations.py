"""Lowering of operators.

In: an operation of the graph, and the core of each name in scope. Out: core, composed of primitives.
"""

from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING

from compiler.core import ir
from compiler.core.construct import EMPTY, NO, all_hold, negated_if, one_holds, rounded_to_whole, to_ratio
from compiler.core.ir import Apply, Core, Fold, FoldKind, If, Local, Primitive, Trap
from compiler.core.representation import BOOL, CROSSING, HEX, HEXSIDE, INT, PIECE, RATIO, List, Representation, Set
from compiler.core.trap_reason import TrapReason
from runtime.graph import nodes as graph

if TYPE_CHECKING:
    from compiler.core.expressions import ExpressionLowering, Names

BOARD: Mapping[str, tuple[Primitive, Representation]] = {
    "distance": (Primitive.DISTANCE, INT),
    "adjacent": (Primitive.ADJACENT, BOOL),
    "neighbors": (Primitive.NEIGHBORS, Set(HEX)),
    "within": (Primitive.WITHIN, Set(HEX)),
    "between": (Primitive.BETWEEN, HEXSIDE),
    "beyond": (Primitive.BEYOND, Set(HEX)),
    "toward": (Primitive.TOWARD, List(HEX)),
    "line": (Primitive.LINE, List(CROSSING)),
    "touching": (Primitive.TOUCHING, Set(HEXSIDE)),
    "ends": (Primitive.ENDS, Set(HEX)),
    "edge": (Primitive.EDGE, BOOL),
}
ARITHMETIC = {
    "+": Primitive.ADD,
    "-": Primitive.SUBTRACT,
    "*": Primitive.MULTIPLY,
    "min": Primitive.MINIMUM,
    "max": Primitive.MAXIMUM,
}


def lower_operation(lowering: "ExpressionLowering", expr: graph.Op, names: "Names") -> Core:  # noqa: C901 -- one case an operator
    """Lower an operator."""
    op = expr.op
    if op in ("related", "payload"):
        return _lower_pair_test(lowering, expr, names)
    if op == "reserve":
        kinds = [kind.name for kind in expr.arguments if isinstance(kind, graph.Member)]
        return Apply(Primitive.PIECES_IN_RESERVE, (), Set(PIECE), ",".join(kinds))
    if op in ("round_down", "round_up"):
        return lower_rounding(lowering, expr.arguments[0], names, up=op == "round_up")
    if op == "flat":
        return _lower_flattening(lowering, expr.arguments[0], names)
    if op == "in":
        return _lower_membership(lowering, expr.arguments[0], expr.arguments[1], names)
    operands = [lowering.lower(argument, names) for argument in expr.arguments]
    match op:
        case "and":
            return all_hold(operands)
        case "or":
            return one_holds(operands)
        case "not":
            return Apply(Primitive.NOT, (operands[0],), BOOL)
        case "if":
            then, orelse = lowering.in_one_representation(operands[1], operands[2])
            return If(operands[0], then, orelse, then.representation)
        case "place" | "number":
            return operands[0]
        case "+" | "-" | "*" | "min" | "max":
            primitive = ARITHMETIC[op]
            fitted = lowering.in_one_representation(*operands)
            return reduce(lambda a, b: Apply(primitive, (a, b), a.representation), fitted)
        case "/":
            return Apply(Primitive.DIVIDE, (to_ratio(operands[0]), to_ratio(operands[1])), RATIO)
        case "neg":
            return Apply(Primitive.NEGATE, (operands[0],), operands[0].representation)
        case "clamp":
            value, low, high = lowering.in_one_representation(*operands)
            least = Apply(Primitive.MINIMUM, (value, high), value.representation)
            return Apply(Primitive.MAXIMUM, (low, least), value.representation)
        case "=" | "!=":
            return negated_if(Apply(Primitive.EQUAL, lowering.in_one_representation(*operands), BOOL), op == "!=")
        case "<" | ">=":
            return negated_if(Apply(Primitive.LESS, lowering.in_one_representation(*operands), BOOL), op == ">=")
        case ">" | "<=":
            left, right = lowering.in_one_representation(*operands)
            return negated_if(Apply(Primitive.LESS, (right, left), BOOL), op == "<=")
        case "union" | "without":
            fitted = lowering.in_one_representation(*operands)
            return Apply(Primitive.UNION if op == "union" else Primitive.DIFFERENCE, fitted, fitted[0].representation)
        case "linked":
            start, ground = operands
            hex_local = Local(lowering.fresh_name("from"), HEX)
            return lowering.bound_to_name(ground, lambda among: _linked_hexes(start, among, hex_local))
        case "span":
            low, high = operands
            ends = (rounded_to_whole(low, Primitive.CEILING), rounded_to_whole(high, Primitive.FLOOR))
            return Apply(Primitive.SPAN, ends, List(INT))
        case _:
            assert op in BOARD, f"`{op}` has no core: add its case to this function"
            primitive, representation = BOARD[op]
            return Apply(
                primitive, tuple(rounded_to_whole(operand, Primitive.FLOOR) for operand in operands), representation
            )


def _linked_hexes(start: Core, among: Core, hex_local: Local) -> Core:
    """Return the hexes of `among` that a chain of neighbors of each other in it leads to from `start`."""
    neighbors = Apply(Primitive.NEIGHBORS, (hex_local,), Set(HEX))
    among_neighbors, first = (Apply(Primitive.INTERSECTION, (each, among), Set(HEX)) for each in (neighbors, start))
    return ir.Reachable(hex_local.name, first, among_neighbors, Set(HEX))


def lower_rounding(lowering: "ExpressionLowering", inner: graph.Expr, names: "Names", *, up: bool) -> Core:
    """Lower rounding; a quotient of integers is computed without a ratio."""
    if isinstance(inner, graph.Op) and inner.op == "/":
        left, right = (lowering.lower(argument, names) for argument in inner.arguments)
        if left.representation == INT and right.representation == INT:
            return Apply(Primitive.CEILING_DIVIDE if up else Primitive.FLOOR_DIVIDE, (left, right), INT)
    value = lowering.lower(inner, names)
    return value if value.representation == INT else Apply(Primitive.CEILING if up else Primitive.FLOOR, (value,), INT)


def _lower_flattening(lowering: "ExpressionLowering", inner: graph.Expr, names: "Names") -> Core:
    """Lower the union of a set of sets, without constructing that set."""
    if isinstance(inner, graph.Fold) and inner.op == "gather" and inner.body is not None:
        return lowering.lower_fold(inner, names, FoldKind.UNITE)
    if isinstance(inner, graph.SetOf):
        fitted = lowering.in_one_representation(*[lowering.lower(element, names) for element in inner.elements])
        return reduce(lambda a, b: Apply(Primitive.UNION, (a, b), a.representation), fitted) if fitted else EMPTY
    sets = lowering.lower(inner, names)
    if isinstance(sets.representation, Set) and isinstance(sets.representation.element, Set):
        each = Local(lowering.fresh_name("set"), sets.representation.element)
        return Fold(FoldKind.UNITE, each.name, sets, None, each, None, each.representation)
    return Trap(TrapReason.UNSUPPORTED, Set(None))


def _lower_membership(lowering: "ExpressionLowering", left: graph.Expr, right: graph.Expr, names: "Names") -> Core:
    """Lower a membership test; a span contains all numbers between its ends, integer or not."""
    value = lowering.lower(left, names)
    if isinstance(right, graph.Op) and right.op == "span":
        low, high = (lowering.lower(argument, names) for argument in right.arguments)

        def range_test(it: Core) -> Core:
            lower_operand, lowest = lowering.in_one_representation(it, low)
            upper_operand, highest = lowering.in_one_representation(it, high)
            above = negated_if(Apply(Primitive.LESS, (lower_operand, lowest), BOOL), negate=True)
            return all_hold([above, negated_if(Apply(Primitive.LESS, (highest, upper_operand), BOOL), negate=True)])

        return lowering.bound_to_name(value, range_test)
    collection = lowering.lower(right, names)
    if isinstance(collection.representation, Set | List) and collection.representation.element is not None:
        element = collection.representation.element
        if value.representation == RATIO and element == INT:
            return Trap(TrapReason.UNSUPPORTED, BOOL)
        return Apply(Primitive.MEMBER, (lowering.coerce(value, element, ""), collection), BOOL)
    return NO


def _lower_pair_test(lowering: "ExpressionLowering", expr: graph.Op, names: "Names") -> Core:
    """Lower a test or payload of a pair."""
    relation, left, right = expr.arguments
    assert isinstance(relation, graph.Member)
    declared = lowering.rules.vocabulary.relations[relation.name]
    ends = lowering.lower(left, names), lowering.lower(right, names)
    if expr.op == "related":
        return ir.Payload(relation.name, *ends, BOOL, is_test=True)
    assert declared.payload is not None
    representation = lowering.denominators.representation(declared.payload.type, f"pairs:{relation.name}")
    return ir.Payload(relation.name, *ends, representation)
